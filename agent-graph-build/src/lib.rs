//! Turns declarative agent workflow providers into Rust: what stands behind `include_provider!`, and the
//! same for build scripts.
//!
//! * A build script calls [`Builder`].
//! * A test of a host calls [`graph_test`], by way of `agent_graph_macros::graph_tests!`.
//! * Tools call [`expand`] or, for tables in memory, [`bake::module`]; [`lint`], [`diff`] and [`bundle`] for what
//!   lies between writing a provider and shipping it.
//!
//! ```no_run
//! // build.rs
//! agent_graph_build::Builder::new("workflow/provider.yaml")
//!     .module("release")
//!     .emit();
//! ```
//!
//! # Features
//!
//! * `source` (default): formatted source text, and with it [`Builder`]. The macro does without.
//! * `graph-tests`: runs the graph tests of a provider, which `graph_tests!` makes tests of the host.
//! * `bundle`: bundles are written to a folder, an older one replaced in one step.
//! * `picture`: graphs as SVG and Mermaid.
//! * `cli`: the command line `agent-graph`, with all of the above and `user-schemas`.
//! * `user-schemas`: providers with host-action resources, whose inputs follow schemas that users write.
//! * `pi`: definitions of pi-graph `schemaVersion: 2`.
//! * `parse-back`: for our own tests.
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod bake;
#[cfg(feature = "source")]
mod builder;
pub mod bundle;
#[cfg(feature = "cli")]
pub mod cli;
pub mod diff;
mod expand;
pub mod graph_test;
pub mod lint;
mod names;
#[cfg(feature = "pi")]
pub mod pi;
#[cfg(feature = "picture")]
pub mod picture;
pub mod report;
mod settings;
mod sketch;
mod yaml;

/// What is wrong with a definition, as the runtime's loader says it.
pub use agent_graph_runtime::Findings;
#[cfg(feature = "source")]
pub use builder::{Builder, Generated};
pub use expand::{Expansion, expand, folder_of};
pub use settings::Settings;
