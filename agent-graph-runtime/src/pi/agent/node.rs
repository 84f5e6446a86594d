//! One agent node of a graph, as its rows describe it. Knows which rows, nothing about what is done with
//! them.

use alloc::vec::Vec;

use super::wording::Wording;
use crate::pi::graph::{self, Graph};
use crate::pi::path::StatePath;
use crate::pi::run::Work;
use crate::pi::tables::{AgentRow, NONE, NodeRow, Rows, Tables};
use crate::pi::template::Template;
use crate::pi::words::NodeType;

/// An agent node of a graph: what it is told, how it is run, and what becomes of its answer.
///
/// ```
/// use agent_graph_runtime::pi::agent::{AgentNode, Wording};
/// use agent_graph_runtime::{json::Object, pi};
/// let text = r#"{
///   "schemaVersion": 2, "name": "greet", "entry": "hello", "limits": {},
///   "nodes": { "hello": { "type": "agent", "prompt": "Greet {{ input.name }}." } }
/// }"#;
/// let graph = pi::parse("greet.json".into(), text.as_bytes()).unwrap().graph();
/// let wording = Wording::default();
/// let node = AgentNode::of(&graph, "hello", &wording).unwrap();
/// let prompt = node.prompt(&Object::new()).unwrap();
/// assert_eq!(prompt.user, "Greet .");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct AgentNode<'g> {
    pub(super) tables: Tables<'g>,
    pub(super) node: &'g NodeRow,
    pub(super) agent: &'g AgentRow,
    pub(super) wording: &'g Wording,
}

impl<'g> AgentNode<'g> {
    /// The agent node with this id; nothing where there is no node with this id, or one of another kind.
    pub fn of(graph: &'g Graph, id: &str, wording: &'g Wording) -> Option<Self> {
        let tables = graph.tables();
        Self::in_row(tables, tables.node(id)?, wording)
    }

    /// The agent node at which an attempt is to be made; nothing where it is a node of another kind.
    pub fn of_work(work: &'g Work, wording: &'g Wording) -> Option<Self> {
        Self::in_row(work.graph.tables(), work.row, wording)
    }

    fn in_row(tables: Tables<'g>, row: u32, wording: &'g Wording) -> Option<Self> {
        let node = tables.row(tables.nodes, row);
        (node.node_type == NodeType::Agent).then(|| Self {
            tables,
            node,
            agent: tables.row(tables.agents, node.detail),
            wording,
        })
    }

    /// Its id.
    pub fn id(&self) -> &'g str {
        self.tables.text(self.node.id)
    }

    /// Milliseconds of one attempt.
    pub fn timeout_ms(&self) -> Option<u64> {
        self.node.timeout_ms
    }

    /// The key of its thread, if it has one.
    pub fn thread_key(&self) -> Option<&'g str> {
        self.tables.text_or_none(self.agent.thread_key)
    }

    pub(super) fn template(&self, rows: Rows) -> Template {
        graph::template(&self.tables, rows)
    }

    /// The path in a row. A row that holds no path holds none that can be read either.
    pub(super) fn path(&self, row: u32) -> Option<StatePath> {
        if row == NONE {
            return None;
        }
        graph::path(&self.tables, row).ok()
    }

    /// The paths that it reads, as far as they are paths.
    pub(super) fn reads(&self) -> Vec<StatePath> {
        let rows = self.tables.rows(self.tables.lists, self.node.reads).iter();
        rows.filter_map(|&row| self.path(row)).collect()
    }
}
