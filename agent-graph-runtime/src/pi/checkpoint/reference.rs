//! Runs as the reference implementation keeps them (spec 13.3): a journal of numbered entries, of which the one
//! with the highest number counts, and the snapshot that it points to. Only read: runs that are taken over go
//! on in a store of ours.

use alloc::format;
use alloc::string::String;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use super::{Checkpoint, CheckpointError};
use crate::json::{Object, Value};
use crate::pi::run::{Snapshot, is_run_id};

/// The latest snapshot of a run that the reference implementation keeps in this folder. It is put into a store
/// of ours with [`create`](super::CheckpointStore::create), if nobody goes on with it where it is.
///
/// ```no_run
/// use agent_graph_runtime::pi::checkpoint::{CheckpointFiles, CheckpointStore, read_reference};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let kept = read_reference("runs-of-before".as_ref(), "run-1")?;
/// let now = std::time::SystemTime::now().into();
/// CheckpointFiles::new("runs").create(kept.snapshot, None, "import", now)?.release(now)?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`CheckpointError::NotFound`] when it is not there or was deleted, [`CheckpointError::Invalid`] when what is
/// there is not what the reference writes.
pub fn read_reference(root: &Path, run_id: &str) -> Result<Checkpoint, CheckpointError> {
    if !is_run_id(run_id) {
        return Err(wrong("runId"));
    }
    let journal = root.join(".journal").join(run_id);
    let sequence = latest(&journal)?.ok_or(CheckpointError::NotFound)?;
    let entry = read(&journal.join(format!("{sequence:016}.json")))?;
    let entry = checked(&entry, "pi-graph-checkpoint-journal")?;
    require(number(entry, "sequence") == Some(sequence), "sequence")?;
    require(text(entry, "runId") == Some(run_id), "runId")?;
    match entry.get("deleted") {
        Some(Value::Bool(false)) => {}
        Some(Value::Bool(true)) => return Err(CheckpointError::NotFound),
        _ => return Err(wrong("deleted")),
    }
    let checkpoint = entry.get("checkpoint").and_then(Value::as_object);
    let checkpoint = checkpoint.ok_or_else(|| wrong("checkpoint"))?;
    let revision = number(checkpoint, "revision").ok_or_else(|| wrong("revision"))?;
    let blob = text(checkpoint, "blob").ok_or_else(|| wrong("blob"))?;
    require(is_blob(blob, revision), "blob")?;
    let blob = read(&journal.join("blobs").join(blob))?;
    let blob = checked(&blob, "pi-graph-checkpoint-blob")?;
    require(number(blob, "revision") == Some(revision), "revision")?;
    let snapshot = blob.get("snapshot").ok_or_else(|| wrong("snapshot"))?;
    let snapshot = Snapshot::from_value(snapshot)?;
    snapshot.check_run_id(run_id)?;
    Ok(Checkpoint {
        revision,
        snapshot,
        outline: None,
    })
}

/// The highest number of an entry.
fn latest(journal: &Path) -> Result<Option<u64>, CheckpointError> {
    let entries = match fs::read_dir(journal) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        entries => entries?,
    };
    let mut latest = None;
    for entry in entries {
        let name = entry?.file_name();
        let number = name.to_str().and_then(|name| name.strip_suffix(".json"));
        let is_number =
            |number: &&str| number.len() == 16 && number.bytes().all(|byte| byte.is_ascii_digit());
        let number = number
            .filter(is_number)
            .and_then(|number| number.parse().ok());
        latest = latest.max(number);
    }
    Ok(latest)
}

/// A file of JSON that is no link to somewhere else.
fn read(path: &Path) -> Result<Value, CheckpointError> {
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(CheckpointError::Invalid("it is no file".into()));
    }
    let file = fs::read_to_string(path)?;
    Value::from_json(&file).map_err(|_| wrong("file"))
}

fn checked<'v>(value: &'v Value, format: &str) -> Result<&'v Object, CheckpointError> {
    let object = value.as_object().ok_or_else(|| wrong("file"))?;
    require(text(object, "format") == Some(format), "format")?;
    require(number(object, "formatVersion") == Some(1), "formatVersion")?;
    Ok(object)
}

/// `r<revision>.<name>.json`, where the name leads nowhere else.
fn is_blob(blob: &str, revision: u64) -> bool {
    let name = blob.strip_prefix(&format!("r{revision:016}."));
    let name = name.and_then(|name| name.strip_suffix(".json"));
    name.is_some_and(|name| {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        !name.is_empty() && name.bytes().all(is_plain)
    })
}

fn text<'o>(object: &'o Object, name: &str) -> Option<&'o str> {
    object.get(name).and_then(Value::as_str)
}

/// A whole number above 0.
fn number(object: &Object, name: &str) -> Option<u64> {
    let number = object.get(name)?.as_number()?;
    let is_whole = (1.0..9_007_199_254_740_992.0).contains(&number) && number % 1.0 == 0.0;
    is_whole.then_some(number as u64)
}

fn require(holds: bool, name: &str) -> Result<(), CheckpointError> {
    if holds { Ok(()) } else { Err(wrong(name)) }
}

fn wrong(name: &str) -> CheckpointError {
    let words: String = format!("{name}: it is not what the reference has there");
    CheckpointError::Invalid(words)
}
