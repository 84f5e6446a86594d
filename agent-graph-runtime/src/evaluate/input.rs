//! What the fixpoint asks beside the tables, and what it tells about frames. The input of every day is a
//! state; a state that is watched, and every state there could be, are others. Knows nothing about what
//! is done with the answers.

use super::found::{Ending, Frame};
use super::scratch::Slot;
use super::state_key;
use crate::fact_check;
use crate::protocol::{Outcome, Status};
use crate::state::State;
use crate::tables::{NodeRow, Rows, Tables};
use crate::text_hash::TextHash;

/// Answers the questions of an evaluation. The fixpoint is compiled for each kind of input, so that a
/// plain state pays for none of the others.
pub(crate) trait Input {
    /// Whether the checks of a node in a frame hold.
    fn holds(&mut self, tables: &Tables<'_>, frame: u32, node: u32, checks: Rows) -> bool;

    /// What is recorded under a state key.
    fn recorded(&mut self, key: Key<'_>) -> Option<Outcome>;

    /// Whether the session holds an authority.
    fn has_authority(&mut self, authority: &str) -> bool;

    /// What the graph that a node calls comes to, where that is known without evaluating it.
    fn called(
        &mut self,
        _tables: &Tables<'_>,
        _frame: u32,
        _node: u32,
        _entry: u32,
    ) -> Option<Ending> {
        None
    }

    /// Told that a frame begins, callers before called frames.
    fn frame_begun(&mut self, _frame: u32, _row: Frame) {}

    /// Told what a frame came to, called frames before their callers.
    fn frame_ended(&mut self, _end: FrameEnd<'_>) {}
}

/// A state key that has not been put together.
#[derive(Clone, Copy)]
pub(crate) struct Key<'a> {
    pub(crate) tables: &'a Tables<'a>,
    pub(crate) frames: &'a [Frame],
    /// Hash of the key up to the slash before the node.
    pub(super) prefix: TextHash,
    pub(crate) frame: u32,
    pub(crate) node: u32,
    pub(crate) row: &'a NodeRow,
}

impl Key<'_> {
    /// The recorded outcome of this key.
    #[inline]
    pub(crate) fn in_state(&self, state: &State) -> Option<Outcome> {
        if !state.has_outcomes() {
            return None;
        }
        let hash = self.prefix.text("/").text(self.tables.text(self.row.id));
        state.recorded(hash, |key| {
            state_key::is_state_key(self.tables, self.frames, self.frame, self.node, key)
        })
    }
}

/// A frame without further change.
#[derive(Clone, Copy)]
pub(crate) struct FrameEnd<'a> {
    pub(crate) frame: u32,
    pub(crate) status: Status,
    /// Reached nodes in order of insertion.
    pub(crate) reached: &'a [u32],
    pub(super) slots: &'a [Slot],
}

impl FrameEnd<'_> {
    /// The value of a reached node.
    pub(crate) fn value(&self, node: u32) -> Option<Outcome> {
        self.slots.get(node as usize).and_then(|slot| slot.value)
    }
}

impl Input for &State {
    #[inline]
    fn holds(&mut self, tables: &Tables<'_>, _: u32, _: u32, checks: Rows) -> bool {
        checks.1 == 0 || fact_check::holds(tables, checks, self.facts())
    }

    #[inline]
    fn recorded(&mut self, key: Key<'_>) -> Option<Outcome> {
        key.in_state(self)
    }

    #[inline]
    fn has_authority(&mut self, authority: &str) -> bool {
        State::has_authority(self, authority)
    }
}
