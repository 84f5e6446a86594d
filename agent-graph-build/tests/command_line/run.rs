//! Runs in files: `run`.

use crate::*;

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
fn a_key_that_the_graph_does_not_know_is_recorded_with_a_warning_for_people() {
    let scratch = Scratch::with(&example("release-gate"));
    let folder = scratch.root();
    result(&folder, &["run", "start", "release", "--state", "r.json"]);
    let record = |key: &'static str, more: &[&'static str]| {
        let record = ["run", "record", key, "completed", "--state", "r.json"];
        let output = play(&folder, &[&record[..], more].concat());
        assert_eq!(output.status.code(), Some(0), "{key}");
        assert_eq!(text(&output.stderr), "", "{key}");
        text(&output.stdout).to_owned()
    };
    let warning = "Warning: release/pakcage is no state key of graph release; \
                   did you mean release/package?\n";
    assert!(record("release/pakcage", &[]).ends_with(warning));
    let lost = record("elsewhere", &[]);
    assert!(
        lost.contains("Warning: elsewhere is no state key"),
        "{lost}"
    );
    assert!(!record("release/package", &[]).contains("Warning"));
    // Without the provider nobody knows.
    assert!(!record("release/pakcage", &["-m", "nothing.yaml"]).contains("Warning"));
    let json = &["run", "record", "x", "completed", "--state", "r.json"];
    assert_eq!(
        result(&folder, json)["outcomes"]["x"]["outcome"],
        "completed"
    );
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
