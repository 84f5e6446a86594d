//! One case of a file of vectors. Knows nothing about what it is about.

use agent_graph_runtime::json::{Object, Value};
use agent_graph_runtime::pi;

/// A case: its input, and what is expected.
pub(crate) struct Case<'c> {
    pub(crate) id: &'c str,
    pub(crate) tags: Vec<&'c str>,
    object: &'c Object,
}

/// What a case came to.
pub(crate) enum Verdict {
    Passed,
    Failed(String),
    OnPurpose(&'static str),
}

impl<'c> Case<'c> {
    pub(crate) fn of(value: &'c Value) -> Option<Self> {
        let object = value.as_object()?;
        let tags = object.get("tags").and_then(Value::as_array).unwrap_or(&[]);
        Some(Self {
            id: object.get("id")?.as_str()?,
            tags: tags.iter().filter_map(Value::as_str).collect(),
            object,
        })
    }

    pub(crate) fn get(&self, name: &str) -> Option<&'c Value> {
        self.object.get(name)
    }

    pub(crate) fn text(&self, name: &str) -> &'c str {
        self.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    pub(crate) fn object(&self, name: &str) -> Object {
        let object = self.get(name).and_then(Value::as_object);
        object.cloned().unwrap_or_default()
    }

    pub(crate) fn expected(&self, name: &str) -> Option<&'c Value> {
        self.get("expect")?.as_object()?.get(name)
    }

    /// Compares compact texts: they show the order of names, which the equality of values does not.
    pub(crate) fn compare(&self, expected: &Value, actual: &Value) -> Verdict {
        let (expected, actual) = (pi::compact(expected), pi::compact(actual));
        if expected == actual {
            return Verdict::Passed;
        }
        match crate::quirks::by_tag(&self.tags) {
            Some(reason) => Verdict::OnPurpose(reason),
            None => Verdict::Failed(format!("expected {expected}, found {actual}")),
        }
    }
}
