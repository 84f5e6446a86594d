//! Calls between graphs: what subgraph nodes name, circles of calls, and how many frames an entry can
//! lead to (spec 3.3 steps 7.1 and 8). Knows no actions, resources or files.

use alloc::format;
use alloc::vec::Vec;

use super::cycles::{Adjacency, Step, callees_first, cycles};
use super::definition::{Detail, Graph, Node, Placed};
use super::graph::circle;
use super::nearest::did_you_mean;
use super::shape::FINDINGS_LIMIT;
use crate::ordered::Map;
use crate::{Code, Finding};
use alloc::string::String;

/// The most frames that one entry may lead to (`graph-frame-limit`).
pub const FRAMES_LIMIT: u64 = 100_000;

/// The graphs by id; of two with one id, the first.
pub(super) type GraphsById<'g> = Map<&'g str, usize>;

/// The graphs by id.
pub(super) fn graphs_by_id(graphs: &[Graph]) -> GraphsById<'_> {
    let mut by_id = GraphsById::new();
    for (index, graph) in graphs.iter().enumerate() {
        by_id.keep(graph.id.value.as_str(), index);
    }
    by_id
}

/// For each graph its entries by name.
pub(super) fn entries_by_name(graphs: &[Graph]) -> Vec<Map<&str, usize>> {
    let names = graphs.iter().map(|graph| {
        let entries = graph.entrypoints.iter();
        entries.map(|entry| entry.name.as_str()).zip(0..).collect()
    });
    names.collect()
}

/// For each node of each graph, in order, what is wrong with its call. A graph that did not load may be
/// the one that is meant, so unknown names are no mistake unless the graphs are complete.
pub(super) fn check_calls(graphs: &[Graph], complete: bool) -> Vec<Option<Finding>> {
    let by_id = graphs_by_id(graphs);
    let entries = entries_by_name(graphs);
    let mut count = 0;
    let mut check = |node: &Node| {
        let Detail::Subgraph { graph, entry } = &node.detail else {
            return None;
        };
        let finding = match by_id.get(graph.value.as_str()) {
            _ if count > FINDINGS_LIMIT => None,
            // The first one that is left out says so.
            _ if count == FINDINGS_LIMIT => {
                let message = format!("after {count} findings no more calls were looked at");
                let place = graph.place.clone();
                Some(Finding::error(Code::FindingsLeftOut, place, message))
            }
            None if !complete => None,
            None => Some(unknown_graph(graph, &by_id)),
            Some(index) => unknown_entry(entry, graphs.get(*index)?, entries.get(*index)?),
        };
        count += usize::from(finding.is_some());
        finding
    };
    let nodes = graphs.iter().flat_map(|graph| &graph.nodes);
    nodes.map(&mut check).collect()
}

fn unknown_graph(graph: &Placed<String>, by_id: &GraphsById<'_>) -> Finding {
    let message = format!("the provider has no graph `{}`", graph.value);
    let finding = Finding::error(Code::SubgraphMissing, graph.place.clone(), message);
    match did_you_mean(&graph.value, by_id.keys().copied()) {
        Some(hint) => finding.with_hint(hint),
        None => finding.with_hint("list its file under `graphs` of the provider manifest"),
    }
}

fn unknown_entry(
    entry: &Placed<String>,
    called: &Graph,
    entries: &Map<&str, usize>,
) -> Option<Finding> {
    if entries.contains_key(entry.value.as_str()) {
        return None;
    }
    let message = format!("graph `{}` has no entry `{}`", called.id.value, entry.value);
    let mut finding = Finding::error(Code::SubgraphEntryMissing, entry.place.clone(), message)
        .with_related(called.id.place.clone(), "the graph");
    finding.hint = did_you_mean(&entry.value, entries.keys().copied());
    Some(finding)
}

/// Which graph calls which: targets are graphs, labels the index of the node that calls.
pub(super) fn call_graph(graphs: &[Graph]) -> Adjacency {
    let by_id = graphs_by_id(graphs);
    let mut calls = Vec::new();
    for (caller, graph) in graphs.iter().enumerate() {
        for (index, node) in graph.nodes.iter().enumerate() {
            if let Detail::Subgraph { graph, .. } = &node.detail
                && let Some(called) = by_id.get(graph.value.as_str())
            {
                calls.push((caller, *called, index));
            }
        }
    }
    Adjacency::new(graphs.len(), &calls)
}

/// Circles of calls.
pub(super) fn recursion(graphs: &[Graph], calls: &Adjacency) -> Vec<Finding> {
    let found = cycles(calls);
    found
        .iter()
        .filter_map(|cycle| recursion_finding(graphs, cycle))
        .collect()
}

fn called<'g>(graphs: &'g [Graph], (graph, node): &Step) -> Option<&'g Placed<String>> {
    match &graphs.get(*graph)?.nodes.get(*node)?.detail {
        Detail::Subgraph { graph, .. } => Some(graph),
        _ => None,
    }
}

fn recursion_finding(graphs: &[Graph], cycle: &[Step]) -> Option<Finding> {
    let closing = called(graphs, cycle.last()?)?;
    let ids = cycle.iter().filter_map(|(graph, _)| graphs.get(*graph));
    let names: Vec<&str> = ids.map(|graph| graph.id.value.as_str()).collect();
    let message = format!("graphs call each other in a circle: {}", circle(&names));
    let mut finding = Finding::error(Code::GraphRecursion, closing.place.clone(), message);
    for call in cycle.iter().take(cycle.len() - 1).take(10) {
        if let Some(called) = called(graphs, call) {
            let label = format!("graph `{}` is called here", called.value);
            finding = finding.with_related(called.place.clone(), label);
        }
    }
    Some(finding)
}

/// Graphs that lead to more frames than can be evaluated. Every call counts, whether it can be reached
/// or not. Of graphs that are too large only because one they call is, nothing is said.
pub(super) fn too_many_frames(graphs: &[Graph], calls: &Adjacency) -> Vec<Finding> {
    let mut frames = alloc::vec![1_u64; graphs.len()];
    let mut findings = Vec::new();
    for index in callees_first(calls) {
        let called = |target: usize| frames.get(target).copied().unwrap_or(1);
        let targets = calls.from(index).iter().map(|(target, _)| called(*target));
        let inherited = targets.clone().any(|count| count > FRAMES_LIMIT);
        let total = targets.fold(1_u64, u64::saturating_add);
        if let Some(count) = frames.get_mut(index) {
            *count = total;
        }
        let Some(graph) = graphs.get(index) else {
            continue;
        };
        if total > FRAMES_LIMIT && !inherited {
            let message = format!(
                "an entry of graph `{}` leads to {total} frames, more than {FRAMES_LIMIT}",
                graph.id.value
            );
            let place = graph.id.place.clone();
            findings.push(Finding::error(Code::GraphFrameLimit, place, message));
        }
    }
    findings
}
