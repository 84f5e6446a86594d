//! The tables of a pi-graph in, Rust source out: a mechanical printing, as for providers. The generated module
//! holds the tables in a private module, the graph as a constant, and typed names: `Node`, one enumeration a
//! kind of node, `Kind` to tell them apart, and `Target`. Reads no files.

mod literal;
mod names;
#[cfg(feature = "parse-back")]
pub mod parse_back;
mod rows;
mod sketch;

use std::path::Path;

use agent_graph_runtime::Findings;
use agent_graph_runtime::pi::tables::{OwnedTables, TABLE_FORMAT, Tables};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::docs::{code, docs};
use super::enumeration::{Enumeration, Style, Variant};
use super::{Baked, INDENT, provider};
use crate::names::identifier;
use crate::settings::Settings;
pub use names::NodePlaces;
use names::{KindNames, Naming};

/// Prints tables as a module.
///
/// # Errors
///
/// When the ids of nodes cannot get different names, or a rename names no node.
pub fn module(tables: &Tables<'_>, settings: &Settings) -> Result<Baked, Findings> {
    module_at(tables, settings, &|_| Vec::new())
}

/// The same, with findings at the places where the ids of nodes are written.
///
/// # Errors
///
/// Those of [`module`].
pub fn module_at(
    tables: &Tables<'_>,
    settings: &Settings,
    places: NodePlaces<'_>,
) -> Result<Baked, Findings> {
    let naming = names::name(tables, &settings.renames, places)?;
    let runtime = &settings.runtime;
    Ok(Baked {
        head: provider::head_with(&graph_docs(tables), settings),
        items: items(tables, &naming, settings),
        imports: quote!(use #runtime::pi::generated::rows::*;),
        rows: rows::write(tables, &naming, INDENT),
    })
}

/// What a macro leaves behind when the definition is wrong: a module with the nodes that can be read all the same,
/// each by its kind.
///
/// # Errors
///
/// Never; no two ids can meet where there are none.
pub fn skeleton(file: &Path, settings: &Settings) -> Result<Baked, Findings> {
    let known = sketch::tables(file);
    let mut settings = settings.clone();
    if let Ok(module) = module(&known.as_tables(), &settings) {
        return Ok(module);
    }
    settings.renames = crate::names::Renames::new();
    module(&known.as_tables(), &settings)
        .or_else(|_| module(&OwnedTables::default().as_tables(), &settings))
}

/// What a macro leaves behind in a host that does not depend on the runtime: an empty module.
pub fn bare(_: &Path, settings: &Settings) -> TokenStream {
    let head = provider::head_with(&TokenStream::new(), settings);
    quote!(#head {})
}

fn graph_docs(tables: &Tables<'_>) -> TokenStream {
    let sentence = format!("The graph {}.", code(tables.text(tables.graph.name)));
    docs(&sentence, tables.text_or_none(tables.graph.description))
}

fn items(tables: &Tables<'_>, naming: &Naming, settings: &Settings) -> TokenStream {
    let style = Style::of(settings);
    let runtime = &style.runtime;
    let format = Literal::u32_unsuffixed(TABLE_FORMAT);
    let generator = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"));
    let graph_docs = graph_docs(tables);
    let all: Vec<u32> = (0..).take(tables.nodes.len()).collect();
    let nodes = Enumeration {
        name: "Node",
        docs: docs("The nodes of the graph.", None),
        expected: "node of the graph".to_owned(),
        variants: variants(tables, naming, &all),
        lookup: &|variant| quote!(#runtime::pi::generated::node_id(&tables::TABLES, #variant)),
    };
    let nodes = nodes.tokens(&style);
    let kinds = naming
        .kinds
        .iter()
        .map(|kind| kind_items(tables, naming, kind, &style));
    let kind = kind_of_node(tables, naming, &style.marker);
    quote! {
        #runtime::pi::generated::table_format!(#format, #generator);

        #graph_docs
        pub const GRAPH: #runtime::pi::Graph = #runtime::pi::Graph::__from_static(&tables::TABLES);

        #nodes

        #( #kinds )*

        #kind

        /// Where an edge or a route leads.
        pub type Target = #runtime::pi::Target<Node>;
    }
}

fn variants(tables: &Tables<'_>, naming: &Naming, rows: &[u32]) -> Vec<Variant> {
    rows.iter()
        .map(|&index| {
            let row = tables.row(tables.nodes, index);
            let name = naming.nodes.get(index as usize).cloned();
            Variant {
                name: name.unwrap_or_default(),
                docs: docs(
                    &format!("{}.", code(tables.text(row.id))),
                    tables.text_or_none(row.description),
                ),
            }
        })
        .collect()
}

/// The enumeration of the nodes of one kind, each of which is a node.
fn kind_items(
    tables: &Tables<'_>,
    naming: &Naming,
    kind: &KindNames,
    style: &Style,
) -> TokenStream {
    let runtime = &style.runtime;
    let pool = identifier(kind.pool);
    let enumeration = Enumeration {
        name: kind.enumeration,
        docs: docs(kind.sentence, None),
        expected: format!("{} node of the graph", kind.node_type),
        variants: variants(tables, naming, &kind.rows),
        lookup: &|variant| quote!(#runtime::pi::generated::listed_id(&tables::TABLES, &tables::#pool, #variant)),
    };
    let enumeration = enumeration.tokens(style);
    let name = identifier(kind.enumeration);
    let nodes = node_idents(naming, &kind.rows);
    quote! {
        #enumeration

        impl ::core::convert::From<#name> for Node {
            fn from(node: #name) -> Self {
                match node { #( #name::#nodes => Self::#nodes, )* }
            }
        }
    }
}

/// `Kind`, and the kind of each node: a match on it that names all nodes breaks when one is added.
fn kind_of_node(tables: &Tables<'_>, naming: &Naming, marker: &TokenStream) -> TokenStream {
    let arms = naming.kinds.iter().flat_map(|kind| {
        let name = identifier(kind.enumeration);
        node_idents(naming, &kind.rows)
            .into_iter()
            .map(move |node| quote!(Self::#node => Kind::#name(#name::#node),))
    });
    let variants = naming.kinds.iter().map(|kind| {
        let name = identifier(kind.enumeration);
        let line = format!(" {}", kind.sentence);
        quote!(#[doc = #line] #name(#name),)
    });
    // Without nodes there is nothing to match.
    let body = if tables.nodes.is_empty() {
        quote!(match self {})
    } else {
        quote!(match self { #( #arms )* })
    };
    quote! {
        /// A node, by what it does.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #marker
        pub enum Kind { #( #variants )* }

        impl Node {
            /// What the node does.
            #[must_use]
            pub const fn kind(self) -> Kind { #body }
        }
    }
}

fn node_idents(naming: &Naming, rows: &[u32]) -> Vec<proc_macro2::Ident> {
    let names = rows
        .iter()
        .filter_map(|&row| naming.nodes.get(row as usize));
    names.map(|name| identifier(name)).collect()
}
