//! One line of the log of a run, as JSON: a whole snapshot, what has happened since the line before, or nothing
//! but who may write. Knows nothing about files.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};

use super::CheckpointError;
use crate::json::{Object, Value};
use crate::pi::run::{Progress, Snapshot};

const FORMAT: &str = "agent-graph-pi-checkpoints";

/// One line of a log.
#[derive(Debug)]
pub(super) struct Record {
    pub(super) sequence: u64,
    pub(super) revision: u64,
    /// Who may write, and until when, in milliseconds.
    pub(super) lease: Option<(String, i64)>,
    pub(super) content: Content,
}

#[derive(Debug)]
pub(super) enum Content {
    /// The run, and the outline of its graph.
    Whole(Box<Snapshot>, Option<Value>),
    Progress(Box<Progress>),
    Deleted,
    Nothing,
}

impl Record {
    pub(super) fn from_value(value: &Value) -> Result<Self, CheckpointError> {
        let record = value.as_object().ok_or_else(|| wrong("line"))?;
        if record.get("format").and_then(Value::as_str) != Some(FORMAT) {
            return Err(wrong("format"));
        }
        let lease = record.get("lease").map(lease).transpose()?;
        let content = content(record)?;
        let parts = match &content {
            Content::Whole(_, Some(_)) => 2,
            Content::Nothing => 0,
            _ => 1,
        };
        // The three that every record has, and nothing beside what was read.
        if record.len() != 3 + usize::from(lease.is_some()) + parts {
            return Err(wrong("line"));
        }
        Ok(Self {
            sequence: count(record, "sequence")?,
            revision: count(record, "revision")?,
            lease,
            content,
        })
    }

    pub(super) fn to_value(&self) -> Value {
        let mut record = Object::new();
        record.insert("format", FORMAT);
        record.insert("sequence", self.sequence.to_string());
        record.insert("revision", self.revision.to_string());
        if let Some((owner, expires)) = &self.lease {
            let mut lease = Object::new();
            lease.insert("owner", owner.as_str());
            lease.insert("expires", expires.to_string());
            record.insert("lease", lease);
        }
        match &self.content {
            Content::Whole(snapshot, graph) => {
                if let Some(graph) = graph {
                    record.insert("graph", graph.clone());
                }
                record.insert("whole", snapshot.to_value());
            }
            Content::Progress(progress) => {
                record.insert("progress", progress.to_value());
            }
            Content::Deleted => {
                record.insert("deleted", true);
            }
            Content::Nothing => {}
        }
        Value::Object(record)
    }
}

fn content(record: &Object) -> Result<Content, CheckpointError> {
    if let Some(whole) = record.get("whole") {
        let snapshot = Box::new(Snapshot::from_value(whole)?);
        return Ok(Content::Whole(snapshot, record.get("graph").cloned()));
    }
    if let Some(progress) = record.get("progress") {
        return Ok(Content::Progress(Box::new(Progress::from_value(progress)?)));
    }
    Ok(match record.get("deleted") {
        Some(Value::Bool(true)) => Content::Deleted,
        Some(_) => return Err(wrong("deleted")),
        None => Content::Nothing,
    })
}

fn lease(value: &Value) -> Result<(String, i64), CheckpointError> {
    let lease = value.as_object().ok_or_else(|| wrong("lease"))?;
    let text = |name: &str| lease.get(name).and_then(Value::as_str);
    let expires = text("expires").and_then(|expires| expires.parse().ok());
    match (text("owner"), expires) {
        (Some(owner), Some(expires)) if lease.len() == 2 => Ok((owner.into(), expires)),
        _ => Err(wrong("lease")),
    }
}

/// A whole number that is not negative and exact.
fn count(of: &Object, name: &str) -> Result<u64, CheckpointError> {
    let number = of.get(name).and_then(Value::as_str);
    number
        .and_then(|number| number.parse().ok())
        .ok_or_else(|| wrong(name))
}

pub(super) fn wrong(name: &str) -> CheckpointError {
    CheckpointError::Invalid(format!("{name}: it is not what the log of a run has there"))
}
