//! Nodes that are never reached, by themselves or because their join is never met.

use std::collections::{BTreeMap, BTreeSet};

use agent_graph_runtime::protocol::Join;

use super::Found;
use super::draft::Shown;
use super::joins::exclusive;
use super::registry::Lint;
use super::subject::{Subject, found};
use super::survey::Survey;
use super::witness::Shows;

pub(crate) fn unreachable<'l>(
    subject: &Subject<'l>,
    surveys: &[Vec<Survey<'l>>],
    out: &mut Found<'_, 'l>,
) {
    for ((graph, _), own) in subject.graphs().zip(surveys) {
        let together = Together::of(own);
        let Some((first, trail)) = own
            .first()
            .and_then(|survey| Some((survey, survey.first.as_ref()?)))
        else {
            continue;
        };
        let never = |node: &u32| together.rules_out(*node) && !together.reached.contains(node);
        let mut never = subject
            .graph_row(graph)
            .nodes
            .indices()
            .filter(never)
            .peekable();
        if never.peek().is_none() {
            continue;
        }
        let incoming = subject.edges_to_nodes(graph);
        for node in never {
            let position = node.saturating_sub(subject.graph_row(graph).nodes.0) as usize;
            let incoming = incoming.get(position).map_or(&[][..], Vec::as_slice);
            let joins_all = subject.node_row(node).join == Join::All && incoming.len() > 1;
            if joins_all && exclusive(subject, incoming).is_some() {
                // Reported already, without exploring.
                continue;
            }
            let hit = |edge: &u32| own.iter().any(|survey| survey.hit.contains(edge));
            let unmet = joins_all && incoming.iter().all(hit);
            let id = subject.node_id(node);
            let place = subject.node_place(node);
            let (lint, finding) = if unmet {
                let message = format!(
                    "the join of node `{id}` is never met: each of its edges can hit, but not all together"
                );
                let finding = found(Lint::UnmeetableJoin, place, message)
                    .with_hint("join `any` asks for one edge only");
                (Lint::UnmeetableJoin, finding)
            } else {
                let message = format!(
                    "node `{id}` is never reached, from whatever entry and in whatever state"
                );
                let finding = found(Lint::UnreachableNode, place, message);
                (Lint::UnreachableNode, finding)
            };
            let shows = Shows::NotReached(subject.key(node));
            out.add(lint, finding, Some(Shown::way(first.at, trail, shows)));
        }
    }
}

/// What all entries of a graph have together.
pub(crate) struct Together {
    pub(crate) reached: BTreeSet<u32>,
    pub(crate) active: BTreeSet<u32>,
    /// How many entries there are of which not all ways were gone, and how many of those rule a node out.
    open: usize,
    ruled_out: BTreeMap<u32, usize>,
}

impl Together {
    pub(crate) fn of(surveys: &[Survey<'_>]) -> Self {
        let mut ruled_out = BTreeMap::new();
        for &node in surveys.iter().flat_map(|survey| &survey.ruled_out) {
            *ruled_out.entry(node).or_default() += 1;
        }
        Self {
            reached: surveys
                .iter()
                .flat_map(|own| own.reached.iter().copied())
                .collect(),
            active: surveys
                .iter()
                .flat_map(|own| own.active.iter().copied())
                .collect(),
            open: surveys.iter().filter(|own| !own.exhausted).count(),
            ruled_out,
        }
    }

    /// Whether a node can be reached with its required facts holding from no entry, for certain.
    pub(crate) fn rules_out(&self, node: u32) -> bool {
        let ruled_out = self.ruled_out.get(&node).copied().unwrap_or(0);
        !self.active.contains(&node) && ruled_out == self.open
    }
}
