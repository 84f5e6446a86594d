//! Loops around a session, for hosts that want one: with closures that block, with closures that do not, and
//! without doing anything. What runs is what the host hands in.

use alloc::string::String;
use alloc::vec::Vec;
use core::str::FromStr;

use super::session::{Next, Session};
use super::stop::Stop;
use super::trace::TraceStep;
use super::work::Work;
use crate::error::Error;
use crate::protocol::Outcome;
use crate::state::State;
use crate::typed::{Graph, Untyped};

/// Drives a session until it stops: `perform` does each piece of work, may change the state, typically the
/// facts, and says what the work came to.
///
/// # Errors
///
/// The first error of `perform`; the session can be driven on after it.
pub fn drive<G: Graph, H: FromStr, E: From<Error>>(
    session: &mut Session<G, H>,
    state: &mut State,
    mut perform: impl FnMut(&Work<G, H>, &mut State) -> Result<Outcome, E>,
) -> Result<Stop<G, H>, E> {
    loop {
        match session.next(state) {
            Next::Stop(stop) => return Ok(stop),
            Next::Work(work) => {
                let outcome = perform(&work, state)?;
                session.complete(work, outcome)?.apply(state);
            }
        }
    }
}

/// Like [`drive`], with a closure that gives futures. No executor is asked for: the future that this
/// returns runs wherever the host runs futures.
///
/// # Errors
///
/// The first error of `perform`; the session can be driven on after it.
pub async fn drive_async<G: Graph, H: FromStr, E: From<Error>>(
    session: &mut Session<G, H>,
    state: &mut State,
    mut perform: impl AsyncFnMut(&Work<G, H>, &mut State) -> Result<Outcome, E>,
) -> Result<Stop<G, H>, E> {
    loop {
        match session.next(state) {
            Next::Stop(stop) => return Ok(stop),
            Next::Work(work) => {
                let outcome = perform(&work, state).await?;
                session.complete(work, outcome)?.apply(state);
            }
        }
    }
}

/// What a run would be.
#[derive(Debug)]
pub struct DryRun<G: Graph = Untyped, H = String> {
    /// Why it would stop.
    pub stop: Stop<G, H>,
    /// Its evaluations.
    pub trace: Vec<TraceStep>,
    /// The state at its end.
    pub state: State,
}

impl<G: Graph, H: FromStr> Session<G, H> {
    /// What a run from this state would be if work came to what `assume` says, gates of people included.
    /// `assume` may change the state it is given, a copy, as the work would. Neither the session nor
    /// `state` changes.
    pub fn dry_run(
        &self,
        state: &State,
        mut assume: impl FnMut(&Work<G, H>, &mut State) -> Outcome,
    ) -> DryRun<G, H> {
        let mut session = self.afresh();
        let mut state = state.clone();
        let stop = loop {
            let work = match session.next(&state) {
                Next::Work(work) | Next::Stop(Stop::WaitingUser(work)) => work,
                Next::Stop(stop) => break stop,
            };
            let outcome = assume(&work, &mut state);
            match session.complete(work, outcome) {
                Ok(record) => record.apply(&mut state),
                // It is the work at hand.
                Err(error) => {
                    break Stop::error(error.code().as_str(), error.message().into());
                }
            }
        };
        DryRun {
            stop,
            trace: session.trace().to_vec(),
            state,
        }
    }
}
