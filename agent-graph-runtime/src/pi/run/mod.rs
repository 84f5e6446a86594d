//! Runs of a graph. What an attempt is given and comes to, what a run remembers, and a run at one point.
//! Knows nothing about processes, files and clocks: time comes in as an argument, and results from whoever
//! makes the attempts.

mod attempt;
mod change;
mod code;
mod event;
mod human;
mod index;
mod machine;
mod named;
mod outcome;
mod outline;
mod progress;
mod record;
mod replay;
mod set_node;
mod snapshot;
mod usage;
mod work;

pub use attempt::{AttemptResult, Failure, Interrupt, Success};
pub use change::{Change, change};
pub use code::RunCode;
pub use event::{Event, Happening};
pub use machine::{EVENTS_KEPT, Next, Question, Resume, ResumeError, Run, StartError, Wait};
pub use outcome::{NodeFailure, RunError, RunProblem};
pub use outline::Outline;
pub use progress::Progress;
pub use record::{
    HistoryEntry, InFlight, NodeResult, NodeStatus, PendingInterrupt, RunStatus, ThreadRecord,
};
pub use replay::Replay;
pub use snapshot::{CountList, Snapshot, SnapshotError, is_run_id};
pub use usage::Usage;
pub use work::{Budget, Deadline, Ticket, Work, WorkThread};
