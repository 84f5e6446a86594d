//! `pi`: the second protocol family, pi-graph. Checks, shows and draws definitions, in a file or found by name among
//! those of the project and of the user; runs them, goes on with runs, says where they are.

mod folders;
mod inspect;
mod live;
mod policy;
mod report;
mod select;
mod status;
mod told;
mod validate;

use agent_graph_runtime::pi::discover::FoundGraph;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use std::path::PathBuf;

use super::answer::{Answer, object};
use super::context::Context;
use super::failure::Failure;
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
        .about("Check, show, draw and run graphs of pi-graph")
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
        .arg(folders::store_option())
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
        .subcommand(live::run_command())
        .subcommand(live::resume_command())
        .subcommand(status::command())
}

/// The command and its arguments, if it is one that drives a run and tells what happens meanwhile.
pub(super) fn live(matches: &ArgMatches) -> Option<(&str, &ArgMatches)> {
    let matches = matches.subcommand_matches("pi")?;
    matches
        .subcommand()
        .filter(|(name, _)| matches!(*name, "run" | "resume"))
}

pub(super) use live::conduct;

pub(super) fn run(matches: &ArgMatches, context: &Context) -> Result<Answer, Failure> {
    match matches.subcommand() {
        Some(("validate", matches)) => validate::run(matches),
        Some(("inspect", matches)) => match matches.get_one::<String>("graph") {
            Some(graph) => inspect::one(&Where::of(matches)?.select(graph)?),
            None => inspect::all(&Where::of(matches)?.discover()),
        },
        Some(("graph", matches)) => draw(matches, context),
        Some(("status", matches)) => status::run(matches),
        _ => Err(Failure::unexpected("no command was given")),
    }
}

fn draw(matches: &ArgMatches, context: &Context) -> Result<Answer, Failure> {
    let form = Form::of(matches)?;
    let name = matches.get_one::<String>("graph");
    let selected = Where::of(matches)?.select(name.map_or("", String::as_str))?;
    let definition = &selected.loaded.definition;
    let json = object([("graph", definition.name.as_str().into())]);
    form.answer(matches, context, json, &[Diagram::of_pi(definition)])
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
