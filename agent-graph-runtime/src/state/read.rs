//! Reads the input of an evaluation from JSON (spec 4.1). Knows which members there are, nothing
//! about what they do.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::State;
use super::outcomes::Outcomes;
use crate::code::Code;
use crate::error::Error;
use crate::facts::Facts;
use crate::json::{Object, Value};
use crate::protocol::Outcome;

impl State {
    /// Reads the input of an evaluation: an object with any of `facts`, `outcomes` (an outcome, or a
    /// record with one, for each state key) and `authorities`. What else a run hands over,
    /// `workspace`, `resourceReceipts` and `runPath`, may ride along.
    ///
    /// ```
    /// use agent_graph_runtime::{State, protocol::Outcome};
    /// let state = State::from_json(
    ///     r#"{
    ///         "facts": {"branch": "main"},
    ///         "outcomes": {
    ///             "release/inspect": "completed",
    ///             "release/package": {"outcome": "failed", "recordedAt": "2026-01-31T12:00:00.000Z"}
    ///         },
    ///         "authorities": ["release.approve"]
    ///     }"#,
    /// )?;
    /// assert_eq!(state.outcome("release/package"), Some(Outcome::Failed));
    /// # Ok::<(), agent_graph_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    /// `json-invalid`; `json-object-required` when the input, the facts or the outcomes are no
    /// object; `outcome-invalid`; `schema-invalid` for another member or a malformed one; and those
    /// of [`Facts::from_object`] and [`State::set_outcome`].
    pub fn from_json(text: &str) -> Result<Self, Error> {
        Self::from_value(Value::from_json(text)?)
    }

    /// Reads the input of an evaluation from a value, as [`State::from_json`].
    ///
    /// # Errors
    /// As [`State::from_json`].
    pub fn from_value(input: Value) -> Result<Self, Error> {
        let mut state = Self::new();
        for (name, value) in object("the input", input)? {
            match name.as_str() {
                "facts" => state.set_facts(Facts::from_value(value)?),
                "outcomes" => state.outcomes = outcomes(object("outcomes", value)?)?,
                "authorities" => state.set_authorities(authorities(value)?),
                "workspace" | "resourceReceipts" | "runPath" => {}
                _ => return Err(invalid(format!("the input has no member {name:?}"))),
            }
        }
        Ok(state)
    }
}

fn object(what: &str, value: Value) -> Result<Object, Error> {
    match value {
        Value::Object(object) => Ok(object),
        _ => Err(Error::new(
            Code::JsonObjectRequired,
            format!("{what} has to be a JSON object"),
        )),
    }
}

fn outcomes(outcomes: Object) -> Result<Outcomes, Error> {
    let outcomes: Result<Vec<(String, Outcome)>, Error> = outcomes
        .into_iter()
        .map(|(key, value)| {
            let outcome = match &value {
                Value::Object(record) => recorded(&key, record)?,
                value => outcome(&key, value)?,
            };
            Ok((key, outcome))
        })
        .collect();
    Outcomes::from_distinct(outcomes?)
}

/// The outcome in a record of a run (spec 1.11).
fn recorded(key: &str, record: &Object) -> Result<Outcome, Error> {
    let known = ["outcome", "recordedAt", "detail"];
    if let Some(name) = record.names().find(|name| !known.contains(name)) {
        return Err(invalid(format!(
            "the record of {key:?} has no member {name:?}"
        )));
    }
    if record.get("recordedAt").and_then(Value::as_str).is_none() {
        return Err(invalid(format!(
            "the record of {key:?} needs a string `recordedAt`"
        )));
    }
    match record.get("outcome") {
        Some(value) => outcome(key, value),
        None => Err(invalid(format!("the record of {key:?} needs an `outcome`"))),
    }
}

fn outcome(key: &str, value: &Value) -> Result<Outcome, Error> {
    let outcome = value.as_str().and_then(|text| text.parse().ok());
    outcome.ok_or_else(|| {
        let message = format!("{key:?} has to have one of the eight outcomes");
        Error::new(Code::OutcomeInvalid, message)
    })
}

fn authorities(value: Value) -> Result<Vec<String>, Error> {
    let Value::Array(items) = value else {
        return Err(invalid("authorities have to be an array of strings"));
    };
    items
        .into_iter()
        .map(|item| match item {
            Value::String(text) => Ok(text),
            _ => Err(invalid("authorities have to be an array of strings")),
        })
        .collect()
}

fn invalid(message: impl Into<String>) -> Error {
    Error::new(Code::SchemaInvalid, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(input: &str) -> Code {
        State::from_json(input).unwrap_err().code()
    }

    #[test]
    fn everything_is_optional_and_what_rides_along_does_not_matter() {
        let bare = State::from_json("{}").unwrap();
        let laden =
            r#"{"workspace":"/w","resourceReceipts":{"a":1},"runPath":"r","authorities":[]}"#;
        assert_eq!(bare, State::new());
        assert_eq!(State::from_json(laden).unwrap(), bare);
    }

    #[test]
    fn strings_and_records_give_the_same_outcomes() {
        let strings = State::from_json(r#"{"outcomes":{"g/a":"failed","g/b":"partial"}}"#).unwrap();
        let records = State::from_json(
            r#"{"outcomes":{
                "g/a":{"outcome":"failed","recordedAt":"2026-01-31T12:00:00Z"},
                "g/b":{"recordedAt":"2026-01-31T12:00:00Z","outcome":"partial","detail":[1]}}}"#,
        )
        .unwrap();
        assert_eq!(strings, records);
        assert_eq!(
            records.outcomes_canonical(),
            r#"{"g/a":"failed","g/b":"partial"}"#
        );
    }

    #[test]
    fn of_repeated_members_the_last_counts() {
        let state = State::from_json(
            r#"{"facts":{"a":1},"outcomes":{"k":"failed","k":"skipped"},"facts":{"b":2,"b":3}}"#,
        )
        .unwrap();
        assert_eq!(state.facts().canonical(), r#"{"b":3}"#);
        assert_eq!(state.outcome("k"), Some(Outcome::Skipped));
    }

    #[test]
    fn each_mistake_has_its_code() {
        for (input, expected) in [
            ("{", Code::JsonInvalid),
            ("[]", Code::JsonObjectRequired),
            (r#"{"facts":[]}"#, Code::JsonObjectRequired),
            (r#"{"facts":null}"#, Code::JsonObjectRequired),
            (r#"{"outcomes":["x"]}"#, Code::JsonObjectRequired),
            (r#"{"outcomes":{"k":"done"}}"#, Code::OutcomeInvalid),
            (r#"{"outcomes":{"k":1}}"#, Code::OutcomeInvalid),
            (
                r#"{"outcomes":{"k":{"outcome":"done","recordedAt":""}}}"#,
                Code::OutcomeInvalid,
            ),
            (
                r#"{"outcomes":{"k":{"outcome":"failed"}}}"#,
                Code::SchemaInvalid,
            ),
            (
                r#"{"outcomes":{"k":{"recordedAt":""}}}"#,
                Code::SchemaInvalid,
            ),
            (
                r#"{"outcomes":{"k":{"outcome":"failed","recordedAt":"","x":1}}}"#,
                Code::SchemaInvalid,
            ),
            (r#"{"authorities":"a"}"#, Code::SchemaInvalid),
            (r#"{"authorities":["a",1]}"#, Code::SchemaInvalid),
            (r#"{"fact":{}}"#, Code::SchemaInvalid),
        ] {
            assert_eq!(code(input), expected, "{input}");
        }
    }
}
