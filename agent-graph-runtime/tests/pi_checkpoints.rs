//! Runs that are stored, in processes that are killed.
#![cfg(all(feature = "dynamic", feature = "pi"))]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, SystemTime};

use agent_graph_runtime::Timestamp;
use agent_graph_runtime::json::{Object, Value};
use agent_graph_runtime::pi::checkpoint::{CheckpointFiles, CheckpointStore, read_reference};
use agent_graph_runtime::pi::executor::{Executor, Scripted, Watch};
use agent_graph_runtime::pi::run::{AttemptResult, Resume, Run, RunStatus, Snapshot, Work};
use agent_graph_runtime::pi::runner::Runner;
use agent_graph_runtime::pi::{self, Graph};

/// Set for the process that is killed.
const FOLDER: &str = "AGENT_GRAPH_CHECKPOINT_FOLDER";
/// How often processes are killed.
const KILLS: &str = "AGENT_GRAPH_CHECKPOINT_KILLS";

fn now() -> Timestamp {
    SystemTime::now().into()
}

/// Two supersteps of eight agents each, and a last one.
fn graph() -> Graph {
    let agent =
        |n: usize| format!(r#""a{n}":{{"type":"agent","prompt":"Go","output":"out.a{n}"}}"#);
    let nodes: Vec<String> = (0..17).map(agent).collect();
    let edge = |n: usize| format!(r#"{{"from":"a{n}","to":"a{}"}}"#, n + 8);
    let mut edges: Vec<String> = (0..8).map(edge).collect();
    let all: Vec<String> = (8..16).map(|n| format!("\"a{n}\"")).collect();
    edges.push(format!(r#"{{"from":[{}],"to":"a16"}}"#, all.join(",")));
    let entry: Vec<String> = (0..8).map(|n| format!("\"a{n}\"")).collect();
    let text = format!(
        r#"{{"schemaVersion":2,"name":"g","limits":{{}},"entry":[{}],"nodes":{{{}}},"edges":[{}]}}"#,
        entry.join(","),
        nodes.join(","),
        edges.join(",")
    );
    let loaded = pi::parse("g.json".into(), text.as_bytes());
    loaded
        .unwrap_or_else(|findings| panic!("{findings}"))
        .graph()
}

/// Notes whom it was asked to run.
struct Noting {
    script: Scripted,
    asked: Mutex<Vec<String>>,
}

impl Executor for Noting {
    fn execute(&self, work: &Work, watch: &dyn Watch) -> AttemptResult {
        self.asked.lock().unwrap().push(work.node.clone());
        self.script.execute(work, watch)
    }
}

/// Goes on with the run in this folder, or begins it, and says whom it ran.
fn drive(folder: &Path) -> (Snapshot, Vec<String>) {
    let (graph, store) = (graph(), CheckpointFiles::new(folder));
    let script = (0..17).fold(Scripted::new(), |script, n| {
        script.says(&format!("a{n}"), format!("answer {n}"))
    });
    let executor = Noting {
        script,
        asked: Mutex::default(),
    };
    // Whoever was killed had the right to the run until this time.
    let mut runner = Runner::new(&executor).beginning_at(later());
    let run = match runner.resume(&store, &graph, "run-1", Resume::default()) {
        Ok(run) => run,
        Err(error) => {
            assert_eq!(error.code(), "CHECKPOINT_NOT_FOUND");
            let mut run = Run::start(&graph, "run-1", Object::new(), later()).unwrap();
            runner.begin(&store, &mut run).unwrap();
            run
        }
    };
    drop(runner);
    (run.snapshot(), executor.asked.into_inner().unwrap())
}

/// Each process is a minute after the one before, so that nobody waits for a lease to end.
fn later() -> Timestamp {
    let age: i64 =
        std::env::var("AGENT_GRAPH_CHECKPOINT_AGE").map_or(0, |age| age.parse().unwrap());
    Timestamp::from_unix_milliseconds(now().unix_milliseconds() + age * 60_000)
}

fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("agent-graph-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn child(folder: &Path, age: u64) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args([
            "--exact",
            "a_process_killed_anywhere_goes_on_to_the_same_state",
        ])
        .env(FOLDER, folder)
        .env("AGENT_GRAPH_CHECKPOINT_AGE", age.to_string())
        .stdout(Stdio::null());
    command
}

fn done(snapshot: &Snapshot) -> Vec<String> {
    let completed = snapshot
        .in_flight
        .iter()
        .flat_map(|flight| &flight.completed);
    let completed = completed.map(|(id, _)| id.clone());
    let history = snapshot.history.iter().map(|entry| entry.node.clone());
    completed.chain(history).collect()
}

#[test]
fn a_process_killed_anywhere_goes_on_to_the_same_state() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        let folder = PathBuf::from(folder);
        let store = CheckpointFiles::new(&folder);
        let before = store
            .load("run-1")
            .map_or(Vec::new(), |run| done(&run.snapshot));
        let (snapshot, asked) = drive(&folder);
        assert_eq!(snapshot.status, RunStatus::Completed);
        assert!(
            asked.iter().all(|node| !before.contains(node)),
            "{asked:?} again"
        );
        return;
    }
    let kills: u64 = std::env::var(KILLS).map_or(20, |kills| kills.parse().unwrap());
    let scratch = scratch("kills");
    let whole = scratch.join("whole");
    assert!(child(&whole, 0).status().unwrap().success());
    let expected = CheckpointFiles::new(&whole)
        .load("run-1")
        .unwrap()
        .snapshot
        .state;
    let started = std::time::Instant::now();
    assert!(child(&scratch.join("timed"), 0).status().unwrap().success());
    let takes = u64::try_from(started.elapsed().as_micros()).unwrap();
    let (mut random, mut midway) = (0x9e37_79b9_7f4a_7c15_u64, 0);
    for kill in 0..kills {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let folder = scratch.join(format!("run-{kill}"));
        let mut process = child(&folder, 0).spawn().unwrap();
        std::thread::sleep(Duration::from_micros((random >> 33) % takes));
        process.kill().unwrap();
        process.wait().unwrap();
        let store = CheckpointFiles::new(&folder);
        midway += u64::from(
            store
                .load("run-1")
                .is_ok_and(|run| run.snapshot.status == RunStatus::Running),
        );
        assert!(child(&folder, 1).status().unwrap().success(), "kill {kill}");
        let end = store.load("run-1").unwrap().snapshot;
        assert_eq!(
            (end.status, &end.state),
            (RunStatus::Completed, &expected),
            "kill {kill}"
        );
        assert_eq!(end.history.len(), 17);
    }
    println!("{kills} kills, {midway} of them midway");
    assert!(midway > 0, "no process was killed midway");
    fs::remove_dir_all(scratch).unwrap();
}

#[test]
fn files_of_the_reference_hold_valid_snapshots() {
    let files = Value::from_json(include_str!("data/pi-checkpoints.json")).unwrap();
    let mut statuses = Vec::new();
    for file in files.as_array().unwrap() {
        let snapshot = file.as_object().unwrap().get("snapshot").unwrap();
        let read = Snapshot::from_value(snapshot).unwrap();
        assert_eq!(read.to_value(), *snapshot);
        statuses.push(read.status);
    }
    assert_eq!(
        statuses[..2],
        [RunStatus::Completed, RunStatus::Interrupted]
    );
}

/// A run as the reference keeps it: an entry for each of these revisions, and the last one's snapshot.
fn journal(root: &Path, snapshot: &Value, revisions: u64, deleted: bool) -> PathBuf {
    let run_id = snapshot.as_object().unwrap().get("runId").unwrap();
    let run_id = run_id.as_str().unwrap();
    let folder = root.join(".journal").join(run_id);
    fs::create_dir_all(folder.join("blobs")).unwrap();
    for revision in 1..=revisions {
        let blob = format!("r{revision:016}.00000000-0000-4000-8000-000000000003.json");
        let entry = format!(
            r#"{{"format":"pi-graph-checkpoint-journal","formatVersion":1,"sequence":{revision},"runId":"{run_id}",
            "createdAt":"2030-01-01T00:00:00.000Z","deleted":{deleted},"lease":null,
            "checkpoint":{{"revision":{revision},"blob":"{blob}"}}}}"#
        );
        fs::write(folder.join(format!("{revision:016}.json")), entry).unwrap();
        let content = format!(
            r#"{{"format":"pi-graph-checkpoint-blob","formatVersion":1,"revision":{revision},"snapshot":{snapshot}}}"#
        );
        fs::write(folder.join("blobs").join(blob), content).unwrap();
    }
    folder
}

#[test]
fn runs_of_the_reference_are_read_from_its_journal_and_go_on_in_ours() {
    let files = Value::from_json(include_str!("data/pi-checkpoints.json")).unwrap();
    let scratch = scratch("reference");
    for (number, file) in files.as_array().unwrap().iter().enumerate() {
        let snapshot = file.as_object().unwrap().get("snapshot").unwrap();
        let expected = Snapshot::from_value(snapshot).unwrap();
        let root = scratch.join(format!("reference-{number}"));
        let folder = journal(&root, snapshot, 11, false);
        let read = read_reference(&root, &expected.run_id).unwrap();
        assert_eq!((read.revision, &read.snapshot), (11, &expected));

        let ours = CheckpointFiles::new(scratch.join(format!("ours-{number}")));
        ours.create(read.snapshot, None, "import", now()).unwrap();
        assert_eq!(ours.load(&expected.run_id).unwrap().snapshot, expected);

        let code = || read_reference(&root, &expected.run_id).unwrap_err().code();
        let last = folder.join("0000000000000011.json");
        let entry = fs::read_to_string(&last).unwrap();
        for (from, to) in [
            (r#""sequence":11"#, r#""sequence":10"#),
            (r#""blob":"r"#, r#""blob":"../blobs/r"#),
            (r#""formatVersion":1"#, r#""formatVersion":2"#),
        ] {
            fs::write(&last, entry.replace(from, to)).unwrap();
            assert_eq!(code(), "CHECKPOINT_INVALID", "{to}");
        }
        journal(&root, snapshot, 12, true);
        assert_eq!(code(), "CHECKPOINT_NOT_FOUND");
    }
    let missing = read_reference(&scratch, "nobody").unwrap_err();
    assert_eq!(missing.code(), "CHECKPOINT_NOT_FOUND");
    fs::remove_dir_all(scratch).unwrap();
}
