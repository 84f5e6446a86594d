//! Which nodes are next: routed failures, routes, edges, barriers (spec 6.3). Knows nothing about writes.

use alloc::collections::BTreeSet;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::flight::{Flight, Node, Place};
use super::{Run, start};
use crate::json::Object;
use crate::pi::run::named::Named;
use crate::pi::run::outcome::RunProblem;
use crate::pi::tables::Tables;

impl Run {
    /// What the nodes of a superstep lead to on their own, with this state, in order.
    pub(super) fn targets(
        &mut self,
        flight: &Flight,
        state: &Object,
    ) -> Result<Vec<Node>, RunProblem> {
        let graph = self.graph.clone();
        let tables = graph.tables();
        let mut targets = Vec::new();
        for slot in &flight.slots {
            if let Place::Done(result) = &slot.place
                && let Some(next) = &result.next
            {
                targets.extend(next.iter().map(|id| self.named(id)));
            } else if let Some(row) = slot.node.row {
                self.targets_of(&tables, row, state, &mut targets)?;
            }
        }
        Ok(targets)
    }

    fn targets_of(
        &mut self,
        tables: &Tables<'_>,
        row: u32,
        state: &Object,
        targets: &mut Vec<Node>,
    ) -> Result<(), RunProblem> {
        let node_row = tables.row(tables.nodes, row);
        if let Some(route) = tables.routes.get(node_row.route as usize) {
            let mut chosen = route.default;
            for case in tables.rows(tables.cases, route.cases) {
                let condition = self.index.condition(tables, case.when);
                let condition = condition.map_err(RunProblem::State)?;
                if condition.holds(state).map_err(RunProblem::State)? {
                    chosen = case.to;
                    break;
                }
            }
            let chosen = tables.rows(tables.lists, chosen).iter();
            targets.extend(chosen.filter_map(|&row| start::node(&self.index, row)));
        }
        for &edge in tables.rows(tables.lists, node_row.edges) {
            let to = tables.rows(tables.lists, tables.row(tables.edges, edge).to);
            targets.extend(to.iter().filter_map(|&row| start::node(&self.index, row)));
        }
        Ok(())
    }

    /// The node with this id; a graph that was changed may not have it.
    pub(super) fn named(&self, id: &str) -> Node {
        let row = self.index.row(id);
        let node = row.and_then(|row| start::node(&self.index, row));
        node.unwrap_or_else(|| Node {
            id: id.into(),
            row: None,
        })
    }

    /// The next pending nodes, each once: `targets`, then what the barriers lead to that fire now that the
    /// completions of the superstep are counted.
    pub(super) fn followers(&mut self, flight: &Flight, mut targets: Vec<Node>) -> Vec<Node> {
        let graph = self.graph.clone();
        let tables = graph.tables();
        // A barrier that did not fire before can only fire if one of its sources was done again.
        let mut asked: BTreeSet<u32> = core::mem::take(&mut self.hot_barriers)
            .into_iter()
            .collect();
        for slot in &flight.slots {
            let row = slot.node.row.unwrap_or(u32::MAX);
            asked.extend(self.index.barriers(row));
        }
        for edge in asked {
            let edge_row = tables.row(tables.edges, edge);
            let sources = tables.rows(tables.lists, edge_row.from);
            if self.surplus(edge, sources) == 0 {
                continue;
            }
            self.consume(edge, sources);
            let to = tables.rows(tables.lists, edge_row.to);
            targets.extend(to.iter().filter_map(|&row| start::node(&self.index, row)));
            if self.surplus(edge, sources) > 0 {
                self.hot_barriers.push(edge);
            }
        }
        let mut seen: BTreeSet<Arc<str>> = BTreeSet::new();
        targets.retain(|node| seen.insert(node.id.clone()));
        targets
    }

    /// How often a barrier could fire.
    pub(super) fn surplus(&self, edge: u32, sources: &[u32]) -> u64 {
        let consumed = self.consumed.get(&edge_id(edge));
        let left = sources.iter().map(|&row| {
            let id = self.index.id(row).map_or("", |id| id);
            let counted = self.counts.get(id).copied().unwrap_or(0);
            let used = consumed.and_then(|sources| sources.get(id)).copied();
            counted.saturating_sub(used.unwrap_or(0))
        });
        left.min().unwrap_or(0)
    }

    fn consume(&mut self, edge: u32, sources: &[u32]) {
        if let Some(recording) = &mut self.recording {
            recording.fired(edge);
        }
        let consumed = self.consumed.get_or_insert(&edge_id(edge), Named::default);
        for &row in sources {
            if let Some(id) = self.index.id(row) {
                *consumed.get_or_insert(id, || 0) += 1;
            }
        }
    }
}

pub(super) fn edge_id(edge: u32) -> Arc<str> {
    alloc::format!("edge:{edge}").into()
}
