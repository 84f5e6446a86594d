//! Where runs are kept, for hosts that have a place of their own. Knows how a change is made safe with
//! nothing but a comparison before saving.

use alloc::format;
use alloc::string::String;
use core::time::Duration;

use super::run::Run;
use crate::code::Code;
use crate::error::Error;

/// How often a change is tried again when somebody else was faster.
const ATTEMPTS: u32 = 200;

/// A place that keeps runs.
///
/// A host that keeps runs in a database implements four methods. [`super::suite::check`] says whether
/// they do what the store needs, and `examples/sqlite-runs` is an implementation.
pub trait RunStore {
    /// What a run is found by: a path, the key of a row.
    type Key: ?Sized;

    /// The run.
    ///
    /// # Errors
    /// `file-read-failed` when there is none or it cannot be read; the errors of [`Run::from_json`].
    fn load(&self, key: &Self::Key) -> Result<Run, Error>;

    /// Saves a new run, if there is nothing at its place yet.
    ///
    /// # Errors
    /// `run-target-exists`, `file-write-failed`.
    fn create(&self, key: &Self::Key, run: &Run) -> Result<(), Error>;

    /// Puts `new` into the place of `old`, if what is there is still `old`: with the same
    /// [`Run::text`], or, since each change adds an event, the same [`Run::last_sequence`]. Says
    /// whether it was. Comparing and saving have to be one step for everybody else.
    ///
    /// # Errors
    /// `file-write-failed`.
    fn replace(&self, key: &Self::Key, old: &Run, new: &Run) -> Result<bool, Error>;

    /// The name that events call the run at this place by.
    fn name(&self, key: &Self::Key) -> String;

    /// Refuses a place where a run cannot be created, before anything else is changed.
    ///
    /// # Errors
    /// `run-target-exists`, `file-write-failed`.
    fn check_vacant(&self, key: &Self::Key) -> Result<(), Error> {
        match self.load(key) {
            Err(error) if error.code() == Code::FileReadFailed => Ok(()),
            _ => Err(exists(&self.name(key))),
        }
    }

    /// Loads the run, lets `change` make the next one, and saves that, so that no change of anybody
    /// else comes in between. `change` may be called several times.
    ///
    /// # Errors
    /// Those of `change`, [`RunStore::load`] and [`RunStore::replace`]; `run-conflict` when others kept
    /// being faster. Then nothing is changed.
    fn update(
        &self,
        key: &Self::Key,
        change: &mut dyn FnMut(&Run) -> Result<Run, Error>,
    ) -> Result<Run, Error> {
        for attempt in 0..ATTEMPTS {
            let old = self.load(key)?;
            let new = change(&old)?;
            if self.replace(key, &old, &new)? {
                return Ok(new);
            }
            // Who lost lets the others finish.
            std::thread::sleep(Duration::from_millis(u64::from(attempt.min(20))));
        }
        let message = format!(
            "others changed `{}` {ATTEMPTS} times meanwhile",
            self.name(key)
        );
        Err(Error::new(Code::RunConflict, message))
    }
}

/// The error of a place that is taken.
pub(super) fn exists(name: &str) -> Error {
    Error::new(
        Code::RunTargetExists,
        format!("there is something at `{name}` already"),
    )
}
