//! The memory of an evaluation, kept between evaluations: what a node is in the frame at work, and one
//! stack for each thing that frames keep while the graphs they call are evaluated.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::found::Remark;
use crate::protocol::Outcome;
use crate::tables::{NONE, Tables};
use crate::text_hash::TextHash;

/// What a node is in the frame that `stamp` names; a slot with another stamp is blank. One slot a node
/// is enough, because a graph is never active twice at a time.
#[derive(Clone, Copy, Default)]
pub(super) struct Slot {
    pub(super) stamp: u32,
    pub(super) reached: bool,
    pub(super) value: Option<Outcome>,
    /// Incoming edges, other than repeat edges, that hit now.
    pub(super) hits: u32,
}

/// Remarks as a chain through the pool, so that lists are joined without copying.
#[derive(Clone, Copy)]
pub(super) struct Chain {
    pub(super) first: u32,
    pub(super) last: u32,
}

impl Chain {
    pub(super) const EMPTY: Self = Self {
        first: NONE,
        last: NONE,
    };
}

#[derive(Clone, Copy)]
pub(super) struct Link {
    pub(super) remark: Remark,
    pub(super) next: u32,
}

/// A frame at work.
#[derive(Clone, Copy)]
pub(super) struct Activation {
    pub(super) frame: u32,
    pub(super) graph: u32,
    pub(super) caller: u32,
    pub(super) stamp: u32,
    /// State keys of its nodes begin with the text of this hash.
    pub(super) prefix: TextHash,
    /// Its part of `reached` begins here; what lies above belongs to it as long as it is on top.
    pub(super) reached: usize,
    /// The next of its reached nodes to give a value to.
    pub(super) next: usize,
    /// Its parts of the other stacks begin here.
    pub(super) repeats: usize,
    pub(super) touched: usize,
    pub(super) open: usize,
    /// Whether a candidate among its own or its unfinished children's is immediate.
    pub(super) immediate: bool,
    pub(super) own: Chain,
    pub(super) children: Chain,
}

/// Memory of an evaluation, kept between evaluations.
#[derive(Default)]
pub(crate) struct Scratch {
    pub(super) slots: Vec<Slot>,
    /// Which graphs have a frame at work.
    pub(super) active: Vec<bool>,
    pub(super) stamp: u32,
    pub(super) activations: Vec<Activation>,
    /// Reached nodes in order of insertion, frame above frame.
    pub(super) reached: Vec<u32>,
    /// Repeat edges whose source came to a matching value, frame above frame.
    pub(super) repeats: Vec<u32>,
    /// Nodes whose hits grew, frame above frame.
    pub(super) touched: Vec<u32>,
    /// The repeat edges of the pass at work, in declaration order.
    pub(super) pass: BinaryHeap<Reverse<u32>>,
    pub(super) links: Vec<Link>,
}

impl Scratch {
    /// Makes room for a provider, so that evaluating does not have to.
    pub(crate) fn for_tables(tables: &Tables<'_>) -> Self {
        let mut scratch = Self::default();
        scratch.begin(tables);
        scratch
    }

    pub(super) fn begin(&mut self, tables: &Tables<'_>) {
        let fits =
            self.slots.len() == tables.nodes.len() && self.active.len() == tables.graphs.len();
        // An evaluation has at most 100 000 frames, so stamps cannot run out in the middle of one.
        if !fits || self.stamp > u32::MAX / 2 {
            self.slots = alloc::vec![Slot::default(); tables.nodes.len()];
            self.active = alloc::vec![false; tables.graphs.len()];
            self.stamp = 0;
        }
        self.activations.clear();
        self.reached.clear();
        self.repeats.clear();
        self.touched.clear();
        self.pass.clear();
        self.links.clear();
    }

    /// A stamp no slot carries.
    pub(super) fn next_stamp(&mut self) -> u32 {
        self.stamp = self.stamp.saturating_add(1);
        self.stamp
    }

    /// The slot of a node in the frame with this stamp. Rows refer to existing nodes; should one not,
    /// there is no slot and nothing happens to it.
    pub(super) fn slot(&mut self, node: u32, stamp: u32) -> Option<&mut Slot> {
        let slot = self.slots.get_mut(node as usize)?;
        if slot.stamp != stamp {
            *slot = Slot {
                stamp,
                ..Slot::default()
            };
        }
        Some(slot)
    }
}
