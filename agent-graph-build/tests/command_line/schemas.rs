//! What commands print as JSON is what the files in `schemas/` say: judged by a validator that is not ours, for every
//! command that any test of this suite runs.

use std::collections::BTreeSet;

use agent_graph_build::cli::{self, OUTPUTS};
use jsonschema::{Draft, Validator};

use crate::*;

/// Holds what the program printed against the schema of its command, or of errors.
#[track_caller]
pub(crate) fn hold(arguments: &[&str], output: &Output) {
    let words = ["agent-graph"].iter().chain(arguments);
    let Ok(matches) = cli::command().try_get_matches_from(words) else {
        return;
    };
    if matches.get_one::<String>("format").map(String::as_str) != Some("json") {
        return;
    }
    if !output.stdout.is_empty() {
        let command = named(&matches);
        let known = OUTPUTS.iter().find(|it| it.command == command);
        let known = known.unwrap_or_else(|| panic!("nobody knows what `{command}` prints"));
        fits_schema(known.identity, &one_line(text(&output.stdout)));
    }
    if text(&output.stderr).starts_with('{') {
        fits_schema("agent-graph.error.v1", &one_line(text(&output.stderr)));
    }
}

/// The words of the command that was given.
fn named(matches: &clap::ArgMatches) -> String {
    let mut words = Vec::new();
    let mut matches = matches;
    while let Some((word, below)) = matches.subcommand() {
        words.push(word);
        matches = below;
    }
    words.join(" ")
}

#[track_caller]
pub(crate) fn fits_schema(identity: &str, value: &Value) {
    let errors: Vec<String> = validator(identity)
        .iter_errors(value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{identity}: {errors:#?}\n{value:#}");
}

fn validator(identity: &str) -> Validator {
    let file = workspace_tests().join(format!("../schemas/{identity}.schema.json"));
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file:?}: {error}"));
    jsonschema::options()
        .with_draft(Draft::Draft202012)
        .offline()
        .build(&serde_json::from_str(&text).unwrap())
        .unwrap()
}

/// Every command without commands below it.
fn commands() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut left: Vec<(String, clap::Command)> = cli::command()
        .get_subcommands()
        .map(|command| (command.get_name().to_owned(), command.clone()))
        .collect();
    while let Some((name, command)) = left.pop() {
        let below = command.get_subcommands();
        left.extend(below.map(|below| (format!("{name} {}", below.get_name()), below.clone())));
        if !command.has_subcommands() {
            found.insert(name);
        }
    }
    found
}

#[test]
fn what_every_command_prints_has_a_schema() {
    let known: BTreeSet<String> = OUTPUTS.iter().map(|it| it.command.to_owned()).collect();
    assert_eq!(commands(), known);
    for output in OUTPUTS {
        validator(output.identity);
    }
}

#[test]
fn schemas_refuse_what_no_command_prints() {
    for output in OUTPUTS {
        let validator = validator(output.identity);
        for other in [
            serde_json::json!({"unknown": 1}),
            serde_json::json!([]),
            Value::Null,
        ] {
            assert!(!validator.is_valid(&other), "{}: {other}", output.identity);
        }
    }
}

#[test]
fn a_schema_is_shown_as_it_is_kept() {
    let folder = example("release-gate");
    for name in ["route", "output.lint", "inspect"] {
        let shown = play(&folder, &["schema", "show", name]);
        let path = result(&folder, &["schema", "path", name])["path"].clone();
        let kept = std::fs::read_to_string(path.as_str().unwrap()).unwrap();
        assert_eq!(text(&shown.stdout), kept);
        let value = result(&folder, &["schema", "show", name])["schema"].clone();
        assert_eq!(value, serde_json::from_str::<Value>(&kept).unwrap());
    }
    let unknown = error(&folder, &["schema", "show", "outptu.lint"]);
    assert_eq!(unknown["code"], "schema-type-unknown");
    assert_eq!(
        unknown["message"],
        "there is no schema `outptu.lint`; did you mean `output.lint`?"
    );
}
