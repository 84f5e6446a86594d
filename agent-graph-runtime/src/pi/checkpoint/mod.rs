//! Where checkpoints of runs are kept, and who may write them: a trait for stores, and one of files. Time comes
//! in as an argument. Knows snapshots, nothing about how a run is driven.

mod error;
mod files;
mod log;
mod record;
mod reference;

#[cfg(test)]
mod fault_tests;
#[cfg(test)]
mod tests;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

pub use error::CheckpointError;
pub use files::CheckpointFiles;
pub use reference::read_reference;

use super::run::{Outline, Progress, Snapshot};
use crate::timestamp::Timestamp;

/// How many runs a list has where nothing is said.
pub const LISTED: usize = 50;

/// A run as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// How many snapshots were stored, this one included.
    pub revision: u64,
    /// The latest of them.
    pub snapshot: Snapshot,
    /// The outline of the graph that the run was started with, if it was kept.
    pub outline: Option<Outline>,
}

/// What lies in a store.
#[derive(Debug, Default)]
pub struct Listing {
    /// The runs, the one that was changed last in front.
    pub runs: Vec<Checkpoint>,
    /// Runs that cannot be read, and why.
    pub unreadable: Vec<(String, CheckpointError)>,
}

/// Keeps runs.
pub trait CheckpointStore {
    /// Stores the first snapshot of a run, with the outline of its graph, and gives the right to store more to
    /// `owner`, a text that is different for each caller.
    ///
    /// # Errors
    /// [`CheckpointError::Conflict`] when there is or was such a run.
    fn create(
        &self,
        snapshot: Snapshot,
        outline: Option<&Outline>,
        owner: &str,
        now: Timestamp,
    ) -> Result<Box<dyn CheckpointLease>, CheckpointError>;

    /// Gives the right to store more snapshots of a run to `owner`.
    ///
    /// # Errors
    /// [`CheckpointError::LeaseHeld`] while another has it; that the run is not there, or cannot be read.
    fn open(
        &self,
        run_id: &str,
        owner: &str,
        now: Timestamp,
    ) -> Result<Box<dyn CheckpointLease>, CheckpointError>;

    /// Reads a run, whoever has the right to write it.
    ///
    /// # Errors
    /// That it is not there, or cannot be read.
    fn load(&self, run_id: &str) -> Result<Checkpoint, CheckpointError>;

    /// The runs that were changed last, at most `limit`; see [`LISTED`].
    ///
    /// # Errors
    /// That the store cannot be read. Single runs that cannot are skipped and told.
    fn list(&self, limit: usize) -> Result<Listing, CheckpointError>;

    /// Deletes a run. Its id stays used.
    ///
    /// # Errors
    /// [`CheckpointError::LeaseHeld`] while somebody has the right to write it.
    fn delete(&self, run_id: &str, now: Timestamp) -> Result<(), CheckpointError>;
}

/// The right to store what happens to a run. Each commit renews it.
pub trait CheckpointLease: Send {
    /// What was stored last. Takes as long as the run is.
    ///
    /// # Errors
    /// That it cannot be read.
    fn checkpoint(&self) -> Result<Checkpoint, CheckpointError>;

    /// The revision that was stored last.
    fn revision(&self) -> u64;

    /// Stores what has happened since revision `expected`, and says the revision after it. After an error, the
    /// run is stored as it was before or as it is now, and what follows is refused or goes on from there.
    ///
    /// # Errors
    /// That the right is over or another's, that the revision is another, or that this cannot have happened.
    fn commit(
        &mut self,
        expected: u64,
        progress: &Progress,
        now: Timestamp,
    ) -> Result<u64, CheckpointError>;

    /// When the right should be renewed: long before it is over.
    fn renewal(&self) -> Timestamp;

    /// Renews the right.
    ///
    /// # Errors
    /// That it is over, or another's.
    fn renew(&mut self, now: Timestamp) -> Result<(), CheckpointError>;

    /// Gives the right back.
    ///
    /// # Errors
    /// That it is over, or another's.
    fn release(&mut self, now: Timestamp) -> Result<(), CheckpointError>;
}
