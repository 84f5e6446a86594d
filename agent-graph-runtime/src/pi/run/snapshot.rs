//! A run at one point, complete: what a checkpoint holds (spec 13.1). Knows nothing about text and files.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::record::{HistoryEntry, InFlight, PendingInterrupt, RunStatus, ThreadRecord};
use super::usage::Usage;
use crate::digest::Digest;
use crate::json::Object;
use crate::timestamp::Timestamp;

/// A run at one point.
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
    pub completion_counts: Vec<(String, u64)>,
    /// For each barrier that fired (`edge:<index>`), the completions it used up, by source.
    pub barrier_consumed: Vec<(String, Vec<(String, u64)>)>,
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
