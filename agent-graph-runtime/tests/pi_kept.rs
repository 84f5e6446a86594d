//! Runs that a runner keeps in a store: begun, left, resumed, refused, taken away.
#![cfg(all(feature = "dynamic", feature = "pi"))]

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use agent_graph_runtime::Timestamp;
use agent_graph_runtime::json::{Object, Value};
use agent_graph_runtime::pi::checkpoint::{CheckpointFiles, CheckpointStore};
use agent_graph_runtime::pi::executor::{Scripted, Watch};
use agent_graph_runtime::pi::run::{Resume, Run, RunStatus, Work};
use agent_graph_runtime::pi::runner::{Abort, KeptRunError, Runner};
use agent_graph_runtime::pi::{self, Graph};

/// A folder that goes away with its test.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let name = format!("agent-graph-kept-{}-{number}", std::process::id());
        Self(std::env::temp_dir().join(name))
    }

    fn store(&self) -> CheckpointFiles {
        CheckpointFiles::new(&self.0)
    }

    fn log(&self) -> PathBuf {
        self.0.join("run-1/log")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn now() -> Timestamp {
    SystemTime::now().into()
}

fn after(time: Timestamp, milliseconds: i64) -> Timestamp {
    Timestamp::from_unix_milliseconds(time.unix_milliseconds() + milliseconds)
}

const GRAPH: &str = r#"{
    "schemaVersion": 2, "name": "g", "limits": {}, "entry": ["draft", "aside"],
    "nodes": {
        "draft": {"type": "agent", "prompt": "Write", "output": "text"},
        "aside": {"type": "agent", "prompt": "Wait", "output": "aside"},
        "approve": {"type": "human", "kind": "confirm", "prompt": "Good?\n{{ text }}", "output": "good"}
    },
    "edges": [{"from": "draft", "to": "approve"}]
}"#;

fn graph(text: &str) -> Graph {
    let loaded = pi::parse("g.json".into(), text.as_bytes());
    loaded
        .unwrap_or_else(|findings| panic!("{findings}"))
        .graph()
}

fn start() -> Run {
    Run::start(&graph(GRAPH), "run-1", Object::new(), now()).unwrap()
}

fn answer(value: Value) -> Resume {
    Resume {
        value: Some(value),
        ..Resume::default()
    }
}

fn code<T>(result: Result<T, KeptRunError>) -> &'static str {
    result.map_or_else(|error| error.code(), |_| "")
}

#[test]
fn a_run_that_waits_for_a_person_goes_on_in_another_call_without_running_anybody_again() {
    let scratch = Scratch::new();
    let (store, graph) = (scratch.store(), graph(GRAPH));
    let executor = Scripted::new().says("draft", "A door opens.");
    let mut run = start();
    let status = Runner::new(&executor).begin(&store, &mut run).unwrap();
    assert_eq!(status, RunStatus::Interrupted);
    assert_eq!(store.load("run-1").unwrap().snapshot, run.snapshot());

    let asked = Runner::new(&executor).resume(&store, &graph, "run-1", Resume::default());
    let asked = asked.unwrap();
    assert_eq!(
        asked.interrupt().unwrap().interrupt.prompt,
        "Good?\nA door opens."
    );
    let mut runner = Runner::new(&executor);
    let run = runner.resume(&store, &graph, "run-1", answer("yes".into()));
    let run = run.unwrap();
    assert_eq!(run.status(), RunStatus::Completed);
    assert_eq!(run.state().get("good"), Some(&Value::Bool(true)));
    assert_eq!(executor.calls().len(), 2);

    // What is completed is only read.
    let before = fs::read(scratch.log()).unwrap();
    let again = runner.resume(&store, &graph, "run-1", answer("no".into()));
    assert_eq!(again.unwrap().snapshot(), run.snapshot());
    assert_eq!(fs::read(scratch.log()).unwrap(), before);
}

#[test]
fn creation_is_the_first_revision_and_every_checkpoint_is_one() {
    let scratch = Scratch::new();
    let mut run = start();
    let executor = Scripted::new();
    Runner::new(&executor)
        .asking(|_| Some(true.into()))
        .at_most(1)
        .begin(&scratch.store(), &mut run)
        .unwrap();
    // Creation, beginning and end; a beginning, the nodes and a commit of two supersteps.
    assert_eq!(
        scratch.store().load("run-1").unwrap().revision,
        3 + (2 + 2) + (2 + 1)
    );
    let mut again = start();
    let refused = Runner::new(&executor).begin(&scratch.store(), &mut again);
    assert_eq!(code(refused), "CHECKPOINT_CONFLICT");
}

#[test]
fn a_run_that_was_cancelled_goes_on_with_what_is_not_done() {
    let scratch = Scratch::new();
    let abort = Abort::new();
    let ending = abort.clone();
    let executor = Scripted::new().does("aside", move |_, watch| {
        ending.abort();
        stopped(watch);
        Ok("too late".into())
    });
    let mut run = start();
    let mut runner = Runner::new(&executor).ended_by(&abort);
    let status = runner.begin(&scratch.store(), &mut run).unwrap();
    assert_eq!(status, RunStatus::Cancelled);
    let executor = Scripted::new();
    let mut runner = Runner::new(&executor).asking(|_| Some(true.into()));
    let run = runner.resume(&scratch.store(), &graph(GRAPH), "run-1", Resume::default());
    assert_eq!(run.unwrap().status(), RunStatus::Completed);
    assert!(executor.calls().iter().any(|call| call.node == "aside"));
}

#[test]
fn another_definition_is_refused_and_nothing_is_written() {
    let scratch = Scratch::new();
    let executor = Scripted::new();
    Runner::new(&executor)
        .begin(&scratch.store(), &mut start())
        .unwrap();
    let before = fs::read(scratch.log()).unwrap();
    let resume = |text: &str, resume: Resume| {
        let mut runner = Runner::new(&executor);
        runner.resume(&scratch.store(), &graph(text), "run-1", resume)
    };
    let other = GRAPH.replace(r#""name": "g""#, r#""name": "h""#);
    assert_eq!(
        code(resume(&other, answer(true.into()))),
        "GRAPH_NAME_MISMATCH"
    );
    let changed = GRAPH.replace("Good?", "Really good?");
    let refused = resume(&changed, answer(true.into()));
    let refused = refused.unwrap_err();
    assert_eq!(refused.code(), "GRAPH_CHANGED");
    let refused = refused.to_string();
    assert!(refused.ends_with("(class of change: texts)"), "{refused}");
    assert_eq!(fs::read(scratch.log()).unwrap(), before);
    let forced = Resume {
        force: true,
        ..answer(true.into())
    };
    let run = resume(&changed, forced).unwrap();
    assert_eq!(run.status(), RunStatus::Completed);
}

#[test]
fn a_run_that_is_not_there_or_is_anothers_is_not_resumed() {
    let scratch = Scratch::new();
    let executor = Scripted::new();
    let resume = || {
        let mut runner = Runner::new(&executor);
        runner.resume(
            &scratch.store(),
            &graph(GRAPH),
            "run-1",
            answer(true.into()),
        )
    };
    assert_eq!(code(resume()), "CHECKPOINT_NOT_FOUND");
    Runner::new(&executor)
        .begin(&scratch.store(), &mut start())
        .unwrap();
    let other = scratch.store().open("run-1", "other", now());
    assert_eq!(code(resume()), "RUN_LEASE_HELD");
    other.unwrap().release(now()).unwrap();
    assert_eq!(code(resume()), "");
}

#[test]
fn the_right_to_a_run_is_renewed_while_an_attempt_takes_long() {
    const LASTING: i64 = 1_200;
    let scratch = Scratch::new();
    let store = scratch
        .store()
        .leases_for(Duration::from_millis(LASTING.cast_unsigned()));
    let (log, other) = (scratch.log(), scratch.store());
    let late = after(now(), LASTING + 10);
    let executor = Scripted::new().does("draft", move |_, _| {
        for _ in 0..2 {
            let before = fs::metadata(&log).unwrap().len();
            until(|| fs::metadata(&log).unwrap().len() > before);
        }
        let held = other.open("run-1", "other", late).err();
        assert_eq!(held.map(|error| error.code()), Some("RUN_LEASE_HELD"));
        Ok("at last".into())
    });
    let status = Runner::new(&executor).begin(&store, &mut start()).unwrap();
    assert_eq!(status, RunStatus::Interrupted);
}

#[test]
fn a_run_that_is_taken_away_stops_and_writes_nothing_more() {
    let scratch = Scratch::new();
    let store = scratch.store().leases_for(Duration::from_millis(300));
    let (other, log, kept) = (scratch.store(), scratch.log(), scratch.0.join("kept"));
    let executor = Scripted::new().does("draft", move |_: &Work, watch: &dyn Watch| {
        drop(other.open("run-1", "other", after(now(), 60_000)).unwrap());
        fs::copy(&log, &kept).unwrap();
        stopped(watch);
        Ok("for nobody".into())
    });
    let mut run = start();
    let refused = Runner::new(&executor).begin(&store, &mut run);
    assert_eq!(code(refused), "RUN_LEASE_LOST");
    let kept = fs::read(scratch.0.join("kept")).unwrap();
    assert_eq!(fs::read(scratch.log()).unwrap(), kept);
    let stored = scratch.store().load("run-1").unwrap().snapshot;
    assert_eq!((stored.status, stored.step), (RunStatus::Running, 1));
}

/// Waits until the attempt is ended.
fn stopped(watch: &dyn Watch) {
    until(|| watch.stop().is_some());
}

fn until(holds: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !holds() {
        assert!(Instant::now() < deadline, "it never came");
        thread::sleep(Duration::from_millis(5));
    }
}
