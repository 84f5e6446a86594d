//! Calls between graphs: what subgraph nodes name, circles of calls, and how many frames an entry can
//! lead to (spec 3.3 steps 7.1 and 8). Knows no actions, resources or files.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::vec::Vec;

use super::cycles::{Adjacency, Step, callees_first, cycles};
use super::definition::{Detail, Graph, Placed};
use super::graph::circle;
use super::nearest::nearest;
use crate::{Code, Finding};
use alloc::string::String;

/// The most frames that one entry may lead to (`graph-frame-limit`).
pub const FRAMES_LIMIT: u64 = 100_000;

/// The graphs by id; of two with one id, the first.
pub(super) type GraphsById<'g> = BTreeMap<&'g str, usize>;

/// The graphs by id.
pub(super) fn graphs_by_id(graphs: &[Graph]) -> GraphsById<'_> {
    let mut by_id = GraphsById::new();
    for (index, graph) in graphs.iter().enumerate() {
        by_id.entry(graph.id.value.as_str()).or_insert(index);
    }
    by_id
}

/// What is wrong with the call of a subgraph node. A graph that did not load may be the one that is
/// meant, so unknown names are no mistake unless the graphs are complete.
pub(super) fn check_call(
    graph: &Placed<String>,
    entry: &Placed<String>,
    graphs: &[Graph],
    by_id: &GraphsById<'_>,
    complete: bool,
) -> Option<Finding> {
    let Some(called) = by_id
        .get(graph.value.as_str())
        .and_then(|index| graphs.get(*index))
    else {
        if !complete {
            return None;
        }
        let message = format!("the provider has no graph `{}`", graph.value);
        let finding = Finding::error(Code::SubgraphMissing, graph.place.clone(), message);
        return Some(match nearest(&graph.value, by_id.keys().copied()) {
            Some(meant) => finding.with_hint(format!("did you mean `{meant}`?")),
            None => finding.with_hint("list its file under `graphs` of the provider manifest"),
        });
    };
    let names = || called.entrypoints.iter().map(|entry| entry.name.as_str());
    if names().any(|name| name == entry.value) {
        return None;
    }
    let message = format!("graph `{}` has no entry `{}`", graph.value, entry.value);
    let finding = Finding::error(Code::SubgraphEntryMissing, entry.place.clone(), message)
        .with_related(called.id.place.clone(), "the graph");
    Some(match nearest(&entry.value, names()) {
        Some(meant) => finding.with_hint(format!("did you mean `{meant}`?")),
        None => finding,
    })
}

/// Which graph calls which: targets are graphs, labels the index of the node that calls.
pub(super) fn call_graph(graphs: &[Graph]) -> Adjacency {
    let by_id = graphs_by_id(graphs);
    let mut calls = Vec::new();
    for (caller, graph) in graphs.iter().enumerate() {
        for (index, node) in graph.nodes.iter().enumerate() {
            if let Detail::Subgraph { graph, .. } = &node.detail {
                if let Some(called) = by_id.get(graph.value.as_str()) {
                    calls.push((caller, *called, index));
                }
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
