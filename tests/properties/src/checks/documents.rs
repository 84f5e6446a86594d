//! Documents: whatever the bytes, there is one finding inside the text, or a value whose places lie in the text and
//! lead back to it, which is read again from its own JSON text, by this reader and by others.

use agent_graph_runtime::json::{DEPTH_LIMIT, Value};
use agent_graph_runtime::load::limits::{DOCUMENT_BYTES, DOCUMENT_NODES, KEY_CHARACTERS};
use agent_graph_runtime::load::{places_of_document, value_of_document};
use agent_graph_runtime::{Code, Finding};

use super::{at, is_same, levels};
use crate::bounds;

/// Bytes as YAML.
///
/// # Panics
/// When something does not hold.
pub fn yaml(bytes: &[u8]) {
    let read = read("a.yaml", bytes);
    // JSON is YAML, but for what each of the two reads alone.
    let json = value_of_document("a.json", bytes);
    if let (Ok(yaml), Ok(json)) = (&read, &json) {
        assert_eq!(yaml, json, "as YAML and as JSON");
    }
}

/// Bytes as JSON.
///
/// # Panics
/// When something does not hold.
pub fn json(bytes: &[u8]) {
    let ours = read("a.json", bytes);
    let theirs = serde_json::from_slice::<serde_json::Value>(bytes);
    match (&ours, &theirs) {
        (Ok(ours), Ok(theirs)) => assert!(is_same(ours, theirs), "{ours} {theirs}"),
        // Both have a limit, ours is one level further.
        (Ok(_), Err(error)) => assert!(error.to_string().contains("recursion limit"), "{error}"),
        (Err(finding), Ok(_)) => assert_eq!(finding.code, Code::InputLimit, "{finding}"),
        (Err(_), Err(_)) => {}
    }
    let Ok(text) = str::from_utf8(bytes) else {
        return;
    };
    match (&ours, Value::from_json(text)) {
        (Ok(document), Ok(value)) => assert_eq!(*document, value),
        (Ok(_), Err(error)) => panic!("{error}"),
        // Only documents count bytes and values.
        (Err(finding), Ok(_)) => assert_eq!(finding.code, Code::InputLimit),
        (Err(_), Err(_)) => {}
    }
}

fn read(file: &str, bytes: &[u8]) -> Result<Value, Finding> {
    let read = value_of_document(file, bytes);
    assert_eq!(
        read,
        value_of_document(file, bytes),
        "the same bytes, another answer"
    );
    let places = places_of_document(file, bytes);
    match &read {
        Ok(value) => {
            let places = places.expect("it was read before");
            assert!(!places.is_empty() && places.len() <= DOCUMENT_NODES);
            for place in &places {
                bounds::place(place, bytes);
                assert!(at(value, &place.pointer).is_some(), "{place:?}");
            }
            assert!(bytes.len() <= DOCUMENT_BYTES && levels(value) <= DEPTH_LIMIT);
            print_and_read(value);
        }
        Err(finding) => {
            assert_eq!(places.as_ref(), Err(finding));
            let codes = [Code::ParseFailed, Code::InputLimit, Code::SchemaInvalid];
            assert!(codes.contains(&finding.code), "{finding}");
            bounds::finding(finding, |_| Some(bytes));
        }
    }
    read
}

/// What is printed is read back, as JSON and as YAML.
fn print_and_read(value: &Value) {
    for text in [value.to_string(), value.to_json_indented()] {
        assert_eq!(Value::from_json(&text).as_ref(), Ok(value), "{text}");
        match value_of_document("printed.yaml", text.as_bytes()) {
            Ok(again) => assert_eq!(again, *value, "{text}"),
            Err(finding) => assert!(is_json_only(value, &text), "{finding}: {text}"),
        }
    }
}

/// Whether the JSON text of a value need not be YAML: for size, for a name that is longer than YAML allows with its
/// escapes, or for a character that is refused there unless it is an escape.
fn is_json_only(value: &Value, text: &str) -> bool {
    let refused = |c: char| ('\u{80}'..='\u{9f}').contains(&c) && c != '\u{85}';
    text.len() > DOCUMENT_BYTES || text.contains(refused) || has_long_name(value)
}

fn has_long_name(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(has_long_name),
        Value::Object(object) => object.iter().any(|(name, value)| {
            // Escapes have up to six characters for one.
            name.chars().count() * 6 + 2 > KEY_CHARACTERS || has_long_name(value)
        }),
        _ => false,
    }
}
