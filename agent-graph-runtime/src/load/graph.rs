//! What a graph has to satisfy beyond its shape, for itself (spec 3.4). Knows no other graph and no file.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::cycles::{Adjacency, Step, cycles};
use super::definition::{Edge, Graph, Node, Placed};
use super::nearest::did_you_mean;
use super::shape::{FINDINGS_LIMIT, with_end};
use crate::ordered::Map;
use crate::protocol::{EdgeKind, NodeKind, Outcome};
use crate::{Code, Finding, Place};

/// The most places and nodes of a cycle that are named.
const NAMED: usize = 10;

/// The nodes of a graph by id; of two with one id, the first.
pub(super) type Nodes<'g> = Map<&'g str, usize>;

/// What is wrong with a graph, in the order of the checks. Very much is cut short.
pub(super) fn check(graph: &Graph) -> Vec<Finding> {
    let mut findings = Vec::new();
    let is_full = |findings: &Vec<Finding>| findings.len() >= FINDINGS_LIMIT;
    let nodes = distinct_nodes(graph, &mut findings);
    if !graph
        .nodes
        .iter()
        .any(|node| node.kind() == NodeKind::Terminal)
    {
        let message = format!("graph `{}` has no terminal node", graph.id.value);
        let finding = Finding::error(Code::GraphTerminalMissing, graph.id.place.clone(), message);
        findings.push(finding.with_hint("add a node of kind `terminal`, where the graph ends"));
    }
    for entry in &graph.entrypoints {
        if !is_full(&findings) && !nodes.contains_key(entry.node.value.as_str()) {
            let what = format!("entrypoint `{}`", entry.name);
            findings.push(unknown_node(
                Code::GraphEntryMissing,
                &what,
                &entry.node,
                &nodes,
            ));
        }
    }
    let mut seen = Map::new();
    for edge in &graph.edges {
        if is_full(&findings) {
            break;
        }
        edge_findings(edge, graph, &nodes, &mut seen, &mut findings);
    }
    findings.extend(flow_cycles(graph, &nodes));
    with_end(findings)
}

/// The nodes by id.
pub(super) fn nodes_by_id(graph: &Graph) -> Nodes<'_> {
    let mut nodes = Nodes::new();
    for (index, node) in graph.nodes.iter().enumerate() {
        nodes.keep(node.id.value.as_str(), index);
    }
    nodes
}

fn distinct_nodes<'g>(graph: &'g Graph, findings: &mut Vec<Finding>) -> Nodes<'g> {
    let nodes = nodes_by_id(graph);
    for (index, node) in graph.nodes.iter().enumerate() {
        let id = node.id.value.as_str();
        let first = nodes.get(id).copied().unwrap_or(index);
        if first != index && findings.len() < FINDINGS_LIMIT {
            let message = format!("two nodes of graph `{}` are called `{id}`", graph.id.value);
            let mut finding =
                Finding::error(Code::GraphNodeDuplicate, node.id.place.clone(), message);
            if let Some(first) = graph.nodes.get(first) {
                finding = finding.with_related(first.id.place.clone(), "first declared here");
            }
            findings.push(finding);
        }
    }
    nodes
}

fn unknown_node(code: Code, what: &str, id: &Placed<String>, nodes: &Nodes<'_>) -> Finding {
    let message = format!("{what} names `{}`, which is no node of the graph", id.value);
    let mut finding = Finding::error(code, id.place.clone(), message);
    finding.hint = did_you_mean(&id.value, nodes.keys().copied());
    finding
}

/// What makes two edges the same.
type EdgeKey<'g> = (EdgeKind, &'g str, &'g str, &'g [Outcome]);

fn edge_findings<'g>(
    edge: &'g Edge,
    graph: &'g Graph,
    nodes: &Nodes<'g>,
    seen: &mut Map<EdgeKey<'g>, &'g Place>,
    findings: &mut Vec<Finding>,
) {
    for (end, id) in [("from", &edge.from), ("to", &edge.to)] {
        if !nodes.contains_key(id.value.as_str()) {
            let what = format!("`{end}` of the edge");
            findings.push(unknown_node(Code::GraphEdgeNodeMissing, &what, id, nodes));
        }
    }
    let node = |id: &str| nodes.get(id).and_then(|index| graph.nodes.get(*index));
    let (from, to) = (node(&edge.from.value), node(&edge.to.value));
    if let Some(from) = from.filter(|node| node.kind() == NodeKind::Terminal) {
        let message = format!("an edge starts at `{}`, which is a terminal", from.id.value);
        let finding = Finding::error(
            Code::GraphTerminalEdgeInvalid,
            edge.from.place.clone(),
            message,
        );
        findings.push(finding.with_related(from.id.place.clone(), "the terminal"));
    }
    let key = (
        edge.kind,
        edge.from.value.as_str(),
        edge.to.value.as_str(),
        edge.outcomes.as_slice(),
    );
    if let Some(&first) = seen.keep(key, &edge.place) {
        let message = format!(
            "the same edge from `{}` to `{}` twice",
            edge.from.value, edge.to.value
        );
        let finding = Finding::error(Code::GraphEdgeDuplicate, edge.place.clone(), message);
        findings.push(finding.with_related(first.clone(), "first declared here"));
    }
    findings.extend(wrong_end(edge, from, to));
}

/// An edge whose kind does not go with the kind of its source or target.
fn wrong_end(edge: &Edge, from: Option<&Node>, to: Option<&Node>) -> Option<Finding> {
    let is_step = |node: &&Node| matches!(node.kind(), NodeKind::Action | NodeKind::Gate);
    match edge.kind {
        EdgeKind::Repeat => {
            let to = to.filter(|node| !is_step(node))?;
            let message = format!(
                "a repeat edge leads to `{}`, whose kind is {}, and no action or gate",
                to.id.value,
                to.kind()
            );
            let place = edge.to.place.clone();
            Some(
                Finding::error(Code::GraphRepeatTargetInvalid, place, message)
                    .with_related(to.id.place.clone(), "the node"),
            )
        }
        EdgeKind::GatedBy => {
            let from = from.filter(|node| node.kind() != NodeKind::Gate)?;
            // A terminal source has been reported as such.
            if from.kind() == NodeKind::Terminal {
                return None;
            }
            let message = format!(
                "a gatedBy edge starts at `{}`, whose kind is {}, and no gate",
                from.id.value,
                from.kind()
            );
            let place = edge.from.place.clone();
            Some(
                Finding::error(Code::GraphGatedBySourceInvalid, place, message)
                    .with_related(from.id.place.clone(), "the node"),
            )
        }
        EdgeKind::Flow | EdgeKind::Consumes | EdgeKind::Requires => None,
    }
}

fn flow_cycles(graph: &Graph, nodes: &Nodes<'_>) -> Vec<Finding> {
    let known = |id: &str| nodes.get(id).copied();
    // An edge that starts at a terminal has been reported; the cycle it may close is the same mistake.
    let may_leave = |node: usize| {
        let node = graph.nodes.get(node);
        node.is_some_and(|node| node.kind() != NodeKind::Terminal)
    };
    let edges: Vec<(usize, usize, usize)> = graph
        .edges
        .iter()
        .enumerate()
        .filter(|(_, edge)| edge.kind != EdgeKind::Repeat)
        .filter_map(|(label, edge)| {
            let from = known(&edge.from.value).filter(|from| may_leave(*from))?;
            Some((from, known(&edge.to.value)?, label))
        })
        .collect();
    let found = cycles(&Adjacency::new(graph.nodes.len(), &edges));
    found
        .iter()
        .filter_map(|cycle| flow_cycle(graph, cycle))
        .collect()
}

fn flow_cycle(graph: &Graph, cycle: &[Step]) -> Option<Finding> {
    let (_, closing) = cycle.last()?;
    let place = graph.edges.get(*closing)?.place.clone();
    let ids = cycle.iter().filter_map(|(node, _)| graph.nodes.get(*node));
    let names: Vec<&str> = ids.map(|node| node.id.value.as_str()).collect();
    let message = format!(
        "the edges of graph `{}` form a cycle: {}",
        graph.id.value,
        circle(&names)
    );
    let mut finding = Finding::error(Code::GraphFlowCycle, place, message)
        .with_hint("remove an edge, or make the one that leads back a `repeat` edge");
    let others = cycle.iter().take(cycle.len() - 1).take(NAMED);
    for edge in others.filter_map(|(_, label)| graph.edges.get(*label)) {
        let label = format!("`{}` leads to `{}`", edge.from.value, edge.to.value);
        finding = finding.with_related(edge.place.clone(), label);
    }
    Some(finding)
}

/// `a → b → a`; the middle of a long circle is left out.
pub(super) fn circle(names: &[&str]) -> String {
    let mut text = String::new();
    let shown = names.iter().take(NAMED);
    for name in shown {
        text.push_str(name);
        text.push_str(" → ");
    }
    if names.len() > NAMED {
        text.push_str(&format!("… {} more … → ", names.len() - NAMED));
    }
    text + names.first().copied().unwrap_or("")
}
