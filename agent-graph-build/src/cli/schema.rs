//! `schema`: the JSON Schemas of the protocol's objects, and of what commands print.

use std::path::{Path, PathBuf};

use agent_graph_runtime::json::Value;
use agent_graph_runtime::load::shape::OBJECTS;
use agent_graph_runtime::nearest::nearest;
use agent_graph_runtime::{Code, durable};
use clap::{Arg, ArgMatches, Command, value_parser};

use super::answer::{Answer, Lines, object};
use super::context::{Context, absolute};
use super::failure::Failure;
use super::output;

pub(super) fn command() -> Command {
    let name = || {
        Arg::new("name")
            .required(true)
            .help("Name of the object, see `schema list`")
    };
    Command::new("schema")
        .about("JSON Schemas of the objects of the protocol, and of what commands print")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .subcommand(Command::new("list").about("List the names of the schemas"))
        .subcommand(Command::new("show").about("Print a schema").arg(name()))
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
        Some(("show", matches)) => show(matches),
        Some(("path", matches)) => path(matches),
        Some(("extract", matches)) => extract(matches),
        _ => list(),
    }
}

/// Names and identities, sorted by name.
fn names() -> Vec<(String, &'static str)> {
    let objects = OBJECTS.iter().chain(output::OBJECTS);
    let names = objects.map(|(identity, _)| (name_of(identity), *identity));
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
    let names = names();
    let known = names.iter().map(|(name, _)| name.as_str());
    let meant = nearest(wanted, known).map(str::to_owned);
    let found = names.into_iter().find(|(name, _)| name == wanted);
    found.ok_or_else(|| {
        let message = match meant {
            Some(meant) => format!("there is no schema `{wanted}`; did you mean `{meant}`?"),
            None => format!("there is no schema `{wanted}`"),
        };
        Failure::new(Code::SchemaTypeUnknown, message)
    })
}

fn show(matches: &ArgMatches) -> Result<Answer, Failure> {
    let (name, identity) = named(matches)?;
    let text = schema(identity);
    let json = object([("name", name.into()), ("schema", Value::from_json(&text)?)]);
    Ok(Answer::new(json, Lines::new().verbatim(text)))
}

/// Every object has a schema.
fn schema(identity: &str) -> String {
    output::schema(identity).unwrap_or_default()
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
    let text = schema(identity);
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
    fn names_are_those_of_the_protocol_and_of_what_commands_print() {
        let names: Vec<String> = names().into_iter().map(|(name, _)| name).collect();
        let protocol = [
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
        ];
        for name in protocol {
            assert!(names.iter().any(|known| known == name), "{name}");
        }
        let own = names
            .iter()
            .filter(|name| !protocol.contains(&name.as_str()));
        for name in own {
            assert!(name == "inspect" || name.starts_with("output."), "{name}");
        }
        assert!(names.is_sorted());
    }

    /// Set `AGENT_GRAPH_BLESS=1` to write the files of what commands print instead.
    #[test]
    fn every_schema_lies_in_the_package() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas");
        if std::env::var_os("AGENT_GRAPH_BLESS").is_some() {
            for (identity, _) in output::OBJECTS {
                std::fs::write(folder.join(file_name(identity)), schema(identity)).unwrap();
            }
        }
        let names = names();
        for (_, identity) in &names {
            let text = std::fs::read_to_string(folder.join(file_name(identity)));
            assert_eq!(text.unwrap_or_default(), schema(identity), "{identity}");
        }
        let files = std::fs::read_dir(folder).unwrap().count();
        assert_eq!(files, names.len(), "a file in schemas/ belongs to nothing");
    }
}
