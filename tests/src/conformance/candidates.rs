//! The candidates of an evaluation beside recorded routes: the members of a route that evaluation
//! already knows. The rest of a route needs the files of an installed provider.

use agent_graph_runtime::{Candidate, Evaluation};
use serde_json::{Map, Value, json};

/// All candidates of an evaluation, best first.
pub fn candidates(evaluation: &Evaluation) -> Value {
    evaluation
        .candidates()
        .map(|candidate| known(&candidate))
        .collect()
}

fn known(candidate: &Candidate<'_>) -> Value {
    let mut route = Map::new();
    let mut text = |name: &str, value: &str| route.insert(name.into(), json!(value));
    text("routeId", &candidate.route_id().to_string());
    text("graph", candidate.graph());
    text("node", candidate.node());
    text("statusCode", candidate.status().as_str());
    text("reasonCode", candidate.reason_code());
    text("availability", candidate.availability().as_str());
    if let Some(hint) = candidate.hint() {
        text("hint", hint);
    }
    route.insert("callPath".into(), candidate.call_path().collect());
    route.insert(
        "afterAction".into(),
        json!({ "recordNode": candidate.record_node() }),
    );
    if let Some(resolution) = candidate.resolution() {
        route.insert("gate".into(), json!({ "resolution": resolution.as_str() }));
    }
    Value::Object(route)
}

/// The same members of a recorded route.
pub fn known_of_route(route: &Value) -> Value {
    let mut known = Map::new();
    for name in [
        "routeId",
        "graph",
        "node",
        "statusCode",
        "reasonCode",
        "availability",
        "hint",
        "callPath",
    ] {
        if let Some(value) = route.get(name) {
            known.insert(name.into(), value.clone());
        }
    }
    let record = &route["afterAction"]["recordNode"];
    known.insert("afterAction".into(), json!({ "recordNode": record }));
    if let Some(gate) = route.get("gate") {
        known.insert("gate".into(), json!({ "resolution": gate["resolution"] }));
    }
    Value::Object(known)
}
