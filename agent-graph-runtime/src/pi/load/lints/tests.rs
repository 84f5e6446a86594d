//! Each lint on a definition that deserves it, and on one that comes close and does not.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::pi::load::parse;

/// The codes of the lints of a graph, and where they point.
fn lints(graph: &str) -> Vec<String> {
    let text = format!(r#"{{"schemaVersion":2,"name":"x","limits":{{}},{graph}}}"#);
    let loaded = match parse("x.json".into(), text.as_bytes()) {
        Ok(loaded) => loaded,
        Err(findings) => panic!("{findings}"),
    };
    let warnings = loaded.warnings.iter();
    warnings
        .map(|finding| format!("{} {}", finding.code, finding.place.pointer))
        .collect()
}

/// Set nodes with these ids, each writing to a path of its own.
fn nodes(ids: &str) -> String {
    let node =
        |id: &str| format!(r#""{id}":{{"type":"set","assign":[{{"path":"{id}","value":1}}]}}"#);
    let nodes: Vec<String> = ids.split(' ').map(node).collect();
    format!(r#""nodes":{{{}}}"#, nodes.join(","))
}

#[test]
fn a_barrier_behind_alternatives_of_one_route_never_fires() {
    let graph = |default: &str| {
        format!(
            r#""entry":"r",{},"routes":[{{"from":"r","cases":[{{"when":{{"path":"input.x","op":"truthy"}},"to":["a"{default}]}}],"default":"b"}}],
            "edges":[{{"from":["a","b"],"to":"c"}}]"#,
            nodes("r a b c")
        )
    };
    assert_eq!(
        lints(&graph("")),
        [
            "pi-barrier-never-fires /edges/0/from",
            "pi-node-never-runs /nodes/c"
        ]
    );
    assert_eq!(
        lints(&graph(r#","b""#)),
        [""; 0],
        "b runs after both alternatives"
    );
}

#[test]
fn a_barrier_in_a_cycle_collects_its_sources_in_different_rounds() {
    let graph = format!(
        r#""entry":"r",{},"routes":[{{"from":"r","cases":[{{"when":{{"path":"input.x","op":"truthy"}},"to":"a"}}],"default":"b"}}],
        "edges":[{{"from":["a","b"],"to":"c"}},{{"from":"a","to":"r"}}]"#,
        nodes("r a b c")
    );
    assert_eq!(lints(&graph), [""; 0]);
}

#[test]
fn a_barrier_with_a_source_that_nothing_leads_to_never_fires() {
    let graph = format!(
        r#""entry":"a",{},"edges":[{{"from":["a","b"],"to":"c"}}]"#,
        nodes("a b c")
    );
    assert_eq!(
        lints(&graph),
        [
            "pi-barrier-never-fires /edges/0/from",
            "pi-node-never-runs /nodes/c"
        ]
    );
}

#[test]
fn a_route_whose_conditions_hold_for_no_state_leads_nowhere() {
    let graph = |case: &str, rest: &str| {
        format!(
            r#""entry":"a",{},"routes":[{{"from":"a","cases":[{{"when":{case},"to":"b"}}]{rest}}}]"#,
            nodes("a b")
        )
    };
    let unwritten = r#"{"path":"nowhere.x","op":"exists"}"#;
    let expected = [
        "pi-case-never-counts /routes/0/cases/0",
        "pi-route-without-destination /routes/0",
        "pi-node-never-runs /nodes/b",
    ];
    assert_eq!(lints(&graph(unwritten, "")), expected);
    let any = format!(r#"{{"any":[{unwritten},{{"path":"a","op":"gt","value":[1]}}]}}"#);
    assert_eq!(lints(&graph(&any, "")), expected);
    assert_eq!(
        lints(&graph(unwritten, r#","default":"b""#)),
        ["pi-case-never-counts /routes/0/cases/0"]
    );
    let always = r#"{"not":{"path":"nowhere","op":"exists"}}"#;
    assert_eq!(
        lints(&graph(always, r#","default":"b""#)),
        ["pi-case-never-counts /routes/0/default"]
    );
    for possible in [
        r#"{"path":"input.x","op":"exists"}"#,
        r#"{"path":"a.b.c","op":"exists"}"#,
        r#"{"path":"b","op":"eq","value":null}"#,
    ] {
        assert_eq!(lints(&graph(possible, "")), [""; 0], "{possible}");
    }
}

#[test]
fn a_cycle_of_plain_edges_has_no_way_out() {
    let edges = r#""edges":[{"from":"a","to":["b","c"]},{"from":"b","to":"a"}]"#;
    let graph = format!(r#""entry":"a",{},{edges}"#, nodes("a b c"));
    assert_eq!(lints(&graph), ["pi-cycle-without-exit /nodes/a"]);
    let itself = format!(
        r#""entry":"a",{},"edges":[{{"from":"a","to":"a"}}]"#,
        nodes("a b")
    );
    assert_eq!(lints(&itself), ["pi-cycle-without-exit /nodes/a"]);
}

#[test]
fn a_cycle_that_a_condition_leaves_has_a_way_out() {
    let route = |rest: &str| {
        format!(
            r#""entry":"a",{},"edges":[{{"from":"a","to":"b"}}],
            "routes":[{{"from":"b","cases":[{{"when":{{"path":"input.x","op":"truthy"}},"to":"a"}}]{rest}}}]"#,
            nodes("a b")
        )
    };
    assert_eq!(lints(&route("")), [""; 0]);
    assert_eq!(lints(&route(r#","default":"__end__""#)), [""; 0]);
    assert_eq!(
        lints(&route(r#","default":["a"]"#)),
        ["pi-cycle-without-exit /nodes/a"]
    );
}

#[test]
fn writes_within_each_other_cannot_be_committed_together() {
    let graph = |a: &str, b: &str, entry: &str, edges: &str| {
        format!(
            r#""entry":{entry},"edges":[{edges}],"nodes":{{
            "s":{{"type":"set","assign":[{{"path":"s","value":1}}]}},
            "a":{{"type":"set","assign":[{a}]}},"b":{{"type":"set","assign":[{b}]}}}}"#
        )
    };
    let write = |path: &str| format!(r#"{{"path":"{path}","value":1}}"#);
    let (inner, outer) = (write("r.a"), write("r"));
    let together = graph(&inner, &outer, r#"["a","b"]"#, "");
    assert_eq!(lints(&together), ["pi-parallel-writes /entry"]);
    let spelled = graph(&inner, &write(" r . a "), r#"["a","b"]"#, "");
    assert_eq!(lints(&spelled), ["pi-parallel-writes /entry"]);
    let edges = r#"{"from":"s","to":"a"},{"from":"s","to":"b"}"#;
    let by_edges = graph(&inner, &outer, r#""s""#, edges);
    assert_eq!(lints(&by_edges), ["pi-parallel-writes /edges/1/to"]);
    let after = graph(
        &inner,
        &outer,
        r#""s""#,
        r#"{"from":"s","to":"a"},{"from":"a","to":"b"}"#,
    );
    assert_eq!(lints(&after), [""; 0], "they run one after the other");
    let alone = graph(&format!("{inner},{outer}"), &write("q"), r#"["a","b"]"#, "");
    assert_eq!(lints(&alone), ["pi-parallel-writes /nodes/a"]);
    let overwritten = r#"{"path":"r","value":1,"mode":"overwrite"}"#;
    let exclusive = graph(
        overwritten,
        &outer,
        r#"["a","b"]"#,
        r#"{"from":"a","to":"b"}"#,
    );
    assert_eq!(lints(&exclusive), ["pi-parallel-writes /entry"]);
}

#[test]
fn patterns_are_looked_at_before_they_are_needed() {
    let graph = |pattern: &str| {
        format!(
            r#""entry":"a",{},"routes":[{{"from":"a","cases":[{{"when":{{"path":"a","op":"matches","value":"{pattern}"}},"to":"b"}}],"default":"b"}}]"#,
            nodes("a b")
        )
    };
    assert_eq!(lints(&graph("^a+$")), [""; 0]);
    assert_eq!(
        lints(&graph("(")),
        [
            "pi-pattern-invalid /routes/0/cases/0/when",
            "pi-case-never-counts /routes/0/cases/0"
        ]
    );
    assert_eq!(
        lints(&graph(r"(?:(a)|b)*\\1")),
        ["pi-pattern-unsupported /routes/0/cases/0/when"]
    );
}
