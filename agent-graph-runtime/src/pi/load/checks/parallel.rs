//! What goes wrong when nodes run side by side or again and again (spec 4.3 J, K, L).

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::pi::definition::{Definition, Node, NodeKind};
use crate::pi::diagnostic::DiagnosticCode;
use crate::pi::load::report::{Report, quoted, steps};
use crate::pi::network::Network;
use crate::pi::words::Reducer;

/// The paths that a node writes, as written, repetitions included.
pub(crate) fn written_paths(node: &Node) -> Vec<String> {
    match &node.kind {
        NodeKind::Set(assignments) => assignments
            .iter()
            .map(|assignment| assignment.path.clone())
            .collect(),
        NodeKind::Human(_) => Vec::from([node.output_path()]),
        NodeKind::Agent(agent) => {
            let output = agent.response.stores_output().then(|| node.output_path());
            let messages = node.captured_messages().map(String::from);
            output.into_iter().chain(messages).collect()
        }
    }
}

/// The nodes of each group that leads to more than one target.
fn fans<'n>(
    definition: &'n Definition,
    network: &'n Network<'_>,
) -> impl Iterator<Item = Vec<&'n Node>> {
    network
        .groups
        .iter()
        .filter(|group| group.targets.len() > 1)
        .map(|group| {
            let known = group.targets.iter().filter_map(|target| *target);
            known.filter_map(|at| definition.nodes.get(at)).collect()
        })
}

pub(super) fn conflicts(definition: &Definition, network: &Network<'_>, report: &mut Report) {
    let reducers: BTreeSet<&str> = definition
        .effective_reducers()
        .into_iter()
        .map(|(path, _)| path)
        .collect();
    for fan in fans(definition, network) {
        let mut writers: BTreeMap<String, usize> = BTreeMap::new();
        let mut paths: Vec<String> = Vec::new();
        for node in fan {
            let written = written_paths(node);
            if !report.may_work(
                1 + written
                    .iter()
                    .map(|path| 1 + path.len() / 16)
                    .sum::<usize>(),
            ) {
                return;
            }
            for path in written {
                let count = writers.entry(path.clone()).or_insert(0);
                *count += 1;
                if *count == 1 {
                    paths.push(path);
                }
            }
        }
        for path in paths {
            let is_shared = writers.get(&path).is_some_and(|count| *count > 1);
            if is_shared && !reducers.contains(path.as_str()) {
                report.warning(
                    DiagnosticCode::PossibleParallelStateConflict,
                    steps!["reducers", path.as_str()],
                    format!(
                        "nodes that run side by side write to {} without a reducer",
                        quoted(&path)
                    ),
                );
            }
        }
    }
}

pub(super) fn accumulation(definition: &Definition, network: &Network<'_>, report: &mut Report) {
    /// Whether all who write a path in a cycle keep a limited number of messages there.
    struct Written {
        is_bounded: bool,
    }
    let mut cyclic: BTreeMap<String, Written> = BTreeMap::new();
    for (node, cycle) in definition.nodes.iter().zip(network.cycles()) {
        if cycle.is_none() {
            continue;
        }
        for path in written_paths(node) {
            let keeps_some = node.agent().is_some_and(|agent| {
                agent.context.max_stored_messages.is_some()
                    && node.captured_messages() == Some(path.as_str())
            });
            let written = cyclic.entry(path).or_insert(Written { is_bounded: true });
            written.is_bounded &= keeps_some;
        }
    }
    for (path, reducer) in definition.effective_reducers() {
        let accumulates = match (reducer, cyclic.get(path)) {
            (Reducer::Append, Some(_)) => true,
            (Reducer::Concat, Some(written)) => !written.is_bounded,
            _ => false,
        };
        if accumulates {
            report.warning(
                DiagnosticCode::AccumulatingReducerInCycle,
                steps!["reducers", path],
                format!(
                    "the value grows with each round of a cycle that writes {}",
                    quoted(path)
                ),
            );
        }
    }
}

pub(super) fn threads(definition: &Definition, network: &Network<'_>, report: &mut Report) {
    for fan in fans(definition, network) {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let mut keys: Vec<&str> = Vec::new();
        for key in fan.into_iter().filter_map(Node::thread_key) {
            let count = counts.entry(key).or_insert(0);
            *count += 1;
            if *count == 2 {
                keys.push(key);
            }
        }
        for key in keys {
            report.error(
                DiagnosticCode::ParallelThreadContext,
                steps!["nodes"],
                format!("nodes that run side by side use the thread {}", quoted(key)),
            );
        }
    }
}
