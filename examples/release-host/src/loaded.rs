//! A provider that is only known at run time: typed where its shape is the compiled-in one, printed in
//! general terms otherwise.

use agent_graph_runtime::{Evaluation, Progress, Provider, State};

use crate::release::graphs::release::Graph;
use crate::release_run::{self, Result, printable};

/// Serves the provider with this manifest.
pub(crate) fn serve(manifest: &str) -> Result<()> {
    let provider = Provider::load(manifest)
        .map_err(|findings| format!("cannot load {manifest}\n{findings}"))?;
    println!(
        "Loaded {} {} from {manifest}",
        provider.id(),
        provider.version()
    );
    let has_our_shape = provider
        .evaluate("release", "default", &State::new())
        .is_ok_and(|evaluation| evaluation.typed::<Graph>().is_ok());
    if has_our_shape {
        println!("It has the shape of the compiled-in workflow, so this host can run it.");
        return release_run::run(|state| {
            let evaluation = provider.evaluate("release", "default", state)?;
            evaluation
                .typed()
                .map_err(|_| "the shape cannot change while it runs".into())
        });
    }
    println!("Its steps have no names in this host, so they are only shown.");
    for graph in provider.graphs() {
        for entry in provider.entries(graph) {
            show(&provider.evaluate(graph, entry, &State::new())?);
        }
    }
    Ok(())
}

fn show(evaluation: &Evaluation) {
    println!(
        "{} from entry {}: {}",
        evaluation.graph(),
        evaluation.entry(),
        evaluation.status()
    );
    if let Progress::Complete(outcome) = evaluation.progress() {
        println!("    ends at once: {outcome}");
    }
    for route in evaluation.candidates() {
        println!(
            "    {} ({}): {}",
            printable(route.label()),
            route.availability(),
            printable(route.hint().unwrap_or(route.reason_code()))
        );
        println!("        recorded as {}", route.record_node());
    }
    for diagnostic in evaluation.diagnostics() {
        println!("    {}: {}", diagnostic.code, diagnostic.message);
    }
}
