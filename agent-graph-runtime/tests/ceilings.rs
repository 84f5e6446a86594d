//! Ceilings that take a large file or many, just reached and just passed. The others are tested beside what counts.
#![cfg(feature = "runs")]

#[allow(dead_code, reason = "other suites use the rest")]
mod support;

use std::fs::{self, File};

use agent_graph_runtime::load::limits::{
    PROVIDER_BYTES, PROVIDER_FILES, PROVIDER_GRAPH_NODES, RUN_BYTES,
};
use agent_graph_runtime::load::load;
use agent_graph_runtime::runs::Run;
use agent_graph_runtime::{Code, Error};
use support::Scratch;

/// A provider with one action whose skill lies in a folder of its own.
fn with_skill() -> Scratch {
    let scratch = Scratch::new();
    scratch.write(
        "provider.yaml",
        "schema: agent-graph.provider.v1\nid: p\nversion: 1.0.0\ngraphs: [g.yaml]\n",
    );
    scratch.write(
        "g.yaml",
        "schema: agent-graph.graph.v1\nid: g\nentrypoints: { e: a }\nnodes:\n\
         - { id: a, kind: action, reasonCode: route.a, action: a.yaml }\n\
         - { id: end, kind: terminal, terminalOutcome: completed }\nedges:\n- { from: a, to: end }\n",
    );
    scratch.write(
        "a.yaml",
        "schema: agent-graph.action.v1\nid: a\nrunner: agent\neffect: write\nskill: s/SKILL.md\n",
    );
    scratch.write("s/SKILL.md", "---\nname: s\n---\n");
    scratch
}

fn code(scratch: &Scratch) -> Option<Code> {
    let findings = load(&scratch.root().join("provider.yaml")).err()?;
    Some(findings.code())
}

#[test]
fn a_provider_has_so_many_bytes_and_not_one_more() {
    let scratch = with_skill();
    let size = |path: &str| fs::metadata(scratch.root().join(path)).map_or(0, |file| file.len());
    let own: u64 = ["provider.yaml", "g.yaml", "a.yaml", "s/SKILL.md"]
        .map(size)
        .iter()
        .sum();
    // A hole, so that nothing has to be written.
    let large = File::create(scratch.root().join("s/large")).expect("it can be made");
    large
        .set_len(PROVIDER_BYTES - own)
        .expect("a file may have a hole");
    assert_eq!(code(&scratch), None);
    large
        .set_len(PROVIDER_BYTES - own + 1)
        .expect("a file may have a hole");
    assert_eq!(code(&scratch), Some(Code::InputLimit));
}

#[test]
fn a_provider_has_so_many_files_and_not_one_more() {
    let scratch = with_skill();
    let folder = scratch.root().join("s");
    // Manifest, graph, action and the skill itself are files, too.
    for number in 4..PROVIDER_FILES {
        File::create(folder.join(number.to_string())).expect("it can be made");
    }
    assert_eq!(code(&scratch), None);
    File::create(folder.join("one-more")).expect("it can be made");
    assert_eq!(code(&scratch), Some(Code::InputLimit));
}

#[test]
fn a_provider_has_so_many_nodes_and_not_one_more() {
    let scratch = Scratch::new();
    scratch.write(
        "provider.yaml",
        "schema: agent-graph.provider.v1\nid: p\nversion: 1.0.0\ngraphs: [g.json, h.json]\n",
    );
    let graph = |id: &str, count: usize| {
        let node = |number| {
            format!(r#"{{"id":"n{number}","kind":"terminal","terminalOutcome":"failed"}}"#)
        };
        let nodes: Vec<String> = (0..count).map(node).collect();
        format!(
            r#"{{"schema":"agent-graph.graph.v1","id":"{id}","entrypoints":{{"e":"n0"}},"nodes":[{}],"edges":[]}}"#,
            nodes.join(",")
        )
    };
    let half = PROVIDER_GRAPH_NODES / 2;
    scratch.write("g.json", graph("g", half));
    scratch.write("h.json", graph("h", PROVIDER_GRAPH_NODES - half));
    assert_eq!(code(&scratch), None);
    scratch.write("h.json", graph("h", PROVIDER_GRAPH_NODES - half + 1));
    assert_eq!(code(&scratch), Some(Code::InputLimit));
}

#[test]
fn a_run_has_so_many_bytes_and_not_one_more() {
    let run = |bytes: usize| {
        let head =
            r#"{"schema":"agent-graph.run.v1","id":"i","provider":"p","graph":"g","entry":"e","#;
        let times = r#""createdAt":"2024-01-01T00:00:00Z","updatedAt":"2024-01-01T00:00:00Z","#;
        let facts = |text: &str| {
            format!(r#""facts":{{"a":"{text}"}},"outcomes":{{}},"authorities":[],"events":[]}}"#)
        };
        let own = head.len() + times.len() + facts("").len();
        format!("{head}{times}{}", facts(&"x".repeat(bytes - own)))
    };
    let code = |bytes: usize| {
        Run::from_json(&run(bytes))
            .map(drop)
            .map_err(|error: Error| error.code())
    };
    assert_eq!(code(RUN_BYTES), Ok(()));
    assert_eq!(code(RUN_BYTES + 1), Err(Code::InputLimit));
}
