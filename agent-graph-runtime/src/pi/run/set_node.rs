//! Set nodes: what their assignments write (spec 7.2). Knows nothing about runs.

use alloc::string::String;
use alloc::vec::Vec;

use super::attempt::{AttemptResult, Failure, Success};
use super::code::RunCode;
use super::usage::Usage;
use crate::json::{Object, Value};
use crate::pi::graph;
use crate::pi::path;
use crate::pi::reducer::Write;
use crate::pi::state;
use crate::pi::state_error::StateError;
use crate::pi::tables::{AssignedFrom, AssignmentRow, NodeRow, Tables};
use crate::pi::words::WriteMode;

/// What a set node comes to; all its assignments read the same state.
pub(super) fn run(tables: &Tables<'_>, node: &NodeRow, state: &Object) -> AttemptResult {
    let assignments = tables.rows(tables.assignments, node.assignments).iter();
    let writes: Result<Vec<Write>, String> = assignments
        .map(|assignment| write(tables, assignment, state))
        .collect();
    match writes {
        Ok(writes) => Success {
            output: Some(Value::Object(output(&writes))),
            writes,
            usage: Usage::default(),
        }
        .into(),
        Err(message) => Failure::new(RunCode::SetNodeError, message).into(),
    }
}

fn write(tables: &Tables<'_>, assignment: &AssignmentRow, state: &Object) -> Result<Write, String> {
    let written = |row: u32| tables.text(tables.row(tables.paths, row).written);
    let to = written(assignment.path);
    let refused = |error: StateError| alloc::format!("`{to}` cannot be assigned: {error}");
    let value = match assignment.source {
        AssignedFrom::Unset => None,
        AssignedFrom::Value(text) => Some(graph::value(tables, text).unwrap_or_default()),
        AssignedFrom::Template(rows) => {
            let text = graph::template(tables, rows).render(state);
            Some(text.map_err(refused)?.into())
        }
        AssignedFrom::Path(row) => {
            let segments = path::segments(written(row)).map_err(refused)?;
            let value = state::get(state, &segments);
            let missing = || alloc::format!("there is nothing at `{}`", written(row));
            Some(value.cloned().ok_or_else(missing)?)
        }
    };
    Ok(Write {
        path: to.into(),
        mode: match value {
            None => WriteMode::Unset,
            Some(_) => assignment.mode,
        },
        value,
    })
}

/// What was assigned, by path as it is written.
fn output(writes: &[Write]) -> Object {
    let members = writes.iter();
    members
        .map(|write| (write.path.as_str(), write.value.clone().unwrap_or_default()))
        .collect()
}
