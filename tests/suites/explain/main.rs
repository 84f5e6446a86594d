//! Explanations against every state there is: what is said to make progress does, what is not said does
//! not; what is said to be impossible is nowhere, the rest is somewhere.

mod case;
#[path = "../small/mod.rs"]
mod small;
mod wording;

use std::collections::BTreeMap;

use agent_graph_build::cli::shape;
use agent_graph_runtime::explain::Explanation;
use agent_graph_runtime::load::shape::check_json;
use agent_graph_runtime::{Provider, State as Input, Status};
use agent_graph_tests::seeded::Chance;
use agent_graph_tests::{random, random_state};
use case::{Case, Seen, active_somewhere, draw_state};
use small::walk::walk;
use small::{draw, states};

const PROVIDERS: u64 = 60;
const STATES: usize = 12;

#[test]
fn moves_and_possibilities_of_small_graphs_are_those_of_all_states() {
    let mut seen = Seen::default();
    for seed in 0..PROVIDERS {
        let model = draw::provider(seed);
        let provider = Provider::from_tables(small::loaded("explain", seed, &model).tables);
        let all = states::all(&model, 0);
        let mut chance = Chance::seeded(seed);
        for (entry, _) in &model.graphs[0].entries {
            let active = active_somewhere(&model, entry, &all);
            for _ in 0..STATES {
                let state = draw_state(&mut chance, &all);
                let input = Input::from_json(&state.source()).expect("it is an input");
                let explanation = provider.explain("main", entry, &input).expect("it exists");
                fits(&explanation);
                let case = Case {
                    model: &model,
                    entry,
                    before: walk(&model, 0, entry, &state),
                    state,
                };
                case.check(&explanation, &active, &mut seen);
            }
        }
    }
    println!("{seen:?}");
    assert!(seen.records > 1000 && seen.facts > 100 && seen.authorities > 10);
    assert!(seen.taken_back > 100 && seen.taken_back < seen.records - 100);
    assert!(seen.possible > 1000 && seen.impossible > 100);
}

/// What `explain` prints has the shape that its schema describes.
#[track_caller]
fn fits(explanation: &Explanation) {
    let shape = shape("agent-graph.output.explain.v1").expect("it has one");
    let text = serde_json::to_string(explanation).expect("it is JSON");
    let findings = check_json(shape, "explanation", &text);
    assert!(findings.is_empty(), "{findings:?}\n{text}");
}

#[test]
fn whatever_is_blocked_or_waits_is_explained() {
    let mut explained = BTreeMap::new();
    for seed in 0..random::COUNT {
        let model = random::provider(seed);
        let provider = Provider::from_tables(small::loaded("explained", seed, &model).tables);
        let mut chance = Chance::seeded(seed);
        for (number, graph) in model.graphs.iter().enumerate() {
            for (entry, _) in &graph.entries {
                for _ in 0..4 {
                    let state = random_state::state(&mut chance, &model, number);
                    let input = Input::from_json(&state.source()).expect("it is an input");
                    let limits = agent_graph_runtime::explain::ExplainLimits {
                        moves: 2000,
                        ways: 2000,
                    };
                    let explanation = provider
                        .explain_within(&graph.id, entry, &input, limits)
                        .expect("it exists");
                    let evaluation = provider
                        .evaluate(&graph.id, entry, &input)
                        .expect("it exists");
                    fits(&explanation);
                    assert_eq!(explanation.status, evaluation.status());
                    assert_eq!(explanation.revision, evaluation.revision());
                    *explained.entry(explanation.status.as_str()).or_insert(0) += 1;
                    if !matches!(explanation.status, Status::Complete) {
                        assert!(
                            !explanation.frontier.is_empty(),
                            "{seed} {}",
                            state.source()
                        );
                    }
                }
            }
        }
    }
    for status in ["blocked", "waiting-user", "actionable"] {
        assert!(explained.get(status) > Some(&50), "{explained:?}");
    }
}
