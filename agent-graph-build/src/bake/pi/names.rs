//! The names of the nodes of a pi-graph. Ids are any text: letters, digits and separators make the name as
//! they do for providers, a space is a separator, and every other character is spelled by its number. Knows
//! the tables and the naming rule, nothing about tokens.

use std::collections::BTreeMap;
use std::sync::Arc;

use agent_graph_runtime::pi::tables::Tables;
use agent_graph_runtime::pi::words::NodeType;
use agent_graph_runtime::{Code, Finding, Findings, Place};

use crate::names::{self, Case, Renames};

/// More nodes than the discriminants of an enumeration can tell apart.
const MOST_NAMES: usize = 65_535;

/// The names of the nodes.
pub(super) struct Naming {
    /// The variant of each node.
    pub(super) nodes: Vec<String>,
    /// The nodes of each kind.
    pub(super) kinds: [KindNames; 3],
}

/// The nodes of one kind.
pub(super) struct KindNames {
    pub(super) node_type: NodeType,
    /// The enumeration.
    pub(super) enumeration: &'static str,
    /// The static list of node rows in the module `tables`.
    pub(super) pool: &'static str,
    pub(super) sentence: &'static str,
    /// Rows of its nodes.
    pub(super) rows: Vec<u32>,
}

/// Names all nodes, or says which cannot be told apart.
pub(super) fn name(
    tables: &Tables<'_>,
    renames: &Renames,
    places: NodePlaces<'_>,
) -> Result<Naming, Findings> {
    let ids: Vec<&str> = tables.nodes.iter().map(|row| tables.text(row.id)).collect();
    let mut findings = Vec::new();
    if ids.len() > MOST_NAMES {
        let message = format!(
            "{} nodes are more than the {MOST_NAMES} that can be told apart",
            ids.len()
        );
        findings.push(Finding::error(Code::InputLimit, graph(), message));
    }
    let nodes = names::names(&ids, Case::Variant, renames).unwrap_or_else(|clashes| {
        findings.extend(clashes.iter().map(|clash| {
            let ids: Vec<String> = clash.ids.iter().map(|id| format!("`{id}`")).collect();
            let message = format!(
                "the nodes {} would all be named `{}`",
                ids.join(" and "),
                clash.name
            );
            let finding = at_ids(
                Finding::error(Code::NameClash, graph(), message),
                &clash.ids,
                places,
            );
            match clash.ids.last() {
                Some(id) => {
                    finding.with_hint(format!("give one another name: rename({id:?} = ...)"))
                }
                None => finding,
            }
        }));
        Vec::new()
    });
    for (id, names) in renames.iter() {
        for name in names.iter() {
            if names::case_of(name) != Case::Variant || !ids.contains(&id.as_str()) {
                let message =
                    format!("`{id}`, which is renamed to `{name}`, is no node of the graph");
                findings.push(Finding::error(Code::RenameUnknown, graph(), message));
            }
        }
    }
    let mut findings = findings.into_iter();
    match findings.next() {
        Some(first) => Err(Findings::new(first, findings)),
        None => Ok(Naming {
            nodes,
            kinds: kinds(tables),
        }),
    }
}

/// Where the ids of nodes are written, for whoever has the file. Asked only when something is wrong.
pub type NodePlaces<'p> = &'p dyn Fn(&[String]) -> Vec<Place>;

/// The finding at the second of the ids in the file, with the others beside it.
fn at_ids(finding: Finding, ids: &[String], places: NodePlaces<'_>) -> Finding {
    let mut places = places(ids);
    places.sort_by_key(|place| place.span.start);
    let mut places = places.into_iter();
    let (Some(first), Some(place)) = (places.next(), places.next()) else {
        return finding;
    };
    let finding = Finding { place, ..finding }.with_related(first, "first declared here");
    places.fold(finding, |finding, place| {
        finding.with_related(place, "and here")
    })
}

/// The file of the graph, which the front ends name.
fn graph() -> Place {
    Place::start_of(Arc::from(""))
}

fn kinds(tables: &Tables<'_>) -> [KindNames; 3] {
    let mut rows: BTreeMap<NodeType, Vec<u32>> = BTreeMap::new();
    for (index, row) in (0..).zip(tables.nodes) {
        rows.entry(row.node_type).or_default().push(index);
    }
    let mut kind = |node_type, enumeration, pool, sentence| KindNames {
        node_type,
        enumeration,
        pool,
        sentence,
        rows: rows.remove(&node_type).unwrap_or_default(),
    };
    [
        kind(
            NodeType::Agent,
            "Agent",
            "AGENT_NODES",
            "The nodes that run agents.",
        ),
        kind(
            NodeType::Set,
            "Set",
            "SET_NODES",
            "The nodes that write to the state.",
        ),
        kind(
            NodeType::Human,
            "Human",
            "HUMAN_NODES",
            "The nodes that ask a person.",
        ),
    ]
}
