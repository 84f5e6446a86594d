//! What every store has to do, as a check that hosts run against theirs. Knows stores by their trait
//! only.
//!
//! ```
//! use agent_graph_runtime::runs::{Runs, suite};
//! # let folder = std::env::temp_dir().join(format!("agent-graph-suite-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder).unwrap();
//! suite::check(&Runs::in_files(), |name| folder.join(name))?;
//! # std::fs::remove_dir_all(folder).unwrap();
//! # Ok::<(), String>(())
//! ```

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::borrow::Borrow;
use std::thread;

use super::change::Change;
use super::new::NewRun;
use super::operations::Runs;
use super::run::Run;
use super::store::RunStore;
use crate::code::Code;
use crate::error::Error;
use crate::facts::Facts;
use crate::json::Value;
use crate::protocol::Outcome;

const WRITERS: usize = 8;
const RECORDS: usize = 10;

/// Holds a store against what the trait promises. `key` makes a key from a name; nothing may be at it.
///
/// # Errors
/// What the store does otherwise.
pub fn check<S, K>(runs: &Runs<S>, key: impl Fn(&str) -> K) -> Result<(), String>
where
    S: RunStore + Sync,
    K: Borrow<S::Key> + Sync,
{
    missing_runs_cannot_be_read(runs, key("missing").borrow())?;
    runs_come_back_as_they_were_saved(runs, key("kept").borrow())?;
    places_that_are_taken_are_refused(runs, key("taken").borrow())?;
    a_run_that_moved_on_is_not_replaced(runs, key("stale").borrow())?;
    a_failing_change_changes_nothing(runs, key("failing").borrow())?;
    checkpoints_lose_the_authorities(
        runs,
        key("saved").borrow(),
        key("checkpoint").borrow(),
        key("resumed").borrow(),
    )?;
    writers_at_once_lose_nothing(runs, &key("shared"))
}

fn missing_runs_cannot_be_read<S: RunStore>(runs: &Runs<S>, key: &S::Key) -> Result<(), String> {
    refused(
        "loading what is not there",
        runs.load(key),
        Code::FileReadFailed,
    )?;
    let recorded = runs.record(key, "g/a", Outcome::Completed, None);
    refused(
        "recording in what is not there",
        recorded,
        Code::FileReadFailed,
    )?;
    did("check_vacant", runs.store().check_vacant(key))
}

fn runs_come_back_as_they_were_saved<S: RunStore>(
    runs: &Runs<S>,
    key: &S::Key,
) -> Result<(), String> {
    let facts = Facts::from_json(r#"{"b":[1.5,null,"\u0000\u2028é😀"],"10":{},"a":-0}"#);
    let new = NewRun::new("provider", "graph").facts(did("facts", facts)?);
    let created = did("create", runs.create(key, new))?;
    same("what was created", &did("load", runs.load(key))?, &created)?;
    let detail = Some(Value::from("it's \"quoted\"\n"));
    let recorded = did(
        "record",
        runs.record(key, "g/é'\"", Outcome::Failed, detail),
    )?;
    same(
        "what was recorded",
        &did("load", runs.load(key))?,
        &recorded,
    )?;
    numbered(&recorded, 2)
}

fn places_that_are_taken_are_refused<S: RunStore>(
    runs: &Runs<S>,
    key: &S::Key,
) -> Result<(), String> {
    let first = did("create", runs.create(key, NewRun::new("p", "g")))?;
    let again = runs.create(key, NewRun::new("p", "g"));
    refused("creating twice", again, Code::RunTargetExists)?;
    let vacant = runs.store().check_vacant(key);
    refused("check_vacant of a run", vacant, Code::RunTargetExists)?;
    same("the first run", &did("load", runs.load(key))?, &first)
}

fn a_run_that_moved_on_is_not_replaced<S: RunStore>(
    runs: &Runs<S>,
    key: &S::Key,
) -> Result<(), String> {
    let old = did("create", runs.create(key, NewRun::new("p", "g")))?;
    let present = did("record", runs.record(key, "g/a", Outcome::Completed, None))?;
    if did("replace", runs.store().replace(key, &old, &old))? {
        return Err("`replace` replaced a run that had moved on".into());
    }
    same("the present run", &did("load", runs.load(key))?, &present)?;
    let change = Change::SetAuthorities(Vec::new());
    let late = runs.apply_at(key, 1, &change);
    refused("a change of an old run", late, Code::RunConflict)?;
    numbered(&did("apply_at", runs.apply_at(key, 2, &change))?, 3)?;
    let present = did("load", runs.load(key))?;
    if !did("replace", runs.store().replace(key, &present, &old))? {
        return Err("`replace` did not replace the present run".into());
    }
    same("what replaced it", &did("load", runs.load(key))?, &old)
}

fn a_failing_change_changes_nothing<S: RunStore>(
    runs: &Runs<S>,
    key: &S::Key,
) -> Result<(), String> {
    let before = did("create", runs.create(key, NewRun::new("p", "g")))?;
    let mut fail = |_: &Run| Err(Error::new(Code::OutcomeInvalid, "no"));
    let failed = runs.store().update(key, &mut fail);
    refused("a change that fails", failed, Code::OutcomeInvalid)?;
    same("the run", &did("load", runs.load(key))?, &before)
}

fn checkpoints_lose_the_authorities<S: RunStore>(
    runs: &Runs<S>,
    key: &S::Key,
    checkpoint: &S::Key,
    resumed: &S::Key,
) -> Result<(), String> {
    let new = NewRun::new("p", "g").authorities(["b", "a"]);
    did("create", runs.create(key, new))?;
    let saved = did("checkpoint", runs.checkpoint(key, checkpoint))?;
    same(
        "the checkpoint",
        &did("load", runs.load(checkpoint))?,
        &saved,
    )?;
    let again = runs.checkpoint(key, checkpoint);
    refused("a checkpoint twice", again, Code::RunTargetExists)?;
    let run = did("load", runs.load(key))?;
    numbered(&run, 2)?;
    if run.authorities().len() != 2 || saved.authorities().len() != 0 {
        return Err("a checkpoint has no authorities, the run keeps its own".into());
    }
    let resumed_run = did("resume", runs.resume(checkpoint, resumed))?;
    numbered(&resumed_run, 3)?;
    let loaded = did("load", runs.load(resumed))?;
    same("the resumed run", &loaded, &resumed_run)?;
    let again = runs.resume(checkpoint, key);
    refused("resuming over a run", again, Code::RunTargetExists)
}

fn writers_at_once_lose_nothing<S, K>(runs: &Runs<S>, key: &K) -> Result<(), String>
where
    S: RunStore + Sync,
    K: Borrow<S::Key> + Sync,
{
    did("create", runs.create(key.borrow(), NewRun::new("p", "g")))?;
    let write = |writer: usize| {
        for number in 0..RECORDS {
            let node = format!("g/{writer}-{number}");
            // A conflict is an answer: nothing was changed, and trying again is right.
            loop {
                match runs.record(key.borrow(), node.as_str(), Outcome::Completed, None) {
                    Ok(_) => break,
                    Err(error) if error.code() == Code::RunConflict => {}
                    Err(error) => return Err(format!("record: {error}")),
                }
            }
        }
        Ok(())
    };
    thread::scope(|scope| {
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| scope.spawn(move || write(writer)))
            .collect();
        writers.into_iter().try_for_each(|writer| {
            let ended = writer.join();
            ended.unwrap_or_else(|_| Err("a writer panicked".into()))
        })
    })?;
    let run = did("load", runs.load(key.borrow()))?;
    numbered(&run, 1 + (WRITERS * RECORDS) as u64)?;
    for writer in 0..WRITERS {
        for number in 0..RECORDS {
            let node = format!("g/{writer}-{number}");
            if run.outcome(&node).is_none() {
                return Err(format!("the outcome of `{node}` is lost"));
            }
        }
    }
    Ok(())
}

/// Whether events are numbered from 1 to `last` without gaps.
fn numbered(run: &Run, last: u64) -> Result<(), String> {
    let numbers: Vec<u64> = run.events().map(|event| event.sequence()).collect();
    if numbers.iter().copied().eq(1..=last) {
        return Ok(());
    }
    Err(format!("events are numbered {numbers:?}, not 1 to {last}"))
}

fn did<T>(what: &str, result: Result<T, Error>) -> Result<T, String> {
    result.map_err(|error| format!("`{what}` failed: {error}"))
}

fn refused<T>(what: &str, result: Result<T, Error>, expected: Code) -> Result<(), String> {
    match result {
        Err(error) if error.code() == expected => Ok(()),
        Err(error) => Err(format!("{what}: {expected} expected, not {error}")),
        Ok(_) => Err(format!("{what}: {expected} expected, but it worked")),
    }
}

fn same(what: &str, found: &Run, expected: &Run) -> Result<(), String> {
    if found.text() == expected.text() {
        return Ok(());
    }
    Err(format!(
        "{what} is\n{}not\n{}",
        found.text(),
        expected.text()
    ))
}
