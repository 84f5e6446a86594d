//! The names of a module without the runtime: what is left behind in a host that does not depend on it, so that
//! this is the only thing the compiler complains about.

use agent_graph_runtime::protocol::NodeKind;
use agent_graph_runtime::tables::Tables;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::naming::Naming;
use crate::names::identifier;

/// Attributes of everything: nothing of it is documented or used.
fn allowed() -> TokenStream {
    quote!(#[allow(missing_docs, dead_code, clippy::pedantic)])
}

/// The items of the module.
pub(super) fn items(tables: &Tables<'_>, naming: &Naming, has_steps: &[bool]) -> TokenStream {
    let lists = naming.lists.iter().map(|listed| {
        let variants = identifiers(&listed.names);
        enumeration(listed.kind.enumeration, &quote!(#( #variants, )*))
    });
    let graphs = tables.graphs.iter().enumerate().map(|(index, graph)| {
        let name = module_name(naming, index);
        let entries = identifiers(naming.entries.get(index).into_iter().flatten());
        let entry = enumeration("Entry", &quote!(#( #entries, )*));
        let nodes = identifiers(naming.nodes.get(index).into_iter().flatten());
        let node = enumeration("Node", &quote!(#( #nodes, )*));
        let rows = tables.rows(tables.nodes, graph.nodes);
        let steps = rows
            .iter()
            .zip(&nodes)
            .filter_map(|(row, name)| match row.kind {
                NodeKind::Terminal => None,
                NodeKind::Action | NodeKind::Gate => Some(quote!(#name,)),
                NodeKind::Subgraph => {
                    let called = tables.row(tables.calls, row.detail).graph as usize;
                    let child = module_name(naming, called);
                    has_steps
                        .get(called)?
                        .then(|| quote!(#name(super::#child::Step),))
                }
            });
        let step = enumeration("Step", &quote!(#( #steps )*));
        let allowed = allowed();
        quote! {
            #allowed
            pub mod #name {
                #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
                pub struct Graph;
                #entry
                #node
                #step
            }
        }
    });
    let allowed = allowed();
    quote! {
        #( #lists )*
        #allowed
        pub mod graphs { #( #graphs )* }
    }
}

fn module_name(naming: &Naming, graph: usize) -> Ident {
    identifier(naming.graphs.get(graph).map_or("", String::as_str))
}

fn identifiers<'n>(names: impl IntoIterator<Item = &'n String>) -> Vec<Ident> {
    names.into_iter().map(|name| identifier(name)).collect()
}

fn enumeration(name: &str, variants: &TokenStream) -> TokenStream {
    let name = identifier(name);
    let allowed = allowed();
    quote! {
        #allowed
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum #name { #variants }
    }
}
