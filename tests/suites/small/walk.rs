//! Evaluates as the specification says, slowly, and keeps what every frame reached.

use std::collections::{BTreeMap, BTreeSet};

use agent_graph_tests::json::Json;
use agent_graph_tests::model::{Asks, Check, Edge, Graph, Kind, Provider, State};

/// An evaluation.
#[derive(Clone, Debug)]
pub(crate) struct Walked {
    pub(crate) status: &'static str,
    pub(crate) outcome: Option<&'static str>,
    /// Frames by the beginning of their state keys.
    pub(crate) frames: BTreeMap<String, Walk>,
    /// Candidates: state key, and whether they are immediate.
    pub(crate) candidates: BTreeMap<String, bool>,
}

/// What a frame reached.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    pub(crate) graph: usize,
    pub(crate) status: &'static str,
    pub(crate) reached: BTreeSet<usize>,
    pub(crate) value: Vec<Option<&'static str>>,
    /// Whether the frames that called it, and it, go on.
    pub(crate) live: bool,
}

pub(crate) fn walk(provider: &Provider, graph: usize, entry: &str, state: &State) -> Walked {
    let start = entry_node(&provider.graphs[graph], entry);
    let mut walked = Walked {
        status: "",
        outcome: None,
        frames: BTreeMap::new(),
        candidates: BTreeMap::new(),
    };
    let prefix = format!("{}/", provider.graphs[graph].id);
    let end = frame(provider, graph, start, &prefix, state, &mut walked.frames);
    walked.status = end.status;
    walked.outcome = end.outcome;
    walked.candidates = end.candidates;
    for prefix in walked.frames.keys().cloned().collect::<Vec<_>>() {
        let goes_on = |frame: &Walk| !matches!(frame.status, "complete" | "error");
        let live = walked
            .frames
            .iter()
            .all(|(own, frame)| !above(own, &prefix) || goes_on(frame));
        walked.frames.get_mut(&prefix).expect("it is there").live = live;
    }
    walked
}

/// Whether the frame of `own` is on the way to that of `prefix`, which is its own as well.
fn above(own: &str, prefix: &str) -> bool {
    own == prefix
        || prefix
            .strip_prefix(own)
            .is_some_and(|rest| rest.contains('>'))
}

pub(crate) fn entry_node(graph: &Graph, entry: &str) -> usize {
    let mut entries = graph.entries.iter();
    entries
        .find(|(name, _)| name == entry)
        .expect("it exists")
        .1
}

struct End {
    status: &'static str,
    outcome: Option<&'static str>,
    candidates: BTreeMap<String, bool>,
}

fn frame(
    provider: &Provider,
    number: usize,
    start: usize,
    prefix: &str,
    state: &State,
    frames: &mut BTreeMap<String, Walk>,
) -> End {
    let graph = &provider.graphs[number];
    let mut reached = BTreeSet::from([start]);
    let mut value: Vec<Option<&'static str>> = vec![None; graph.nodes.len()];
    let mut candidates = BTreeMap::new();
    let mut children: BTreeMap<usize, End> = BTreeMap::new();
    loop {
        let before = (reached.clone(), value.clone());
        for n in before.0.iter().copied().filter(|&n| before.1[n].is_none()) {
            let node = &graph.nodes[n];
            let key = format!("{prefix}{}", node.id);
            let recorded = || {
                let mut all = state.outcomes.iter();
                all.find(|(own, _, _)| *own == key).map(|own| own.1)
            };
            value[n] = Some(match &node.kind {
                _ if !holds(&node.requires, &state.facts) => "blocked",
                Kind::Terminal(outcome) => recorded().unwrap_or(outcome),
                Kind::Subgraph(called, entry) => {
                    let start = entry_node(&provider.graphs[*called], entry);
                    let inner = format!("{key}>{}/", provider.graphs[*called].id);
                    let end = frame(provider, *called, start, &inner, state, frames);
                    let value = match end.status {
                        "complete" => end.outcome.expect("complete"),
                        "error" => "failed",
                        "waiting-user" => "waiting-user",
                        _ => "pending",
                    };
                    children.insert(n, end);
                    value
                }
                Kind::Action(step, _) | Kind::Gate(step, _) => {
                    let proven = !step.satisfied.is_empty();
                    if proven && holds(&step.satisfied, &state.facts) {
                        "completed"
                    } else {
                        match recorded() {
                            Some("completed") if proven => "unverified",
                            recorded => recorded.unwrap_or("pending"),
                        }
                    }
                }
            });
        }
        for edge in graph.edges.iter().filter(|edge| edge.repeats()) {
            if hits(edge, &value) {
                reached.insert(edge.to);
                if holds(&graph.nodes[edge.to].requires, &state.facts) {
                    value[edge.to] = Some("pending");
                }
            }
        }
        for n in 0..graph.nodes.len() {
            let mut edges = graph
                .edges
                .iter()
                .filter(|e| e.to == n && !e.repeats())
                .peekable();
            let joined = edges.peek().is_some()
                && if graph.nodes[n].join == Some("any") {
                    edges.any(|edge| hits(edge, &value))
                } else {
                    edges.all(|edge| hits(edge, &value))
                };
            if joined {
                reached.insert(n);
            }
        }
        if before == (reached.clone(), value.clone()) {
            break;
        }
    }
    let mut ends = BTreeSet::new();
    for &n in &reached {
        let key = format!("{prefix}{}", graph.nodes[n].id);
        let open = matches!(value[n], Some("pending" | "waiting-user"));
        match &graph.nodes[n].kind {
            Kind::Terminal(_) => ends.extend(value[n]),
            Kind::Subgraph(..) => {
                if let Some(child) = children.remove(&n) {
                    candidates.extend(child.candidates);
                }
            }
            Kind::Action(..) if open => {
                candidates.insert(key, true);
            }
            Kind::Gate(_, gate) if open => {
                let held = gate
                    .authority
                    .as_ref()
                    .is_some_and(|a| state.authorities.contains(a));
                candidates.insert(key, gate.delegatable == Some(true) && held);
            }
            Kind::Action(..) | Kind::Gate(..) => {}
        }
    }
    let status = match (ends.len(), candidates.values().any(|&immediate| immediate)) {
        (1, _) => "complete",
        (2.., _) => "error",
        (0, true) => "actionable",
        (0, false) if candidates.is_empty() => "blocked",
        (0, false) => "waiting-user",
    };
    if !ends.is_empty() {
        candidates.clear();
    }
    frames.insert(
        prefix.to_owned(),
        Walk {
            graph: number,
            status,
            reached,
            value,
            live: false,
        },
    );
    End {
        status,
        outcome: (status == "complete")
            .then(|| ends.into_iter().next())
            .flatten(),
        candidates,
    }
}

pub(crate) fn hits(edge: &Edge, value: &[Option<&'static str>]) -> bool {
    value[edge.from].is_some_and(|outcome| edge.outcomes_or_default().contains(&outcome))
}

/// The paths are `a` and `a.b` only.
pub(crate) fn holds(checks: &[Check], facts: &Json) -> bool {
    let member = |value: Option<&Json>, name: &str| match value {
        Some(Json::Object(members)) => {
            let mut members = members.iter();
            members
                .find(|(own, _)| own == name)
                .map(|(_, value)| value.clone())
        }
        _ => None,
    };
    checks.iter().all(|check| {
        let a = member(Some(facts), "a");
        let found = if check.path == "a" {
            a
        } else {
            member(a.as_ref(), "b")
        };
        match &check.asks {
            Asks::Exists(wanted) => found.is_some() == *wanted,
            Asks::Equals(Json::Number(wanted)) => found == Some(Json::Number(*wanted + 0.0)),
            Asks::Equals(wanted) => found.as_ref() == Some(wanted),
        }
    })
}
