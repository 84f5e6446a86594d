//! Names of the input that no definition knows: state keys nothing reads, authorities no gate names. Knows
//! the tables; neither values nor needs.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{UnknownAuthority, UnknownKey};
use crate::nearest::nearest;
use crate::protocol::NodeKind;
use crate::state::State;
use crate::tables::{GraphRow, Tables};

/// State keys with an outcome that no evaluation of the graph reads, in the order of recording.
pub(super) fn unknown_keys(tables: &Tables<'_>, state: &State, graph: u32) -> Vec<UnknownKey> {
    state
        .outcomes()
        .filter_map(|(key, _)| check_key(tables, graph, key))
        .collect()
}

/// Authorities of the session that no gate of the provider names.
pub(super) fn unknown_authorities(tables: &Tables<'_>, state: &State) -> Vec<UnknownAuthority> {
    let known: Vec<&str> = tables
        .gates
        .iter()
        .filter_map(|gate| tables.text_or_none(gate.authority))
        .collect();
    let unknown = state.authorities().iter();
    unknown
        .filter(|own| !known.contains(&own.as_str()))
        .map(|own| UnknownAuthority {
            authority: own.clone(),
            nearest: nearest(own, known.iter().copied()).map(ToString::to_string),
        })
        .collect()
}

/// Follows the calls that a key spells. Elements have no `>`, so there is one way to read it.
fn check_key(tables: &Tables<'_>, graph: u32, key: &str) -> Option<UnknownKey> {
    let mut graph = tables.row(tables.graphs, graph);
    let mut elements = key.split('>').peekable();
    let mut before = 0;
    while let Some(element) = elements.next() {
        let last = elements.peek().is_none();
        let unknown = |ignored| {
            let tail = key.get(before + element.len()..).unwrap_or("");
            let head = key.get(..before).unwrap_or("");
            let meant = nearest_element(tables, graph, element, !last);
            Some(UnknownKey {
                key: key.to_string(),
                ignored,
                nearest: meant.map(|meant| [head, &meant, tail].concat()),
            })
        };
        let Some(node) = node_of(tables, graph, element) else {
            return unknown(false);
        };
        let row = tables.row(tables.nodes, node);
        match (last, row.kind) {
            (true, NodeKind::Subgraph) => {
                return Some(UnknownKey {
                    key: key.to_string(),
                    ignored: true,
                    nearest: None,
                });
            }
            (true, _) => return None,
            (false, NodeKind::Subgraph) => {
                let call = tables.row(tables.calls, row.detail);
                graph = tables.row(tables.graphs, call.graph);
                before += element.len() + 1;
            }
            (false, _) => return unknown(false),
        }
    }
    None
}

/// The node that `graph/node` names, where the graph is this one.
fn node_of(tables: &Tables<'_>, graph: &GraphRow, element: &str) -> Option<u32> {
    let node = element
        .strip_prefix(tables.text(graph.id))?
        .strip_prefix('/')?;
    graph
        .nodes
        .indices()
        .find(|&own| tables.text(tables.row(tables.nodes, own).id) == node)
}

fn nearest_element(
    tables: &Tables<'_>,
    graph: &GraphRow,
    element: &str,
    calls_on: bool,
) -> Option<String> {
    let nodes = tables.rows(tables.nodes, graph.nodes).iter();
    let fitting = nodes.filter(|row| (row.kind == NodeKind::Subgraph) == calls_on);
    let known: Vec<String> = fitting
        .map(|row| [tables.text(graph.id), "/", tables.text(row.id)].concat())
        .collect();
    nearest(element, known.iter().map(String::as_str)).map(ToString::to_string)
}
