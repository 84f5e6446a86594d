//! `inspect`: what a provider consists of, and what a skill is bound to.

use std::path::PathBuf;

use agent_graph_runtime::json::Value;
use agent_graph_runtime::{Installed, ProviderInspection};
use clap::{Arg, ArgMatches, Command, value_parser};

use super::answer::{Answer, Lines, counted, object};
use super::context::Context;
use super::failure::Failure;

pub(super) fn command() -> Command {
    Command::new("inspect")
        .about("Show what a provider consists of, or what a skill is bound to")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .subcommand(Command::new("provider").about("Show what the provider consists of"))
        .subcommand(
            Command::new("skill")
                .about("Show what a skill is bound to")
                .arg(
                    Arg::new("file")
                        .value_name("SKILL.md")
                        .required(true)
                        .value_parser(value_parser!(PathBuf)),
                ),
        )
}

pub(super) fn run(matches: &ArgMatches, context: &Context) -> Result<Answer, Failure> {
    match matches.subcommand() {
        Some(("skill", matches)) => skill(matches, context),
        _ => {
            let inspection = context.installed()?.inspect()?;
            Answer::of(&inspection, details(Lines::new(), &inspection))
        }
    }
}

fn skill(matches: &ArgMatches, context: &Context) -> Result<Answer, Failure> {
    let file = matches
        .get_one::<PathBuf>("file")
        .cloned()
        .unwrap_or_default();
    let bound = context.bind(&file)?;
    let inspection = Installed::of_loaded(bound.provider)?.inspect()?;
    let json = object([
        ("binding", Value::from_serialize(&bound.binding)?),
        ("provider", Value::from_serialize(&inspection)?),
    ]);
    let human = Lines::new()
        .label("Skill", &bound.binding.skill_path)
        .label(
            "Bound to",
            format!("{}, entry {}", bound.binding.graph, bound.binding.entry),
        );
    Ok(Answer::new(json, details(human, &inspection)))
}

/// The provider and how many of each there are, in one line.
pub(super) fn summary(inspection: &ProviderInspection) -> String {
    let counts = &inspection.counts;
    format!(
        "{} {}, {}, {}, {}, {}",
        inspection.provider.id,
        inspection.provider.version,
        counted(counts.graphs, "graph"),
        counted(counts.nodes, "node"),
        counted(counts.actions, "action"),
        counted(counts.resources, "resource"),
    )
}

fn details(human: Lines, inspection: &ProviderInspection) -> Lines {
    let mut human = human
        .label("Provider", summary(inspection))
        .label("Manifest", &inspection.provider.manifest);
    for graph in &inspection.graphs {
        let entries = graph.entrypoints.0.iter().map(|(name, _)| name.as_str());
        let entries = entries.collect::<Vec<_>>().join(", ");
        let nodes = counted(graph.nodes.len(), "node");
        let word = match graph.entrypoints.0.len() {
            1 => "entry",
            _ => "entries",
        };
        human = human.label("Graph", format!("{}, {nodes}, {word} {entries}", graph.id));
    }
    human
}
