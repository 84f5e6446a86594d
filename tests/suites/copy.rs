//! What the compact copy of the vectors claims: small, whole providers, and everything occurs.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use agent_graph_runtime::Provider;
use agent_graph_tests::conformance::known_of_route;
use agent_graph_tests::sources::{self, read_json};
use serde_json::Value;

fn copy() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance")
}

fn size(path: &Path) -> u64 {
    if !path.is_dir() {
        return fs::metadata(path).map_or(0, |metadata| metadata.len());
    }
    let entries = fs::read_dir(path).expect("it can be listed");
    entries
        .map(|entry| size(&entry.expect("it can be read").path()))
        .sum()
}

fn assert_all(seen: &BTreeSet<String>, wanted: &[&str]) {
    let missing: Vec<_> = wanted
        .iter()
        .filter(|wanted| !seen.contains(**wanted))
        .collect();
    assert!(missing.is_empty(), "missing: {missing:?}");
}

#[test]
fn the_copy_is_smaller_than_four_megabytes() {
    assert!(size(&copy()) < 4_000_000);
}

#[test]
fn every_node_kind_join_runner_and_edge_kind_occurs() {
    let mut seen = BTreeSet::new();
    for source in sources::of_conformance(&copy()).expect("it can be listed") {
        let provider = Provider::load(&source.manifest).expect("it loads");
        let tables = provider.tables();
        for node in tables.nodes {
            seen.insert(format!("node {}", node.kind.as_str()));
            seen.insert(format!("join {}", node.join.as_str()));
        }
        seen.extend(
            tables
                .edges
                .iter()
                .map(|edge| format!("edge {}", edge.kind.as_str())),
        );
        seen.extend(
            tables
                .actions
                .iter()
                .map(|action| format!("runner {}", action.runner.as_str())),
        );
        for edge in tables
            .edges
            .iter()
            .filter(|edge| edge.kind.as_str() == "repeat")
        {
            seen.insert(format!("repeat to itself {}", edge.from == edge.to));
        }
    }
    assert_all(
        &seen,
        &[
            "node action",
            "node gate",
            "node subgraph",
            "node terminal",
            "join all",
            "join any",
            "edge flow",
            "edge consumes",
            "edge requires",
            "edge gatedBy",
            "edge repeat",
            "repeat to itself true",
            "repeat to itself false",
            "runner command",
            "runner script",
            "runner agent",
            "runner host",
        ],
    );
}

#[test]
fn every_status_diagnostic_resolution_and_call_path_depth_occurs() {
    let mut seen = BTreeSet::new();
    for source in sources::of_conformance(&copy()).expect("it can be listed") {
        let cases = source.manifest.with_file_name("../cases.json");
        for case in read_json(&cases)
            .expect("it is JSON")
            .as_array()
            .into_iter()
            .flatten()
        {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            seen.insert(text(&case["evaluation"]["statusCode"]));
            for diagnostic in case["evaluation"]["diagnostics"]
                .as_array()
                .into_iter()
                .flatten()
            {
                seen.insert(text(&diagnostic["code"]));
            }
            for route in case["routes"]
                .as_array()
                .into_iter()
                .flatten()
                .map(known_of_route)
            {
                let depth = route["callPath"].as_array().map_or(0, Vec::len);
                seen.insert(format!("depth {depth}"));
                seen.insert(text(&route["gate"]["resolution"]));
            }
        }
    }
    assert_all(
        &seen,
        &[
            "actionable",
            "waiting-user",
            "blocked",
            "complete",
            "error",
            "no-route",
            "required-fact-missing",
            "entry-missing",
            "terminal-outcome-ambiguous",
            "route-alternatives-truncated",
            "user",
            "session-authority",
            "depth 0",
            "depth 1",
            "depth 2",
            "depth 3",
            "depth 4",
            "depth 5",
        ],
    );
}

#[test]
fn every_deliberate_difference_that_is_judged_occurs() {
    let mut files = vec![copy().join("deliberate.json")];
    for folder in sources::folders(&copy().join("providers")).expect("it can be listed") {
        files.push(folder.join("deliberate.json"));
    }
    let mut seen = BTreeSet::new();
    for file in files.iter().filter(|file| file.exists()) {
        for entry in read_json(file)
            .expect("it is JSON")
            .as_array()
            .into_iter()
            .flatten()
        {
            for id in entry["ids"].as_array().into_iter().flatten() {
                seen.extend(id.as_str().map(str::to_owned));
            }
        }
    }
    let invalid = copy().join("invalid");
    for entry in read_json(&invalid.join("deliberate.json"))
        .expect("it is JSON")
        .as_array()
        .into_iter()
        .flatten()
    {
        let vector = entry["vector"].as_str().unwrap_or_default();
        if invalid.join(vector).is_dir() {
            seen.extend(entry["id"].as_str().map(str::to_owned));
        }
    }
    assert_all(
        &seen,
        &["D1", "D2", "D4", "D5", "D6", "D12", "D18", "D19", "D20"],
    );
}

#[test]
fn every_provider_is_whole() {
    let sources = sources::of_conformance(&copy()).expect("it can be listed");
    assert!(sources.len() >= 10);
    for source in sources {
        let folder = source.manifest.with_file_name("..");
        for part in [
            "provider",
            "bundle",
            "cases.json",
            "digests.json",
            "describe.json",
        ] {
            assert!(folder.join(part).exists(), "{}: {part}", source.name);
        }
    }
}
