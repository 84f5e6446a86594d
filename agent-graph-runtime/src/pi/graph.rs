//! A graph that can be run: compiled in or loaded, the same from then on. Lends its tables, and makes the
//! values that a run needs from them. Knows nothing about runs.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::condition::{Condition, Test};
use super::path::StatePath;
use super::state_error::StateError;
use super::tables::{ConditionRow, OwnedTables, Rows, SegmentRow, Tables, Text};
use super::template::{Segment, Template};
use super::words::{Operator, Reducer};
use crate::digest::Digest;
use crate::json::{DEPTH_LIMIT, Object, Value};

/// A pi-graph, compiled in or loaded. Cheap to clone.
///
/// ```
/// use agent_graph_runtime::pi;
/// let text = r#"{
///   "schemaVersion": 2, "name": "greet", "entry": "hello", "limits": {},
///   "nodes": { "hello": { "type": "set", "assign": [{ "path": "greeting", "value": "hi" }] } }
/// }"#;
/// let graph = pi::parse("greet.json".into(), text.as_bytes()).unwrap().graph();
/// assert_eq!(graph.name(), "greet");
/// assert_eq!(graph.nodes().collect::<Vec<_>>(), ["hello"]);
/// ```
#[derive(Clone, Debug)]
pub struct Graph(Inner);

#[derive(Clone, Debug)]
enum Inner {
    Static(&'static Tables<'static>),
    Owned(Arc<OwnedTables>),
}

impl Graph {
    /// The graph in these tables.
    pub fn from_tables(tables: OwnedTables) -> Self {
        Self(Inner::Owned(Arc::new(tables)))
    }

    /// The graph in tables that are compiled in; for generated code.
    #[doc(hidden)]
    pub const fn __from_static(tables: &'static Tables<'static>) -> Self {
        Self(Inner::Static(tables))
    }

    /// The tables.
    #[doc(hidden)]
    pub fn tables(&self) -> Tables<'_> {
        match &self.0 {
            Inner::Static(tables) => **tables,
            Inner::Owned(tables) => tables.as_tables(),
        }
    }

    /// The name.
    pub fn name(&self) -> &str {
        let tables = self.tables();
        tables.text(tables.graph.name)
    }

    /// The description, if any.
    pub fn description(&self) -> Option<&str> {
        let tables = self.tables();
        tables.text_or_none(tables.graph.description)
    }

    /// The graph hash: runs are resumed only with the same one.
    pub fn hash(&self) -> Digest {
        Digest::from_bytes(self.tables().graph.hash)
    }

    /// The ids of the nodes.
    pub fn nodes(&self) -> impl Iterator<Item = &str> {
        let tables = self.tables();
        tables.nodes.iter().map(move |node| tables.text(node.id))
    }

    /// Whether an agent may change things.
    pub fn is_mutating(&self) -> bool {
        self.tables().graph.is_mutating
    }

    /// The state before the input is merged in.
    pub fn initial_state(&self) -> Object {
        let tables = self.tables();
        match value(&tables, tables.graph.initial_state) {
            Some(Value::Object(object)) => object,
            _ => Object::new(),
        }
    }

    /// Bytes that the answer of a run may have when it is shown.
    pub fn result_max_bytes(&self) -> u64 {
        self.tables().graph.result_max_bytes
    }

    /// Whether the whole state belongs to the answer of a run.
    pub fn includes_state(&self) -> bool {
        self.tables().graph.include_state
    }

    /// The reducer of a path as it is written.
    pub fn reducer(&self, written: &str) -> Option<Reducer> {
        let tables = self.tables();
        let mut reducers = tables.reducers.iter();
        reducers
            .find(|row| tables.text(row.path) == written)
            .map(|row| row.reducer)
    }
}

/// The value whose compact text is in the tables.
#[doc(hidden)]
pub fn value(tables: &Tables<'_>, text: Text) -> Option<Value> {
    Value::from_json(tables.text_or_none(text)?).ok()
}

/// The path in a row, or why it is none.
#[doc(hidden)]
pub fn path(tables: &Tables<'_>, row: u32) -> Result<StatePath, StateError> {
    StatePath::parse(tables.text(tables.row(tables.paths, row).written))
}

/// The template in these rows.
#[doc(hidden)]
pub fn template(tables: &Tables<'_>, rows: Rows) -> Template {
    let segments = tables.rows(tables.segments, rows).iter();
    let segments = segments.map(|segment| match *segment {
        SegmentRow::Text(text) => Segment::Text(tables.text(text).into()),
        SegmentRow::Path(row) => match path(tables, row) {
            Ok(path) => Segment::Path(path),
            Err(error) => Segment::Invalid {
                written: tables.text(tables.row(tables.paths, row).written).into(),
                error,
            },
        },
        SegmentRow::Invalid(text, error) => Segment::Invalid {
            written: tables.text(text).into(),
            error,
        },
    });
    Template::from_segments(segments.collect())
}

/// The condition in a row, its patterns compiled.
#[doc(hidden)]
pub fn condition(tables: &Tables<'_>, row: u32) -> Result<Condition, StateError> {
    condition_at(tables, row, DEPTH_LIMIT)
}

fn condition_at(tables: &Tables<'_>, row: u32, levels: u32) -> Result<Condition, StateError> {
    let levels = levels.checked_sub(1).ok_or(StateError::StateDepth)?;
    let parts = |rows: Rows| -> Result<Vec<Condition>, StateError> {
        let parts = tables.rows(tables.lists, rows).iter();
        parts
            .map(|&part| condition_at(tables, part, levels))
            .collect()
    };
    Ok(match *tables.row(tables.conditions, row) {
        ConditionRow::All(rows) => Condition::All(parts(rows)?),
        ConditionRow::Any(rows) => Condition::Any(parts(rows)?),
        ConditionRow::Not(part) => Condition::Not(Box::new(condition_at(tables, part, levels)?)),
        ConditionRow::Leaf(row, operator, operand) => Condition::Leaf {
            path: path(tables, row)?,
            test: match operator {
                Operator::Exists => Test::Exists,
                Operator::Truthy => Test::Truthy,
                other => Test::new(other, value(tables, operand)),
            },
        },
    })
}

#[cfg(all(test, feature = "dynamic"))]
mod tests {
    use super::*;
    use crate::pi::{Definition, flatten::flatten, parse};

    const EVERYTHING: &str = include_str!("../../tests/data/every-feature.graph.json");

    fn everything() -> Definition {
        let loaded = parse("every-feature.graph.json".into(), EVERYTHING.as_bytes());
        loaded
            .unwrap_or_else(|findings| panic!("{findings}"))
            .definition
    }

    #[test]
    fn tables_give_back_conditions_and_templates_as_they_were_written() {
        let definition = everything();
        let owned = flatten(&definition);
        let tables = owned.as_tables();
        let mut conditions = 0;
        for (route, row) in definition.routes.iter().zip(tables.routes) {
            let cases = tables.rows(tables.cases, row.cases);
            for (case, row) in route.cases.iter().zip(cases) {
                assert_eq!(condition(&tables, row.when).as_ref(), Ok(&case.when));
                conditions += 1;
            }
        }
        let mut templates = 0;
        for (node, row) in definition.nodes.iter().zip(tables.nodes) {
            if let Some(agent) = node.agent() {
                let agent_row = tables.row(tables.agents, row.detail);
                assert_eq!(template(&tables, agent_row.prompt), agent.prompt);
                templates += 1;
            }
        }
        assert!(conditions > 3 && templates > 3, "{conditions} {templates}");
    }

    #[test]
    fn names_in_tables_are_rows_and_defaults_are_filled_in() {
        let graph = Graph::from_tables(flatten(&everything()));
        let tables = graph.tables();
        let node = |id: &str| tables.row(tables.nodes, tables.node(id).unwrap());
        let barrier = tables.edges.iter().find(|edge| edge.from.1 == 2).unwrap();
        let sources: Vec<&str> = tables
            .rows(tables.lists, barrier.from)
            .iter()
            .map(|&row| tables.text(tables.row(tables.nodes, row).id))
            .collect();
        assert_eq!(sources, ["review api", "review.docs"]);
        assert_eq!(node("plan").timeout_ms, Some(600_000));
        assert_eq!(node("ask").timeout_ms, None);
        let output = tables.row(tables.paths, node("review.docs").output);
        assert_eq!(tables.text(output.written), "reviews");
        assert_eq!(graph.reducer("talk"), Some(Reducer::Concat));
        assert_eq!(tables.graph.max_node_runs, 128);
        assert!(graph.is_mutating());
    }
}
