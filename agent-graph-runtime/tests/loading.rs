//! Every code of loading: what it takes to get it, and the file, line and column it names.
#![cfg(feature = "dynamic")]

mod support;

use agent_graph_runtime::{Digest, Level};
use support::{ACTION, GRAPH, MANIFEST, Tea, shown};

const CATALOG: &str = "\
schema: agent-graph.code-catalog.v1
codes:
  - code: route.brew.steep
    kind: route-reason
    summary: The leaves are dry.
";

const GUIDE: &str = "---\nid: guide\nkind: procedure\n---\nPour.\n";

/// A graph whose one step is a gate, with more members of the gate node on lines of their own.
fn gate_graph(gate: &str, more: &str) -> String {
    format!(
        "schema: agent-graph.graph.v1
id: brew
entrypoints: {{ cup: ask }}
nodes:
  - id: ask
    kind: gate
    reasonCode: route.brew.ask
    gate: {{ id: sweet, prompt: Sugar?{gate} }}
{more}  - {{ id: served, kind: terminal, terminalOutcome: completed }}
edges:
  - {{ from: ask, to: served }}
"
    )
}

fn with_gate(gate: &str, more: &str) -> Tea {
    Tea::new()
        .with("graphs/brew.yaml", gate_graph(gate, more))
        .with(
            "actions/look.yaml",
            ACTION
                .replace("effect: write", "effect: read")
                .replace("id: steep", "id: look"),
        )
}

/// A graph whose step requires a resource at line 9.
fn with_resource(path: &str) -> Tea {
    Tea::new().replacing(
        "graphs/brew.yaml",
        ", action: actions/steep.yaml }",
        &format!(", action: actions/steep.yaml, resources: {{ required: [{path}] }} }}"),
    )
}

fn with_catalog(catalog: &str) -> Tea {
    Tea::new()
        .with(
            "provider.yaml",
            format!("{MANIFEST}catalogs:\n  codes: codes.yaml\n"),
        )
        .with("codes.yaml", catalog)
}

/// Nodes `a` and `b` are actions, `end` is the terminal; the edges begin at line 9.
fn with_edges(edges: &str) -> Tea {
    let graph = format!(
        "schema: agent-graph.graph.v1
id: brew
entrypoints: {{ cup: a }}
nodes:
  - {{ id: a, kind: action, reasonCode: route.a, action: actions/steep.yaml }}
  - {{ id: b, kind: action, reasonCode: route.b, action: actions/steep.yaml }}
  - {{ id: end, kind: terminal, terminalOutcome: completed }}
edges:
{edges}"
    );
    Tea::new().with("graphs/brew.yaml", graph)
}

const VIEW: &str = "\
schema: agent-graph.resource.graph-action.v1
id: view
kind: context-view
mediaType: text/plain
materializer: actions/look.yaml
";

const BRIEF: &str = "\
schema: agent-graph.resource.host-action.v1
id: brief
kind: procedure
mediaType: text/plain
materializer: actions/brief.yaml
input: { cups: 2 }
";

const BRIEF_ACTION: &str = "\
schema: agent-graph.action.v1
id: brief
runner: host
effect: read
handler: tea.brief/v1
inputSchema: schemas/request.json
outputSchema: schemas/brief.json
";

/// A host-action resource with its action and schemas.
fn with_brief() -> Tea {
    with_resource("brief.yaml")
        .with("brief.yaml", BRIEF)
        .with("actions/brief.yaml", BRIEF_ACTION)
        .with(
            "schemas/request.json",
            r#"{"$id":"tea.request/v1","type":"object"}"#,
        )
        .with("schemas/brief.json", r#"{"$id":"tea.brief/v1"}"#)
}

#[test]
fn the_running_example_has_the_digests_of_the_specification() {
    let loaded = Tea::new().loaded();
    let tables = loaded.tables.as_tables();
    assert_eq!(
        Digest::from_bytes(tables.graphs[0].digest).to_string(),
        "sha256:4ca22c117c20747d775c46884e57e536563ee1e73ea2e101b14668cdc83868d4"
    );
    assert_eq!(
        Digest::from_bytes(tables.provider.digest).to_string(),
        "sha256:b17dba4e0ccb666f2a3745cc6a68420697695a9885b5a7cd9e221813a35dc8e9"
    );
    assert_eq!(loaded.manifest, "provider.yaml");
    assert_eq!(loaded.findings, []);
    assert_eq!(loaded.watched.len(), 3);
}

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
fn a_member_of_another_kind_of_node_is_named_with_that_kind() {
    let finding = Tea::new()
        .replacing(
            "graphs/brew.yaml",
            "kind: terminal,",
            "kind: terminal, reasonCode: route.x,",
        )
        .fails("schema-invalid", "graphs/brew.yaml:6:35");
    assert_eq!(
        finding.hint.as_deref(),
        Some("`reasonCode` belongs to a node whose kind is `action` or `gate`")
    );
}

#[test]
fn a_member_that_belongs_one_level_deeper_is_one_finding() {
    let graph = gate_graph("", "    authority: host\n");
    let finding = Tea::new()
        .with(
            "graphs/brew.yaml",
            graph
                .replace(", prompt: Sugar?", "")
                .replace("authority: host", "prompt: Sugar?"),
        )
        .fails("schema-invalid", "graphs/brew.yaml:9:5");
    assert_eq!(finding.hint.as_deref(), Some("`prompt` belongs in `gate`"));
}

#[test]
fn a_member_that_belongs_one_level_higher_is_one_finding() {
    let graph = gate_graph(", reasonCode: route.brew.ask", "");
    let finding = Tea::new()
        .with(
            "graphs/brew.yaml",
            graph.replace("    reasonCode: route.brew.ask\n", ""),
        )
        .fails("schema-invalid", "graphs/brew.yaml:7:40");
    assert_eq!(
        finding.hint.as_deref(),
        Some("`reasonCode` belongs to the gate node around it, one level up")
    );
}

#[test]
fn an_unknown_kind_is_one_finding_whatever_else_the_node_has() {
    let finding = Tea::new()
        .replacing("graphs/brew.yaml", "kind: action", "kind: acton")
        .fails("schema-invalid", "graphs/brew.yaml:5:24");
    assert_eq!(finding.hint.as_deref(), Some("did you mean `action`?"));
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
fn a_text_resource_begins_with_frontmatter() {
    with_resource("guide.md")
        .with("guide.md", "Pour.\n")
        .fails("frontmatter-missing", "guide.md:1:1");
}

#[test]
fn frontmatter_is_closed() {
    with_resource("guide.md")
        .with("guide.md", "---\nid: guide\n")
        .fails("frontmatter-invalid", "guide.md:1:1");
}

#[test]
fn frontmatter_gives_an_id_and_a_kind() {
    with_resource("guide.md")
        .with("guide.md", "---\nkind: procedure\nid: null\n---\n")
        .fails("resource-metadata-invalid", "guide.md:2:1");
    with_resource("guide.md")
        .with("guide.md", "---\nid: 5\nkind: procedure\n---\n")
        .fails("resource-metadata-invalid", "guide.md:2:5");
    with_resource("guide.md")
        .with(
            "guide.md",
            "---\nid: guide\nkind: procedure\nmedia-type: 1\n---\n",
        )
        .fails("resource-metadata-invalid", "guide.md:4:13");
}

#[test]
fn a_text_resource_has_a_static_kind() {
    let finding = with_resource("guide.md")
        .with("guide.md", "---\nid: guide\nkind: prosedure\n---\n")
        .fails("resource-kind-invalid", "guide.md:3:7");
    assert_eq!(finding.hint.as_deref(), Some("did you mean `procedure`?"));
}

#[test]
fn an_id_that_no_receipt_can_carry_is_a_warning() {
    let loaded = with_resource("guide.md")
        .with("guide.md", "---\nid: My Guide\nkind: procedure\n---\n")
        .loaded();
    let [finding] = loaded.findings.as_slice() else {
        panic!("{:?}", loaded.findings);
    };
    assert_eq!(finding.level, Level::Warn);
    assert_eq!(finding.code.as_str(), "resource-id-unusual");
    assert_eq!(finding.place.to_string(), "guide.md:2:5");
}

#[test]
fn a_retired_descriptor_is_not_read_as_text() {
    with_resource("guide.yaml")
        .with("guide.yaml", "schema: agent-graph.resource.v1\nid: guide\n")
        .fails("schema-invalid", "guide.yaml:1:9");
}

#[test]
fn two_resources_with_one_id_are_refused() {
    let finding = with_resource("guide.md, other.md")
        .with("guide.md", GUIDE)
        .with("other.md", GUIDE)
        .fails("resource-id-duplicate", "other.md:2:5");
    assert_eq!(finding.related[0].0.to_string(), "guide.md:2:5");
}

#[test]
fn one_resource_under_two_spellings_is_one_resource() {
    let loaded = with_resource("guide.md, ./guide.md")
        .with("guide.md", GUIDE)
        .loaded();
    assert_eq!(loaded.tables.resources.len(), 1);
    assert_eq!(
        loaded.tables.lists.iter().filter(|row| **row == 0).count(),
        3
    );
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
fn a_code_is_listed_once() {
    let entry = "  - { code: route.brew.steep, kind: route-reason, summary: Again. }\n";
    with_catalog(&format!("{CATALOG}{entry}"))
        .fails("code-catalog-code-duplicate", "codes.yaml:6:13");
}

#[test]
fn the_document_of_a_code_is_a_file() {
    with_catalog(&format!("{CATALOG}    document: view.yaml\n"))
        .with("view.yaml", VIEW)
        .with(
            "actions/look.yaml",
            ACTION.replace("write", "read").replace("steep\n", "look\n"),
        )
        .fails("code-document-dynamic", "codes.yaml:6:15");
}

#[test]
fn two_graphs_with_one_id_are_refused() {
    Tea::new()
        .with(
            "provider.yaml",
            MANIFEST.replace("]", ", graphs/other.yaml]"),
        )
        .with("graphs/other.yaml", GRAPH)
        .fails("graph-id-duplicate", "graphs/other.yaml:2:5");
}

#[test]
fn one_graph_file_under_two_spellings_is_refused() {
    Tea::new()
        .with(
            "provider.yaml",
            MANIFEST.replace("]", ", ./graphs/brew.yaml]"),
        )
        .fails("graph-id-duplicate", "provider.yaml:4:28");
}

#[test]
fn two_nodes_with_one_id_are_refused() {
    let finding = Tea::new()
        .replacing(
            "graphs/brew.yaml",
            "nodes:\n",
            "nodes:\n  - { id: steep, kind: terminal, terminalOutcome: failed }\n",
        )
        .findings();
    assert_eq!(finding.code().as_str(), "graph-node-duplicate");
    assert!(shown(&finding).contains(&"graph-node-duplicate graphs/brew.yaml:6:11".to_owned()));
}

#[test]
fn a_graph_has_a_terminal() {
    Tea::new()
        .with(
            "graphs/brew.yaml",
            GRAPH
                .replace(
                    "  - { id: served, kind: terminal, terminalOutcome: completed }\n",
                    "",
                )
                .replace("edges:\n  - { from: steep, to: served }\n", "edges: []\n"),
        )
        .fails("graph-terminal-missing", "graphs/brew.yaml:2:5");
}

#[test]
fn an_entry_starts_at_a_node() {
    let finding = Tea::new()
        .replacing("graphs/brew.yaml", "{ cup: steep }", "{ cup: step }")
        .fails("graph-entry-missing", "graphs/brew.yaml:3:21");
    assert_eq!(finding.hint.as_deref(), Some("did you mean `steep`?"));
}

#[test]
fn an_edge_connects_nodes() {
    with_edges("  - { from: c, to: end }\n")
        .fails("graph-edge-node-missing", "graphs/brew.yaml:9:13");
    with_edges("  - { from: a, to: c }\n")
        .fails("graph-edge-node-missing", "graphs/brew.yaml:9:20");
}

#[test]
fn no_edge_starts_at_a_terminal() {
    with_edges("  - { from: a, to: end }\n  - { from: end, to: a }\n")
        .fails("graph-terminal-edge-invalid", "graphs/brew.yaml:10:13");
}

#[test]
fn an_edge_is_authored_once() {
    with_edges(
        "  - { from: a, to: end }\n  - { from: a, to: end, outcomes: [completed], kind: flow }\n",
    )
    .fails("graph-edge-duplicate", "graphs/brew.yaml:10:5");
}

#[test]
fn the_same_outcomes_in_another_order_are_another_edge() {
    with_edges(
        "  - { from: a, to: end, outcomes: [failed, partial] }
  - { from: a, to: end, outcomes: [partial, failed] }\n",
    )
    .loaded();
}

#[test]
fn a_repeat_edge_leads_to_an_action_or_gate() {
    with_edges("  - { from: a, to: end, kind: repeat }\n")
        .fails("graph-repeat-target-invalid", "graphs/brew.yaml:9:20");
}

#[test]
fn a_gated_edge_starts_at_a_gate() {
    with_edges("  - { from: a, to: end, kind: gatedBy }\n")
        .fails("graph-gated-by-source-invalid", "graphs/brew.yaml:9:13");
}

#[test]
fn edges_other_than_repeat_form_no_cycle() {
    let finding = with_edges("  - { from: a, to: b }\n  - { from: b, to: a }\n")
        .fails("graph-flow-cycle", "graphs/brew.yaml:10:5");
    assert!(
        finding.message.ends_with("a → b → a"),
        "{}",
        finding.message
    );
    assert_eq!(finding.related[0].0.to_string(), "graphs/brew.yaml:9:5");
    with_edges("  - { from: a, to: b }\n  - { from: b, to: a, kind: repeat }\n").loaded();
}

/// The main graph calls `other` at line 5 and 6.
fn with_call(graph: &str, entry: &str) -> Tea {
    let main = format!(
        "schema: agent-graph.graph.v1
id: brew
entrypoints: {{ cup: a }}
nodes:
  - {{ id: a, kind: subgraph, graph: {graph}, entry: {entry} }}
  - {{ id: end, kind: terminal, terminalOutcome: completed }}
edges: []
"
    );
    Tea::new()
        .with(
            "provider.yaml",
            MANIFEST.replace("]", ", graphs/other.yaml]"),
        )
        .with("graphs/other.yaml", GRAPH.replace("id: brew", "id: other"))
        .with("graphs/brew.yaml", main)
}

#[test]
fn a_call_names_a_graph_and_one_of_its_entries() {
    with_call("other", "cup").loaded();
    with_call("othr", "cup").fails("subgraph-missing", "graphs/brew.yaml:5:37");
    with_call("other", "mug").fails("subgraph-entry-missing", "graphs/brew.yaml:5:51");
    with_call("other", "constructor").fails("subgraph-entry-missing", "graphs/brew.yaml:5:51");
}

#[test]
fn a_call_of_a_graph_that_did_not_load_is_not_a_second_mistake() {
    with_call("other", "cup")
        .replacing("graphs/other.yaml", "kind: action", "kind: acton")
        .fails("schema-invalid", "graphs/other.yaml:5:24");
}

#[test]
fn graphs_do_not_call_each_other_in_a_circle() {
    with_call("brew", "cup").fails("graph-recursion", "graphs/brew.yaml:5:37");
}

#[test]
fn an_entry_leads_to_a_bounded_number_of_frames() {
    let level = |number: usize| {
        let calls: String = (0..10)
            .map(|call| {
                format!(
                    "  - {{ id: n{call}, kind: subgraph, graph: g{}, entry: e }}\n",
                    number + 1
                )
            })
            .collect();
        let calls = if number == 6 { String::new() } else { calls };
        format!(
            "schema: agent-graph.graph.v1\nid: g{number}\nentrypoints: {{ e: end }}\nnodes:\n{calls}  - {{ id: end, kind: terminal, terminalOutcome: completed }}\nedges: []\n"
        )
    };
    let list: Vec<String> = (1..=6).map(|number| format!("g{number}.yaml")).collect();
    let mut tea = Tea::new().replacing("provider.yaml", "graphs/brew.yaml", &list.join(", "));
    for number in 1..=6 {
        tea = tea.with(&format!("g{number}.yaml"), level(number));
    }
    // 1 + 10 + 100 + 1 000 + 10 000 + 100 000 frames from the first graph, a tenth from the second.
    let finding = tea.fails("graph-frame-limit", "g1.yaml:2:5");
    assert!(finding.message.contains("111111"), "{}", finding.message);
    tea.replacing("provider.yaml", "g1.yaml, ", "").loaded();
}

#[test]
fn an_inspection_only_reads() {
    let finding = with_gate("", "    inspectionAction: actions/steep.yaml\n")
        .fails("gate-inspection-effect-invalid", "graphs/brew.yaml:9:23");
    assert_eq!(finding.related[0].0.to_string(), "actions/steep.yaml:4:9");
    with_gate("", "    inspectionAction: actions/look.yaml\n").loaded();
}

#[test]
fn a_resolution_does_not_only_read() {
    with_gate("", "    resolutionAction: actions/look.yaml\n")
        .fails("gate-resolution-effect-invalid", "graphs/brew.yaml:9:23");
    let delegatable = ", authority: host, delegatable: true";
    with_gate(
        delegatable,
        "    delegated: { resolutionAction: actions/look.yaml }\n",
    )
    .fails("gate-resolution-effect-invalid", "graphs/brew.yaml:9:36");
    with_gate(
        delegatable,
        "    delegated: { resolutionAction: actions/steep.yaml }\n",
    )
    .loaded();
}

#[test]
fn a_delegated_policy_needs_an_authority_and_permission() {
    let policy = "    delegated: {}\n";
    with_gate(", authority: host", policy)
        .fails("gate-delegated-policy-invalid", "graphs/brew.yaml:9:16");
    with_gate(", delegatable: true", policy)
        .fails("gate-delegated-policy-invalid", "graphs/brew.yaml:9:16");
    with_gate(", authority: host, delegatable: true", policy).loaded();
}

#[test]
fn only_an_inspection_that_is_there_can_be_skipped() {
    with_gate(
        ", authority: host, delegatable: true",
        "    delegated: { inspection: skip }\n",
    )
    .fails("gate-delegated-inspection-missing", "graphs/brew.yaml:9:30");
}

#[test]
fn a_catalog_lists_every_reason_code() {
    with_catalog(CATALOG).loaded();
    let finding = with_catalog(&CATALOG.replace("brew.steep", "brew.steeep"))
        .fails("route-reason-code-missing", "graphs/brew.yaml:5:44");
    assert_eq!(
        finding.hint.as_deref(),
        Some("did you mean `route.brew.steeep`?")
    );
}

#[test]
fn a_reason_code_is_listed_as_a_reason() {
    with_catalog(&CATALOG.replace("route-reason", "diagnostic"))
        .fails("route-reason-code-kind-invalid", "graphs/brew.yaml:5:44");
}

#[test]
fn a_materializer_only_reads() {
    with_resource("view.yaml")
        .with("view.yaml", VIEW.replace("look", "steep"))
        .fails("materializer-effect-invalid", "view.yaml:5:15");
}

#[test]
fn a_graph_action_resource_is_made_by_a_command_or_script() {
    with_resource("view.yaml")
        .with("view.yaml", VIEW)
        .with(
            "actions/look.yaml",
            "schema: agent-graph.action.v1\nid: look\nrunner: host\neffect: read\nhandler: look\n",
        )
        .fails("materializer-runner-invalid", "view.yaml:5:15");
}

#[test]
fn a_host_action_resource_is_made_by_the_host() {
    with_brief()
        .with(
            "actions/brief.yaml",
            ACTION
                .replace("write", "read")
                .replace("id: steep", "id: brief"),
        )
        .fails("materializer-runner-invalid", "brief.yaml:5:15");
}

#[test]
fn a_host_action_resource_loads_with_the_identities_of_both_schemas() {
    let loaded = with_brief().loaded();
    let tables = loaded.tables.as_tables();
    let action = tables.actions[1];
    assert_eq!(tables.text(action.input_identity), "tea.request/v1");
    assert_eq!(tables.text(action.output_identity), "tea.brief/v1");
    assert_eq!(tables.text(tables.resources[0].input), r#"{"cups":2}"#);
    assert_eq!(tables.files.len(), 7);
}

#[test]
fn the_materializer_of_a_host_action_resource_has_both_schemas() {
    with_brief()
        .replacing(
            "actions/brief.yaml",
            "outputSchema: schemas/brief.json\n",
            "",
        )
        .fails("materializer-schema-missing", "brief.yaml:5:15");
}

#[test]
fn a_schema_of_a_materializer_is_a_json_object_that_stands_alone() {
    with_brief()
        .with("schemas/brief.json", "[]")
        .fails("materializer-schema-invalid", "schemas/brief.json:1:1");
    with_brief()
        .with(
            "schemas/brief.json",
            "{\"$id\":\"tea.brief/v1\",\n \"items\": {\"$ref\": \"other.json\"}}",
        )
        .fails("materializer-schema-invalid", "schemas/brief.json:2:20");
    with_brief()
        .with("schemas/brief.json", r##"{"$id":"tea.brief/v1","items":{"$ref":"#/$defs/a"},"$defs":{"a":{"$ref":"tea.brief/v1#/$defs/b"},"b":{}}}"##)
        .loaded();
}

#[test]
fn a_schema_of_a_materializer_has_an_identity() {
    let with = |schema: &str| with_brief().with("schemas/brief.json", schema);
    let code = "materializer-schema-identity-invalid";
    with("{}").fails(code, "schemas/brief.json:1:1");
    with(r#"{"$id":"https://tea.example/brief"}"#).fails(code, "schemas/brief.json:1:8");
    with(r#"{"$id":"tea.brief/v1","properties":{"schema":{"const":"tea.brief/v2"}}}"#)
        .fails(code, "schemas/brief.json:1:55");
    with(r#"{"properties":{"protocol":{"const":"tea.brief/v1"}}}"#).loaded();
    with(r#"{"properties":{"schema":{"const":"tea.brief/v1"}}}"#).loaded();
}

#[test]
fn a_provider_has_a_bounded_number_of_nodes() {
    // Two files, since one document is bounded as well.
    let graph = |id: &str, count: usize| {
        let nodes: Vec<String> = (0..count)
            .map(|n| format!(r#"{{"id":"n{n}","kind":"terminal","terminalOutcome":"failed"}}"#))
            .collect();
        format!(
            r#"{{"schema":"agent-graph.graph.v1","id":"{id}","entrypoints":{{"e":"n0"}},"nodes":[{}],"edges":[]}}"#,
            nodes.join(",")
        )
    };
    let list = "[g1.json, g2.json]";
    Tea::new()
        .with(
            "provider.yaml",
            MANIFEST.replace("[graphs/brew.yaml]", list),
        )
        .with("g1.json", graph("g1", 32_768))
        .with("g2.json", graph("g2", 32_768))
        .fails("input-limit", "provider.yaml:2:5");
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
fn nodes_that_share_a_state_key_are_a_warning() {
    let loaded = Tea::new()
        .with(
            "provider.yaml",
            MANIFEST.replace("]", ", graphs/other.yaml]"),
        )
        .with(
            "graphs/other.yaml",
            GRAPH.replace("id: brew", "id: brew/hot"),
        )
        .replacing("graphs/brew.yaml", "steep", "hot/steep")
        .replacing("graphs/brew.yaml", "actions/hot/steep", "actions/steep")
        .replacing(
            "graphs/brew.yaml",
            "route.brew.hot/steep",
            "route.brew.steep",
        )
        .loaded();
    let [finding] = loaded.findings.as_slice() else {
        panic!("{:?}", loaded.findings);
    };
    assert_eq!(finding.code.as_str(), "state-key-ambiguous");
    assert_eq!(finding.place.to_string(), "graphs/brew.yaml:5:11");
    assert_eq!(finding.related[0].0.to_string(), "graphs/other.yaml:5:11");
}

#[test]
fn loading_twice_gives_the_same_tables() {
    let tea = with_brief();
    assert_eq!(tea.loaded().tables, tea.loaded().tables);
}

/// A graph with this many lines under `nodes` and `edges`.
fn large_graph(nodes: &str, edges: &str) -> String {
    format!(
        "schema: agent-graph.graph.v1\nid: brew\nentrypoints: {{ e: end }}\nnodes:\n  - {{ id: end, kind: terminal, terminalOutcome: completed }}\n{nodes}edges:\n{edges}"
    )
}

#[test]
fn of_thousands_of_mistakes_in_a_file_the_first_are_reported() {
    let nodes: String = (0..5000)
        .map(|n| format!("  - {{ id: n{n}, kind: action, rason: x }}\n"))
        .collect();
    let findings = Tea::new()
        .with("graphs/brew.yaml", large_graph(&nodes, "  []\n"))
        .findings();
    assert_eq!(findings.list().len(), 100);
    assert_eq!(findings.list()[0].place.position.line, 6);
    let edges: String = (0..5000)
        .map(|n| format!("  - {{ from: a{n}, to: b{n} }}\n"))
        .collect();
    let findings = Tea::new()
        .with("graphs/brew.yaml", large_graph("", &edges))
        .findings();
    assert!(findings.list().len() < 110);
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
    assert_eq!(findings.list().len(), 1000);
    assert_eq!(findings.code().as_str(), "file-missing");
}

#[test]
fn a_long_chain_of_nodes_loads() {
    let nodes: String = (0..3_000)
        .map(|n| format!("  - {{ id: n{n}, kind: action, reasonCode: route.x, action: actions/steep.yaml }}\n"))
        .collect();
    let edges: String = (1..3_000)
        .map(|n| format!("  - {{ from: n{}, to: n{n} }}\n", n - 1))
        .collect();
    let loaded = Tea::new()
        .with("graphs/brew.yaml", large_graph(&nodes, &edges))
        .loaded();
    assert_eq!(loaded.tables.nodes.len(), 3_001);
    assert_eq!(loaded.tables.edges.len(), 2_999);
}

#[test]
fn equal_texts_share_their_place_in_the_pool() {
    let loaded = with_brief().loaded();
    let tables = loaded.tables.as_tables();
    let brief = tables.resources[0];
    assert_eq!(tables.text(brief.id), "brief");
    assert_eq!(brief.id, tables.actions[1].id);
}

#[test]
fn all_files_below_the_directory_of_a_skill_belong_to_its_action() {
    let loaded = Tea::new()
        .with("actions/steep.yaml", "schema: agent-graph.action.v1\nid: steep\nrunner: agent\neffect: write\nskill: skills/tea/SKILL.md\n")
        .with("skills/tea/SKILL.md", "---\nname: tea\n---\n")
        .with("skills/tea/.hidden/a.txt", "a")
        .with("skills/other.md", "other")
        .loaded();
    let tables = loaded.tables.as_tables();
    let paths: Vec<&str> = tables
        .files
        .iter()
        .map(|file| tables.text(file.path))
        .collect();
    assert_eq!(
        paths,
        [
            "actions/steep.yaml",
            "graphs/brew.yaml",
            "provider.yaml",
            "skills/tea/.hidden/a.txt",
            "skills/tea/SKILL.md",
        ]
    );
    assert_eq!(tables.text(tables.actions[0].skill_name), "tea");
    assert_eq!(loaded.watched_directories.len(), 1);
}

#[cfg(unix)]
#[test]
fn a_skill_that_is_a_link_belongs_to_its_action_though_links_are_skipped() {
    let agent = |id: &str, skill: &str| {
        format!(
            "schema: agent-graph.action.v1\nid: {id}\nrunner: agent\neffect: write\nskill: skills/{skill}\n"
        )
    };
    let tea = with_edges("  - { from: a, to: end }\n")
        .replacing(
            "graphs/brew.yaml",
            "reasonCode: route.b, action: actions/steep.yaml",
            "reasonCode: route.b, action: actions/other.yaml",
        )
        .with("actions/steep.yaml", agent("steep", "a.md"))
        .with("actions/other.yaml", agent("other", "link.md"))
        .with("skills/a.md", "---\nname: a\n---\n")
        .with("b.md", "---\nname: b\n---\n");
    support::link(&tea.root().join("b.md"), &tea.root().join("skills/link.md"));
    support::link(
        &tea.root().join("b.md"),
        &tea.root().join("skills/spare.md"),
    );
    let loaded = tea.loaded();
    let tables = loaded.tables.as_tables();
    let paths = tables.files.iter().map(|file| tables.text(file.path));
    let skills: Vec<&str> = paths.filter(|path| path.starts_with("skills/")).collect();
    assert_eq!(skills, ["skills/a.md", "skills/link.md"]);
    let [finding] = loaded.findings.as_slice() else {
        panic!("{:?}", loaded.findings);
    };
    assert_eq!(finding.code.as_str(), "link-skipped");
    assert_eq!(&*finding.place.file, "skills/spare.md");
}

#[test]
fn a_skill_beside_the_manifest_belongs_alone() {
    let loaded = with_edges("  - { from: a, to: end }\n")
        .replacing(
            "graphs/brew.yaml",
            "reasonCode: route.b, action: actions/steep.yaml",
            "reasonCode: route.b, action: actions/agent.yaml",
        )
        .with("actions/agent.yaml", "schema: agent-graph.action.v1\nid: agent\nrunner: agent\neffect: write\nskill: SKILL.md\n")
        .with("SKILL.md", "no frontmatter")
        .with("notes.txt", "a")
        .loaded();
    assert_eq!(loaded.tables.files.len(), 5);
    assert!(!loaded.tables.actions[1].skill_name.is_some());
}

#[test]
fn the_manifest_counts_by_name_only_where_an_action_lists_it() {
    let digests = |description: &str| {
        let loaded = Tea::new()
            .with(
                "provider.yaml",
                format!("{MANIFEST}description: {description}\n"),
            )
            .with(
                "actions/steep.yaml",
                format!("{ACTION}files: [provider.yaml]\n"),
            )
            .loaded();
        (
            loaded.tables.graphs[0].digest,
            loaded.tables.provider.digest,
        )
    };
    let (one, other) = (digests("one"), digests("other"));
    assert_eq!(one.0, other.0);
    assert_ne!(one.1, other.1);
}
