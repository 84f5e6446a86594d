//! All the states of a small provider that can differ in an evaluation.

use agent_graph_tests::json::Json;
use agent_graph_tests::model::{Kind, OUTCOMES, Provider, State};

/// One of each kind of facts that checks on `a` and `a.b` tell apart.
pub(crate) fn facts() -> Vec<Json> {
    let object = |members: Vec<(&str, Json)>| {
        let members = members
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value));
        Json::Object(members.collect())
    };
    let scalars = || {
        [
            Json::Null,
            Json::text("x"),
            Json::Number(0.0),
            Json::Bool(true),
        ]
    };
    let mut all = vec![object(vec![]), object(vec![("a", object(vec![]))])];
    for scalar in scalars() {
        all.push(object(vec![("a", scalar.clone())]));
        all.push(object(vec![("a", object(vec![("b", scalar)]))]));
    }
    all
}

/// State keys of the actions and gates in all frames below a graph.
pub(crate) fn step_keys(provider: &Provider, graph: usize) -> Vec<String> {
    let mut keys = Vec::new();
    collect(provider, graph, "", &mut keys);
    keys
}

fn collect(provider: &Provider, graph: usize, prefix: &str, keys: &mut Vec<String>) {
    let graph = &provider.graphs[graph];
    for node in &graph.nodes {
        let key = format!("{prefix}{}/{}", graph.id, node.id);
        match &node.kind {
            Kind::Action(..) | Kind::Gate(..) => keys.push(key),
            Kind::Subgraph(child, _) => collect(provider, *child, &format!("{key}>"), keys),
            Kind::Terminal(_) => {}
        }
    }
}

/// Every combination of facts and outcomes; to record nothing is like `pending`.
pub(crate) fn all(provider: &Provider, graph: usize) -> Vec<State> {
    let keys = step_keys(provider, graph);
    let mut states = Vec::new();
    for facts in facts() {
        for number in 0..OUTCOMES.len().pow(u32::try_from(keys.len()).expect("few")) {
            let mut rest = number;
            let outcomes = keys.iter().map(|key| {
                let outcome = OUTCOMES[rest % OUTCOMES.len()];
                rest /= OUTCOMES.len();
                (key.clone(), outcome, false)
            });
            states.push(State {
                facts: facts.clone(),
                outcomes: outcomes
                    .filter(|(_, outcome, _)| *outcome != "pending")
                    .collect(),
                authorities: Vec::new(),
            });
        }
    }
    states
}
