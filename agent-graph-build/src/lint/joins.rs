//! Joins that ask for all edges, two of which want different outcomes of one node: a node has one value at
//! a time, so that is never met. Linear, and found even in graphs too large to explore.

use std::collections::BTreeMap;

use agent_graph_runtime::protocol::Join;

use super::Found;
use super::draft::Shown;
use super::registry::Lint;
use super::subject::{Subject, found};
use super::witness::Clash;

/// Two edges from one node without a common outcome: the first ones in the order of the edges.
pub(crate) fn exclusive(subject: &Subject<'_>, edges: &[u32]) -> Option<(u32, u32)> {
    // By source and outcomes, the first edge; few outcomes make few sets.
    let mut first: BTreeMap<u32, BTreeMap<u8, u32>> = BTreeMap::new();
    edges.iter().find_map(|&edge| {
        let row = subject.tables.row(subject.tables.edges, edge);
        let known = first.entry(row.from).or_default();
        let bits = row.outcomes.bits();
        let others = known.iter().filter(|(own, _)| **own & bits == 0);
        let other = others.map(|(_, &other)| other).min();
        known.entry(bits).or_insert(edge);
        Some((other?, edge))
    })
}

pub(crate) fn exclusive_sources<'l>(subject: &Subject<'l>, out: &mut Found<'_, 'l>) {
    for (graph, _) in subject.graphs() {
        let row = subject.graph_row(graph);
        for (node, edges) in (row.nodes.0..).zip(&subject.edges_to_nodes(graph)) {
            if subject.node_row(node).join == Join::Any {
                continue;
            }
            let Some((one, other)) = exclusive(subject, edges) else {
                continue;
            };
            let source = subject.tables.row(subject.tables.edges, one).from;
            let message = format!(
                "the join of node `{}` is never met: two of its edges want different outcomes of `{}`",
                subject.node_id(node),
                subject.node_id(source),
            );
            let finding = found(
                Lint::UnmeetableJoin,
                subject.edge_place(graph, other),
                message,
            )
            .with_related(subject.edge_place(graph, one), "the other edge is here")
            .with_hint("write one edge with both outcomes, or join `any`");
            let position = |edge: u32| edge.saturating_sub(row.edges.0) as usize;
            let witness = Shown::Clash {
                node: source,
                clash: Clash::Edges(position(one), position(other)),
            };
            out.add(Lint::UnmeetableJoin, finding, Some(witness));
        }
    }
}
