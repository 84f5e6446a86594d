//! How far two definitions of a graph differ, for a run that was started with one and is to go on with the
//! other (spec 13.4). Knows definitions and one snapshot; what a host makes of the answer is its own affair.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use super::snapshot::Snapshot;
use crate::pi::graph::{self, Graph};
use crate::pi::tables::{AssignedFrom, NodeRow, Rows, Tables, Text};
use crate::pi::words::NodeType;
use crate::protocol::{UnknownName, wire_enum};

wire_enum! {
    /// How far the definition of a graph has changed, as seen by a run. Each includes those before it.
    Change ("class of change") {
        /// Not at all.
        Identical = "identical",
        /// In what only agents and people read (descriptions, prompts, questions), or no run that has begun (the
        /// initial state).
        Texts = "texts",
        /// In limits, retries, policies, and what the run answers with.
        Limits = "limits",
        /// By nodes that no node of before leads to, and by what these lead to.
        Additive = "additive",
        /// In what nodes do or lead to, or how writes come together; nodes that wait or work do the same.
        Routes = "routes",
        /// In what nodes do that wait or work now, or one of them is gone: the run goes on with something
        /// else than what it was about to do.
        InFlight = "in-flight",
    }
}

/// How far `after` differs from `before` for a run at this snapshot.
///
/// ```
/// use agent_graph_runtime::{Timestamp, json::Object, pi::{self, run::{Change, Run, change}}};
/// let graph = |prompt: &str| {
///     let text = r#"{"schemaVersion":2,"name":"g","limits":{},"entry":"a",
///         "nodes":{"a":{"type":"agent","prompt":"PROMPT"}}}"#.replace("PROMPT", prompt);
///     pi::parse("g.json".into(), text.as_bytes()).unwrap().graph()
/// };
/// let now = Timestamp::from_unix_milliseconds(0);
/// let run = Run::start(&graph("Go on"), "run-1", Object::new(), now)?;
/// assert_eq!(change(&graph("Go on"), &graph("Please go on"), &run.snapshot()), Change::Texts);
/// # Ok::<(), agent_graph_runtime::pi::run::StartError>(())
/// ```
pub fn change(before: &Graph, after: &Graph, snapshot: &Snapshot) -> Change {
    if before.hash() == after.hash() {
        return Change::Identical;
    }
    let (before, after) = (Shape::of(before), Shape::of(after));
    if is_in_flight(&before, &after, snapshot) {
        return Change::InFlight;
    }
    if !before.leads_the_same(&after) {
        return Change::Routes;
    }
    if after.nodes.len() > before.nodes.len() || after.edges.len() > before.edges.len() {
        return Change::Additive;
    }
    let has_same = |pick: fn(&NodeShape) -> &String| {
        let both = before.nodes.iter().zip(&after.nodes);
        both.into_iter()
            .all(|((_, before), (_, after))| pick(before) == pick(after))
    };
    if before.limits == after.limits && has_same(|node| &node.limits) {
        return Change::Texts;
    }
    Change::Limits
}

/// Whether a node that waits or works is gone.
pub(super) fn has_lost_nodes(after: &Graph, snapshot: &Snapshot) -> bool {
    let known: BTreeSet<&str> = after.nodes().collect();
    at_stake(snapshot).any(|node| !known.contains(node.as_str()))
}

/// The nodes that wait or work.
fn at_stake(snapshot: &Snapshot) -> impl Iterator<Item = &String> {
    let in_flight = snapshot.in_flight.iter();
    let scheduled = in_flight.flat_map(|in_flight| &in_flight.scheduled);
    snapshot.pending.iter().chain(scheduled)
}

fn is_in_flight(before: &Shape, after: &Shape, snapshot: &Snapshot) -> bool {
    at_stake(snapshot).any(
        |node| match (before.nodes.get(node), after.nodes.get(node)) {
            (Some(before), Some(after)) => before.work != after.work,
            _ => true,
        },
    )
}

/// A definition in parts that can be compared.
struct Shape {
    nodes: BTreeMap<String, NodeShape>,
    /// Edges by number, with those who lead along them.
    edges: Vec<(Vec<String>, Vec<String>)>,
    entry: Vec<String>,
    reducers: BTreeSet<String>,
    channels: BTreeSet<String>,
    limits: String,
}

/// A node in parts that can be compared.
struct NodeShape {
    work: String,
    limits: String,
    leads_to: String,
}

impl Shape {
    fn of(graph: &Graph) -> Self {
        let tables = graph.tables();
        let mut limits = tables.graph;
        // What has a place of its own, or is a text.
        limits.name = Text::NONE;
        limits.description = Text::NONE;
        limits.initial_state = Text::NONE;
        limits.hash = [0; 32];
        limits.entry = Rows::EMPTY;
        limits.result_paths = Rows::EMPTY;
        let result = paths(&tables, tables.graph.result_paths);
        let path_limits: BTreeMap<&str, Option<u64>> = tables
            .path_limits
            .iter()
            .map(|limit| (path(&tables, limit.path), limit.max_bytes))
            .collect();
        let reducers = tables.reducers.iter();
        let channels = tables.channels.iter();
        let edges = tables.edges.iter();
        Self {
            nodes: tables
                .nodes
                .iter()
                .map(|row| (tables.text(row.id).into(), NodeShape::of(&tables, row)))
                .collect(),
            edges: edges
                .map(|row| (ids(&tables, row.from), ids(&tables, row.to)))
                .collect(),
            entry: ids(&tables, tables.graph.entry),
            reducers: reducers
                .map(|row| format!("{:?}", (tables.text(row.path), row.reducer)))
                .collect(),
            channels: channels
                .map(|row| format!("{:?}", (path(&tables, row.path), row.keep)))
                .collect(),
            limits: format!("{limits:?} {result:?} {path_limits:?}"),
        }
    }

    /// Whether everything that was there does the same and leads to the same.
    fn leads_the_same(&self, after: &Self) -> bool {
        let is_kept = |(id, before): (&String, &NodeShape)| {
            let after = after.nodes.get(id);
            after
                .is_some_and(|after| before.work == after.work && before.leads_to == after.leads_to)
        };
        let added = after.edges.get(self.edges.len()..).unwrap_or(&[]);
        let is_apart = |(sources, _): &(Vec<String>, Vec<String>)| {
            sources
                .iter()
                .all(|source| !self.nodes.contains_key(source))
        };
        self.entry == after.entry
            && self.nodes.iter().all(is_kept)
            && after.edges.starts_with(&self.edges)
            && added.iter().all(is_apart)
            && self.reducers.is_subset(&after.reducers)
            && self.channels.is_subset(&after.channels)
    }
}

impl NodeShape {
    fn of(tables: &Tables<'_>, row: &NodeRow) -> Self {
        let limits = (
            (row.max_attempts, row.backoff_ms, row.backoff_multiplier),
            (row.timeout_ms, row.max_turns, row.max_tokens),
            (row.max_cost_usd, row.max_prompt_bytes, row.idempotent),
        );
        let on_error = (
            row.error_strategy,
            ids(tables, row.error_targets),
            path(tables, row.error_output),
        );
        let work = (
            row.node_type,
            paths(tables, row.reads),
            path(tables, row.output),
        );
        let detail = match row.node_type {
            NodeType::Agent => agent(tables, row),
            NodeType::Human => human(tables, row),
            NodeType::Set => assignments(tables, row),
        };
        Self {
            work: format!("{work:?} {detail}"),
            limits: format!("{limits:?}"),
            leads_to: format!("{on_error:?} {}", route(tables, row)),
        }
    }
}

fn agent(tables: &Tables<'_>, row: &NodeRow) -> String {
    let agent = tables.row(tables.agents, row.detail);
    let mut plain = *agent;
    // What is resolved here, or is a text.
    plain.prompt = Rows::EMPTY;
    plain.system_prompt = Rows::EMPTY;
    plain.model = Text::NONE;
    plain.tools = Rows::EMPTY;
    plain.cwd = Text::NONE;
    plain.thread_key = Text::NONE;
    plain.messages = 0;
    plain.media_type = Text::NONE;
    let resolved = (
        tables.text_or_none(agent.model),
        texts(tables, agent.tools),
        tables.text_or_none(agent.cwd),
        tables.text_or_none(agent.thread_key),
        path(tables, agent.messages),
        tables.text_or_none(agent.media_type),
    );
    format!("{plain:?} {resolved:?}")
}

fn human(tables: &Tables<'_>, row: &NodeRow) -> String {
    let human = tables.row(tables.humans, row.detail);
    let options = texts(tables, human.options);
    format!("{:?}", (human.kind, human.pause, options))
}

fn assignments(tables: &Tables<'_>, row: &NodeRow) -> String {
    let assignments = tables.rows(tables.assignments, row.assignments).iter();
    let shown = assignments.map(|assignment| {
        let source = match assignment.source {
            AssignedFrom::Unset => String::from("unset"),
            AssignedFrom::Value(text) => format!("value {}", tables.text(text)),
            AssignedFrom::Template(rows) => format!("{:?}", graph::template(tables, rows)),
            AssignedFrom::Path(row) => format!("from {}", path(tables, row)),
        };
        (path(tables, assignment.path), source, assignment.mode)
    });
    format!("{:?}", shown.collect::<Vec<_>>())
}

fn route(tables: &Tables<'_>, row: &NodeRow) -> String {
    let Some(route) = tables.routes.get(row.route as usize) else {
        return String::new();
    };
    let cases = tables.rows(tables.cases, route.cases).iter();
    let cases = cases.map(|case| (graph::condition(tables, case.when), ids(tables, case.to)));
    let cases: Vec<_> = cases.collect();
    format!("{cases:?} {:?}", ids(tables, route.default))
}

fn path<'a>(tables: &Tables<'a>, row: u32) -> &'a str {
    tables.text(tables.row(tables.paths, row).written)
}

fn paths<'a>(tables: &Tables<'a>, rows: Rows) -> Vec<&'a str> {
    let rows = tables.rows(tables.lists, rows).iter();
    rows.map(|&row| path(tables, row)).collect()
}

fn ids(tables: &Tables<'_>, rows: Rows) -> Vec<String> {
    let rows = tables.rows(tables.lists, rows).iter();
    rows.map(|&row| tables.text(tables.row(tables.nodes, row).id).into())
        .collect()
}

fn texts<'a>(tables: &Tables<'a>, rows: Rows) -> Vec<&'a str> {
    let texts = tables.rows(tables.texts, rows).iter();
    texts.map(|&text| tables.text(text)).collect()
}

#[cfg(all(test, feature = "dynamic"))]
mod tests {
    use super::*;
    use crate::json::Object;
    use crate::pi::parse;
    use crate::pi::run::Run;
    use crate::timestamp::Timestamp;

    const GRAPH: &str = r#"{
        "schemaVersion": 2, "name": "g", "limits": {"maxSteps": 3}, "entry": "ask",
        "nodes": {
            "ask": {"type": "agent", "prompt": "Go", "readOnly": true},
            "note": {"type": "set", "assign": [{"path": "x", "value": 1}]}
        },
        "edges": [{"from": "ask", "to": "note"}]
    }"#;

    fn graph(text: &str) -> Graph {
        let loaded = parse("g.json".into(), text.as_bytes());
        loaded
            .unwrap_or_else(|findings| panic!("{findings}"))
            .graph()
    }

    fn changed(from: &str, to: &str) -> Change {
        assert!(GRAPH.contains(from), "{from}");
        let before = graph(GRAPH);
        let now = Timestamp::from_unix_milliseconds(0);
        let run = Run::start(&before, "run-1", Object::new(), now).unwrap();
        change(&before, &graph(&GRAPH.replace(from, to)), &run.snapshot())
    }

    #[test]
    fn every_change_has_its_class() {
        assert_eq!(changed("Go", "Go"), Change::Identical);
        assert_eq!(changed("Go", "Please go"), Change::Texts);
        assert_eq!(changed(": 3", ": 4"), Change::Limits);
        let node = r#"{"type": "set", "assign": [{"path": "x", "value": 1}]}"#;
        let apart = format!(r#"{node}, "more": {node}"#);
        assert_eq!(changed(node, &apart), Change::Additive);
        assert_eq!(changed(r#""value": 1"#, r#""value": 2"#), Change::Routes);
        assert_eq!(
            changed(r#""to": "note""#, r#""to": "__end__""#),
            Change::Routes
        );
        assert_eq!(changed(r#", "readOnly": true"#, ""), Change::InFlight);
    }

    #[test]
    fn a_node_that_waits_and_is_gone_is_noticed_without_the_graph_of_before() {
        let before = graph(GRAPH);
        let now = Timestamp::from_unix_milliseconds(0);
        let run = Run::start(&before, "run-1", Object::new(), now).unwrap();
        let renamed = graph(&GRAPH.replace("ask", "tell"));
        assert!(has_lost_nodes(&renamed, &run.snapshot()));
        assert_eq!(change(&before, &renamed, &run.snapshot()), Change::InFlight);
        assert!(!has_lost_nodes(&before, &run.snapshot()));
    }
}
