//! The session: which work is next, when to stop, and what happened so far. Reads the state it is given
//! and nothing else.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::str::FromStr;

use super::changes::Changes;
use super::reading::{Everything, Reading};
use super::stop::{Stop, StopReason};
use super::trace::TraceStep;
use super::work::Work;
use crate::code::Code;
use crate::digest::Digest;
use crate::error::Error;
use crate::evaluation::{Evaluation, Progress};
use crate::ordered::Set;
use crate::protocol::{Outcome, Runner};
use crate::provider::Provider;
use crate::state::State;
use crate::typed::{Graph, Untyped};

/// How many steps a session takes unless it is told otherwise.
const STEP_LIMIT: u32 = 10_000;

/// Drives a run, see [the module](super).
///
/// `G` is the graph with compiled-in names, `H` the names of its handlers; see [`Session::typed`].
pub struct Session<G: Graph = Untyped, H = String> {
    provider: Provider,
    graph: u32,
    entry: String,
    step_limit: u32,
    steps: u32,
    cancelled: bool,
    /// The revision that the work at hand was handed out for.
    at_hand: Option<Digest>,
    /// Revisions in which the work was done.
    done: Set<Digest>,
    last: Option<Last>,
    trace: Vec<TraceStep>,
    types: PhantomData<fn() -> (G, H)>,
}

/// The evaluation before.
#[derive(Clone)]
struct Last {
    state: State,
    open: Vec<String>,
}

/// What comes next.
#[derive(Debug)]
pub enum Next<G: Graph = Untyped, H = String> {
    /// This has to be done.
    Work(Work<G, H>),
    /// Nothing has to be done, for this reason.
    Stop(Stop<G, H>),
}

/// The outcome of a piece of work, to be kept in the state.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "the run goes on once the record is applied to the state"]
pub struct Record {
    /// The state key.
    pub key: String,
    /// The outcome.
    pub outcome: Outcome,
}

impl Record {
    /// Records the outcome in a state.
    pub fn apply(self, state: &mut State) {
        // The key of a node: it is made of ids.
        state.set_ascii_outcome(self.key, self.outcome);
    }
}

impl Session<Untyped, String> {
    /// A session at an entry of a graph.
    ///
    /// # Errors
    ///
    /// [`Code::GraphMissing`] when the provider has no such graph.
    pub fn new(provider: Provider, graph: &str, entry: &str) -> Result<Self, Error> {
        let graph = provider.graph_index(graph)?;
        Ok(Self::at(provider, graph, entry))
    }
}

impl<G: Graph, H: FromStr> Session<G, H> {
    /// A session with compiled-in names for steps and handlers: a `match` over them is exhaustive.
    ///
    /// ```text
    /// use release::{Handler, graphs::release::{Entry, Graph}};
    /// let session = Session::<Graph, Handler>::typed(release::PROVIDER, Entry::Default.as_str())?;
    /// ```
    ///
    /// # Errors
    ///
    /// [`Code::GraphMissing`] when the provider has no such graph; [`Code::NamesMismatch`] when the graph of
    /// the provider is not the one that was compiled in, or names a handler that was not.
    pub fn typed(provider: Provider, entry: &str) -> Result<Self, Error> {
        let graph = provider.graph_index(G::ID)?;
        let tables = provider.tables();
        let row = tables.row(tables.graphs, graph);
        let mismatch = |what: String| Err(Error::new(Code::NamesMismatch, what));
        if !G::fits(G::ID, &row.shape) {
            return mismatch(format!(
                "graph `{}` does not have the nodes that were compiled in",
                G::ID
            ));
        }
        let handlers = tables
            .actions
            .iter()
            .filter(|row| row.runner == Runner::Host);
        for row in handlers {
            let handler = tables.text(row.handler);
            if handler.parse::<H>().is_err() {
                return mismatch(format!("handler `{handler}` was not compiled in"));
            }
        }
        Ok(Self::at(provider, graph, entry))
    }

    fn at(provider: Provider, graph: u32, entry: &str) -> Self {
        Self {
            provider,
            graph,
            entry: entry.to_string(),
            step_limit: STEP_LIMIT,
            steps: 0,
            cancelled: false,
            at_hand: None,
            done: Set::new(),
            last: None,
            trace: Vec::new(),
            types: PhantomData,
        }
    }

    /// Lets the session take so many steps, counted from its beginning.
    #[must_use]
    pub fn with_step_limit(mut self, steps: u32) -> Self {
        self.step_limit = steps;
        self
    }

    /// A new session of the same kind, without a past.
    pub(super) fn afresh(&self) -> Self {
        Self::at(self.provider.clone(), self.graph, &self.entry).with_step_limit(self.step_limit)
    }

    /// Makes the session stop when it is asked the next time.
    pub fn cancel(&mut self) {
        self.cancelled = true;
    }

    /// The evaluations so far.
    pub fn trace(&self) -> &[TraceStep] {
        &self.trace
    }

    /// How many pieces of work were completed.
    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// What comes next in this state, all resources taken as read. Asked again before the work is
    /// completed, and in the same state, the answer is the same.
    pub fn next(&mut self, state: &State) -> Next<G, H> {
        self.next_reading(state, &mut Everything)
    }

    /// What comes next in this state. `reading` tells which required resources have not been read.
    pub fn next_reading(&mut self, state: &State, reading: &mut impl Reading) -> Next<G, H> {
        let evaluation: Evaluation<G> = self.evaluate(state);
        self.observe(state, &evaluation);
        let next = self.decide(state, &evaluation, reading);
        if let Some(step) = self.trace.last_mut() {
            match &next {
                Next::Work(work) => step.work = Some(work.key().to_string()),
                Next::Stop(stop) => {
                    step.stop = Some(stop.reason());
                    if let Stop::WaitingUser(work) | Stop::Unread(work, _) = stop {
                        step.work = Some(work.key().to_string());
                    }
                }
            }
        }
        let at_hand = match &next {
            Next::Work(work) | Next::Stop(Stop::WaitingUser(work)) => Some(work.revision()),
            Next::Stop(_) => None,
        };
        self.at_hand = at_hand;
        next
    }

    /// Takes the outcome of the work at hand. The record is the host's to keep: apply it to the state, or
    /// write it to the run and read the state again.
    ///
    /// # Errors
    ///
    /// [`Code::WorkStale`] when the work is not what the session handed out last.
    pub fn complete(&mut self, work: Work<G, H>, outcome: Outcome) -> Result<Record, Error> {
        let revision = work.revision();
        if self.at_hand != Some(revision) {
            let message = format!("`{}` is not the work at hand", work.key());
            return Err(Error::new(Code::WorkStale, message));
        }
        self.at_hand = None;
        self.done.insert(revision);
        self.steps = self.steps.saturating_add(1);
        if let Some(step) = self.trace.last_mut() {
            step.outcome = Some(outcome);
            step.stop = None;
        }
        Ok(Record {
            key: work.key().to_string(),
            outcome,
        })
    }

    fn evaluate(&self, state: &State) -> Evaluation<G> {
        // The types were held against the graph when the session was made.
        crate::evaluator::evaluate_owned(&self.provider, self.graph, &self.entry, state)
            .assume_typed()
    }

    /// Adds a step to the trace, unless the evaluation is that of the last one.
    fn observe(&mut self, state: &State, evaluation: &Evaluation<G>) {
        let revision = evaluation.revision();
        let again = self
            .trace
            .last()
            .is_some_and(|step| step.revision == revision && step.step == self.steps);
        if again {
            return;
        }
        let open: Vec<String> = evaluation
            .candidates()
            .map(|candidate| candidate.record_node())
            .collect();
        let nothing = Last {
            state: State::new(),
            open: Vec::new(),
        };
        let last = self.last.take().unwrap_or(nothing);
        self.trace.push(TraceStep {
            step: self.steps,
            revision,
            status: evaluation.status(),
            changes: Changes::between((&last.state, &last.open), (state, &open)),
            work: None,
            outcome: None,
            stop: None,
        });
        self.last = Some(Last {
            state: state.clone(),
            open,
        });
    }

    fn decide(
        &self,
        state: &State,
        evaluation: &Evaluation<G>,
        reading: &mut impl Reading,
    ) -> Next<G, H> {
        if self.cancelled {
            return Next::Stop(Stop::Cancelled);
        }
        let route = match evaluation.progress() {
            Progress::Complete(outcome) => return Next::Stop(Stop::Complete(outcome)),
            Progress::Error => {
                let diagnostics = evaluation.diagnostics().collect();
                return Next::Stop(Stop::Error(diagnostics));
            }
            Progress::Blocked => return Next::Stop(self.explained(state, StopReason::Blocked)),
            Progress::Actionable(route) | Progress::WaitingUser(route) => route,
        };
        if self.done.contains(&evaluation.revision()) {
            return Next::Stop(self.explained(state, StopReason::NoProgress));
        }
        if self.steps >= self.step_limit {
            return Next::Stop(Stop::StepLimit(self.step_limit));
        }
        let Some(work) = Work::of(evaluation) else {
            let message = format!("a handler of `{}` was not compiled in", route.record_node());
            return Next::Stop(Stop::error(Code::NamesMismatch.as_str(), message));
        };
        let unread = match reading.unread(&route) {
            Ok(unread) => unread,
            Err(error) => {
                let message = error.message().to_string();
                return Next::Stop(Stop::error(error.code().as_str(), message));
            }
        };
        if !unread.is_empty() {
            Next::Stop(Stop::Unread(work, unread))
        } else if let Progress::WaitingUser(_) = evaluation.progress() {
            Next::Stop(Stop::WaitingUser(work))
        } else {
            Next::Work(work)
        }
    }

    fn explained(&self, state: &State, reason: StopReason) -> Stop<G, H> {
        let tables = self.provider.tables();
        let graph = tables.text(tables.row(tables.graphs, self.graph).id);
        match self.provider.explain(graph, &self.entry, state) {
            Ok(explanation) if reason == StopReason::Blocked => {
                Stop::Blocked(Box::new(explanation))
            }
            Ok(explanation) => Stop::NoProgress(Box::new(explanation)),
            Err(error) => Stop::error(error.code().as_str(), error.message().to_string()),
        }
    }
}

impl<G: Graph, H> fmt::Debug for Session<G, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("provider", &self.provider)
            .field("entry", &self.entry)
            .field("steps", &self.steps)
            .finish_non_exhaustive()
    }
}
