//! The run store (spec 1.11, 7): what a session observed and did, kept so that nothing that was
//! acknowledged is lost.
//!
//! A [`Run`] holds facts, outcomes and authorities, and an event for each change. [`Runs`] keeps runs in
//! a [`RunStore`]: in files with [`FileStore`], or wherever a host keeps its data, see [`suite`].
//!
//! ```
//! use agent_graph_runtime::runs::{NewRun, Runs};
//! use agent_graph_runtime::{Facts, Outcome};
//! # let folder = std::env::temp_dir().join(format!("agent-graph-doc-{}", std::process::id()));
//! let runs = Runs::in_files();
//! let path = folder.join("run.json");
//! runs.create(&path, NewRun::new("shop", "release").authorities(["release.approve"]))?;
//! runs.update_facts(&path, Facts::from_json(r#"{"branch": "main"}"#)?)?;
//! let run = runs.record(&path, "release/inspect", Outcome::Completed, None)?;
//! assert_eq!(run.last_sequence(), 3);
//! # std::fs::remove_dir_all(folder).unwrap();
//! # Ok::<(), agent_graph_runtime::Error>(())
//! ```
//!
//! # What holds
//!
//! * A call that returned `Ok` is on the disk. A crash at any point leaves the run before the change or
//!   after it, never something else; it may leave a file `.agent-graph-*.tmp` behind.
//! * Changes of one run come one after the other, from any number of threads and processes, and events
//!   are numbered without gaps. Where that cannot be had, the call ends with
//!   [`Code::RunConflict`](crate::Code::RunConflict) and nothing is changed.
//! * Whatever is read or written has the shape of a run, closed, or the call ends with
//!   [`Code::SchemaInvalid`](crate::Code::SchemaInvalid).
//! * A run is evaluated with its own provider only
//!   ([`Code::RunProviderMismatch`](crate::Code::RunProviderMismatch)).
//! * Time and ids come from a [`Clock`] and [`RunIds`] that a host can replace.

mod change;
mod clock;
mod files;
mod ids;
mod lock;
mod new;
mod operations;
mod read;
mod run;
mod store;
pub mod suite;

pub use change::Change;
pub use clock::{Clock, SystemClock, Timestamp};
pub use files::FileStore;
pub use ids::{RandomIds, RunIds};
pub use new::NewRun;
pub use operations::Runs;
pub use run::{Event, OutcomeRecord, Run};
pub use store::RunStore;
