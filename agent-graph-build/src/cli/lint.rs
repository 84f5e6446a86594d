//! `lint`: what cannot work, or is likely a mistake, in a provider that loads.

use agent_graph_runtime::json::{Object, Value};
use agent_graph_runtime::{Code, Finding};
use clap::{Arg, ArgAction, ArgMatches, Command};

use super::answer::{Answer, Lines, counted, object};
use super::context::Context;
use super::failure::{Failure, diagnostic};
use crate::lint::{LintFinding, LintLevel, LintLevels, lint_watched, texts};

pub(super) fn command() -> Command {
    let level = |name: &'static str, help: &'static str| {
        Arg::new(name)
            .long(name)
            .value_name("lint")
            .action(ArgAction::Append)
            .help(help)
    };
    Command::new("lint")
        .about("Find what cannot work, or is likely a mistake, in a provider that is valid")
        .arg(level(
            "allow",
            "Do not look at this lint; `all` stands for every lint",
        ))
        .arg(level("warn", "Show what this lint finds"))
        .arg(level(
            "deny",
            "Exit with status 1 when this lint finds something",
        ))
}

pub(super) fn run(matches: &ArgMatches, context: &Context) -> Result<Answer, Failure> {
    let mut levels = LintLevels::default();
    for level in LintLevel::ALL {
        let names = matches.get_many::<String>(level.as_str());
        for name in names.into_iter().flatten() {
            levels
                .set(name, *level)
                .map_err(|message| Failure::new(Code::OptionInvalid, message))?;
        }
    }
    let loaded = context.loaded()?;
    let found = lint_watched(&loaded, &levels, &mut context.watch());
    let denied = found.iter().filter(|found| found.level == LintLevel::Deny);
    let denied = denied.count();
    let state = if denied == 0 { "passed" } else { "failed" };
    let findings = found.iter().map(|found| {
        let mut finding = object([
            ("lint", found.lint.name().into()),
            ("level", found.level.as_str().into()),
        ]);
        let diagnostic = diagnostic(&found.finding, &loaded.root);
        if let Ok(Value::Object(members)) = Value::from_serialize(&diagnostic) {
            finding.extend(members);
        }
        if let Some(witness) = &found.witness {
            finding.insert("witness", evaluation(found, &witness.graph, &witness.entry));
        }
        Value::Object(finding)
    });
    let json = object([
        ("state", state.into()),
        ("total", Value::Number(found.len() as f64)),
        ("denied", Value::Number(denied as f64)),
        ("findings", Value::Array(findings.collect())),
    ]);
    let shown: Vec<Finding> = found.iter().map(|found| found.finding.clone()).collect();
    let texts = texts(&loaded, &shown);
    let (shown, texts) = context.named(&loaded, &shown, &texts);
    let human = Lines::new().findings(shown, texts);
    let human = match found.len() {
        0 => human.line("Nothing was found."),
        found => human.line(format!("{}, {denied} denied.", counted(found, "finding"))),
    };
    Ok(Answer {
        success: denied == 0,
        ..Answer::new(json, human)
    })
}

/// What to evaluate to see it.
fn evaluation(found: &LintFinding, graph: &str, entry: &str) -> Object {
    let mut input = object([("graph", graph.into()), ("entry", entry.into())]);
    if let Some(witness) = &found.witness {
        let state = &witness.state;
        let outcomes = state.outcomes();
        let outcomes = outcomes.map(|(key, outcome)| (key, outcome.as_str()));
        input.insert("facts", state.facts().as_object().clone());
        input.insert("outcomes", outcomes.collect::<Object>());
        let authorities = state
            .authorities()
            .iter()
            .map(|it| Value::from(it.as_str()));
        input.insert("authorities", Value::Array(authorities.collect()));
    }
    input
}
