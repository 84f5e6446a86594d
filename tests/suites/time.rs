//! Evaluation takes time in proportion to what there is to evaluate, and what would take longer is
//! refused when it is loaded. Times are only compared with each other, so that a slow or busy machine
//! does not matter.

use std::hint::black_box;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use agent_graph_runtime::{Evaluator, Outcome, Provider, State};
use agent_graph_tests::model::Provider as Model;
use agent_graph_tests::sources::write_files;
use agent_graph_tests::{shapes, written};

fn load(name: &str, model: &Model) -> Result<Provider, agent_graph_runtime::Findings> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join("time")
        .join(name);
    write_files(&folder, &written::files(model)).expect("the scratch folder takes files");
    Provider::load(folder.join(written::MANIFEST))
}

/// Evaluates so many times, and says how long that took.
fn timed(evaluator: &mut Evaluator<'_>, state: &State, times: usize) -> Duration {
    let start = Instant::now();
    for _ in 0..times {
        let evaluation = evaluator.evaluate("g0", "default", state);
        black_box(evaluation.expect("there is such a graph").status());
    }
    start.elapsed()
}

/// Asserts that a provider `factor` times as large takes nearer to `factor` times as long than to
/// its square: one evaluation of the large one against `factor` evaluations of the small one, side by
/// side, so that whatever else the machine does slows down both.
fn assert_linear(name: &str, factor: usize, small: (&Model, &State), large: (&Model, &State)) {
    let load = |size: &str, model| load(&format!("{name}-{size}"), model).expect("it is valid");
    let providers = [load("small", small.0), load("large", large.0)];
    let [mut few, mut many] = providers.each_ref().map(Evaluator::new);
    let mut ratios: Vec<f64> = (0..25)
        .map(|_| {
            let small = timed(&mut few, small.1, 2 * factor);
            let large = timed(&mut many, large.1, 2);
            large.as_secs_f64() / small.as_secs_f64()
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    let median = ratios[ratios.len() / 2];
    let limit = (factor as f64).powf(0.6);
    assert!(
        median < limit,
        "{name}: a node takes {median:.1} times as long in {factor} times the size"
    );
}

fn done(steps: usize) -> State {
    let mut state = State::new();
    for step in 0..steps {
        let key = format!("g0/step-{step}");
        state
            .set_outcome(&key, Outcome::Completed)
            .expect("it is a state key");
    }
    state
}

#[test]
fn a_chain_of_3000_nodes_takes_time_in_proportion_to_its_length() {
    let (small, large) = (shapes::chain(300), shapes::chain(3000));
    assert_linear("chain", 10, (&small, &done(299)), (&large, &done(2999)));
}

#[test]
fn a_fan_of_1000_nodes_takes_time_in_proportion_to_its_width() {
    let (small, large) = (shapes::fan(100), shapes::fan(1000));
    assert_linear("fan", 10, (&small, &done(1)), (&large, &done(1)));
}

#[test]
fn two_hundred_nested_graphs_take_time_in_proportion_to_their_number() {
    let (small, large) = (shapes::nest(20, 1), shapes::nest(200, 1));
    assert_linear("nest", 10, (&small, &State::new()), (&large, &State::new()));
}

#[test]
fn two_hundred_nested_graphs_offer_the_innermost_step_with_its_whole_call_path() {
    let provider = load("deep", &shapes::nest(200, 1)).expect("it is valid");
    let evaluation = provider
        .evaluate("g0", "default", &State::new())
        .expect("there is a g0");
    let primary = evaluation.primary().expect("there is a step to take");
    assert_eq!(primary.call_path().count(), 199);
    assert_eq!(primary.graph(), "g199");
}

#[test]
fn more_than_100000_frames_from_one_entry_are_refused_at_load() {
    // 2^17 - 1 frames, and 2^16 - 1.
    let findings = load("frames-over", &shapes::nest(17, 2)).expect_err("too many frames");
    assert_eq!(findings.code().as_str(), "graph-frame-limit");
    let provider = load("frames-under", &shapes::nest(16, 2)).expect("few enough frames");
    let evaluation = provider
        .evaluate("g0", "default", &State::new())
        .expect("there is a g0");
    assert_eq!(evaluation.candidates().count(), 1 << 15);
}

#[test]
fn call_paths_that_multiply_beyond_counting_are_refused_at_once() {
    let start = Instant::now();
    let findings = load("frames-many", &shapes::nest(200, 10)).expect_err("too many frames");
    assert_eq!(findings.code().as_str(), "graph-frame-limit");
    assert!(start.elapsed() < Duration::from_secs(60));
}
