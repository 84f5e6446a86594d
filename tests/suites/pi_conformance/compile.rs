//! Definitions: their diagnostics in order, their hash, their reducers and edges.

use agent_graph_runtime::Level;
use agent_graph_runtime::json::{Object, Value};
use agent_graph_runtime::pi::{self, Diagnostic, Loaded, PiFindings};

use crate::cases::{Case, Verdict};
use crate::forms;
use crate::quirks::{self, Line};

pub(crate) fn run(case: &Case<'_>) -> Verdict {
    let text = match case.get("definition") {
        Some(definition) => serde_json::to_string(definition).unwrap_or_default(),
        None => case.text("definitionText").into(),
    };
    let outcome = pi::parse("graph.json".into(), text.as_bytes());
    if let Some(throws) = case.expected("throws") {
        return thrown(case, throws, &outcome);
    }
    let expected: Vec<Line> = match case.expected("diagnostics").and_then(Value::as_array) {
        Some(diagnostics) => diagnostics.iter().map(expected_line).collect(),
        None => return Verdict::Failed("no diagnostics are expected".into()),
    };
    let diagnostics = match &outcome {
        Ok(loaded) => &loaded.diagnostics,
        Err(PiFindings::Invalid { diagnostics, .. }) => diagnostics,
        Err(other) => return Verdict::Failed(other.to_string()),
    };
    let actual: Vec<Line> = diagnostics.iter().map(actual_line).collect();
    let is_ok = case.expected("ok") == Some(&Value::Bool(true));
    if actual != expected || outcome.is_ok() != is_ok {
        return match quirks::of_diagnostics(&expected, &actual) {
            Some(reason) => Verdict::OnPurpose(reason),
            None => Verdict::Failed(format!("expected {expected:#?}, found {actual:#?}")),
        };
    }
    if let Some(difference) = diagnostics.iter().find_map(misplaced) {
        return Verdict::Failed(difference);
    }
    match &outcome {
        Ok(loaded) => match forms::compiled_in(&loaded.graph()) {
            Ok(_) => product(case, loaded),
            Err(difference) => Verdict::Failed(difference),
        },
        Err(_) => Verdict::Passed,
    }
}

fn thrown(case: &Case<'_>, throws: &Value, outcome: &Result<Loaded, PiFindings>) -> Verdict {
    let Err(PiFindings::NotADefinition { reason, at, .. }) = outcome else {
        return Verdict::Failed(format!("{throws:?} is expected, found {outcome:?}"));
    };
    let at = at.as_deref().map_or(Value::Null, Value::from);
    let actual = Value::Array(vec![reason.as_str().into(), at]);
    let expected = case.expected("at").cloned().unwrap_or_default();
    case.compare(&Value::Array(vec![throws.clone(), expected]), &actual)
}

fn expected_line(value: &Value) -> Line {
    let text = |name: &str| {
        value
            .as_object()
            .and_then(|object| object.get(name)?.as_str())
    };
    Line {
        level: text("level").unwrap_or_default().into(),
        code: text("code").unwrap_or_default().into(),
        path: text("path").unwrap_or_default().into(),
        has_path: text("path").is_some(),
    }
}

fn actual_line(diagnostic: &Diagnostic) -> Line {
    Line {
        level: match diagnostic.level {
            Level::Error => "error".into(),
            Level::Warn => "warning".into(),
        },
        code: diagnostic.code.as_str().into(),
        path: diagnostic.path.clone().unwrap_or_default(),
        has_path: diagnostic.path.is_some(),
    }
}

/// Every diagnostic has a place, and its pointer is a beginning of its path.
fn misplaced(diagnostic: &Diagnostic) -> Option<String> {
    let place = &diagnostic.place;
    let pointer = place.pointer.trim_start_matches('/').replace('/', ".");
    let pointer = pointer.replace("~1", "/").replace("~0", "~");
    let path = diagnostic.path.as_deref().unwrap_or("");
    (!path.starts_with(&pointer)).then(|| format!("{path} is placed at {}", place.pointer))
}

fn product(case: &Case<'_>, loaded: &Loaded) -> Verdict {
    let definition = &loaded.definition;
    let hash = definition.hash.to_string();
    let reducers: Object = definition
        .effective_reducers()
        .into_iter()
        .map(|(path, reducer)| (path, reducer.as_str()))
        .collect();
    let names = |names: Vec<&str>| Value::Array(names.into_iter().map(Value::from).collect());
    let edges = definition.edges.iter().enumerate().map(|(index, edge)| {
        let members = [
            ("id", Value::from(format!("edge:{index}"))),
            ("from", names(edge.distinct_sources())),
            ("to", names(edge.distinct_targets())),
            ("barrier", edge.is_barrier().into()),
        ];
        Value::Object(members.into_iter().collect())
    });
    let actual = Value::Array(vec![
        hash.trim_start_matches("sha256:").into(),
        reducers.into(),
        Value::Array(edges.collect()),
    ]);
    let expected =
        ["hash", "reducers", "edges"].map(|name| case.expected(name).cloned().unwrap_or_default());
    case.compare(&Value::Array(expected.into()), &actual)
}
