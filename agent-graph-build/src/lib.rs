//! Turns declarative agent workflow providers into Rust: what stands behind `include_provider!`, and the
//! same for build scripts.

pub mod bake;
mod names;
mod settings;

pub use settings::Settings;
