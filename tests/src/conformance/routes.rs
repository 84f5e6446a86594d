//! Routes, complete: what an installed provider makes of every candidate, and the mistakes that asking for
//! routes, locations and bindings can be.

use std::path::Path;

use agent_graph_runtime::load::{Registry, bind};
use agent_graph_runtime::{
    Digest, Error, Evaluation, Installed, ReadReceipts, Route, RouteId, RouteInput, State,
};
use serde_json::{Value, json};

use super::evaluations::compare;
use super::report::Verdict;
use crate::compare::replaced;

/// What stands for `<workspace>`.
const WORKSPACE: &str = "/agent-graph/workspace";

/// What stands for a malformed id, which is the id of no route.
const NO_ROUTE: &str = "route:00000000000000000000";

/// What rides along with the input of an evaluation.
pub(super) fn route_input(input: &Value) -> Result<RouteInput, Error> {
    let mut route_input = RouteInput::new();
    if let Some(workspace) = input["workspace"].as_str() {
        let workspace = workspace.replace("<workspace>", WORKSPACE);
        route_input = route_input.in_workspace(workspace)?;
    }
    match input.get("resourceReceipts") {
        Some(receipts) => {
            let receipts = ReadReceipts::from_json(&receipts.to_string())?;
            Ok(route_input.with_receipts(receipts))
        }
        None => Ok(route_input),
    }
}

/// Judges the routes of all candidates, best first.
pub(super) fn all(
    installed: &Installed,
    evaluation: &Evaluation,
    input: &RouteInput,
    expected: &Value,
) -> Verdict {
    match installed.resolve_all(evaluation, input) {
        Ok(routes) => compare(&placed(expected, installed), &wire(&routes)),
        Err(error) => Verdict::Failed(error.to_string()),
    }
}

/// Judges the best route, with a workspace.
pub(super) fn primary(installed: &Installed, evaluation: &Evaluation, expected: &Value) -> Verdict {
    let route = RouteInput::new().in_workspace(WORKSPACE).and_then(|input| {
        let candidate = evaluation.select(None, None)?;
        installed.resolve(&candidate, &input)
    });
    match route {
        Ok(route) => compare(&placed(expected, installed), &wire(&route)),
        Err(error) => Verdict::Failed(error.to_string()),
    }
}

/// What is recorded, with the places of this machine.
pub(super) fn placed(recorded: &Value, installed: &Installed) -> Value {
    let root = installed.root().to_string_lossy();
    let recorded = replaced(recorded, "<provider-root>", &root);
    let recorded = replaced(&recorded, "<root>", &root);
    replaced(&recorded, "<workspace>", WORKSPACE)
}

/// An object as it is on the wire.
pub(super) fn wire(object: &impl serde::Serialize) -> Value {
    let text = serde_json::to_string(object);
    let value = text.and_then(|text| serde_json::from_str(&text));
    value.unwrap_or_else(|error| json!({ "no JSON": error.to_string() }))
}

/// The code that an operation of `invalid/` fails with; an error where it does not fail.
pub(super) fn failing(op: &Value, root: &Path) -> Result<String, String> {
    let text = |name: &str| op[name].as_str().unwrap_or_default();
    let done = match text("kind") {
        "bind" => binding(op, root),
        kind => installed(root).and_then(|installed| match kind {
            "route" => route(&installed, op).map(drop),
            "locate-resource" => {
                let location = installed.locate_resource(text("query"));
                location.map(drop).map_err(coded)
            }
            _ => {
                let location = installed.locate_code(text("code"));
                location.map(drop).map_err(coded)
            }
        }),
    };
    match done {
        Ok(()) => Err("there is no error".into()),
        Err(code) => Ok(code),
    }
}

fn coded(error: Error) -> String {
    error.code().to_string()
}

fn installed(root: &Path) -> Result<Installed, String> {
    let manifest = ["provider.yaml", "provider.json"].map(|name| root.join(name));
    let manifest = manifest.into_iter().find(|path| path.is_file());
    let manifest = manifest.ok_or("there is no manifest")?;
    Installed::load(manifest).map_err(|findings| findings.code().to_string())
}

/// The checks of spec 5.1 in their order, for ids and revisions that are text and may be malformed, and
/// receipts that are not read before their turn.
fn route(installed: &Installed, op: &Value) -> Result<Route, String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let evaluate = |entry: &Value, input: &Value| -> Result<Evaluation, String> {
        let state = State::from_json(&text(input)).map_err(coded)?;
        let evaluation = installed.evaluate(&text(&op["graph"]), &text(entry), &state);
        evaluation.map_err(coded)
    };
    let id = match op.get("routeIdFrom") {
        Some(from) => {
            let entry = from.get("entry").unwrap_or(&op["entry"]);
            let evaluation = evaluate(entry, &from["inputText"])?;
            let primary = evaluation.primary().ok_or("there is no primary route")?;
            primary.route_id().to_string()
        }
        None => text(&op["routeId"]),
    };
    let evaluation = evaluate(&op["entry"], &op["inputText"])?;
    let expected: Option<Digest> = match op.get("expectedRevision").map(text) {
        Some(expected) => match expected.parse() {
            Ok(expected) => Some(expected),
            // A malformed revision is the one of no evaluation.
            Err(_) => return Err("route-revision-stale".into()),
        },
        None => None,
    };
    let id: Result<RouteId, _> = id.parse().or_else(|_| NO_ROUTE.parse());
    let id = id.map_err(|error| error.to_string())?;
    let candidate = evaluation.select(Some(&id), expected.as_ref());
    let candidate = candidate.map_err(coded)?;
    let input: Value = serde_json::from_str(&text(&op["inputText"])).unwrap_or_default();
    let mut input = route_input(&input).map_err(coded)?;
    if input.workspace().is_none() {
        input = input.in_workspace(WORKSPACE).map_err(coded)?;
    }
    installed.resolve(&candidate, &input).map_err(coded)
}

fn binding(op: &Value, root: &Path) -> Result<(), String> {
    let path = |name: &str| Some(root.join(op[name].as_str()?));
    let registry = match path("registry") {
        Some(file) => Registry::read(file).map_err(|finding| finding.code.to_string())?,
        None => Registry::new(),
    };
    let bound = bind(path("skill").unwrap_or_default(), &registry);
    bound
        .map(drop)
        .map_err(|findings| findings.code().to_string())
}
