//! Feeds witnesses to the evaluator and to the second opinion.

use std::collections::BTreeSet;

use agent_graph_build::lint::{Shows, Witness};
use agent_graph_runtime::load::Loaded;
use agent_graph_runtime::{Outcome, Provider, Status};
use agent_graph_tests::json::Json;
use agent_graph_tests::model::{Provider as Model, State};

use crate::small::walk::walk;
use crate::tried::{find, terminals};

/// Feeds a witness to the evaluator, and to the second opinion, and looks for what it shows.
pub(crate) fn replay(model: &Model, loaded: &Loaded, witness: &Witness, context: &str) {
    let provider = Provider::from_tables(loaded.tables.clone());
    let evaluation = provider
        .evaluate(&witness.graph, &witness.entry, &witness.state)
        .expect("the graph exists");
    let graph = model
        .graphs
        .iter()
        .position(|own| own.id == witness.graph)
        .expect("it exists");
    let state = state_of(witness);
    let walked = walk(model, graph, &witness.entry, &state);
    assert_eq!(evaluation.status().as_str(), walked.status, "{context}");
    let frame = &walked.frames[&format!("{}/", witness.graph)];
    let value = |key: &str| {
        let (_, node) = find(model, graph, key);
        frame
            .reached
            .contains(&node)
            .then(|| frame.value[node].expect("it is reached"))
    };
    let recorded = |key: &str| witness.state.outcome(key);
    match &witness.shows {
        Shows::Status(status) => assert_eq!(evaluation.status(), *status, "{context}"),
        Shows::NeverCompletes => assert_ne!(evaluation.status(), Status::Complete, "{context}"),
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
fn state_of(witness: &Witness) -> State {
    let facts: serde_json::Value =
        serde_json::from_str(witness.state.facts().canonical()).expect("it is JSON");
    State {
        facts: json(&facts),
        outcomes: witness
            .state
            .outcomes()
            .map(|(key, outcome)| (key.to_owned(), outcome.as_str(), false))
            .collect(),
        authorities: Vec::new(),
    }
}

/// The terminals that are reached in the graph of a witness.
pub(crate) fn terminals_reached(model: &Model, witness: &Witness) -> BTreeSet<usize> {
    let mut graphs = model.graphs.iter();
    let number = graphs.position(|own| own.id == witness.graph);
    let number = number.expect("it exists");
    let walked = walk(model, number, &witness.entry, &state_of(witness));
    let frame = &walked.frames[&format!("{}/", witness.graph)];
    terminals(&model.graphs[number], &frame.reached)
}
