//! Steps from the first to the last, by an exhaustive match.
#![deny(warnings)]

use agent_graph_runtime::{Outcome, Progress, State};

agent_graph_macros::include_provider! {
    pub mod shop = "fixtures/shop/provider.yaml";
}

use shop::graphs::audit;
use shop::graphs::release::{Entry, Step};

fn main() {
    let mut state = State::new();
    let mut taken = Vec::new();
    let outcome = loop {
        let evaluation = Entry::Default.evaluate(&state);
        match evaluation.progress() {
            Progress::Actionable(route) | Progress::WaitingUser(route) => {
                taken.push(match route.step() {
                    Step::ScanDotReview => "scan.review",
                    Step::ScanDashReview => "scan-review",
                    Step::Audit(audit::Step::Check) => "audit/check",
                    Step::SelfNode => "self",
                });
                state.record(&route, Outcome::Completed);
            }
            Progress::Complete(outcome) => break outcome,
            Progress::Blocked | Progress::Error => panic!("stuck after {taken:?}"),
        }
    };
    assert_eq!(outcome, Outcome::Completed);
    assert_eq!(taken, ["scan.review", "scan-review", "audit/check", "self"]);
}
