//! How a call of a run ends: its errors, and the part of the state that it answers with (spec 11). Knows
//! nothing about how it came to that.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::code::RunCode;
use crate::json::{Object, Value};
use crate::pi::graph::Graph;
use crate::pi::state;
use crate::pi::state_error::StateError;
use crate::pi::{path, tables::Tables};

/// Why a run failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunError {
    /// Nodes failed, and the graph has nothing to say about that.
    Nodes(Vec<NodeFailure>),
    /// The run as a whole failed.
    Run(RunProblem),
}

/// A node that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeFailure {
    /// The node.
    pub node: String,
    /// Why.
    pub code: RunCode,
    /// Why, in words.
    pub message: String,
}

/// Why a run as a whole failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunProblem {
    /// A limit, or the caller.
    Code(RunCode),
    /// The writes of a superstep, or a condition on the state they make, are refused.
    State(StateError),
    /// Two nodes of a superstep use one thread.
    ThreadConcurrent(String),
    /// The graph no longer has a node that is scheduled.
    StepResultMissing(String),
}

impl RunProblem {
    /// The code, as the specification has it.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Code(code) => code.as_str(),
            Self::State(error) => error.as_str(),
            Self::ThreadConcurrent(_) => "THREAD_CONCURRENT",
            Self::StepResultMissing(_) => "STEP_RESULT_MISSING",
        }
    }
}

impl fmt::Display for RunProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(_) | Self::State(_) => f.write_str(self.as_str()),
            Self::ThreadConcurrent(key) => {
                write!(f, "{}: two nodes use the thread `{key}`", self.as_str())
            }
            Self::StepResultMissing(node) => {
                write!(f, "{}: the graph has no node `{node}`", self.as_str())
            }
        }
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nodes(failures) => {
                for (index, failure) in failures.iter().enumerate() {
                    let separator = if index > 0 { "; " } else { "" };
                    write!(f, "{separator}{}: {}", failure.node, failure.message)?;
                }
                Ok(())
            }
            Self::Run(problem) => write!(f, "{problem}"),
        }
    }
}

impl core::error::Error for RunError {}

/// What the run answers with: the paths that the definition names, or what is usually the result. Nothing
/// when nothing of it is there.
pub(super) fn projection(graph: &Graph, state: &Object) -> Option<Object> {
    let tables = graph.tables();
    if !tables.graph.has_result_paths {
        return usual(state);
    }
    let mut result = Object::new();
    for &row in tables.rows(tables.lists, tables.graph.result_paths) {
        copy(&tables, row, state, &mut result);
    }
    (!result.is_empty()).then_some(result)
}

fn copy(tables: &Tables<'_>, row: u32, state: &Object, result: &mut Object) {
    let written = tables.text(tables.row(tables.paths, row).written);
    // The path is one, and leads through objects where it leads to a value.
    if let Ok(segments) = path::segments(written)
        && let Some(value) = state::get(state, &segments)
    {
        let _ = state::set(result, &segments, value.clone());
    }
}

fn usual(state: &Object) -> Option<Object> {
    let only = |name: &str| {
        state
            .get(name)
            .map(|value| (String::from(name), value.clone()))
    };
    let outputs = || match state.get("outputs") {
        Some(Value::Object(outputs)) if outputs.len() == 1 => only("outputs"),
        _ => None,
    };
    let member = only("result").or_else(|| only("report")).or_else(outputs)?;
    Some([member].into_iter().collect())
}
