//! Facts and states: read or refused with a code; what a path leads to is what a plain walk finds; what is read can
//! be written and read again, and any of it can be evaluated.

use std::path::Path;
use std::sync::OnceLock;

use agent_graph_runtime::json::Value;
use agent_graph_runtime::load::shape::{EVALUATION, Shape, check_json};
use agent_graph_runtime::{Code, Error, Facts, Provider, State};

use super::is_same;
use crate::draw::Draw;

/// Bytes as JSON text with a path in front, divided by a line end; and as decisions about facts and paths.
///
/// # Panics
/// When something does not hold.
pub fn check(bytes: &[u8]) {
    let (path, text) = divided(bytes);
    facts(text, &path);
    state(text);
    let mut draw = Draw::new(bytes);
    let value = draw.value(4).source();
    let path = path_from(&mut draw);
    let drawn = format!("{{\"a\":{value},\"{}\":[{value}]}}", draw.below(12));
    facts(drawn.as_bytes(), &path);
    let outcome = draw.one_of(&["completed", "failed", "blocked", "done"]);
    state(
        format!("{{\"facts\":{drawn},\"outcomes\":{{\"release/package\":\"{outcome}\"}}}}")
            .as_bytes(),
    );
}

fn divided(bytes: &[u8]) -> (String, &[u8]) {
    let at = bytes.iter().position(|&byte| byte == b'\n');
    let (path, text) = at.map_or((&b""[..], bytes), |at| (&bytes[..at], &bytes[at + 1..]));
    (String::from_utf8_lossy(path).into_owned(), text)
}

fn path_from(draw: &mut Draw<'_>) -> String {
    let steps = 1 + draw.below(4);
    let steps: Vec<String> = (0..steps)
        .map(|_| {
            if draw.below(2) == 0 {
                "a".into()
            } else {
                draw.name()
            }
        })
        .collect();
    steps.join(".")
}

fn facts(text: &[u8], path: &str) {
    let facts = match Facts::from_slice(text) {
        Ok(facts) => facts,
        Err(error) => {
            return refused(
                &error,
                &[
                    Code::JsonInvalid,
                    Code::JsonObjectRequired,
                    Code::InputLimit,
                ],
            );
        }
    };
    let canonical = facts.canonical();
    let again = Facts::from_json(canonical).unwrap_or_else(|error| panic!("{error}: {canonical}"));
    assert_eq!((again.canonical(), &again), (canonical, &facts));
    let found = walk(
        facts.as_object().get(path.split('.').next().unwrap_or("")),
        path,
    );
    assert_eq!(facts.get(path), found, "{path}");
    let serialized = serde_json::to_value(&facts).unwrap_or_else(|error| panic!("{error}"));
    assert!(is_same(
        &Value::Object(facts.as_object().clone()),
        &serialized
    ));
    let through_serde = Facts::from_serialize(&serialized);
    // Another library orders members in its own way, which decides where names tie.
    let through_serde = through_serde.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(through_serde.as_object(), facts.as_object());
}

/// What the further steps of a path lead to.
fn walk<'v>(first: Option<&'v Value>, path: &str) -> Option<&'v Value> {
    path.split('.')
        .skip(1)
        .fold(first, |value, step| match value? {
            Value::Object(object) => object
                .iter()
                .find(|(name, _)| *name == step)
                .map(|(_, value)| value),
            Value::Array(items) => (0..items.len())
                .find(|index| index.to_string() == step)
                .map(|index| &items[index]),
            _ => None,
        })
}

fn state(text: &[u8]) {
    let Ok(text) = str::from_utf8(text) else {
        return;
    };
    let state = match State::from_json(text) {
        Ok(state) => state,
        Err(error) => {
            return assert!(Code::ALL.contains(&error.code()) && !error.message().is_empty());
        }
    };
    let Some(provider) = provider() else {
        return;
    };
    let evaluation = provider
        .evaluate("release", "default", &state)
        .unwrap_or_else(|error| panic!("{error}"));
    let json = evaluation.to_json();
    let findings = check_json(Shape::Object(&EVALUATION), "evaluation.json", &json);
    assert!(findings.is_empty(), "{findings:?}");
    let again = provider
        .evaluate("release", "default", &state)
        .map(|evaluation| evaluation.to_json());
    assert_eq!(again, Ok(json));
}

fn refused(error: &Error, codes: &[Code]) {
    assert!(codes.contains(&error.code()), "{error}");
    assert!(!error.message().is_empty());
}

/// A worked example, loaded once.
fn provider() -> Option<&'static Provider> {
    static PROVIDER: OnceLock<Option<Provider>> = OnceLock::new();
    let manifest =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/release-gate/provider.yaml");
    PROVIDER
        .get_or_init(|| Some(Provider::load(manifest).expect("the example loads")))
        .as_ref()
}
