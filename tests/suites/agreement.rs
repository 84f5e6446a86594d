//! Compiled in, loaded, and worked out by the naive evaluator: the same answers.

use std::collections::BTreeSet;
use std::path::Path;

use agent_graph_build::lint::LintLevel;
use agent_graph_build::{Builder, bake};
use agent_graph_runtime::load::load;
use agent_graph_runtime::{Installed, Provider, State};
use agent_graph_tests::compare::difference;
use agent_graph_tests::conformance::candidates;
use agent_graph_tests::naive::{self, NaiveEvaluation};
use agent_graph_tests::seeded::Chance;
use agent_graph_tests::sources::{self, Source};
use agent_graph_tests::{baked, model, random, random_state, written};
use serde_json::Value;

const STATES_PER_ENTRY: usize = 8;

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("it is JSON")
}

fn loaded(source: &Source) -> Provider {
    match Provider::load(&source.manifest) {
        Ok(provider) => provider,
        Err(findings) => panic!("{} does not load: {findings}", source.name),
    }
}

fn compiled_in(source: &Source) -> Provider {
    baked::provider(&source.name).expect("it is baked")
}

#[test]
fn compiled_in_and_loaded_providers_hold_identical_tables() {
    let conformance = sources::of_conformance(&baked::conformance()).expect("it can be listed");
    let examples = sources::of_examples(&baked::examples()).expect("they can be listed");
    let all = [conformance, examples, sources::of_chance(&baked::random())].concat();
    assert!(all.len() >= 200);
    for source in &all {
        let (compiled_in, loaded) = (compiled_in(source), loaded(source));
        // Not `assert_eq`: the two would fill screens.
        assert!(compiled_in.tables() == loaded.tables(), "{}", source.name);
    }
}

#[test]
fn the_source_of_further_random_providers_parses_back_to_identical_tables() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("parse-back");
    for seed in random::COUNT..2 * random::COUNT {
        let folder = folder.join(seed.to_string());
        let files = written::files(&random::provider(seed));
        sources::write_files(&folder, &files).expect("the scratch folder takes files");
        let manifest = folder.join(written::MANIFEST);
        let loaded = load(&manifest).unwrap_or_else(|findings| panic!("{seed}: {findings}"));
        // What is drawn by chance need not make sense.
        let generated = Builder::new(manifest.display().to_string())
            .lints(LintLevel::Allow, ["all"])
            .generate();
        let generated = generated.unwrap_or_else(|findings| panic!("{seed}: {findings}"));
        let back = bake::parse_back::tables(&generated.source);
        let back = back.unwrap_or_else(|why| panic!("{seed}: {why}"));
        assert!(back == loaded.tables, "{seed}");
    }
}

#[test]
fn two_hundred_random_providers_evaluate_alike_compiled_in_loaded_and_naively() {
    let mut statuses = BTreeSet::new();
    let mut depth = 0;
    for (seed, source) in (0..).zip(sources::of_chance(&baked::random())) {
        let root = source
            .manifest
            .parent()
            .expect("a manifest lies in a folder");
        let prefix = format!("{}/", root.display());
        let model = random::provider(seed);
        let files = written::files(&model);
        let modes = [compiled_in(&source), loaded(&source)].map(|provider| {
            provider
                .installed_at(root)
                .expect("the files are as they were")
        });
        let mut chance = Chance::seeded(seed + 1_000_000);
        for (number, graph) in model.graphs.iter().enumerate() {
            let digest = naive::graph_digest(&model, number, &files);
            let names = graph.entries.iter().map(|(name, _)| name.as_str());
            for entry in names.chain(["nowhere"]) {
                for _ in 0..STATES_PER_ENTRY {
                    let drawn = random_state::state(&mut chance, &model, number);
                    let naive = naive::evaluate(&model, &digest, number, entry, &drawn, &prefix);
                    let id = format!("{} {} {entry}", source.name, graph.id);
                    for installed in &modes {
                        assert_same(&id, installed, &graph.id, entry, &drawn, &naive);
                    }
                    let json = parsed(&naive.json.source());
                    statuses.insert(json["statusCode"].as_str().unwrap_or_default().to_owned());
                    let routes = parsed(&naive.candidates.source());
                    let routes = routes.as_array().cloned().unwrap_or_default();
                    let depths = routes.iter().filter_map(|r| r["callPath"].as_array());
                    depth = depths.map(Vec::len).max().unwrap_or_default().max(depth);
                }
            }
        }
    }
    // The draw is worth something only if it gets everywhere.
    let all = ["actionable", "blocked", "complete", "error", "waiting-user"];
    assert_eq!(statuses.iter().map(String::as_str).collect::<Vec<_>>(), all);
    assert!(depth >= 3, "deepest call path: {depth}");
}

fn assert_same(
    id: &str,
    installed: &Installed,
    graph: &str,
    entry: &str,
    drawn: &model::State,
    naive: &NaiveEvaluation,
) {
    let input = drawn.source();
    let state = State::from_json(&input).unwrap_or_else(|error| panic!("{id}: {error}: {input}"));
    let evaluation = installed
        .evaluate(graph, entry, &state)
        .unwrap_or_else(|error| panic!("{id}: {error}: {input}"));
    let pairs = [
        (parsed(&naive.json.source()), parsed(&evaluation.to_json())),
        (parsed(&naive.candidates.source()), candidates(&evaluation)),
    ];
    for (expected, received) in pairs {
        if let Some(difference) = difference(&expected, &received) {
            panic!("{id}: {difference}\ninput: {input}\nnaive: {expected}\nours: {received}");
        }
    }
}
