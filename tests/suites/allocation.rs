//! An evaluator that lends its result does not allocate while the facts stay as they are.

use agent_graph_runtime::{Evaluator, Outcome, State};
use agent_graph_tests::baked;

fn state_with_progress() -> State {
    State::from_json(
        r#"{
            "facts": {"plan": {"ready": true}, "south": {"open": true}},
            "outcomes": {"season/north>plot/water": "completed", "season/south>plot/water": "completed"},
            "authorities": ["owner"]
        }"#,
    )
    .expect("it is an evaluation input")
}

#[test]
fn an_evaluator_does_not_allocate_when_the_facts_are_unchanged() {
    let provider = baked::provider("examples/nested-repeat").expect("it is baked");
    let mut state = state_with_progress();
    let mut evaluator = Evaluator::new(&provider);
    let mut evaluate = |state: &State| {
        let evaluation = evaluator
            .evaluate("season", "default", state)
            .expect("there is a season");
        (evaluation.status(), evaluation.revision())
    };
    let first = evaluate(&state);
    let mut again = first;
    let counted = allocation_counter::measure(|| again = evaluate(&state));
    assert_eq!(again, first);
    assert_eq!(counted.count_total, 0, "{counted:?}");
    // Another outcome for a known key leaves the facts alone.
    state
        .set_outcome("season/north>plot/water", Outcome::Failed)
        .expect("it is a state key");
    evaluate(&state);
    let counted = allocation_counter::measure(|| again = evaluate(&state));
    assert_ne!(again.1, first.1);
    assert_eq!(counted.count_total, 0, "{counted:?}");
}

#[test]
fn the_counter_sees_allocations() {
    let counted = allocation_counter::measure(|| drop(std::hint::black_box(vec![1_u8])));
    assert_eq!(counted.count_total, 1);
}
