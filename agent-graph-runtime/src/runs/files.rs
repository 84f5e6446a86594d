//! Runs in files: one JSON file a run, at a path that the host chooses. Knows how a file is replaced so
//! that neither a crash nor another writer loses anything.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Display;
use core::time::Duration;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use super::lock::Lock;
use super::run::Run;
use super::store::{RunStore, exists};
use crate::code::Code;
use crate::contained::read_regular_file;
use crate::durable::{self, Prepared};
use crate::error::Error;
use crate::load::limits::RUN_BYTES;

#[cfg(test)]
mod tests;

/// Runs in files. The key of a run is its path.
///
/// A path that is a symbolic link means the file it leads to; that file is replaced, the link stays.
/// A file keeps its permissions, and its owner as far as the process may give files away.
#[derive(Clone, Copy, Debug)]
pub struct FileStore {
    patience: Duration,
}

impl Default for FileStore {
    /// Waits up to 30 seconds for other writers of a run.
    fn default() -> Self {
        Self {
            patience: Duration::from_secs(30),
        }
    }
}

impl FileStore {
    /// Waits so long for other writers of a run, then gives up with `run-conflict`.
    #[must_use]
    pub fn with_patience(self, patience: Duration) -> Self {
        Self { patience }
    }

    /// Reads, changes and saves while nobody else can. `None` from `change` leaves the run alone.
    fn exclusively(
        &self,
        path: &Path,
        change: &mut dyn FnMut(&Run) -> Result<Option<Run>, Error>,
    ) -> Result<Option<Run>, Error> {
        let real = fs::canonicalize(path).map_err(|error| unreadable(path, &error))?;
        let lock = Lock::acquire(&real, self.patience)?;
        let bytes = bytes(&real)?;
        let old = Run::read(&self.name(path), &bytes)?;
        let Some(new) = change(&old)? else {
            return Ok(None);
        };
        let metadata = fs::metadata(&real).ok();
        let prepared = Prepared::write(&real, new.text().as_bytes(), metadata.as_ref())
            .map_err(|error| unwritable(path, &error))?;
        // Who does not take the lock may have come in between: another program, an editor.
        let untouched = fs::symlink_metadata(&real).is_ok_and(|metadata| metadata.is_file())
            && lock.is_current(&real)
            && self::bytes(&real).is_ok_and(|now| now == bytes);
        if !untouched {
            let message = format!("{} was replaced meanwhile", path.display());
            return Err(Error::new(Code::RunConflict, message));
        }
        prepared
            .replace()
            .map_err(|error| unwritable(path, &error))?;
        Ok(Some(new))
    }
}

impl RunStore for FileStore {
    type Key = Path;

    fn load(&self, path: &Path) -> Result<Run, Error> {
        Run::read(&self.name(path), &bytes(path)?)
    }

    fn create(&self, path: &Path, run: &Run) -> Result<(), Error> {
        // Before folders are created for nothing.
        refuse_occupied(path)?;
        let created = durable::create_folders(durable::folder(path))
            .and_then(|()| Prepared::write(path, run.text().as_bytes(), None))
            .and_then(Prepared::create);
        created.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => exists(&path.display().to_string()),
            _ => unwritable(path, &error),
        })
    }

    fn replace(&self, path: &Path, old: &Run, new: &Run) -> Result<bool, Error> {
        let mut change = |present: &Run| Ok((present == old).then(|| new.clone()));
        let replaced = self.exclusively(path, &mut change)?;
        Ok(replaced.is_some())
    }

    /// The base name.
    fn name(&self, path: &Path) -> String {
        let name = path.file_name().unwrap_or(path.as_os_str());
        name.to_string_lossy().into_owned()
    }

    fn check_vacant(&self, path: &Path) -> Result<(), Error> {
        refuse_occupied(path)?;
        // A file that is written and removed tells whether the folder takes one.
        durable::create_folders(durable::folder(path))
            .and_then(|()| Prepared::write(path, &[], None))
            .map(drop)
            .map_err(|error| unwritable(path, &error))
    }

    fn update(
        &self,
        path: &Path,
        change: &mut dyn FnMut(&Run) -> Result<Run, Error>,
    ) -> Result<Run, Error> {
        let updated = self.exclusively(path, &mut |run| change(run).map(Some))?;
        // The closure above never leaves the run alone.
        updated.ok_or_else(|| Error::new(Code::RunConflict, "the run was left alone"))
    }
}

fn bytes(path: &Path) -> Result<Vec<u8>, Error> {
    let allowance = u64::try_from(RUN_BYTES).unwrap_or(u64::MAX);
    read_regular_file(path, allowance).map_err(|error| unreadable(path, &error))
}

/// Anything at the path counts, a dangling link too.
fn refuse_occupied(path: &Path) -> Result<(), Error> {
    match fs::symlink_metadata(path) {
        Ok(_) => Err(exists(&path.display().to_string())),
        Err(_) => Ok(()),
    }
}

fn unreadable(path: &Path, error: &dyn Display) -> Error {
    let message = format!("run {}: {error}", path.display());
    Error::new(Code::FileReadFailed, message)
}

fn unwritable(path: &Path, error: &dyn Display) -> Error {
    let message = format!("run {}: {error}", path.display());
    Error::new(Code::FileWriteFailed, message)
}
