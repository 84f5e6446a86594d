//! The runtime of Agent Graph: what a host ships.
//!
//! A *provider* describes a workflow: graphs of action, gate, subgraph and terminal nodes, checks on facts,
//! outcomes, authorities, resources. It reaches a host in one of two ways, and is the same [`Provider`] then:
//!
//! * compiled in, by `agent_graph_macros::include_provider!` or `agent_graph_build::Builder`, as static tables
//!   and typed names;
//! * loaded at run time, by `Provider::load` (feature `dynamic`).
//!
//! The host keeps a [`State`]: the [`Facts`] it observed, the [`Outcome`]s it recorded, the authorities that
//! the session holds. An [`Evaluation`] says what comes next, and nothing else happens: evaluation reads its
//! arguments and no file, clock, environment or directory, and it writes and executes nothing.
//!
//! ```
//! use agent_graph_runtime::{Error, Outcome, Progress, Provider, State};
//!
//! /// Goes through a graph whose steps `take` knows how to take.
//! fn run(provider: &Provider, mut take: impl FnMut(&str) -> Outcome) -> Result<Option<Outcome>, Error> {
//!     let mut state = State::new();
//!     loop {
//!         let evaluation = provider.evaluate("release", "default", &state)?;
//!         match evaluation.progress() {
//!             Progress::Actionable(route) => {
//!                 let outcome = take(route.node());
//!                 state.record(&route, outcome);
//!             }
//!             Progress::Complete(outcome) => return Ok(Some(outcome)),
//!             Progress::WaitingUser(_) | Progress::Blocked | Progress::Error => return Ok(None),
//!         }
//!     }
//! }
//! ```
//!
//! # Where to begin
//!
//! * what comes next: [`State`], [`Provider::evaluate`], [`Progress`]; many times a second: [`Evaluator`];
//! * why nothing does: [`explain`] (feature `explain`);
//! * a loop that stops with a reason: [`driver`] (feature `driver`);
//! * files, commands and receipts of what comes next: `Installed::resolve` (feature `routes`);
//! * files that are compiled in: [`Embedded`];
//! * providers that come later: `Provider::load` (feature `dynamic`);
//! * state that survives: `runs` (feature `runs`);
//! * graphs of agents: `pi` (feature `pi`).
//!
//! # Data flows one way
//!
//! text → document → shape → definition → checks → tables → evaluation. A compiled-in provider enters at the
//! tables; a loaded one goes the whole way. The evaluator knows tables only, so the two cannot disagree.
//!
//! # Features
//!
//! * `std` (default): an operating system. Without it the crate is `no_std` with `alloc`.
//! * `routes` (default): providers installed in a folder, with the files, commands and receipts of routes.
//! * `explain` (default): why a run stands still. Needs no `std`.
//! * `driver` (default): a loop that stops with a reason. Needs no `std`.
//! * `unicode-collation` (default): object names beyond ASCII in facts and outcomes. Without it they are
//!   refused with [`Code::FeatureRequired`]: a digest never depends on a feature.
//! * `dynamic`: the loader.
//! * `user-schemas`: inputs and results of host actions held against the schemas that users write. Without
//!   it a definition with such an input is refused with [`Code::FeatureRequired`].
//! * `pi`: the second protocol family, pi-graph `schemaVersion: 2`.
//! * `pi-process`: agents of pi-graph run as processes; on Unix.
//! * `runs`: the run store.
//! * `materialize`: resources made by running their actions; on Unix.
//!
//! # Errors
//!
//! Calls answer with [`Error`], definitions with `Findings`; both carry a [`Code`], whose text is stable.
#![no_std]
// What is left out leaves parts of what it stands on without a use. With these features everything has one.
#![cfg_attr(
    not(all(feature = "driver", feature = "dynamic", feature = "routes")),
    allow(dead_code, unused_imports, unused_macros)
)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod candidate;
mod canonical;
#[cfg(all(any(feature = "materialize", feature = "pi-process"), unix))]
mod child;
mod code;
mod collation;
#[cfg(feature = "std")]
mod contained;
mod diagnostic;
mod digest;
#[cfg(feature = "driver")]
pub mod driver;
#[cfg(any(feature = "pi", feature = "routes"))]
#[doc(hidden)]
pub mod durable;
mod embedded;
mod error;
mod evaluate;
mod evaluation;
mod evaluator;
#[cfg(feature = "dynamic")]
mod excerpt;
#[cfg(feature = "explain")]
pub mod explain;
#[cfg(any(feature = "dynamic", feature = "explain"))]
#[doc(hidden)]
pub mod explore;
#[cfg(feature = "routes")]
mod extract;
mod fact_check;
mod facts;
#[cfg(feature = "dynamic")]
mod finding;
mod flat;
#[doc(hidden)]
pub mod generated;
#[cfg(feature = "routes")]
mod installed;
pub mod json;
#[cfg(feature = "dynamic")]
pub mod load;
#[cfg(all(feature = "materialize", unix))]
pub mod materialize;
#[doc(hidden)]
pub mod nearest;
pub mod order;
#[doc(hidden)]
pub mod ordered;
#[cfg(feature = "std")]
#[doc(hidden)]
pub mod paths;
#[cfg(feature = "pi")]
pub mod pi;
pub mod protocol;
mod provider;
#[cfg(feature = "dynamic")]
mod provider_override;
#[cfg(feature = "dynamic")]
mod rendering;
#[cfg(feature = "routes")]
mod route;
#[cfg(feature = "runs")]
pub mod runs;
#[cfg(feature = "std")]
mod scalar;
#[cfg(feature = "dynamic")]
mod source_texts;
mod span;
mod state;
#[cfg(feature = "dynamic")]
mod step;
#[doc(hidden)]
pub mod tables;
pub mod terminal;
mod text_hash;
#[cfg(any(feature = "pi", feature = "runs"))]
mod timestamp;
mod typed;
#[cfg(feature = "user-schemas")]
mod user_schema;
mod wire;

pub use candidate::Candidate;
pub use code::Code;
pub use diagnostic::Diagnostic;
pub use digest::{Digest, MalformedDigest, RouteId};
pub use embedded::Embedded;
pub use error::Error;
pub use evaluation::{Evaluation, EvaluationRef, Progress};
pub use evaluator::Evaluator;
pub use facts::Facts;
#[cfg(feature = "dynamic")]
pub use finding::{Finding, Findings, Level, Place};
#[cfg(feature = "routes")]
pub use installed::Installed;
#[cfg(feature = "dynamic")]
#[doc(hidden)]
pub use nearest::did_you_mean;
pub use protocol::{Availability, Outcome, Resolution, Severity, Status};
pub use provider::Provider;
#[cfg(feature = "dynamic")]
pub use rendering::Rendered;
#[cfg(feature = "routes")]
pub use route::{
    AdapterReceipt, AfterAction, CodeLocation, CommandItem, FileLocation, Freshness, GateAction,
    GraphActionContent, GraphActionLocation, HostActionCall, HostActionContent, HostActionInput,
    HostActionLocation, HostActionOutput, HostActionResult, HostActionSchemas, InspectedAction,
    InspectedCode, InspectedEntries, InspectedGraph, InspectedNode, InspectedResource,
    InspectionCounts, InspectionProvider, ProviderInspection, ReadReceipt, ReadReceipts,
    ResourceLocation, ResourceReference, Route, RouteAction, RouteGate, RouteInput, RouteResources,
    Run, validate_host_action_result,
};
#[cfg(feature = "dynamic")]
pub use source_texts::SourceTexts;
pub use span::{Position, Span};
pub use state::State;
#[cfg(feature = "dynamic")]
pub use step::Step;
#[cfg(any(feature = "pi", feature = "runs"))]
pub use timestamp::{MalformedTimestamp, Timestamp};
pub use typed::{Graph, NodeRef, StepPath, Untyped};
