//! Scripted agents: what the process of an attempt writes, and when it ends. Knows nothing about runs.

use std::collections::BTreeMap;

use agent_graph_runtime::json::{Object, Value};

/// The attempts that the agents of a case are to make.
pub(crate) struct Script<'c> {
    attempts: &'c Object,
    taken: BTreeMap<String, usize>,
}

/// One attempt as it is scripted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scripted {
    pub(crate) output: String,
    pub(crate) error_output: String,
    pub(crate) exit_code: i32,
    pub(crate) spawn_error: Option<String>,
    pub(crate) duration: i64,
    pub(crate) hangs: bool,
    pub(crate) ignores_term: bool,
}

impl<'c> Script<'c> {
    pub(crate) fn of(attempts: &'c Object) -> Self {
        Self {
            attempts,
            taken: BTreeMap::new(),
        }
    }

    /// The next attempt at a node; the last one repeats.
    pub(crate) fn take(&mut self, node: &str) -> Scripted {
        let listed = self.attempts.get(node).and_then(Value::as_array);
        let taken = self.taken.entry(node.into()).or_default();
        let attempt = listed.and_then(|list| list.get(*taken).or(list.last()));
        *taken += 1;
        match attempt.and_then(Value::as_object) {
            Some(attempt) => scripted(attempt),
            None => {
                let text = Value::from(format!("default output of {node}"));
                let attempt: Object = [("text", text)].into_iter().collect();
                scripted(&attempt)
            }
        }
    }
}

fn scripted(attempt: &Object) -> Scripted {
    let text = |name: &str| attempt.get(name).and_then(Value::as_str).map(String::from);
    let number = |name: &str| attempt.get(name).and_then(Value::as_number).unwrap_or(0.0);
    let flag = |name: &str| attempt.get(name) == Some(&Value::Bool(true));
    let spawn_error = text("spawnError");
    let output = match attempt.get("turns").and_then(Value::as_array) {
        Some(turns) => turns
            .iter()
            .filter_map(Value::as_object)
            .map(line)
            .collect(),
        None if spawn_error.is_some() => String::new(),
        None => line(attempt),
    };
    Scripted {
        output,
        error_output: text("stderr").unwrap_or_default(),
        exit_code: number("exitCode") as i32,
        spawn_error,
        duration: number("durationMs") as i64,
        hangs: flag("hang"),
        ignores_term: flag("ignoreTerm"),
    }
}

/// The event that tells of a message.
fn line(turn: &Object) -> String {
    let is_tool = turn.get("role").and_then(Value::as_str) == Some("tool");
    let mut message = Object::new();
    message.insert("role", if is_tool { "toolResult" } else { "assistant" });
    let text = turn.get("text").filter(|text| !text.is_null());
    let content = text.map(|text| {
        let item = [("type", Value::from("text")), ("text", text.clone())];
        Value::Object(item.into_iter().collect())
    });
    message.insert("content", content.into_iter().collect::<Vec<_>>());
    for (from, to) in [
        ("name", "toolName"),
        ("model", "model"),
        ("stopReason", "stopReason"),
        ("errorMessage", "errorMessage"),
    ] {
        if let Some(value) = turn.get(from) {
            message.insert(to, value.clone());
        }
    }
    if let Some(mut usage) = turn.get("usage").and_then(Value::as_object).cloned() {
        let cost = usage.get("cost").cloned().unwrap_or_default();
        let cost: Object = [("total", cost)].into_iter().collect();
        usage.insert("cost", cost);
        message.insert("usage", usage);
    }
    let kind = if is_tool {
        "tool_result_end"
    } else {
        "message_end"
    };
    let event = [("type", Value::from(kind)), ("message", message.into())];
    format!("{}\n", Value::Object(event.into_iter().collect()))
}
