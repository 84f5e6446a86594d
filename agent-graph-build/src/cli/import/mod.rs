//! `import`: takes a skill, scripts or a workflow of another kind into a provider (spec section 11). Knows
//! which kinds there are; what becomes of each is a module of its own, how it gets into the provider that
//! of [`provider`].

mod graph;
mod provider;
mod scripts;
mod skill;
mod workflow;

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, value_parser};

use super::answer::{Answer, Lines, object, word};
use super::context::{Context, absolute};
use super::failure::Failure;
use provider::{Import, Target};

pub(super) fn command() -> Command {
    let into = || {
        Arg::new("into")
            .long("into")
            .value_name("root")
            .required(true)
            .value_parser(value_parser!(PathBuf))
            .help("Folder of the provider, with its provider.yaml")
    };
    let graph = || {
        Arg::new("graph")
            .long("graph")
            .value_name("id")
            .help("Id of the new graph")
    };
    let file = |name: &'static str| {
        Arg::new("file")
            .value_name(name)
            .required(true)
            .value_parser(value_parser!(PathBuf))
    };
    Command::new("import")
        .about("Take a skill, scripts or a workflow into a provider")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .subcommand(
            Command::new("skill")
                .about("Copy a skill and its folder, and make a graph with one step")
                .arg(file("SKILL.md"))
                .arg(into())
                .arg(graph()),
        )
        .subcommand(
            Command::new("scripts")
                .about("Copy scripts, and make a graph that runs one after the other")
                .arg(
                    Arg::new("files")
                        .num_args(0..)
                        .value_parser(value_parser!(PathBuf)),
                )
                .arg(into())
                .arg(graph().default_value("imported-scripts")),
        )
        .subcommand(
            Command::new("workflow")
                .about("Make a graph of steps that depend on each other")
                .arg(file("file"))
                .arg(into())
                .arg(graph()),
        )
}

pub(super) fn run(matches: &ArgMatches, context: &Context) -> Result<Answer, Failure> {
    let Some((kind, matches)) = matches.subcommand() else {
        return Err(Failure::unexpected("no command was given"));
    };
    let path = |name: &str| {
        matches
            .get_one::<PathBuf>(name)
            .cloned()
            .unwrap_or_default()
    };
    let graph = matches.get_one::<String>("graph").map(String::as_str);
    let into = path("into");
    let import: Import = match kind {
        "skill" => skill::read(&path("file"), graph)?,
        "scripts" => {
            let files = matches.get_many::<PathBuf>("files");
            scripts::read(files.into_iter().flatten(), graph)?
        }
        _ => workflow::read(&path("file"), graph)?,
    };
    let graph_file = Target::load(&into, context)?.take_in(&import, context)?;
    let json = object([
        ("state", "imported".into()),
        ("kind", kind.into()),
        ("graph", graph_file.as_str().into()),
    ]);
    let human = Lines::new()
        .label("Imported", &import.graph)
        .label("Graph", graph_file)
        .label("Report", absolute(&into.join("IMPORT_REPORT.md"))?)
        .label(
            "Next",
            format!(
                "read the report, then agent-graph -m {} evaluate {}",
                word(&into.join("provider.yaml")),
                import.graph
            ),
        );
    Ok(Answer::new(json, human))
}
