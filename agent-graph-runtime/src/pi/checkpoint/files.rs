//! A store of files: a folder for each run, with its log and a lock that keeps others away while one writes.
//! Knows logs and rights, nothing about how a run is driven.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use core::time::Duration;
use std::fs::{self, File, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::log::Log;
use super::{Checkpoint, CheckpointError, CheckpointLease, CheckpointStore, Listing};
use crate::durable;
use crate::json::Object;
use crate::pi::run::{Snapshot, is_run_id};
use crate::timestamp::Timestamp;

/// Keeps runs in a folder. Who opened a run has the right to write it for 30 seconds, and with each commit
/// for 30 more.
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
                ".runId: it is no id of a run".into(),
            ))
        }
    }

    fn lease(&self, log: Log, checkpoint: Checkpoint, folder: &Path, owner: &str) -> FileLease {
        FileLease {
            folder: folder.to_owned(),
            owner: owner.into(),
            lasting: self.lasting,
            log,
            checkpoint,
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
        owner: &str,
        now: Timestamp,
    ) -> Result<Box<dyn CheckpointLease>, CheckpointError> {
        let folder = self.folder(&snapshot.run_id)?;
        let content = validated(&snapshot)?;
        durable::create_folders(&folder)?;
        let _lock = lock(&folder)?;
        match Log::read(&log_of(&folder)) {
            Err(CheckpointError::NotFound) => {}
            Err(error) => return Err(error),
            Ok(_) => return Err(CheckpointError::Conflict),
        }
        let mut log = Log::new();
        log.add(
            &log_of(&folder),
            Some(content),
            Some((owner.into(), self.until(now))),
        )?;
        let checkpoint = Checkpoint {
            revision: 1,
            snapshot,
        };
        Ok(Box::new(self.lease(log, checkpoint, &folder, owner)))
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
        let checkpoint = log.checkpoint(run_id)?;
        refuse_if_held(&log, now)?;
        log.add(
            &log_of(&folder),
            None,
            Some((owner.into(), self.until(now))),
        )?;
        Ok(Box::new(self.lease(log, checkpoint, &folder, owner)))
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
        if log.content.is_none() {
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
    checkpoint: Checkpoint,
    /// Whether a write failed, after which nobody knows what lies on the disk.
    has_failed: bool,
}

impl FileLease {
    /// Adds to the log if the right is still this one's.
    fn add(
        &mut self,
        content: Option<Object>,
        now: Timestamp,
        keep: bool,
    ) -> Result<(), CheckpointError> {
        let path = log_of(&self.folder);
        let _lock = lock(&self.folder)?;
        if self.has_failed || !self.log.is_current(&path)? {
            let log = Log::read(&path)?;
            let is_mine = log
                .lease
                .as_ref()
                .is_some_and(|lease| lease.0 == self.owner);
            if !is_mine || log.content.is_none() {
                return Err(CheckpointError::LeaseLost);
            }
            if log.revision != self.log.revision {
                return Err(CheckpointError::Conflict);
            }
            self.log = log;
            self.has_failed = false;
        }
        let now = now.unix_milliseconds();
        match &self.log.lease {
            Some((owner, until)) if *owner == self.owner && now < *until => {}
            Some((owner, _)) if *owner == self.owner => return Err(CheckpointError::LeaseExpired),
            _ => return Err(CheckpointError::LeaseLost),
        }
        let lease = keep.then(|| (self.owner.clone(), now.saturating_add(self.lasting)));
        let added = self.log.add(&path, content, lease);
        self.has_failed = added.is_err();
        added
    }
}

impl CheckpointLease for FileLease {
    fn checkpoint(&self) -> &Checkpoint {
        &self.checkpoint
    }

    fn commit(
        &mut self,
        expected: u64,
        snapshot: Snapshot,
        now: Timestamp,
    ) -> Result<u64, CheckpointError> {
        if expected != self.checkpoint.revision {
            return Err(CheckpointError::Conflict);
        }
        let content = validated(&snapshot)?;
        snapshot.check_progress(&self.checkpoint.snapshot)?;
        self.add(Some(content), now, true)?;
        let revision = self.log.revision;
        self.checkpoint = Checkpoint { revision, snapshot };
        Ok(revision)
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

/// The snapshot as it is stored; what could not be read again is not written.
fn validated(snapshot: &Snapshot) -> Result<Object, CheckpointError> {
    let value = snapshot.to_value();
    Snapshot::from_value(&value)?;
    Ok(value.as_object().cloned().unwrap_or_default())
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

/// Keeps other writers away until it is dropped. The file stays.
fn lock(folder: &Path) -> Result<File, CheckpointError> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    let file = match options.open(folder.join("lock")) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Err(CheckpointError::NotFound),
        file => file?,
    };
    file.lock()?;
    Ok(file)
}
