//! Lets every write of the store fail at every step: what is stored then is the run as it was or as it was to
//! be, the failure is told, and the store goes on.

use alloc::boxed::Box;
use std::fs;

use super::tests::{at, code, create, progress, snapshot};
use super::*;
use crate::durable::faults;
use crate::durable::tests::Scratch;

/// More often no step is taken by one write.
const OFTEN: usize = 3;

type Lease = Box<dyn CheckpointLease>;
type Stored = Result<(), CheckpointError>;

/// Lets each step of `act` fail in turn and holds what is left against `check`, with a lease of before if
/// `prepare` gives one.
fn each_fault<L>(
    prepare: impl Fn(&CheckpointFiles) -> L,
    act: impl Fn(&CheckpointFiles, &mut L) -> Stored,
    check: impl Fn(&CheckpointFiles, &mut L, Stored),
) {
    let mut failures = 0;
    for step in faults::ALL.into_iter().chain(faults::APPENDING) {
        for nth in 1..=OFTEN {
            let scratch = Scratch::new();
            let store = CheckpointFiles::new(scratch.join("runs"));
            let mut lease = prepare(&store);
            let result = faults::failing(step, nth, || act(&store, &mut lease));
            if let Err(error) = &result {
                assert_eq!(error.code(), "CHECKPOINT_IO", "{step:?} {nth}");
                failures += 1;
            }
            check(&store, &mut lease, result);
            for entry in fs::read_dir(scratch.join("runs/run-1")).unwrap() {
                let name = entry.unwrap().file_name();
                assert!(
                    name == "log" || name == "lock",
                    "{name:?} after {step:?} {nth}"
                );
            }
        }
    }
    assert!(failures >= 4, "only {failures} steps failed");
}

fn created(store: &CheckpointFiles) -> Lease {
    create(store, "one").unwrap()
}

/// A run whose log is due to be replaced.
fn long(store: &CheckpointFiles) -> (Lease, u64) {
    let mut lease = created(store);
    let note = |step: u64| {
        let change = alloc::format!(r#"{{"set":["note"],"value":"{}"}}"#, "x".repeat(40_000));
        super::tests::progress_to(step, &change)
    };
    for step in 1..=2 {
        lease.commit(step, &note(step), at(0)).unwrap();
    }
    let length = fs::metadata(store.log("run-1")).unwrap().len();
    assert!(length > super::log::SLACK, "{length}");
    (lease, 3)
}

fn step_of(store: &CheckpointFiles) -> u64 {
    store.load("run-1").unwrap().snapshot.step
}

/// After a commit of superstep `next` the run is at it or at the one before, and goes on from there.
fn is_before_or_after(store: &CheckpointFiles, lease: &mut Lease, next: u64, result: Stored) {
    let step = step_of(store);
    match result {
        Ok(()) => assert_eq!(step, next),
        Err(_) => assert!(step == next || step + 1 == next, "{step}"),
    }
    let again = lease.commit(step + 1, &progress(step + 1), at(1));
    assert_eq!(code(again), "");
    assert_eq!(step_of(store), step + 1);
}

#[test]
fn a_run_that_could_not_be_created_can_be_created_again() {
    each_fault(
        |_| (),
        |store, ()| create(store, "one").map(drop),
        |store, (), result| {
            match result {
                Ok(()) => assert_eq!(step_of(store), 0),
                Err(_) => {
                    let again = code(create(store, "one"));
                    assert!(matches!(again, "" | "CHECKPOINT_CONFLICT"), "{again}");
                }
            }
            assert_eq!(store.load("run-1").unwrap().snapshot, snapshot(0));
        },
    );
}

#[test]
fn a_commit_that_fails_is_made_or_not_made() {
    each_fault(
        created,
        |_, lease| lease.commit(1, &progress(1), at(0)).map(drop),
        |store, lease, result| is_before_or_after(store, lease, 1, result),
    );
}

#[test]
fn a_commit_that_replaces_a_long_log_is_made_or_not_made() {
    each_fault(
        long,
        |_, (lease, next)| lease.commit(*next, &progress(*next), at(0)).map(drop),
        |store, (lease, next), result| is_before_or_after(store, lease, *next, result),
    );
}

#[test]
fn a_lease_that_is_not_renewed_or_given_back_leaves_the_run_as_it_is() {
    for keeps in [true, false] {
        each_fault(
            created,
            |_, lease| match keeps {
                true => lease.renew(at(10_000)),
                false => lease.release(at(10_000)),
            },
            |store, _, result| {
                assert_eq!(step_of(store), 0);
                let other = code(store.open("run-1", "two", at(20_000)));
                match (result, keeps) {
                    (Ok(()), false) => assert_eq!(other, ""),
                    (Err(_), false) => assert!(matches!(other, "" | "RUN_LEASE_HELD"), "{other}"),
                    (_, true) => assert_eq!(other, "RUN_LEASE_HELD"),
                }
            },
        );
    }
}

#[test]
fn a_run_that_could_not_be_opened_can_be_opened_when_its_lease_is_over() {
    each_fault(
        |store| drop(created(store)),
        |store, ()| store.open("run-1", "two", at(30_000)).map(drop),
        |store, (), _| {
            assert_eq!(step_of(store), 0);
            let mut lease = store.open("run-1", "three", at(60_000)).unwrap();
            assert_eq!(code(lease.commit(1, &progress(1), at(60_000))), "");
        },
    );
}

#[test]
fn a_run_that_could_not_be_deleted_is_there_or_gone() {
    each_fault(
        |store| created(store).release(at(0)).unwrap(),
        |store, ()| store.delete("run-1", at(0)),
        |store, (), result| {
            let there = code(store.load("run-1"));
            match result {
                Ok(()) => assert_eq!(there, "CHECKPOINT_NOT_FOUND"),
                Err(_) => assert!(matches!(there, "" | "CHECKPOINT_NOT_FOUND"), "{there}"),
            }
            assert_eq!(code(create(store, "one")), "CHECKPOINT_CONFLICT");
        },
    );
}

#[test]
fn what_a_crash_has_left_goes_away_with_the_next_who_writes() {
    let scratch = Scratch::new();
    let store = CheckpointFiles::new(scratch.join("runs"));
    drop(created(&store));
    let left = scratch.join("runs/run-1/.agent-graph-1-1.tmp");
    fs::write(&left, "half a log").unwrap();
    drop(store.open("run-1", "two", at(30_000)).unwrap());
    assert!(!left.exists());
}
