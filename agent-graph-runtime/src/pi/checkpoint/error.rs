//! Why checkpoints are refused. Knows the words only.

use alloc::string::String;
use core::fmt;
use std::io;

use crate::pi::run::SnapshotError;

/// Why a store refused.
#[derive(Debug)]
#[non_exhaustive]
pub enum CheckpointError {
    /// Another has the right to the run.
    LeaseHeld,
    /// The right to the run is over.
    LeaseExpired,
    /// The right to the run is another's, or the run was deleted.
    LeaseLost,
    /// The run is at another revision, or exists already.
    Conflict,
    /// There is no such run.
    NotFound,
    /// What is stored, or is to be stored, is not valid: where, and why.
    Invalid(String),
    /// The file system refused.
    Io(io::Error),
}

impl CheckpointError {
    /// The stable code of the error.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::LeaseHeld => "RUN_LEASE_HELD",
            Self::LeaseExpired => "RUN_LEASE_EXPIRED",
            Self::LeaseLost => "RUN_LEASE_LOST",
            Self::Conflict => "CHECKPOINT_CONFLICT",
            Self::NotFound => "CHECKPOINT_NOT_FOUND",
            Self::Invalid(_) => "CHECKPOINT_INVALID",
            Self::Io(_) => "CHECKPOINT_IO",
        }
    }
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())?;
        match self {
            Self::Invalid(problem) => write!(f, ": {problem}"),
            Self::Io(error) => write!(f, ": {error}"),
            _ => Ok(()),
        }
    }
}

impl core::error::Error for CheckpointError {}

impl From<io::Error> for CheckpointError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<SnapshotError> for CheckpointError {
    fn from(error: SnapshotError) -> Self {
        Self::Invalid(alloc::format!("{}: {}", error.path, error.reason))
    }
}
