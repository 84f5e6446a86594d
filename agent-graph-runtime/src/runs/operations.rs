//! What hosts do with runs (spec 7), over whatever keeps them.

use alloc::boxed::Box;
use alloc::string::String;

use super::change::{self, Change};
use super::clock::{Clock, SystemClock};
use super::files::FileStore;
use super::ids::{RandomIds, RunIds};
use super::new::NewRun;
use super::run::Run;
use super::store::RunStore;
use crate::code::Code;
use crate::error::Error;
use crate::evaluation::Evaluation;
use crate::facts::Facts;
use crate::json::Value;
use crate::protocol::Outcome;
use crate::provider::Provider;

/// Runs in a store. A call that returned `Ok` is saved; one that failed changed nothing, unless it says
/// otherwise.
pub struct Runs<S = FileStore> {
    store: S,
    clock: Box<dyn Clock>,
    ids: Box<dyn RunIds>,
}

impl Runs<FileStore> {
    /// Runs in files, each at a path that the host chooses.
    pub fn in_files() -> Self {
        Self::new(FileStore::default())
    }
}

impl<S: RunStore> Runs<S> {
    /// Runs in this store, with the clock and the randomness of the operating system.
    pub fn new(store: S) -> Self {
        Self {
            store,
            clock: Box::new(SystemClock),
            ids: Box::new(RandomIds),
        }
    }

    /// Takes the time from another clock.
    #[must_use]
    pub fn with_clock(mut self, clock: impl Clock + 'static) -> Self {
        self.clock = Box::new(clock);
        self
    }

    /// Takes ids from somewhere else.
    #[must_use]
    pub fn with_ids(mut self, ids: impl RunIds + 'static) -> Self {
        self.ids = Box::new(ids);
        self
    }

    /// The store.
    pub fn store(&self) -> &S {
        &self.store
    }

    /// Starts a run: event `run.started`.
    ///
    /// # Errors
    /// `run-target-exists` when anything is there already, `schema-invalid`, `file-write-failed`,
    /// `randomness-missing`.
    pub fn create(&self, key: &S::Key, new: NewRun) -> Result<Run, Error> {
        let run = new.start(self.clock.now(), &*self.ids)?;
        self.store.create(key, &run)?;
        Ok(run)
    }

    /// The run.
    ///
    /// # Errors
    /// `file-read-failed`, `parse-failed`, `schema-invalid`, `input-limit`.
    pub fn load(&self, key: &S::Key) -> Result<Run, Error> {
        self.store.load(key)
    }

    /// Changes a run, whatever others do to it at the same time.
    ///
    /// # Errors
    /// Those of [`Runs::load`]; `run-conflict`, `file-write-failed`; `schema-invalid` or `input-limit`
    /// when the run could not be read again.
    pub fn apply(&self, key: &S::Key, change: &Change) -> Result<Run, Error> {
        let mut next = |run: &Run| change.apply(run, self.clock.now());
        self.store.update(key, &mut next)
    }

    /// Changes a run if it is still at this event: for a change that follows from what was read.
    ///
    /// # Errors
    /// As [`Runs::apply`]; `run-conflict` when the run has moved on.
    pub fn apply_at(&self, key: &S::Key, sequence: u64, change: &Change) -> Result<Run, Error> {
        let mut next = |run: &Run| {
            if run.last_sequence() != sequence {
                return Err(Error::new(
                    Code::RunConflict,
                    change::moved_on(run, sequence),
                ));
            }
            change.apply(run, self.clock.now())
        };
        self.store.update(key, &mut next)
    }

    /// Records how a node ended: event `node.outcome-recorded`. The state key is that of
    /// [`Candidate::record_node`](crate::Candidate::record_node).
    ///
    /// # Errors
    /// As [`Runs::apply`].
    pub fn record(
        &self,
        key: &S::Key,
        node: impl Into<String>,
        outcome: Outcome,
        detail: Option<Value>,
    ) -> Result<Run, Error> {
        let node = node.into();
        let change = Change::Record {
            node,
            outcome,
            detail,
        };
        self.apply(key, &change)
    }

    /// Sets these facts and keeps the others: event `facts.updated`.
    ///
    /// # Errors
    /// As [`Runs::apply`].
    pub fn update_facts(&self, key: &S::Key, facts: Facts) -> Result<Run, Error> {
        self.apply(key, &Change::UpdateFacts(facts))
    }

    /// Sets these facts and drops the others: event `facts.replaced`.
    ///
    /// # Errors
    /// As [`Runs::apply`].
    pub fn replace_facts(&self, key: &S::Key, facts: Facts) -> Result<Run, Error> {
        self.apply(key, &Change::ReplaceFacts(facts))
    }

    /// Sets the authorities that the session holds: event `authorities.updated`.
    ///
    /// # Errors
    /// As [`Runs::apply`].
    pub fn set_authorities(
        &self,
        key: &S::Key,
        authorities: impl IntoIterator<Item: Into<String>>,
    ) -> Result<Run, Error> {
        let authorities = authorities.into_iter().map(Into::into).collect();
        self.apply(key, &Change::SetAuthorities(authorities))
    }

    /// Records a checkpoint, event `run.checkpointed`, then writes a copy of the run without
    /// authorities to `target`. Gives the copy.
    ///
    /// # Errors
    /// `run-target-exists` when anything is at the target, and those of [`Runs::apply`]. A target that
    /// cannot be written at all is noticed before anything is changed; when only the copy fails after
    /// that, the event stands and the checkpoint is missing.
    pub fn checkpoint(&self, key: &S::Key, target: &S::Key) -> Result<Run, Error> {
        self.store.check_vacant(target)?;
        let run = self.apply(key, &Change::Checkpoint(self.store.name(target)))?;
        let copy = change::without_authorities(&run)?;
        self.store.create(target, &copy)?;
        Ok(copy)
    }

    /// Starts from a checkpoint, or from any run: a copy without authorities at `key`, with the same
    /// id and the event `run.resumed`.
    ///
    /// # Errors
    /// `run-target-exists` when anything is there already; those of [`Runs::load`] for the checkpoint;
    /// `file-write-failed`.
    pub fn resume(&self, checkpoint: &S::Key, key: &S::Key) -> Result<Run, Error> {
        self.store.check_vacant(key)?;
        let saved = self.store.load(checkpoint)?;
        let resumed = Change::Resume(self.store.name(checkpoint));
        let run = resumed.apply(&saved, self.clock.now())?;
        self.store.create(key, &run)?;
        Ok(run)
    }

    /// Evaluates a run with its provider.
    ///
    /// # Errors
    /// Those of [`Runs::load`] and [`Run::evaluate`].
    pub fn evaluate(&self, key: &S::Key, provider: &Provider) -> Result<Evaluation, Error> {
        self.load(key)?.evaluate(provider)
    }
}
