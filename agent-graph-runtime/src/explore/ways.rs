//! The ways an evaluation can go, one after the other, each with a state that goes it. For lints.

use alloc::vec::Vec;

use super::literal::{Literal, establish};
use super::oracle::{Choose, Oracle, Scope};
use crate::evaluate::{Frame, Remark, state_key};
use crate::facts::Facts;
use crate::json::Object;
use crate::protocol::{Outcome, Status};
use crate::state::State;
use crate::tables::{NONE, Rows, Tables};

/// Which outcomes hosts are taken to record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handled {
    /// Any.
    Any,
    /// `completed`, and those that an edge from the node names.
    Only,
}

/// All the ways that an evaluation of one entry can go.
pub struct Ways<'t> {
    oracle: Oracle<'t>,
}

impl<'t> Ways<'t> {
    /// The ways from the entry row of a graph.
    pub fn new(tables: Tables<'t>, graph: u32, entry: u32, handled: Handled) -> Self {
        Self {
            oracle: Oracle::new(tables, graph, entry, handled == Handled::Only),
        }
    }

    /// The next way; `None` when all have been gone.
    pub fn go(&mut self) -> Option<Way<'_, 't>> {
        self.oracle.go(&mut Everything).then_some(Way {
            oracle: &self.oracle,
        })
    }
}

struct Everything;

impl Choose for Everything {
    fn scope(&mut self, _: u32, _: Frame) -> Scope {
        Scope::All
    }
}

/// A node in a frame.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeAt {
    /// Nodes that call the graphs on the way, outermost first.
    pub calls: Vec<u32>,
    /// The node.
    pub node: u32,
}

/// One way.
#[derive(Clone, Copy)]
pub struct Way<'w, 't> {
    oracle: &'w Oracle<'t>,
}

impl Way<'_, '_> {
    /// The status it comes to.
    pub fn status(&self) -> Status {
        self.oracle.trace.found.status
    }

    /// The outcome it completes with.
    pub fn outcome(&self) -> Option<Outcome> {
        self.oracle.trace.found.outcome
    }

    /// How much work it was.
    pub fn size(&self) -> u32 {
        self.oracle.trace.size()
    }

    /// Whether required facts of a node of the evaluated graph itself are missing.
    pub fn misses_facts(&self, node: u32) -> bool {
        let mut remarks = self.oracle.trace.found.remarks.iter();
        remarks.any(|remark| *remark == Remark::RequiredFactMissing { frame: 0, node })
    }

    /// Whether terminals of the evaluated graph itself disagree.
    pub fn conflicts(&self) -> bool {
        let mut remarks = self.oracle.trace.found.remarks.iter();
        remarks.any(|remark| matches!(remark, Remark::TerminalOutcomeAmbiguous { frame: 0, .. }))
    }

    /// Reached nodes of the evaluated graph itself with their values, in the order in which they are
    /// written.
    pub fn reached(&self) -> &[(u32, Outcome)] {
        self.oracle.trace.reached(0)
    }

    /// The value of a node of the evaluated graph itself.
    pub fn value(&self, node: u32) -> Option<Outcome> {
        self.oracle.trace.value(0, node)
    }

    /// What was asked for and found recorded, `pending` where nothing was, with the value that the node
    /// came to in the end.
    pub fn records(&self) -> impl Iterator<Item = (NodeAt, Outcome, Option<Outcome>)> {
        let frames = &self.oracle.trace.found.frames;
        self.oracle.records.iter().map(move |&(frame, node, own)| {
            let calls = calls(frames, frame);
            let value = self.oracle.trace.value(frame, node);
            (NodeAt { calls, node }, own, value)
        })
    }

    /// Whether the checks can hold on this way: in facts that agree with all that it assumes.
    pub fn allows(&self, checks: Rows) -> bool {
        let tables = self.oracle.tables();
        let checks = tables.rows(tables.checks, checks).iter();
        let wanted: Vec<Literal<'_>> = checks
            .map(|check| Literal::new(tables, check, true))
            .collect();
        let assumed = &self.oracle.literals;
        wanted.iter().enumerate().all(|(at, own)| {
            let others = wanted.iter().skip(at + 1).chain(assumed);
            others.into_iter().all(|other| own.agrees_with(other))
        })
    }

    /// A state that goes this way: the facts it needs, and the outcomes that are recorded on it.
    pub fn state(&self) -> State {
        state(self.oracle)
    }
}

/// The nodes that were called on the way to a frame, outermost first.
pub(crate) fn calls(frames: &[Frame], frame: u32) -> Vec<u32> {
    let mut calls = Vec::new();
    let mut at = frame;
    while let Some(row) = frames.get(at as usize).filter(|row| row.parent != NONE) {
        calls.push(row.caller);
        at = row.parent;
    }
    calls.reverse();
    calls
}

/// A state that goes the last way of the search.
pub(super) fn state(oracle: &Oracle<'_>) -> State {
    let mut state = State::new();
    let mut object = Object::new();
    establish(&mut object, &oracle.literals);
    // Facts that nest too deeply are none; such a witness shows in its replay.
    state.set_facts(Facts::from_object(object).unwrap_or_default());
    let frames = &oracle.trace.found.frames;
    let recorded = oracle.records.iter().copied();
    for (frame, node, outcome) in recorded.filter(|&(.., own)| own != Outcome::Pending) {
        let key = state_key(oracle.tables(), frames, frame, node);
        state.set_ascii_outcome(key, outcome);
    }
    state
}
