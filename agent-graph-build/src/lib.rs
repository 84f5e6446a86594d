//! Turns declarative agent workflow providers into Rust: what stands behind `include_provider!`, and the
//! same for build scripts.
//!
//! A build script calls [`Builder`]. Tools and tests call [`expand`] or, for tables in memory,
//! [`bake::module`].

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
