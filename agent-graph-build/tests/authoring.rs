//! `init` and `import` through the real binary: what they make works, and nothing is overwritten.
#![cfg(feature = "cli")]

mod data;

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use data::{Scratch, tree, workspace_tests};

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_agent-graph"))
        .current_dir(folder)
        .args(["--format", "json"])
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

#[track_caller]
fn result(folder: &Path, arguments: &[&str]) -> Value {
    let output = run(folder, arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        (output.status.code(), errors.as_str()),
        (Some(0), ""),
        "{arguments:?}"
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

#[track_caller]
fn refused(folder: &Path, arguments: &[&str], code: &str) {
    let before = tree(folder);
    let output = run(folder, arguments);
    let envelope: Value = serde_json::from_slice(&output.stderr).unwrap();
    assert_eq!(envelope["error"]["code"], code, "{arguments:?}");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(tree(folder), before, "{arguments:?}");
}

/// A new provider in a folder of its own.
fn new_provider() -> Scratch {
    let scratch = Scratch::new();
    result(&scratch.root(), &["init", "--id", "Shop: Release"]);
    scratch
}

#[test]
fn a_new_provider_is_valid_tested_bound_and_buildable() {
    let scratch = Scratch::new();
    let folder = scratch.root();
    let created = result(&folder, &["init", "deep/new", "--id", "Shop: Release"]);
    let manifest = folder.join("deep/new/provider.yaml");
    assert_eq!(
        created,
        json!({"state": "created", "manifest": manifest.to_str().unwrap()})
    );
    let folder = folder.join("deep/new");
    let valid = result(&folder, &["validate"]);
    assert_eq!(valid["provider"]["id"], "shop-release");
    assert_eq!(valid["provider"]["version"], "0.1.0");
    assert_eq!(result(&folder, &["test"])["state"], "passed");
    let route = result(&folder, &["--skill", "skills/main/SKILL.md", "route"]);
    assert_eq!(route["reasonCode"], "route.main.work");
    result(&folder, &["build"]);
}

#[test]
fn a_new_provider_overwrites_nothing() {
    for path in ["provider.yaml", "tests/main.yaml", "codes.yaml"] {
        let scratch = Scratch::new();
        scratch.write(path, "mine");
        refused(
            &scratch.root(),
            &["init", "--id", "a"],
            "provider-target-exists",
        );
    }
    let scratch = Scratch::new();
    refused(&scratch.root(), &["init", "--id", "..."], "id-invalid");
}

#[test]
fn a_new_host_compiles_and_runs_its_workflow_and_its_tests() {
    let scratch = Scratch::new();
    let folder = scratch.root();
    let created = result(&folder, &["init", "--id", "2.shop", "--host"]);
    let manifest = folder.join("workflow/provider.yaml");
    assert_eq!(created["manifest"], manifest.to_str().unwrap());
    // The versions that the workspace uses, so that nothing has to be fetched.
    std::fs::copy(
        workspace_tests().join("../Cargo.lock"),
        folder.join("Cargo.lock"),
    )
    .unwrap();
    let cargo = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO"))
            .current_dir(&folder)
            .args(arguments)
            .args(["--offline", "--quiet"])
            .env(
                "CARGO_TARGET_DIR",
                concat!(env!("CARGO_TARGET_TMPDIR"), "/new-host"),
            )
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{errors}");
        assert_eq!(errors, "");
        String::from_utf8(output.stdout).unwrap()
    };
    let printed = cargo(&["run"]);
    assert_eq!(printed, "Do the work (route.main.work)\ncompleted\n");
    let tested = cargo(&["test", "--test", "workflow"]);
    assert!(tested.contains("2 passed"), "{tested}");
}

#[test]
fn a_skill_is_imported_with_its_folder_and_bound() {
    let scratch = new_provider();
    let folder = scratch.root();
    scratch.write("from/My Skill/deep/notes.txt", "notes\r\n");
    let skill = "---\r\nname: My Skill\r\ndescription: does it\r\n---\r\n# Body\r\n---\r\nmore";
    scratch.write("from/My Skill/SKILL.md", skill);
    let arguments = ["import", "skill", "from/My Skill/SKILL.md", "--into", "."];
    let imported = result(&folder, &arguments);
    let graph = folder.join("graphs/my-skill.yaml");
    assert_eq!(
        imported,
        json!({"state": "imported", "kind": "skill", "graph": graph.to_str().unwrap()})
    );
    let files = tree(&folder);
    assert_eq!(files["skills/my-skill/deep/notes.txt"], b"notes\r\n");
    let skill = String::from_utf8(files["skills/my-skill/SKILL.md"].clone()).unwrap();
    assert!(skill.ends_with("---\n# Body\r\n---\r\nmore"), "{skill}");
    let route = result(&folder, &["--skill", "skills/my-skill/SKILL.md", "route"]);
    assert_eq!(route["action"]["id"], "skill.my-skill");
    assert_eq!(route["hint"], "The skill has not been used yet.");
    refused(&folder, &arguments, "import-target-exists");
    let report = String::from_utf8(files["IMPORT_REPORT.md"].clone()).unwrap();
    assert!(report.contains("## my-skill: skill\n"), "{report}");
    assert!(
        report.contains("- `skills/my-skill/SKILL.md`\n"),
        "{report}"
    );
}

#[test]
fn scripts_are_imported_to_run_one_after_the_other() {
    let scratch = new_provider();
    let folder = scratch.root();
    scratch.write("a/run.mjs", "1");
    scratch.write("b/run.mjs", "2");
    scratch.write("c.PY", "3");
    scratch.write("d", "4");
    let files = ["a/run.mjs", "b/run.mjs", "c.PY", "d"];
    let mut arguments = vec!["import", "scripts"];
    arguments.extend(files);
    arguments.extend(["--into", ".", "--graph", "../Nightly"]);
    result(&folder, &arguments);
    let inspection = result(&folder, &["inspect", "provider"]);
    assert_eq!(inspection["graphs"][1]["path"], "graphs/nightly.yaml");
    let plan = |outcomes: Value| {
        let route = ["route", "nightly", "--outcomes", &outcomes.to_string()].map(str::to_owned);
        let route: Vec<&str> = route.iter().map(String::as_str).collect();
        let command = result(&folder, &route)["commandPlan"][0]["command"].clone();
        command
            .as_str()
            .unwrap()
            .replace(folder.to_str().unwrap(), "")
    };
    assert_eq!(plan(json!({})), "node '/scripts/nightly/01-run.mjs'");
    let one = json!({"nightly/step-1": "completed"});
    assert_eq!(plan(one), "node '/scripts/nightly/02-run.mjs'");
    let two = json!({"nightly/step-1": "completed", "nightly/step-2": "completed"});
    assert_eq!(plan(two), "python3 '/scripts/nightly/03-c.PY'");
    refused(
        &folder,
        &["import", "scripts", "--into", "."],
        "import-empty",
    );
    refused(
        &folder,
        &["import", "scripts", "none", "--into", "."],
        "file-missing",
    );
}

const WORKFLOW: &str = "\
id: Nightly Build
steps:
  - { id: lint, command: just lint, effect: read }
  - { id: build, command: just build, description: Build it }
  - { id: Ship It, command: just ship, dependsOn: [lint, build], effect: external }
";

#[test]
fn a_workflow_is_imported_with_its_dependencies() {
    let scratch = new_provider();
    let folder = scratch.root();
    scratch.write("workflow.yaml", WORKFLOW);
    let arguments = ["import", "workflow", "workflow.yaml", "--into", "."];
    result(&folder, &arguments);
    let nodes = |outcomes: &[&str]| {
        let outcomes = outcomes.iter().map(|node| format!("nightly-build/{node}"));
        let outcomes: Value = outcomes.map(|key| (key, json!("completed"))).collect();
        let arguments = [
            "evaluate",
            "nightly-build",
            "--outcomes",
            &outcomes.to_string(),
        ];
        let arguments = arguments.map(str::to_owned);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let evaluation = result(&folder, &arguments);
        let routes = evaluation["alternativeRoutes"].as_array().unwrap().iter();
        let routes = std::iter::once(&evaluation["primaryRoute"]).chain(routes);
        let nodes = routes.filter_map(|route| route["node"].as_str().map(str::to_owned));
        let mut nodes: Vec<String> = nodes.collect();
        nodes.sort();
        nodes.push(evaluation["statusCode"].as_str().unwrap().to_owned());
        nodes
    };
    assert_eq!(nodes(&[]), ["start", "actionable"]);
    assert_eq!(nodes(&["start"]), ["build", "lint", "actionable"]);
    assert_eq!(nodes(&["start", "lint"]), ["build", "actionable"]);
    assert_eq!(
        nodes(&["start", "lint", "build"]),
        ["ship-it", "actionable"]
    );
    assert_eq!(nodes(&["start", "lint", "build", "ship-it"]), ["complete"]);
    let codes = result(&folder, &["code", "list"]);
    let codes: Vec<&str> = codes["codes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|code| code["code"].as_str().unwrap())
        .collect();
    let mut sorted = codes.clone();
    sorted.sort();
    assert_eq!(codes, sorted);
    assert!(codes.contains(&"route.nightly-build.ship-it"));
    refused(&folder, &arguments, "import-target-exists");
}

#[test]
fn an_import_that_leads_to_an_invalid_provider_is_taken_back() {
    let scratch = new_provider();
    let folder = scratch.root();
    // The id of the graph becomes part of a reason code that is a diagnostic in the catalog.
    let codes = std::fs::read_to_string(folder.join("codes.yaml")).unwrap();
    let entry = "  - { code: route.w.start, kind: diagnostic, summary: taken }\n";
    scratch.write("codes.yaml", format!("{codes}{entry}"));
    scratch.write("workflow.yaml", "steps: [ { id: a, command: b } ]\n");
    let arguments = [
        "import",
        "workflow",
        "workflow.yaml",
        "--into",
        ".",
        "--graph",
        "w",
    ];
    refused(&folder, &arguments, "route-reason-code-kind-invalid");
    scratch.write("scripts/w", "a file where a folder has to be");
    scratch.write("run.sh", "true");
    let arguments = ["import", "scripts", "run.sh", "--into", ".", "--graph", "w"];
    refused(&folder, &arguments, "file-write-failed");
}

#[test]
fn what_is_no_workflow_is_refused_before_anything_is_written() {
    let scratch = new_provider();
    let folder = scratch.root();
    for (workflow, code) in [
        ("[]", "workflow-invalid"),
        ("steps: []", "workflow-invalid"),
        (
            "steps: [ { id: a, command: b, needs: [c] } ]",
            "workflow-invalid",
        ),
        ("steps: [ { id: '!', command: b } ]", "workflow-invalid"),
        (
            "steps: [ { id: a, command: b, dependsOn: [a] } ]",
            "workflow-cycle",
        ),
        (
            "steps: [ { id: a, command: b, dependsOn: [x] } ]",
            "workflow-dependency-missing",
        ),
        (
            "steps: [ { id: Done, command: b } ]",
            "workflow-step-id-reserved",
        ),
        ("id: '!'\nsteps: [ { id: a, command: b } ]", "id-invalid"),
        (
            "id: 5\nsteps: [ { id: a, command: b } ]",
            "workflow-invalid",
        ),
    ] {
        scratch.write("w.yaml", workflow);
        refused(
            &folder,
            &["import", "workflow", "w.yaml", "--into", "."],
            code,
        );
    }
}
