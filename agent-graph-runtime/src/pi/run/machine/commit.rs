//! The state after a superstep: writes, retention, sizes (spec 5.4, 5.5, 9.5). Whatever is refused leaves the
//! state as it was.

use alloc::vec::Vec;

use super::flight::{Flight, Node, Place};
use super::{Run, limits};
use crate::json::Object;
use crate::pi::apply::Applied;
use crate::pi::path;
use crate::pi::path_set::PathSet;
use crate::pi::reducer::{self, Write};
use crate::pi::run::code::RunCode;
use crate::pi::run::outcome::RunProblem;
use crate::pi::tables::Tables;

/// What a commit leads to.
pub(super) struct Committed {
    /// What the nodes lead to on their own.
    pub(super) targets: Vec<Node>,
    /// The bytes of the state.
    pub(super) bytes: u64,
    /// The bytes of the values whose size is limited.
    pub(super) limited: limits::Limited,
}

impl Run {
    /// Makes the writes of a superstep, and finds out what its nodes lead to then.
    pub(super) fn commit(
        &mut self,
        flight: &Flight,
        state: &mut Object,
    ) -> Result<Committed, RunProblem> {
        let results = flight.slots.iter().filter_map(|slot| match &slot.place {
            Place::Done(result) => Some(&result.writes),
            _ => None,
        });
        let writes: Vec<&Write> = results.flatten().collect();
        let reducer = |written: &str| self.index.reducer(written);
        let applied = reducer::apply(state, &writes, reducer);
        let mut applied = applied.map_err(RunProblem::State)?;
        let judged = self.judge(flight, &writes, state, &mut applied);
        if judged.is_err() {
            applied.take_back(state);
        }
        judged
    }

    fn judge(
        &mut self,
        flight: &Flight,
        writes: &[&Write],
        state: &mut Object,
        applied: &mut Applied,
    ) -> Result<Committed, RunProblem> {
        let graph = self.graph.clone();
        let tables = graph.tables();
        prune(&tables, state, applied).map_err(RunProblem::Code)?;
        let bytes = self.bytes.saturating_add_signed(applied.growth());
        let mut written = PathSet::default();
        for write in writes {
            written.insert(path::segments(&write.path).map_err(RunProblem::State)?);
        }
        for channel in tables.channels {
            let path = tables.text(tables.row(tables.paths, channel.path).written);
            if let Ok(segments) = path::segments(path) {
                written.insert(segments);
            }
        }
        // What nothing was written to, and nothing taken from, is as large as it was.
        let is_written = |segments: &[&str]| written.overlaps(segments.iter().copied());
        let limited = limits::sizes(
            &tables,
            state,
            bytes,
            &self.limited,
            is_written,
            Some(applied),
        );
        let limited = limited.map_err(RunProblem::Code)?;
        let targets = self.targets(flight, state)?;
        if let Some(recording) = &mut self.recording {
            recording.state_changed(applied.changes(state));
        }
        Ok(Committed {
            targets,
            bytes,
            limited,
        })
    }

    /// Measures the state as it is, and says the limit of size that it exceeds.
    pub(super) fn oversized(&mut self) -> Option<RunCode> {
        let graph = self.graph.clone();
        let tables = graph.tables();
        let unknown = limits::Limited::new();
        match limits::sizes(&tables, &self.state, self.bytes, &unknown, |_| true, None) {
            Ok(limited) => {
                self.limited = limited;
                None
            }
            Err(code) => Some(code),
        }
    }

    /// The bytes of the state, as compact text.
    pub fn state_bytes(&self) -> u64 {
        self.bytes
    }
}

/// Keeps the newest messages of each channel that has a limit.
fn prune(tables: &Tables<'_>, state: &mut Object, applied: &mut Applied) -> Result<(), RunCode> {
    for channel in tables.channels {
        let written = tables.text(tables.row(tables.paths, channel.path).written);
        let Ok(segments) = path::segments(written) else {
            continue;
        };
        let keep = usize::try_from(channel.keep).unwrap_or(usize::MAX);
        if !applied.keep_last(state, &segments, keep) {
            return Err(RunCode::SharedContextInvalid);
        }
    }
    Ok(())
}
