//! New facts, and one small change in many facts with the evaluation that follows, beside the floor: SHA-256 of
//! exactly the bytes that the protocol says are hashed.
//! `cargo bench -p agent-graph-runtime --features dynamic --bench facts`

mod support;

use std::hint::black_box;
use std::process::ExitCode;

use agent_graph_measure::{Targets, fit, line, shown, side_by_side};
use agent_graph_runtime::json::{Object, Value};
use agent_graph_runtime::{Evaluator, Facts, State};
use support::{chain, facts, hash, hashed};

const SIZES: [usize; 5] = [100, 2_000, 16_000, 64_000, 256_000];

fn main() -> ExitCode {
    let mut targets = Targets::default();
    line("new facts", &["floor", "from JSON", "ratio", ""]);
    let points = SIZES.map(|bytes| (bytes as f64, new_facts(bytes)));
    growth("new facts", &points, &mut targets);
    println!();
    line(
        "one change, evaluated again",
        &["floor", "time", "ratio", "evaluation"],
    );
    let points = SIZES.map(|bytes| (bytes as f64, change(bytes)));
    growth("a change", &points, &mut targets);
    targets.exit()
}

/// From the text that a host has observed to facts that can be evaluated.
fn new_facts(bytes: usize) -> f64 {
    let text = facts(bytes, 5);
    let canonical = Facts::from_json(&text)
        .expect("facts are JSON")
        .canonical()
        .to_owned();
    let mut state = State::new();
    let hashed = [canonical.into_bytes()];
    let [floor, set] = side_by_side([&mut || hash(&hashed), &mut || {
        state.set_facts(Facts::from_json(black_box(&text)).expect("facts are JSON"));
    }]);
    let ratio = format!("{:.1}", set / floor);
    line(
        &format!("{bytes} B"),
        &[&shown(floor), &shown(set), &ratio, ""],
    );
    set
}

/// A host keeps its facts as an object, changes one member, and evaluates a chain of 30 nodes.
fn change(bytes: usize) -> f64 {
    let workflow = chain(30, bytes);
    let provider = workflow.compiled_in();
    let hashed = hashed(&provider, &workflow.state);
    let (mut alone, mut again) = (Evaluator::new(&provider), Evaluator::new(&provider));
    let mut state = workflow.state.clone();
    let mut kept: Object = state.facts().as_object().clone();
    let mut count = 0_u32;
    let [floor, changed, evaluated] = side_by_side([
        &mut || hash(&hashed),
        &mut || {
            count = count.wrapping_add(1) % 1_000;
            kept.insert("count".to_owned(), Value::Number(f64::from(count)));
            state.set_facts(Facts::from_object(kept.clone()).expect("it has canonical text"));
            let evaluation = again.evaluate("main", "all", &state);
            black_box(
                evaluation
                    .map(|it| it.revision())
                    .expect("there is a graph `main`"),
            );
        },
        &mut || {
            let evaluation = alone.evaluate("main", "all", &workflow.state);
            black_box(
                evaluation
                    .map(|it| it.revision())
                    .expect("there is a graph `main`"),
            );
        },
    ]);
    let ratio = format!("{:.1}", changed / floor);
    let share = format!("{:.0} %", evaluated / changed * 100.0);
    line(
        &format!("{bytes} B"),
        &[&shown(floor), &shown(changed), &ratio, &share],
    );
    changed
}

fn growth(name: &str, points: &[(f64, f64)], targets: &mut Targets) {
    let fit = fit(points);
    let met = targets.check(&format!("growth of {name}"), fit.exponent, 1.1);
    println!(
        "{name}: {:.2} ns a byte, exponent {:.2} {met}",
        fit.slope, fit.exponent
    );
}
