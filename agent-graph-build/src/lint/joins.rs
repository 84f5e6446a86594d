//! Joins that ask for all edges, two of which want different outcomes of one node: a node has one value at
//! a time, so that is never met. Linear, and found even in graphs too large to explore.

use agent_graph_runtime::protocol::{EdgeKind, Join};

use super::Found;
use super::registry::Lint;
use super::subject::{Subject, found};

/// Two edges from one node without a common outcome.
pub(crate) fn exclusive(subject: &Subject<'_>, edges: &[u32]) -> Option<(u32, u32)> {
    let row = |edge| subject.tables.row(subject.tables.edges, edge);
    edges.iter().enumerate().find_map(|(at, &one)| {
        let mut others = edges.iter().skip(at + 1);
        let other = others.find(|&&other| {
            row(one).from == row(other).from
                && row(one).outcomes.bits() & row(other).outcomes.bits() == 0
        });
        other.map(|&other| (one, other))
    })
}

pub(crate) fn exclusive_sources(subject: &Subject<'_>, out: &mut Found<'_>) {
    for (graph, _) in subject.graphs() {
        let mut incoming: Vec<Vec<u32>> =
            vec![Vec::new(); subject.graph_row(graph).nodes.1 as usize];
        let first = subject.graph_row(graph).nodes.0;
        for edge in subject.graph_row(graph).edges.indices() {
            let row = subject.tables.row(subject.tables.edges, edge);
            let target = row.to.saturating_sub(first) as usize;
            if let Some(own) = incoming
                .get_mut(target)
                .filter(|_| row.kind != EdgeKind::Repeat)
            {
                own.push(edge);
            }
        }
        for (node, edges) in (first..).zip(&incoming) {
            if subject.node_row(node).join == Join::Any {
                continue;
            }
            let Some((one, other)) = exclusive(subject, edges) else {
                continue;
            };
            let message = format!(
                "the join of node `{}` is never met: two of its edges want different outcomes of `{}`",
                subject.node_id(node),
                subject.node_id(subject.tables.row(subject.tables.edges, one).from),
            );
            let finding = found(
                Lint::UnmeetableJoin,
                subject.edge_place(graph, other),
                message,
            )
            .with_related(subject.edge_place(graph, one), "the other edge is here")
            .with_hint("write one edge with both outcomes, or join `any`");
            out.add(Lint::UnmeetableJoin, finding, None);
        }
    }
}
