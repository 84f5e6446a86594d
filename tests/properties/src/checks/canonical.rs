//! Canonical JSON: equal to that of a naive writer where names are ASCII; for all values, canonical text is its own
//! canonical text and holds the same value, and the digest is that of the text.

use agent_graph_runtime::Digest;
use agent_graph_runtime::json::{Object, Value};
use sha2::Digest as _;

use crate::draw::Draw;
use crate::json::Json;
use crate::naive;

/// Bytes as JSON text, and as decisions about a value.
///
/// # Panics
/// When something does not hold.
pub fn check(bytes: &[u8]) {
    if let Ok(Ok(value)) = str::from_utf8(bytes).map(Value::from_json) {
        canonical(&value);
    }
    let drawn = without_repeats(Draw::new(bytes).value(6));
    let text = drawn.source();
    let value = Value::from_json(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let written = canonical(&value);
    if has_ascii_names(&drawn) {
        assert_eq!(written, naive::canonical(&drawn), "{text}");
    }
}

fn canonical(value: &Value) -> String {
    let text = value.canonical().unwrap_or_else(|error| panic!("{error}"));
    let again = Value::from_json(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(again, *value, "{text}");
    assert_eq!(again.canonical().as_deref(), Ok(&*text));
    let digest: [u8; 32] = sha2::Sha256::digest(text.as_bytes()).into();
    assert_eq!(Digest::of_value(value), Ok(Digest::from_bytes(digest)));
    no_order_matters(value, &text);
    text
}

/// Members of an object in reverse, unless the order takes two names for one: then the first stays the first.
fn no_order_matters(value: &Value, text: &str) {
    let reversed = reversed(value);
    match reversed.canonical() {
        Ok(other) if other == text => {}
        Ok(other) => assert!(has_ties(value), "{text} {other}"),
        Err(error) => panic!("{error}"),
    }
}

fn reversed(value: &Value) -> Value {
    match value {
        Value::Array(items) => Value::Array(items.iter().map(reversed).collect()),
        Value::Object(object) => {
            let members = object
                .iter()
                .rev()
                .map(|(name, value)| (name, reversed(value)));
            Value::Object(members.collect::<Object>())
        }
        other => other.clone(),
    }
}

/// Whether two names of an object sort alike: two objects with nothing but these in another order differ then.
fn has_ties(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(has_ties),
        Value::Object(object) => {
            let names: Vec<&str> = object.names().collect();
            let tie = |a: &str, b: &str| {
                let one: Object = [(a, 0), (b, 0)].into_iter().collect();
                let other: Object = [(b, 0), (a, 0)].into_iter().collect();
                one.canonical() != other.canonical()
            };
            let pairs = names.iter().enumerate();
            let tied = |(at, a): (usize, &&str)| names[at + 1..].iter().any(|b| tie(a, b));
            pairs.into_iter().any(tied) || object.iter().any(|(_, value)| has_ties(value))
        }
        _ => false,
    }
}

/// The last value of a repeated name, in the place of the first one.
fn without_repeats(value: Json) -> Json {
    match value {
        Json::List(items) => Json::List(items.into_iter().map(without_repeats).collect()),
        Json::Object(members) => {
            let mut kept: Vec<(String, Json)> = Vec::new();
            for (name, value) in members {
                let value = without_repeats(value);
                match kept.iter_mut().find(|(own, _)| *own == name) {
                    Some((_, own)) => *own = value,
                    None => kept.push((name, value)),
                }
            }
            Json::Object(kept)
        }
        scalar => scalar,
    }
}

fn has_ascii_names(value: &Json) -> bool {
    match value {
        Json::List(items) => items.iter().all(has_ascii_names),
        Json::Object(members) => members
            .iter()
            .all(|(name, value)| name.is_ascii() && has_ascii_names(value)),
        _ => true,
    }
}
