//! Holds the store of files against crashes, other owners and other files.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use std::fs;

use super::*;
use crate::durable::faults;
use crate::durable::tests::Scratch;
use crate::json::{Object, Value};

fn at(milliseconds: i64) -> Timestamp {
    Timestamp::from_unix_milliseconds(milliseconds)
}

/// A run of which revision `step` has done so many supersteps.
fn snapshot(step: u64) -> Snapshot {
    let text = format!(
        r#"{{"version":2,"runId":"run-1","graphName":"g","graphHash":"{}","status":"running",
        "createdAt":"1970-01-01T00:00:00.000Z","updatedAt":"1970-01-01T00:00:00.000Z",
        "startedAt":"1970-01-01T00:00:00.000Z","activeTimeMs":0,"step":{step},"nodeRuns":{step},
        "state":{{}},"pending":["a"],"completionCounts":{{}},"barrierConsumed":{{}},
        "usage":{{"inputTokens":0,"outputTokens":0,"cacheReadTokens":0,"cacheWriteTokens":0,"costUsd":0,"turns":0}},
        "history":[],"threads":{{}}}}"#,
        "0".repeat(64)
    );
    let mut snapshot = Snapshot::from_value(&Value::from_json(&text).unwrap()).unwrap();
    let state: Object = [("step", Value::from(format!("{step}")))]
        .into_iter()
        .collect();
    snapshot.state = alloc::sync::Arc::new(state);
    snapshot
}

fn code<T>(result: Result<T, CheckpointError>) -> &'static str {
    result.map_or_else(|error| error.code(), |_| "")
}

#[test]
fn what_was_committed_is_read_again_and_compaction_bounds_the_log() {
    let scratch = Scratch::new();
    let store = CheckpointFiles::new(scratch.join("runs"));
    let mut lease = store.create(snapshot(0), "one", at(0)).unwrap();
    for step in 1..=400 {
        assert_eq!(lease.commit(step, snapshot(step), at(0)).unwrap(), step + 1);
    }
    let stored = store.load("run-1").unwrap();
    assert_eq!((stored.revision, stored.snapshot), (401, snapshot(400)));
    let length = fs::metadata(scratch.join("runs/run-1/log")).unwrap().len();
    assert!(length < 80_000, "{length}");
}

#[test]
fn only_the_owner_of_an_unexpired_lease_writes() {
    let scratch = Scratch::new();
    let store = CheckpointFiles::new(scratch.join("runs"));
    assert_eq!(
        code(store.open("run-1", "one", at(0))),
        "CHECKPOINT_NOT_FOUND"
    );
    let mut one = store.create(snapshot(0), "one", at(0)).unwrap();
    assert_eq!(
        code(store.create(snapshot(0), "two", at(0))),
        "CHECKPOINT_CONFLICT"
    );
    assert_eq!(
        code(store.open("run-1", "two", at(29_999))),
        "RUN_LEASE_HELD"
    );
    assert_eq!(code(store.delete("run-1", at(29_999))), "RUN_LEASE_HELD");
    assert_eq!(
        code(one.commit(7, snapshot(1), at(1))),
        "CHECKPOINT_CONFLICT"
    );
    one.renew(at(10_000)).unwrap();
    assert_eq!(
        code(store.open("run-1", "two", at(39_999))),
        "RUN_LEASE_HELD"
    );
    assert_eq!(
        code(one.commit(1, snapshot(1), at(40_000))),
        "RUN_LEASE_EXPIRED"
    );
    let mut two = store.open("run-1", "two", at(40_000)).unwrap();
    assert_eq!(
        code(one.commit(1, snapshot(1), at(40_000))),
        "RUN_LEASE_LOST"
    );
    assert_eq!(two.commit(1, snapshot(1), at(40_001)).unwrap(), 2);
    assert_eq!(
        code(two.commit(2, snapshot(0), at(40_002))),
        "CHECKPOINT_INVALID"
    );
    two.release(at(40_003)).unwrap();
    store.delete("run-1", at(40_004)).unwrap();
    assert_eq!(code(store.load("run-1")), "CHECKPOINT_NOT_FOUND");
    assert_eq!(
        code(store.create(snapshot(0), "three", at(50_000))),
        "CHECKPOINT_CONFLICT"
    );
}

#[test]
fn a_log_cut_anywhere_gives_an_earlier_revision_and_can_be_continued() {
    let scratch = Scratch::new();
    let store = CheckpointFiles::new(scratch.join("runs"));
    let mut lease = store.create(snapshot(0), "one", at(0)).unwrap();
    let path = scratch.join("runs/run-1/log");
    let first = fs::metadata(&path).unwrap().len() as usize;
    lease.commit(1, snapshot(1), at(0)).unwrap();
    let whole = fs::read(&path).unwrap();
    for cut in first..whole.len() {
        fs::write(&path, &whole[..cut]).unwrap();
        let mut lease = store.open("run-1", "two", at(30_000)).unwrap();
        assert_eq!(lease.checkpoint().snapshot, snapshot(0));
        lease.commit(1, snapshot(1), at(30_001)).unwrap();
        assert_eq!(store.load("run-1").unwrap().snapshot, snapshot(1));
    }
}

#[test]
fn a_changed_byte_is_never_believed() {
    let scratch = Scratch::new();
    let store = CheckpointFiles::new(scratch.join("runs"));
    let mut lease = store.create(snapshot(0), "one", at(0)).unwrap();
    lease.commit(1, snapshot(1), at(0)).unwrap();
    let path = scratch.join("runs/run-1/log");
    let whole = fs::read(&path).unwrap();
    for position in 0..whole.len() - 1 {
        let mut changed = whole.clone();
        changed[position] ^= 1;
        fs::write(&path, changed).unwrap();
        assert_eq!(
            code(store.load("run-1")),
            "CHECKPOINT_INVALID",
            "{position}"
        );
    }
    fs::create_dir(scratch.join("runs/other")).unwrap();
    fs::write(scratch.join("runs/other/log"), "garbage\n").unwrap();
    fs::write(&path, whole).unwrap();
    let listing = store.list(LISTED).unwrap();
    let unreadable: Vec<String> = listing.unreadable.into_iter().map(|run| run.0).collect();
    assert_eq!(
        (listing.runs.len(), unreadable),
        (1, alloc::vec![String::from("other")])
    );
}

#[test]
fn a_run_that_could_not_be_created_can_be_created_again() {
    for step in faults::ALL {
        let scratch = Scratch::new();
        let store = CheckpointFiles::new(scratch.join("runs"));
        let created = faults::failing(step, 1, || store.create(snapshot(0), "one", at(0)));
        match created {
            Ok(_) => assert_eq!(code(store.load("run-1")), "", "{step:?}"),
            Err(error) => {
                assert_eq!(error.code(), "CHECKPOINT_IO", "{step:?}");
                let again = store.create(snapshot(0), "one", at(0));
                assert!(
                    matches!(code(again), "" | "CHECKPOINT_CONFLICT"),
                    "{step:?}"
                );
                assert_eq!(store.load("run-1").unwrap().snapshot, snapshot(0));
            }
        }
    }
}

#[test]
fn of_owners_that_race_one_gets_the_run() {
    let scratch = Scratch::new();
    let store = CheckpointFiles::new(scratch.join("runs"));
    drop(store.create(snapshot(0), "first", at(0)).unwrap());
    let opened = std::thread::scope(|scope| {
        let owners = ["a", "b", "c", "d"];
        let store = &store;
        let open = |owner| scope.spawn(move || code(store.open("run-1", owner, at(30_000))));
        let threads: Vec<_> = owners.map(open).into_iter().collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect::<Vec<_>>()
    });
    assert_eq!(opened.iter().filter(|code| code.is_empty()).count(), 1);
    assert_eq!(
        opened
            .iter()
            .filter(|code| **code == "RUN_LEASE_HELD")
            .count(),
        3
    );
}

#[test]
fn the_order_of_members_survives() {
    let scratch = Scratch::new();
    let store = CheckpointFiles::new(scratch.join("runs"));
    let mut lease = store.create(snapshot(0), "one", at(0)).unwrap();
    let states = [
        r#"{"a":1,"b":{"c":1,"d":2}}"#,
        r#"{"a":1,"b":{"d":2,"c":1}}"#,
        r#"{"b":{},"a":1}"#,
    ];
    for (step, text) in (1..).zip(states) {
        let mut next = snapshot(step);
        let state = Value::from_json(text)
            .unwrap()
            .as_object()
            .cloned()
            .unwrap();
        next.state = alloc::sync::Arc::new(state);
        lease.commit(step, next, at(0)).unwrap();
        let stored = store.load("run-1").unwrap().snapshot;
        assert_eq!(Value::from((*stored.state).clone()).to_string(), text);
    }
}
