//! `pi`: the second protocol family, pi-graph. Checks, shows and draws definitions, in a file or found by name among
//! those of the project and of the user.

mod inspect;
mod select;

use agent_graph_runtime::json::Value;
use agent_graph_runtime::pi::discover::FoundGraph;
use agent_graph_runtime::{Finding, Findings, Level};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use std::path::{Path, PathBuf};

use super::answer::{Answer, Lines, object};
use super::context::Context;
use super::failure::{Failure, diagnostic};
use super::graph::{Form, as_option, output_option};
use crate::picture::Diagram;
use select::{Selected, Where};

pub(super) fn command() -> Command {
    let folder = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name)
            .long(name)
            .value_name(value)
            .value_parser(value_parser!(PathBuf))
            .global(true)
            .help(help)
    };
    let graph = |help: &'static str| Arg::new("graph").value_name("file|name").help(help);
    Command::new("pi")
        .about("Check, show and draw graphs of pi-graph")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .arg(folder(
            "agent-dir",
            "folder",
            "Where the user's graphs are, in `graphs`; PI_CODING_AGENT_DIR, or .pi/agent at home, if not given",
        ))
        .arg(
            folder(
                "config-dir",
                "name",
                "Where a project's graphs are, in `graphs`: the nearest folder of this name upwards",
            )
            .default_value(".pi"),
        )
        .arg(
            Arg::new("scope")
                .long("scope")
                .value_name("user|project|both")
                .default_value("both")
                .global(true)
                .help("Whose graphs to look for"),
        )
        .arg(
            Arg::new("trust-project")
                .long("trust-project")
                .action(ArgAction::SetTrue)
                .global(true)
                .help("Read the graphs of the project too; they stand before the user's"),
        )
        .subcommand(
            Command::new("validate")
                .about("Check definitions")
                .arg(graph("What to check; everything that is found, if not given").num_args(0..)),
        )
        .subcommand(
            Command::new("inspect")
                .about("Show what a graph consists of, or which graphs there are")
                .arg(graph("What to show; which graphs there are, if not given")),
        )
        .subcommand(
            Command::new("graph")
                .about("Draw a graph")
                .arg(graph("What to draw").required(true))
                .arg(as_option())
                .arg(output_option()),
        )
}

pub(super) fn run(matches: &ArgMatches, _: &Context) -> Result<Answer, Failure> {
    match matches.subcommand() {
        Some(("validate", matches)) => validate(matches),
        Some(("inspect", matches)) => match matches.get_one::<String>("graph") {
            Some(graph) => inspect::one(&Where::of(matches)?.select(graph)?),
            None => inspect::all(&Where::of(matches)?.discover()),
        },
        Some(("graph", matches)) => draw(matches),
        _ => Err(Failure::unexpected("no command was given")),
    }
}

fn draw(matches: &ArgMatches) -> Result<Answer, Failure> {
    let form = Form::of(matches)?;
    let name = matches.get_one::<String>("graph");
    let selected = Where::of(matches)?.select(name.map_or("", String::as_str))?;
    let definition = &selected.loaded.definition;
    let json = object([("graph", definition.name.as_str().into())]);
    form.answer(matches, json, &[Diagram::of_pi(definition)])
}

fn validate(matches: &ArgMatches) -> Result<Answer, Failure> {
    let place = Where::of(matches)?;
    let names: Vec<&String> = matches.get_many("graph").into_iter().flatten().collect();
    let (selected, warnings) = if names.is_empty() {
        let found = place.discover();
        let findings = found.problems.iter().map(|problem| problem.to_findings());
        let findings = findings.flat_map(|findings| findings.list().to_vec());
        let warnings = refused(findings.collect())?;
        (
            found.graphs.into_iter().map(Selected::of).collect(),
            warnings,
        )
    } else {
        let selected: Result<Vec<Selected>, Failure> =
            names.iter().map(|name| place.select(name)).collect();
        (selected?, Vec::new())
    };
    let mut human = Lines::new();
    for graph in &selected {
        human = human.label("Valid", graph.line());
        for warning in graph.warnings() {
            human = human.label("Warning", warning);
        }
    }
    for warning in &warnings {
        human = human.label("Warning", warning);
    }
    if selected.is_empty() {
        human = human.line("There are no graphs: name a file, or see `agent-graph pi --help`.");
    }
    let graphs = selected.iter().map(|graph| {
        let warnings = graph.warnings();
        let mut json = graph.json();
        json.insert("warnings", diagnostics(&warnings));
        Value::Object(json)
    });
    let json = object([
        ("state", "valid".into()),
        ("graphs", Value::Array(graphs.collect())),
        ("warnings", diagnostics(&warnings)),
    ]);
    Ok(Answer::new(json, human))
}

/// A failure with everything that was found if some of it is an error; else the warnings.
fn refused(findings: Vec<Finding>) -> Result<Vec<Finding>, Failure> {
    let error = findings.iter().position(|it| it.level == Level::Error);
    let Some(error) = error else {
        return Ok(findings);
    };
    let mut rest = findings;
    let first = rest.remove(error);
    Err(Findings::new(first, rest).into())
}

fn diagnostics(findings: &[Finding]) -> Value {
    let all = findings.iter().map(|finding| {
        let diagnostic = diagnostic(finding, Path::new(""));
        Value::from_serialize(&diagnostic).unwrap_or_default()
    });
    Value::Array(all.collect())
}

impl Selected {
    fn of(found: FoundGraph) -> Self {
        Self {
            path: found.path,
            scope: Some(found.scope),
            hidden: found.hidden,
            loaded: found.loaded,
        }
    }
}
