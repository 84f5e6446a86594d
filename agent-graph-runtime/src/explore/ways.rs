//! The ways an evaluation can go, one after the other, each with a state that goes it. For lints.

use alloc::string::String;
use alloc::vec::Vec;

use super::literal::establish;
use super::oracle::{Choose, Oracle, Scope};
use crate::evaluate::{Frame, Remark, state_key};
use crate::facts::Facts;
use crate::json::Object;
use crate::protocol::{Outcome, OutcomeSet, Status};
use crate::state::State;
use crate::tables::{NONE, Tables};

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
    tables: Tables<'t>,
    oracle: Oracle<'t>,
}

impl<'t> Ways<'t> {
    /// The ways from the entry row of a graph.
    pub fn new(tables: Tables<'t>, graph: u32, entry: u32, handled: Handled) -> Self {
        Self {
            oracle: Oracle::new(tables, graph, entry, handled == Handled::Only),
            tables,
        }
    }

    /// The next way; `None` when all have been gone.
    pub fn go(&mut self) -> Option<Way<'_, 't>> {
        self.oracle.go(&mut Everything).then_some(Way {
            tables: &self.tables,
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
    tables: &'w Tables<'t>,
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

    /// Whether the evaluation says that a required fact is missing.
    pub fn misses_facts(&self) -> bool {
        let mut remarks = self.oracle.trace.found.remarks.iter();
        remarks.any(|remark| matches!(remark, Remark::RequiredFactMissing { .. }))
    }

    /// The graph, row, and outcomes of a frame whose terminals disagree, if any.
    pub fn conflict(&self) -> Option<(u32, OutcomeSet)> {
        let found = &self.oracle.trace.found;
        found.remarks.iter().find_map(|remark| match remark {
            Remark::TerminalOutcomeAmbiguous { frame, outcomes } => {
                let graph = found.frames.get(*frame as usize)?.graph;
                Some((graph, *outcomes))
            }
            _ => None,
        })
    }

    /// Reached nodes of the evaluated graph itself with their values, in the order in which they are written.
    pub fn reached(&self) -> &[(u32, Outcome)] {
        self.oracle.trace.reached(0)
    }

    /// Reached nodes of all frames with their values.
    pub fn reached_anywhere(&self) -> impl Iterator<Item = (NodeAt, Outcome)> {
        let frames = (0..).take(self.oracle.trace.found.frames.len());
        frames.flat_map(move |frame| {
            let reached = self.oracle.trace.reached(frame).iter();
            reached.map(move |&(node, value)| {
                let calls = calls(&self.oracle.trace.found.frames, frame);
                (NodeAt { calls, node }, value)
            })
        })
    }

    /// Nodes that can be next.
    pub fn open(&self) -> impl Iterator<Item = NodeAt> {
        let open = self.oracle.trace.found.open.iter();
        open.map(|open| NodeAt {
            calls: calls(&self.oracle.trace.found.frames, open.frame),
            node: open.node,
        })
    }

    /// A state that goes this way: the facts it needs, and the outcomes that are recorded on it.
    pub fn state(&self) -> State {
        state(self.oracle)
    }

    /// The state key of a node.
    pub fn key(&self, at: &NodeAt) -> String {
        let mut key = String::new();
        for &node in at.calls.iter().chain([&at.node]) {
            if !key.is_empty() {
                key.push('>');
            }
            let row = self.tables.row(self.tables.nodes, node);
            let graph = self.tables.row(self.tables.graphs, row.graph);
            key.push_str(self.tables.text(graph.id));
            key.push('/');
            key.push_str(self.tables.text(row.id));
        }
        key
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
    for &(frame, node, outcome) in &oracle.records {
        let key = state_key(oracle.tables(), frames, frame, node);
        state.set_ascii_outcome(key, outcome);
    }
    state
}
