//! The diagram of a pi-graph. Knows its definition.

use std::collections::BTreeMap;

use agent_graph_runtime::pi::definition::{Definition, Edge, Node, NodeKind, Route};
use agent_graph_runtime::pi::words::{END, ErrorStrategy};
use agent_graph_runtime::pi::{Condition, Test, compact};

use super::diagram::{self, Diagram, Line, Mark, Shape};

impl Diagram {
    /// A pi-graph: its nodes, edges with barriers, and routes with their conditions.
    pub fn of_pi(definition: &Definition) -> Self {
        let ids = definition.nodes.iter().map(|node| node.id.as_str());
        let mut drawn = Drawn {
            places: ids.zip(0..).collect(),
            diagram: Self {
                title: definition.name.clone(),
                description: definition.description.clone().unwrap_or_default(),
                nodes: definition.nodes.iter().map(of_node).collect(),
                edges: Vec::new(),
            },
            end: None,
        };
        let entry = drawn.add(Shape::Entry, "start");
        drawn.lead(entry, &definition.entry, Line::Plain, "");
        for edge in &definition.edges {
            drawn.edge(edge);
        }
        for route in &definition.routes {
            drawn.route(route);
        }
        for node in &definition.nodes {
            if let Some(handler) = &node.on_error
                && handler.strategy == Some(ErrorStrategy::Route)
                && let Some(from) = drawn.place(&node.id)
            {
                drawn.lead(from, &handler.to, Line::Conditional, "on error");
            }
        }
        drawn.diagram
    }
}

/// A diagram in the making.
struct Drawn<'d> {
    /// Where the nodes are, by id.
    places: BTreeMap<&'d str, usize>,
    diagram: Diagram,
    /// Where the end is, once something leads there.
    end: Option<usize>,
}

impl Drawn<'_> {
    fn add(&mut self, shape: Shape, name: &str) -> usize {
        self.diagram.nodes.push(diagram::Node {
            shape,
            name: name.to_owned(),
            notes: Vec::new(),
            mark: Mark::None,
        });
        self.diagram.nodes.len() - 1
    }

    fn place(&mut self, id: &str) -> Option<usize> {
        if id == END {
            return Some(match self.end {
                Some(end) => end,
                None => {
                    let end = self.add(Shape::End, "end");
                    *self.end.insert(end)
                }
            });
        }
        self.places.get(id).copied()
    }

    /// An edge to each of the targets.
    fn lead(&mut self, from: usize, to: &[String], line: Line, label: &str) {
        for (index, id) in to.iter().enumerate() {
            // Listed twice is led to once.
            if to.iter().take(index).any(|earlier| earlier == id) {
                continue;
            }
            if let Some(to) = self.place(id) {
                self.diagram.join(from, to, line, label.to_owned());
            }
        }
    }

    /// An edge with several sources waits for all of them.
    fn edge(&mut self, edge: &Edge) {
        let sources: Vec<usize> = edge.from.iter().filter_map(|id| self.place(id)).collect();
        match *sources {
            [] => {}
            [from] => self.lead(from, &edge.to, Line::Plain, ""),
            _ => {
                let barrier = self.add(Shape::Barrier, "all");
                for from in sources {
                    self.diagram.join(from, barrier, Line::Plain, String::new());
                }
                self.lead(barrier, &edge.to, Line::Plain, "");
            }
        }
    }

    fn route(&mut self, route: &Route) {
        let Some(from) = self.place(&route.from) else {
            return;
        };
        for case in &route.cases {
            self.lead(from, &case.to, Line::Conditional, &words(&case.when));
        }
        let otherwise = route.default.as_deref().unwrap_or_default();
        self.lead(from, otherwise, Line::Conditional, "otherwise");
    }
}

fn of_node(node: &Node) -> diagram::Node {
    let shape = match &node.kind {
        NodeKind::Agent(_) => Shape::Agent,
        NodeKind::Set(_) => Shape::Set,
        NodeKind::Human(_) => Shape::Human,
    };
    diagram::Node {
        shape,
        name: node.id.clone(),
        notes: node.description.iter().cloned().collect(),
        mark: Mark::None,
    }
}

/// The condition in a few words; definitions are nested only so deep.
fn words(condition: &Condition) -> String {
    let joined = |parts: &[Condition], word: &str| {
        let parts: Vec<String> = parts.iter().map(grouped).collect();
        parts.join(word)
    };
    match condition {
        Condition::All(parts) => joined(parts, " and "),
        Condition::Any(parts) => joined(parts, " or "),
        Condition::Not(part) => format!("not {}", grouped(part)),
        Condition::Leaf { path, test } => leaf(path.as_written(), test),
    }
}

fn leaf(path: &str, test: &Test) -> String {
    match test {
        Test::Exists => format!("{path} exists"),
        Test::Truthy => format!("{path} is truthy"),
        Test::Operand(operator, operand) => {
            let operand = operand.as_ref().map(compact).unwrap_or_default();
            format!("{path} {} {operand}", operator.as_str())
        }
        Test::Matches(pattern) => format!("{path} matches {}", pattern.source()),
    }
}

fn grouped(condition: &Condition) -> String {
    match condition {
        Condition::All(_) | Condition::Any(_) => format!("({})", words(condition)),
        _ => words(condition),
    }
}
