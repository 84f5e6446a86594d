//! What a call of a run showed, in the form of the vectors, and how it differs from what is recorded.

use agent_graph_runtime::json::{Object, Value};
use agent_graph_runtime::pi;
use agent_graph_runtime::pi::run::{
    Happening, HistoryEntry, Run, RunError, RunStatus, Snapshot, Usage,
};

use super::Difference;
use super::world::{Seen, ms};

pub(crate) fn listed(differences: &[Difference]) -> String {
    let lines = differences
        .iter()
        .map(|(name, how)| format!("\n  {name}: {how}"));
    lines.collect()
}

/// Notes a member that differs. Where engine-made words are left out in what is recorded, ours are as well.
pub(crate) fn same(
    differences: &mut Vec<Difference>,
    call: usize,
    name: &str,
    actual: &Value,
    expected: Option<&Value>,
) {
    let nothing = Value::Null;
    let expected = expected.unwrap_or(&nothing);
    let actual = without_words(expected, actual);
    let (expected, actual) = (pi::compact(expected), pi::compact(&actual));
    if expected != actual {
        let how = format!("expected {expected}, found {actual}");
        differences.push((format!("{call}.{name}"), how));
    }
}

fn without_words(expected: &Value, actual: &Value) -> Value {
    match (expected, actual) {
        (Value::String(mark), Value::String(_)) if mark == "<message>" => expected.clone(),
        (Value::Array(expected), Value::Array(actual)) if expected.len() == actual.len() => {
            let both = expected.iter().zip(actual);
            both.map(|(expected, actual)| without_words(expected, actual))
                .collect::<Vec<_>>()
                .into()
        }
        (Value::Object(expected), Value::Object(actual)) => {
            let member = |(name, value): (&str, &Value)| match expected.get(name) {
                Some(expected) => (name.to_string(), without_words(expected, value)),
                None => (name.to_string(), value.clone()),
            };
            Value::Object(actual.iter().map(member).collect())
        }
        _ => actual.clone(),
    }
}

pub(crate) fn call(
    differences: &mut Vec<Difference>,
    number: usize,
    expected: &Object,
    run: &Run,
    status: RunStatus,
    seen: &Seen,
) {
    let mut compare = |name: &str, actual: Value| {
        same(differences, number, name, &actual, expected.get(name));
    };
    let snapshot = run.snapshot();
    compare("status", status.as_str().into());
    let (kind, failures, code) = error(run);
    compare("errorKind", kind);
    compare("failures", failures);
    compare("errorCode", code);
    compare("interrupt", interrupt(run));
    compare("step", count(run.step()));
    compare("nodeRuns", count(run.node_runs()));
    compare("usage", usage(run.usage()));
    let state = Value::Object(run.state().clone());
    compare("state", state.clone());
    let shown = without_words(expected.get("state").unwrap_or(&Value::Null), &state);
    compare("stateBytes", count(pi::compact_size(&shown)));
    if pi::compact_size(&state) != run.state_bytes() {
        compare("size of the state", count(run.state_bytes()));
    }
    compare("result", run.result().map_or(Value::Null, Value::Object));
    compare("includeState", run.graph().includes_state().into());
    compare("resultMaxBytes", count(run.graph().result_max_bytes()));
    compare("steps", list(&seen.steps, step));
    let is_brief = !expected.contains("history");
    if !is_brief {
        compare("pending", names(&snapshot.pending));
        compare("history", history(&snapshot, expected.get("history")));
        compare("threads", threads(&snapshot));
        compare("checkpoints", count(seen.checkpoints as u64));
    }
    if !is_brief || expected.contains("inFlight") {
        compare("inFlight", in_flight(&snapshot, expected.get("inFlight")));
    }
    compare("attemptFailures", attempt_failures(seen));
    compare("backoffs", backoffs(seen));
    if !is_brief || expected.contains("kills") {
        compare(
            "kills",
            or_null(list(&seen.kills, |signal| (*signal).into())),
        );
    }
    if expected.contains("artifacts") {
        compare("artifacts", list(&seen.artifacts, artifact));
    }
    if expected.contains("events") {
        events(differences, number, seen, expected.get("events"));
    }
    for problem in &seen.problems {
        differences.push((format!("{number}.problem"), problem.clone()));
    }
}

fn count(count: u64) -> Value {
    Value::Number(count as f64)
}

fn list<T>(items: &[T], value: impl Fn(&T) -> Value) -> Value {
    Value::Array(items.iter().map(value).collect())
}

fn names(names: &[String]) -> Value {
    list(names, |name| name.as_str().into())
}

fn or_null(value: Value) -> Value {
    match value {
        Value::Array(items) if items.is_empty() => Value::Null,
        other => other,
    }
}

fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Object(members.into_iter().collect())
}

fn error(run: &Run) -> (Value, Value, Value) {
    match run.error() {
        None => (Value::Null, Value::Null, Value::Null),
        Some(RunError::Nodes(failures)) => {
            let failure = |failure: &pi::run::NodeFailure| {
                let node = failure.node.as_str().into();
                object([("nodeId", node), ("code", failure.code.as_str().into())])
            };
            ("node".into(), list(failures, failure), Value::Null)
        }
        Some(RunError::Run(problem)) => ("graph".into(), Value::Null, problem.as_str().into()),
    }
}

fn interrupt(run: &Run) -> Value {
    let Some(pending) = run.interrupt() else {
        return Value::Null;
    };
    let mut interrupt = Object::new();
    interrupt.insert("nodeId", pending.node.as_str());
    interrupt.insert("kind", pending.interrupt.kind.as_str());
    interrupt.insert("prompt", pending.interrupt.prompt.as_str());
    if let Some(options) = &pending.interrupt.options {
        interrupt.insert("options", names(options));
    }
    interrupt.into()
}

fn usage(usage: &Usage) -> Value {
    object([
        ("inputTokens", count(usage.input_tokens)),
        ("outputTokens", count(usage.output_tokens)),
        ("cacheReadTokens", count(usage.cache_read_tokens)),
        ("cacheWriteTokens", count(usage.cache_write_tokens)),
        ("turns", count(usage.turns)),
        ("costUsd", Value::Number(usage.cost_usd)),
    ])
}

fn counts(counts: &[(String, u64)]) -> Value {
    let counts = counts.iter();
    Value::Object(
        counts
            .map(|(name, number)| (name.as_str(), count(*number)))
            .collect(),
    )
}

fn step((scheduled, snapshot): &(Vec<String>, Snapshot)) -> Value {
    let consumed = snapshot.barrier_consumed.iter();
    let consumed: Object = consumed
        .map(|(edge, sources)| (edge.as_str(), counts(sources)))
        .collect();
    object([
        ("step", count(snapshot.step)),
        ("scheduled", names(scheduled)),
        ("state", Value::Object((*snapshot.state).clone())),
        ("pending", names(&snapshot.pending)),
        ("completionCounts", counts(&snapshot.completion_counts)),
        ("barrierConsumed", consumed.into()),
        ("usage", usage(&snapshot.usage)),
    ])
}

fn history_entry(entry: &HistoryEntry) -> Value {
    object([
        ("step", count(entry.step)),
        ("nodeId", entry.node.as_str().into()),
        ("status", entry.status.as_str().into()),
        ("attempts", count(entry.attempts)),
        ("startedMs", Value::Number(ms(entry.started_at) as f64)),
        ("endedMs", Value::Number(ms(entry.ended_at) as f64)),
        ("tokens", count(entry.usage.tokens())),
    ])
}

/// The history. Entries of one superstep are put in the order in which they are expected, if they are the
/// same ones.
fn history(snapshot: &Snapshot, expected: Option<&Value>) -> Value {
    let actual: Vec<Value> = snapshot.history.iter().map(history_entry).collect();
    in_order_of(actual, expected)
}

fn in_order_of(actual: Vec<Value>, expected: Option<&Value>) -> Value {
    let expected = expected.and_then(Value::as_array).unwrap_or(&[]);
    let mut left = actual.clone();
    let mut ordered = Vec::new();
    for item in expected {
        match left.iter().position(|one| one == item) {
            Some(at) => ordered.push(left.remove(at)),
            None => return Value::Array(actual),
        }
    }
    match left.is_empty() {
        true => Value::Array(ordered),
        false => Value::Array(actual),
    }
}

fn threads(snapshot: &Snapshot) -> Value {
    if snapshot.threads.is_empty() {
        return Value::Null;
    }
    let threads = snapshot.threads.iter().map(|thread| {
        let mut shown = Object::new();
        shown.insert("nodes", names(&thread.nodes));
        shown.insert("invocationCount", count(thread.invocation_count));
        if let Some(last) = &thread.last_node {
            shown.insert("lastNodeId", last.as_str());
        }
        (thread.key.as_str(), shown)
    });
    Value::Object(threads.collect())
}

fn in_flight(snapshot: &Snapshot, expected: Option<&Value>) -> Value {
    let Some(in_flight) = &snapshot.in_flight else {
        return Value::Null;
    };
    let completed = in_flight.completed.iter();
    let completed = completed
        .map(|(node, _)| Value::from(node.as_str()))
        .collect();
    let expected = expected.and_then(Value::as_object);
    let expected = expected.and_then(|object| object.get("completed"));
    object([
        ("step", count(in_flight.step)),
        ("scheduled", names(&in_flight.scheduled)),
        ("unresolved", names(&in_flight.unresolved)),
        ("completed", in_order_of(completed, expected)),
    ])
}

fn attempt_failures(seen: &Seen) -> Value {
    let failures = seen.events.iter().filter_map(|(event, _)| {
        let (node, attempt, failure) = match &event.what {
            Happening::NodeRetry {
                node,
                attempt,
                failure,
                ..
            } => (node, attempt - 1, failure),
            Happening::NodeSettled {
                node,
                attempt,
                failure: Some(failure),
                ..
            } => (node, *attempt, failure),
            _ => return None,
        };
        Some(object([
            ("nodeId", Value::from(&**node)),
            ("attempt", count(attempt)),
            ("code", failure.code.as_str().into()),
            ("retryable", failure.retryable.into()),
        ]))
    });
    or_null(Value::Array(failures.collect()))
}

fn backoffs(seen: &Seen) -> Value {
    let waits = seen
        .events
        .iter()
        .filter_map(|(event, at)| match &event.what {
            Happening::NodeRetry { due, .. } if ms(*due) > *at => {
                Some(Value::Number((ms(*due) - at) as f64))
            }
            _ => None,
        });
    or_null(Value::Array(waits.collect()))
}

fn artifact((path, bytes): &(String, usize)) -> Value {
    object([
        ("path", path.as_str().into()),
        ("bytes", count(*bytes as u64)),
    ])
}

/// The events of each node, and those of none, in order, and all of them at the same times.
fn events(differences: &mut Vec<Difference>, number: usize, seen: &Seen, expected: Option<&Value>) {
    let or_null = |text: Option<&str>| text.map_or(Value::Null, Value::from);
    let actual = seen.events.iter().map(|(event, at)| {
        Value::Array(vec![
            event.what.type_name().into(),
            Value::Number(*at as f64),
            count(event.step),
            or_null(event.what.node()),
            event.what.attempt().map_or(Value::Null, count),
            or_null(event.what.status()),
        ])
    });
    let actual = by_node(actual.collect());
    let expected = expected.and_then(Value::as_array).unwrap_or(&[]);
    let expected = by_node(expected.to_vec());
    same(differences, number, "events", &actual, Some(&expected));
}

fn by_node(mut events: Vec<Value>) -> Value {
    let node = |event: &Value| {
        let node = event.as_array().and_then(|event| event.get(3));
        node.and_then(Value::as_str).unwrap_or("").to_string()
    };
    events.sort_by_key(node);
    Value::Array(events)
}
