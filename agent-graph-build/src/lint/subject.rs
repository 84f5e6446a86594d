//! The provider under examination: what was authored and its rows side by side, and how to get from a row
//! to its place in the text. Finds nothing by itself.

use agent_graph_runtime::load::Loaded;
use agent_graph_runtime::load::definition::{Definition, Graph, Node};
use agent_graph_runtime::protocol::EdgeKind;
use agent_graph_runtime::tables::{GraphRow, NodeRow, Tables};
use agent_graph_runtime::{Finding, Place};

use super::registry::Lint;

/// A provider and its rows.
pub(crate) struct Subject<'l> {
    pub(crate) loaded: &'l Loaded,
    pub(crate) definition: &'l Definition,
    pub(crate) tables: Tables<'l>,
}

/// An entry of a graph, by rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EntryAt {
    pub(crate) graph: u32,
    pub(crate) entry: u32,
}

impl<'l> Subject<'l> {
    pub(crate) fn new(loaded: &'l Loaded) -> Self {
        Self {
            loaded,
            definition: &loaded.definition,
            tables: loaded.tables.as_tables(),
        }
    }

    /// Graphs with their rows, in manifest order.
    pub(crate) fn graphs(&self) -> impl Iterator<Item = (u32, &'l Graph)> + use<'l> {
        (0..).zip(&self.definition.graphs)
    }

    /// The entries of a graph.
    pub(crate) fn entries_of(&self, graph: u32) -> impl Iterator<Item = EntryAt> + use<> {
        let entries = self.graph_row(graph).entries.indices();
        entries.map(move |entry| EntryAt { graph, entry })
    }

    /// The edges from a node, repeat edges last.
    pub(crate) fn edges_from(&self, node: u32) -> impl Iterator<Item = u32> + use<'l> {
        let row = self.node_row(node);
        let tables = self.tables;
        let lists = [row.outgoing, row.repeats];
        lists
            .into_iter()
            .flat_map(move |list| tables.rows(tables.lists, list))
            .copied()
    }

    /// The edges to each node of a graph but for repeat edges, in the order of the nodes.
    pub(crate) fn edges_to_nodes(&self, graph: u32) -> Vec<Vec<u32>> {
        let row = self.graph_row(graph);
        let mut incoming: Vec<Vec<u32>> = Vec::new();
        incoming.resize_with(row.nodes.1 as usize, Vec::new);
        for edge in row.edges.indices() {
            let own = self.tables.row(self.tables.edges, edge);
            let target = own.to.saturating_sub(row.nodes.0) as usize;
            let target = incoming.get_mut(target);
            if let Some(target) = target.filter(|_| own.kind != EdgeKind::Repeat) {
                target.push(edge);
            }
        }
        incoming
    }

    /// Nodes with their rows, graph by graph.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = (u32, &'l Node)> + use<'l> {
        (0..).zip(self.definition.graphs.iter().flat_map(|graph| &graph.nodes))
    }

    pub(crate) fn graph_row(&self, graph: u32) -> &'l GraphRow {
        self.tables.row(self.tables.graphs, graph)
    }

    pub(crate) fn node_row(&self, node: u32) -> &'l NodeRow {
        self.tables.row(self.tables.nodes, node)
    }

    pub(crate) fn node_id(&self, node: u32) -> &'l str {
        self.tables.text(self.node_row(node).id)
    }

    pub(crate) fn graph_id(&self, graph: u32) -> &'l str {
        self.tables.text(self.graph_row(graph).id)
    }

    pub(crate) fn entry_name(&self, at: EntryAt) -> &'l str {
        self.tables
            .text(self.tables.row(self.tables.entries, at.entry).name)
    }

    /// `graph/node`, the state key of a node of the evaluated graph.
    pub(crate) fn key(&self, node: u32) -> String {
        let graph = self.node_row(node).graph;
        format!("{}/{}", self.graph_id(graph), self.node_id(node))
    }

    /// Where a node is written.
    pub(crate) fn node_place(&self, node: u32) -> Place {
        let graph = self.node_row(node).graph;
        let position = node.saturating_sub(self.graph_row(graph).nodes.0) as usize;
        let authored = self.definition.graphs.get(graph as usize);
        match authored.and_then(|graph| graph.nodes.get(position)) {
            Some(node) => node.id.place.clone(),
            None => self.definition.manifest.id.place.clone(),
        }
    }

    /// Where an edge is written.
    pub(crate) fn edge_place(&self, graph: u32, edge: u32) -> Place {
        let position = edge.saturating_sub(self.graph_row(graph).edges.0) as usize;
        let authored = self.definition.graphs.get(graph as usize);
        match authored.and_then(|graph| graph.edges.get(position)) {
            Some(edge) => edge.place.clone(),
            None => self.definition.manifest.id.place.clone(),
        }
    }

    /// Where an entry is written.
    pub(crate) fn entry_place(&self, at: EntryAt) -> Place {
        let position = at.entry.saturating_sub(self.graph_row(at.graph).entries.0) as usize;
        let authored = self.definition.graphs.get(at.graph as usize);
        match authored.and_then(|graph| graph.entrypoints.get(position)) {
            Some(entry) => entry.node.place.clone(),
            None => self.definition.manifest.id.place.clone(),
        }
    }
}

/// A finding of a lint; its level is set when it is added.
pub(crate) fn found(lint: Lint, place: Place, message: String) -> Finding {
    Finding::warning(lint.code(), place, message)
}
