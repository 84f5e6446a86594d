//! Who makes the attempts at agent nodes: a trait, and an executor that answers from a script. Knows nothing
//! about supersteps, and nothing about processes.

mod scripted;

use core::ops::ControlFlow;

pub use scripted::{Call, Scripted};

use super::run::{AttemptResult, RunCode, Usage, Work};

/// Makes attempts at agent nodes, one at a time for each call and several calls at a time.
///
/// Calls block until the attempt is over. A host that is asynchronous needs no such trait: the machine and
/// [`Attempt`](super::agent::Attempt) do no I/O, so it runs the attempts as tasks of its own and tells the
/// machine what came of them.
pub trait Executor: Sync {
    /// Makes one attempt. `watch` is told about every turn and asked whether to go on.
    fn execute(&self, work: &Work, watch: &dyn Watch) -> AttemptResult;
}

/// What an executor tells while an attempt is at work, and whom it asks whether to go on.
pub trait Watch: Sync {
    /// Counts what a turn used; `Break` when that was more than there was. The attempt is to be stopped then,
    /// and fails with `BUDGET_LIMIT`.
    fn turn(&self, used: &Usage) -> ControlFlow<()>;

    /// The code with which the attempt is to be ended at once, if it is: `ABORTED` or `TIMEOUT`.
    fn stop(&self) -> Option<RunCode>;
}

/// Nobody watches: every turn is in bounds, and nobody ends the attempt.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn turn(&self, _: &Usage) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn stop(&self) -> Option<RunCode> {
        None
    }
}

impl<E: Executor + ?Sized> Executor for &E {
    fn execute(&self, work: &Work, watch: &dyn Watch) -> AttemptResult {
        (**self).execute(work, watch)
    }
}
