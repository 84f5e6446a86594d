//! Drives a run without doing anything by itself: the session says what to do next, the host does it and
//! says how it went. Nothing is executed, read or waited for here, so a session fits into a loop, a thread,
//! a future or a durable engine alike.
//!
//! ```
//! use agent_graph_runtime::driver::{Next, Session, Stop, Task};
//! use agent_graph_runtime::{Error, Outcome, Provider, State};
//!
//! fn run(provider: &Provider, mut state: State) -> Result<Stop, Error> {
//!     let mut session: Session = Session::new(provider.clone(), "release", "default")?;
//!     loop {
//!         let work = match session.next(&state) {
//!             Next::Work(work) => work,
//!             Next::Stop(stop) => return Ok(stop),
//!         };
//!         let outcome = match work.task() {
//!             Task::Run(run) => { println!("run {}", run.action); Outcome::Completed }
//!             Task::Gate(gate) => { println!("decide: {}", gate.prompt); Outcome::Skipped }
//!         };
//!         session.complete(work, outcome)?.apply(&mut state);
//!     }
//! }
//! ```

mod adapters;
mod changes;
mod reading;
mod session;
mod stop;
mod trace;
mod work;

pub use adapters::{DryRun, drive, drive_async};
pub use changes::{AuthorityChanges, Changes, FactChange, OutcomeChange};
#[cfg(feature = "routes")]
pub use reading::Receipts;
pub use reading::{Everything, Reading, Unread};
pub use session::{Next, Record, Session};
pub use stop::{Stop, StopReason};
pub use trace::TraceStep;
pub use work::{GateTask, Run, Runner, Task, Work};
