//! Documents as a whole: the recorded vectors, places, limits and hostile texts.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use std::println;

use super::*;
use crate::json::Value;

fn yaml(text: &str) -> Result<Document, Finding> {
    Document::parse("a.yaml".into(), text.as_bytes(), Format::Yaml)
}

fn json(text: &str) -> Result<Document, Finding> {
    Document::parse("a.json".into(), text.as_bytes(), Format::Json)
}

fn value(text: &str) -> Value {
    yaml(text)
        .unwrap_or_else(|finding| panic!("{text:?}: {finding}"))
        .root()
        .to_value()
}

fn code(text: &str) -> Code {
    match yaml(text) {
        Err(finding) => finding.code,
        Ok(document) => panic!("{text:?} is {:?}", document.root().to_value()),
    }
}

fn expected(text: &str) -> Value {
    Value::from_json(text).unwrap()
}

/// Names in order, too: equality of objects may not look at it.
fn ordered(value: &Value) -> String {
    format!("{value:?}")
}

fn vectors(name: &str) -> Vec<Value> {
    let path = format!("{}/../tests/conformance/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    Value::from_json(&text)
        .unwrap()
        .as_array()
        .unwrap()
        .to_vec()
}

fn member<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    value.as_object()?.get(name)
}

#[test]
fn every_recorded_yaml_text_is_read_as_recorded_or_as_the_differences_say() {
    let differences = vectors("deliberate.json");
    let mut wrong = Vec::new();
    let mut freedoms = 0;
    for (case, vector) in vectors("yaml.json").iter().enumerate() {
        let difference = differences.iter().find(|difference| {
            member(difference, "file").and_then(Value::as_str) == Some("yaml.json")
                && member(difference, "case").and_then(Value::as_number) == Some(case as f64)
        });
        let says = |name: &str| difference.is_some_and(|it| member(it, name).is_some());
        let text = member(vector, "text").and_then(Value::as_str).unwrap();
        let recorded = member(vector, "valueText").and_then(Value::as_str);
        let read = yaml(text).map(|document| ordered(&document.root().to_value()));
        let right = match (&read, recorded) {
            (Ok(_), _) if says("rejected") => false,
            (Ok(read), Some(recorded)) => {
                let other = difference
                    .and_then(|it| member(it, "mayBe"))
                    .and_then(Value::as_str);
                *read == ordered(&expected(recorded))
                    || other.is_some_and(|other| *read == ordered(&expected(other)))
            }
            (Ok(_), None) => says("mayAccept"),
            (Err(finding), Some(_)) => {
                freedoms += usize::from(says("mayRefuse"));
                says("mayRefuse") || (says("rejected") && finding.code == Code::SchemaInvalid)
            }
            (Err(finding), None) => finding.code == Code::ParseFailed,
        };
        if !right {
            wrong.push(format!(
                "{case}: {text:?} is {read:?}, recorded {recorded:?}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("{freedoms} refused where that is allowed");
}
