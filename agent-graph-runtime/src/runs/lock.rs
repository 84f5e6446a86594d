//! Keeping other writers of a run away: threads, processes, anybody who uses this crate. Knows files,
//! nothing about what is in them.
//!
//! On Unix the file of the run itself is locked. Saving puts another file in its place, so whoever gets
//! the lock looks whether the file it locked is still the one at the path, and begins anew if not. That
//! leaves no lock files lying around, and only who holds the lock of the present file replaces it.
//! Elsewhere locks keep readers away too, and a lock file beside the run, which stays, serves instead.

use alloc::format;
use core::time::Duration;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::thread;
use std::time::Instant;

use crate::code::Code;
use crate::error::Error;

/// The lock of a run; dropped, it is released.
#[derive(Debug)]
pub(super) struct Lock {
    file: File,
}

impl Lock {
    /// The lock of the file at `path`, a path without links, once others have released it.
    ///
    /// # Errors
    /// `file-read-failed`, `file-write-failed`; `run-conflict` when the file cannot be locked, or not
    /// within `patience`.
    pub(super) fn acquire(path: &Path, patience: Duration) -> Result<Self, Error> {
        let deadline = Instant::now() + patience;
        loop {
            let file = open(path).map_err(|error| not_opened(path, &error))?;
            wait(&file, path, deadline)?;
            let lock = Self { file };
            if lock.is_current(path) {
                return Ok(lock);
            }
            if Instant::now() >= deadline {
                let message = format!("{} is replaced all the time", path.display());
                return Err(Error::new(Code::RunConflict, message));
            }
        }
    }

    /// Whether the file that is locked is the one at `path`.
    #[cfg(unix)]
    pub(super) fn is_current(&self, path: &Path) -> bool {
        use std::os::unix::fs::MetadataExt;

        let identity = |metadata: std::fs::Metadata| (metadata.dev(), metadata.ino());
        let locked = self.file.metadata().map(identity);
        let present = std::fs::symlink_metadata(path).map(identity);
        matches!((locked, present), (Ok(locked), Ok(present)) if locked == present)
    }

    /// A lock file stays where it is.
    #[cfg(not(unix))]
    pub(super) fn is_current(&self, _: &Path) -> bool {
        true
    }
}

/// Opened for writing too: a run that may not be written is not replaced either.
#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    if !std::fs::symlink_metadata(path)?.is_file() {
        return Err(ErrorKind::InvalidInput.into());
    }
    OpenOptions::new().read(true).write(true).open(path)
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(ErrorKind::InvalidInput.into());
    }
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".lock");
    let path = path.with_file_name(name);
    OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
}

fn wait(file: &File, path: &Path, deadline: Instant) -> Result<(), Error> {
    const LONGEST_PAUSE: Duration = Duration::from_millis(16);
    let conflict = |problem: &str| {
        let message = format!("{} {problem}", path.display());
        Error::new(Code::RunConflict, message)
    };
    let mut pause = Duration::from_millis(1);
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                thread::sleep(pause);
                pause = LONGEST_PAUSE.min(pause * 2);
            }
            Err(TryLockError::WouldBlock) => return Err(conflict("is kept locked by another")),
            Err(TryLockError::Error(error)) => {
                return Err(conflict(&format!("cannot be locked: {error}")));
            }
        }
    }
}

fn not_opened(path: &Path, error: &io::Error) -> Error {
    let code = match error.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => Code::FileWriteFailed,
        _ => Code::FileReadFailed,
    };
    Error::new(code, format!("{}: {error}", path.display()))
}
