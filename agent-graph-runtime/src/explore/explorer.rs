//! What the explorations of one provider share: memory, and what was found out about nodes and about called
//! graphs, so that nothing is found out twice. Draws no conclusions.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::rc::Rc;
use alloc::vec::Vec;

use super::answers::{Answers, Recorded};
use super::trail::{self, Known, Trail};
use super::ways::Ways;
use crate::evaluate::Scratch;
use crate::protocol::NodeKind;
use crate::state::State;
use crate::tables::{NodeRow, Tables};

/// Explores a provider.
pub struct Explorer<'t> {
    pub(super) tables: Tables<'t>,
    pub(super) scratch: Scratch,
    pub(super) answers: Answers,
    /// Endings of graphs that nodes call, by entry.
    pub(super) known: Known<'t>,
    /// Targets and sources of the edges of a graph, in order.
    incoming: BTreeMap<u32, Rc<[(u32, u32)]>>,
    called: BTreeSet<u32>,
}

impl<'t> Explorer<'t> {
    /// An explorer that knows nothing yet.
    pub fn new(tables: Tables<'t>) -> Self {
        Self {
            scratch: Scratch::for_tables(&tables),
            answers: Answers::default(),
            known: Known::new(),
            incoming: BTreeMap::new(),
            called: tables.calls.iter().map(|call| call.entry).collect(),
            tables,
        }
    }

    /// The ways from the entry row of a graph. How called graphs end is taken from what is
    /// [kept](Ways::keep) of them, or else evaluated as well.
    pub fn ways<'e>(&'e mut self, graph: u32, entry: u32) -> Ways<'e, 't> {
        Ways::new(self, graph, entry, Recorded::Any)
    }

    /// The ways on which only expected outcomes are recorded, and all called graphs are evaluated as well.
    pub fn expected_ways<'e>(&'e mut self, graph: u32, entry: u32) -> Ways<'e, 't> {
        Ways::new(self, graph, entry, Recorded::Expected)
    }

    /// The largest one of the first kind of ways from any entry of a graph, provided that all it calls is
    /// kept; and the largest one of the second kind.
    pub fn largest(&self) -> Vec<(u64, u64)> {
        let tables = &self.tables;
        let own = |graph: &crate::tables::GraphRow| {
            let nodes = tables.rows(tables.nodes, graph.nodes).iter();
            let checks = nodes.map(|node| {
                let proof = tables.row(tables.steps, node.detail).satisfied;
                u64::from(node.requires.1) + u64::from(proof.1)
            });
            u64::from(graph.nodes.1) + u64::from(graph.edges.1) + checks.sum::<u64>()
        };
        let mut largest: Vec<(u64, u64)> = tables.graphs.iter().map(|_| (0, 0)).collect();
        for graph in callees_first(tables) {
            let row = tables.row(tables.graphs, graph);
            let own = own(row);
            let inside = calls_of(tables, graph).filter_map(|called| largest.get(called as usize));
            let all = inside.fold(own, |sum, &(_, inside)| sum.saturating_add(inside));
            if let Some(place) = largest.get_mut(graph as usize) {
                *place = (own, all);
            }
        }
        largest
    }

    /// Leaves open how the graph that is called at an entry ends.
    pub fn leave_open(&mut self, entry: u32) {
        if self.is_called(entry) {
            self.known.entry(entry).or_default();
        }
    }

    /// A state that goes a way that was gone.
    pub fn state(&self, trail: &Trail<'_>) -> State {
        trail::state(&self.tables, &self.known, trail)
    }

    pub(super) fn is_called(&self, entry: u32) -> bool {
        self.called.contains(&entry)
    }

    /// Targets and sources of the edges of a graph, in order. Says how much work it was.
    pub(super) fn incoming(&mut self, graph: u32) -> (Rc<[(u32, u32)]>, u32) {
        if let Some(known) = self.incoming.get(&graph) {
            return (Rc::clone(known), 0);
        }
        let edges = self.tables.row(self.tables.graphs, graph).edges;
        let rows = self.tables.rows(self.tables.edges, edges).iter();
        let mut incoming: Vec<(u32, u32)> = rows.map(|edge| (edge.to, edge.from)).collect();
        incoming.sort_unstable();
        let incoming: Rc<[(u32, u32)]> = incoming.into();
        self.incoming.insert(graph, Rc::clone(&incoming));
        (incoming, edges.1)
    }
}

/// The graphs that the nodes of a graph call, once for each node.
fn calls_of(tables: &Tables<'_>, graph: u32) -> impl Iterator<Item = u32> {
    let nodes = tables.rows(tables.nodes, tables.row(tables.graphs, graph).nodes);
    let calls = nodes
        .iter()
        .filter(|node: &&NodeRow| node.kind == NodeKind::Subgraph);
    calls.map(|node| tables.row(tables.calls, node.detail).graph)
}

/// All graphs, those that are called before those that call them.
pub fn callees_first(tables: &Tables<'_>) -> Vec<u32> {
    let mut order = Vec::new();
    let mut seen: Vec<bool> = tables.graphs.iter().map(|_| false).collect();
    let mut left: Vec<(u32, bool)> = (0..)
        .zip(tables.graphs)
        .map(|(graph, _)| (graph, false))
        .collect();
    left.reverse();
    while let Some((graph, finished)) = left.pop() {
        if finished {
            order.push(graph);
            continue;
        }
        match seen.get_mut(graph as usize) {
            Some(seen) if !*seen => *seen = true,
            _ => continue,
        }
        left.push((graph, true));
        left.extend(calls_of(tables, graph).map(|called| (called, false)));
    }
    order
}
