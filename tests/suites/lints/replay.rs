//! Feeds witnesses to the evaluator and to the second opinion, and looks up those in the definition.

use std::collections::BTreeSet;

use agent_graph_build::lint::{Clash, Shows, Witness};
use agent_graph_runtime::load::Loaded;
use agent_graph_runtime::{Outcome, Provider, State as Input, Status};
use agent_graph_tests::json::Json;
use agent_graph_tests::model::{Check, Graph, Kind, Node, Provider as Model, State};

use crate::small::states;
use crate::small::walk::{holds, walk};
use crate::tried::{find, terminals};

/// What kind of witness it is.
pub(crate) fn kind(witness: &Witness) -> String {
    let text = match witness {
        Witness::State { shows, .. } => format!("{shows:?}"),
        Witness::Clash { clash, .. } => format!("{clash:?}"),
    };
    text.split('(').next().unwrap_or_default().to_owned()
}

/// Sees what a witness claims.
pub(crate) fn replay(model: &Model, loaded: &Loaded, witness: &Witness, context: &str) {
    match witness {
        Witness::State {
            graph,
            entry,
            state,
            shows,
        } => {
            let provider = Provider::from_tables(loaded.tables.clone());
            let replayed = Replayed {
                model,
                provider: &provider,
                graph,
                entry,
                state,
                context,
            };
            replayed.sees(shows);
        }
        Witness::Clash { graph, path, clash } => {
            let mut graphs = model.graphs.iter();
            let graph = graphs.find(|own| own.id == *graph).expect("it exists");
            let node = follow(graph, path, context);
            clashes(graph, node, *clash, context);
        }
    }
}

/// The node at the end of a path, which leads there from an entry unless nothing does.
fn follow(graph: &Graph, path: &[String], context: &str) -> usize {
    let position = |id: &String| {
        let mut nodes = graph.nodes.iter();
        nodes.position(|node| node.id == *id).expect("it exists")
    };
    let path: Vec<usize> = path.iter().map(position).collect();
    let entries: BTreeSet<usize> = graph.entries.iter().map(|(_, node)| *node).collect();
    let mut reachable = entries.clone();
    while let Some(edge) = graph
        .edges
        .iter()
        .find(|edge| reachable.contains(&edge.from) && !reachable.contains(&edge.to))
    {
        reachable.insert(edge.to);
    }
    let last = *path.last().expect("it has an end");
    if reachable.contains(&last) {
        assert!(entries.contains(&path[0]), "{context}");
    } else {
        assert_eq!(path.len(), 1, "{context}");
    }
    for pair in path.windows(2) {
        let mut edges = graph.edges.iter();
        let joined = edges.any(|edge| [edge.from, edge.to] == *pair);
        assert!(joined, "{path:?} {context}");
    }
    last
}

fn clashes(graph: &Graph, node: usize, clash: Clash, context: &str) {
    match clash {
        Clash::Checks(one, other) => {
            let node = &graph.nodes[node];
            let proof = step(node).map_or(&[][..], |step| &step.satisfied);
            let checks: Vec<Check> = node.requires.iter().chain(proof).cloned().collect();
            let both = [checks[one].clone(), checks[other].clone()];
            let facts = states::facts();
            assert!(!facts.iter().any(|facts| holds(&both, facts)), "{context}");
        }
        Clash::Edges(one, other) => {
            let (one, other) = (&graph.edges[one], &graph.edges[other]);
            assert_eq!((one.from, other.from), (node, node), "{context}");
            assert_eq!(one.to, other.to, "{context}");
            assert_ne!(graph.nodes[one.to].join, Some("any"), "{context}");
            let outcomes = one.outcomes_or_default();
            let mut outcomes = outcomes.iter();
            let common = outcomes.any(|own| other.outcomes_or_default().contains(own));
            assert!(!common && !one.repeats() && !other.repeats(), "{context}");
        }
    }
}

fn step(node: &Node) -> Option<&agent_graph_tests::model::Step> {
    match &node.kind {
        Kind::Action(step, _) | Kind::Gate(step, _) => Some(step),
        _ => None,
    }
}

/// A state, evaluated.
struct Replayed<'a> {
    model: &'a Model,
    provider: &'a Provider,
    graph: &'a str,
    entry: &'a str,
    state: &'a Input,
    context: &'a str,
}

impl Replayed<'_> {
    fn sees(&self, shows: &Shows) {
        let Self { context, model, .. } = *self;
        let evaluation = self
            .provider
            .evaluate(self.graph, self.entry, self.state)
            .expect("the graph exists");
        let mut graphs = model.graphs.iter();
        let graph = graphs.position(|own| own.id == self.graph);
        let graph = graph.expect("it exists");
        let state = state_of(self.state);
        let walked = walk(model, graph, self.entry, &state);
        assert_eq!(evaluation.status().as_str(), walked.status, "{context}");
        let frame = &walked.frames[&format!("{}/", self.graph)];
        let value = |key: &str| {
            let (_, node) = find(model, graph, key);
            frame
                .reached
                .contains(&node)
                .then(|| frame.value[node].expect("it is reached"))
        };
        let recorded = |key: &str| self.state.outcome(key);
        match shows {
            Shows::Status(status) => assert_eq!(evaluation.status(), *status, "{context}"),
            Shows::NeverCompletes => {
                assert_ne!(evaluation.status(), Status::Complete, "{context}");
            }
            Shows::NotReached(key) => assert_eq!(value(key), None, "{context}"),
            Shows::FactsMissing(key) => {
                assert_eq!(value(key), Some("blocked"), "{context}");
                let mut diagnostics = evaluation.diagnostics();
                assert!(
                    diagnostics.any(|own| own.code == "required-fact-missing"),
                    "{context}"
                );
            }
            Shows::Unhandled(key, outcome) => {
                assert_eq!(value(key), Some(outcome.as_str()), "{context}");
                let open: Vec<String> = evaluation
                    .candidates()
                    .map(|own| own.record_node())
                    .collect();
                assert!(!open.contains(key), "{context}");
            }
            Shows::StillPending(key) => {
                assert_eq!(value(key), Some("pending"), "{context}");
                assert!(
                    recorded(key).is_some_and(|own| own != Outcome::Pending),
                    "{context}"
                );
            }
            Shows::Unverified(key) => {
                assert_eq!(value(key), Some("unverified"), "{context}");
                assert_eq!(recorded(key), Some(Outcome::Completed), "{context}");
            }
            Shows::Unproven(key) => {
                let (_, node) = find(model, graph, key);
                let node = &model.graphs[graph].nodes[node];
                let proof = &step(node).expect("it has a proof").satisfied;
                assert!(value(key).is_some(), "{context}");
                assert!(holds(&node.requires, &state.facts), "{context}");
                assert!(!holds(proof, &state.facts), "{context}");
                self.stays_undone(key);
            }
        }
    }

    /// Neither recording `completed` nor any authority completes the node.
    fn stays_undone(&self, key: &str) {
        let mut state = self.state.clone();
        state
            .set_outcome(key, Outcome::Completed)
            .expect("it is a key");
        state.set_authorities(["owner", "qa"]);
        let number = self
            .model
            .graphs
            .iter()
            .position(|own| own.id == self.graph);
        let number = number.expect("it exists");
        let walked = walk(self.model, number, self.entry, &state_of(&state));
        let (_, node) = find(self.model, number, key);
        let value = walked.frames[&format!("{}/", self.graph)].value[node];
        assert_ne!(value, Some("completed"), "{}", self.context);
    }
}

fn json(value: &serde_json::Value) -> Json {
    match value {
        serde_json::Value::Null => Json::Null,
        serde_json::Value::Bool(value) => Json::Bool(*value),
        serde_json::Value::Number(number) => Json::Number(number.as_f64().expect("a double")),
        serde_json::Value::String(text) => Json::text(text.clone()),
        serde_json::Value::Array(items) => Json::List(items.iter().map(json).collect()),
        serde_json::Value::Object(members) => Json::Object(
            members
                .iter()
                .map(|(name, value)| (name.clone(), json(value)))
                .collect(),
        ),
    }
}

/// The state of a witness in the words of the second opinion.
fn state_of(state: &Input) -> State {
    let facts: serde_json::Value =
        serde_json::from_str(state.facts().canonical()).expect("it is JSON");
    State {
        facts: json(&facts),
        outcomes: state
            .outcomes()
            .map(|(key, outcome)| (key.to_owned(), outcome.as_str(), false))
            .collect(),
        authorities: state.authorities().to_vec(),
    }
}

/// The terminals that are reached in the graph itself.
pub(crate) fn terminals_reached(
    model: &Model,
    graph: &str,
    entry: &str,
    state: &Input,
) -> BTreeSet<usize> {
    let mut graphs = model.graphs.iter();
    let number = graphs.position(|own| own.id == graph).expect("it exists");
    let walked = walk(model, number, entry, &state_of(state));
    let frame = &walked.frames[&format!("{graph}/")];
    terminals(&model.graphs[number], &frame.reached)
}
