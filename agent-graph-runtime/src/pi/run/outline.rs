//! A definition in parts that can be compared, each as a short digest: small enough to be kept with every run
//! of it. Knows definitions, nothing about runs.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::digest::Digest;
use crate::json::{Object, Value};
use crate::pi::graph::{self, Graph};
use crate::pi::tables::{AssignedFrom, NodeRow, Rows, Tables, Text};
use crate::pi::words::NodeType;

/// Grows whenever the parts are cut or written in another way; outlines of before say nothing then.
const FORMAT: &str = "1";

/// The outline of a definition, by which [`change`](super::change()) says how far another one differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    pub(super) hash: Digest,
    pub(super) nodes: BTreeMap<String, NodeOutline>,
    /// Edges by number.
    pub(super) edges: Vec<String>,
    pub(super) entry: String,
    pub(super) reducers: BTreeSet<String>,
    pub(super) channels: BTreeSet<String>,
    pub(super) limits: String,
}

/// The outline of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NodeOutline {
    /// What it does.
    pub(super) work: String,
    pub(super) limits: String,
    pub(super) leads_to: String,
}

impl From<&Graph> for Outline {
    fn from(graph: &Graph) -> Self {
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
        let nodes = tables.nodes.iter();
        let edges = tables.edges.iter();
        let reducers = tables.reducers.iter();
        let channels = tables.channels.iter();
        Self {
            hash: graph.hash(),
            nodes: nodes
                .map(|row| (tables.text(row.id).into(), NodeOutline::of(&tables, row)))
                .collect(),
            edges: edges
                .map(|row| part(&(ids(&tables, row.from), ids(&tables, row.to))))
                .collect(),
            entry: part(&ids(&tables, tables.graph.entry)),
            reducers: reducers
                .map(|row| part(&(tables.text(row.path), row.reducer)))
                .collect(),
            channels: channels
                .map(|row| part(&(path(&tables, row.path), row.keep)))
                .collect(),
            limits: part(&(limits, result, path_limits)),
        }
    }
}

impl Outline {
    /// The outline as JSON, for a store.
    pub fn to_value(&self) -> Value {
        let list = |parts: &mut dyn Iterator<Item = &String>| -> Value {
            parts
                .map(|part| Value::from(part.as_str()))
                .collect::<Vec<_>>()
                .into()
        };
        let nodes = self.nodes.iter().map(|(id, node)| {
            let parts = format!("{} {} {}", node.work, node.limits, node.leads_to);
            (id.as_str(), Value::from(parts))
        });
        let mut object = Object::new();
        object.insert("format", FORMAT);
        object.insert("hash", self.hash.to_string());
        object.insert("nodes", nodes.collect::<Object>());
        object.insert("edges", list(&mut self.edges.iter()));
        object.insert("entry", self.entry.as_str());
        object.insert("reducers", list(&mut self.reducers.iter()));
        object.insert("channels", list(&mut self.channels.iter()));
        object.insert("limits", self.limits.as_str());
        Value::Object(object)
    }

    /// Reads an outline; nothing if it is none, or one that was made in another way.
    pub fn from_value(value: &Value) -> Option<Self> {
        let object = value.as_object()?;
        let text = |name: &str| object.get(name).and_then(Value::as_str);
        if text("format") != Some(FORMAT) {
            return None;
        }
        let nodes = object.get("nodes").and_then(Value::as_object)?.iter();
        Some(Self {
            hash: text("hash")?.parse().ok()?,
            nodes: nodes
                .map(|(id, parts)| Some((id.into(), NodeOutline::read(parts.as_str()?)?)))
                .collect::<Option<_>>()?,
            edges: list(object, "edges")?,
            entry: text("entry")?.into(),
            reducers: list(object, "reducers")?.into_iter().collect(),
            channels: list(object, "channels")?.into_iter().collect(),
            limits: text("limits")?.into(),
        })
    }
}

fn list(object: &Object, name: &str) -> Option<Vec<String>> {
    let parts = object.get(name).and_then(Value::as_array)?.iter();
    parts.map(|part| part.as_str().map(String::from)).collect()
}

/// A part as it can be compared. Short: whoever finds another part with the same digest fools nobody but
/// himself.
fn part(part: &impl core::fmt::Debug) -> String {
    let digest = Digest::of_bytes(format!("{part:?}").as_bytes());
    digest
        .as_bytes()
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

impl NodeOutline {
    fn read(parts: &str) -> Option<Self> {
        let mut parts = parts.split(' ').map(String::from);
        let mut next = || parts.next();
        Some(Self {
            work: next()?,
            limits: next()?,
            leads_to: next()?,
        })
    }

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
            work: part(&(work, detail)),
            limits: part(&limits),
            leads_to: part(&(on_error, route(tables, row))),
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
