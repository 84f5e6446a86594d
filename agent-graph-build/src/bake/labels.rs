//! What a reader of a generated file wants to know about a row: whose row it is. Labels stand in
//! trailing comments and mean nothing to the compiler.

use agent_graph_runtime::protocol::NodeKind;
use agent_graph_runtime::tables::{NodeRow, Tables};

/// Longest label in characters; the rest of a longer one is cut.
const LONGEST: usize = 60;

/// The labels of a provider.
pub(super) struct Labels<'t> {
    tables: &'t Tables<'t>,
    /// For each row of `entries`, its graph.
    entry_graphs: Vec<u32>,
    /// For each row of `steps`, its node.
    step_nodes: Vec<u32>,
    /// For each row of `calls`, its node.
    call_nodes: Vec<u32>,
    /// For each row of `gates`, its step.
    gate_steps: Vec<u32>,
    /// For each row of `delegations`, its gate.
    delegation_gates: Vec<u32>,
}

impl<'t> Labels<'t> {
    pub(super) fn new(tables: &'t Tables<'t>) -> Self {
        let nodes = || (0..).zip(tables.nodes);
        Self {
            tables,
            entry_graphs: inverse(
                tables.entries.len(),
                (0..).zip(tables.graphs).flat_map(|(index, graph)| {
                    // No longer than the pool, whatever the run claims.
                    let rows = graph.entries.indices().take(tables.entries.len());
                    rows.map(move |row| (index, row))
                }),
            ),
            step_nodes: inverse(
                tables.steps.len(),
                nodes()
                    .filter(|(_, node)| matches!(node.kind, NodeKind::Action | NodeKind::Gate))
                    .map(|(index, node)| (index, node.detail)),
            ),
            call_nodes: inverse(
                tables.calls.len(),
                nodes()
                    .filter(|(_, node)| node.kind == NodeKind::Subgraph)
                    .map(|(index, node)| (index, node.detail)),
            ),
            gate_steps: inverse(
                tables.gates.len(),
                (0..)
                    .zip(tables.steps)
                    .map(|(index, step)| (index, step.gate)),
            ),
            delegation_gates: inverse(
                tables.delegations.len(),
                (0..)
                    .zip(tables.gates)
                    .map(|(index, gate)| (index, gate.delegated)),
            ),
        }
    }

    /// `graph/entry`.
    pub(super) fn entry(&self, index: u32) -> String {
        let tables = self.tables;
        let graph = tables.row(tables.graphs, at(&self.entry_graphs, index));
        let entry = tables.row(tables.entries, index);
        format!("{}/{}", tables.text(graph.id), tables.text(entry.name))
    }

    /// `graph/node`.
    pub(super) fn node(&self, node: &NodeRow) -> String {
        let tables = self.tables;
        let graph = tables.row(tables.graphs, node.graph);
        format!("{}/{}", tables.text(graph.id), tables.text(node.id))
    }

    /// The node of a row of `steps`.
    pub(super) fn step(&self, index: u32) -> String {
        self.node_at(at(&self.step_nodes, index))
    }

    /// The node of a row of `calls`.
    pub(super) fn call(&self, index: u32) -> String {
        self.node_at(at(&self.call_nodes, index))
    }

    /// The node of a row of `gates`.
    pub(super) fn gate(&self, index: u32) -> String {
        self.step(at(&self.gate_steps, index))
    }

    /// The node of a row of `delegations`.
    pub(super) fn delegation(&self, index: u32) -> String {
        self.gate(at(&self.delegation_gates, index))
    }

    /// `graph/from -> to`.
    pub(super) fn edge(&self, from: u32, to: u32) -> String {
        let tables = self.tables;
        let target = tables.row(tables.nodes, to);
        format!("{} -> {}", self.node_at(from), tables.text(target.id))
    }

    fn node_at(&self, index: u32) -> String {
        self.node(self.tables.row(self.tables.nodes, index))
    }
}

/// The label as it can stand in a line comment: one line, nothing invisible, not too long.
pub(super) fn comment(label: &str) -> String {
    let mut characters = label.chars();
    let mut comment: String = characters
        .by_ref()
        .take(LONGEST)
        .flat_map(char::escape_debug)
        .collect();
    if characters.next().is_some() {
        comment.push_str("...");
    }
    comment
}

/// For each of `length` rows, the index that names it.
fn inverse(length: usize, pairs: impl Iterator<Item = (u32, u32)>) -> Vec<u32> {
    let mut owners = vec![u32::MAX; length];
    for (owner, row) in pairs {
        if let Some(place) = owners.get_mut(row as usize) {
            *place = owner;
        }
    }
    owners
}

fn at(owners: &[u32], index: u32) -> u32 {
    owners.get(index as usize).copied().unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::comment;

    #[test]
    fn a_comment_is_one_line_without_invisible_characters() {
        assert_eq!(comment("a\nb\u{202e}c"), "a\\nb\\u{202e}c");
    }

    #[test]
    fn a_long_label_is_cut() {
        let label = "x".repeat(61);
        assert_eq!(comment(&label), format!("{}...", "x".repeat(60)));
        assert_eq!(comment(&label[..60]), "x".repeat(60));
    }
}
