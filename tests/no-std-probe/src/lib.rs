//! A host without a standard library. `cargo check` fails as soon as anything links `std`, because two
//! panic handlers cannot exist.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

use agent_graph_runtime::{Error, Evaluator, Facts, Outcome, Progress, Provider, State};

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

/// The whole way that such a host goes: facts, evaluation, record.
///
/// # Errors
///
/// Those of the runtime.
pub fn step(provider: &Provider, observed: &str) -> Result<bool, Error> {
    let mut state = State::new();
    state.set_facts(Facts::from_json(observed)?);
    let evaluation = provider.evaluate("release", "default", &state)?;
    if let Progress::Actionable(route) = evaluation.progress() {
        state.record(&route, Outcome::Completed);
    }
    Ok(Evaluator::new(provider).evaluate("release", "default", &state)?.outcome().is_some())
}
