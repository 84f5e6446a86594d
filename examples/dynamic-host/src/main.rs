//! A provider that is loaded while the host runs: nodes are texts, and mistakes are findings.
//! `cargo run -p dynamic-host -- path/to/provider.yaml`

use agent_graph_runtime::{Outcome, Progress, Provider, State};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> Result<()> {
    let manifest = std::env::args().nth(1);
    walk(&manifest.ok_or("usage: dynamic-host path/to/provider.yaml")?)
}

/// Goes through the first graph as if every step succeeded.
fn walk(manifest: &str) -> Result<()> {
    let provider = Provider::load(manifest)?;
    let graph = provider.graphs().next().ok_or("a provider has a graph")?;
    let entry = provider
        .entries(graph)
        .next()
        .ok_or("a graph has an entry")?;
    let mut state = State::new();
    for _ in 0..100 {
        let evaluation = provider.evaluate(graph, entry, &state)?;
        let Progress::Actionable(route) = evaluation.progress() else {
            println!("{}", evaluation.status());
            return Ok(());
        };
        println!("{}: {}", route.node(), route.label());
        state.record(&route, Outcome::Completed);
    }
    Err("the graph repeats itself".into())
}

#[test]
fn a_provider_is_walked_through_that_was_not_known_before() -> Result<()> {
    walk("../macro-host/workflow/provider.yaml")
}

#[test]
fn a_provider_that_is_not_there_is_a_finding() {
    let error = walk("nowhere/provider.yaml").unwrap_err();
    assert!(error.to_string().contains("file-missing"), "{error}");
}
