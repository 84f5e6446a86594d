//! What a provider that loads becomes: files, digests, tables.
#![cfg(feature = "dynamic")]
#![cfg_attr(
    not(feature = "user-schemas"),
    allow(
        dead_code,
        unused_imports,
        reason = "some of the tests need the feature"
    )
)]

#[allow(dead_code, reason = "other suites use the rest")]
mod support;

use agent_graph_runtime::Digest;
use agent_graph_runtime::protocol::{EdgeKind, Inspection, Join, Outcome};
use agent_graph_runtime::tables::{NONE, Test};
use support::{ACTION, MANIFEST, Tea, with_brief, with_edges};

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

#[cfg(feature = "user-schemas")]
#[test]
fn loading_twice_gives_the_same_tables() {
    let tea = with_brief();
    assert_eq!(tea.loaded().tables, tea.loaded().tables);
}

#[cfg(feature = "user-schemas")]
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
    assert_eq!(finding.place.to_string(), "skills/spare.md:1:1");
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

/// Two graphs; the first calls the second twice and asks at a gate.
const CALLER: &str = "\
schema: agent-graph.graph.v1
id: day
entrypoints: { late: ask, early: first }
nodes:
  - { id: second, kind: subgraph, graph: brew, entry: cup, join: any, priority: -3 }
  - id: ask
    kind: gate
    description: ''
    reasonCode: route.day.ask
    gate: { delegatable: true, prompt: Another?, id: another, authority: host }
    delegated: { resources: {} }
    requiresFacts:
      - { path: cups.0.size, equals: -0.0 }
      - { path: cups.01, exists: false }
      - { path: guest, equals: null }
    satisfiedBy: [{ path: answer, equals: 'yes' }]
  - { id: first, kind: subgraph, graph: brew, entry: cup }
  - { id: done, kind: terminal, terminalOutcome: partial }
edges:
  - { from: first, to: ask, outcomes: [failed, completed] }
  - { from: second, to: ask, kind: repeat }
  - { from: ask, to: second, kind: gatedBy }
  - { from: ask, to: done, outcomes: [skipped] }
";

fn day() -> Tea {
    Tea::new()
        .with(
            "provider.yaml",
            MANIFEST.replace("[graphs", "[graphs/day.yaml, graphs"),
        )
        .with("graphs/day.yaml", CALLER)
}

#[test]
fn rows_stand_in_authored_order_and_refer_to_each_other() {
    let loaded = day().loaded();
    let tables = loaded.tables.as_tables();
    let day = tables.graphs[0];
    let ids: Vec<&str> = tables
        .nodes
        .iter()
        .map(|node| tables.text(node.id))
        .collect();
    assert_eq!(ids, ["second", "ask", "first", "done", "steep", "served"]);
    let entries: Vec<(&str, u32)> = tables
        .entries
        .iter()
        .map(|entry| (tables.text(entry.name), entry.node))
        .collect();
    assert_eq!(entries, [("late", 1), ("early", 2), ("cup", 4)]);
    assert_eq!(tables.rows(tables.lists, day.dependencies), [1]);
    let calls: Vec<(u32, u32)> = tables
        .calls
        .iter()
        .map(|call| (call.graph, call.entry))
        .collect();
    assert_eq!(calls, [(1, 2), (1, 2)]);
    let ranks: Vec<u32> = tables.nodes.iter().map(|node| node.rank).collect();
    assert_eq!(ranks, [3, 0, 2, 1, 1, 0]);
    let graphs: Vec<u32> = tables.nodes.iter().map(|node| node.graph).collect();
    assert_eq!(graphs, [0, 0, 0, 0, 1, 1]);
    assert_eq!(tables.nodes[0].priority, -3);
    assert_eq!(tables.nodes[0].join, Join::Any);
    assert_eq!(tables.nodes[3].outcome, Outcome::Partial);
    assert_eq!(tables.text_or_none(tables.nodes[1].description), Some(""));
    assert_eq!(tables.text_or_none(tables.nodes[2].description), None);
}

#[test]
fn edges_are_listed_with_their_sources_and_counted_at_their_targets() {
    let loaded = day().loaded();
    let tables = loaded.tables.as_tables();
    let adjacency: Vec<(&[u32], &[u32], u32)> = tables
        .nodes
        .iter()
        .map(|node| {
            let outgoing = tables.rows(tables.lists, node.outgoing);
            (
                outgoing,
                tables.rows(tables.lists, node.repeats),
                node.incoming,
            )
        })
        .collect();
    let expected: [(&[u32], &[u32], u32); 6] = [
        (&[], &[1], 1),
        (&[2, 3], &[], 1),
        (&[0], &[], 0),
        (&[], &[], 1),
        (&[4], &[], 0),
        (&[], &[], 1),
    ];
    assert_eq!(adjacency, expected);
    let outcomes: Vec<Outcome> = tables.edges[0].outcomes.iter().collect();
    assert_eq!(outcomes, [Outcome::Completed, Outcome::Failed]);
    assert_eq!(tables.edges[2].kind, EdgeKind::GatedBy);
}

#[test]
fn a_gate_keeps_the_order_of_its_members_and_its_policy() {
    let loaded = day().loaded();
    let tables = loaded.tables.as_tables();
    let gate = tables.gates[0];
    assert_eq!(gate.members, [4, 2, 1, 3]);
    assert!(gate.delegatable);
    assert_eq!(tables.text(gate.authority), "host");
    let policy = tables.delegations[gate.delegated as usize];
    assert!(
        policy.replaces_resources,
        "an empty object replaces both lists"
    );
    assert_eq!(policy.inspection, Inspection::Required);
}

#[test]
fn fact_checks_know_their_segments_and_which_are_array_indices() {
    let loaded = day().loaded();
    let tables = loaded.tables.as_tables();
    let ask = tables.nodes[1];
    let checks = tables.rows(tables.checks, ask.requires);
    let tests: Vec<Test> = checks.iter().map(|check| check.test).collect();
    assert_eq!(tests, [Test::Number(0), Test::Exists(false), Test::Null]);
    let segments = |check: usize| -> Vec<(&str, u32)> {
        let rows = tables.rows(tables.segments, checks[check].segments);
        rows.iter()
            .map(|row| (tables.text(row.name), row.index))
            .collect()
    };
    assert_eq!(segments(0), [("cups", NONE), ("0", 0), ("size", NONE)]);
    assert_eq!(segments(1), [("cups", NONE), ("01", NONE)]);
    let step = tables.steps[ask.detail as usize];
    let proof = tables.rows(tables.checks, step.satisfied)[0];
    assert_eq!(tables.text(proof.path), "answer");
    let Test::Text(answer) = proof.test else {
        panic!("{proof:?}");
    };
    assert_eq!(tables.text(answer), "yes");
}

#[test]
fn the_shape_digest_covers_names_kinds_and_calls_and_nothing_else() {
    let shapes = |tea: Tea| -> Vec<[u8; 32]> {
        let loaded = tea.loaded();
        loaded
            .tables
            .graphs
            .iter()
            .map(|graph| graph.shape)
            .collect()
    };
    let text = "root brew\ngraph brew\naction steep\nterminal served\n";
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    lines[2..].sort_by_key(|line| line.split(' ').nth(1));
    let original = shapes(day());
    assert_eq!(
        original[1],
        *Digest::of_bytes(lines.concat().as_bytes()).as_bytes()
    );
    let reordered = day().replacing("graphs/day.yaml", "priority: -3", "priority: 9");
    assert_eq!(shapes(reordered), original);
    let renamed = shapes(day().replacing("graphs/brew.yaml", "served", "poured"));
    assert_ne!(renamed[0], original[0], "the closure is covered");
    assert_ne!(renamed[1], original[1]);
}
