//! Compares what is expected with what is so, one line for each difference, in the order of the tables of
//! spec section 8. Knows evaluations and resolved routes, nothing about files.

use agent_graph_runtime::json::{Object, Value};
use agent_graph_runtime::{Candidate, Evaluation};
use agent_graph_runtime::{CommandItem, FileLocation, GateAction, ResourceLocation, Route};

/// What can be expected of the resolved primary route.
const OF_ROUTE: [&str; 14] = [
    "command",
    "handler",
    "requiredResources",
    "recommendedResources",
    "gateResolution",
    "inspectionCommand",
    "inspectionHandler",
    "inspectionSkill",
    "inspectionInputSchema",
    "resolutionCommand",
    "resolutionHandler",
    "resolutionSkill",
    "resolutionInputSchema",
    "recordNode",
];

/// Whether something is expected of the resolved route.
pub(super) fn need_route(expected: &Object) -> bool {
    OF_ROUTE.iter().any(|name| expected.contains(name))
}

/// What differs in the evaluation.
pub(super) fn of_evaluation(expected: &Object, evaluation: &Evaluation) -> Vec<String> {
    let primary = evaluation.primary();
    let of_primary = |get: fn(&Candidate<'_>) -> String| primary.as_ref().map(get).map(Value::from);
    let alternatives = evaluation
        .alternatives()
        .map(|route| Value::from(route.node()));
    let mut comparison = Comparison::new(expected);
    comparison.compare("statusCode", Some(evaluation.status().as_str().into()));
    comparison.compare("primaryNode", of_primary(|route| route.node().into()));
    comparison.compare(
        "primaryReasonCode",
        of_primary(|route| route.reason_code().into()),
    );
    comparison.compare(
        "alternativeNodes",
        Some(Value::Array(alternatives.collect())),
    );
    comparison.compare(
        "availability",
        of_primary(|route| route.availability().as_str().into()),
    );
    comparison.compare(
        "outcome",
        evaluation.outcome().map(|outcome| outcome.as_str().into()),
    );
    let included = expected.get("diagnosticsInclude").and_then(Value::as_array);
    for code in included.into_iter().flatten().filter_map(Value::as_str) {
        if !evaluation
            .diagnostics()
            .any(|diagnostic| diagnostic.code == code)
        {
            comparison
                .failures
                .push(format!("diagnostic missing: {code}"));
        }
    }
    comparison.failures
}

/// What differs in the resolved route.
pub(super) fn of_route(expected: &Object, route: &Route) -> Vec<String> {
    let gate = route.gate.as_ref();
    let inspection = gate.and_then(|gate| gate.inspection_action.as_ref());
    let resolution = gate.and_then(|gate| gate.resolution_action.as_ref());
    let mut comparison = Comparison::new(expected);
    comparison.compare("command", command(&route.command_plan));
    comparison.compare("handler", handler(&route.command_plan));
    comparison.compare("requiredResources", Some(ids(&route.resources.required)));
    comparison.compare(
        "recommendedResources",
        Some(ids(&route.resources.recommended)),
    );
    comparison.compare(
        "gateResolution",
        gate.map(|gate| gate.resolution.as_str().into()),
    );
    comparison.action("inspection", inspection);
    comparison.action("resolution", resolution);
    comparison.compare(
        "recordNode",
        Some(route.after_action.record_node.as_str().into()),
    );
    comparison.failures
}

fn command(plan: &[CommandItem]) -> Option<Value> {
    plan.first()
        .and_then(|item| item.run.command())
        .map(Value::from)
}

fn handler(plan: &[CommandItem]) -> Option<Value> {
    plan.first()
        .and_then(|item| item.run.handler())
        .map(Value::from)
}

fn ids(locations: &[ResourceLocation]) -> Value {
    Value::Array(
        locations
            .iter()
            .map(|location| location.id().into())
            .collect(),
    )
}

struct Comparison<'e> {
    expected: &'e Object,
    failures: Vec<String>,
}

impl<'e> Comparison<'e> {
    fn new(expected: &'e Object) -> Self {
        Self {
            expected,
            failures: Vec::new(),
        }
    }

    /// One line unless nothing is expected or it is so.
    fn compare(&mut self, label: &str, actual: Option<Value>) {
        let Some(expected) = self.expected.get(label) else {
            return;
        };
        if actual.as_ref() != Some(expected) {
            let received = actual.as_ref().map_or_else(|| "<none>".to_owned(), shown);
            let line = format!("{label}: expected {}, received {received}", shown(expected));
            self.failures.push(line);
        }
    }

    /// The four members about an action of the gate.
    fn action(&mut self, which: &str, action: Option<&GateAction>) {
        let id = |location: &Option<FileLocation>| {
            location
                .as_ref()
                .map(|location| location.id.as_str().into())
        };
        let plan = action.map_or(&[][..], |action| &action.command_plan);
        let skill = action.and_then(|action| id(&action.action.skill));
        let schema = action.and_then(|action| id(&action.action.input_schema));
        self.compare(&format!("{which}Command"), command(plan));
        self.compare(&format!("{which}Handler"), handler(plan));
        self.compare(&format!("{which}Skill"), skill);
        self.compare(&format!("{which}InputSchema"), schema);
    }
}

/// Text as it is, anything else as compact JSON.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
