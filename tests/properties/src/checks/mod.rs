//! The checks, one module for each thing that is read from outside.

pub mod bundle_verifier;
pub mod canonical;
pub mod documents;
pub mod expander;
pub mod facts;
pub mod host_action_results;
pub mod patterns;
pub mod pi_definitions;
pub mod pi_events;
pub mod pi_state;
pub mod provider_loader;
pub mod receipts;
pub mod run_files;

use agent_graph_runtime::json::Value;

/// Whether a value is the one that another reader found.
fn is_same(ours: &Value, theirs: &serde_json::Value) -> bool {
    match (ours, theirs) {
        (Value::Null, serde_json::Value::Null) => true,
        (Value::Bool(ours), serde_json::Value::Bool(theirs)) => ours == theirs,
        (Value::Number(ours), serde_json::Value::Number(theirs)) => Some(*ours) == theirs.as_f64(),
        (Value::String(ours), serde_json::Value::String(theirs)) => ours == theirs,
        (Value::Array(ours), serde_json::Value::Array(theirs)) => {
            ours.len() == theirs.len()
                && ours
                    .iter()
                    .zip(theirs)
                    .all(|(ours, theirs)| is_same(ours, theirs))
        }
        (Value::Object(ours), serde_json::Value::Object(theirs)) => {
            let same = |(name, value): (&str, &Value)| {
                theirs
                    .get(name)
                    .is_some_and(|theirs| is_same(value, theirs))
            };
            ours.len() == theirs.len() && ours.iter().all(same)
        }
        _ => false,
    }
}

/// How many levels of arrays and objects a value has.
fn levels(value: &Value) -> u32 {
    match value {
        Value::Array(items) => 1 + items.iter().map(levels).max().unwrap_or(0),
        Value::Object(object) => {
            1 + object
                .iter()
                .map(|(_, value)| levels(value))
                .max()
                .unwrap_or(0)
        }
        _ => 0,
    }
}

/// What a JSON pointer leads to.
fn at<'v>(value: &'v Value, pointer: &str) -> Option<&'v Value> {
    pointer.split('/').skip(1).try_fold(value, |value, step| {
        let step = step.replace("~1", "/").replace("~0", "~");
        match value {
            Value::Array(items) => items.get(step.parse::<usize>().ok()?),
            Value::Object(object) => object.get(&step),
            _ => None,
        }
    })
}
