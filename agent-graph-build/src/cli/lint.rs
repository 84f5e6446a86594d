//! `lint`: what cannot work, or is likely a mistake, in a provider that loads.

use agent_graph_runtime::json::{Object, Value};
use agent_graph_runtime::{Code, Finding};
use clap::{Arg, ArgAction, ArgMatches, Command};

use super::answer::{Answer, Lines, counted, object};
use super::context::Context;
use super::failure::{Failure, diagnostic};
use crate::lint::{Clash, LintLevel, LintLevels, LintReport, Witness, lint_watched, texts};

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
    let mut written: Vec<(usize, LintLevel, &String)> = Vec::new();
    for level in LintLevel::ALL.iter().copied() {
        let positions = matches.indices_of(level.as_str()).into_iter().flatten();
        let names = matches.get_many::<String>(level.as_str());
        let names = names.into_iter().flatten();
        written.extend(positions.zip(names).map(|(at, name)| (at, level, name)));
    }
    written.sort_unstable();
    let mut levels = LintLevels::default();
    for (_, level, name) in written {
        levels
            .set(name, level)
            .map_err(|message| Failure::new(Code::OptionInvalid, message))?;
    }
    let loaded = context.loaded()?;
    let LintReport {
        findings: found,
        left_out,
        ..
    } = lint_watched(&loaded, &levels, &mut context.watch());
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
            let (name, shown) = shown(witness);
            finding.insert(name, shown);
        }
        Value::Object(finding)
    });
    let json = object([
        ("state", state.into()),
        ("total", Value::Number((found.len() + left_out) as f64)),
        ("denied", Value::Number(denied as f64)),
        ("leftOut", Value::Number(left_out as f64)),
        ("findings", Value::Array(findings.collect())),
    ]);
    let shown: Vec<Finding> = found.iter().map(|found| found.finding.clone()).collect();
    let texts = texts(&loaded, &shown);
    let (shown, texts) = context.named(&loaded, &shown, &texts);
    let human = Lines::new().findings(shown, texts);
    let human = match (found.len(), left_out) {
        (0, _) => human.line("Nothing was found."),
        (found, 0) => human.line(format!("{}, {denied} denied.", counted(found, "finding"))),
        (count, more) => human.line(format!(
            "{}, {denied} denied; {more} more left out.",
            counted(count, "finding")
        )),
    };
    Ok(Answer {
        success: denied == 0,
        ..Answer::new(json, human)
    })
}

/// What to evaluate to see it, or where to look.
fn shown(witness: &Witness) -> (&'static str, Object) {
    match witness {
        Witness::State {
            graph,
            entry,
            state,
            ..
        } => {
            let outcomes = state.outcomes();
            let outcomes = outcomes.map(|(key, outcome)| (key, outcome.as_str()));
            let authorities = state.authorities().iter();
            let authorities = authorities.map(|it| Value::from(it.as_str()));
            let evaluation = object([
                ("graph", graph.as_str().into()),
                ("entry", entry.as_str().into()),
                ("facts", state.facts().as_object().clone().into()),
                ("outcomes", outcomes.collect::<Object>().into()),
                ("authorities", Value::Array(authorities.collect())),
            ]);
            ("witness", evaluation)
        }
        Witness::Clash { graph, path, clash } => {
            let (of, one, other) = match *clash {
                Clash::Checks(one, other) => ("checks", one, other),
                Clash::Edges(one, other) => ("edges", one, other),
            };
            let path = path.iter().map(|node| Value::from(node.as_str()));
            let clash = [one, other].map(|position| Value::Number(position as f64));
            let clash = object([
                ("graph", graph.as_str().into()),
                ("path", Value::Array(path.collect())),
                (of, Value::Array(clash.into())),
            ]);
            ("clash", clash)
        }
    }
}
