//! What an evaluation went through: which nodes each frame reached, and with which value each ended. Knows
//! nothing about why.

use alloc::vec::Vec;
use core::ops::Range;

use crate::evaluate::{Found, FrameEnd};
use crate::protocol::{Outcome, OutcomeSet, Status};

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

    /// How much work the evaluation was: frames and reached nodes.
    pub(crate) fn size(&self) -> u32 {
        u32::try_from(self.ends.len() + self.reached.len()).unwrap_or(u32::MAX)
    }

    /// Forgets the evaluation before.
    pub(crate) fn clear(&mut self) {
        self.ends.clear();
        self.reached.clear();
    }

    /// Keeps what a frame came to.
    pub(crate) fn keep(&mut self, ended: FrameEnd<'_>) {
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
