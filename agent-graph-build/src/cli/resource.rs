//! `resource`: where the content of a resource is, and making it.

use std::path::PathBuf;
#[cfg(unix)]
use std::time::Duration;

use agent_graph_runtime::{Code, ResourceLocation};
use clap::{Arg, ArgMatches, Command, value_parser};

use super::answer::{Answer, Lines};
use super::context::Context;
use super::failure::Failure;

pub(super) fn command() -> Command {
    Command::new("resource")
        .about("Find the content of a resource, or make it")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .subcommand(
            Command::new("locate")
                .about("Say where the content of a resource is")
                .arg(query()),
        )
        .subcommand(materialize_command())
}

fn query() -> Arg {
    Arg::new("query")
        .value_name("id-or-path")
        .required(true)
        .help("Id of the resource, or path of its file")
}

fn materialize_command() -> Command {
    let path = |name: &'static str| {
        Arg::new(name)
            .long(name)
            .value_name("folder")
            .value_parser(value_parser!(PathBuf))
    };
    let limit = |name: &'static str, help: &'static str| {
        Arg::new(name)
            .long(name)
            .value_name("number")
            .allow_hyphen_values(true)
            .help(help)
    };
    Command::new("materialize")
        .about("Make the content of a resource by running its action")
        .arg(query())
        .arg(
            path("cache")
                .required(true)
                .help("Where the content is kept"),
        )
        .arg(
            Arg::new("revision")
                .long("revision")
                .value_name("digest")
                .required(true)
                .help("Revision of the route that asks for it"),
        )
        .arg(
            path("workspace")
                .default_value(".")
                .help("Where the action runs"),
        )
        .arg(
            Arg::new("input")
                .long("input")
                .value_name("json|@file")
                .allow_hyphen_values(true)
                .help("What the action is asked"),
        )
        .arg(limit("timeout-ms", "How long it may take"))
        .arg(limit("max-output-bytes", "How much it may print"))
        .arg(limit("max-error-bytes", "How much it may print as errors"))
}

pub(super) fn run(matches: &ArgMatches, context: &Context) -> Result<Answer, Failure> {
    match matches.subcommand() {
        Some(("materialize", matches)) => materialize(matches, context),
        Some((_, matches)) => locate(matches, context),
        None => Err(Failure::unexpected("no command was given")),
    }
}

fn locate(matches: &ArgMatches, context: &Context) -> Result<Answer, Failure> {
    let query = matches
        .get_one::<String>("query")
        .map_or("", String::as_str);
    let location = context.installed()?.locate_resource(query)?;
    let human = Lines::new()
        .label("Resource", location.id())
        .label("Kind", location.kind());
    let human = match &location {
        ResourceLocation::File(file) => human.label("File", &file.file_path),
        _ => human.line("Its content is made on demand, for the revision of a route."),
    };
    Answer::of(&location, human)
}

/// A limit, if it is given: a positive integer.
fn limit(matches: &ArgMatches, name: &str) -> Result<Option<u64>, Failure> {
    let Some(text) = matches.get_one::<String>(name) else {
        return Ok(None);
    };
    match text.parse() {
        Ok(number) if number > 0 => Ok(Some(number)),
        _ => {
            let message = format!("--{name} has to be a positive integer, not `{text}`");
            Err(Failure::new(Code::OptionInvalid, message))
        }
    }
}

#[cfg(unix)]
fn materialize(matches: &ArgMatches, context: &Context) -> Result<Answer, Failure> {
    use agent_graph_runtime::materialize::Materialization;
    let text = |name: &str| matches.get_one::<String>(name).map_or("", String::as_str);
    let path = |name: &str| {
        matches
            .get_one::<PathBuf>(name)
            .cloned()
            .unwrap_or_default()
    };
    let mut how = Materialization::new(path("cache"), path("workspace"), text("revision"));
    if let Some(timeout) = limit(matches, "timeout-ms")? {
        how = how.timeout(Duration::from_millis(timeout));
    }
    if let Some(bytes) = limit(matches, "max-output-bytes")? {
        how = how.max_output_bytes(bytes);
    }
    if let Some(bytes) = limit(matches, "max-error-bytes")? {
        how = how.max_error_bytes(bytes);
    }
    if let Some(input) = matches.get_one::<String>("input") {
        how = how.input(super::json_argument::value(input)?);
    }
    let installed = context.installed()?;
    context.at(&format!("making {}", text("query")));
    let made = installed.materialize(text("query"), &how)?;
    let human = Lines::new()
        .label("Resource", &made.id)
        .label("File", made.file_path.display());
    Answer::of(&made, human)
}

#[cfg(not(unix))]
fn materialize(_: &ArgMatches, _: &Context) -> Result<Answer, Failure> {
    let message = "actions are run on Unix only";
    Err(Failure::new(Code::FeatureRequired, message))
}
