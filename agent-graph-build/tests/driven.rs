//! Sessions with compiled-in names: a match over the work is exhaustive, and names that do not fit are
//! refused before anything is handed out.

include!("expected/shop.rs");

use std::str::FromStr;

use agent_graph_runtime::driver::{Next, Runner, Session, Task};
use agent_graph_runtime::{Code, Outcome, State};
use shop::Handler;
use shop::graphs::release::{Entry, Graph, Step};

fn handle(handler: Handler) -> Outcome {
    // A new handler in the definition is a compile error here.
    match handler {
        Handler::TideRenderBriefV1 => Outcome::Completed,
    }
}

#[test]
fn work_is_matched_by_compiled_in_steps_and_handlers() {
    let entry = Entry::Default.as_str();
    let mut session = Session::<Graph, Handler>::typed(shop::PROVIDER, entry).unwrap();
    let mut state = State::new();
    let Next::Work(work) = session.next(&state) else {
        panic!("the first step is an action");
    };
    assert_eq!(work.step(), Some(Step::ScanDotReview));
    let outcome = match work.task() {
        Task::Run(run) => match &run.runner {
            Runner::Handler(handler) => handle(*handler),
            Runner::Command(_) | Runner::Script { .. } | Runner::Agent { .. } => Outcome::Skipped,
        },
        Task::Gate(_) => Outcome::WaitingUser,
    };
    let key = work.key().to_owned();
    session.complete(work, outcome).unwrap().apply(&mut state);
    assert_eq!(state.outcome(&key), Some(outcome));
}

/// Knows no handler.
struct NoHandlers;

impl FromStr for NoHandlers {
    type Err = ();

    fn from_str(_: &str) -> Result<Self, ()> {
        Err(())
    }
}

#[test]
fn a_provider_with_other_handlers_is_refused() {
    let refused = Session::<Graph, NoHandlers>::typed(shop::PROVIDER, "default");
    assert_eq!(refused.unwrap_err().code(), Code::NamesMismatch);
}
