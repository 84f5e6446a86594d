//! The edges of a node in words, for documentation: what the picture of the graph shows to those who see it.
//! Knows the tables.

use std::collections::BTreeMap;

use agent_graph_runtime::Outcome;
use agent_graph_runtime::protocol::{EdgeKind, OutcomeSet};
use agent_graph_runtime::tables::{EdgeRow, GraphRow, Tables};
use proc_macro2::TokenStream;
use quote::quote;

use super::docs::code;

/// For each node of the graph that has edges, by its row, lines that are there when rustdoc runs.
pub(super) fn edge_docs(tables: &Tables<'_>, graph: &GraphRow) -> BTreeMap<u32, TokenStream> {
    let mut lists: BTreeMap<u32, String> = BTreeMap::new();
    for edge in tables.rows(tables.edges, graph.edges) {
        let list = lists.entry(edge.from).or_default();
        list.push_str("\n * ");
        list.push_str(&sentence(tables, edge));
    }
    let docs = lists.into_iter().map(|(node, list)| {
        // The blank line ends the paragraph above.
        let text = format!("\n Edges:\n{list}");
        (node, quote!(#[cfg_attr(doc, doc = #text)]))
    });
    docs.collect()
}

/// Where the edge leads, what kind it is, and when it hits.
fn sentence(tables: &Tables<'_>, edge: &EdgeRow) -> String {
    let target = code(tables.text(tables.row(tables.nodes, edge.to).id));
    let outcomes = outcomes(edge.outcomes);
    match edge.kind {
        EdgeKind::Flow => format!("to {target}, when it is {outcomes}"),
        EdgeKind::Repeat if edge.from == edge.to => {
            format!("again {target}, when it is {outcomes}")
        }
        EdgeKind::Repeat => format!("back to {target}, when it is {outcomes}"),
        EdgeKind::Consumes => format!("{target} consumes it, when it is {outcomes}"),
        EdgeKind::Requires => format!("{target} requires it to be {outcomes}"),
        EdgeKind::GatedBy => format!("{target} is gated by it, until it is {outcomes}"),
    }
}

/// The outcomes as alternatives.
fn outcomes(outcomes: OutcomeSet) -> String {
    let own = Outcome::ALL.iter().filter(|it| outcomes.contains(**it));
    if own.clone().count() == Outcome::ALL.len() {
        return "of any outcome".to_owned();
    }
    let own: Vec<String> = own.map(|outcome| code(outcome.as_str())).collect();
    match own.split_last() {
        Some((last, before)) if !before.is_empty() => {
            format!("{} or {last}", before.join(", "))
        }
        _ => own.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_told_as_alternatives() {
        let set = OutcomeSet::EMPTY.with(Outcome::Completed);
        assert_eq!(outcomes(set), "`completed`");
        let set = set.with(Outcome::Failed).with(Outcome::Skipped);
        let told = outcomes(set);
        assert_eq!(told.matches('`').count(), 6, "{told}");
        assert_eq!(told.matches(" or ").count(), 1, "{told}");
        let all = Outcome::ALL.iter();
        let all = all.fold(OutcomeSet::EMPTY, |set, outcome| set.with(*outcome));
        assert_eq!(outcomes(all), "of any outcome");
    }
}
