//! The state after a superstep: writes, retention, sizes (spec 5.4, 5.5, 9.5). The state before stays as it is
//! until all of that has gone well.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::flight::Place;
use super::{Run, limits};
use crate::json::{Object, Value};
use crate::pi::reducer::{self, Write};
use crate::pi::run::code::RunCode;
use crate::pi::run::outcome::RunProblem;
use crate::pi::tables::Tables;
use crate::pi::{path, state};

/// A state that may be installed.
pub(super) struct Candidate {
    pub(super) state: Object,
}

impl Run {
    /// What the state would be after the superstep.
    pub(super) fn candidate(&self) -> Result<Candidate, RunProblem> {
        let tables = self.graph.tables();
        let slots = self.flight.iter().flat_map(|flight| &flight.slots);
        let results = slots.filter_map(|slot| match &slot.place {
            Place::Done(result) => Some(&result.writes),
            _ => None,
        });
        let writes: Vec<Write> = results.flatten().cloned().collect();
        let reducer = |written: &str| self.index.reducer(written);
        let mut candidate =
            reducer::commit(&self.state, &writes, reducer).map_err(RunProblem::State)?;
        prune(&tables, &mut candidate).map_err(RunProblem::Code)?;
        let bytes = limits::state_bytes(&candidate);
        match limits::oversized(&tables, &candidate, bytes, |_| true) {
            Some(code) => Err(RunProblem::Code(code)),
            None => Ok(Candidate { state: candidate }),
        }
    }

    pub(super) fn install(&mut self, candidate: Candidate) {
        self.state = Arc::new(candidate.state);
    }

    /// The limit of size that the state exceeds as it is.
    pub(super) fn oversized(&self) -> Option<RunCode> {
        let tables = self.graph.tables();
        let bytes = limits::state_bytes(&self.state);
        limits::oversized(&tables, &self.state, bytes, |_| true)
    }

    /// The bytes of the state.
    pub fn state_bytes(&self) -> u64 {
        limits::state_bytes(&self.state)
    }
}

/// Keeps the newest messages of each channel that has a limit.
fn prune(tables: &Tables<'_>, candidate: &mut Object) -> Result<(), RunCode> {
    for channel in tables.channels {
        let written = tables.text(tables.row(tables.paths, channel.path).written);
        let Ok(segments) = path::segments(written) else {
            continue;
        };
        match state::get_mut(candidate, &segments) {
            None => {}
            Some(Value::Array(messages)) => {
                let keep = usize::try_from(channel.keep).unwrap_or(usize::MAX);
                let surplus = messages.len().saturating_sub(keep);
                messages.drain(..surplus);
            }
            Some(_) => return Err(RunCode::SharedContextInvalid),
        }
    }
    Ok(())
}
