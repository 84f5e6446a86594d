//! State keys that two nodes share (spec 4.3): ids may contain slashes, so graph `a/b` node `c` and graph
//! `a` node `b/c` have one key. Within one evaluation that cannot be, since the graph of a frame is known
//! from its call path; a state that holds outcomes of both graphs would mix them up.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::calls::graphs_by_id;
use super::definition::{Graph, Node};
use super::shape::{FINDINGS_LIMIT, with_end};
use crate::ordered::Map;
use crate::{Code, Finding};

/// Warnings about nodes that share a key.
pub(super) fn ambiguous(graphs: &[Graph]) -> Vec<Finding> {
    let by_id = graphs_by_id(graphs);
    let mut findings = Vec::new();
    for graph in graphs {
        let shorter = prefixes(&graph.id.value).filter_map(|prefix| {
            let other = graphs.get(*by_id.get(prefix)?)?;
            Some((other, graph.id.value.get(prefix.len() + 1..)?))
        });
        for (other, rest) in shorter {
            let own: Map<String, &Node> = graph
                .nodes
                .iter()
                .map(|node| (format!("{rest}/{}", node.id.value), node))
                .collect();
            let shared = other.nodes.iter();
            let shared = shared.filter_map(|node| Some((node, *own.get(&node.id.value)?)));
            findings.extend(shared.map(|(node, twin)| finding(other, node, graph, twin)));
            findings.truncate(FINDINGS_LIMIT);
        }
    }
    with_end(findings)
}

/// What stands before each slash of an id.
fn prefixes(id: &str) -> impl Iterator<Item = &str> {
    let slashes = id.match_indices('/');
    slashes.filter_map(move |(at, _)| id.get(..at))
}

fn finding(graph: &Graph, node: &Node, other: &Graph, twin: &Node) -> Finding {
    let message = format!(
        "node `{}` of graph `{}` and node `{}` of graph `{}` have one state key",
        node.id.value, graph.id.value, twin.id.value, other.id.value
    );
    Finding::warning(Code::StateKeyAmbiguous, node.id.place.clone(), message)
        .with_related(twin.id.place.clone(), "the other node")
}
