//! Graphs that an import makes: nodes for steps, and edges between them. Knows the protocol's words, nothing
//! about sources.

use agent_graph_runtime::json::{Object, Value};

/// A graph in the making, with one entry and one end, `done`.
pub(super) struct Graph {
    id: String,
    entry: String,
    nodes: Vec<Value>,
    edges: Vec<Value>,
}

impl Graph {
    pub(super) fn new(id: &str, entry: &str) -> Self {
        Self {
            id: id.to_owned(),
            entry: entry.to_owned(),
            nodes: Vec::new(),
            edges: Vec::new(),
        }
    }

    /// A step that an action takes; gives the code of its reason.
    pub(super) fn step(&mut self, node: &str, description: Option<&str>, action: &str) -> String {
        let reason = format!("route.{}.{node}", self.id);
        let mut step = Object::new();
        step.insert("id", node);
        step.insert("kind", "action");
        if let Some(description) = description {
            step.insert("description", description);
        }
        step.insert("reasonCode", reason.as_str());
        step.insert("action", format!("actions/{action}.yaml"));
        self.nodes.push(step.into());
        reason
    }

    pub(super) fn edge(&mut self, from: &str, to: &str) {
        let mut edge = Object::new();
        edge.insert("from", from);
        edge.insert("to", to);
        self.edges.push(edge.into());
    }

    /// The definition, `agent-graph.graph.v1`.
    pub(super) fn finish(mut self) -> Object {
        let mut done = Object::new();
        done.insert("id", "done");
        done.insert("kind", "terminal");
        done.insert("terminalOutcome", "completed");
        self.nodes.push(done.into());
        let mut entrypoints = Object::new();
        entrypoints.insert("default", self.entry);
        let mut graph = Object::new();
        graph.insert("schema", "agent-graph.graph.v1");
        graph.insert("id", self.id);
        graph.insert("entrypoints", entrypoints);
        graph.insert("nodes", Value::Array(self.nodes));
        graph.insert("edges", Value::Array(self.edges));
        graph
    }
}

/// An action without what its runner needs.
pub(super) fn action(id: &str, runner: &str, effect: &str) -> Object {
    let mut action = Object::new();
    action.insert("schema", "agent-graph.action.v1");
    action.insert("id", id);
    action.insert("runner", runner);
    action.insert("effect", effect);
    action
}
