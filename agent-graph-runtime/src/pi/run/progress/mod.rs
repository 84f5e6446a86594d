//! What has happened in a run from one checkpoint to the next: as much as has changed, however long the run is.
//! Knows nothing about the machine, text and files.

mod read;
mod write;

use alloc::string::String;
use alloc::vec::Vec;

use super::record::{HistoryEntry, NodeResult, PendingInterrupt, RunStatus, ThreadRecord};
use super::snapshot::{CountList, SnapshotError};
use super::usage::Usage;
use crate::json::Value;
use crate::pi::apply::StateChange;
use crate::timestamp::Timestamp;

/// What has happened in a run since a checkpoint, made by
/// [`Run::take_progress`](super::Run::take_progress). A [`Replay`](super::Replay) that was at that checkpoint
/// follows.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    pub(super) status: RunStatus,
    pub(super) updated_at: Timestamp,
    pub(super) ended_at: Option<Timestamp>,
    pub(super) active_time_ms: u64,
    pub(super) step: u64,
    pub(super) node_runs: u64,
    pub(super) pending: Vec<String>,
    pub(super) usage: Usage,
    pub(super) interrupt: Option<PendingInterrupt>,
    pub(super) error: Option<String>,
    /// How the state has changed.
    pub(super) state: Vec<StateChange>,
    /// The counts that have changed, as they are now.
    pub(super) completion_counts: CountList,
    /// The barriers that have fired, as they are now.
    pub(super) barrier_consumed: Vec<(String, CountList)>,
    /// What was added.
    pub(super) history: Vec<HistoryEntry>,
    /// The threads that have changed, of their nodes only those that were added.
    pub(super) threads: Vec<ThreadRecord>,
    /// Whether the superstep that was in flight is not any more.
    pub(super) has_landed: bool,
    /// The nodes of the superstep that has begun since.
    pub(super) scheduled: Vec<String>,
    /// What nodes of the superstep that is in flight now have done.
    pub(super) completed: Vec<(String, NodeResult)>,
}

impl Progress {
    /// Reads what has happened, strictly. Whether it may have happened to a certain run says the replay.
    ///
    /// # Errors
    /// The first thing that is wrong on its own.
    pub fn from_value(value: &Value) -> Result<Self, SnapshotError> {
        read::progress(value)
    }

    /// What has happened, as JSON. Reads back as the same.
    pub fn to_value(&self) -> Value {
        write::progress(self)
    }
}
