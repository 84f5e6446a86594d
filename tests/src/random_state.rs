//! Draws states for a provider: facts that hit and facts that miss its checks, outcomes for keys that
//! exist and keys that do not. Knows nothing about evaluation.

use crate::json::Json;
use crate::model::{Asks, Check, Kind, OUTCOMES, Provider, State};
use crate::random::{AUTHORITIES, scalar};
use crate::seeded::Chance;

/// A state for an evaluation of `graph`.
pub fn state(chance: &mut Chance, provider: &Provider, graph: usize) -> State {
    let mut keys = Vec::new();
    state_keys(provider, graph, "", &mut keys);
    let progress = chance.one_of(&[0, 20, 50, 80, 95]);
    let mut outcomes: Vec<(String, &'static str, bool)> = Vec::new();
    for key in keys {
        if chance.percent(progress) && !outcomes.iter().any(|(known, _, _)| *known == key) {
            outcomes.push((key, outcome(chance), chance.percent(20)));
        }
    }
    if chance.percent(20) {
        outcomes.push(("nobody/knows".into(), outcome(chance), false));
        outcomes.push(("10".into(), outcome(chance), false));
    }
    chance.shuffle(&mut outcomes);
    State {
        facts: facts(chance, provider),
        outcomes,
        authorities: (0..chance.below(4))
            .map(|_| {
                let strange = ["", "\u{e9}", "Z"];
                let all = [&AUTHORITIES[..], &strange[..]].concat();
                chance.one_of(&all).to_owned()
            })
            .collect(),
    }
}

fn outcome(chance: &mut Chance) -> &'static str {
    if chance.percent(65) {
        "completed"
    } else {
        chance.one_of(&OUTCOMES)
    }
}

/// Keys of all nodes of all frames, subgraph nodes and terminals included.
fn state_keys(provider: &Provider, graph: usize, prefix: &str, keys: &mut Vec<String>) {
    let graph = &provider.graphs[graph];
    for node in &graph.nodes {
        if keys.len() > 300 {
            return;
        }
        keys.push(format!("{prefix}{}/{}", graph.id, node.id));
        if let Kind::Subgraph(child, _) = &node.kind {
            let prefix = format!("{prefix}{}/{}>", graph.id, node.id);
            state_keys(provider, *child, &prefix, keys);
        }
    }
}

fn facts(chance: &mut Chance, provider: &Provider) -> Json {
    let mut facts = Json::Object(Vec::new());
    let hit = chance.one_of(&[0, 30, 70, 95]);
    for check in provider
        .graphs
        .iter()
        .flat_map(|graph| &graph.nodes)
        .flat_map(checks_of)
    {
        let value = match &check.asks {
            Asks::Equals(value) if chance.percent(hit) => Some(value.clone()),
            Asks::Exists(wanted) => (*wanted == chance.percent(hit)).then(|| scalar(chance)),
            Asks::Equals(_) => chance.percent(40).then(|| scalar(chance)),
        };
        if let Some(value) = value {
            let segments: Vec<&str> = check.path.split('.').collect();
            place(chance, &mut facts, &segments, value);
        }
    }
    facts
}

fn checks_of(node: &crate::model::Node) -> Vec<&Check> {
    let satisfied = match &node.kind {
        Kind::Action(step, _) | Kind::Gate(step, _) => &step.satisfied[..],
        _ => &[],
    };
    node.requires.iter().chain(satisfied).collect()
}

/// Puts a value at a path as far as what is there already allows.
fn place(chance: &mut Chance, at: &mut Json, segments: &[&str], value: Json) {
    let Some((first, rest)) = segments.split_first() else {
        *at = value;
        return;
    };
    match at {
        Json::Object(members) => {
            if !members.iter().any(|(name, _)| name == first) {
                let empty = container(chance, rest);
                members.push(((*first).to_owned(), empty));
            }
            if let Some((_, member)) = members.iter_mut().find(|(name, _)| name == first) {
                place(chance, member, rest, value);
            }
        }
        Json::List(items) => {
            let Ok(index) = first.parse::<usize>() else {
                return;
            };
            while items.len() <= index.min(11) {
                let empty = container(chance, rest);
                items.push(empty);
            }
            if let Some(item) = items.get_mut(index) {
                place(chance, item, rest, value);
            }
        }
        _ => {}
    }
}

fn container(chance: &mut Chance, rest: &[&str]) -> Json {
    match rest.first() {
        None => Json::Null,
        Some(segment) if segment.parse::<usize>().is_ok() && chance.percent(70) => {
            Json::List(Vec::new())
        }
        Some(_) => Json::Object(Vec::new()),
    }
}
