//! The superstep machine: says what is to be done next, takes what came of it, and never does anything itself
//! but assignments (spec 6, 7, 10). Reads no clock and waits for nothing: the time is an argument, and what
//! has to be waited for is said.

mod attempts;
mod commit;
mod conclude;
mod flight;
mod follow;
mod limits;
mod recording;
mod resume;
mod save;
mod settle;
mod start;
#[cfg(all(test, feature = "dynamic"))]
mod tests;

use alloc::boxed::Box;
use alloc::collections::{BTreeSet, VecDeque};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use flight::{Flight, Node};
use recording::Recording;
pub use resume::{Resume, ResumeError};
pub use start::StartError;

use super::attempt::Interrupt;
use super::code::RunCode;
use super::event::{Event, Happening};
use super::index::Index;
use super::named::Named;
use super::outcome::{self, RunError};
use super::record::{HistoryEntry, PendingInterrupt, RunStatus, ThreadRecord};
use super::usage::Usage;
use super::work::{Ticket, Work};
use crate::digest::Digest;
use crate::json::{Object, Value};
use crate::pi::graph::Graph;
use crate::timestamp::Timestamp;

/// How many events are kept for whoever watches; of more, the oldest are dropped.
pub const EVENTS_KEPT: usize = 8192;

/// A run of a graph.
///
/// The host asks [`Run::next`] what to do, does it, and tells what came of it, until the run has ended. In
/// between it may do several attempts at a time; the machine gives out no more of them than the graph allows.
///
/// ```
/// use agent_graph_runtime::json::{Object, Value};
/// use agent_graph_runtime::pi::{self, Write, words::WriteMode};
/// use agent_graph_runtime::pi::run::{AttemptResult, Next, Run, RunStatus, Success};
/// use agent_graph_runtime::Timestamp;
///
/// let text = r#"{
///   "schemaVersion": 2, "name": "review", "limits": {}, "entry": "draft",
///   "nodes": {
///     "draft": { "type": "agent", "prompt": "Write about {{ input.topic }}", "output": "text" },
///     "approve": { "type": "human", "kind": "confirm", "prompt": "Is this good?\n{{ text }}" }
///   },
///   "edges": [{ "from": "draft", "to": "approve" }]
/// }"#;
/// let graph = pi::parse("review.json".into(), text.as_bytes()).unwrap().graph();
/// # let now = || Timestamp::from_unix_milliseconds(0);
/// let input: Object = [("topic", "doors")].into_iter().collect();
/// let mut run = Run::start(&graph, "run-1", input, now())?;
/// let mut checkpoints = Vec::new();
/// let status = loop {
///     match run.next(now()) {
///         // With generated code: `match work.node.parse::<review::Node>()?`.
///         Next::Work(work) => {
///             let output = Value::from("A door opens.");
///             let write = Write { path: "text".into(), value: Some(output.clone()), mode: WriteMode::Reduce };
///             let success = Success { writes: vec![write], output: Some(output), ..Success::default() };
///             run.complete(work.ticket, success, now());
///         }
///         Next::Ask(question) => run.answer(question.ticket, Some(true.into()), now()),
///         Next::Checkpoint => checkpoints.push(run.snapshot()),
///         Next::Wait(wait) => unreachable!("nothing takes time here: {wait:?}"),
///         Next::Ended(status) => break status,
///     }
/// };
/// assert_eq!(status, RunStatus::Completed);
/// assert_eq!(run.state().get("text"), Some(&Value::from("A door opens.")));
/// assert_eq!(checkpoints.len(), 9);
/// # Ok::<(), agent_graph_runtime::pi::run::StartError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Run {
    graph: Graph,
    index: Index,
    run_id: Arc<str>,
    graph_hash: Digest,
    graph_source: Option<String>,
    status: RunStatus,
    created_at: Timestamp,
    started_at: Timestamp,
    ended_at: Option<Timestamp>,
    /// The latest time that was told.
    now: Timestamp,
    /// When this call of the run began.
    call_started: Timestamp,
    /// Milliseconds at work in earlier calls.
    active_before: u64,
    step: u64,
    node_runs: u64,
    state: Arc<Object>,
    /// The bytes of the state.
    bytes: u64,
    pending: Vec<Node>,
    counts: Named<u64>,
    consumed: Named<Named<u64>>,
    /// Barriers that may fire though none of their sources is done again.
    hot_barriers: Vec<u32>,
    usage: Usage,
    history: Vec<HistoryEntry>,
    threads: Named<ThreadRecord>,
    /// The nodes of each thread.
    thread_nodes: BTreeSet<(Arc<str>, Arc<str>)>,
    /// The bytes of the values whose size is limited, as far as they were measured.
    limited: Vec<Option<u64>>,
    flight: Option<Flight>,
    interrupt: Option<PendingInterrupt>,
    error: Option<RunError>,
    /// What a person answered, and to which node.
    resumed: Option<(Arc<str>, Value)>,
    is_aborted: bool,
    is_save_due: bool,
    stage: Stage,
    last_ticket: u64,
    /// What is noted for checkpoints, if somebody takes it.
    recording: Option<Recording>,
    events: VecDeque<Event>,
}

/// Where a call of the run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Nothing has happened yet.
    Opening,
    /// Between supersteps.
    Between,
    /// In a superstep.
    Within,
    /// At the end.
    Ended,
}

/// What is to be done next.
#[derive(Clone, Debug)]
pub enum Next {
    /// The run has come to a point that should survive a crash: take [`Run::snapshot`] and store it before
    /// going on. Whoever stores nothing goes on at once.
    Checkpoint,
    /// Make this attempt, and tell [`Run::complete`] what came of it; ask for more to do meanwhile.
    Work(Box<Work>),
    /// Ask a person, and tell [`Run::answer`] what they said, or that there is nobody; ask for more to do
    /// meanwhile.
    Ask(Box<Question>),
    /// There is nothing to begin now.
    Wait(Wait),
    /// This call of the run has ended.
    Ended(RunStatus),
}

/// A question to a person.
#[derive(Clone, Debug)]
pub struct Question {
    /// Which question this is, for the answer.
    pub ticket: Ticket,
    /// The node that asks.
    pub node: String,
    /// What it asks.
    pub interrupt: Interrupt,
}

/// What has to be waited for: the first of an attempt that completes, an answer, and a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// When there is more to do, whatever completes.
    pub until: Option<Timestamp>,
    /// Whether all attempts are to be ended, with this code.
    pub stop: Option<RunCode>,
}

impl Run {
    /// What is to be done next. Ask again after doing it, without waiting for attempts to complete.
    pub fn next(&mut self, now: Timestamp) -> Next {
        self.advance(now);
        // Each turn leads to another stage, settles a node or returns.
        loop {
            if core::mem::take(&mut self.is_save_due) {
                return Next::Checkpoint;
            }
            match self.stage {
                Stage::Opening => self.open(),
                Stage::Between => self.begin_step(),
                Stage::Within => {
                    if let Some(next) = self.within() {
                        return next;
                    }
                }
                Stage::Ended => return Next::Ended(self.status),
            }
        }
    }

    /// Ends the run for the caller. Attempts at work are to be ended, and completed with a failure of code
    /// `ABORTED`; what others had completed is kept.
    pub fn abort(&mut self, now: Timestamp) {
        self.advance(now);
        self.is_aborted = true;
    }

    /// The events since the last time they were taken, at most [`EVENTS_KEPT`].
    pub fn take_events(&mut self) -> Vec<Event> {
        core::mem::take(&mut self.events).into()
    }

    /// The graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The id.
    pub fn run_id(&self) -> &str {
        &self.run_id
    }

    /// Where the run is.
    pub fn status(&self) -> RunStatus {
        self.status
    }

    /// Whether this call of the run has ended: [`Run::next`] has nothing more to say than its status.
    pub fn has_ended(&self) -> bool {
        self.stage == Stage::Ended && !self.is_save_due
    }

    /// Why it failed.
    pub fn error(&self) -> Option<&RunError> {
        self.error.as_ref()
    }

    /// The question for which it waits.
    pub fn interrupt(&self) -> Option<&PendingInterrupt> {
        self.interrupt.as_ref()
    }

    /// The committed state.
    pub fn state(&self) -> &Object {
        &self.state
    }

    /// The superstep that was last begun.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// Attempts that were made.
    pub fn node_runs(&self) -> u64 {
        self.node_runs
    }

    /// What all attempts used.
    pub fn usage(&self) -> &Usage {
        &self.usage
    }

    /// What the nodes came to.
    pub fn history(&self) -> &[HistoryEntry] {
        &self.history
    }

    /// The part of the state that the run answers with: what the definition names, or what is usually the
    /// result. Nothing when nothing of it is there.
    pub fn result(&self) -> Option<Object> {
        outcome::projection(&self.graph, &self.state)
    }

    fn emit(&mut self, what: Happening) {
        if self.events.len() == EVENTS_KEPT {
            self.events.pop_front();
        }
        self.events.push_back(Event {
            at: self.now,
            step: self.step,
            what,
        });
    }

    /// Time never goes back, and stands still once the run has ended.
    fn advance(&mut self, now: Timestamp) {
        if self.stage != Stage::Ended {
            self.now = self.now.max(now);
        }
    }

    fn active_ms(&self) -> u64 {
        let since = milliseconds_between(self.call_started, self.now);
        self.active_before.saturating_add(since)
    }
}

fn milliseconds_between(from: Timestamp, to: Timestamp) -> u64 {
    let difference = to.unix_milliseconds() - from.unix_milliseconds();
    u64::try_from(difference).unwrap_or(0)
}

/// So many milliseconds later, or at the end of time.
fn later(time: Timestamp, milliseconds: u64) -> Timestamp {
    let milliseconds = i64::try_from(milliseconds).unwrap_or(i64::MAX);
    Timestamp::from_unix_milliseconds(time.unix_milliseconds().saturating_add(milliseconds))
}
