//! Pictures of graphs: as SVG, laid out here, and as Mermaid text. Knows tables and text; nothing about files,
//! commands or fonts: widths are estimated, so that the same graph is the same bytes everywhere.
//!
//! What a picture shows does not hang on colour: kinds of nodes have shapes of their own, kinds of edges have
//! lines and heads of their own, and how a node stands has a sign. Text and lines take the colour of what is
//! around them, so that the same picture serves light and dark pages.
//!
//! ```
//! use agent_graph_build::picture::{Diagram, mermaid, svg};
//! # fn draw(provider: &agent_graph_runtime::Provider) -> Result<(), agent_graph_runtime::Error> {
//! let diagram = Diagram::of_graph(&provider.tables(), "release")?;
//! let (svg, mermaid) = (svg(&[diagram.clone()])?, mermaid(&[diagram]));
//! # Ok(())
//! # }
//! ```

mod diagram;
mod drawing;
mod layout;
mod legend;
mod measure;
mod mermaid;
#[cfg(feature = "pi")]
mod pi;
mod provider;
mod run;
mod shape;
mod svg;
mod wire;

use agent_graph_runtime::Error;
use agent_graph_runtime::tables::Tables;

pub use diagram::Diagram;
pub use drawing::{EDGE_LIMIT, Label, NODE_LIMIT, Picture};
pub use mermaid::mermaid;

/// The diagrams as SVG, one below the other. It has no ids, so that a page can hold several.
///
/// # Errors
///
/// As [`Picture::of`].
pub fn svg(diagrams: &[Diagram]) -> Result<String, Error> {
    Ok(Picture::of(diagrams)?.svg())
}

/// A graph of a provider as SVG.
///
/// # Errors
///
/// As [`Diagram::of_graph`] and [`Picture::of`].
pub fn graph_svg(tables: &Tables<'_>, graph: &str) -> Result<String, Error> {
    svg(&[Diagram::of_graph(tables, graph)?])
}
