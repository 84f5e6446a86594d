//! Documents as a whole: the recorded vectors, places, limits and hostile texts.

use alloc::format;
use alloc::string::{String, ToString};
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

fn place_of(finding: &Finding) -> String {
    finding.place.to_string()
}

/// The source text that a span covers.
fn covered(text: &str, span: Span) -> &str {
    &text[span.start as usize..span.end as usize]
}

#[test]
fn malformed_utf_8_is_refused_at_its_position() {
    for (format, bytes) in [
        (Format::Yaml, b"a: 1\nb: \xc3\xa9\xff".as_slice()),
        (Format::Json, b"[\n\"\xc3\xa9 \xc3".as_slice()),
    ] {
        let finding = Document::parse("a".into(), bytes, format).unwrap_err();
        let column = if format == Format::Yaml { 5 } else { 4 };
        assert_eq!(finding.code, Code::ParseFailed);
        assert_eq!(place_of(&finding), format!("a:2:{column}"));
    }
}

#[test]
fn a_byte_order_mark_is_skipped_in_yaml_and_refused_in_json() {
    let text = "\u{feff}a: b\n";
    let document = yaml(text).unwrap();
    let value = document.root().get("a").unwrap();
    assert_eq!(covered(text, value.span()), "b");
    let finding = json("\u{feff}{}").unwrap_err();
    assert_eq!(
        (finding.code, place_of(&finding)),
        (Code::ParseFailed, "a.json:1:1".into())
    );
}

#[test]
fn a_file_holds_one_document() {
    assert_eq!(value("--- a\n...\n"), expected("\"a\""));
    assert_eq!(value(""), Value::Null);
    assert_eq!(value("# nothing\n"), Value::Null);
    for text in [
        "a\n---\n",
        "---\n---\n",
        "a: 1\n...\nb: 2\n",
        "--- 1\n--- 2\n",
    ] {
        assert_eq!(code(text), Code::ParseFailed, "{text:?}");
    }
}

#[test]
fn keys_are_compared_as_resolved_values() {
    for (first, again) in [
        ("a", "\"a\""),
        ("1", "01"),
        ("1", "1.0"),
        ("1", "0x1"),
        ("1", "+1e0"),
        ("0", "-0"),
        ("true", "TRUE"),
        ("~", "null"),
        ("~", ""),
        ("<<", "<<"),
        ("\"\\x61\"", "a"),
        ("!!str 1", "'1'"),
    ] {
        for text in [
            format!("{first}: x\nb: y\n{again}: z\n"),
            format!("{{{first} : x, b: y, {again} : z}}"),
        ] {
            let finding = yaml(&text).unwrap_err();
            assert_eq!(finding.code, Code::ParseFailed, "{text:?}");
            assert!(finding.message.contains("occurs twice"), "{finding}");
            assert_eq!(finding.related.len(), 1);
            assert_eq!(finding.related[0].1, "first declared here");
        }
    }
}

#[test]
fn a_duplicate_key_is_reported_where_it_stands_and_where_it_was_first() {
    let finding = yaml("x:\n  key: 1\n  other: 2\n  key: 3\n").unwrap_err();
    assert_eq!(place_of(&finding), "a.yaml:4:3");
    assert_eq!(finding.related[0].0.to_string(), "a.yaml:2:3");
    assert_eq!(finding.message, "the key `key` occurs twice in one mapping");
}

#[test]
fn different_keys_of_one_name_keep_the_first_place_and_the_last_value() {
    let document = yaml("1: x\nb: y\n\"1\": z\n").unwrap();
    assert_eq!(
        ordered(&document.root().to_value()),
        ordered(&expected(r#"{"1":"z","b":"y"}"#))
    );
    let warning = &document.warnings()[0];
    assert_eq!(
        (warning.code, place_of(warning)),
        (Code::DuplicateKey, "a.yaml:3:1".into())
    );
}

#[test]
fn keys_become_strings() {
    assert_eq!(
        ordered(&value(
            "1: a\n0x10: b\n1.50: c\n-0: d\ntrue: e\n~: f\n1e21: g\n\"q\": h\n"
        )),
        ordered(&expected(
            r#"{"1":"a","16":"b","1.5":"c","0":"d","true":"e","":"f","1e+21":"g","q":"h"}"#
        ))
    );
}

#[test]
fn merge_keys_are_ordinary_keys() {
    assert_eq!(
        value("a: &x {b: 1}\nc:\n  <<: *x\n"),
        expected(r#"{"a":{"b":1},"c":{"<<":{"b":1}}}"#)
    );
}

#[test]
fn a_key_without_question_mark_has_at_most_1024_characters() {
    for key in ["k", "é"] {
        let longest = key.repeat(1024);
        assert_eq!(
            value(&format!("{longest}: 1")),
            expected(&format!("{{\"{longest}\":1}}"))
        );
        assert_eq!(code(&format!("{longest}{key}: 1")), Code::ParseFailed);
    }
    let long = "k".repeat(5000);
    assert_eq!(
        value(&format!("? {long}\n: 1\n")),
        expected(&format!("{{\"{long}\":1}}"))
    );
}

#[test]
fn collections_are_no_keys() {
    for text in [
        "? {a: 1}\n: b\n",
        "? [a]\n: b\n",
        "[a]: b\n",
        "? - a\n: b\n",
        "x: &x [1]\n? *x\n: 1\n",
        "{? [a] : b}",
    ] {
        assert_eq!(code(text), Code::ParseFailed, "{text:?}");
    }
}

#[test]
fn core_tags_hold_and_unknown_ones_make_strings() {
    assert_eq!(
        value(
            "[!!str 1, !!int '7', !!float 1.5, !!bool 'true', !!null '', !!null ~, ! 5, !x 5, !x , !!str , !<tag:yaml.org,2002:int> 7, !!int x, !!map {a: 1}, !!seq [1], !x {a: 1}, !<x> [2]]"
        ),
        expected(r#"["1",7,1.5,true,null,null,"5","5","","",7,"x",{"a":1},[1],{"a":1},[2]]"#)
    );
    assert_eq!(
        value("%TAG !c! tag:yaml.org,2002:\n---\n!c!int '7'\n"),
        expected("7")
    );
    for text in [
        "!!binary aGk=",
        "!!timestamp 2001-01-01",
        "!!set {a}",
        "!!omap [a: 1]",
        "!undeclared!x 1",
    ] {
        assert_eq!(code(text), Code::ParseFailed, "{text:?}");
    }
}

#[test]
fn only_yaml_1_2_is_read() {
    assert_eq!(value("%YAML 1.2\n---\na\n"), expected("\"a\""));
    for version in ["1.1", "1.3", "2.0", "1", "x"] {
        assert_eq!(
            code(&format!("%YAML {version}\n---\na\n")),
            Code::ParseFailed,
            "{version}"
        );
    }
}

#[test]
fn numbers_that_are_not_finite_are_refused_wherever_they_stand() {
    for text in [
        ".inf",
        "a: [1, -.INF]",
        "a: .nan",
        "1e400",
        "? .inf\n: 1\n",
        "a: !!float '.inf'",
        "[&a .nan]",
    ] {
        assert_eq!(code(text), Code::SchemaInvalid, "{text:?}");
    }
    assert_eq!(
        value("[!!str .inf, '.nan', \"1e400\"]"),
        expected(r#"[".inf",".nan","1e400"]"#)
    );
    let finding = json("{\"a\":\n 1e400}").unwrap_err();
    assert_eq!(
        (finding.code, place_of(&finding)),
        (Code::SchemaInvalid, "a.json:2:2".into())
    );
}

#[test]
fn aliases_stand_for_what_was_anchored_last() {
    assert_eq!(
        value("a: &x 1\nb: *x\nc: &x [2]\nd: *x\n"),
        expected(r#"{"a":1,"b":1,"c":[2],"d":[2]}"#)
    );
    for text in ["a: *x\nb: &x 1\n", "*x", "a: &x 1\n---\nb: *x\n"] {
        assert_eq!(code(text), Code::ParseFailed, "{text:?}");
    }
}

#[test]
fn an_alias_can_be_a_key() {
    assert_eq!(
        value("&k a: &v b\n*v : *k\n"),
        expected(r#"{"a":"b","b":"a"}"#)
    );
    assert_eq!(code("&k a: 1\n*k : 2\n"), Code::ParseFailed);
}

#[test]
fn an_alias_inside_its_own_anchor_is_refused() {
    for text in [
        "&a [*a]",
        "&a {b: *a}",
        "a: &a\n  b: [1, {c: *a}]\n",
        "&a [&b [*a]]",
        "&a\n- &b\n  - *b\n",
    ] {
        let finding = yaml(text).unwrap_err();
        assert_eq!(finding.code, Code::ParseFailed, "{text:?}");
        assert!(finding.message.contains("inside"), "{finding}");
    }
}

#[test]
fn a_node_behind_an_alias_has_the_pointer_of_the_path_and_the_span_of_the_anchor() {
    let text = "a: &x {k: [v, w]}\nb:\n  - *x\n";
    let document = yaml(text).unwrap();
    let shared = document.root().get("b").unwrap().items().next().unwrap();
    let last = shared.get("k").unwrap().items().last().unwrap();
    assert_eq!(last.pointer(), "/b/0/k/1");
    assert_eq!(covered(text, last.span()), "w");
    assert_eq!(last.place().to_string(), "a.yaml:1:15");
    let original = document.root().get("a").unwrap().get("k").unwrap();
    assert_eq!(original.pointer(), "/a/k");
    let member = shared.members().next().unwrap();
    assert_eq!(covered(text, member.name_place().span), "k");
    assert_eq!(member.name_place().pointer, "/b/0/k");
}

#[test]
fn a_value_may_occur_a_hundred_times_and_no_more() {
    let aliases = |count: usize| format!("- &a x\n{}", "- *a\n".repeat(count));
    assert!(yaml(&aliases(99)).is_ok());
    assert_eq!(code(&aliases(100)), Code::InputLimit);
    // Inside an anchored collection counts multiply: 1 + 9 times 10.
    let nested = |outer: usize| {
        format!(
            "- &a x\n- &b [{}x]\n{}",
            "*a, ".repeat(9),
            "- *b\n".repeat(outer)
        )
    };
    assert!(yaml(&nested(9)).is_ok());
    assert_eq!(code(&nested(10)), Code::InputLimit);
}

#[test]
fn tabs_do_not_indent() {
    for text in [
        "\ta: 1\n",
        "a:\n\tb: 1\n",
        "\t- a\n",
        "a:\n\t- b\n",
        "- \ta: 1\n",
        "-\t- 1\n",
        "a:\n  b: 1\n\tc: 2\n",
        "a:\n\tb\n",
        "? \ta: 1\n",
    ] {
        assert_eq!(code(text), Code::ParseFailed, "{text:?}");
    }
    assert_eq!(
        value("a:\t1\t# c\nb: x\ty\nc: [1,\t2]\nd:\n-\te\n"),
        expected(r#"{"a":1,"b":"x\ty","c":[1,2],"d":["e"]}"#)
    );
}

#[test]
fn lines_that_continue_a_value_are_indented_deeper_than_its_key() {
    for text in [
        "a: \"x\ny\"\n",
        "a: 'x\ny'\n",
        "a: [x,\ny]\n",
        "a:\n  b: {x: 1,\n  y: 2}\n",
        "- - 'x\n  y'\n",
        "a:\n  - [x,\n  y]\n",
    ] {
        let finding = yaml(text).unwrap_err();
        assert_eq!(finding.code, Code::ParseFailed, "{text:?}");
        assert!(finding.message.contains("indented deeper"), "{finding}");
    }
    for (text, read) in [
        ("a: \"x\n\n y\"\n", r#"{"a":"x\ny"}"#),
        ("a: [\n x,\n# c\n y\n]\n", r#"{"a":["x","y"]}"#),
        ("a:\n- 'x\n  y'\n- [z,\n w]\n", r#"{"a":["x y",["z","w"]]}"#),
        ("'x\ny'", r#""x y""#),
        ("[x,\ny]", r#"["x","y"]"#),
        ("{\n\"a\": [\n1\n]\n}\n", r#"{"a":[1]}"#),
    ] {
        assert_eq!(value(text), expected(read), "{text:?}");
    }
}

#[test]
fn line_ends_are_line_feeds_with_or_without_carriage_return() {
    assert_eq!(
        value("a: \"x\r\n  y\"\r\nb: |\r\n  z\r\n"),
        expected(r#"{"a":"x y","b":"z\n"}"#)
    );
    let finding = yaml("a: 1\rb: 2\n").unwrap_err();
    assert_eq!(
        (finding.code, place_of(&finding)),
        (Code::ParseFailed, "a.yaml:1:5".into())
    );
    assert_eq!(
        value("a: x\u{85}y\u{2028}z\u{2029}\n"),
        expected("{\"a\":\"x\u{85}y\u{2028}z\u{2029}\"}")
    );
}

#[test]
fn control_characters_are_written_as_escapes_except_delete() {
    assert_eq!(code("a: \0\n"), Code::ParseFailed);
    assert_eq!(code("a: \"\u{1}\"\n"), Code::ParseFailed);
    // Quotes do not help.
    for text in ["a: \"x\u{80}\"\n", "a: '\u{9f}'\n", "\u{84}: a\n"] {
        let finding = yaml(text).unwrap_err();
        assert_eq!(finding.code, Code::ParseFailed);
        assert!(
            finding.message.contains("written as an escape"),
            "{finding}"
        );
    }
    assert_eq!(
        value("\"\\0\\x01\\e\""),
        expected(r#""\u0000\u0001\u001b""#)
    );
    let text = "a: \"x\u{7f}\u{7f}\"\n\u{7f}b: c\n";
    let document = yaml(text).unwrap();
    let members: Vec<_> = document.root().members().collect();
    assert_eq!(members[0].value.as_str(), Some("x\u{7f}\u{7f}"));
    assert_eq!(covered(text, members[0].value.span()), "\"x\u{7f}\u{7f}\"");
    assert_eq!(members[1].name, "\u{7f}b");
    assert_eq!(covered(text, members[1].value.span()), "c");
    assert_eq!(members[1].value.place().to_string(), "a.yaml:2:5");
}

#[test]
fn half_a_surrogate_pair_is_refused() {
    assert_eq!(code("\"\\ud800\""), Code::ParseFailed);
    assert_eq!(value("\"\\ud83d\\ude00\""), expected("\"😀\""));
    assert_eq!(json("\"\\ud800\"").unwrap_err().code, Code::ParseFailed);
}

#[test]
fn every_key_and_value_has_the_span_of_its_text() {
    let text = "\"k\": 'v' # c\nlist:\n  - 1\n  - é: ~\n  -\nflow: {a: [x, y], b}\nblock: |\n  t\n";
    let document = yaml(text).unwrap();
    let root = document.root();
    let names: Vec<&str> = root
        .members()
        .map(|member| covered(text, member.name_place().span))
        .collect();
    assert_eq!(names, ["\"k\"", "list", "flow", "block"]);
    let spans: Vec<&str> = root
        .members()
        .map(|member| covered(text, member.value.span()))
        .collect();
    assert_eq!(
        spans,
        ["'v'", "- 1\n  - é: ~\n  -", "{a: [x, y], b}", "t\n"]
    );
    assert_eq!(covered(text, root.span()), text);
    let items: Vec<_> = root.get("list").unwrap().items().collect();
    assert_eq!(covered(text, items[1].span()), "é: ~");
    assert_eq!(items[2].span().start, items[2].span().end);
    let missing = root.get("flow").unwrap().get("b").unwrap();
    assert_eq!(
        (missing.kind(), missing.pointer()),
        (Kind::Null, "/flow/b".into())
    );
    assert_eq!(items[1].get("é").unwrap().place().to_string(), "a.yaml:4:8");
}

#[test]
fn pointers_escape_tilde_and_slash() {
    let document = json(r#"{"a/b":{"~":[0,{"":1}]}}"#).unwrap();
    let node = document.root().get("a/b").unwrap().get("~").unwrap();
    let node = node.items().nth(1).unwrap().get("").unwrap();
    assert_eq!(node.pointer(), "/a~1b/~0/1/");
    assert_eq!(document.root().pointer(), "");
}

#[test]
fn a_json_document_has_values_and_places_like_a_yaml_one() {
    let text = "{\n  \"a\": [1, \"x\", null, true, -0.5e1]\n}\n";
    let document = json(text).unwrap();
    assert_eq!(document.root().to_value(), expected(text));
    let items: Vec<_> = document.root().get("a").unwrap().items().collect();
    let spans: Vec<&str> = items
        .iter()
        .map(|item| covered(text, item.span()))
        .collect();
    assert_eq!(spans, ["1", "\"x\"", "null", "true", "-0.5e1"]);
    let kinds: Vec<Kind> = items.iter().map(|item| item.kind()).collect();
    assert_eq!(
        kinds,
        [
            Kind::Number,
            Kind::String,
            Kind::Null,
            Kind::Bool,
            Kind::Number
        ]
    );
    assert_eq!(items[1].place().to_string(), "a.json:2:12");
    assert_eq!(items[3].as_bool(), Some(true));
    assert_eq!(items[4].as_number(), Some(-5.0));
    assert_eq!(document.file().as_ref(), "a.json");
}

#[test]
fn repeated_json_names_keep_the_first_place_and_the_last_value_with_a_warning() {
    let document = json("{\"a\": 1,\n\"b\": 2,\n\"a\": {\"x\": 3},\n\"\\u0061\": 4}").unwrap();
    assert_eq!(
        ordered(&document.root().to_value()),
        ordered(&expected(r#"{"a":4,"b":2}"#))
    );
    let warnings: Vec<String> = document
        .warnings()
        .iter()
        .map(|warning| format!("{warning}"))
        .collect();
    assert_eq!(
        warnings,
        [
            "a.json:3:1: duplicate-key: `a` occurs twice in one object; the last value counts\n  a.json:1:2: first declared here",
            "a.json:4:1: duplicate-key: `a` occurs twice in one object; the last value counts\n  a.json:1:2: first declared here",
        ]
    );
    let member = document.root().get_member("a").unwrap();
    assert_eq!(member.name_place().to_string(), "a.json:4:1");
    assert_eq!(member.value.pointer(), "/a");
}

#[test]
fn the_extension_json_in_any_case_means_json() {
    for path in ["a.json", "x/a.JSON", "a.yaml.Json"] {
        assert_eq!(Format::of_path(path), Format::Json, "{path}");
    }
    for path in [
        "a.yaml", "a", "json", ".json", "a.json/b", "x/.json", "a.json5",
    ] {
        assert_eq!(Format::of_path(path), Format::Yaml, "{path}");
    }
}

#[test]
fn a_tab_that_would_indent_is_what_the_finding_points_at() {
    for (text, place) in [
        (
            "- id: ok\n  gate:\n    id: gate.ok\n\tprompt: x\n",
            "a.yaml:4:1",
        ),
        ("d: |\n\ttext\nb: 1\n", "a.yaml:2:1"),
        ("d:\n  - a\n\t- b\n", "a.yaml:3:1"),
        ("d:\n  a: 1\n  \tb: 2\n", "a.yaml:3:3"),
    ] {
        let finding = Document::parse("a.yaml".into(), text.as_bytes(), Format::Yaml).unwrap_err();
        assert_eq!(finding.code, Code::ParseFailed, "{text:?}");
        assert_eq!(finding.place.to_string(), place, "{text:?}");
        assert!(finding.message.contains("tab"), "{finding}");
    }
}
