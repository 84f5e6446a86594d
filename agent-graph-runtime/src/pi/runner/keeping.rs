//! What a runner does with a run at its checkpoints: stores it somewhere, and keeps the right to. Knows
//! nothing about attempts.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use core::fmt;
use core::hash::{BuildHasher, Hasher};
use core::sync::atomic::{AtomicU64, Ordering};
use std::hash::RandomState;

use super::{Store, StoreError};
use crate::pi::checkpoint::{Checkpoint, CheckpointError, CheckpointLease, CheckpointStore};
use crate::pi::run::{Outline, ResumeError, Run};
use crate::timestamp::Timestamp;

/// Why a run that is kept in a store cannot begin or go on.
#[derive(Debug)]
#[non_exhaustive]
pub enum KeptRunError {
    /// The store refused.
    Checkpoint(CheckpointError),
    /// The run is one of another graph, or of another definition.
    Resume(ResumeError),
}

impl KeptRunError {
    /// The stable code of the error.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Checkpoint(error) => error.code(),
            Self::Resume(error) => error.as_str(),
        }
    }
}

impl fmt::Display for KeptRunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Checkpoint(error) => error.fmt(f),
            Self::Resume(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for KeptRunError {}

impl From<CheckpointError> for KeptRunError {
    fn from(error: CheckpointError) -> Self {
        Self::Checkpoint(error)
    }
}

impl From<ResumeError> for KeptRunError {
    fn from(error: ResumeError) -> Self {
        Self::Resume(error)
    }
}

/// Where checkpoints go to.
pub(super) trait Keeping {
    type Error;

    /// Stores the run as it is. After an error the run does not go on.
    fn keep(&mut self, run: &mut Run, now: Timestamp) -> Result<(), Self::Error>;

    /// When the right to store is to be renewed, if that has to be done.
    fn renewal(&self) -> Option<Timestamp>;

    /// Renews the right to store.
    fn renew(&mut self, now: Timestamp) -> Result<(), Self::Error>;
}

/// Lets a function of the host store checkpoints.
pub(super) struct ByFunction<'k, 'r>(pub(super) Option<&'k mut Store<'r>>);

impl Keeping for ByFunction<'_, '_> {
    type Error = StoreError;

    fn keep(&mut self, run: &mut Run, _: Timestamp) -> Result<(), StoreError> {
        match &mut self.0 {
            Some(store) => store(run),
            None => Ok(()),
        }
    }

    fn renewal(&self) -> Option<Timestamp> {
        None
    }

    fn renew(&mut self, _: Timestamp) -> Result<(), StoreError> {
        Ok(())
    }
}

/// Keeps a run in a store: the first checkpoint of a new run makes its entry there.
pub(super) struct InStore<'k> {
    store: &'k dyn CheckpointStore,
    owner: String,
    lease: Option<Box<dyn CheckpointLease>>,
}

impl<'k> InStore<'k> {
    pub(super) fn new(store: &'k dyn CheckpointStore) -> Self {
        Self {
            store,
            owner: owner(),
            lease: None,
        }
    }

    /// Takes the right to go on with a run that is there, and says where it is.
    pub(super) fn open(
        &mut self,
        run_id: &str,
        now: Timestamp,
    ) -> Result<Checkpoint, CheckpointError> {
        let lease = self.store.open(run_id, &self.owner, now)?;
        self.lease.insert(lease).checkpoint()
    }

    /// Gives the right back after the call of a run that came to this. Whoever has lost it writes nothing any
    /// more.
    pub(super) fn end<T>(
        mut self,
        result: Result<T, KeptRunError>,
        now: Timestamp,
    ) -> Result<T, KeptRunError> {
        let is_lost = matches!(
            result,
            Err(KeptRunError::Checkpoint(
                CheckpointError::LeaseLost | CheckpointError::LeaseExpired
            ))
        );
        let released = match &mut self.lease {
            Some(lease) if !is_lost => lease.release(now),
            _ => Ok(()),
        };
        let value = result?;
        match released {
            // Everything is stored, and nobody is kept away.
            Ok(()) | Err(CheckpointError::LeaseLost | CheckpointError::LeaseExpired) => Ok(value),
            Err(error) => Err(error.into()),
        }
    }
}

impl Keeping for InStore<'_> {
    type Error = KeptRunError;

    fn keep(&mut self, run: &mut Run, now: Timestamp) -> Result<(), KeptRunError> {
        match &mut self.lease {
            Some(lease) => {
                let expected = lease.revision();
                lease.commit(expected, &run.take_progress(), now)?;
            }
            None => {
                let (snapshot, outline) = (run.begin_recording(), Outline::from(run.graph()));
                let lease = self
                    .store
                    .create(snapshot, Some(&outline), &self.owner, now)?;
                self.lease = Some(lease);
            }
        }
        Ok(())
    }

    fn renewal(&self) -> Option<Timestamp> {
        self.lease.as_ref().map(|lease| lease.renewal())
    }

    fn renew(&mut self, now: Timestamp) -> Result<(), KeptRunError> {
        match &mut self.lease {
            Some(lease) => Ok(lease.renew(now)?),
            None => Ok(()),
        }
    }
}

/// A name that no other call of a run has, in this process or another one. Nothing depends on what it is.
fn owner() -> String {
    static CALLS: AtomicU64 = AtomicU64::new(0);
    let call = CALLS.fetch_add(1, Ordering::Relaxed);
    let random = RandomState::new().build_hasher().finish();
    format!("{}-{call}-{random:016x}", std::process::id())
}
