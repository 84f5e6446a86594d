//! The command line `agent-graph` (spec section 10): authoring, testing, packaging, and hosts in other
//! languages. Knows which commands there are; each is a module of its own, with its arguments, its result
//! as JSON and its few lines for people.

mod answer;
mod build;
mod changes;
mod code;
mod completions;
mod context;
mod diff;
mod environment;
mod evaluate;
mod explain;
mod failure;
mod generate;
mod graph;
mod import;
mod init;
mod inspect;
mod json_argument;
mod lint;
mod output;
mod pi;
mod progress;
mod resource;
mod route;
mod run;
mod schema;
mod selection;
mod signals;
mod slug;
mod state;
mod streams;
mod test;
mod validate;

use std::ffi::OsString;

use clap::{Arg, ArgMatches, Command, value_parser};

use answer::Answer;
use context::Context;
use failure::Failure;
pub use output::{OUTPUTS, Output, schema, shape};
use progress::{Progress, Stage};
pub use streams::Streams;

/// Runs the command in `arguments`, the first of which is the name of the program. Gives the exit status:
/// 0, or 1 on any error and when a graph test fails.
pub fn run(arguments: impl IntoIterator<Item = OsString>, streams: &mut Streams<'_>) -> u8 {
    let matches = match command().try_get_matches_from(arguments) {
        Ok(matches) => matches,
        Err(error) => return streams.usage(&error),
    };
    let stage = match streams.errors_on_terminal {
        true => Stage::watched(),
        false => Stage::default(),
    };
    let context = match Context::of(&matches, stage.clone()) {
        Ok(context) => context,
        Err(failure) => return streams.failure(&failure, false),
    };
    if let Some((name, matches)) = pi::live(&matches) {
        return pi::conduct(name, matches, &context, streams);
    }
    let name = matches.subcommand_name().unwrap_or_default();
    let progress = Progress::start(format!("agent-graph {name}"), &stage, std::io::stderr());
    let executed = execute(&matches, &context);
    // Its line goes before the result comes.
    drop(progress);
    match executed {
        Ok(answer) => streams.answer(&answer, context.json()),
        Err(failure) => streams.failure(&failure, context.json()),
    }
}

/// The whole command line: options, commands, help.
pub fn command() -> Command {
    let global = |name: &'static str, value: &'static str| {
        Arg::new(name).long(name).value_name(value).global(true)
    };
    Command::new("agent-graph")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Checks, tests, packages and evaluates declarative agent workflows")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .arg(
            global("manifest", "path")
                .short('m')
                .value_parser(value_parser!(std::path::PathBuf))
                .default_value("provider.yaml")
                .help("Manifest of the provider or of a bundle"),
        )
        .arg(
            global("skill", "path")
                .value_parser(value_parser!(std::path::PathBuf))
                .help("Take provider, graph and entry from the binding of a SKILL.md"),
        )
        .arg(
            global("registry", "path")
                .value_parser(value_parser!(std::path::PathBuf))
                .help("Registry of providers, for bindings that name one by id"),
        )
        .arg(
            global("format", "human|json")
                .default_value("human")
                .help("How results and errors are printed"),
        )
        .subcommands(COMMANDS.iter().map(|(make, _)| make()))
}

type Make = fn() -> Command;
type Execute = fn(&ArgMatches, &Context) -> Result<Answer, Failure>;

/// Every command: its arguments, and what carries it out.
const COMMANDS: &[(Make, Execute)] = &[
    (init::command, init::run),
    (import::command, import::run),
    (validate::command, validate::run),
    (inspect::command, inspect::run),
    (evaluate::command, evaluate::run),
    (route::command, route::run),
    (explain::command, explain::run),
    (graph::command, graph::run),
    (run::command, run::run),
    (resource::command, resource::run),
    (code::command, code::run),
    (test::command, test::run),
    (lint::command, lint::run),
    (build::command, build::run),
    (diff::command, diff::run),
    (generate::command, generate::run),
    (schema::command, schema::run),
    (pi::command, pi::run),
    (completions::command, completions::run),
    (completions::man_command, completions::man),
];

fn execute(matches: &ArgMatches, context: &Context) -> Result<Answer, Failure> {
    // clap has refused everything else.
    let Some((name, matches)) = matches.subcommand() else {
        return Err(Failure::unexpected("no command was given"));
    };
    let found = COMMANDS.iter().find(|(make, _)| make().get_name() == name);
    match found {
        Some((_, execute)) => execute(matches, context),
        None => Err(Failure::unexpected(format!("there is no command `{name}`"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
    }
}
