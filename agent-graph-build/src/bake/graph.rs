//! The module of one graph: `Graph`, `Entry`, `Node` and `Step`. Knows the tables and the names that
//! were given, nothing about how the tables themselves are written.

use agent_graph_runtime::protocol::NodeKind;
use agent_graph_runtime::tables::{GraphRow, NodeRow, Tables};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::docs::{code, docs};
use super::edges::edge_docs;
use super::enumeration::{Enumeration, Style, Variant};
use super::naming::Naming;
use crate::names;

/// What the modules of all graphs share.
pub(super) struct Graphs<'a> {
    pub(super) tables: &'a Tables<'a>,
    pub(super) naming: &'a Naming,
    pub(super) style: &'a Style,
    /// For each graph, whether its closure has an action or a gate.
    pub(super) has_steps: Vec<bool>,
}

/// A node that is a step of its graph, or calls a graph that has steps.
struct Arm<'a> {
    node: &'a NodeRow,
    variant: Ident,
    /// The module of the called graph.
    child: Option<Ident>,
}

impl<'a> Graphs<'a> {
    /// The module of a graph.
    pub(super) fn module(&self, index: usize, graph: &GraphRow) -> TokenStream {
        let Self { tables, style, .. } = self;
        let runtime = &style.runtime;
        let id = tables.text(graph.id);
        let name = self.graph_module(index);
        let picture = self.picture(id);
        let module_docs = docs(
            &format!("Graph {}.", code(id)),
            tables.text_or_none(graph.description),
        );
        let graph_docs = docs(&format!("The graph {} as a type.", code(id)), None);
        let shape = Literal::byte_string(&graph.shape);
        let entry = self.entry(index, graph);
        let node = self.node(index, graph);
        let arms = self.arms(index, graph);
        let step = self.step(id, &arms);
        let step_function = step_function(runtime, &arms);
        quote! {
            #module_docs
            #picture
            pub mod #name {
                #graph_docs
                #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
                pub struct Graph;

                impl #runtime::Graph for Graph {
                    type Step = Step;
                    const ID: &'static str = #id;
                    const SHAPE: [u8; 32] = *#shape;
                    #step_function
                }

                #entry
                #node
                #step
            }
        }
    }

    /// The graph as a picture, in documentation only; none where it is too large for one.
    #[cfg(feature = "picture")]
    fn picture(&self, id: &str) -> TokenStream {
        if !self.style.picture {
            return TokenStream::new();
        }
        let Ok(svg) = crate::picture::graph_svg(self.tables, id) else {
            return TokenStream::new();
        };
        // A blank line would end the markup.
        let lines = svg.lines().filter(|line| !line.trim().is_empty());
        let svg: String = lines.map(|line| format!(" {line}\n")).collect();
        let text = format!("\n <div>\n{svg} </div>\n");
        quote!(#[cfg_attr(doc, doc = #text)])
    }

    #[cfg(not(feature = "picture"))]
    #[allow(clippy::unused_self, reason = "it needs it with the feature")]
    fn picture(&self, _: &str) -> TokenStream {
        TokenStream::new()
    }

    fn graph_module(&self, index: usize) -> Ident {
        names::identifier(self.naming.graphs.get(index).map_or("", String::as_str))
    }

    fn entry(&self, index: usize, graph: &GraphRow) -> TokenStream {
        let Self { tables, style, .. } = self;
        let runtime = &style.runtime;
        let id = tables.text(graph.id);
        let first = Literal::u32_unsuffixed(graph.entries.0);
        let rows = tables.rows(tables.entries, graph.entries);
        let names = self.naming.entries.get(index).into_iter().flatten();
        let variants = rows.iter().zip(names).map(|(row, name)| {
            let node = tables.row(tables.nodes, row.node);
            let sentence = format!(
                "{}, which starts at node {}.",
                code(tables.text(row.name)),
                code(tables.text(node.id))
            );
            Variant {
                name: name.clone(),
                docs: docs(&sentence, None),
            }
        });
        let enumeration = Enumeration {
            name: "Entry",
            docs: docs(&format!("The entry points of graph {}.", code(id)), None),
            expected: format!("entry of graph `{id}`"),
            variants: variants.collect(),
            lookup: &|variant| quote!(#runtime::generated::entry_name(&super::super::tables::TABLES, #first, #variant)),
        };
        let evaluate = if rows.is_empty() {
            // A loaded graph has at least one entry; the parameter would be unused.
            TokenStream::new()
        } else {
            let evaluate = if style.served {
                quote!(#runtime::generated::evaluate_served(super::super::provider(), &super::super::PROVIDER, #first, self as u16, state))
            } else {
                quote!(#runtime::generated::evaluate(super::super::PROVIDER, #first, self as u16, state))
            };
            quote! {
                impl Entry {
                    /// Evaluates the graph from this entry.
                    #[must_use]
                    pub fn evaluate(self, state: &#runtime::State) -> #runtime::Evaluation<Graph> {
                        #evaluate
                    }
                }
            }
        };
        let enumeration = enumeration.tokens(style);
        quote!(#enumeration #evaluate)
    }

    fn node(&self, index: usize, graph: &GraphRow) -> TokenStream {
        let Self { tables, style, .. } = self;
        let runtime = &style.runtime;
        let id = tables.text(graph.id);
        let first = Literal::u32_unsuffixed(graph.nodes.0);
        let rows = tables.rows(tables.nodes, graph.nodes);
        let names = self.naming.nodes.get(index).into_iter().flatten();
        let edges = edge_docs(tables, graph);
        let variants = graph.nodes.indices().zip(rows).zip(names);
        let variants = variants.map(|((at, row), name)| {
            let mut docs = self.node_docs(row);
            docs.extend(edges.get(&at).cloned());
            Variant {
                name: name.clone(),
                docs,
            }
        });
        let enumeration = Enumeration {
            name: "Node",
            docs: docs(&format!("The nodes of graph {}.", code(id)), None),
            expected: format!("node of graph `{id}`"),
            variants: variants.collect(),
            lookup: &|variant| quote!(#runtime::generated::node_id(&super::super::tables::TABLES, #first, #variant)),
        };
        enumeration.tokens(style)
    }

    fn node_docs(&self, node: &NodeRow) -> TokenStream {
        let tables = self.tables;
        let kind = match node.kind {
            NodeKind::Action => format!("an action{}", self.reason(node)),
            NodeKind::Gate => format!("a gate{}", self.reason(node)),
            NodeKind::Subgraph => {
                let call = tables.row(tables.calls, node.detail);
                let called = tables.row(tables.graphs, call.graph);
                format!("which calls graph {}", code(tables.text(called.id)))
            }
            NodeKind::Terminal => {
                format!("which ends the graph as {}", code(node.outcome.as_str()))
            }
        };
        docs(
            &format!("{}, {kind}.", code(tables.text(node.id))),
            tables.text_or_none(node.description),
        )
    }

    /// Why the node is offered.
    fn reason(&self, node: &NodeRow) -> String {
        let tables = self.tables;
        let reason = tables.row(tables.steps, node.detail).reason;
        let reason = tables.text_or_none(reason);
        reason.map_or_else(String::new, |reason| {
            format!(" with reason {}", code(reason))
        })
    }

    fn arms(&self, index: usize, graph: &GraphRow) -> Vec<Arm<'a>> {
        let tables = self.tables;
        let rows = tables.rows(tables.nodes, graph.nodes);
        let names = self.naming.nodes.get(index).into_iter().flatten();
        rows.iter()
            .zip(names)
            .filter_map(|(node, name)| {
                let child = match node.kind {
                    NodeKind::Action | NodeKind::Gate => None,
                    NodeKind::Subgraph => {
                        let called = tables.row(tables.calls, node.detail).graph as usize;
                        if !self.has_steps.get(called).is_some_and(|steps| *steps) {
                            return None;
                        }
                        Some(self.graph_module(called))
                    }
                    NodeKind::Terminal => return None,
                };
                Some(Arm {
                    node,
                    variant: names::identifier(name),
                    child,
                })
            })
            .collect()
    }

    fn step(&self, id: &str, arms: &[Arm<'_>]) -> TokenStream {
        let step_docs = docs(
            &format!(
                "What can be next in graph {}: its actions and gates, and below the nodes that call \
                 other graphs the steps of those.",
                code(id)
            ),
            None,
        );
        let variants = arms.iter().map(|arm| {
            let docs = self.node_docs(arm.node);
            let name = &arm.variant;
            match &arm.child {
                None => quote!(#docs #name),
                Some(child) => quote!(#docs #name(super::#child::Step)),
            }
        });
        let impls = step_impls(arms);
        let marker = &self.style.marker;
        quote! {
            #step_docs
            #[derive(Clone, Copy, PartialEq, Eq, Hash)]
            #marker
            pub enum Step { #( #variants, )* }

            #impls
        }
    }
}

/// `Step::node` and `Debug`. Derived, `Debug` would spell every id again, which takes the compiler
/// more memory than all else.
fn step_impls(arms: &[Arm<'_>]) -> TokenStream {
    let nodes = arms.iter().map(|arm| {
        let name = &arm.variant;
        match arm.child {
            None => quote!(Self::#name => Node::#name),
            Some(_) => quote!(Self::#name(_) => Node::#name),
        }
    });
    let nested: Vec<TokenStream> = arms
        .iter()
        .filter(|arm| arm.child.is_some())
        .map(|arm| {
            let name = &arm.variant;
            quote!(Self::#name(step) => ::core::write!(f, "{:?}({:?})", Node::#name, step))
        })
        .collect();
    let own = quote!(::core::fmt::Debug::fmt(&self.node(), f));
    let (formatter, shown) = if arms.is_empty() {
        (quote!(_), quote!(match *self {}))
    } else if nested.is_empty() {
        (quote!(f), own)
    } else if nested.len() == arms.len() {
        (quote!(f), quote!(match self { #( #nested, )* }))
    } else {
        (quote!(f), quote!(match self { #( #nested, )* _ => #own }))
    };
    quote! {
        impl Step {
            /// The node of this graph that is the step, or that calls the graph of the step.
            #[must_use]
            pub fn node(self) -> Node { match self { #( #nodes, )* } }
        }

        impl ::core::fmt::Debug for Step {
            fn fmt(&self, #formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                #shown
            }
        }
    }
}

/// `Graph::step`: from the ranks of the nodes on the way to the step.
fn step_function(runtime: &TokenStream, arms: &[Arm<'_>]) -> TokenStream {
    if arms.is_empty() {
        return quote! {
            fn step(_: #runtime::StepPath<'_>) -> ::core::option::Option<Step> {
                ::core::option::Option::None
            }
        };
    }
    let patterns = arms
        .iter()
        .map(|arm| Literal::u32_unsuffixed(arm.node.rank));
    let results = arms.iter().map(|arm| {
        let name = &arm.variant;
        match &arm.child {
            None => quote!(Step::#name),
            Some(child) => {
                quote!(Step::#name(<super::#child::Graph as #runtime::Graph>::step(path)?))
            }
        }
    });
    quote! {
        fn step(mut path: #runtime::StepPath<'_>) -> ::core::option::Option<Step> {
            ::core::option::Option::Some(match ::core::iter::Iterator::next(&mut path)? {
                #( #patterns => #results, )*
                _ => return ::core::option::Option::None,
            })
        }
    }
}

/// For each graph, whether it or a graph it calls has an action or a gate.
pub(super) fn graphs_with_steps(tables: &Tables<'_>) -> Vec<bool> {
    let mut has_steps: Vec<bool> = tables
        .graphs
        .iter()
        .map(|graph| {
            let nodes = tables.rows(tables.nodes, graph.nodes);
            nodes
                .iter()
                .any(|node| matches!(node.kind, NodeKind::Action | NodeKind::Gate))
        })
        .collect();
    // From called graphs to their callers, until nothing is added.
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); tables.graphs.len()];
    for (caller, graph) in tables.graphs.iter().enumerate() {
        for &called in tables.rows(tables.lists, graph.dependencies) {
            if let Some(callers) = callers.get_mut(called as usize) {
                callers.push(caller);
            }
        }
    }
    let mut ready: Vec<usize> = (0..has_steps.len())
        .filter(|&graph| has_steps.get(graph).is_some_and(|steps| *steps))
        .collect();
    while let Some(graph) = ready.pop() {
        for &caller in callers.get(graph).into_iter().flatten() {
            if let Some(steps @ false) = has_steps.get_mut(caller) {
                *steps = true;
                ready.push(caller);
            }
        }
    }
    has_steps
}
