//! A sketch in the form of tables, which is what modules are printed from.

use agent_graph_runtime::ordered::{Map, Set};
use agent_graph_runtime::protocol::NodeKind;
use agent_graph_runtime::tables::{
    ActionRow, CallRow, EntryRow, GateRow, GraphRow, NONE, NodeRow, OwnedTables, Row, Rows,
    StepRow, Text,
};

use super::{Graph, Node, calls, kind};

pub(super) fn tables(graphs: &[Graph], handlers: &Set<String>) -> OwnedTables {
    let mut pool = Pool::default();
    for (graph, calls) in graphs.iter().zip(calls(graphs)) {
        pool.graph(graph, &calls);
    }
    for handler in handlers.iter() {
        let handler = pool.text(handler);
        let row = ActionRow {
            handler,
            ..*ActionRow::ABSENT
        };
        pool.tables.actions.push(row);
    }
    pool.tables
}

#[derive(Default)]
struct Pool {
    tables: OwnedTables,
    texts: Map<String, Text>,
}

/// An index as a row refers to it.
fn row(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(NONE)
}

impl Pool {
    fn text(&mut self, text: &str) -> Text {
        if let Some(known) = self.texts.get(text) {
            return *known;
        }
        let pool = &mut self.tables.text;
        let placed = Text(row(pool.len()), row(text.len()));
        pool.push_str(text);
        self.texts.insert(text.to_owned(), placed);
        placed
    }

    fn optional(&mut self, text: Option<&str>) -> Text {
        text.map_or(Text::NONE, |text| self.text(text))
    }

    /// A graph; `calls` leads from the positions of nodes to the graphs they call.
    fn graph(&mut self, graph: &Graph, calls: &Map<usize, usize>) {
        let first_entry = row(self.tables.entries.len());
        let first_node = row(self.tables.nodes.len());
        for entry in &graph.entries {
            let name = self.text(entry);
            // Where it starts is of no account; a graph without nodes has none.
            let node = if graph.nodes.is_empty() {
                NONE
            } else {
                first_node
            };
            self.tables.entries.push(EntryRow { name, node });
        }
        for (position, node) in graph.nodes.iter().enumerate() {
            self.node(node, position, calls.get(&position).copied());
        }
        let first_call = row(self.tables.lists.len());
        let called: Set<usize> = calls.values().copied().collect();
        self.tables
            .lists
            .extend(called.iter().map(|&called| row(called)));
        let id = self.text(&graph.id);
        self.tables.graphs.push(GraphRow {
            id,
            entries: Rows(first_entry, row(graph.entries.len())),
            nodes: Rows(first_node, row(graph.nodes.len())),
            dependencies: Rows(first_call, row(called.len())),
            ..*GraphRow::ABSENT
        });
    }

    fn node(&mut self, node: &Node, position: usize, called: Option<usize>) {
        let (kind, detail) = match (kind(node), called) {
            (NodeKind::Subgraph, Some(called)) => (NodeKind::Subgraph, self.call(called)),
            // Types cannot follow a call that leads nowhere or back.
            (NodeKind::Subgraph, None) => (NodeKind::Terminal, NONE),
            (NodeKind::Terminal, _) => (NodeKind::Terminal, NONE),
            (kind, _) => (kind, self.step(node)),
        };
        let id = self.text(&node.id);
        self.tables.nodes.push(NodeRow {
            id,
            kind,
            detail,
            rank: row(position),
            graph: row(self.tables.graphs.len()),
            ..*NodeRow::ABSENT
        });
    }

    fn call(&mut self, called: usize) -> u32 {
        let index = row(self.tables.calls.len());
        let graph = row(called);
        self.tables.calls.push(CallRow {
            graph,
            ..*CallRow::ABSENT
        });
        index
    }

    fn step(&mut self, node: &Node) -> u32 {
        let reason = self.optional(node.reason.as_deref());
        let authority = self.optional(node.authority.as_deref());
        if authority.is_some() {
            self.tables.gates.push(GateRow {
                authority,
                ..*GateRow::ABSENT
            });
        }
        let index = row(self.tables.steps.len());
        self.tables.steps.push(StepRow {
            reason,
            ..*StepRow::ABSENT
        });
        index
    }
}
