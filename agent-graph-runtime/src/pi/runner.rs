//! Drives a run to its end with threads: an executor makes the attempts, as many at a time as the graph
//! allows, a callback asks people, another one stores checkpoints. Knows nothing about how attempts are made.
//!
//! The machine itself waits for nothing and does no I/O, so a host that is asynchronous drives it with tasks
//! of its own instead. That loop is short:
//!
//! ```
//! use core::{future::Future, pin::Pin};
//! use agent_graph_runtime::Timestamp;
//! use agent_graph_runtime::pi::run::{AttemptResult, Next, Run, RunStatus, Ticket, Wait, Work};
//!
//! type Attempt = Pin<Box<dyn Future<Output = (Ticket, AttemptResult)>>>;
//!
//! /// What a host has anyway: its clock, and a set of tasks of which it awaits the first.
//! trait Tasks {
//!     fn now(&self) -> Timestamp;
//!     fn spawn(&mut self, attempt: Attempt);
//!     async fn first(&mut self, wait: Wait) -> Option<(Ticket, AttemptResult)>;
//! }
//!
//! async fn drive(run: &mut Run, tasks: &mut impl Tasks, attempt: impl Fn(Work) -> Attempt) -> RunStatus {
//!     loop {
//!         match run.next(tasks.now()) {
//!             Next::Work(work) => tasks.spawn(attempt(*work)),
//!             Next::Ask(question) => run.answer(question.ticket, None, tasks.now()),
//!             Next::Checkpoint => { /* store run.snapshot() */ }
//!             Next::Wait(wait) => {
//!                 if let Some((ticket, result)) = tasks.first(wait).await {
//!                     run.complete(ticket, result, tasks.now());
//!                 }
//!             }
//!             Next::Ended(status) => return status,
//!         }
//!     }
//! }
//! ```

mod abort;
mod desk;
mod keeping;
mod kept;

use alloc::boxed::Box;
use core::fmt;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Scope};

pub use abort::Abort;
use desk::{Clock, Desk, Done, Supervised};
pub use keeping::KeptRunError;
use keeping::{ByFunction, Keeping};

use super::executor::Executor;
use super::run::{AttemptResult, Event, Failure, Next, Question, Run, RunCode, RunStatus, Work};
use crate::json::Value;
use crate::timestamp::Timestamp;

/// Why a checkpoint could not be stored.
pub type StoreError = Box<dyn core::error::Error + Send + Sync>;

type Ask<'r> = Box<dyn FnMut(&Question) -> Option<Value> + Send + 'r>;
type Store<'r> = Box<dyn FnMut(&mut Run) -> Result<(), StoreError> + 'r>;
type Observe<'r> = Box<dyn FnMut(&Event) + 'r>;

/// Drives runs with an executor.
///
/// ```
/// use agent_graph_runtime::pi::executor::Scripted;
/// use agent_graph_runtime::pi::run::{Run, RunStatus};
/// use agent_graph_runtime::pi::runner::Runner;
/// use agent_graph_runtime::{Timestamp, json::{Object, Value}, pi};
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
/// let input: Object = [("topic", "doors")].into_iter().collect();
/// let mut run = Run::start(&graph, "run-1", input, Timestamp::from(std::time::SystemTime::now()))?;
///
/// let executor = Scripted::new().says("draft", "A door opens.");
/// let status = Runner::new(&executor)
///     .asking(|question| question.interrupt.prompt.contains("door").then_some(true.into()))
///     .drive(&mut run)?;
/// assert_eq!(status, RunStatus::Completed);
/// assert_eq!(run.state().get("text"), Some(&Value::from("A door opens.")));
/// # Ok::<(), Box<dyn std::error::Error + Send + Sync>>(())
/// ```
pub struct Runner<'r> {
    executor: &'r dyn Executor,
    ask: Option<Mutex<Ask<'r>>>,
    store: Option<Store<'r>>,
    observe: Option<Observe<'r>>,
    abort: Abort,
    at_most: usize,
    time: Option<Timestamp>,
}

impl<'r> Runner<'r> {
    /// Makes attempts with this executor. Nobody is asked: human nodes interrupt the run.
    pub fn new(executor: &'r dyn Executor) -> Self {
        Self {
            executor,
            ask: None,
            store: None,
            observe: None,
            abort: Abort::new(),
            at_most: 64,
            time: None,
        }
    }

    /// Asks people with this function, one question at a time, while attempts go on beside it. Nothing means
    /// that there is nobody: the run is interrupted. A call does not end, even when the run is ended, before
    /// the function has answered.
    #[must_use]
    pub fn asking(mut self, ask: impl FnMut(&Question) -> Option<Value> + Send + 'r) -> Self {
        self.ask = Some(Mutex::new(Box::new(ask)));
        self
    }

    /// Stores checkpoints with this function, which takes them from the run: [`Run::snapshot`], or what has
    /// happened, [`Run::take_progress`]. Its error ends the attempts and
    /// the call: a run that cannot be stored does not go on.
    #[must_use]
    pub fn storing(mut self, store: impl FnMut(&mut Run) -> Result<(), StoreError> + 'r) -> Self {
        self.store = Some(Box::new(store));
        self
    }

    /// Tells this function what happens.
    #[must_use]
    pub fn observing(mut self, observe: impl FnMut(&Event) + 'r) -> Self {
        self.observe = Some(Box::new(observe));
        self
    }

    /// Ends runs with this handle.
    #[must_use]
    pub fn ended_by(mut self, abort: &Abort) -> Self {
        self.abort = abort.clone();
        self
    }

    /// Makes at most so many attempts at a time, however many the graph allows; 64 where nothing is said.
    #[must_use]
    pub fn at_most(mut self, attempts: usize) -> Self {
        self.at_most = attempts.max(1);
        self
    }

    /// Takes this for the time at which a call begins, in place of that of the operating system. From there on
    /// time goes on evenly.
    #[must_use]
    pub fn beginning_at(mut self, time: Timestamp) -> Self {
        self.time = Some(time);
        self
    }

    /// Drives a run until this call of it ends: it is over, it waits for a person, or it is ended. The
    /// attempts of the call are over then as well.
    ///
    /// # Errors
    /// That of the function that stores checkpoints.
    pub fn drive(&mut self, run: &mut Run) -> Result<RunStatus, StoreError> {
        let mut store = self.store.take();
        let ended = self.call(
            run,
            Clock::start(self.time),
            &mut ByFunction(store.as_mut()),
        );
        self.store = store;
        ended
    }

    /// One call of a run whose checkpoints are kept.
    fn call<K: Keeping>(
        &mut self,
        run: &mut Run,
        clock: Clock,
        keeping: &mut K,
    ) -> Result<RunStatus, K::Error> {
        let desk = Desk::new(run, clock, &self.abort);
        let (executor, ask, at_most) = (self.executor, self.ask.as_ref(), self.at_most);
        let observe = &mut self.observe;
        thread::scope(|scope| {
            let office = Office {
                scope,
                desk: &desk,
                executor,
                ask,
            };
            loop {
                let seen = desk.rings();
                desk.take_in();
                let is_due = |renewal: Timestamp| renewal <= clock.now();
                if keeping.renewal().is_some_and(is_due) {
                    stopping(&desk, keeping.renew(clock.now()))?;
                }
                let renewal = keeping.renewal();
                let is_full = desk.at_work() >= at_most && !desk.is_ending();
                if is_full {
                    desk.wait(renewal, seen);
                    continue;
                }
                let next = desk.next();
                if let Some(observe) = observe {
                    desk.events().iter().for_each(observe);
                }
                match next {
                    Next::Work(work) => office.begin(*work),
                    Next::Ask(question) => office.ask(*question),
                    Next::Wait(wait) => {
                        if let Some(code) = wait.stop {
                            desk.stop(code);
                        }
                        let until = [wait.until, renewal].into_iter().flatten().min();
                        desk.wait(until, seen);
                    }
                    Next::Ended(status) => return Ok(status),
                    Next::Checkpoint => {
                        let kept = desk.with_run(|run| keeping.keep(run, clock.now()));
                        stopping(&desk, kept)?;
                    }
                }
            }
        })
    }
}

/// Stops the attempts at work before an error ends the call, which waits for them.
fn stopping<E>(desk: &Desk<'_>, result: Result<(), E>) -> Result<(), E> {
    if result.is_err() {
        desk.stop(RunCode::Aborted);
    }
    result
}

/// Where threads are started.
struct Office<'s, 'e, 'd, 'r> {
    scope: &'s Scope<'s, 'e>,
    desk: &'s Desk<'d>,
    executor: &'s dyn Executor,
    ask: Option<&'s Mutex<Ask<'r>>>,
}

impl Office<'_, '_, '_, '_> {
    fn begin(&self, work: Work) {
        let (desk, executor) = (self.desk, self.executor);
        let ticket = work.ticket;
        let attempt = move || {
            let watch = Supervised { desk, ticket };
            let result = desk::guarded(|| executor.execute(&work, &watch));
            // It holds the state, which would be copied for whoever changes it next.
            drop(work);
            let result = result.unwrap_or_else(|| execution_error("the executor panicked"));
            desk.put_down(Done::Attempt(ticket, result));
        };
        desk.begin();
        if thread::Builder::new()
            .spawn_scoped(self.scope, attempt)
            .is_err()
        {
            let result = execution_error("there is no thread for the attempt");
            desk.put_down(Done::Attempt(ticket, result));
        }
    }

    fn ask(&self, question: Question) {
        let ticket = question.ticket;
        self.desk.begin();
        let Some(ask) = self.ask else {
            self.desk.put_down(Done::Answer(ticket, None));
            return;
        };
        let desk = self.desk;
        let asking = move || {
            let answer = desk::guarded(|| {
                let mut ask = ask.lock().unwrap_or_else(PoisonError::into_inner);
                ask(&question)
            });
            desk.put_down(Done::Answer(ticket, answer.flatten()));
        };
        if thread::Builder::new()
            .spawn_scoped(self.scope, asking)
            .is_err()
        {
            self.desk.put_down(Done::Answer(ticket, None));
        }
    }
}

/// What escapes an executor is its own failure; another attempt may go better.
fn execution_error(message: &str) -> AttemptResult {
    Failure::new(RunCode::ExecutionError, message)
        .retryable()
        .into()
}

impl fmt::Debug for Runner<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runner").finish_non_exhaustive()
    }
}
