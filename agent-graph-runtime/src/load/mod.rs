//! Placeholder.

// Nothing uses the documents yet.
#[allow(dead_code)]
mod document;
#[allow(dead_code)]
mod files;
pub mod limits;
#[allow(dead_code)]
mod nearest;
