//! Runs of a graph. What an attempt is given and comes to, what a run remembers, and a run at one point.
//! Knows nothing about processes, files and clocks: time comes in as an argument, and results from whoever
//! makes the attempts.

mod attempt;
mod code;
mod record;
mod snapshot;
mod usage;
mod work;

pub use attempt::{AttemptResult, Failure, Interrupt, Success};
pub use code::RunCode;
pub use record::{
    HistoryEntry, InFlight, NodeResult, NodeStatus, PendingInterrupt, RunStatus, ThreadRecord,
};
pub use snapshot::Snapshot;
pub use usage::Usage;
pub use work::{Budget, Deadline, Ticket, Work};
