//! Placeholder.

// Nothing uses the documents yet.
#[allow(dead_code)]
mod document;
pub mod limits;
