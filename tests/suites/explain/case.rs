//! One state of a small graph, and what it leads to by the second opinion.

use std::collections::{BTreeMap, BTreeSet};

use agent_graph_runtime::explain::{Change, Explanation, Possibility, Purpose, Standing};
use agent_graph_runtime::{Outcome, Status};
use agent_graph_tests::json::Json;
use agent_graph_tests::model::{Asks, Check, Kind, Node, OUTCOMES, Provider as Model, State};
use agent_graph_tests::seeded::Chance;

use crate::small::states;
use crate::small::walk::{Walked, hits, holds, walk};

/// What a change leads to: the status after it and what it opens.
type Effect = (String, BTreeSet<String>);

#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) records: usize,
    pub(crate) taken_back: usize,
    pub(crate) facts: usize,
    pub(crate) authorities: usize,
    pub(crate) possible: usize,
    pub(crate) impossible: usize,
}

/// State keys of the nodes that are reached with their required facts holding, in some state.
pub(crate) fn active_somewhere(model: &Model, entry: &str, all: &[State]) -> BTreeSet<String> {
    let mut active = BTreeSet::new();
    for state in all {
        active.extend(active_nodes(
            model,
            &walk(model, 0, entry, state),
            &state.facts,
        ));
    }
    active
}

fn active_nodes(model: &Model, walked: &Walked, facts: &Json) -> BTreeSet<String> {
    let mut active = BTreeSet::new();
    for (prefix, frame) in &walked.frames {
        for &n in &frame.reached {
            let node = &model.graphs[frame.graph].nodes[n];
            if holds(&node.requires, facts) {
                active.insert(format!("{prefix}{}", node.id));
            }
        }
    }
    active
}

pub(crate) fn draw_state(chance: &mut Chance, all: &[State]) -> State {
    let mut state = all[chance.below(all.len())].clone();
    if chance.percent(50) {
        // Early states: little is recorded.
        state.outcomes.retain(|_| chance.percent(50));
    }
    for (_, outcome, _) in &mut state.outcomes {
        if chance.percent(40) {
            *outcome = "completed";
        }
    }
    state.authorities = ["owner", "qa"]
        .iter()
        .filter(|_| chance.percent(30))
        .map(ToString::to_string)
        .collect();
    state
}

pub(crate) struct Case<'a> {
    pub(crate) model: &'a Model,
    pub(crate) entry: &'a str,
    pub(crate) state: State,
    pub(crate) before: Walked,
}

impl Case<'_> {
    pub(crate) fn check(
        &self,
        explanation: &Explanation,
        active: &BTreeSet<String>,
        seen: &mut Seen,
    ) {
        let context = || {
            format!(
                "{} at {} in {}",
                self.model.id,
                self.entry,
                self.state.source()
            )
        };
        assert_eq!(
            explanation.status.as_str(),
            self.before.status,
            "{}",
            context()
        );
        if !matches!(explanation.status, Status::Complete) {
            assert!(!explanation.frontier.is_empty(), "{}", context());
        }
        assert!(explanation.moves_complete, "{}", context());
        let mut records: BTreeMap<(String, String), Effect> = BTreeMap::new();
        let mut authorities: BTreeMap<String, Effect> = BTreeMap::new();
        let mut facts: BTreeMap<(String, bool), Effect> = BTreeMap::new();
        for found in &explanation.moves {
            let opens = found.opens.iter().cloned().collect();
            let effect = (found.status.to_string(), opens);
            match &found.change {
                Change::Record {
                    node,
                    outcomes,
                    takes_back,
                } => {
                    let settled = self.settled(node);
                    seen.taken_back += usize::from(settled.is_some());
                    assert_eq!(
                        takes_back.map(Outcome::as_str),
                        settled,
                        "{node} {}",
                        context()
                    );
                    for outcome in outcomes {
                        records.insert((node.clone(), outcome.to_string()), effect.clone());
                    }
                }
                Change::Authority { authority } => {
                    authorities.insert(authority.clone(), effect);
                }
                Change::Facts { node, facts: needs } => {
                    let proof = needs[0].purpose == Purpose::Proof;
                    facts.insert((node.clone(), proof), effect);
                }
            }
        }
        seen.records += records.len();
        seen.authorities += authorities.len();
        seen.facts += facts.len();
        assert_eq!(records, self.records(), "{}", context());
        assert_eq!(authorities, self.authorities(), "{}", context());
        assert_eq!(facts, self.facts(), "{}", context());
        let now = active_nodes(self.model, &self.before, &self.state.facts);
        for node in &explanation.frontier {
            let possible = active.contains(&node.key) || now.contains(&node.key);
            let expected = if possible || node.standing == Standing::Conflicting {
                Possibility::Possible
            } else {
                Possibility::Impossible
            };
            seen.possible += usize::from(possible);
            seen.impossible += usize::from(!possible);
            assert_eq!(node.possibility, expected, "{} {}", node.key, context());
        }
        self.check_frontier(explanation, &context());
    }

    /// The outcome that is recorded for good: the node was asked for it and is done, and nothing it came to
    /// keeps it or another one going.
    fn settled(&self, key: &str) -> Option<&'static str> {
        let open = |outcome: &str| matches!(outcome, "pending" | "waiting-user");
        let mut outcomes = self.state.outcomes.iter();
        let (_, outcome, _) = outcomes.find(|(own, ..)| own == key)?;
        let at = key.rfind('>').map_or(0, |at| at + 1);
        let (prefix, frame) = self.before.frames.iter().find(|(prefix, _)| {
            prefix.len() > at
                && key
                    .strip_prefix(prefix.as_str())
                    .is_some_and(|id| !id.contains('>'))
        })?;
        let graph = &self.model.graphs[frame.graph];
        let n = graph
            .nodes
            .iter()
            .position(|node| key[prefix.len()..] == node.id)?;
        let value = frame.value[n]?;
        let repeats = graph
            .edges
            .iter()
            .any(|edge| edge.repeats() && edge.from == n && hits(edge, &frame.value));
        (!open(outcome) && !open(value) && !repeats).then_some(*outcome)
    }

    /// The frontier is what it says it is, and nothing is left out.
    fn check_frontier(&self, explanation: &Explanation, context: &str) {
        let shown: BTreeMap<&str, Standing> = explanation
            .frontier
            .iter()
            .map(|node| (node.key.as_str(), node.standing))
            .collect();
        let mut expected = BTreeMap::new();
        let keys: Vec<(String, usize, usize, &str)> = self
            .before
            .frames
            .iter()
            .filter(|(_, frame)| frame.live)
            .flat_map(|(prefix, frame)| {
                let nodes = self.model.graphs[frame.graph].nodes.iter().enumerate();
                nodes.map(move |(n, node)| {
                    (
                        format!("{prefix}{}", node.id),
                        frame.graph,
                        n,
                        prefix.as_str(),
                    )
                })
            })
            .collect();
        for (key, graph, n, prefix) in &keys {
            let frame = &self.before.frames[*prefix];
            let graph = &self.model.graphs[*graph];
            let node = &graph.nodes[*n];
            let incoming = |repeat| {
                graph
                    .edges
                    .iter()
                    .filter(move |e| e.to == *n && e.repeats() == repeat)
            };
            let outgoing = || graph.edges.iter().filter(|edge| edge.from == *n);
            let standing = if !frame.reached.contains(n) {
                let in_sight = incoming(false).any(|edge| frame.reached.contains(&edge.from));
                in_sight.then_some("not-reached")
            } else if !holds(&node.requires, &self.state.facts) {
                Some("facts-missing")
            } else if matches!(node.kind, Kind::Terminal(_)) {
                None
            } else if self.before.candidates.contains_key(key) {
                Some("open")
            } else if self.before.frames.iter().any(|(own, child)| {
                child.live
                    && own
                        .strip_prefix(key.as_str())
                        .is_some_and(|rest| rest.starts_with('>'))
            }) {
                Some("unfinished")
            } else {
                let handled = outgoing().any(|edge| hits(edge, &frame.value));
                (!handled).then_some("unhandled")
            };
            if let Some(standing) = standing {
                expected.insert(key.as_str(), standing);
            }
        }
        for (key, standing) in &shown {
            let name = match standing {
                Standing::Open(_) => "open",
                Standing::FactsMissing => "facts-missing",
                Standing::Unfinished => "unfinished",
                Standing::Unhandled => "unhandled",
                Standing::NotReached => "not-reached",
                Standing::Conflicting => continue,
            };
            assert_eq!(expected.remove(key), Some(name), "{key} {context}");
        }
        assert!(expected.is_empty(), "{expected:?} {context}");
    }

    fn records(&self) -> BTreeMap<(String, String), Effect> {
        let mut all = BTreeMap::new();
        for key in states::step_keys(self.model, 0) {
            for outcome in OUTCOMES {
                let mut state = self.state.clone();
                let now = state.outcomes.iter().position(|(own, _, _)| *own == key);
                match now {
                    Some(at) if state.outcomes[at].1 == outcome => continue,
                    Some(at) => state.outcomes[at].1 = outcome,
                    None if outcome == "pending" => continue,
                    None => state.outcomes.push((key.clone(), outcome, false)),
                }
                if let Some(effect) = self.effect(&state) {
                    all.insert((key.clone(), outcome.to_owned()), effect);
                }
            }
        }
        all
    }

    fn authorities(&self) -> BTreeMap<String, Effect> {
        let mut all = BTreeMap::new();
        for authority in ["owner", "qa"] {
            let mut state = self.state.clone();
            state.authorities.push(authority.into());
            if let Some(effect) = self.effect(&state) {
                all.insert(authority.to_owned(), effect);
            }
        }
        all
    }

    fn facts(&self) -> BTreeMap<(String, bool), Effect> {
        let mut all = BTreeMap::new();
        for (prefix, frame) in &self.before.frames {
            for &n in &frame.reached {
                let node: &Node = &self.model.graphs[frame.graph].nodes[n];
                let proof = match &node.kind {
                    Kind::Action(step, _) | Kind::Gate(step, _) => &step.satisfied[..],
                    _ => &[],
                };
                for (is_proof, checks) in [(false, &node.requires[..]), (true, proof)] {
                    if holds(checks, &self.state.facts) {
                        continue;
                    }
                    let mut state = self.state.clone();
                    for check in checks {
                        make_hold(&mut state.facts, check);
                    }
                    if !holds(checks, &state.facts) {
                        continue;
                    }
                    if let Some(effect) = self.effect(&state) {
                        all.insert((format!("{prefix}{}", node.id), is_proof), effect);
                    }
                }
            }
        }
        all
    }

    /// Progress, as the documentation of a move defines it.
    fn effect(&self, state: &State) -> Option<Effect> {
        let after = walk(self.model, 0, self.entry, state);
        if after.status == "error" {
            return None;
        }
        let active_before = active_nodes(self.model, &self.before, &self.state.facts);
        let mut opens: BTreeSet<String> = active_nodes(self.model, &after, &state.facts);
        opens.retain(|key| !active_before.contains(key));
        for (key, immediate) in &after.candidates {
            if *immediate && self.before.candidates.get(key) == Some(&false) {
                opens.insert(key.clone());
            }
        }
        for (prefix, frame) in &after.frames {
            let graph = &self.model.graphs[frame.graph];
            let twin = self.before.frames.get(prefix);
            for edge in graph.edges.iter().filter(|edge| !edge.repeats()) {
                let nearer = hits(edge, &frame.value)
                    && !frame.reached.contains(&edge.to)
                    && !twin.is_some_and(|twin| {
                        twin.reached.contains(&edge.to) || hits(edge, &twin.value)
                    });
                if nearer {
                    opens.insert(format!("{prefix}{}", graph.nodes[edge.to].id));
                }
            }
        }
        let completes = after.status == "complete" && self.before.status != "complete";
        (completes || !opens.is_empty()).then(|| (after.status.to_owned(), opens))
    }
}

/// Changes facts so that one check on `a` or `a.b` holds, as little as can be.
fn make_hold(facts: &mut Json, check: &Check) {
    if holds(std::slice::from_ref(check), facts) {
        return;
    }
    let value = match &check.asks {
        Asks::Exists(false) => None,
        Asks::Exists(true) => Some(Json::Object(Vec::new())),
        Asks::Equals(Json::Number(number)) => Some(Json::Number(*number + 0.0)),
        Asks::Equals(value) => Some(value.clone()),
    };
    let value = if check.path == "a" {
        value
    } else {
        Some(Json::Object(
            value
                .map(|value| ("b".to_owned(), value))
                .into_iter()
                .collect(),
        ))
    };
    *facts = Json::Object(
        value
            .map(|value| ("a".to_owned(), value))
            .into_iter()
            .collect(),
    );
}
