//! Loading as a whole: places, migration, ceilings, and where this family must not be mixed up with the other.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::parse;
use crate::code::Code;
use crate::finding::Level;
use crate::pi::Definition;
use crate::pi::diagnostic::{DiagnosticCode, NotADefinition, PiFindings};
use crate::pi::words::Reducer;

const EVERYTHING: &str = include_str!("../../../tests/data/every-feature.graph.json");

fn refused(text: &str) -> PiFindings {
    match parse("x.json".into(), text.as_bytes()) {
        Ok(_) => panic!("a definition is refused: {text}"),
        Err(findings) => findings,
    }
}

fn loaded(text: &str) -> Definition {
    match parse("x.json".into(), text.as_bytes()) {
        Ok(loaded) => loaded.definition,
        Err(findings) => panic!("{findings}"),
    }
}

#[test]
fn a_definition_with_every_feature_loads_without_a_lint() {
    let loaded = parse("x.json".into(), EVERYTHING.as_bytes()).unwrap();
    let warnings: Vec<String> = loaded.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(warnings, [""; 0]);
    let codes: Vec<&str> = loaded
        .diagnostics
        .iter()
        .map(|it| it.code.as_str())
        .collect();
    assert_eq!(codes, [""; 0]);
}

#[test]
fn diagnostics_point_at_the_value_and_unknown_fields_at_the_name() {
    let text = "{\"schemaVersion\": 2, \"name\": \"x\", \"entry\": \"a\",\n  \"nodes\": {\"a\": {\"type\": \"human\",\n    \"promt\": 1, \"prompt\": \"\"}}}";
    let findings = refused(text);
    let at: Vec<String> = findings
        .diagnostics()
        .iter()
        .map(|it| format!("{} {} {}", it.code, it.place, it.place.pointer))
        .collect();
    assert_eq!(
        at,
        [
            "UNKNOWN_FIELD x.json:3:5 /nodes/a/promt",
            "GRAPH_STRUCTURE x.json:3:27 /nodes/a/prompt",
        ]
    );
}

#[test]
fn what_is_absent_is_reported_at_the_object_that_lacks_it() {
    let findings = refused(
        "{\"schemaVersion\":2,\"name\":\"x\",\"entry\":\"a\",\n\"nodes\":{\"a\":{\"type\":\"set\"}}}",
    );
    let first = &findings.diagnostics()[0];
    assert_eq!(first.path.as_deref(), Some("nodes.a.assign"));
    assert_eq!(
        (first.place.position.line, first.place.pointer.as_str()),
        (2, "/nodes/a")
    );
}

#[test]
fn a_version_1_graph_is_refused_with_the_edits_that_migrate_it() {
    let text = r#"{"schemaVersion":1,"name":"x","entry":"a","limits":{"maxOutputBytes":9},
        "nodes":{"a":{"type":"agent","prompt":"p","limits":{"maxEstimatedInputTokens":5,"other":1}}}}"#;
    let PiFindings::Invalid {
        diagnostics,
        migration,
    } = refused(text)
    else {
        panic!("the definition is invalid");
    };
    assert_eq!(diagnostics[0].code, DiagnosticCode::SchemaVersion);
    let edits: Vec<String> = migration
        .iter()
        .map(|edit| format!("{}: {}", edit.path, edit.instruction))
        .collect();
    assert_eq!(
        edits,
        [
            "schemaVersion: set `schemaVersion` to 2",
            "limits.maxOutputBytes: remove `maxOutputBytes`; limit the output of an agent by `response.maxBytes`",
            "nodes.a.limits.maxEstimatedInputTokens: remove `maxEstimatedInputTokens`; limit prompts by `maxPromptBytes`",
            "nodes.a.limits.other: remove `other`, which version 2 does not have",
        ]
    );
    let shown = refused(text).to_string();
    assert!(shown.contains("set `schemaVersion` to 2"), "{shown}");
}

#[test]
fn nothing_is_said_about_migration_of_a_version_2_graph() {
    let findings = refused(
        r#"{"schemaVersion":2,"name":"x","entry":"a","nodes":{},"limits":{"maxOutputBytes":9}}"#,
    );
    assert!(matches!(findings, PiFindings::Invalid { migration, .. } if migration.is_empty()));
}

#[test]
fn documents_that_are_no_definition_are_told_apart() {
    for (text, reason, at) in [
        ("[1]", NotADefinition::NotAnObject, None),
        (
            "{\"a\":[{\"constructor\":1}]}",
            NotADefinition::ForbiddenKey,
            Some("a[0].constructor"),
        ),
        (
            "{\"a\":{\"b\":[0,{}],\"c\":[[2],-1e999]}}",
            NotADefinition::NonFiniteNumber,
            Some("a.c[1]"),
        ),
    ] {
        let PiFindings::NotADefinition {
            reason: found,
            at: path,
            ..
        } = refused(text)
        else {
            panic!("{text}");
        };
        assert_eq!((found, path.as_deref()), (reason, at), "{text}");
    }
    for text in ["", "{", "{\"a\":\"\\ud800\"}", "{} {}"] {
        let PiFindings::Unreadable(finding) = refused(text) else {
            panic!("{text}");
        };
        assert_eq!(finding.code, Code::ParseFailed, "{text}");
    }
}

#[test]
fn a_name_that_objects_inherit_elsewhere_is_a_node_like_others() {
    let definition = loaded(
        r#"{"schemaVersion":2,"name":"x","entry":"toString","limits":{},"nodes":{
            "toString":{"type":"set","assign":[{"path":"valueOf","value":1}]},
            "hasOwnProperty":{"type":"human","prompt":"?"}},
            "edges":[{"from":"toString","to":"hasOwnProperty"}],"reducers":{"valueOf":"sum"}}"#,
    );
    assert_eq!(definition.effective_reducers(), [("valueOf", Reducer::Sum)]);
    let findings = refused(
        r#"{"schemaVersion":2,"name":"x","entry":"valueOf","limits":{},"nodes":{"a":{"type":"human","prompt":"?"},"b":{"type":"human","prompt":"?"}}}"#,
    );
    assert_eq!(
        findings.diagnostics()[0].code,
        DiagnosticCode::UnknownTarget
    );
}

#[test]
fn names_with_line_ends_are_names() {
    let definition = loaded(
        r#"{"schemaVersion":2,"name":"x","entry":"a\nb","limits":{},"nodes":{
            "a\nb":{"type":"human","prompt":"?"},"c":{"type":"human","prompt":"?"}},
            "edges":[{"from":"a\nb","to":"c"}],"reducers":{"line\nbreak":"append"}}"#,
    );
    assert_eq!(definition.nodes[0].id, "a\nb");
    assert_eq!(
        definition.reducers,
        [("line\nbreak".into(), Reducer::Append)]
    );
}

#[test]
fn numbers_are_the_same_however_they_are_written() {
    let text = |steps: &str, zero: &str| {
        format!(
            r#"{{"schemaVersion":2.0,"name":"x","entry":"a","limits":{{"maxSteps":{steps}}},"initialState":{{"z":{zero}}},"nodes":{{}}}}"#
        )
    };
    // An empty graph has an error, so its hash is compared by way of one that has none.
    let with_node = |steps, zero| {
        text(steps, zero).replace(
            r#""nodes":{}"#,
            r#""nodes":{"a":{"type":"human","prompt":"?"}}"#,
        )
    };
    let one = loaded(&with_node("3", "0"));
    let other = loaded(&with_node("3.0e0", "-0"));
    assert_eq!(one.hash, other.hash);
    assert_eq!(other.limits.and_then(|limits| limits.max_steps), Some(3));
}

#[test]
fn nodes_come_in_the_order_of_array_indices_and_then_of_the_text() {
    let node = r#"{"type":"human","prompt":"?"}"#;
    let names = ["b", "10", "é", "a", "9"];
    let nodes: Vec<String> = names
        .iter()
        .map(|name| format!(r#""{name}":{node}"#))
        .collect();
    let definition = loaded(&format!(
        r#"{{"schemaVersion":2,"name":"x","entry":["b","10","é","a","9"],"limits":{{}},"nodes":{{{}}}}}"#,
        nodes.join(",")
    ));
    let ids: Vec<&str> = definition
        .nodes
        .iter()
        .map(|node| node.id.as_str())
        .collect();
    assert_eq!(ids, ["9", "10", "b", "é", "a"], "never by collation");
}

#[test]
fn warnings_neither_prevent_a_graph_nor_change_it() {
    let text =
        r#"{"schemaVersion":2,"name":"x","entry":"a","nodes":{"a":{"type":"human","prompt":"?"}}}"#;
    let loaded = parse("x.json".into(), text.as_bytes()).unwrap();
    assert!(loaded.diagnostics.iter().all(|it| it.level == Level::Warn));
    assert_eq!(loaded.diagnostics.len(), 2);
    assert_eq!(loaded.definition.limits, None);
}

#[test]
fn hostile_definitions_end_in_errors_and_soon() {
    let graph = |nodes: String, rest: String| {
        format!(r#"{{"schemaVersion":2,"name":"x","limits":{{}},"nodes":{{{nodes}}},{rest}}}"#)
    };
    // One id of a megabyte in a hundred thousand diagnostics.
    let id = "i".repeat(1 << 20);
    let reads = vec![r#""a""#; 100_000].join(",");
    let long = graph(
        format!(r#""{id}":{{"type":"agent","prompt":"{{{{a}}}}","reads":[{reads}]}}"#),
        format!(r#""entry":"{id}""#),
    );
    // Many fans of one node with many assignments.
    let assign = vec![r#"{"path":"p","value":1}"#; 8_000].join(",");
    let edges = vec![r#"{"from":"n","to":["n","n"]}"#; 20_000].join(",");
    let fans = graph(
        format!(r#""n":{{"type":"set","assign":[{assign}]}}"#),
        format!(r#""entry":"n","edges":[{edges}]"#),
    );
    for text in [long, fans] {
        let PiFindings::Unreadable(finding) = refused(&text) else {
            panic!("a ceiling is reached");
        };
        assert_eq!(finding.code, Code::InputLimit);
    }
    let deep = format!(r#"{{"a":{}1{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
    assert!(matches!(refused(&deep), PiFindings::Unreadable(_)));
    // Every target leads to every other by way of many edges with many sources.
    let ids: Vec<String> = (0..5_000).map(|number| format!(r#""n{number}""#)).collect();
    let nodes: Vec<String> = ids
        .iter()
        .map(|id| format!(r#"{id}:{{"type":"human","prompt":"?"}}"#))
        .collect();
    let all = ids.join(",");
    let edges = vec![format!(r#"{{"from":[{all}],"to":[{all}]}}"#); 10].join(",");
    let dense = graph(
        nodes.join(","),
        format!(r#""entry":[{all}],"edges":[{edges}]"#),
    );
    assert!(parse("x.json".into(), dense.as_bytes()).is_ok());
}
