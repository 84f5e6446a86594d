//! The real binary: every command with its streams and its exit status.
#![cfg(feature = "cli")]

mod data;

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use data::{Scratch, data, folders, json, name, workspace_tests};

/// The program, without anything of the environment that could matter to it.
fn program(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agent-graph"));
    command
        .current_dir(folder)
        .args(arguments)
        .stdin(Stdio::null());
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    program(folder, arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// The one line of JSON that a command prints when it succeeds.
#[track_caller]
fn result(folder: &Path, arguments: &[&str]) -> Value {
    let mut all = vec!["--format", "json"];
    all.extend(arguments);
    let output = run(folder, &all);
    assert_eq!(text(&output.stderr), "", "{arguments:?}");
    assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    one_line(text(&output.stdout))
}

/// The error that a command prints when it fails, a whole envelope.
#[track_caller]
fn error(folder: &Path, arguments: &[&str]) -> Value {
    let mut all = vec!["--format", "json"];
    all.extend(arguments);
    let output = run(folder, &all);
    assert_eq!(text(&output.stdout), "", "{arguments:?}");
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    let envelope = one_line(text(&output.stderr));
    fits("agent-graph.error.v1", &envelope);
    envelope["error"].clone()
}

#[track_caller]
fn one_line(text: &str) -> Value {
    assert_eq!(text.matches('\n').count(), 1, "{text}");
    assert!(text.ends_with('\n'), "{text}");
    serde_json::from_str(text).unwrap()
}

/// Holds a value against the schema of an object of the protocol.
#[track_caller]
fn fits(identity: &str, value: &Value) {
    use agent_graph_runtime::load::shape::{check_json, shape_of};
    let findings = check_json(shape_of(identity).unwrap(), "output", &value.to_string());
    assert!(findings.is_empty(), "{findings:#?}\n{value}");
}

fn example(name: &str) -> std::path::PathBuf {
    workspace_tests().join("examples").join(name)
}

#[test]
fn recorded_mistakes_on_the_command_line_have_the_recorded_code() {
    let mut failures = Vec::new();
    let mut count = 0;
    for folder in folders(&data().join("invalid")) {
        let expected = json(&folder.join("expect.json"));
        if expected["op"]["kind"] != "cli" {
            continue;
        }
        count += 1;
        let scratch = Scratch::of_mistake(&folder, &expected);
        let arguments = expected["op"]["args"].as_array().unwrap();
        let arguments: Vec<&str> = arguments.iter().map(|it| it.as_str().unwrap()).collect();
        let output = run(&scratch.root(), &arguments);
        let errors = text(&output.stderr);
        let code = match serde_json::from_str::<Value>(errors) {
            Ok(envelope) => {
                fits("agent-graph.error.v1", &envelope);
                envelope["error"]["code"].as_str().unwrap().to_owned()
            }
            Err(_) => {
                let rest = errors.strip_prefix("ERROR ").unwrap_or("no code");
                rest.split_whitespace()
                    .next()
                    .unwrap_or_default()
                    .to_owned()
            }
        };
        let right = expected["anyError"] == true || expected["code"] == code.as_str();
        if !right || output.status.code() != Some(1) || !output.stdout.is_empty() {
            let number = name(&folder);
            failures.push(format!("{number} {}: {errors}", expected["code"]));
        }
    }
    println!("{count} command lines, {} failures", failures.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn descriptions_of_recorded_providers_are_the_recorded_ones() {
    let mut failures = Vec::new();
    let mut count = 0;
    for folder in folders(&data().join("providers")) {
        let described = folder.join("describe.json");
        if !described.exists() {
            continue;
        }
        count += 1;
        let manifest = json(&folder.join("digests.json"));
        let manifest = manifest["manifest"].as_str().unwrap();
        let scratch = Scratch::with(&folder.join("provider"));
        let root = scratch.root();
        let ask = |arguments: &[&str]| {
            let mut all = vec!["-m", manifest];
            all.extend(arguments);
            let text = result(&root, &all).to_string();
            let text = text.replace(root.to_str().unwrap(), "<provider-root>");
            serde_json::from_str::<Value>(&text).unwrap()
        };
        let described = json(&described);
        let mut compare = |what: String, expected: &Value, found: Value| {
            if *expected != found {
                failures.push(format!("{}: {what}\n{expected}\n{found}", name(&folder)));
            }
        };
        let inspection = ask(&["inspect", "provider"]);
        compare("inspect".to_owned(), &described["inspect"], inspection);
        let resources = described["resources"].as_array().unwrap().iter();
        for resource in resources.take(3) {
            let query = resource["query"].as_str().unwrap();
            let location = ask(&["resource", "locate", query]);
            compare(format!("resource {query}"), &resource["location"], location);
        }
        let codes = described["codes"].as_array().unwrap().iter();
        for code in codes.take(2) {
            let query = code["code"].as_str().unwrap();
            let location = ask(&["code", "locate", query]);
            compare(format!("code {query}"), &code["location"], location);
        }
        let bindings = described["bindings"].as_array().unwrap().iter();
        for binding in bindings.take(1) {
            let skill = binding["skill"].as_str().unwrap();
            let found = ask(&["inspect", "skill", skill]);
            compare(
                format!("skill {skill}"),
                &binding["binding"],
                found["binding"].clone(),
            );
        }
    }
    println!("{count} described providers, {} failures", failures.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn validate_says_that_a_provider_is_valid_and_what_is_wrong_otherwise() {
    let folder = example("release-gate");
    let valid = result(&folder, &["validate"]);
    assert_eq!(valid["state"], "valid");
    assert_eq!(valid["schema"], "agent-graph.inspect.v1");
    let scratch = Scratch::new();
    scratch.write(
        "provider.yaml",
        "schema: agent-graph.provider.v1\nid: A\ngraph: []\n",
    );
    let error = error(&scratch.root(), &["validate"]);
    assert_eq!(error["code"], "schema-invalid");
    let diagnostics = error["diagnostics"].as_array().unwrap();
    assert!(diagnostics.len() > 1);
    for diagnostic in diagnostics {
        assert!(diagnostic["code"].as_str().unwrap().starts_with("schema."));
        let path = scratch.root().join("provider.yaml");
        assert_eq!(diagnostic["path"], path.to_str().unwrap());
        assert!(diagnostic["detail"]["line"].is_number());
    }
}

#[test]
fn errors_for_people_begin_with_the_code_and_show_the_lines_of_each_diagnostic() {
    let scratch = Scratch::new();
    scratch.write(
        "provider.yaml",
        "schema: agent-graph.provider.v1\nid: A\ngraph: []\n",
    );
    let output = run(&scratch.root(), &["validate"]);
    let errors = text(&output.stderr);
    assert!(errors.starts_with("ERROR schema-invalid "), "{errors}");
    assert!(errors.contains("\n --> provider.yaml:2:5\n"), "{errors}");
    assert!(errors.contains("\n2 | id: A\n"), "{errors}");
    assert!(!errors.contains('\x1b'), "{errors}");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stdout), "");
}

#[test]
fn usage_errors_are_plain_text_without_an_envelope() {
    let folder = example("release-gate");
    for arguments in [
        &["--format", "json", "nothing"][..],
        &["--format", "json", "evaluate", "--nothing"],
        &["--format", "json", "resource", "locate"],
        &["--format", "json", "init"],
        &[],
    ] {
        let output = run(&folder, arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert_eq!(text(&output.stdout), "", "{arguments:?}");
        assert!(!text(&output.stderr).starts_with('{'), "{arguments:?}");
        assert!(text(&output.stderr).contains("Usage"), "{arguments:?}");
    }
}

#[test]
fn help_and_version_are_results() {
    let folder = example("release-gate");
    for arguments in [
        &["--help"][..],
        &["-h"],
        &["run", "--help"],
        &["-V"],
        &["--version"],
    ] {
        let output = run(&folder, arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert_eq!(text(&output.stderr), "");
        assert!(!output.stdout.is_empty());
    }
}

#[test]
fn options_stand_before_or_after_the_command() {
    let folder = workspace_tests();
    let manifest = "examples/release-gate/provider.yaml";
    let before = run(
        &folder,
        &["-m", manifest, "--format", "json", "evaluate", "release"],
    );
    let after = run(
        &folder,
        &[
            "evaluate",
            "release",
            "--format",
            "json",
            "--manifest",
            manifest,
        ],
    );
    assert_eq!(before.status.code(), Some(0));
    assert_eq!(before.stdout, after.stdout);
}

#[test]
fn an_evaluation_that_is_blocked_or_an_error_is_a_result() {
    let folder = example("host-batch");
    let graph = result(&folder, &["inspect", "provider"])["graphs"][0]["id"].clone();
    let graph = graph.as_str().unwrap();
    let evaluation = result(&folder, &["evaluate", graph, "--entry", "nothing"]);
    fits("agent-graph.evaluation.v1", &evaluation);
    assert_eq!(evaluation["statusCode"], "error");
    let output = run(&folder, &["evaluate", graph, "--entry", "nothing"]);
    assert!(text(&output.stdout).starts_with("State: error\n"));
    assert!(text(&output.stdout).contains("entry-missing"));
}

#[test]
fn a_route_is_resolved_by_its_id_and_its_revision() {
    let folder = example("release-gate");
    let evaluation = result(&folder, &["evaluate", "release"]);
    let revision = evaluation["revision"].as_str().unwrap();
    let id = evaluation["primaryRoute"]["routeId"].as_str().unwrap();
    let route = result(&folder, &["route", "release", id, "--revision", revision]);
    fits("agent-graph.route.v1", &route);
    assert_eq!(route["routeId"], id);
    assert_eq!(route, result(&folder, &["route", "release"]));
    let here = std::fs::canonicalize(&folder).unwrap();
    let output = run(&here, &["route", "release"]);
    for label in [
        "Next: ",
        "Reason: ",
        "Command: ",
        "Working directory: ",
        "Required: ",
        "Recommended: ",
    ] {
        assert!(text(&output.stdout).contains(label), "{label}");
    }
    let stale = error(
        &folder,
        &["route", "release", "nonsense", "--revision", "nonsense"],
    );
    assert_eq!(stale["code"], "route-revision-stale");
    let stale = error(
        &folder,
        &["route", "release", "nonsense", "--revision", revision],
    );
    assert_eq!(stale["code"], "route-stale");
}

#[test]
fn receipts_make_resources_current() {
    let folder = example("release-gate");
    let route = result(&folder, &["route", "release"]);
    let resource = &route["resources"]["required"][0];
    let receipts = serde_json::json!({
        "schema": "agent-graph.resource-read-receipts.v1",
        "provider": "harbor/release",
        "receipts": [{ "id": resource["id"], "digest": resource["digest"] }],
    });
    let with = [
        "route",
        "release",
        "--resource-receipts",
        &receipts.to_string(),
    ]
    .map(str::to_owned);
    let with: Vec<&str> = with.iter().map(String::as_str).collect();
    let read = result(&folder, &with);
    assert_eq!(read["resources"]["required"][0]["readState"], "current");
    let wrong = error(&folder, &["route", "release", "--resource-receipts", "{}"]);
    assert_eq!(wrong["code"], "schema-invalid");
}

#[test]
fn a_run_is_started_changed_saved_and_resumed() {
    let scratch = Scratch::with(&example("release-gate"));
    let folder = scratch.root();
    let ask = |arguments: &[&str]| {
        let mut all = arguments.to_vec();
        all.extend(["--state", "runs/a.json"]);
        result(&folder, &all)
    };
    let run_file = ask(&[
        "run",
        "start",
        "release",
        "--facts",
        "{\"a\":1}",
        "--authority",
        "z",
        "a",
    ]);
    fits("agent-graph.run.v1", &run_file);
    assert_eq!(run_file["authorities"], serde_json::json!(["a", "z"]));
    assert_eq!(run_file["workspace"], folder.to_str().unwrap());
    let facts = ask(&["run", "facts", "--set", "{\"b\":2}"]);
    assert_eq!(facts["facts"], serde_json::json!({"a": 1, "b": 2}));
    let facts = ask(&["run", "facts", "--replace", "--set", "{\"c\":3}"]);
    assert_eq!(facts["facts"], serde_json::json!({"c": 3}));
    let recorded = ask(&[
        "run",
        "record",
        "release/package",
        "failed",
        "--detail",
        "[1]",
    ]);
    assert_eq!(
        recorded["outcomes"]["release/package"]["detail"],
        serde_json::json!([1])
    );
    let status = ask(&["run", "status"]);
    assert_eq!(status["run"]["id"], run_file["id"]);
    assert_eq!(
        status["run"]["state"],
        folder.join("runs/a.json").to_str().unwrap()
    );
    fits("agent-graph.evaluation.v1", &status["evaluation"]);
    let evaluated = ask(&["evaluate", "release"]);
    assert_eq!(evaluated, status["evaluation"]);
    let overlaid = ask(&[
        "evaluate",
        "release",
        "--outcomes",
        "{\"release/package\":\"pending\"}",
    ]);
    assert_ne!(overlaid["revision"], evaluated["revision"]);
    let saved = ask(&["run", "checkpoint", "--to", "saved.json"]);
    assert_eq!(
        saved["checkpoint"],
        folder.join("saved.json").to_str().unwrap()
    );
    let cleared = ask(&["run", "authority"]);
    assert_eq!(cleared["authorities"], serde_json::json!([]));
    let resumed = result(
        &folder,
        &["run", "resume", "saved.json", "--state", "b.json"],
    );
    assert_eq!(resumed["id"], run_file["id"]);
    let events = result(&folder, &["run", "events", "--state", "b.json"]);
    let kinds: Vec<&str> = events["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| event["type"].as_str().unwrap())
        .collect();
    assert_eq!(
        kinds,
        [
            "run.started",
            "facts.updated",
            "facts.replaced",
            "node.outcome-recorded",
            "run.checkpointed",
            "run.resumed"
        ]
    );
    let again = error(&folder, &["run", "start", "release", "--state", "b.json"]);
    assert_eq!(again["code"], "run-target-exists");
}

#[test]
fn the_state_of_another_providers_run_is_refused() {
    let scratch = Scratch::with(&example("release-gate"));
    let folder = scratch.root();
    result(&folder, &["run", "start", "release", "--state", "run.json"]);
    let text = std::fs::read_to_string(folder.join("run.json")).unwrap();
    scratch.write("run.json", text.replace("harbor/release", "harbor/other"));
    for arguments in [
        &["evaluate", "release"][..],
        &["route", "release"],
        &["run", "status"],
    ] {
        let mut all = arguments.to_vec();
        all.extend(["--state", "run.json"]);
        assert_eq!(error(&folder, &all)["code"], "run-provider-mismatch");
    }
}

#[test]
fn graph_tests_that_fail_set_the_exit_status() {
    let scratch = Scratch::with(&example("release-gate"));
    let folder = scratch.root();
    let passed = result(&folder, &["test"]);
    assert_eq!(passed["state"], "passed");
    assert_eq!(passed["failed"], 0);
    scratch.write(
        "tests/zz.yaml",
        "schema: agent-graph.test.v1\nname: wrong\ngraph: release\nentry: default\nexpect: { statusCode: blocked }\n",
    );
    let output = run(&folder, &["--format", "json", "test"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stderr), "");
    let failed = one_line(text(&output.stdout));
    assert_eq!(failed["state"], "failed");
    assert_eq!(failed["failed"], 1);
    let output = run(&folder, &["test"]);
    let human = text(&output.stdout);
    assert!(
        human.contains("statusCode: expected blocked, received actionable"),
        "{human}"
    );
    assert!(human.ends_with("10/11\n"), "{human}");
}

#[test]
fn a_bundle_is_built_and_used() {
    let scratch = Scratch::with(&example("release-gate"));
    let folder = scratch.root();
    let manifest = result(&folder, &["build"]);
    fits("agent-graph.bundle.v1", &manifest);
    let built = folder.join("dist/provider");
    let written = json(&built.join("manifest.json"));
    assert_eq!(written, manifest);
    let evaluation = result(&folder, &["evaluate", "release"]);
    let bundled = result(&built, &["-m", "manifest.json", "evaluate", "release"]);
    assert_eq!(bundled["revision"], evaluation["revision"]);
    assert_eq!(
        error(&folder, &["build", "."])["code"],
        "build-output-overlaps-source"
    );
    assert_eq!(
        error(&folder, &["build", "tests"])["code"],
        "build-output-occupied"
    );
}

#[test]
fn a_module_is_generated() {
    let folder = example("release-gate");
    let output = run(&folder, &["generate", "--module", "release"]);
    let source = text(&output.stdout);
    assert!(source.contains("pub mod release {"), "{source}");
    let generated = result(&folder, &["generate", "--module", "release"]);
    assert_eq!(generated["source"], source);
}

#[test]
fn schemas_are_listed_found_and_extracted() {
    let scratch = Scratch::new();
    let folder = scratch.root();
    let list = result(&folder, &["schema", "list"]);
    let names = list["schemas"].as_array().unwrap();
    for name in names {
        let name = name.as_str().unwrap();
        let found = result(&folder, &["schema", "path", name]);
        let found = json(Path::new(found["path"].as_str().unwrap()));
        let output = format!("out/{name}.json");
        let extracted = result(&folder, &["schema", "extract", name, "--output", &output]);
        assert_eq!(extracted["path"], folder.join(&output).to_str().unwrap());
        assert_eq!(json(&folder.join(&output)), found);
    }
    assert_eq!(
        error(&folder, &["schema", "path", "x"])["code"],
        "schema-type-unknown"
    );
}

#[test]
fn codes_are_listed_with_the_path_of_the_catalog() {
    let folder = std::fs::canonicalize(example("release-gate")).unwrap();
    let list = result(&folder, &["code", "list"]);
    assert_eq!(list["provider"], "harbor/release");
    assert_eq!(list["catalog"], folder.join("codes.yaml").to_str().unwrap());
    let code = list["codes"][0]["code"].as_str().unwrap();
    fits(
        "agent-graph.code-location.v1",
        &result(&folder, &["code", "locate", code]),
    );
    let resource = result(&folder, &["resource", "locate", "procedure.package"]);
    fits("agent-graph.resource-location.file.v1", &resource);
}

#[test]
fn json_arguments_come_from_files_too() {
    let scratch = Scratch::with(&example("release-gate"));
    let folder = scratch.root();
    scratch.write(
        "facts.yaml",
        "package: { digest: 'sha256:aa', fresh: true }\n",
    );
    let from_file = result(&folder, &["evaluate", "release", "--facts", "@facts.yaml"]);
    let facts = r#"{"package":{"digest":"sha256:aa","fresh":true}}"#;
    assert_eq!(
        from_file,
        result(&folder, &["evaluate", "release", "--facts", facts])
    );
    scratch.write("bad.json", "{");
    let bad = error(&folder, &["evaluate", "release", "--facts", "@bad.json"]);
    assert_eq!(bad["code"], "parse-failed");
}

#[cfg(unix)]
#[test]
fn a_reader_that_stops_reading_is_no_error() {
    let folder = example("release-gate");
    for format in ["json", "human"] {
        let mut child = program(&folder, &["--format", format, "generate"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(text(&output.stderr), "");
        assert_eq!(output.status.code(), Some(0));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_result_that_cannot_be_printed_is_an_error() {
    let folder = example("release-gate");
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = program(&folder, &["--format", "json", "validate"])
        .stdout(full)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let envelope = one_line(text(&output.stderr));
    assert_eq!(envelope["error"]["code"], "file-write-failed");
}

#[cfg(unix)]
#[test]
fn what_cannot_be_read_is_an_error_with_its_path() {
    let scratch = Scratch::new();
    scratch.write("provider.yaml/inside", "");
    assert_eq!(
        error(&scratch.root(), &["validate"])["code"],
        "file-missing"
    );
    let scratch = Scratch::with(&example("release-gate"));
    scratch.write("facts.json/inside", "");
    let folder = scratch.root();
    let unreadable = error(&folder, &["evaluate", "release", "--facts", "@facts.json"]);
    assert_eq!(unreadable["code"], "file-read-failed");
    let looping = folder.join("loop.yaml");
    std::os::unix::fs::symlink(&looping, &looping).unwrap();
    assert_eq!(
        error(&folder, &["-m", "loop.yaml", "validate"])["code"],
        "file-missing"
    );
    let status = error(&folder, &["run", "status", "--state", "loop.yaml"]);
    assert_eq!(status["code"], "file-read-failed");
}

#[test]
fn fifty_megabytes_are_read_or_refused_and_nothing_is_spilled() {
    let scratch = Scratch::with(&example("release-gate"));
    let folder = scratch.root();
    let long = "x".repeat(50 << 20);
    scratch.write("facts.json", format!("{{\"long\":\"{long}\"}}"));
    let facts = error(&folder, &["evaluate", "release", "--facts", "@facts.json"]);
    assert_eq!(facts["code"], "input-limit");
    scratch.write("provider.yaml", format!("# {long}\n"));
    let manifest = error(&folder, &["validate"]);
    assert_eq!(manifest["code"], "input-limit");
    assert!(manifest.to_string().len() < 10_000);
}

#[test]
fn lints_are_found_and_fail_when_they_are_denied() {
    let scratch = Scratch::with(&example("release-gate"));
    let folder = scratch.root();
    let clean = result(&folder, &["lint"]);
    assert_eq!(clean["state"], "passed");
    let codes = std::fs::read_to_string(folder.join("codes.yaml")).unwrap();
    let entry = "  - { code: route.unused, kind: route-reason, summary: nobody }\n";
    scratch.write("codes.yaml", format!("{codes}{entry}"));
    let warned = result(&folder, &["lint"]);
    assert_eq!(warned["findings"][0]["lint"], "unused-code");
    assert_eq!(
        warned["findings"][0]["path"],
        folder.join("codes.yaml").to_str().unwrap()
    );
    let output = run(
        &folder,
        &["--format", "json", "lint", "--deny", "unused-code"],
    );
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(one_line(text(&output.stdout))["denied"], 1);
    assert_eq!(result(&folder, &["lint", "--allow", "all"])["total"], 0);
    assert_eq!(
        error(&folder, &["lint", "--deny", "nothing"])["code"],
        "option-invalid"
    );
    let output = run(&folder, &["lint"]);
    assert!(text(&output.stdout).contains("unused-code"));
}

#[test]
fn an_explanation_names_what_is_missing_and_what_would_help() {
    let folder = example("release-gate");
    let outcomes = ["--outcomes", "{\"release/pakage\":\"completed\"}"];
    let explanation = result(&folder, &["explain", "release", outcomes[0], outcomes[1]]);
    assert_eq!(explanation["frontier"][0]["key"], "release/package");
    assert_eq!(explanation["unknownKeys"][0]["nearest"], "release/package");
    let output = run(&folder, &["explain", "release", outcomes[0], outcomes[1]]);
    let human = text(&output.stdout);
    assert!(
        human.contains("\n  needs fact package.fresh to be true; it is absent\n"),
        "{human}"
    );
    assert!(human.contains("\nWould help: "), "{human}");
    assert!(human.contains("did you mean release/package?"), "{human}");
}

#[test]
fn a_difference_sets_the_exit_status_by_its_class() {
    let scratch = Scratch::with(&example("release-gate"));
    let folder = scratch.root();
    result(&folder, &["build", "old"]);
    let same = result(&folder, &["diff", "old/manifest.json"]);
    assert_eq!(same["class"], "identical");
    let manifest = std::fs::read_to_string(folder.join("provider.yaml")).unwrap();
    scratch.write("provider.yaml", manifest.replace("1.2.0", "1.3.0"));
    let wording = result(&folder, &["diff", "old/manifest.json", "provider.yaml"]);
    assert_eq!(wording["class"], "wording");
    assert_eq!(wording["old"]["version"], "1.2.0");
    assert_eq!(wording["changes"][0]["after"], "1.3.0");
    let strict = [
        "--format",
        "json",
        "diff",
        "old/manifest.json",
        "--fail-on",
        "wording",
    ];
    let output = run(&folder, &strict);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(one_line(text(&output.stdout)), wording);
    scratch.write(
        "provider.yaml",
        manifest.replace("harbor/release", "harbor/other"),
    );
    let output = run(&folder, &["diff", "old/manifest.json"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).starts_with("breaks-stored-runs: provider, id: "));
}
