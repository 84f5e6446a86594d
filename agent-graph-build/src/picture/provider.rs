//! The diagram of a graph of a provider. Knows the tables.

use agent_graph_runtime::protocol::{EdgeKind, Join, NodeKind, OutcomeSet};
use agent_graph_runtime::tables::{EdgeRow, NodeRow, Tables};
use agent_graph_runtime::{Code, Error, Outcome};

use super::diagram::{Diagram, Edge, Line, Mark, Node, Shape};

impl Diagram {
    /// The graph with this id.
    ///
    /// # Errors
    ///
    /// [`Code::GraphMissing`] when there is none.
    pub fn of_graph(tables: &Tables<'_>, graph: &str) -> Result<Self, Error> {
        let found = tables.graph(graph).ok_or_else(|| {
            let provider = tables.text(tables.provider.id);
            let message = format!("provider `{provider}` has no graph `{graph}`");
            Error::new(Code::GraphMissing, message)
        })?;
        Ok(of_rows(tables, found, |_| (Mark::None, None)))
    }

    /// The graph with this id, and behind it each graph that it calls, directly or not, once.
    ///
    /// # Errors
    ///
    /// [`Code::GraphMissing`] when there is none.
    pub fn of_graph_with_calls(tables: &Tables<'_>, graph: &str) -> Result<Vec<Self>, Error> {
        let first = Self::of_graph(tables, graph)?;
        let mut graphs: Vec<u32> = tables.graph(graph).into_iter().collect();
        let mut at = 0;
        while let Some(&graph) = graphs.get(at) {
            let called = tables.row(tables.graphs, graph).dependencies;
            for &called in tables.rows(tables.lists, called) {
                if !graphs.contains(&called) {
                    graphs.push(called);
                }
            }
            at += 1;
        }
        let called = graphs.iter().skip(1);
        let called = called.map(|&graph| of_rows(tables, graph, |_| (Mark::None, None)));
        Ok([first].into_iter().chain(called).collect())
    }
}

/// The graph in this row; `stands` says how each of its nodes stands, and with which value.
pub(super) fn of_rows(
    tables: &Tables<'_>,
    graph: u32,
    stands: impl Fn(u32) -> (Mark, Option<Outcome>),
) -> Diagram {
    let row = tables.row(tables.graphs, graph);
    let mut diagram = Diagram {
        title: tables.text(row.id).to_owned(),
        description: tables.text(row.description).to_owned(),
        nodes: Vec::new(),
        edges: Vec::new(),
    };
    for node in tables.rows(tables.nodes, row.nodes) {
        diagram.nodes.push(of_node(tables, node));
    }
    for (at, index) in row.nodes.indices().enumerate() {
        let (mark, value) = stands(index);
        if let Some(node) = diagram.nodes.get_mut(at) {
            node.mark = mark;
            let shown = value.filter(|it| !matches!(it, Outcome::Completed | Outcome::Pending));
            node.notes
                .extend(shown.map(|value| format!("= {}", value.as_str())));
        }
    }
    // Rows of nodes are those of the whole provider; diagrams count from their own first node.
    let place = |node: u32| (node.wrapping_sub(row.nodes.0)) as usize;
    entries(tables, graph, &mut diagram, place);
    for edge in tables.rows(tables.edges, row.edges) {
        let line = line_of(edge);
        let label = match (line, kind_word(edge.kind)) {
            (Line::Plain, kind) => kind.to_owned(),
            (_, "") => words(edge.outcomes),
            (_, kind) => format!("{kind}: {}", words(edge.outcomes)),
        };
        let (from, to) = (place(edge.from), place(edge.to));
        diagram.join(from, to, line, label);
    }
    calls(tables, graph, &mut diagram, place);
    diagram
}

impl Diagram {
    /// Adds an edge, or its label to the loop that is there.
    pub(super) fn join(&mut self, from: usize, to: usize, line: Line, label: String) {
        // Only loops are looked for: there are few, and many edges.
        let same_loop = |edge: &&mut Edge| edge.from == from && edge.to == to;
        if from == to
            && let Some(there) = self.edges.iter_mut().find(same_loop)
        {
            there.label = [there.label.as_str(), &label].join(", ");
            return;
        }
        if from < self.nodes.len() && to < self.nodes.len() {
            let edge = Edge {
                from,
                to,
                line,
                label,
            };
            self.edges.push(edge);
        }
    }
}

fn of_node(tables: &Tables<'_>, row: &NodeRow) -> Node {
    let mut notes = Vec::new();
    let description = tables.text(row.description).trim();
    if !description.is_empty() {
        notes.push(description.to_owned());
    }
    let shape = match row.kind {
        NodeKind::Action => Shape::Action,
        NodeKind::Gate => Shape::Gate,
        NodeKind::Subgraph => Shape::Subgraph,
        NodeKind::Terminal => {
            notes.push(row.outcome.as_str().to_owned());
            Shape::Terminal
        }
    };
    if row.join == Join::Any && row.incoming > 1 {
        notes.push("join: any".to_owned());
    }
    if row.priority != 0 {
        notes.push(format!("priority: {}", row.priority));
    }
    Node {
        shape,
        name: tables.text(row.id).to_owned(),
        notes,
        mark: Mark::None,
    }
}

fn line_of(edge: &EdgeRow) -> Line {
    let completed = OutcomeSet::EMPTY.with(Outcome::Completed);
    match edge.kind {
        EdgeKind::Repeat => Line::Repeat,
        _ if edge.outcomes == completed => Line::Plain,
        _ => Line::Conditional,
    }
}

/// What tells edges of this kind from others that hit alike. Repeats have a line of their own.
fn kind_word(kind: EdgeKind) -> &'static str {
    match kind {
        EdgeKind::Flow | EdgeKind::Repeat => "",
        EdgeKind::Consumes => "consumes",
        EdgeKind::Requires => "requires",
        EdgeKind::GatedBy => "gated by",
    }
}

fn words(outcomes: OutcomeSet) -> String {
    let words = Outcome::ALL.iter().filter(|it| outcomes.contains(**it));
    let words: Vec<&str> = words.map(|outcome| outcome.as_str()).collect();
    words.join(", ")
}

/// A mark for each entry, with an edge to the node it starts at.
fn entries(tables: &Tables<'_>, graph: u32, diagram: &mut Diagram, place: impl Fn(u32) -> usize) {
    let row = tables.row(tables.graphs, graph);
    for entry in tables.rows(tables.entries, row.entries) {
        let at = diagram.nodes.len();
        diagram.nodes.push(Node {
            shape: Shape::Entry,
            name: tables.text(entry.name).to_owned(),
            notes: Vec::new(),
            mark: Mark::None,
        });
        diagram.join(at, place(entry.node), Line::Plain, String::new());
    }
}

/// A box for each graph that is called, with an edge from every node that calls it.
fn calls(tables: &Tables<'_>, graph: u32, diagram: &mut Diagram, place: impl Fn(u32) -> usize) {
    let mut called: Vec<(u32, usize)> = Vec::new();
    let nodes = tables.row(tables.graphs, graph).nodes;
    for index in nodes.indices() {
        let node = tables.row(tables.nodes, index);
        if node.kind != NodeKind::Subgraph {
            continue;
        }
        let call = tables.row(tables.calls, node.detail);
        let known = called.iter().find(|(graph, _)| *graph == call.graph);
        let at = match known {
            Some((_, at)) => *at,
            None => {
                let at = diagram.nodes.len();
                let name = tables.text(tables.row(tables.graphs, call.graph).id);
                diagram.nodes.push(Node {
                    shape: Shape::Graph,
                    name: name.to_owned(),
                    notes: Vec::new(),
                    mark: Mark::None,
                });
                called.push((call.graph, at));
                at
            }
        };
        let entry = tables.text(tables.row(tables.entries, call.entry).name);
        diagram.join(place(index), at, Line::Call, format!("at {entry}"));
    }
}
