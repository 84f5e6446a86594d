//! A store of files: a folder for each run, with its log and a lock that keeps others away while one writes.
//! Knows logs and rights, nothing about how a run is driven.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use core::time::Duration;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::log::Log;
use super::{Checkpoint, CheckpointError, CheckpointLease, CheckpointStore, Listing};
use crate::durable;
use crate::pi::run::{Outline, Progress, Snapshot, is_run_id};
use crate::timestamp::Timestamp;

/// Keeps runs in a folder. Who opened a run has the right to write it for 30 seconds, and with each commit
/// for 30 more.
///
/// Of each run there is one file, a snapshot and behind it what has happened since. Earlier points of a run are
/// kept no longer than that: once the file is twice as long as its snapshot and 64 KiB, the latest snapshot alone
/// takes its place. Of a run that is deleted a line stays, which keeps its id used.
#[derive(Clone, Debug)]
pub struct CheckpointFiles {
    root: PathBuf,
    lasting: i64,
}

impl CheckpointFiles {
    /// Keeps runs in this folder, which is made with the first of them.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into(),
            lasting: 30_000,
        }
    }

    /// Lets the right to write last this long, at least 100 milliseconds.
    #[must_use]
    pub fn leases_for(mut self, time: Duration) -> Self {
        self.lasting = i64::try_from(time.as_millis()).unwrap_or(i64::MAX).max(100);
        self
    }

    fn folder(&self, run_id: &str) -> Result<PathBuf, CheckpointError> {
        if is_run_id(run_id) {
            Ok(self.root.join(run_id))
        } else {
            Err(CheckpointError::Invalid(
                "runId: it is no id of a run".into(),
            ))
        }
    }

    /// Where the log of a run is.
    #[cfg(test)]
    pub(super) fn log(&self, run_id: &str) -> PathBuf {
        log_of(&self.root.join(run_id))
    }

    fn lease(&self, log: Log, folder: &Path, owner: &str) -> FileLease {
        FileLease {
            folder: folder.to_owned(),
            owner: owner.into(),
            lasting: self.lasting,
            log,
            has_failed: false,
        }
    }

    fn until(&self, now: Timestamp) -> i64 {
        now.unix_milliseconds().saturating_add(self.lasting)
    }
}

impl CheckpointStore for CheckpointFiles {
    fn create(
        &self,
        snapshot: Snapshot,
        outline: Option<&Outline>,
        owner: &str,
        now: Timestamp,
    ) -> Result<Box<dyn CheckpointLease>, CheckpointError> {
        let folder = self.folder(&snapshot.run_id)?;
        durable::create_folders(&folder)?;
        let _lock = lock(&folder)?;
        match Log::read(&log_of(&folder)) {
            Err(CheckpointError::NotFound) => {}
            Err(error) => return Err(error),
            Ok(_) => return Err(CheckpointError::Conflict),
        }
        durable::remove_leftovers(&folder);
        let lease = (owner.into(), self.until(now));
        let log = Log::create(&log_of(&folder), snapshot, outline, lease)?;
        Ok(Box::new(self.lease(log, &folder, owner)))
    }

    fn open(
        &self,
        run_id: &str,
        owner: &str,
        now: Timestamp,
    ) -> Result<Box<dyn CheckpointLease>, CheckpointError> {
        let folder = self.folder(run_id)?;
        let _lock = lock(&folder)?;
        let mut log = Log::read(&log_of(&folder))?;
        log.checkpoint(run_id)?;
        refuse_if_held(&log, now)?;
        durable::remove_leftovers(&folder);
        let lease = (owner.into(), self.until(now));
        log.add(&log_of(&folder), None, Some(lease))?;
        Ok(Box::new(self.lease(log, &folder, owner)))
    }

    fn load(&self, run_id: &str) -> Result<Checkpoint, CheckpointError> {
        Log::read(&log_of(&self.folder(run_id)?))?.checkpoint(run_id)
    }

    fn list(&self, limit: usize) -> Result<Listing, CheckpointError> {
        let mut listing = Listing::default();
        let entries = match fs::read_dir(&self.root) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(listing),
            entries => entries?,
        };
        for entry in entries {
            let name = entry?.file_name().to_string_lossy().into_owned();
            match self.load(&name) {
                Ok(checkpoint) => listing.runs.push(checkpoint),
                Err(CheckpointError::NotFound) => {}
                Err(error) => listing.unreadable.push((name, error)),
            }
        }
        let order = |run: &Checkpoint| (run.snapshot.updated_at, run.snapshot.run_id.clone());
        listing
            .runs
            .sort_by_key(|run| core::cmp::Reverse(order(run)));
        listing.runs.truncate(limit);
        listing.unreadable.sort_by(|one, other| one.0.cmp(&other.0));
        Ok(listing)
    }

    fn delete(&self, run_id: &str, now: Timestamp) -> Result<(), CheckpointError> {
        let folder = self.folder(run_id)?;
        let _lock = lock(&folder)?;
        let mut log = Log::read(&log_of(&folder))?;
        if log.replay.is_none() {
            return Err(CheckpointError::NotFound);
        }
        refuse_if_held(&log, now)?;
        log.bury(&log_of(&folder))
    }
}

struct FileLease {
    folder: PathBuf,
    owner: String,
    lasting: i64,
    log: Log,
    /// Whether a write failed, after which nobody knows what lies on the disk.
    has_failed: bool,
}

impl FileLease {
    /// Adds to the log if the right is still this one's: what has happened since a revision, or the right alone.
    fn add(
        &mut self,
        what: Option<(u64, &Progress)>,
        now: Timestamp,
        keep: bool,
    ) -> Result<(), CheckpointError> {
        let path = log_of(&self.folder);
        let _lock = lock(&self.folder)?;
        if self.has_failed || !self.log.is_current(&path)? {
            self.log = self.read_again(&path)?;
            self.has_failed = false;
        }
        let now = now.unix_milliseconds();
        match &self.log.lease {
            Some((owner, until)) if *owner == self.owner && now < *until => {}
            Some((owner, _)) if *owner == self.owner => return Err(CheckpointError::LeaseExpired),
            _ => return Err(CheckpointError::LeaseLost),
        }
        if what.is_some_and(|(expected, _)| expected != self.log.revision) {
            return Err(CheckpointError::Conflict);
        }
        let lease = keep.then(|| (self.owner.clone(), now.saturating_add(self.lasting)));
        let progress = what.map(|(_, progress)| progress);
        let added = self.log.add(&path, progress, lease);
        self.has_failed = added.is_err();
        added
    }

    /// The log as it is, which others may have written.
    fn read_again(&self, path: &Path) -> Result<Log, CheckpointError> {
        let log = Log::read(path)?;
        let lease = log.lease.as_ref();
        let is_mine = lease.is_some_and(|(owner, _)| *owner == self.owner);
        if is_mine && log.replay.is_some() {
            Ok(log)
        } else {
            Err(CheckpointError::LeaseLost)
        }
    }
}

impl CheckpointLease for FileLease {
    fn checkpoint(&self) -> Result<Checkpoint, CheckpointError> {
        self.log.current().ok_or(CheckpointError::NotFound)
    }

    fn revision(&self) -> u64 {
        self.log.revision
    }

    fn commit(
        &mut self,
        expected: u64,
        progress: &Progress,
        now: Timestamp,
    ) -> Result<u64, CheckpointError> {
        self.add(Some((expected, progress)), now, true)?;
        Ok(self.log.revision)
    }

    fn renewal(&self) -> Timestamp {
        let until = self.log.lease.as_ref().map_or(0, |lease| lease.1);
        Timestamp::from_unix_milliseconds(until.saturating_sub(self.lasting / 3 * 2))
    }

    fn renew(&mut self, now: Timestamp) -> Result<(), CheckpointError> {
        self.add(None, now, true)
    }

    fn release(&mut self, now: Timestamp) -> Result<(), CheckpointError> {
        self.add(None, now, false)
    }
}

fn refuse_if_held(log: &Log, now: Timestamp) -> Result<(), CheckpointError> {
    match &log.lease {
        Some((_, until)) if now.unix_milliseconds() < *until => Err(CheckpointError::LeaseHeld),
        _ => Ok(()),
    }
}

fn log_of(folder: &Path) -> PathBuf {
    folder.join("log")
}

/// Keeps other writers away until it is dropped.
fn lock(folder: &Path) -> Result<File, CheckpointError> {
    match durable::lock(&folder.join("lock")) {
        Err(error) if error.kind() == ErrorKind::NotFound => Err(CheckpointError::NotFound),
        locked => Ok(locked?),
    }
}
