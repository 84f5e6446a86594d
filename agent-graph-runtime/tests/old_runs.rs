//! Runs that were written long ago: sessions played again, files read, evaluated and continued.
#![cfg(feature = "runs")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, Ordering};

use agent_graph_runtime::json::Value;
use agent_graph_runtime::runs::{Clock, NewRun, Run, Runs, Timestamp};
use agent_graph_runtime::{Code, Facts, Outcome, Progress, Provider, State, Status};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/runs")
        .join(name)
}

fn example(name: &str) -> Provider {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/examples");
    Provider::load(root.join(name).join("provider.yaml")).unwrap()
}

/// A folder that goes away with its test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let name = format!("agent-graph-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The clock of the recorded session: 1001 milliseconds between any two looks at it.
struct OldClock(AtomicI64);

impl OldClock {
    /// 2026-01-31T12:00:00.000Z
    fn new() -> Self {
        Self(AtomicI64::new(1_769_860_800_000))
    }
}

impl Clock for OldClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_unix_milliseconds(self.0.fetch_add(1001, Ordering::Relaxed))
    }
}

fn facts(text: &str) -> Facts {
    Facts::from_json(text).unwrap()
}

#[test]
fn a_session_played_again_with_its_clock_gives_the_same_file() {
    let scratch = Scratch::new("old-session");
    let path = scratch.0.join("run.json");
    let runs = Runs::in_files().with_clock(OldClock::new());
    let new = NewRun::new("harbor/release", "release")
        .id("7b0f6d5e-7c61-4d1a-9a53-0d3a2f6f2c11")
        .workspace("/home/ann/./harbor/")
        .facts(facts(r#"{"branch":"topic"}"#));
    runs.create(&path, new).unwrap();
    let detail = Value::from_json(r#"{"log":"é\n","exit":2}"#).unwrap();
    let (package, scan) = ("release/package", "release/scan");
    runs.record(&path, package, Outcome::Failed, Some(detail))
        .unwrap();
    let packaged = r#"{"package":{"digest":"abc","fresh":true},"10":1e21}"#;
    runs.update_facts(&path, facts(packaged)).unwrap();
    runs.record(&path, package, Outcome::Completed, None)
        .unwrap();
    let scanned = r#"{"scan":{"state":"clean","findings":[]},"branch":"main"}"#;
    runs.update_facts(&path, facts(scanned)).unwrap();
    let authorities = ["release.retract", "release.approve", "release.retract"];
    runs.set_authorities(&path, authorities).unwrap();
    runs.record(&path, scan, Outcome::Completed, Some(Value::Null))
        .unwrap();
    runs.checkpoint(&path, &scratch.0.join("friday.json"))
        .unwrap();

    let old = fs::read_to_string(data("friday.json")).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), old);
    assert_eq!(Run::from_json(&old).unwrap().text(), old);
}

#[test]
fn an_old_run_evaluates_as_its_state_does() {
    let provider = example("release-gate");
    let run = Runs::in_files().load(&data("friday.json")).unwrap();
    let evaluation = run.evaluate(&provider).unwrap();
    let mut state = State::new();
    state.set_facts(facts(
        r#"{"branch":"main","package":{"digest":"abc","fresh":true},"scan":{"findings":[],"state":"clean"},"10":1e21}"#,
    ));
    state
        .set_outcome("release/scan", Outcome::Completed)
        .unwrap();
    state
        .set_outcome("release/package", Outcome::Completed)
        .unwrap();
    state.set_authorities(["release.retract", "release.approve"]);
    let expected = provider.evaluate("release", "default", &state).unwrap();
    assert_eq!(run.state(&provider).unwrap(), state);
    assert_eq!(evaluation.revision(), expected.revision());
    assert_eq!(evaluation.to_json(), expected.to_json());
    assert_eq!(evaluation.status(), Status::Actionable);
    let input = run.route_input().unwrap();
    assert_eq!(input.workspace(), Some("/home/ann/harbor"));
    match evaluation.progress() {
        Progress::Actionable(route) => assert_eq!(route.record_node(), "release/approval"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_run_written_by_hand_goes_on_where_it_was() {
    let scratch = Scratch::new("by-hand");
    let path = scratch.0.join("run.yaml");
    fs::copy(data("by-hand.yaml"), &path).unwrap();
    let runs = Runs::in_files().with_clock(OldClock::new());
    let before = runs.load(&path).unwrap();
    assert_eq!(before.created_at(), "2026-01-31T12:00:00.123456789+01:00");
    runs.record(&path, "release/scan", Outcome::Failed, None)
        .unwrap();
    let after = runs.load(&path).unwrap();
    assert!(after.as_object().names().eq(before.as_object().names()));
    let numbers: Vec<u64> = after.events().map(|event| event.sequence()).collect();
    assert_eq!(numbers, [41, 3, 4]);
    let keys: Vec<&str> = after.outcomes().map(|(key, _)| key).collect();
    assert_eq!(keys, ["release/package", "release/scan"]);
    let evaluation = after.evaluate(&example("release-gate")).unwrap();
    assert_eq!(evaluation.primary().unwrap().record_node(), "release/mend");
}

#[test]
fn a_run_is_evaluated_with_no_other_provider() {
    let other = example("nested-repeat");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/examples/nested-repeat");
    let installed = other.installed_at(root).unwrap();
    let path = data("friday.json");
    let run = Runs::in_files().load(&path).unwrap();
    for error in [
        run.check_provider(other.id()).unwrap_err(),
        run.state(&other).unwrap_err(),
        run.evaluate(&other).unwrap_err(),
        run.evaluate_installed(&installed).unwrap_err(),
        Runs::in_files().evaluate(&path, &other).unwrap_err(),
    ] {
        assert_eq!(error.code(), Code::RunProviderMismatch);
    }
    run.check_provider("harbor/release").unwrap();
}

#[test]
fn a_long_run_is_read_and_continued() {
    let mut events = String::new();
    for sequence in 1..=20_000 {
        events.push_str(if sequence > 1 { "," } else { "" });
        events.push_str(&format!(
            r#"{{"sequence":{sequence},"at":"2026-01-31T12:00:00.000Z","type":"node.outcome-recorded","node":"release/scan","outcome":"failed","detail":{{"attempt":{sequence}}}}}"#
        ));
    }
    let text = fs::read_to_string(data("friday.json")).unwrap();
    let (head, _) = text.split_once("\"events\": [").unwrap();
    let scratch = Scratch::new("long");
    let path = scratch.0.join("run.json");
    fs::write(&path, format!("{head}\"events\": [{events}]}}")).unwrap();
    let run = Runs::in_files().record(&path, "release/scan", Outcome::Completed, None);
    assert_eq!(run.unwrap().last_sequence(), 20_001);
    assert_eq!(Runs::in_files().load(&path).unwrap().events().len(), 20_001);
}
