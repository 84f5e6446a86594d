//! Writes that cannot be committed together: one path within another, two spellings of one path, or a value
//! that is overwritten beside another write. The protocol finds equal paths only.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::Lints;
use crate::code::Code;
use crate::pi::definition::{GroupPlace, Node, NodeKind};
use crate::pi::diagnostic::Step;
use crate::pi::load::checks::written_paths;
use crate::pi::load::report::{quoted, steps};
use crate::pi::network::Network;
use crate::pi::path;
use crate::pi::path_set::PathSet;
use crate::pi::words::WriteMode;

const HINT: Option<&str> =
    Some("let them write beside each other, for example to `reviews.a` and `reviews.b`");

pub(super) fn lint(lints: &mut Lints<'_>, network: &Network<'_>) {
    let definition = lints.definition;
    for node in &definition.nodes {
        let steps = steps!["nodes", node.id.as_str()];
        conflict(lints, steps, &[node]);
    }
    for group in network
        .groups
        .iter()
        .filter(|group| group.targets.len() > 1)
    {
        let steps = lints.at(group.place);
        fan(
            lints,
            steps,
            group.targets.iter().filter_map(|target| *target),
        );
    }
    // All edges that leave a node alone fire together.
    let mut beside: BTreeMap<usize, Vec<&crate::pi::network::Group>> = BTreeMap::new();
    for group in &network.groups {
        if let (GroupPlace::Edge(_), [source]) = (group.place, &group.sources[..]) {
            beside.entry(*source).or_default().push(group);
        }
    }
    for groups in beside.into_values().filter(|groups| groups.len() > 1) {
        let steps = groups
            .last()
            .map_or_else(Vec::new, |group| lints.at(group.place));
        let targets = groups.iter().flat_map(|group| group.targets.iter());
        fan(lints, steps, targets.filter_map(|target| *target));
    }
}

/// Nodes that run side by side, each once.
fn fan(lints: &mut Lints<'_>, steps: Vec<Step>, targets: impl Iterator<Item = usize>) {
    let definition = lints.definition;
    let mut seen = alloc::collections::BTreeSet::new();
    let nodes: Vec<&Node> = targets
        .filter(|target| seen.insert(*target))
        .filter_map(|target| definition.nodes.get(target))
        .collect();
    if nodes.len() > 1 {
        conflict(lints, || steps, &nodes);
    }
}

/// Reports the first conflict among the writes of these nodes. Of one node, everything counts; of several,
/// only what happens between them.
fn conflict(lints: &mut Lints<'_>, steps: impl FnOnce() -> Vec<Step>, nodes: &[&Node]) {
    let mut written: Vec<(String, bool, usize)> = Vec::new();
    for (position, node) in nodes.iter().enumerate() {
        for (path, is_exclusive) in writes(node) {
            if !lints.may_work(1 + path.len() / 8) {
                return;
            }
            written.push((path, is_exclusive, position));
        }
    }
    let mut places = PathSet::default();
    let mut known: BTreeMap<&str, (bool, usize)> = BTreeMap::new();
    for (path, is_exclusive, position) in &written {
        let is_alone = nodes.len() == 1;
        match known.get(path.as_str()) {
            Some(&(other_exclusive, other)) => {
                let is_between = is_alone || other != *position;
                if is_between && (*is_exclusive || other_exclusive) {
                    let message = format!(
                        "{} is overwritten or taken away beside another write",
                        quoted(path)
                    );
                    return lints.add(Code::PiParallelWrites, steps(), message, HINT);
                }
            }
            None => {
                known.insert(path, (*is_exclusive, *position));
                let overlaps = places.insert(path::segments(path).unwrap_or_default());
                if overlaps && let Some(other) = partner(lints, &written, path, *position, is_alone)
                {
                    let message = format!(
                        "{} and {} are written together, and one is a part of the other",
                        quoted(&other),
                        quoted(path)
                    );
                    return lints.add(Code::PiParallelWrites, steps(), message, HINT);
                }
            }
        }
    }
}

/// An earlier path that overlaps this one.
fn partner(
    lints: &mut Lints<'_>,
    written: &[(String, bool, usize)],
    path: &str,
    position: usize,
    is_alone: bool,
) -> Option<String> {
    let own = path::segments(path).ok()?;
    for (other, _, at) in written {
        if !lints.may_work(1) || other == path && *at == position {
            return None;
        }
        let is_between = is_alone || *at != position;
        let segments = path::segments(other).ok()?;
        if is_between && other != path && own.iter().zip(&segments).all(|(a, b)| a == b) {
            return Some(other.clone());
        }
    }
    None
}

/// What a node writes, and whether it does so in place of what is there.
fn writes(node: &Node) -> Vec<(String, bool)> {
    match &node.kind {
        NodeKind::Set(assignments) => assignments
            .iter()
            .map(|assignment| {
                let mode = assignment.mode.unwrap_or(WriteMode::Reduce);
                (assignment.path.clone(), mode != WriteMode::Reduce)
            })
            .collect(),
        _ => written_paths(node)
            .into_iter()
            .map(|path| (path, false))
            .collect(),
    }
}
