//! The printed schemas: equal to the files in `schemas/`, closed, described. And the shapes behind them:
//! they accept and refuse what the recorded vectors say.
#![cfg(feature = "dynamic")]

use std::fs;
use std::path::{Path, PathBuf};

use agent_graph_runtime::load::shape::{
    OBJECTS, RESOURCE, Shape, check_json, json_schema, shape_of,
};
use serde_json::Value;

fn schemas() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../schemas")
}

fn parsed(identity: &str) -> Value {
    let text = json_schema(identity).expect("a schema");
    serde_json::from_str(&text).expect("JSON")
}

/// Set `AGENT_GRAPH_BLESS=1` to write the files instead.
#[test]
fn the_files_in_schemas_are_what_is_printed() {
    let bless = std::env::var_os("AGENT_GRAPH_BLESS").is_some();
    for (identity, _) in OBJECTS {
        let path = schemas().join(format!("{identity}.schema.json"));
        let text = json_schema(identity).expect("a schema");
        if bless {
            fs::create_dir_all(schemas()).unwrap();
            fs::write(&path, &text).unwrap();
        }
        let written = fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(
            written,
            text,
            "{} is out of date, run with AGENT_GRAPH_BLESS=1",
            path.display()
        );
    }
}

#[test]
fn every_object_is_closed_and_every_property_described() {
    for (identity, _) in OBJECTS {
        let mut left = vec![(String::new(), parsed(identity))];
        while let Some((at, schema)) = left.pop() {
            if let Some(properties) = schema["properties"].as_object() {
                assert_eq!(schema["additionalProperties"], false, "{identity}{at}");
                assert!(schema["description"].is_string(), "{identity}{at}");
                for (name, property) in properties {
                    assert!(property["description"].is_string(), "{identity}{at}/{name}");
                    left.push((format!("{at}/{name}"), property.clone()));
                }
            }
            for part in ["items", "additionalProperties"] {
                if schema[part].is_object() {
                    left.push((format!("{at}/{part}"), schema[part].clone()));
                }
            }
            for part in ["oneOf", "anyOf"] {
                for case in schema[part].as_array().into_iter().flatten() {
                    left.push((format!("{at}/{part}"), case.clone()));
                }
            }
        }
    }
}

#[test]
fn every_schema_is_named_by_the_identity_of_its_object() {
    for (identity, _) in OBJECTS {
        let schema = parsed(identity);
        assert_eq!(schema["$id"], *identity);
        let object = if schema["oneOf"].is_array() {
            &schema["oneOf"][0]
        } else {
            &schema
        };
        let stated = object["properties"]["schema"]["const"].as_str().unwrap();
        // A union goes by no version; its cases do.
        if identity.ends_with(".v1") {
            assert_eq!(stated, *identity);
        } else {
            assert!(stated.starts_with(&format!("{identity}.")), "{identity}");
        }
    }
}

/// The shape that a recorded vector names.
fn named(name: &str) -> Shape {
    let identity = match name {
        "resource" => return Shape::Variants(&RESOURCE),
        "test-case" => "agent-graph.test.v1".to_owned(),
        _ => format!("agent-graph.{name}.v1"),
    };
    shape_of(&identity).unwrap_or_else(|| panic!("no shape is called {name}"))
}

#[test]
fn shapes_accept_and_refuse_what_the_vectors_do() {
    let selection = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/conformance");
    let data = std::env::var_os("AGENT_GRAPH_CONFORMANCE").map_or_else(selection, PathBuf::from);
    let Ok(text) = fs::read_to_string(data.join("schema.json")) else {
        println!("there are no schema vectors");
        return;
    };
    let vectors: Vec<Value> = serde_json::from_str(&text).unwrap();
    let mut failures = Vec::new();
    for (case, vector) in vectors.iter().enumerate() {
        let text = vector["text"].as_str().unwrap();
        let findings = check_json(named(vector["schema"].as_str().unwrap()), "case", text);
        if findings.is_empty() != (vector["valid"] == true) {
            let found: Vec<String> = findings.iter().map(ToString::to_string).collect();
            failures.push(format!("{case} {vector}\n{}", found.join("\n")));
        }
    }
    println!("{} vectors, {} failures", vectors.len(), failures.len());
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}
