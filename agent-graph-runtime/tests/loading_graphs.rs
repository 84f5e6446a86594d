//! Graphs, their calls and their gates: what it takes to get each code, and the place it names.
#![cfg(feature = "dynamic")]

#[allow(dead_code, reason = "other suites use the rest")]
mod support;

use support::{ACTION, GRAPH, MANIFEST, Tea, large_graph, shown, with_edges};

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
fn of_thousands_of_mistakes_in_a_file_the_first_are_reported() {
    let nodes: String = (0..5000)
        .map(|n| format!("  - {{ id: n{n}, kind: action, rason: x }}\n"))
        .collect();
    let findings = Tea::new()
        .with("graphs/brew.yaml", large_graph(&nodes, "  []\n"))
        .findings();
    assert_eq!(findings.list().len(), 101);
    assert_eq!(findings.list()[0].place.position.line, 6);
    // The last one says that there may be more.
    let last = findings.list().last().expect("there are some");
    assert_eq!(last.code.as_str(), "findings-left-out");
    assert!(
        last.message.starts_with("after 100 findings"),
        "{}",
        last.message
    );
    let edges: String = (0..5000)
        .map(|n| format!("  - {{ from: a{n}, to: b{n} }}\n"))
        .collect();
    let findings = Tea::new()
        .with("graphs/brew.yaml", large_graph("", &edges))
        .findings();
    assert!(findings.list().len() < 110);
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
