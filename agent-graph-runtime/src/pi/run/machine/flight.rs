//! The superstep at work: its nodes, and where each of them is. Knows nothing about what nodes do.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::pi::run::attempt::{Failure, Interrupt};
use crate::pi::run::record::NodeResult;
use crate::pi::run::usage::Usage;
use crate::pi::run::work::Ticket;
use crate::timestamp::Timestamp;

/// A node that is scheduled or pending. A graph that was changed may not have it any more.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) id: Arc<str>,
    pub(super) row: Option<u32>,
}

/// The superstep at work.
#[derive(Clone, Debug, Default)]
pub(super) struct Flight {
    pub(super) slots: Vec<Slot>,
    /// The slots from here on may not have been begun.
    next: usize,
    /// How many slots are at work: from the first attempt until they settle, waits included.
    pub(super) active: u64,
    /// The slots that wait for another attempt.
    waiting: BTreeSet<(Timestamp, usize)>,
    /// The slots of the attempts that are being made.
    pub(super) at_work: BTreeMap<Ticket, usize>,
}

/// A node of the superstep.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    pub(super) node: Node,
    pub(super) place: Place,
    /// The number of the last attempt.
    pub(super) attempt: u64,
    /// How many attempts were really made.
    pub(super) made: u64,
    pub(super) started_at: Timestamp,
    /// What all attempts used.
    pub(super) usage: Usage,
    /// What the attempt at work has reported.
    pub(super) reported: Usage,
    /// The question that is asked, for a human node.
    pub(super) question: Option<Interrupt>,
    /// Whether it settled in this call.
    pub(super) is_fresh: bool,
    /// Whether it failed, whatever the graph made of that.
    pub(super) has_failed: bool,
}

/// Where a node of the superstep is.
#[derive(Clone, Debug)]
pub(super) enum Place {
    /// Not begun.
    Open,
    /// At work, or waiting for another attempt.
    Active,
    /// Done, in this call or before.
    Done(NodeResult),
    /// Failed, and the graph has nothing to say about that.
    Failed(Failure),
    /// Waits for a person.
    Interrupted(Interrupt),
    /// Ended with the run, whatever it would have come to.
    Stopped,
    /// The graph has no such node.
    Missing,
}

impl Slot {
    pub(super) fn open(node: Node, now: Timestamp) -> Self {
        Self {
            node,
            place: Place::Open,
            attempt: 0,
            made: 0,
            started_at: now,
            usage: Usage::default(),
            reported: Usage::default(),
            question: None,
            is_fresh: false,
            has_failed: false,
        }
    }

    pub(super) fn is_done(&self) -> bool {
        matches!(self.place, Place::Done(_))
    }

    pub(super) fn id(&self) -> String {
        String::from(&*self.node.id)
    }
}

impl Flight {
    pub(super) fn of(nodes: Vec<Node>, now: Timestamp) -> Self {
        let slots = nodes.into_iter().map(|node| Slot::open(node, now));
        Self {
            slots: slots.collect(),
            ..Self::default()
        }
    }

    /// The first slot that is due for another attempt.
    pub(super) fn take_due(&mut self, now: Timestamp) -> Option<usize> {
        let &(due, at) = self.waiting.first()?;
        if due > now {
            return None;
        }
        self.waiting.remove(&(due, at));
        Some(at)
    }

    /// The first slot that is not begun; it is at work from now on.
    pub(super) fn take_open(&mut self, now: Timestamp) -> Option<usize> {
        while let Some(slot) = self.slots.get_mut(self.next) {
            self.next += 1;
            if matches!(slot.place, Place::Open) {
                slot.place = Place::Active;
                slot.started_at = now;
                self.active += 1;
                return Some(self.next - 1);
            }
        }
        None
    }

    /// When the next slot is due for another attempt.
    pub(super) fn due(&self) -> Option<Timestamp> {
        self.waiting.first().map(|(due, _)| *due)
    }

    pub(super) fn wait(&mut self, at: usize, due: Timestamp) {
        self.waiting.insert((due, at));
    }

    /// Gives up the attempts that were still to be made.
    pub(super) fn give_up_waiting(&mut self) {
        for (_, at) in core::mem::take(&mut self.waiting) {
            self.settle(at, Place::Stopped);
        }
    }

    /// A slot that was at work has come to this.
    pub(super) fn settle(&mut self, at: usize, place: Place) {
        if let Some(slot) = self.slots.get_mut(at) {
            slot.place = place;
            slot.is_fresh = true;
            self.active = self.active.saturating_sub(1);
        }
    }
}
