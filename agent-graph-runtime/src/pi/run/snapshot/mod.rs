//! A run at one point, complete: what a checkpoint holds (spec 13.1). Knows nothing about text and files.

pub(super) mod agreement;
pub(super) mod place;
pub(super) mod progress;
pub(super) mod read;
pub(super) mod write;

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

pub use place::SnapshotError;

use super::record::{HistoryEntry, InFlight, PendingInterrupt, RunStatus, ThreadRecord};
use super::usage::Usage;
use crate::digest::Digest;
use crate::json::{Object, Value};
use crate::timestamp::Timestamp;

/// Counts by name, in order.
pub type CountList = Vec<(String, u64)>;

/// A run at one point. What is read from outside is valid on its own; [`Snapshot::check_progress`] says
/// whether it may follow another one.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// Its id: letters, digits, `.`, `_` and `-`, at most 128, a letter or digit first.
    pub run_id: String,
    /// The name of its graph.
    pub graph_name: String,
    /// The hash of the graph that it was started with.
    pub graph_hash: Digest,
    /// Where the graph came from, if the host says so.
    pub graph_source: Option<String>,
    /// Where the run is.
    pub status: RunStatus,
    /// When it was made.
    pub created_at: Timestamp,
    /// When this point was reached.
    pub updated_at: Timestamp,
    /// When it was started.
    pub started_at: Timestamp,
    /// When it came to an end.
    pub ended_at: Option<Timestamp>,
    /// Milliseconds for which it was at work.
    pub active_time_ms: u64,
    /// The superstep that was last begun.
    pub step: u64,
    /// Attempts that were made.
    pub node_runs: u64,
    /// The committed state.
    pub state: Arc<Object>,
    /// The nodes of the next superstep, while none is in flight.
    pub pending: Vec<String>,
    /// How often each node was done, in the order in which they were first done.
    pub completion_counts: CountList,
    /// For each barrier that fired (`edge:<index>`), the completions it used up, by source.
    pub barrier_consumed: Vec<(String, CountList)>,
    /// What all attempts used; without a model.
    pub usage: Usage,
    /// What nodes came to.
    pub history: Vec<HistoryEntry>,
    /// The threads by key, in the order in which they were made.
    pub threads: Vec<ThreadRecord>,
    /// The superstep that is not committed.
    pub in_flight: Option<InFlight>,
    /// The question for which the run waits.
    pub interrupt: Option<PendingInterrupt>,
    /// Why it failed, in words.
    pub error: Option<String>,
}

impl Snapshot {
    /// Reads a snapshot, strictly.
    ///
    /// # Errors
    /// The first thing that is wrong: an unknown or missing field, a value of another kind, or one that does
    /// not go with the others.
    pub fn from_value(value: &Value) -> Result<Self, SnapshotError> {
        read::snapshot(value)
    }

    /// The snapshot as JSON, its members in the order in which they lie on disk. Reads back as the same.
    pub fn to_value(&self) -> Value {
        write::snapshot(self)
    }

    /// Whether this snapshot may follow `previous`: what is fixed is the same, what only grows has not
    /// shrunk, and the run had not come to its end.
    ///
    /// # Errors
    /// The first thing that has changed and may not.
    pub fn check_progress(&self, previous: &Self) -> Result<(), SnapshotError> {
        progress::check(previous, self)
    }

    /// Whether this is a snapshot of that run.
    ///
    /// # Errors
    /// That it is not.
    pub fn check_run_id(&self, run_id: &str) -> Result<(), SnapshotError> {
        if self.run_id == run_id {
            Ok(())
        } else {
            Err(SnapshotError::at(".runId", "it is another run"))
        }
    }
}

/// Usage as JSON.
pub(super) fn usage_value(usage: &Usage) -> Value {
    write::usage(usage)
}

/// Whether the text can be the id of a run: 1 to 128 letters, digits, dots, underscores and hyphens, a letter
/// or digit first.
pub fn is_run_id(text: &str) -> bool {
    let mut bytes = text.bytes();
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric();
    text.len() <= 128
        && bytes.next().is_some_and(is_plain)
        && bytes.all(|byte| is_plain(byte) || matches!(byte, b'.' | b'_' | b'-'))
}
