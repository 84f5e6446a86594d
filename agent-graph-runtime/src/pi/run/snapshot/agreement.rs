//! What holds between the parts of a snapshot (spec 13.1). Knows which parts there are, not what is in them.

use super::Snapshot;
use super::place::{Read, SnapshotError};
use crate::pi::run::record::{PendingInterrupt, RunStatus};

const NEEDED: &str = "the status needs it";
const REFUSED: &str = "the status does not allow it";

/// What a run has at one point.
pub(in crate::pi::run) struct Agreement<'s> {
    pub(in crate::pi::run) status: RunStatus,
    /// Attempts of all nodes in the history.
    pub(in crate::pi::run) attempts: u64,
    pub(in crate::pi::run) node_runs: u64,
    pub(in crate::pi::run) has_pending: bool,
    pub(in crate::pi::run) is_in_flight: bool,
    pub(in crate::pi::run) has_ended: bool,
    pub(in crate::pi::run) has_error: bool,
    pub(in crate::pi::run) interrupt: Option<&'s PendingInterrupt>,
    /// Whether the node that asks is one of the superstep, and not done.
    pub(in crate::pi::run) is_unresolved: bool,
}

impl<'s> Agreement<'s> {
    pub(super) fn of(snapshot: &'s Snapshot) -> Self {
        let attempts = snapshot.history.iter().map(|entry| entry.attempts);
        let in_flight = snapshot.in_flight.as_ref();
        let interrupt = snapshot.interrupt.as_ref();
        let is_unresolved = in_flight
            .zip(interrupt)
            .is_some_and(|(flight, asked)| flight.unresolved.contains(&asked.node));
        Self {
            status: snapshot.status,
            attempts: attempts.fold(0, u64::saturating_add),
            node_runs: snapshot.node_runs,
            has_pending: !snapshot.pending.is_empty(),
            is_in_flight: in_flight.is_some(),
            has_ended: snapshot.ended_at.is_some(),
            has_error: snapshot.error.is_some(),
            interrupt,
            is_unresolved,
        }
    }

    pub(in crate::pi::run) fn check(&self) -> Read<()> {
        require(
            self.attempts <= self.node_runs,
            ".history",
            "there are more attempts than node runs",
        )?;
        require(
            !(self.is_in_flight && self.has_pending),
            ".pending",
            "nodes are pending while a superstep is in flight",
        )?;
        let has_interrupt = self.interrupt.is_some();
        match self.status {
            RunStatus::Running => {
                require(!self.has_ended, ".endedAt", REFUSED)?;
                require(!has_interrupt, ".interrupt", REFUSED)?;
                require(!self.has_error, ".error", REFUSED)
            }
            RunStatus::Interrupted => {
                require(has_interrupt, ".interrupt", NEEDED)?;
                require(self.is_in_flight, ".inFlight", NEEDED)?;
                require(
                    self.is_unresolved,
                    ".interrupt.nodeId",
                    "the node is not unresolved",
                )?;
                require(!self.has_ended, ".endedAt", REFUSED)?;
                require(!self.has_error, ".error", REFUSED)
            }
            RunStatus::Completed => {
                require(self.has_ended, ".endedAt", NEEDED)?;
                require(!self.has_pending, ".pending", REFUSED)?;
                require(!self.is_in_flight, ".inFlight", REFUSED)?;
                require(!has_interrupt, ".interrupt", REFUSED)?;
                require(!self.has_error, ".error", REFUSED)
            }
            RunStatus::Failed | RunStatus::Cancelled => {
                require(self.has_ended, ".endedAt", NEEDED)?;
                require(self.has_error, ".error", NEEDED)?;
                require(!has_interrupt, ".interrupt", REFUSED)
            }
        }
    }
}

fn require(holds: bool, path: &str, reason: &'static str) -> Read<()> {
    if holds {
        Ok(())
    } else {
        Err(SnapshotError::at(path, reason))
    }
}
