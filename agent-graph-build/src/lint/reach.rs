//! Nodes that are never reached, by themselves or because their join is never met.

use agent_graph_runtime::protocol::{EdgeKind, Join};

use super::Found;
use super::joins::exclusive;
use super::registry::Lint;
use super::subject::{Subject, found};
use super::survey::Survey;
use super::witness::{Shows, Witness};

pub(crate) fn unreachable(subject: &Subject<'_>, surveys: &[Survey], out: &mut Found<'_>) {
    for (graph, _) in subject.graphs() {
        let own: Vec<&Survey> = surveys.iter().filter(|own| own.at.graph == graph).collect();
        for node in subject.graph_row(graph).nodes.indices() {
            let never =
                |own: &&Survey| own.impossible.contains(&node) && !own.reached.contains(&node);
            let Some(first) = own.first().filter(|_| own.iter().all(never)) else {
                continue;
            };
            let witness = Witness {
                graph: subject.graph_id(graph).to_owned(),
                entry: subject.entry_name(first.at).to_owned(),
                state: first.first.clone(),
                shows: Shows::NotReached(subject.key(node)),
            };
            let incoming = incoming(subject, graph, node);
            let joins_all = subject.node_row(node).join == Join::All && incoming.len() > 1;
            if joins_all && exclusive(subject, &incoming).is_some() {
                // Reported already, without exploring.
                continue;
            }
            let hit = |edge: &u32| own.iter().any(|survey| survey.hit.contains(edge));
            if joins_all && incoming.iter().all(hit) {
                let message = format!(
                    "the join of node `{}` is never met: each of its edges can hit, but not all together",
                    subject.node_id(node)
                );
                let finding = found(Lint::UnmeetableJoin, subject.node_place(node), message)
                    .with_hint("join `any` asks for one edge only");
                out.add(Lint::UnmeetableJoin, finding, Some(witness));
                continue;
            }
            let message = format!(
                "node `{}` is never reached, from whatever entry and in whatever state",
                subject.node_id(node)
            );
            let finding = found(Lint::UnreachableNode, subject.node_place(node), message);
            out.add(Lint::UnreachableNode, finding, Some(witness));
        }
    }
}

/// Edges to a node, but for repeat edges.
fn incoming(subject: &Subject<'_>, graph: u32, node: u32) -> Vec<u32> {
    let edges = subject.graph_row(graph).edges.indices();
    edges
        .filter(|&edge| {
            let edge = subject.tables.row(subject.tables.edges, edge);
            edge.to == node && edge.kind != EdgeKind::Repeat
        })
        .collect()
}
