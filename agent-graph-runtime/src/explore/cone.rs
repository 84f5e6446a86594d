//! Whether a node can be reached with its required facts holding. Only what leads to the node matters to
//! that: in each frame on the way to it, the nodes from which the next step can be got to over edges. All
//! the rest is left aside, which keeps the search short without making it less exact.

use alloc::vec::Vec;

use super::oracle::{Choose, Oracle, Scope};
use crate::evaluate::Frame;
use crate::explain::Possibility;
use crate::state::State;
use crate::tables::{NONE, Tables};

/// Whether there is a way on which `node` is reached and its required facts hold, in the frame that the
/// calls lead to; `ways` is lowered by the work of the ways that were gone.
pub fn possible(
    tables: &Tables<'_>,
    graph: u32,
    entry: u32,
    calls: &[u32],
    node: u32,
    ways: &mut u32,
) -> (Possibility, Option<State>) {
    let mut steps: Vec<u32> = calls.to_vec();
    steps.push(node);
    let mut target = Target {
        cones: steps.iter().map(|&step| cone(tables, step)).collect(),
        steps,
        levels: Vec::new(),
        scopes: Vec::new(),
        tables: *tables,
        hit: false,
    };
    let mut oracle = Oracle::new(*tables, graph, entry, false);
    while *ways > 0 {
        target.levels.clear();
        target.scopes.clear();
        if !oracle.go(&mut target) {
            return (Possibility::Impossible, None);
        }
        *ways = ways.saturating_sub(oracle.trace.size());
        if target.hit {
            return (Possibility::Possible, Some(super::ways::state(&oracle)));
        }
    }
    (Possibility::NotDecided, None)
}

struct Target<'t> {
    tables: Tables<'t>,
    /// The calls to follow, then the node.
    steps: Vec<u32>,
    /// What matters to each step.
    cones: Vec<Vec<bool>>,
    /// How far along the steps each frame is; `None` for frames beside the way.
    levels: Vec<Option<usize>>,
    /// Whether all of a frame matters, by frame.
    scopes: Vec<bool>,
    hit: bool,
}

impl Choose for Target<'_> {
    fn scope(&mut self, _: u32, row: Frame) -> Scope {
        let parent = self.levels.get(row.parent as usize).copied().flatten();
        let level = match (row.parent, parent) {
            (NONE, _) => Some(0),
            (_, Some(level)) if self.steps.get(level) == Some(&row.caller) => Some(level + 1),
            _ => None,
        };
        let caller_matters = parent.is_some_and(|level| {
            let graph = self.tables.row(self.tables.nodes, row.caller).graph;
            let first = self.tables.row(self.tables.graphs, graph).nodes.0;
            let cone = self.cones.get(level);
            let position = row.caller.saturating_sub(first) as usize;
            cone.is_some_and(|cone| cone.get(position).copied().unwrap_or(false))
        });
        let inside = self
            .scopes
            .get(row.parent as usize)
            .copied()
            .unwrap_or(false);
        let all = level.is_none() && (caller_matters || inside);
        self.levels.push(level);
        self.scopes.push(all);
        match level.and_then(|level| self.cones.get(level)) {
            Some(cone) => Scope::Marked(cone.clone()),
            None if all => Scope::All,
            None => Scope::None,
        }
    }

    fn active(&mut self, frame: u32, node: u32) {
        let level = self.levels.get(frame as usize).copied().flatten();
        self.hit |= level.map(|level| level + 1) == Some(self.steps.len())
            && self.steps.last() == Some(&node);
    }
}

/// The nodes of a graph from which `node` can be got to over edges of any kind, itself included.
fn cone(tables: &Tables<'_>, node: u32) -> Vec<bool> {
    let graph = tables.row(tables.graphs, tables.row(tables.nodes, node).graph);
    let first = graph.nodes.0;
    let position = |node: u32| node.saturating_sub(first) as usize;
    let mut incoming: Vec<(u32, u32)> = tables
        .rows(tables.edges, graph.edges)
        .iter()
        .map(|edge| (edge.to, edge.from))
        .collect();
    incoming.sort_unstable();
    let mut marked = alloc::vec![false; graph.nodes.1 as usize];
    let mut left = Vec::from([node]);
    while let Some(node) = left.pop() {
        let Some(mark) = marked.get_mut(position(node)) else {
            continue;
        };
        if core::mem::replace(mark, true) {
            continue;
        }
        let start = incoming.partition_point(|&(to, _)| to < node);
        let own = incoming.get(start..).unwrap_or(&[]).iter();
        left.extend(own.take_while(|(to, _)| *to == node).map(|&(_, from)| from));
    }
    marked
}
