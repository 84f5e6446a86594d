//! The second protocol family: pi-graph, `schemaVersion: 2`. State and its paths, templates, conditions,
//! reducers; with feature `dynamic` also the definitions. Knows nothing about the provider family, and that
//! one nothing about this: what is common is JSON, documents with spans, digests and findings.
//!
//! A graph is run in four layers, each of which can be used without those behind it: [`run`], the machine that
//! says what is to be done and does nothing itself; [`agent`], what one agent is told and what its answer comes
//! to; [`executor`], who makes attempts (with feature `pi-process` as processes); [`runner`], which drives a run
//! with an executor and threads.
//!
//! The two dialects differ where it is easy to mix them up: names are ordered by array index and then by
//! UTF-16 code units (never by collation), objects keep array-index names in front, a missing value is not
//! `null`, and a condition never fails because of a type.

pub mod agent;
pub(crate) mod apply;
pub mod checkpoint;
mod condition;
#[cfg(feature = "dynamic")]
pub mod definition;
#[cfg(feature = "dynamic")]
mod diagnostic;
#[cfg(feature = "dynamic")]
pub mod discover;
pub mod executor;
#[cfg(feature = "dynamic")]
mod flatten;
#[doc(hidden)]
pub mod generated;
mod graph;
#[cfg(feature = "dynamic")]
mod load;
#[cfg(feature = "dynamic")]
mod network;
mod order;
mod path;
mod path_set;
mod pattern;
mod print;
#[cfg(all(feature = "pi-process", unix))]
pub mod process;
mod reducer;
pub mod run;
pub mod runner;
mod state;
mod state_error;
#[doc(hidden)]
pub mod tables;
mod template;
mod text;
mod typed;
pub mod words;

pub use condition::{Condition, Test};
#[cfg(feature = "dynamic")]
pub use definition::Definition;
#[cfg(feature = "dynamic")]
pub use diagnostic::{Diagnostic, DiagnosticCode, Edit, NotADefinition, PiFindings};
pub use graph::Graph;
#[doc(hidden)]
pub use graph::{
    condition as condition_in, path as path_in, template as template_in, value as value_in,
};
#[cfg(feature = "dynamic")]
pub use load::{Loaded, load, load_as, parse};
#[doc(hidden)]
#[cfg(feature = "dynamic")]
pub use load::{node_places, read};
pub use path::StatePath;
pub use pattern::{HARD_TEXT_UNITS, PATTERN_UNITS, Pattern, PatternProblem};
pub use print::{compact, compact_size, hash, pretty};
pub use reducer::{Write, commit};
pub use state::{get, merge, set, unset};
pub use state_error::StateError;
pub use template::{RENDERED_BYTES, Segment, Template};
pub use typed::Target;
