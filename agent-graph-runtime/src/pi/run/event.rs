//! What happened in a run, for whoever watches (spec 12). Nothing depends on anybody watching.

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::attempt::Failure;
use super::record::{NodeStatus, RunStatus};
use super::usage::Usage;
use crate::json::{Object, Value};
use crate::timestamp::Timestamp;

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// When.
    pub at: Timestamp,
    /// In which superstep; 0 before the first.
    pub step: u64,
    /// What.
    pub what: Happening,
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Happening {
    /// A call of the run began.
    GraphStart,
    /// A superstep began, with these nodes.
    StepStart {
        /// The nodes in order.
        scheduled: Vec<Arc<str>>,
    },
    /// An attempt began.
    NodeStart {
        /// The node.
        node: Arc<str>,
        /// The number of the attempt.
        attempt: u64,
    },
    /// An attempt failed and another one will be made.
    NodeRetry {
        /// The node.
        node: Arc<str>,
        /// The number of the attempt that will be made.
        attempt: u64,
        /// When it will be made.
        due: Timestamp,
        /// Why the one before failed.
        failure: Failure,
    },
    /// The last attempt at a node ended.
    NodeSettled {
        /// The node.
        node: Arc<str>,
        /// The number of the attempt.
        attempt: u64,
        /// What it came to.
        status: NodeStatus,
        /// Why it failed.
        failure: Option<Failure>,
        /// What all attempts used.
        usage: Usage,
    },
    /// The nodes of the superstep have settled; one for each, in order.
    NodeEnd {
        /// The node.
        node: Arc<str>,
        /// What it came to.
        status: NodeStatus,
    },
    /// The superstep is committed.
    StepEnd,
    /// The run waits for a person.
    Interrupt {
        /// The node that asks.
        node: Arc<str>,
        /// What it asks.
        prompt: String,
    },
    /// The call of the run ended.
    GraphEnd {
        /// Where the run is.
        status: RunStatus,
        /// Why it failed.
        message: Option<String>,
    },
}

impl Happening {
    /// The type, as it stands on the wire.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::GraphStart => "graph_start",
            Self::StepStart { .. } => "step_start",
            Self::NodeStart { .. } => "node_start",
            Self::NodeRetry { .. } => "node_retry",
            Self::NodeSettled { .. } => "node_settled",
            Self::NodeEnd { .. } => "node_end",
            Self::StepEnd => "step_end",
            Self::Interrupt { .. } => "interrupt",
            Self::GraphEnd { .. } => "graph_end",
        }
    }

    /// The node it is about.
    pub fn node(&self) -> Option<&str> {
        match self {
            Self::NodeStart { node, .. }
            | Self::NodeRetry { node, .. }
            | Self::NodeSettled { node, .. }
            | Self::NodeEnd { node, .. }
            | Self::Interrupt { node, .. } => Some(node),
            _ => None,
        }
    }

    /// The number of the attempt it is about.
    pub fn attempt(&self) -> Option<u64> {
        match self {
            Self::NodeStart { attempt, .. }
            | Self::NodeRetry { attempt, .. }
            | Self::NodeSettled { attempt, .. } => Some(*attempt),
            _ => None,
        }
    }

    /// The status it tells, as it stands on the wire.
    pub fn status(&self) -> Option<&'static str> {
        match self {
            Self::GraphStart => Some(RunStatus::Running.as_str()),
            Self::NodeSettled { status, .. } | Self::NodeEnd { status, .. } => {
                Some(status.as_str())
            }
            Self::StepEnd => Some(RunStatus::Completed.as_str()),
            Self::Interrupt { .. } => Some(RunStatus::Interrupted.as_str()),
            Self::GraphEnd { status, .. } => Some(status.as_str()),
            _ => None,
        }
    }

    fn message(&self) -> Option<&str> {
        match self {
            Self::NodeRetry { failure, .. } => Some(&failure.message),
            Self::NodeSettled { failure, .. } => Some(&failure.as_ref()?.message),
            Self::Interrupt { prompt, .. } => Some(prompt),
            Self::GraphEnd { message, .. } => message.as_deref(),
            _ => None,
        }
    }
}

impl Event {
    /// The event of this run as JSON, for a log.
    pub fn to_value(&self, run_id: &str) -> Value {
        let mut object = Object::new();
        object.insert("type", self.what.type_name());
        object.insert("runId", run_id);
        object.insert("timestamp", self.at.to_string());
        object.insert("step", self.step as f64);
        if let Happening::StepStart { scheduled } = &self.what {
            let nodes: Vec<Value> = scheduled.iter().map(|node| Value::from(&**node)).collect();
            object.insert("scheduled", nodes);
        }
        if let Some(node) = self.what.node() {
            object.insert("nodeId", node);
        }
        if let Some(attempt) = self.what.attempt() {
            object.insert("attempt", attempt as f64);
        }
        if let Some(status) = self.what.status() {
            object.insert("status", status);
        }
        if let Some(message) = self.what.message() {
            object.insert("message", message);
        }
        if let Happening::NodeSettled { usage, .. } = &self.what {
            object.insert("usage", super::snapshot::usage_value(usage));
        }
        Value::Object(object)
    }
}
