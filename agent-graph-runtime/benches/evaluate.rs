//! Evaluation, beside its floor: SHA-256 of exactly the bytes that the protocol says are hashed, the revision's
//! and each candidate's. `cargo bench -p agent-graph-runtime --features dynamic --bench evaluate`
//! (`-- fan` for some of them)

mod support;

use std::hint::black_box;
use std::process::ExitCode;

use agent_graph_measure::{Targets, fit, is_chosen, kept, line, shown, side_by_side};
use agent_graph_runtime::{Evaluator, State};
use support::{Workflow, chain, fan, hash, hashed, nested};

/// What evaluation may cost beyond the floor: so much for each node in reach, and once.
const NANOSECONDS_A_NODE: f64 = 60.0;
const NANOSECONDS_ONCE: f64 = 2_000.0;

fn main() -> ExitCode {
    let mut targets = Targets::default();
    line(
        "evaluation",
        &["floor", "compiled in", "loaded", "owned", "of limit", ""],
    );
    let workflows = [
        chain(4, 100),
        chain(30, 2_000),
        chain(200, 64_000),
        chain(3_000, 100),
        fan(1_000),
        nested(7),
    ];
    for workflow in workflows.iter().filter(|it| is_chosen(&it.name)) {
        evaluation(workflow, &mut targets);
    }
    if !is_chosen("all") {
        return targets.exit();
    }
    println!();
    growth(
        "chain",
        [100, 300, 1_000, 3_000].map(|n| chain(n, 100)),
        &mut targets,
    );
    growth("fan", [100, 300, 1_000, 3_000].map(fan), &mut targets);
    growth("nest of calls", [3, 5, 7, 9].map(nested), &mut targets);
    targets.exit()
}

fn evaluation(workflow: &Workflow, targets: &mut Targets) {
    let (compiled_in, loaded) = (workflow.compiled_in(), workflow.loaded());
    let (mut one, mut other) = (Evaluator::new(&compiled_in), Evaluator::new(&loaded));
    let state = &workflow.state;
    let hashed = hashed(&loaded, state);
    let [floor, one, other, owned] = side_by_side([
        &mut || hash(&hashed),
        &mut || evaluate(&mut one, state),
        &mut || evaluate(&mut other, state),
        &mut kept(|| loaded.evaluate("main", "all", state)),
    ]);
    let limit = limit(floor, workflow.nodes);
    let met = targets.check(&workflow.name, one.max(other), limit);
    line(
        &workflow.name,
        &[
            &shown(floor),
            &shown(one),
            &shown(other),
            &shown(owned),
            &format!("{:.2}", one.max(other) / limit),
            met,
        ],
    );
}

fn limit(floor: f64, nodes: usize) -> f64 {
    floor + NANOSECONDS_A_NODE * nodes as f64 + NANOSECONDS_ONCE
}

fn growth(name: &str, workflows: [Workflow; 4], targets: &mut Targets) {
    let points = workflows.map(|workflow| {
        let provider = workflow.compiled_in();
        let mut evaluator = Evaluator::new(&provider);
        let [time] = side_by_side([&mut || evaluate(&mut evaluator, &workflow.state)]);
        (workflow.nodes as f64, time)
    });
    let fit = fit(&points);
    let met = targets.check(&format!("growth of a {name}"), fit.exponent, 1.1);
    println!(
        "{name}: {:.1} ns a node, {} once, at most {:.0} % off the line, exponent {:.2} {met}",
        fit.slope,
        shown(fit.start),
        fit.off * 100.0,
        fit.exponent
    );
}

fn evaluate(evaluator: &mut Evaluator<'_>, state: &State) {
    let evaluation = evaluator.evaluate("main", "all", state);
    black_box(
        evaluation
            .map(|it| it.revision())
            .expect("there is a graph `main`"),
    );
}
