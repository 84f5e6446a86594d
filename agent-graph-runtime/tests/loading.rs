//! Reading and shapes: what it takes to get each code, and the file, line and column it names.
#![cfg(feature = "dynamic")]

#[allow(dead_code, reason = "other suites use the rest")]
mod support;

use support::{ACTION, GRAPH, MANIFEST, Tea, large_graph, shown, with_edges};

#[test]
fn a_manifest_that_is_not_there_is_missing() {
    Tea::new()
        .through("other.yaml")
        .fails("file-missing", "other.yaml:1:1");
}

#[test]
fn a_file_that_is_not_yaml_is_not_parsed() {
    Tea::new()
        .with("actions/steep.yaml", "schema: [\n")
        .findings()
        .list()
        .iter()
        .for_each(|finding| {
            assert_eq!(finding.code.as_str(), "parse-failed");
            assert_eq!(&*finding.place.file, "actions/steep.yaml");
        });
}

#[test]
fn malformed_utf8_is_not_parsed() {
    Tea::new()
        .with(
            "actions/steep.yaml",
            b"schema: agent-graph.action.v1\nid: \xff\n",
        )
        .fails("parse-failed", "actions/steep.yaml:2:5");
}

#[test]
fn an_unknown_member_is_named_with_the_one_that_was_meant() {
    let finding = Tea::new()
        .replacing("graphs/brew.yaml", "reasonCode", "reasoncode")
        .fails("schema-invalid", "graphs/brew.yaml:5:32");
    assert_eq!(finding.hint.as_deref(), Some("did you mean `reasonCode`?"));
    assert_eq!(finding.place.pointer, "/nodes/0/reasoncode");
}

#[test]
fn a_misspelled_runner_is_one_finding() {
    let finding = Tea::new()
        .replacing("actions/steep.yaml", "runner: command", "runnner: command")
        .fails("schema-invalid", "actions/steep.yaml:3:1");
    assert_eq!(finding.hint.as_deref(), Some("did you mean `runner`?"));
}

#[test]
fn the_shape_errors_of_several_files_are_reported_together_and_sorted() {
    let findings = Tea::new()
        .with(
            "provider.yaml",
            MANIFEST.replace(
                "[graphs/brew.yaml]",
                "[graphs/other.yaml, graphs/brew.yaml]",
            ),
        )
        .with(
            "graphs/other.yaml",
            GRAPH
                .replace("kind: terminal", "kind: end")
                .replace("id: brew", "id: Brew"),
        )
        .replacing("graphs/brew.yaml", "from: steep", "form: steep")
        .findings();
    assert_eq!(
        shown(&findings),
        [
            "schema-invalid graphs/brew.yaml:8:7",
            "schema-invalid graphs/other.yaml:2:5",
            "schema-invalid graphs/other.yaml:6:25",
        ]
    );
}

#[test]
fn the_code_is_that_of_the_error_which_the_order_of_the_checks_puts_first() {
    let findings = with_edges("  - { from: a, to: nowhere }\n")
        .replacing("graphs/brew.yaml", "{ cup: a }", "{ cup: c }")
        .without("actions/steep.yaml")
        .findings();
    assert_eq!(findings.code().as_str(), "graph-entry-missing");
    assert_eq!(
        shown(&findings),
        [
            "graph-entry-missing graphs/brew.yaml:3:21",
            "file-missing graphs/brew.yaml:5:57",
            "graph-edge-node-missing graphs/brew.yaml:9:20",
        ]
    );
}

#[test]
fn an_absolute_path_is_refused_by_its_shape() {
    Tea::new()
        .replacing(
            "graphs/brew.yaml",
            "actions/steep.yaml",
            "/actions/steep.yaml",
        )
        .fails("schema-invalid", "graphs/brew.yaml:5:70");
}

#[test]
fn a_path_that_leads_out_behind_a_line_break_is_outside() {
    Tea::new()
        .replacing("graphs/brew.yaml", "actions/steep.yaml", "\"a\\n/../../x\"")
        .fails("path-outside-provider", "graphs/brew.yaml:5:70");
}

#[test]
fn a_file_that_is_not_there_is_missing() {
    let finding = Tea::new()
        .replacing(
            "graphs/brew.yaml",
            "actions/steep.yaml",
            "actions/step.yaml",
        )
        .fails("file-missing", "graphs/brew.yaml:5:70");
    assert_eq!(
        finding.hint.as_deref(),
        Some("did you mean `actions/steep.yaml`?")
    );
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_out_is_refused() {
    let tea = Tea::new().without("actions/steep.yaml");
    std::fs::write(tea.scratch().outside("steep.yaml"), ACTION).unwrap();
    support::link(
        &tea.scratch().outside("steep.yaml"),
        &tea.root().join("actions/steep.yaml"),
    );
    tea.fails("path-symlink-outside-provider", "graphs/brew.yaml:5:70");
}

#[cfg(unix)]
#[test]
fn a_link_to_a_file_inside_is_followed() {
    let tea = Tea::new()
        .without("actions/steep.yaml")
        .with("elsewhere.yaml", ACTION);
    support::link(
        &tea.root().join("elsewhere.yaml"),
        &tea.root().join("actions/steep.yaml"),
    );
    tea.loaded();
}

#[test]
fn two_actions_with_one_id_are_refused() {
    with_edges("  - { from: a, to: end }\n")
        .replacing(
            "graphs/brew.yaml",
            "reasonCode: route.b, action: actions/steep.yaml",
            "reasonCode: route.b, action: actions/other.yaml",
        )
        .with("actions/other.yaml", ACTION)
        .fails("action-id-duplicate", "actions/other.yaml:2:5");
}

#[test]
fn a_json_definition_that_repeats_a_member_loads_with_a_warning() {
    let loaded = Tea::new()
        .replacing("graphs/brew.yaml", "actions/steep.yaml", "actions/steep.json")
        .with("actions/steep.json", r#"{"schema":"agent-graph.action.v1","id":"a","id":"steep","runner":"command","effect":"write","command":"c"}"#)
        .loaded();
    let [finding] = loaded.findings.as_slice() else {
        panic!("{:?}", loaded.findings);
    };
    assert_eq!(finding.code.as_str(), "duplicate-key");
    assert_eq!(finding.place.to_string(), "actions/steep.json:1:44");
}

#[test]
fn a_mistake_in_an_action_that_many_nodes_name_is_one_finding() {
    with_edges("  - { from: a, to: end }\n")
        .replacing("actions/steep.yaml", "effect: write", "effect: wite")
        .fails("schema-invalid", "actions/steep.yaml:4:9");
}

#[test]
fn of_thousands_of_missing_files_the_first_are_reported() {
    let nodes: String = (0..5000)
        .map(|n| {
            format!("  - {{ id: n{n}, kind: action, reasonCode: route.x, action: a{n}.yaml }}\n")
        })
        .collect();
    let findings = Tea::new()
        .with("graphs/brew.yaml", large_graph(&nodes, "  []\n"))
        .findings();
    let list = findings.list();
    assert_eq!(list.len(), 1001);
    // The search ends where it is full, so that more may be missing.
    let told = list
        .iter()
        .find(|own| own.code.as_str() == "findings-left-out");
    let told = &told.expect("there are more").message;
    assert!(told.starts_with("after 1000 findings"), "{told}");
    assert_eq!(findings.code().as_str(), "file-missing");
}

/// Five mistakes in three files, the files written in this order.
fn five_mistakes(order: [usize; 3]) -> Tea {
    let files = [
        (
            "provider.yaml",
            MANIFEST.replace("[graphs/brew.yaml]", "[graphs/brew.yaml, graphs/none.yaml]"),
        ),
        (
            "graphs/brew.yaml",
            GRAPH
                .replace("{ cup: steep }", "{ cup: step }")
                .replace("to: served", "to: serve"),
        ),
        (
            "actions/steep.yaml",
            ACTION
                .replace("effect: write", "effect: wirte")
                .replace("id: steep", "id: Steep"),
        ),
    ];
    // A new folder each time, and other files written before: directories list their entries otherwise.
    let mut tea = Tea::new().with("notes.txt", "").without("notes.txt");
    for index in order {
        let (path, text) = &files[index];
        tea = tea.without(path).with(path, text);
    }
    tea
}

#[test]
fn mistakes_in_several_files_are_one_finding_each_whatever_the_order_of_directories() {
    let expected = five_mistakes([0, 1, 2]).findings();
    assert_eq!(
        shown(&expected),
        [
            "schema-invalid actions/steep.yaml:2:5",
            "schema-invalid actions/steep.yaml:4:9",
            "graph-entry-missing graphs/brew.yaml:3:21",
            "graph-edge-node-missing graphs/brew.yaml:8:24",
            "file-missing provider.yaml:4:28",
        ],
        "{expected}"
    );
    for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let findings = five_mistakes(order).findings();
        assert_eq!(findings.to_string(), expected.to_string());
    }
}

#[test]
fn a_reference_to_a_file_of_another_kind_is_told_too() {
    let finding = Tea::new()
        .replacing("graphs/brew.yaml", "actions/steep.yaml", "graphs/brew.yaml")
        .fails("schema-invalid", "graphs/brew.yaml:1:9");
    let (place, label) = &finding.related[0];
    assert_eq!(place.to_string(), "graphs/brew.yaml:5:70");
    assert!(label.contains("named here"), "{label}");
}

/// The reference tells of the missing member once for every kind that a node might be: 13 findings.
#[test]
fn a_missing_reason_code_is_one_finding() {
    let finding = Tea::new()
        .replacing("graphs/brew.yaml", "reasonCode: route.brew.steep, ", "")
        .fails("schema-invalid", "graphs/brew.yaml:5:5");
    assert!(finding.message.contains("`reasonCode`"), "{finding}");
}
