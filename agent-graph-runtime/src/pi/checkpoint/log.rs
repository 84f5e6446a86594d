//! The log of one run: lines that are only added, each with a digest over itself and the line before. The first
//! one holds a whole snapshot, the others what has happened since. Knows records, nothing about rights.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use super::record::{Content, Record, wrong};
use super::{Checkpoint, CheckpointError};
use crate::digest::Digest;
use crate::durable::{self, Prepared};
use crate::json::Value;
use crate::pi::run::{Outline, Progress, Replay, Snapshot};

/// How much longer a log may grow, in bytes, than twice its first line: then a new one with the latest snapshot
/// alone takes its place, and what was before it is gone. So all that is ever written of a run is at most about
/// three times what has changed, and a log is at most about twice as long as the run it holds.
pub(super) const SLACK: u64 = 65_536;

/// The log of a run, read or written to its end.
#[derive(Debug)]
pub(super) struct Log {
    /// The run; nothing when it was deleted.
    pub(super) replay: Option<Replay>,
    /// The outline of its graph, as it is stored.
    graph: Option<Value>,
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
    fn empty() -> Self {
        Self {
            replay: None,
            graph: None,
            revision: 0,
            sequence: 0,
            lease: None,
            first: String::new(),
            last: String::new(),
            length: 0,
            whole: 0,
        }
    }

    /// Begins the log of a run that there is not.
    pub(super) fn create(
        path: &Path,
        snapshot: Snapshot,
        outline: Option<&Outline>,
        lease: (String, i64),
    ) -> Result<Self, CheckpointError> {
        let mut log = Self::empty();
        // What could not be read again is not written.
        let snapshot = Snapshot::from_value(&snapshot.to_value())?;
        log.replay = Some(Replay::of(snapshot));
        log.graph = outline.map(Outline::to_value);
        log.revision = 1;
        log.begin(path, Some(lease))?;
        Ok(log)
    }

    /// Reads the log. A last line that was not written to its end was never acknowledged, and is left out.
    pub(super) fn read(path: &Path) -> Result<Self, CheckpointError> {
        let bytes = match fs::symlink_metadata(path) {
            Ok(metadata) if metadata.is_file() => fs::read(path)?,
            Ok(_) => return Err(CheckpointError::Invalid("it is no file".into())),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(CheckpointError::NotFound);
            }
            Err(error) => return Err(error.into()),
        };
        let mut log = Self::empty();
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let Some(line) = line.strip_suffix(b"\n") else {
                break;
            };
            let line = core::str::from_utf8(line).map_err(|_| wrong("line"))?;
            log.take(line)?;
        }
        if log.first.is_empty() {
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
        let record = Record::from_value(&value)?;
        let is_first = self.first.is_empty();
        let follows = is_first || record.sequence == self.sequence + 1;
        if record.sequence == 0 || !follows {
            return Err(wrong("sequence"));
        }
        let steps = u64::from(matches!(record.content, Content::Progress(_)));
        if !is_first && record.revision != self.revision + steps {
            return Err(wrong("revision"));
        }
        match (record.content, &mut self.replay) {
            (Content::Whole(snapshot, graph), None) if is_first => {
                self.replay = Some(Replay::of(*snapshot));
                self.graph = graph;
            }
            (Content::Deleted, None) if is_first => {}
            (Content::Progress(progress), Some(replay)) => replay.advance(&progress)?,
            (Content::Nothing, Some(_)) => {}
            _ => return Err(wrong("content")),
        }
        self.sequence = record.sequence;
        self.revision = record.revision;
        self.lease = record.lease;
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

    /// The run, validated as a whole.
    pub(super) fn checkpoint(&self, run_id: &str) -> Result<Checkpoint, CheckpointError> {
        let checkpoint = self.current().ok_or(CheckpointError::NotFound)?;
        let snapshot = Snapshot::from_value(&checkpoint.snapshot.to_value())?;
        snapshot.check_run_id(run_id)?;
        Ok(checkpoint)
    }

    /// The run, which was validated step by step.
    pub(super) fn current(&self) -> Option<Checkpoint> {
        let replay = self.replay.as_ref()?;
        Some(Checkpoint {
            revision: self.revision,
            snapshot: replay.snapshot(),
            outline: self.graph.as_ref().and_then(Outline::from_value),
        })
    }

    /// Whether the file is still as this log left it: the first line of each file is another one.
    pub(super) fn is_current(&self, path: &Path) -> io::Result<bool> {
        let mut file = File::open(path)?;
        let mut first = [0; 64];
        file.read_exact(&mut first)?;
        Ok(file.metadata()?.len() == self.length && first == self.first.as_bytes())
    }

    /// Adds a record: what has happened, or the lease alone. After an error the log has to be read again.
    pub(super) fn add(
        &mut self,
        path: &Path,
        progress: Option<&Progress>,
        lease: Option<(String, i64)>,
    ) -> Result<(), CheckpointError> {
        let is_long = self.length > 2 * self.whole + SLACK;
        let content = match progress {
            Some(progress) => {
                // What could not be read again is not written.
                let value = progress.to_value();
                let progress = Progress::from_value(&value)?;
                let replay = self.replay.as_mut().ok_or(CheckpointError::NotFound)?;
                replay.advance(&progress)?;
                self.revision += 1;
                Content::Progress(Box::new(progress))
            }
            None => Content::Nothing,
        };
        if is_long {
            return self.begin(path, lease);
        }
        let record = self.record(lease, content);
        let (digest, line) = line(&self.last, &record);
        durable::append(path, self.length, line.as_bytes())?;
        self.written(record, &digest, &line);
        Ok(())
    }

    /// Puts a tombstone in the place of the log.
    pub(super) fn bury(&mut self, path: &Path) -> Result<(), CheckpointError> {
        self.replay = None;
        self.graph = None;
        self.begin(path, None)
    }

    /// Puts a log with the run alone in the place of this one.
    fn begin(&mut self, path: &Path, lease: Option<(String, i64)>) -> Result<(), CheckpointError> {
        let content = match &self.replay {
            Some(replay) => Content::Whole(Box::new(replay.snapshot()), self.graph.clone()),
            None => Content::Deleted,
        };
        let record = self.record(lease, content);
        let (digest, line) = line("", &record);
        Prepared::write_private(path, line.as_bytes())?.replace()?;
        self.first.clear();
        self.length = 0;
        self.written(record, &digest, &line);
        Ok(())
    }

    fn record(&self, lease: Option<(String, i64)>, content: Content) -> Record {
        Record {
            sequence: self.sequence + 1,
            revision: self.revision,
            lease,
            content,
        }
    }

    fn written(&mut self, record: Record, digest: &str, line: &str) {
        self.sequence = record.sequence;
        self.lease = record.lease;
        self.taken(digest, line.len() as u64);
    }
}

fn line(before: &str, record: &Record) -> (String, String) {
    let text = record.to_value().to_string();
    let digest = chained(before, &text);
    let line = format!("{digest} {text}\n");
    (digest, line)
}

fn chained(before: &str, text: &str) -> String {
    let digest = Digest::of_bytes(format!("{before} {text}").as_bytes()).to_string();
    digest.strip_prefix("sha256:").unwrap_or(&digest).into()
}
