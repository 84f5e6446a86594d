//! `schema`: the JSON Schemas of the protocol's objects.

use std::path::{Path, PathBuf};

use agent_graph_runtime::json::Value;
use agent_graph_runtime::load::shape::{OBJECTS, json_schema};
use agent_graph_runtime::{Code, durable};
use clap::{Arg, ArgMatches, Command, value_parser};

use super::answer::{Answer, Lines, object};
use super::context::{Context, absolute};
use super::failure::Failure;

pub(super) fn command() -> Command {
    let name = || {
        Arg::new("name")
            .required(true)
            .help("Name of the object, see `schema list`")
    };
    Command::new("schema")
        .about("JSON Schemas of the objects of the protocol")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .subcommand(Command::new("list").about("List the names of the schemas"))
        .subcommand(
            Command::new("path")
                .about("Say where the file of a schema is")
                .arg(name()),
        )
        .subcommand(
            Command::new("extract")
                .about("Write a schema to a file")
                .arg(name())
                .arg(
                    Arg::new("output")
                        .long("output")
                        .value_name("file")
                        .required(true)
                        .value_parser(value_parser!(PathBuf))
                        .help("The file to write"),
                ),
        )
}

pub(super) fn run(matches: &ArgMatches, _: &Context) -> Result<Answer, Failure> {
    match matches.subcommand() {
        Some(("path", matches)) => path(matches),
        Some(("extract", matches)) => extract(matches),
        _ => list(),
    }
}

/// Names and identities, sorted by name.
fn names() -> Vec<(String, &'static str)> {
    let names = OBJECTS
        .iter()
        .map(|(identity, _)| (name_of(identity), *identity));
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

/// The short name of an object: its identity without the words that all have.
fn name_of(identity: &str) -> String {
    let name = identity.strip_prefix("agent-graph.").unwrap_or(identity);
    match name.strip_suffix(".v1").unwrap_or(name) {
        "test" => "test-case".to_owned(),
        name => name.to_owned(),
    }
}

fn list() -> Result<Answer, Failure> {
    let names: Vec<String> = names().into_iter().map(|(name, _)| name).collect();
    let root = absolute(&root())?;
    let mut human = Lines::new();
    for name in &names {
        human = human.line(name);
    }
    let names = names.into_iter().map(Value::from).collect();
    let json = object([
        ("root", root.as_str().into()),
        ("schemas", Value::Array(names)),
    ]);
    Ok(Answer::new(json, human))
}

/// The name and the identity that the arguments name.
fn named(matches: &ArgMatches) -> Result<(String, &'static str), Failure> {
    let wanted = matches.get_one::<String>("name").map_or("", String::as_str);
    let found = names().into_iter().find(|(name, _)| name == wanted);
    found.ok_or_else(|| {
        let message = format!("there is no schema `{wanted}`");
        Failure::new(Code::SchemaTypeUnknown, message)
    })
}

fn path(matches: &ArgMatches) -> Result<Answer, Failure> {
    let (name, identity) = named(matches)?;
    let path = root().join(file_name(identity));
    if !path.is_file() {
        let message = format!("the schema is not at {}: extract it", path.display());
        return Err(Failure::new(Code::FileMissing, message));
    }
    answer(name, &path)
}

fn extract(matches: &ArgMatches) -> Result<Answer, Failure> {
    let (name, identity) = named(matches)?;
    let output = matches
        .get_one::<PathBuf>("output")
        .cloned()
        .unwrap_or_default();
    // Every object has a schema.
    let text = json_schema(identity).unwrap_or_default();
    let written = durable::create_folders(durable::folder(&output))
        .and_then(|()| durable::replace(&output, text.as_bytes()));
    written.map_err(|error| {
        let message = format!("{} cannot be written: {error}", output.display());
        Failure::new(Code::FileWriteFailed, message)
    })?;
    answer(name, &output)
}

fn answer(name: String, path: &Path) -> Result<Answer, Failure> {
    let path = absolute(path)?;
    let json = object([("name", name.into()), ("path", path.as_str().into())]);
    Ok(Answer::new(json, Lines::new().line(path)))
}

fn file_name(identity: &str) -> String {
    format!("{identity}.schema.json")
}

/// Where the files are: installed with the program, or in the package it was built from.
fn root() -> PathBuf {
    let program = std::env::current_exe().ok();
    let folder = program.as_deref().and_then(Path::parent);
    let installed = folder.map(|folder| folder.join("../share/agent-graph/schemas"));
    match installed {
        Some(installed) if installed.is_dir() => installed,
        _ => Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_those_of_the_protocol() {
        let names: Vec<String> = names().into_iter().map(|(name, _)| name).collect();
        assert_eq!(
            names,
            [
                "action",
                "bundle",
                "code-catalog",
                "code-location",
                "error",
                "evaluation",
                "graph",
                "host-action-result",
                "provider",
                "resource",
                "resource-location",
                "resource-location.file",
                "resource-location.graph-action",
                "resource-location.host-action",
                "resource-read-receipts",
                "resource.file",
                "resource.graph-action",
                "resource.host-action",
                "route",
                "run",
                "skill-binding",
                "test-case",
            ]
        );
    }

    #[test]
    fn every_schema_lies_in_the_package() {
        for (_, identity) in names() {
            let path = Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("schemas")
                .join(file_name(identity));
            let text = std::fs::read_to_string(path).unwrap();
            assert_eq!(Some(text), json_schema(identity));
        }
    }
}
