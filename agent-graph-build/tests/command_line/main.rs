//! The real binary: every command with its streams and its exit status, a module for each kind of command. Recorded
//! mistakes on the command line are judged by the suite `conformance`.
#![cfg(feature = "cli")]

#[path = "../data/mod.rs"]
mod data;

mod check;
mod evaluate;
mod inspect;
mod package;
mod pi;
mod pi_endings;
mod pi_run;
mod pi_stage;
mod resource;
mod run;
mod schemas;
mod streams;
mod table;
mod terminal;

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use data::{Scratch, data, folders, json, name, workspace_tests};

/// The program, without anything of the environment that could matter to it.
pub(crate) fn program(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agent-graph"));
    command
        .current_dir(folder)
        .args(arguments)
        .stdin(Stdio::null());
    command
}

/// Runs the program to its end. Whatever it prints as JSON is held against its schema.
#[track_caller]
pub(crate) fn play(folder: &Path, arguments: &[&str]) -> Output {
    let output = program(folder, arguments).output().unwrap();
    schemas::hold(arguments, &output);
    output
}

pub(crate) fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// The one line of JSON that a command prints when it succeeds.
#[track_caller]
pub(crate) fn result(folder: &Path, arguments: &[&str]) -> Value {
    let mut all = vec!["--format", "json"];
    all.extend(arguments);
    let output = play(folder, &all);
    assert_eq!(text(&output.stderr), "", "{arguments:?}");
    assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    one_line(text(&output.stdout))
}

/// The error that a command prints when it fails, a whole envelope.
#[track_caller]
pub(crate) fn error(folder: &Path, arguments: &[&str]) -> Value {
    let mut all = vec!["--format", "json"];
    all.extend(arguments);
    let output = play(folder, &all);
    assert_eq!(text(&output.stdout), "", "{arguments:?}");
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    let envelope = one_line(text(&output.stderr));
    fits("agent-graph.error.v1", &envelope);
    envelope["error"].clone()
}

#[track_caller]
pub(crate) fn one_line(text: &str) -> Value {
    assert_eq!(text.matches('\n').count(), 1, "{text}");
    assert!(text.ends_with('\n'), "{text}");
    serde_json::from_str(text).unwrap()
}

/// Holds a value against the schema of an object of the protocol.
#[track_caller]
pub(crate) fn fits(identity: &str, value: &Value) {
    use agent_graph_runtime::load::shape::{check_json, shape_of};
    let findings = check_json(shape_of(identity).unwrap(), "output", &value.to_string());
    assert!(findings.is_empty(), "{findings:#?}\n{value}");
}

pub(crate) fn example(name: &str) -> std::path::PathBuf {
    workspace_tests().join("examples").join(name)
}
