//! Loads a provider: files in, a definition and its tables out, or everything that is wrong with it
//! (spec section 3). Knows the order of the checks; each check lives in a module of its own.
//!
//! ```text
//! files -> document -> shape -> definition -> graph, references, materializers -> digests -> flatten
//! ```

mod actions;
mod bundle;
mod calls;
mod catalog;
mod catalogs;
mod cycles;
mod decode;
pub mod definition;
mod digests;
pub(crate) mod document;
pub(crate) mod files;
mod flatten;
mod graph;
pub mod limits;
mod materializers;
mod provider;
mod reach;
mod reading;
mod references;
mod registry;
mod report;
mod resource;
mod resources;
pub mod shape;
mod skill_binding;
mod source_order;
mod sources;
mod state_keys;

use crate::nearest;

pub use calls::FRAMES_LIMIT;
pub use catalogs::{CatalogEntry, Catalogs};
pub use provider::{LoadOptions, Loaded, load, load_watched, load_with};

/// The value of a document, as the files of a provider are read. For tests of the reader, and for those who
/// write documents and have to know that they can be read.
#[doc(hidden)]
pub fn value_of_document(file: &str, bytes: &[u8]) -> Result<crate::json::Value, crate::Finding> {
    let format = document::Format::of_path(file);
    let document = document::Document::parse(file.into(), bytes, format)?;
    Ok(document.root().to_value())
}

/// The places of all values of a document, each value before those in it. For tests of the reader.
#[doc(hidden)]
pub fn places_of_document(
    file: &str,
    bytes: &[u8],
) -> Result<alloc::vec::Vec<crate::Place>, crate::Finding> {
    let format = document::Format::of_path(file);
    let document = document::Document::parse(file.into(), bytes, format)?;
    let mut places = alloc::vec::Vec::new();
    document.root().add_places(&mut places);
    Ok(places)
}

pub use reading::{read_frontmatter, read_shaped, read_value};
pub use registry::Registry;
pub use skill_binding::{
    Bound, ResolvedSkillBinding, SkillBinding, bind, bind_watched, bind_with, check_binding,
};
