//! What a run remembers: its threads, its history, what the nodes of a superstep came to (spec 9.4, 13.1).
//! Knows nothing about how it is written down.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use super::attempt::Interrupt;
use super::usage::Usage;
use crate::json::Value;
use crate::pi::reducer::Write;
use crate::protocol::{UnknownName, wire_enum};
use crate::timestamp::Timestamp;

wire_enum! {
    /// Where a run is.
    RunStatus ("run status") {
        /// It goes on, or could.
        Running = "running",
        /// It waits for a person.
        Interrupted = "interrupted",
        /// Nothing is left to do.
        Completed = "completed",
        /// It failed; resuming it goes on with what is unresolved.
        Failed = "failed",
        /// The caller ended it.
        Cancelled = "cancelled",
    }
}

wire_enum! {
    /// What a node came to in a superstep.
    NodeStatus ("node status") {
        /// Done.
        Completed = "completed",
        /// Failed, whatever the graph makes of it.
        Failed = "failed",
        /// Waits for a person.
        Interrupted = "interrupted",
        /// Ended by the caller; only in events.
        Cancelled = "cancelled",
    }
}

/// The durable conversation behind a thread key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadRecord {
    /// The key.
    pub key: String,
    /// The name of the session, a UUID.
    pub session_id: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last used.
    pub updated_at: Timestamp,
    /// The nodes that use it, in the order in which they were first scheduled.
    pub nodes: Vec<String>,
    /// How many attempts used it.
    pub invocation_count: u64,
    /// The node that used it last.
    pub last_node: Option<String>,
}

/// What a node came to in a superstep, for the record.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryEntry {
    /// The superstep.
    pub step: u64,
    /// The node.
    pub node: String,
    /// What it came to: completed, failed or interrupted.
    pub status: NodeStatus,
    /// How many attempts there were.
    pub attempts: u64,
    /// When the first attempt began.
    pub started_at: Timestamp,
    /// When the last attempt ended.
    pub ended_at: Timestamp,
    /// What all attempts used.
    pub usage: Usage,
    /// Why it failed, in words.
    pub error: Option<String>,
}

/// What a node of the superstep at work has done, a failure that was turned into success included.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeResult {
    /// What it writes.
    pub writes: Vec<Write>,
    /// What it answered.
    pub output: Option<Value>,
    /// What all attempts used.
    pub usage: Usage,
    /// Where a routed failure leads, in place of everything else.
    pub next: Option<Vec<String>>,
    /// How many attempts there were.
    pub attempts: u64,
    /// When the first attempt began.
    pub started_at: Timestamp,
    /// When the last attempt ended.
    pub ended_at: Timestamp,
}

/// A superstep that is not committed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InFlight {
    /// Its number.
    pub step: u64,
    /// Its nodes in order.
    pub scheduled: Vec<String>,
    /// Those of them that are not done, in the same order.
    pub unresolved: Vec<String>,
    /// What the others did, in the same order.
    pub completed: Vec<(String, NodeResult)>,
}

/// The question for which a run waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingInterrupt {
    /// The node that asks.
    pub node: String,
    /// What it asks.
    pub interrupt: Interrupt,
    /// When it asked.
    pub created_at: Timestamp,
}
