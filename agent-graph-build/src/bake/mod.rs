//! Tables in, Rust source out. A mechanical printing: the rows are the ones the loader made, so a
//! router that is compiled in and one that is loaded cannot disagree. Reads no files.
//!
//! The generated module holds the tables as `static` pools in a private module, the provider as a
//! constant, its files if they are embedded, and typed names: provider-wide `Handler`, `Authority` and `ReasonCode`, and below `graphs`
//! one module a graph with `Graph`, `Entry`, `Node` and `Step`.

mod bare;
mod docs;
mod edges;
mod enumeration;
mod graph;
mod labels;
mod literal;
mod naming;
#[cfg(feature = "parse-back")]
pub mod parse_back;
#[cfg(feature = "pi")]
pub mod pi;
mod pools;
mod provider;
mod rows;

use std::path::Path;

use agent_graph_runtime::Findings;
use agent_graph_runtime::tables::{OwnedTables, Tables};
use proc_macro2::TokenStream;
use quote::quote;

use crate::names::Renames;
use crate::settings::Settings;
use crate::sketch;
#[cfg(feature = "source")]
pub(crate) use docs::attributes as doc_attributes;

/// A generated module.
#[derive(Clone, Debug)]
pub struct Baked {
    /// Attributes, visibility and name.
    head: TokenStream,
    /// The items, but for the module `tables`.
    items: TokenStream,
    /// What the module `tables` begins with.
    imports: TokenStream,
    /// The other items of the module `tables`, with comments.
    rows: String,
}

/// The indentation of an item in the module `tables`.
const INDENT: &str = "        ";

/// Prints tables as a module.
///
/// # Errors
///
/// When the ids of a scope cannot get different names, or a rename names no id.
pub fn module(tables: &Tables<'_>, settings: &Settings) -> Result<Baked, Findings> {
    let naming = naming::name(tables, &settings.renames)?;
    let runtime = &settings.runtime;
    Ok(Baked {
        head: provider::head(tables, settings),
        items: provider::items(tables, &naming, settings),
        imports: quote!(use #runtime::generated::rows::*;),
        rows: rows::write(tables, &naming.lists, INDENT),
    })
}

/// What a macro leaves behind when the definition is wrong: a module with the names that can be known all the
/// same, so that the compiler complains about the definition and not about missing names.
///
/// # Errors
///
/// Never; no two ids can meet where there are none.
pub fn skeleton(manifest: &Path, settings: &Settings) -> Result<Baked, Findings> {
    let known = sketch::tables(manifest);
    let settings = &Settings {
        #[cfg(feature = "picture")]
        picture: false,
        ..settings.clone()
    };
    let without_renames = Settings {
        renames: Renames::new(),
        ..settings.clone()
    };
    let sketches = [(&known, settings), (&known, &without_renames)];
    let mut modules = sketches
        .iter()
        .map(|(known, settings)| module(&known.as_tables(), settings));
    if let Some(module) = modules.find_map(Result::ok) {
        return Ok(module);
    }
    // Names that meet are those of nodes, mostly: the graphs alone are better than nothing.
    let graphs = sketch::graphs_alone(known);
    module(&graphs.as_tables(), &without_renames)
        .or_else(|_| module(&OwnedTables::default().as_tables(), &without_renames))
}

/// What a macro leaves behind in a host that does not depend on the runtime: the names of the module, as far as
/// they can be known, made of nothing but `core`.
pub fn bare(manifest: &Path, settings: &Settings) -> TokenStream {
    let known = sketch::tables(manifest);
    let tables = known.as_tables();
    let head = provider::head(&tables, settings);
    let naming = naming::name(&tables, &settings.renames);
    let naming = naming.or_else(|_| naming::name(&tables, &Renames::new()));
    let items =
        naming.map(|naming| bare::items(&tables, &naming, &graph::graphs_with_steps(&tables)));
    let items = items.unwrap_or_default();
    quote!(#head { #items })
}

impl Baked {
    /// The module as tokens, for a macro. `tracked` is put at its beginning: what makes the compiler
    /// watch the files of the provider.
    ///
    /// # Errors
    ///
    /// When the rows do not lex as Rust, which would be a mistake of this crate.
    pub fn to_tokens(&self, tracked: &TokenStream) -> Result<TokenStream, proc_macro2::LexError> {
        Ok(self.assemble(tracked, &self.rows.parse()?))
    }

    /// The module as formatted source text.
    ///
    /// # Errors
    ///
    /// When the module does not parse as Rust: a setting holds tokens that make no sense where they
    /// end up.
    #[cfg(feature = "source")]
    pub fn to_source(&self) -> syn::Result<String> {
        let placeholder = quote!(
            const ROWS: () = ();
        );
        let file = syn::parse2(self.assemble(&TokenStream::new(), &placeholder))?;
        let source = prettyplease::unparse(&file);
        let line = format!("{INDENT}const ROWS: () = ();\n");
        Ok(source.replacen(&line, &self.rows, 1))
    }

    fn assemble(&self, tracked: &TokenStream, rows: &TokenStream) -> TokenStream {
        let Self {
            head,
            items,
            imports,
            ..
        } = self;
        quote! {
            #head {
                #tracked
                #items
                mod tables {
                    #imports
                    #rows
                }
            }
        }
    }
}
