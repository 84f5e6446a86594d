//! A change of the input, tried out: a state with at most one thing changed is evaluated, and what the
//! evaluation went through is kept. Knows nothing about which changes are worth a try.

use crate::evaluate::{self, FrameEnd, Input, Key, Scratch, is_state_key};
use crate::explore::Trace;
use crate::fact_check;
use crate::facts::Facts;
use crate::protocol::{NodeKind, Outcome};
use crate::state::State;
use crate::tables::{Rows, Tables};

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
