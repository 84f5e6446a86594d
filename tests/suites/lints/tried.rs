//! What all states of a graph together show: the second opinion on the lints that explore.

use std::collections::{BTreeMap, BTreeSet};

use agent_graph_build::lint::Lint;
use agent_graph_tests::model::{Graph, Kind, Provider as Model, State};

use crate::small::states;
use crate::small::walk::{Walked, hits, holds, walk};

/// What a finding is about: graph, and the member of it that its place points into.
pub(crate) type About = (usize, String);

/// What all states together show of a graph.
pub(crate) struct Tried<'m> {
    model: &'m Model,
    number: usize,
    reached: BTreeSet<usize>,
    active: BTreeSet<usize>,
    proven: BTreeSet<usize>,
    met: BTreeSet<usize>,
    unhandled: BTreeMap<usize, BTreeSet<&'static str>>,
    lasting: BTreeSet<usize>,
    /// By entry.
    completes: BTreeSet<String>,
    /// The terminals that meet in conflict, by entry.
    conflicts: BTreeMap<String, BTreeSet<BTreeSet<usize>>>,
    stuck: BTreeSet<String>,
}

impl<'m> Tried<'m> {
    pub(crate) fn of(model: &'m Model, number: usize) -> Self {
        let mut tried = Self {
            model,
            number,
            reached: BTreeSet::new(),
            active: BTreeSet::new(),
            proven: BTreeSet::new(),
            met: BTreeSet::new(),
            unhandled: BTreeMap::new(),
            lasting: BTreeSet::new(),
            completes: BTreeSet::new(),
            conflicts: BTreeMap::new(),
            stuck: BTreeSet::new(),
        };
        let all = states::all(model, number);
        for (entry, _) in &tried.graph().entries {
            let walks: Vec<Walked> = all
                .iter()
                .map(|state| walk(model, number, entry, state))
                .collect();
            for (state, walked) in all.iter().zip(&walks) {
                tried.learn(entry, state, walked);
            }
            if tried.is_stuck(&all, &walks) {
                tried.stuck.insert(entry.clone());
            }
        }
        tried
    }

    fn graph(&self) -> &'m Graph {
        &self.model.graphs[self.number]
    }

    fn learn(&mut self, entry: &str, state: &State, walked: &Walked) {
        let graph = self.graph();
        let prefix = format!("{}/", graph.id);
        let frame = &walked.frames[&prefix];
        match walked.status {
            "complete" => {
                self.completes.insert(entry.to_owned());
            }
            "error" => {
                let met = terminals(graph, &frame.reached);
                let conflicts = self.conflicts.entry(entry.to_owned()).or_default();
                conflicts.insert(met);
            }
            _ => {}
        }
        for (n, node) in graph.nodes.iter().enumerate() {
            let mut incoming = graph
                .edges
                .iter()
                .filter(|edge| edge.to == n && !edge.repeats())
                .peekable();
            if incoming.peek().is_some() && incoming.all(|edge| hits(edge, &frame.value)) {
                self.met.insert(n);
            }
            if !frame.reached.contains(&n) {
                continue;
            }
            self.reached.insert(n);
            if !holds(&node.requires, &state.facts) {
                continue;
            }
            self.active.insert(n);
            let (Kind::Action(step, _) | Kind::Gate(step, _)) = &node.kind else {
                continue;
            };
            if !step.satisfied.is_empty() && holds(&step.satisfied, &state.facts) {
                self.proven.insert(n);
            }
            let value = frame.value[n].expect("it is reached");
            let handled = graph
                .edges
                .iter()
                .any(|edge| edge.from == n && hits(edge, &frame.value));
            if !handled && !matches!(value, "pending" | "waiting-user") {
                self.unhandled.entry(n).or_default().insert(value);
            }
        }
        for (number, edge) in graph.edges.iter().enumerate() {
            let by_facts = match &graph.nodes[edge.from].kind {
                Kind::Action(step, _) | Kind::Gate(step, _) => {
                    !step.satisfied.is_empty()
                        && holds(&step.satisfied, &state.facts)
                        && frame.value[edge.from] == Some("completed")
                }
                _ => false,
            };
            let key = format!("{prefix}{}", graph.nodes[edge.to].id);
            let done = |outcome: &str| !matches!(outcome, "pending" | "waiting-user");
            let recorded = state
                .outcomes
                .iter()
                .any(|(own, outcome, _)| *own == key && done(outcome));
            if edge.repeats()
                && edge.from != edge.to
                && hits(edge, &frame.value)
                && !by_facts
                && holds(&graph.nodes[edge.to].requires, &state.facts)
                && frame.value[edge.to] == Some("pending")
                && recorded
            {
                self.lasting.insert(number);
            }
        }
    }

    fn is_stuck(&self, all: &[State], walks: &[Walked]) -> bool {
        let handled: Vec<(&State, &Walked)> = all
            .iter()
            .zip(walks)
            .filter(|(state, _)| self.records_only_what_is_handled(state))
            .collect();
        let completing: BTreeSet<Vec<(&str, &str)>> = handled
            .iter()
            .filter(|(_, walked)| walked.status == "complete")
            .map(|(state, _)| {
                let outcomes = state.outcomes.iter();
                outcomes
                    .map(|(key, outcome, _)| (key.as_str(), *outcome))
                    .collect()
            })
            .collect();
        let mut judged: BTreeMap<Vec<(String, &str)>, bool> = BTreeMap::new();
        handled.iter().any(|(state, walked)| {
            if matches!(walked.status, "complete" | "error") {
                return false;
            }
            let closed = self.closed(state, walked);
            *judged.entry(closed.clone()).or_insert_with(|| {
                !completing.iter().any(|outcomes| {
                    closed
                        .iter()
                        .all(|(key, outcome)| outcomes.contains(&(key.as_str(), *outcome)))
                })
            })
        })
    }

    fn records_only_what_is_handled(&self, state: &State) -> bool {
        state.outcomes.iter().all(|(key, outcome, _)| {
            let (graph, node) = find(self.model, self.number, key);
            let graph = &self.model.graphs[graph];
            *outcome == "completed"
                || graph
                    .edges
                    .iter()
                    .any(|edge| edge.from == node && edge.outcomes_or_default().contains(outcome))
        })
    }

    /// What is recorded for good.
    fn closed<'s>(&self, state: &'s State, walked: &Walked) -> Vec<(String, &'s str)> {
        let mut closed = Vec::new();
        for (key, outcome, _) in &state.outcomes {
            let (number, node) = find(self.model, self.number, key);
            let graph = &self.model.graphs[number];
            let prefix = &key[..key.len() - graph.nodes[node].id.len()];
            let Some(frame) = walked.frames.get(prefix) else {
                continue;
            };
            let (Kind::Action(step, _) | Kind::Gate(step, _)) = &graph.nodes[node].kind else {
                continue;
            };
            let proven = !step.satisfied.is_empty() && holds(&step.satisfied, &state.facts);
            let open = |outcome: &str| matches!(outcome, "pending" | "waiting-user");
            let asked = frame.reached.contains(&node)
                && holds(&graph.nodes[node].requires, &state.facts)
                && !proven;
            if !asked || open(outcome) || frame.value[node].is_none_or(open) {
                continue;
            }
            let repeats = graph
                .edges
                .iter()
                .any(|edge| edge.repeats() && edge.from == node && hits(edge, &frame.value));
            if !repeats {
                closed.push((key.clone(), *outcome));
            }
        }
        closed
    }

    /// The entries from which terminals conflict, with the terminals that meet.
    pub(crate) fn conflicts(&self) -> &BTreeMap<String, BTreeSet<BTreeSet<usize>>> {
        &self.conflicts
    }

    pub(crate) fn judge(&self, expected: &mut BTreeMap<Lint, BTreeSet<About>>) {
        let graph = self.graph();
        let mut add = |lint, member: String| {
            expected
                .entry(lint)
                .or_default()
                .insert((self.number, member));
        };
        for (n, node) in graph.nodes.iter().enumerate() {
            let member = || format!("/nodes/{n}");
            if !self.reached.contains(&n) {
                add(Lint::UnreachableNode, member());
            }
            if !self.met.contains(&n) && node.join != Some("any") {
                add(Lint::UnmeetableJoin, member());
            }
            let facts = states::facts();
            let possible = facts.iter().any(|facts| holds(&node.requires, facts));
            if !possible || (self.reached.contains(&n) && !self.active.contains(&n)) {
                add(Lint::ContradictoryFacts, member());
            }
            let (lint, step) = match &node.kind {
                Kind::Action(step, _) => (Lint::UnprovableAction, step),
                Kind::Gate(step, _) => (Lint::UnresolvableGate, step),
                _ => continue,
            };
            let provable = facts
                .iter()
                .any(|facts| holds(&node.requires, facts) && holds(&step.satisfied, facts));
            let never = self.active.contains(&n) && !self.proven.contains(&n);
            if !step.satisfied.is_empty() && possible && (!provable || never) {
                add(lint, member());
            }
            if self.unhandled.contains_key(&n) {
                add(Lint::UnhandledOutcome, member());
            }
        }
        for edge in &self.lasting {
            add(Lint::LastingRepeat, format!("/edges/{edge}"));
        }
        for (entry, _) in &graph.entries {
            let member = format!("/entrypoints/{entry}");
            if !self.completes.contains(entry) {
                add(Lint::NoTerminal, member);
            } else if self.stuck.contains(entry) {
                add(Lint::StuckState, member);
            }
        }
    }
}

/// The terminals among the nodes of a graph.
pub(crate) fn terminals<'n>(
    graph: &Graph,
    nodes: impl IntoIterator<Item = &'n usize>,
) -> BTreeSet<usize> {
    let terminal = |n: &&usize| matches!(graph.nodes[**n].kind, Kind::Terminal(_));
    nodes.into_iter().filter(terminal).copied().collect()
}

pub(crate) fn unhandled_outcomes(model: &Model, about: &About) -> BTreeSet<&'static str> {
    let node = about.1["/nodes/".len()..].parse().expect("a number");
    let mut tried = Tried::of(model, about.0);
    tried.unhandled.remove(&node).unwrap_or_default()
}

/// The graph and node of a state key.
pub(crate) fn find(model: &Model, graph: usize, key: &str) -> (usize, usize) {
    let (element, rest) = key.split_once('>').unwrap_or((key, ""));
    let own = &model.graphs[graph];
    let id = &element[own.id.len() + 1..];
    let node = own
        .nodes
        .iter()
        .position(|node| node.id == id)
        .expect("it exists");
    match &own.nodes[node].kind {
        Kind::Subgraph(called, _) if !rest.is_empty() => find(model, *called, rest),
        _ => (graph, node),
    }
}
