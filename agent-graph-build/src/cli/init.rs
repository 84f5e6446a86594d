//! `init`: a provider to begin with, and on request the host that goes with it.

use std::path::{Path, PathBuf};

use agent_graph_runtime::json::Value;
use agent_graph_runtime::{Code, Installed, paths};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use super::answer::{Answer, Lines, object, word};
use super::changes::Changes;
use super::context::{Context, absolute};
use super::failure::Failure;
use super::slug::slug;
use crate::{graph_test, yaml};

/// Where the provider of a new host is, relative to the package.
const WORKFLOW: &str = "workflow";

pub(super) fn command() -> Command {
    Command::new("init")
        .about("Make a provider to begin with: a graph, an action, a skill, a test")
        .arg(
            Arg::new("directory")
                .default_value(".")
                .value_parser(value_parser!(PathBuf))
                .help("Folder of the provider, or of the host"),
        )
        .arg(
            Arg::new("id")
                .long("id")
                .value_name("id")
                .required(true)
                .help("Id of the provider"),
        )
        .arg(
            Arg::new("host")
                .long("host")
                .action(ArgAction::SetTrue)
                .help("Make a Rust program around it, which compiles the provider in"),
        )
        .arg(
            Arg::new("crates")
                .long("crates")
                .value_name("folder")
                .requires("host")
                .value_parser(value_parser!(PathBuf))
                .help(
                    "Where the packages agent-graph-* are; by default where this program was built",
                ),
        )
}

pub(super) fn run(matches: &ArgMatches, context: &Context) -> Result<Answer, Failure> {
    let path = |name: &str| matches.get_one::<PathBuf>(name).cloned();
    let asked = path("directory").unwrap_or_default();
    let directory =
        paths::absolute(&asked).map_err(|error| Failure::unexpected(error.to_string()))?;
    let wanted = matches.get_one::<String>("id").map_or("", String::as_str);
    let id = slug(wanted)?;
    let host = matches.get_flag("host");
    let mut changes = Changes::in_folder(&directory);
    let root = if host { WORKFLOW } else { "" };
    for (path, text) in provider_files(&id) {
        changes.create(Path::new(root).join(path), text);
    }
    if host {
        let crates = path("crates");
        let crates = crates.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
        for (path, text) in host_files(&id, &absolute(&crates)?) {
            changes.create(path, text);
        }
    }
    let manifest = directory.join(root).join("provider.yaml");
    changes.write(Code::ProviderTargetExists, &mut context.watch(), || {
        works(&manifest)
    })?;
    let manifest = absolute(&manifest)?;
    let json = object([
        ("state", "created".into()),
        ("manifest", manifest.as_str().into()),
    ]);
    let other = Some(&id).filter(|id| *id != wanted);
    let human = Lines::new()
        .label("Created", manifest)
        .maybe("Id", other)
        .label("Next", next(&asked, host));
    Ok(Answer::new(json, human))
}

/// What to do with the new files.
fn next(directory: &Path, host: bool) -> String {
    let there = match directory.as_os_str() == "." {
        true => String::new(),
        false => format!("cd {}, ", word(directory)),
    };
    let (graph, commands) = match host {
        true => ("workflow/graphs/main.yaml", "cargo run, cargo test"),
        false => ("graphs/main.yaml", "agent-graph validate, agent-graph test"),
    };
    format!("{there}edit {graph}, then {commands}")
}

/// Whether what was written loads, and its test passes.
fn works(manifest: &Path) -> Result<(), Failure> {
    let provider = Installed::load(manifest)?;
    let results = graph_test::run(&provider, provider.root().join("tests"))?;
    match results.iter().all(|result| result.passed) {
        true => Ok(()),
        false => Err(Failure::unexpected("the new provider fails its own test")),
    }
}

fn yaml(text: &str) -> Result<String, agent_graph_runtime::Error> {
    let value = Value::from_json(text)?;
    Ok(value.as_object().map(yaml::print).unwrap_or_default())
}

/// The files of a provider.
fn provider_files(id: &str) -> [(&'static str, String); 7] {
    let manifest = format!(
        r#"{{"schema":"agent-graph.provider.v1","id":"{id}","version":"0.1.0",
            "graphs":["graphs/main.yaml"],"catalogs":{{"codes":"codes.yaml"}},
            "compatibility":{{"agentGraph":"^0.3.0"}}}}"#
    );
    [
        // An id needs no escapes, so this is JSON.
        ("provider.yaml", yaml(&manifest).unwrap_or_default()),
        ("graphs/main.yaml", GRAPH.to_owned()),
        ("actions/work.yaml", ACTION.to_owned()),
        ("skills/main/SKILL.md", SKILL.to_owned()),
        ("resources/work.md", PROCEDURE.to_owned()),
        ("codes.yaml", CODES.to_owned()),
        ("tests/main.yaml", TEST.to_owned()),
    ]
}

const GRAPH: &str = "\
schema: agent-graph.graph.v1
id: main
description: Work until it is done.
entrypoints:
  default: work
nodes:
  - id: work
    kind: action
    description: Do the work
    reasonCode: route.main.work
    action: actions/work.yaml
    resources:
      required:
        - resources/work.md
  - id: done
    kind: terminal
    terminalOutcome: completed
edges:
  - from: work
    to: done
";

const ACTION: &str = "\
schema: agent-graph.action.v1
id: work
description: An agent does the work.
runner: agent
effect: write
skill: skills/main/SKILL.md
";

const SKILL: &str = "\
---
name: main
description: Start or continue the work.
metadata:
  agent-graph: path:../../provider.yaml
  agent-graph.graph: main
  agent-graph.entry: default
---

# Work

Evaluate the graph, read what its route requires, do it, record the outcome, evaluate again.
";

const PROCEDURE: &str = "\
---
id: procedure.work
kind: procedure
---

# How the work is done

Say here what has to be done, and how one sees that it is done.
";

const CODES: &str = "\
schema: agent-graph.code-catalog.v1
codes:
  - code: route.main.work
    kind: route-reason
    summary: The work is not done yet.
    document: resources/work.md
";

const TEST: &str = "\
schema: agent-graph.test.v1
name: the work comes first
graph: main
entry: default
expect:
  statusCode: actionable
  primaryNode: work
  primaryReasonCode: route.main.work
  requiredResources:
    - skill.main
    - procedure.work
  recordNode: main/work
";

/// The files of a host, beside the folder of its provider.
fn host_files(id: &str, crates: &str) -> [(&'static str, String); 4] {
    let name: String = id
        .chars()
        .map(|character| if character == '.' { '-' } else { character })
        .collect();
    // A name of a package does not begin with a digit.
    let name = match name.starts_with(|first: char| first.is_ascii_digit()) {
        true => format!("host-{name}"),
        false => name,
    };
    let path = |package: &str| Value::from(format!("{crates}/{package}")).to_string();
    let manifest = format!(
        "[package]\nname = \"{name}-host\"\nversion = \"0.1.0\"\nedition = \"2024\"\npublish = false\n\n\
         [dependencies]\nagent-graph-macros = {{ path = {} }}\nagent-graph-runtime = {{ path = {} }}\n\n\
         [dev-dependencies]\nagent-graph-build = {{ path = {}, default-features = false, features = [\"graph-tests\"] }}\n\n\
         [workspace]\n",
        path("agent-graph-macros"),
        path("agent-graph-runtime"),
        path("agent-graph-build"),
    );
    [
        ("Cargo.toml", manifest),
        ("src/main.rs", MAIN.to_owned()),
        ("tests/workflow.rs", HOST_TESTS.to_owned()),
        (".gitignore", "/target\n".to_owned()),
    ]
}

const MAIN: &str = r#"//! Goes through the workflow: evaluate, take the step, record its outcome, evaluate again.

use std::process::ExitCode;

use agent_graph_runtime::{Outcome, Progress, State};

agent_graph_macros::include_provider! {
    /// The workflow, checked while this program is compiled.
    pub mod workflow = "workflow/provider.yaml";
}

use workflow::graphs::main::{Entry, Step};

fn main() -> ExitCode {
    let mut state = State::new();
    loop {
        // What is known about the world goes into the facts: state.set_facts(Facts::from_serialize(&…)?).
        let evaluation = Entry::Default.evaluate(&state);
        match evaluation.progress() {
            Progress::Actionable(route) => {
                println!("{} ({})", route.label(), route.reason_code());
                let outcome = take(route.step());
                state.record(&route, outcome);
            }
            Progress::WaitingUser(route) => {
                println!("a person has to decide: {}", route.label());
                return ExitCode::SUCCESS;
            }
            Progress::Complete(outcome) => {
                println!("{outcome}");
                return ExitCode::SUCCESS;
            }
            Progress::Blocked | Progress::Error => {
                for diagnostic in evaluation.diagnostics() {
                    eprintln!("{}: {}", diagnostic.code, diagnostic.message);
                }
                return ExitCode::FAILURE;
            }
        }
    }
}

/// Takes a step. A node that is added to the graph does not compile until this says what to do about it.
fn take(step: Step) -> Outcome {
    match step {
        Step::Work => Outcome::Completed,
    }
}
"#;

const HOST_TESTS: &str = "\
//! Each graph test of the workflow is a test of the host.

agent_graph_macros::graph_tests!(\"workflow/provider.yaml\", \"workflow/tests\");
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_names_the_provider() {
        let files = provider_files("a.b");
        assert!(
            files[0]
                .1
                .starts_with("schema: agent-graph.provider.v1\nid: a.b\nversion: 0.1.0\n")
        );
    }
}
