//! Everything about one agent node that needs no process, file or clock: what the agent is told, how it is
//! started, how its events are read, and what its answer comes to. [`Attempt`] holds these together for
//! whoever runs the process, in whatever way.
//!
//! Knows the rows of a node and the state it sees, nothing about supersteps.

mod artifact;
mod attempt;
mod capture;
mod command;
mod cut;
mod events;
mod node;
mod prompt;
mod reply;
mod session;
mod transcript;
mod wording;

pub use artifact::Artifact;
pub use attempt::{Attempt, Ended, Report, Store};
pub use events::LINE_BYTES;
pub use node::AgentNode;
pub use prompt::{PROMPT_BYTES, Prompt, PromptBytes};
#[cfg(all(feature = "pi-process", unix))]
pub(crate) use session::is_plain;
pub use session::{Found, Session};
pub use wording::{Phrase, Wording};
