//! What an evaluation went through: which nodes each frame reached, and with which value each ended. Also
//! the input that is watched for it, a state with at most one thing changed. Knows nothing about why.

use alloc::vec::Vec;
use core::ops::Range;

use crate::evaluate::{self, Found, FrameEnd, Input, Key, Scratch, is_state_key};
use crate::fact_check;
use crate::facts::Facts;
use crate::protocol::{NodeKind, Outcome, OutcomeSet, Status};
use crate::state::State;
use crate::tables::{Rows, Tables};

/// An evaluation with its frames.
#[derive(Default)]
pub(crate) struct Trace {
    pub(crate) found: Found,
    /// By frame, as in `found`.
    ends: Vec<End>,
    /// Reached nodes, frame after frame, each frame's ordered by row.
    reached: Vec<(u32, Outcome)>,
}

#[derive(Clone, Default)]
struct End {
    status: Option<Status>,
    reached: Range<usize>,
}

impl Trace {
    /// What the frame came to.
    pub(crate) fn status(&self, frame: u32) -> Status {
        let end = self.ends.get(frame as usize);
        end.and_then(|end| end.status).unwrap_or(Status::Error)
    }

    /// Reached nodes of a frame with their values, in the order in which they are written.
    pub(crate) fn reached(&self, frame: u32) -> &[(u32, Outcome)] {
        let end = self.ends.get(frame as usize);
        end.and_then(|end| self.reached.get(end.reached.clone()))
            .unwrap_or(&[])
    }

    /// The value of a node; `None` when it is not reached.
    pub(crate) fn value(&self, frame: u32, node: u32) -> Option<Outcome> {
        let reached = self.reached(frame);
        let at = reached
            .binary_search_by_key(&node, |&(node, _)| node)
            .ok()?;
        reached.get(at).map(|&(_, value)| value)
    }

    /// Whether the edge hits: its source is reached and came to one of its outcomes.
    pub(crate) fn hits(&self, frame: u32, from: u32, outcomes: OutcomeSet) -> bool {
        self.value(frame, from)
            .is_some_and(|value| outcomes.contains(value))
    }

    fn clear(&mut self) {
        self.ends.clear();
        self.reached.clear();
    }

    fn keep(&mut self, ended: FrameEnd<'_>) {
        let start = self.reached.len();
        // A reached node has a value by the time its frame ends.
        let valued = ended
            .reached
            .iter()
            .filter_map(|&node| Some((node, ended.value(node)?)));
        self.reached.extend(valued);
        if let Some(own) = self.reached.get_mut(start..) {
            own.sort_unstable_by_key(|&(node, _)| node);
        }
        let frame = ended.frame as usize;
        if self.ends.len() <= frame {
            self.ends.resize(frame + 1, End::default());
        }
        if let Some(end) = self.ends.get_mut(frame) {
            *end = End {
                status: Some(ended.status),
                reached: start..self.reached.len(),
            };
        }
    }
}

/// A state with one thing changed, or nothing.
#[derive(Clone, Copy)]
pub(crate) struct Trial<'a> {
    pub(crate) state: &'a State,
    pub(crate) facts: &'a Facts,
    /// A state key and what is recorded under it instead.
    pub(crate) record: Option<(&'a str, Outcome)>,
    /// An authority that the session holds as well.
    pub(crate) authority: Option<&'a str>,
}

impl<'a> Trial<'a> {
    pub(crate) fn unchanged(state: &'a State) -> Self {
        Self {
            state,
            facts: state.facts(),
            record: None,
            authority: None,
        }
    }

    /// Evaluates, and keeps what it went through in `trace`.
    pub(crate) fn run(
        self,
        tables: &Tables<'_>,
        graph: u32,
        entry: Option<u32>,
        scratch: &mut Scratch,
        trace: &mut Trace,
    ) {
        trace.clear();
        let mut found = core::mem::take(&mut trace.found);
        let watched = Watched { trial: self, trace };
        evaluate::evaluate(tables, watched, graph, entry, scratch, &mut found);
        trace.found = found;
    }
}

struct Watched<'a, 't> {
    trial: Trial<'a>,
    trace: &'t mut Trace,
}

impl Input for Watched<'_, '_> {
    fn holds(&mut self, tables: &Tables<'_>, _: u32, _: u32, checks: Rows) -> bool {
        fact_check::holds(tables, checks, self.trial.facts)
    }

    fn recorded(&mut self, key: Key<'_>) -> Option<Outcome> {
        match self.trial.record {
            // Only actions and gates are recorded.
            Some((changed, outcome))
                if matches!(key.row.kind, NodeKind::Action | NodeKind::Gate)
                    && is_state_key(key.tables, key.frames, key.frame, key.node, changed) =>
            {
                Some(outcome)
            }
            _ => key.in_state(self.trial.state),
        }
    }

    fn has_authority(&mut self, authority: &str) -> bool {
        self.trial.authority == Some(authority) || self.trial.state.has_authority(authority)
    }

    fn frame_ended(&mut self, ended: FrameEnd<'_>) {
        self.trace.keep(ended);
    }
}
