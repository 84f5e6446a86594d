//! The log of one run: lines that are only added, each with a digest over itself and the line before. Knows
//! records, nothing about rights.

use alloc::format;
use alloc::string::{String, ToString};
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::record::{self, count, number, object, wrong};
use super::{Checkpoint, CheckpointError};
use crate::digest::Digest;
use crate::durable::Prepared;
use crate::json::{Object, Value};
use crate::pi::run::Snapshot;

const FORMAT: &str = "agent-graph-pi-checkpoints";

/// The log of a run, read or written to its end.
#[derive(Debug)]
pub(super) struct Log {
    /// The latest snapshot as it is stored; nothing when the run was deleted.
    pub(super) content: Option<Object>,
    pub(super) revision: u64,
    /// Grows with each record and is never used again.
    pub(super) sequence: u64,
    /// Who may write, and until when, in milliseconds.
    pub(super) lease: Option<(String, i64)>,
    /// The digests of the first line and of the last one.
    first: String,
    last: String,
    length: u64,
    /// The length of the first line, which is a whole snapshot.
    whole: u64,
}

impl Log {
    pub(super) fn new() -> Self {
        Self {
            content: None,
            revision: 0,
            sequence: 0,
            lease: None,
            first: String::new(),
            last: String::new(),
            length: 0,
            whole: 0,
        }
    }

    /// Reads the log. A last line that was not written to its end was never acknowledged, and is left out.
    pub(super) fn read(path: &Path) -> Result<Self, CheckpointError> {
        let bytes = match fs::symlink_metadata(path) {
            Ok(metadata) if metadata.is_file() => fs::read(path)?,
            Ok(_) => return Err(CheckpointError::Invalid(": it is no file".into())),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(CheckpointError::NotFound);
            }
            Err(error) => return Err(error.into()),
        };
        let mut log = Self::new();
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let Some(line) = line.strip_suffix(b"\n") else {
                break;
            };
            let line = core::str::from_utf8(line).map_err(|_| wrong("line"))?;
            log.take(line)?;
        }
        if log.sequence == 0 {
            return Err(wrong("line"));
        }
        Ok(log)
    }

    fn take(&mut self, line: &str) -> Result<(), CheckpointError> {
        let (digest, text) = line.split_once(' ').ok_or_else(|| wrong("line"))?;
        if digest != chained(&self.last, text) {
            return Err(wrong("digest"));
        }
        let value = Value::from_json(text).map_err(|_| wrong("line"))?;
        let record = value.as_object().ok_or_else(|| wrong("line"))?;
        if record.get("format").and_then(Value::as_str) != Some(FORMAT) {
            return Err(wrong("format"));
        }
        let sequence = count(record, "sequence")?;
        if sequence <= self.sequence {
            return Err(wrong("sequence"));
        }
        self.sequence = sequence;
        self.revision = count(record, "revision")?;
        self.lease = match record.get("lease").and_then(Value::as_object) {
            Some(lease) => {
                let owner = lease.get("owner").and_then(Value::as_str);
                let expires = lease.get("expires").and_then(Value::as_str);
                let expires = expires.and_then(|text| text.parse().ok());
                let owner = owner.ok_or_else(|| wrong("lease"))?;
                Some((owner.into(), expires.ok_or_else(|| wrong("lease"))?))
            }
            None => None,
        };
        if record.contains("deleted") {
            self.content = None;
        } else if record.contains("whole") {
            self.content = Some(object(record, "whole")?.clone());
        } else if record.contains("change") {
            let before = self.content.as_ref().ok_or_else(|| wrong("change"))?;
            self.content = Some(record::apply(before, object(record, "change")?)?);
        }
        self.taken(digest, line.len() as u64 + 1);
        Ok(())
    }

    fn taken(&mut self, digest: &str, length: u64) {
        if self.first.is_empty() {
            self.first = digest.into();
            self.whole = length;
        }
        self.last = digest.into();
        self.length += length;
    }

    /// The run, validated.
    pub(super) fn checkpoint(&self, run_id: &str) -> Result<Checkpoint, CheckpointError> {
        let content = self.content.as_ref().ok_or(CheckpointError::NotFound)?;
        let snapshot = Snapshot::from_value(&Value::from(content.clone()))?;
        snapshot.check_run_id(run_id)?;
        Ok(Checkpoint {
            revision: self.revision,
            snapshot,
        })
    }

    /// Whether the file is still as this log left it: the first line of each file is another one.
    pub(super) fn is_current(&self, path: &Path) -> io::Result<bool> {
        let mut file = File::open(path)?;
        let mut first = [0; 64];
        file.read_exact(&mut first)?;
        Ok(file.metadata()?.len() == self.length && first == self.first.as_bytes())
    }

    /// Adds a record: a new snapshot, or the lease alone. Where changes have become more than the snapshot
    /// from which they go on, a new file with the snapshot alone takes the place of the log.
    pub(super) fn add(
        &mut self,
        path: &Path,
        content: Option<Object>,
        lease: Option<(String, i64)>,
    ) -> Result<(), CheckpointError> {
        let is_long = self.length > 2 * self.whole + 65536;
        let mut record = self.head(lease.as_ref(), content.is_some());
        let change = match (&content, &self.content) {
            (Some(after), Some(before)) if !is_long => record::change(before, after),
            _ => None,
        };
        let latest = content.as_ref().or(self.content.as_ref());
        let is_whole = change.is_none() && (content.is_some() || is_long);
        if let Some(change) = change {
            record.insert("change", change);
        } else if let Some(latest) = latest.filter(|_| is_whole) {
            record.insert("whole", latest.clone());
        }
        let revision = self.revision + u64::from(content.is_some());
        if is_whole {
            self.begin(path, &record)?;
        } else {
            self.append(path, &record)?;
        }
        (self.sequence, self.revision, self.lease) = (self.sequence + 1, revision, lease);
        if content.is_some() {
            self.content = content;
        }
        Ok(())
    }

    /// Puts a tombstone in the place of the log.
    pub(super) fn bury(&mut self, path: &Path) -> Result<(), CheckpointError> {
        let mut record = self.head(None, false);
        record.insert("deleted", true);
        self.begin(path, &record)
    }

    fn head(&self, lease: Option<&(String, i64)>, is_new: bool) -> Object {
        let mut record = Object::new();
        record.insert("format", FORMAT);
        record.insert("sequence", number(self.sequence + 1));
        record.insert("revision", number(self.revision + u64::from(is_new)));
        if let Some((owner, expires)) = lease {
            let lease: Object = [("owner", owner.clone()), ("expires", expires.to_string())]
                .into_iter()
                .collect();
            record.insert("lease", lease);
        }
        record
    }

    fn begin(&mut self, path: &Path, record: &Object) -> Result<(), CheckpointError> {
        let (digest, line) = line("", record);
        Prepared::write_private(path, line.as_bytes())?.replace()?;
        self.first.clear();
        self.length = 0;
        self.taken(&digest, line.len() as u64);
        Ok(())
    }

    fn append(&mut self, path: &Path, record: &Object) -> Result<(), CheckpointError> {
        let (digest, line) = line(&self.last, record);
        let mut file = OpenOptions::new().write(true).open(path)?;
        // What a crash left of a line goes away.
        file.set_len(self.length)?;
        file.seek(SeekFrom::End(0))?;
        file.write_all(line.as_bytes())?;
        file.sync_data()?;
        self.taken(&digest, line.len() as u64);
        Ok(())
    }
}

fn line(before: &str, record: &Object) -> (String, String) {
    let text = Value::from(record.clone()).to_string();
    let digest = chained(before, &text);
    let line = format!("{digest} {text}\n");
    (digest, line)
}

fn chained(before: &str, text: &str) -> String {
    let digest = Digest::of_bytes(format!("{before} {text}").as_bytes()).to_string();
    digest.strip_prefix("sha256:").unwrap_or(&digest).into()
}
