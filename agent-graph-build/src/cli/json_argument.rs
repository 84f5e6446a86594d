//! Arguments that are JSON: the text itself, or `@` and a file (spec 10.1).

use agent_graph_runtime::json::{Object, Value};
use agent_graph_runtime::load::read_value;
use agent_graph_runtime::{Code, Facts, Outcome};

use super::failure::Failure;

/// The value that an argument stands for.
pub(super) fn value(argument: &str) -> Result<Value, Failure> {
    match argument.strip_prefix('@') {
        Some(file) => Ok(read_value(file)?.0),
        None => Ok(Value::from_json(argument)?),
    }
}

/// The facts that an argument stands for.
pub(super) fn facts(argument: &str) -> Result<Facts, Failure> {
    Ok(Facts::from_object(object("facts", argument)?)?)
}

/// The outcomes that an argument stands for, by state key. Records are not accepted here.
pub(super) fn outcomes(argument: &str) -> Result<Vec<(String, Outcome)>, Failure> {
    let outcomes = object("outcomes", argument)?.into_iter();
    outcomes
        .map(|(key, value)| match value.as_str() {
            Some(text) => Ok((key, outcome(text)?)),
            None => {
                let message = format!("the outcome of `{key}` is not one of the eight words");
                Err(Failure::new(Code::OutcomeInvalid, message))
            }
        })
        .collect()
}

/// The outcome that a word stands for.
pub(super) fn outcome(word: &str) -> Result<Outcome, Failure> {
    word.parse().map_err(|_| {
        let message = format!("`{word}` is no outcome");
        Failure::new(Code::OutcomeInvalid, message)
    })
}

fn object(what: &str, argument: &str) -> Result<Object, Failure> {
    match value(argument)? {
        Value::Object(object) => Ok(object),
        _ => {
            let message = format!("{what} have to be a JSON object");
            Err(Failure::new(Code::JsonObjectRequired, message))
        }
    }
}
