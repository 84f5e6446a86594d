//! Holds the store of files against crashes, other owners and other files.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use std::fs;

use super::*;
use crate::durable::faults;
use crate::durable::tests::Scratch;
use crate::json::Value;
use crate::pi::run::{Outline, Progress};

pub(super) fn at(milliseconds: i64) -> Timestamp {
    Timestamp::from_unix_milliseconds(milliseconds)
}

/// A run that has done so many supersteps.
pub(super) fn snapshot(step: u64) -> Snapshot {
    let text = format!(
        r#"{{"version":2,"runId":"run-1","graphName":"g","graphHash":"{}","status":"running",
        "createdAt":"1970-01-01T00:00:00.000Z","updatedAt":"1970-01-01T00:00:00.000Z",
        "startedAt":"1970-01-01T00:00:00.000Z","activeTimeMs":0,"step":{step},"nodeRuns":{step},
        "state":{{"step":{step}}},"pending":["a"],"completionCounts":{{}},"barrierConsumed":{{}},
        "usage":{USAGE},"history":[],"threads":{{}}}}"#,
        "0".repeat(64)
    );
    Snapshot::from_value(&Value::from_json(&text).unwrap()).unwrap()
}

const USAGE: &str = r#"{"inputTokens":0,"outputTokens":0,"cacheReadTokens":0,"cacheWriteTokens":0,"costUsd":0,
    "turns":0}"#;

/// What happens in this superstep.
pub(super) fn progress(step: u64) -> Progress {
    progress_to(step, &format!(r#"{{"set":["step"],"value":{step}}}"#))
}

pub(super) fn progress_to(step: u64, change: &str) -> Progress {
    let text = format!(
        r#"{{"status":"running","updatedAt":"1970-01-01T00:00:00.000Z","activeTimeMs":0,"step":{step},
        "nodeRuns":{step},"usage":{USAGE},"pending":["a"],"landed":true,"state":[{change}]}}"#
    );
    Progress::from_value(&Value::from_json(&text).unwrap()).unwrap()
}

pub(super) fn create(
    store: &CheckpointFiles,
    owner: &str,
) -> Result<Box<dyn CheckpointLease>, CheckpointError> {
    store.create(snapshot(0), None, owner, at(0))
}

pub(super) fn code<T>(result: Result<T, CheckpointError>) -> &'static str {
    result.map_or_else(|error| error.code(), |_| "")
}

#[test]
fn what_was_committed_is_read_again_and_compaction_bounds_the_log() {
    let scratch = Scratch::new();
    let store = CheckpointFiles::new(scratch.join("runs"));
    let mut lease = create(&store, "one").unwrap();
    for step in 1..=400 {
        assert_eq!(
            lease.commit(step, &progress(step), at(0)).unwrap(),
            step + 1
        );
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
    let mut one = create(&store, "one").unwrap();
    assert_eq!(code(create(&store, "two")), "CHECKPOINT_CONFLICT");
    assert_eq!(
        code(store.open("run-1", "two", at(29_999))),
        "RUN_LEASE_HELD"
    );
    assert_eq!(code(store.delete("run-1", at(29_999))), "RUN_LEASE_HELD");
    assert_eq!(
        code(one.commit(7, &progress(1), at(1))),
        "CHECKPOINT_CONFLICT"
    );
    one.renew(at(10_000)).unwrap();
    assert_eq!(
        code(store.open("run-1", "two", at(39_999))),
        "RUN_LEASE_HELD"
    );
    assert_eq!(
        code(one.commit(1, &progress(1), at(40_000))),
        "RUN_LEASE_EXPIRED"
    );
    let mut two = store.open("run-1", "two", at(40_000)).unwrap();
    assert_eq!(
        code(one.commit(1, &progress(1), at(40_000))),
        "RUN_LEASE_LOST"
    );
    assert_eq!(two.commit(1, &progress(1), at(40_001)).unwrap(), 2);
    assert_eq!(
        code(two.commit(2, &progress(0), at(40_002))),
        "CHECKPOINT_INVALID"
    );
    two.release(at(40_003)).unwrap();
    store.delete("run-1", at(40_004)).unwrap();
    assert_eq!(code(store.load("run-1")), "CHECKPOINT_NOT_FOUND");
    assert_eq!(code(create(&store, "three")), "CHECKPOINT_CONFLICT");
}

#[test]
fn a_log_cut_anywhere_gives_an_earlier_revision_and_can_be_continued() {
    let scratch = Scratch::new();
    let store = CheckpointFiles::new(scratch.join("runs"));
    let mut lease = create(&store, "one").unwrap();
    let path = scratch.join("runs/run-1/log");
    let first = fs::metadata(&path).unwrap().len() as usize;
    lease.commit(1, &progress(1), at(0)).unwrap();
    let whole = fs::read(&path).unwrap();
    for cut in first..whole.len() {
        fs::write(&path, &whole[..cut]).unwrap();
        assert_eq!(store.load("run-1").unwrap().snapshot, snapshot(0));
        // Each takes two writes that are synchronized.
        if cut % 16 == 0 {
            let mut lease = store.open("run-1", "two", at(30_000)).unwrap();
            assert_eq!(lease.checkpoint().unwrap().snapshot, snapshot(0));
            lease.commit(1, &progress(1), at(30_001)).unwrap();
            assert_eq!(store.load("run-1").unwrap().snapshot, snapshot(1));
        }
    }
}

#[test]
fn a_changed_byte_is_never_believed() {
    let scratch = Scratch::new();
    let store = CheckpointFiles::new(scratch.join("runs"));
    let mut lease = create(&store, "one").unwrap();
    lease.commit(1, &progress(1), at(0)).unwrap();
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
fn of_owners_that_race_one_gets_the_run() {
    let scratch = Scratch::new();
    let store = CheckpointFiles::new(scratch.join("runs"));
    drop(create(&store, "first").unwrap());
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
    let mut lease = create(&store, "one").unwrap();
    let changes = [
        (
            r#"{"set":["b"],"value":{"c":1,"d":2}}"#,
            r#"{"step":0,"b":{"c":1,"d":2}}"#,
        ),
        (
            r#"{"set":["b"],"value":{"d":2,"c":1}}"#,
            r#"{"step":0,"b":{"d":2,"c":1}}"#,
        ),
        (
            r#"{"unset":["step"]},{"set":["step"],"value":9}"#,
            r#"{"b":{"d":2,"c":1},"step":9}"#,
        ),
    ];
    for (step, (change, text)) in (1..).zip(changes) {
        lease
            .commit(step, &progress_to(step, change), at(0))
            .unwrap();
        let stored = store.load("run-1").unwrap().snapshot;
        assert_eq!(Value::from((*stored.state).clone()).to_string(), text);
    }
}

#[test]
fn what_cannot_have_happened_is_neither_stored_nor_believed() {
    let scratch = Scratch::new();
    let store = CheckpointFiles::new(scratch.join("runs"));
    let mut lease = create(&store, "one").unwrap();
    lease.commit(1, &progress(5), at(0)).unwrap();
    let path = scratch.join("runs/run-1/log");
    let before = fs::read(&path).unwrap();
    for wrong in [
        progress(4),
        progress_to(6, r#"{"splice":["step"],"dropped":1,"added":[]}"#),
        progress_to(6, r#"{"set":["step","deeper"],"value":1}"#),
    ] {
        let refused = lease.commit(2, &wrong, at(0));
        assert_eq!(code(refused), "CHECKPOINT_INVALID");
        assert_eq!(fs::read(&path).unwrap(), before);
    }
    assert_eq!(lease.commit(2, &progress(6), at(0)).unwrap(), 3);

    // The same, written by somebody who makes digests but does not look at what is written.
    let text = String::from_utf8(before).unwrap();
    let last = text.lines().last().unwrap();
    let (digest, record) = last.split_once(' ').unwrap();
    let backwards = record
        .replace(
            r#""sequence":"2","revision":"2""#,
            r#""sequence":"3","revision":"3""#,
        )
        .replace(r#""step":5,"#, r#""step":4,"#);
    let forged = crate::digest::Digest::of_bytes(format!("{digest} {backwards}").as_bytes());
    let forged = forged.to_string().replace("sha256:", "");
    fs::write(&path, format!("{text}{forged} {backwards}\n")).unwrap();
    let refused = store.load("run-1").unwrap_err();
    assert!(refused.to_string().contains("$snapshot.step"), "{refused}");
    let skipped = record.replace(r#""sequence":"2""#, r#""sequence":"4""#);
    let forged = crate::digest::Digest::of_bytes(format!("{digest} {skipped}").as_bytes());
    let forged = forged.to_string().replace("sha256:", "");
    fs::write(&path, format!("{text}{forged} {skipped}\n")).unwrap();
    assert_eq!(code(store.load("run-1")), "CHECKPOINT_INVALID");
}

#[test]
fn the_outline_of_the_graph_stays_with_the_run() {
    let graph = crate::json::Value::from_json(
        r#"{"format":"1","hash":"sha256:HASH","nodes":{"a":"1 2 3"},"edges":[],"entry":"4","reducers":[],
        "channels":[],"limits":"5"}"#
            .replace("HASH", &"0".repeat(64))
            .as_str(),
    );
    let outline = Outline::from_value(&graph.unwrap());
    let scratch = Scratch::new();
    let store = CheckpointFiles::new(scratch.join("runs"));
    let lease = store.create(snapshot(0), outline.as_ref(), "one", at(0));
    let mut lease = lease.unwrap();
    for step in 1..5 {
        let change = format!(r#"{{"set":["step"],"value":"{}"}}"#, "x".repeat(40_000));
        let progress = progress_to(step, &change);
        lease.commit(step, &progress, at(0)).unwrap();
    }
    assert!(outline.is_some());
    assert_eq!(store.load("run-1").unwrap().outline, outline);
}

#[test]
fn what_is_written_grows_with_what_happens_however_long_the_run_is() {
    let scratch = Scratch::new();
    let store = CheckpointFiles::new(scratch.join("runs"));
    let mut lease = create(&store, "one").unwrap();
    let note = |step: u64| {
        let change = format!(r#"{{"set":["note{step}"],"value":"{}"}}"#, "x".repeat(2000));
        progress_to(step, &change)
    };
    let (mut appended, mut compactions) = (Vec::new(), Vec::new());
    let path = scratch.join("runs/run-1/log");
    for step in 1..=400 {
        let (written, length) = (faults::written(), fs::metadata(&path).unwrap().len());
        lease.commit(step, &note(step), at(0)).unwrap();
        let written = faults::written() - written;
        if fs::metadata(&path).unwrap().len() > length {
            appended.push(written);
        } else {
            compactions.push(written);
        }
    }
    // Only the numbers in it grow longer.
    let (least, most) = (
        appended.iter().min().unwrap(),
        appended.iter().max().unwrap(),
    );
    assert!(most - least < 30, "{least} to {most} bytes");
    let (steps, wholes): (usize, usize) = (appended.iter().sum(), compactions.iter().sum());
    assert!(compactions.len() > 2, "{compactions:?}");
    assert!(wholes <= 2 * steps, "{wholes} beside {steps}");
    let run = store.load("run-1").unwrap();
    assert_eq!((run.revision, run.snapshot.state.len()), (401, 401));
}
