//! Snapshots: what is one, what may follow it, and that it is written as it was read.

use agent_graph_runtime::json::{Object, Value};
use agent_graph_runtime::pi;
use agent_graph_runtime::pi::run::{Snapshot, SnapshotError};

use crate::cases::{Case, Verdict};

pub(crate) fn run(case: &Case<'_>) -> Verdict {
    let actual: Object = match judged(case) {
        Ok(snapshot) => {
            if let Some(difference) = rewritten(case, &snapshot) {
                return Verdict::Failed(difference);
            }
            [("valid", Value::Bool(true))].into_iter().collect()
        }
        Err(error) => [
            ("valid", Value::Bool(false)),
            ("path", error.path.as_str().into()),
        ]
        .into_iter()
        .collect(),
    };
    case.compare(
        case.get("expect").unwrap_or(&Value::Null),
        &Value::Object(actual),
    )
}

fn judged(case: &Case<'_>) -> Result<Snapshot, SnapshotError> {
    let read = |name| Snapshot::from_value(case.get(name).unwrap_or(&Value::Null));
    let snapshot = read("snapshot")?;
    if let Some(expected) = case.get("expectedRunId").and_then(Value::as_str) {
        snapshot.check_run_id(expected)?;
    }
    if case.get("previous").is_some() {
        snapshot.check_progress(&read("previous")?)?;
    }
    Ok(snapshot)
}

/// A snapshot that an engine wrote comes out with the same bytes; one that was changed by hand, with the same
/// members.
fn rewritten(case: &Case<'_>, snapshot: &Snapshot) -> Option<String> {
    let before = case.get("snapshot").unwrap_or(&Value::Null);
    let after = snapshot.to_value();
    let is_same = match case.tags.contains(&"real") {
        true => pi::compact(before) == pi::compact(&after),
        false => pi::hash(before) == pi::hash(&after),
    };
    (!is_same).then(|| format!("it is written as {}", pi::compact(&after)))
}
