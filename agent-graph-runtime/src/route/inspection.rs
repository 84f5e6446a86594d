//! What a provider consists of (spec 10.3), for people and tools. Reads the tables only.

use alloc::string::String;
use alloc::vec::Vec;

use serde_core::ser::SerializeMap;
use serde_core::{Serialize, Serializer};

use crate::collation;
use crate::error::Error;
use crate::installed::Installed;
use crate::protocol::{CodeKind, Effect, NodeKind, ResourceKind, Runner, Severity};
use crate::tables::{CodeRow, GraphRow, NodeRow, ResourceClass, Tables};
use crate::wire::wire_struct;

/// What a provider consists of. It serializes to `agent-graph.inspect.v1`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProviderInspection {
    /// The provider.
    pub provider: InspectionProvider,
    /// How many of each there are.
    pub counts: InspectionCounts,
    /// Graphs, ordered by id.
    pub graphs: Vec<InspectedGraph>,
    /// Actions, ordered by id.
    pub actions: Vec<InspectedAction>,
    /// Resources, ordered by id.
    pub resources: Vec<InspectedResource>,
    /// Entries of the code catalog in authored order.
    pub codes: Vec<InspectedCode>,
}

wire_struct!(ProviderInspection "agent-graph.inspect.v1" {
    "provider": provider,
    "counts": counts,
    "graphs": graphs,
    "actions": actions,
    "resources": resources,
    "codes": codes,
});

/// The provider in an [`ProviderInspection`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InspectionProvider {
    /// Its id.
    pub id: String,
    /// Its version.
    pub version: String,
    /// Absolute path of its manifest.
    pub manifest: String,
}

wire_struct!(InspectionProvider {
    "id": id,
    "version": version,
    "manifest": manifest,
});

/// Numbers in an [`ProviderInspection`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InspectionCounts {
    /// Graphs.
    pub graphs: usize,
    /// Nodes of all graphs.
    pub nodes: usize,
    /// Edges of all graphs.
    pub edges: usize,
    /// Actions.
    pub actions: usize,
    /// Resources.
    pub resources: usize,
    /// Codes of the catalog.
    pub codes: usize,
}

wire_struct!(InspectionCounts {
    "graphs": graphs,
    "nodes": nodes,
    "edges": edges,
    "actions": actions,
    "resources": resources,
    "codes": codes,
});

/// A graph in an [`ProviderInspection`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InspectedGraph {
    /// Its id.
    pub id: String,
    /// Its description.
    pub description: Option<String>,
    /// Path relative to the manifest.
    pub path: String,
    /// Entry names and the nodes they start at.
    pub entrypoints: InspectedEntries,
    /// Nodes in authored order.
    pub nodes: Vec<InspectedNode>,
    /// Ids of the graphs it calls.
    pub dependencies: Vec<String>,
}

wire_struct!(InspectedGraph {
    "id": id,
    "description"? description,
    "path": path,
    "entrypoints": entrypoints,
    "nodes": nodes,
    "dependencies": dependencies,
});

/// Entry names and the ids of the nodes they start at, in authored order. It serializes to an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InspectedEntries(pub Vec<(String, String)>);

/// A node in an [`ProviderInspection`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InspectedNode {
    /// Its id.
    pub id: String,
    /// Its kind.
    pub kind: NodeKind,
    /// Its description.
    pub description: Option<String>,
    /// Why its route is offered.
    pub reason_code: Option<String>,
    /// Its priority.
    pub priority: i16,
}

wire_struct!(InspectedNode {
    "id": id,
    "kind": kind,
    "description"? description,
    "reasonCode"? reason_code,
    "priority": priority,
});

/// An action in an [`ProviderInspection`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InspectedAction {
    /// Its id.
    pub id: String,
    /// Who runs it.
    pub runner: Runner,
    /// What running it does.
    pub effect: Effect,
    /// Path relative to the manifest.
    pub path: String,
}

wire_struct!(InspectedAction {
    "id": id,
    "runner": runner,
    "effect": effect,
    "path": path,
});

/// A resource in an [`ProviderInspection`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InspectedResource {
    /// Its id.
    pub id: String,
    /// Its kind.
    pub kind: ResourceKind,
    /// Whether its content has to be made.
    pub dynamic: bool,
    /// Path of the descriptor or text relative to the manifest.
    pub path: String,
}

wire_struct!(InspectedResource {
    "id": id,
    "kind": kind,
    "dynamic": dynamic,
    "path": path,
});

/// An entry of the code catalog in an [`ProviderInspection`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InspectedCode {
    /// The code.
    pub code: String,
    /// What it stands for.
    pub kind: CodeKind,
    /// Summary.
    pub summary: String,
    /// How much it matters, if the catalog says so.
    pub severity: Option<Severity>,
    /// Path of its document as authored.
    pub document: Option<String>,
}

wire_struct!(InspectedCode {
    "code": code,
    "kind": kind,
    "summary": summary,
    "severity"? severity,
    "document"? document,
});

impl Serialize for InspectedEntries {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, node) in &self.0 {
            map.serialize_entry(name, node)?;
        }
        map.end()
    }
}

impl Installed {
    /// What the provider consists of.
    ///
    /// # Errors
    ///
    /// [`Code::FeatureRequired`](crate::Code::FeatureRequired) when ids beyond ASCII have to be put in
    /// order and feature `unicode-collation` is off,
    /// [`Code::InputLimit`](crate::Code::InputLimit) when one takes too long to compare.
    pub fn inspect(&self) -> Result<ProviderInspection, Error> {
        let tables = self.tables();
        let text = |text| String::from(tables.text(text));
        Ok(ProviderInspection {
            provider: InspectionProvider {
                id: text(tables.provider.id),
                version: text(tables.provider.version),
                manifest: self.path_of(tables.provider.manifest),
            },
            counts: InspectionCounts {
                graphs: tables.graphs.len(),
                nodes: tables.nodes.len(),
                edges: tables.edges.len(),
                actions: tables.actions.len(),
                resources: tables.resources.len(),
                codes: tables.codes.len(),
            },
            graphs: by_id(
                tables.graphs,
                |row| tables.text(row.id),
                |row| graph(&tables, row),
            )?,
            actions: by_id(
                tables.actions,
                |row| tables.text(row.id),
                |row| InspectedAction {
                    id: text(row.id),
                    runner: row.runner,
                    effect: row.effect,
                    path: tables.file_path(row.file).into(),
                },
            )?,
            resources: by_id(
                tables.resources,
                |row| tables.text(row.id),
                |row| InspectedResource {
                    id: text(row.id),
                    kind: row.kind,
                    dynamic: row.class != ResourceClass::File,
                    path: tables.file_path(row.file).into(),
                },
            )?,
            codes: tables.codes.iter().map(|row| code(&tables, row)).collect(),
        })
    }
}

/// The rows in the order of their ids.
fn by_id<'r, R, T>(
    rows: &'r [R],
    id: impl Fn(&'r R) -> &'r str,
    inspect: impl Fn(&'r R) -> T,
) -> Result<Vec<T>, Error> {
    let order = collation::order(rows.iter().map(id))?;
    let rows = order.into_iter().filter_map(|index| rows.get(index));
    Ok(rows.map(inspect).collect())
}

fn graph(tables: &Tables<'_>, row: &GraphRow) -> InspectedGraph {
    let entries = tables.rows(tables.entries, row.entries).iter();
    let called = tables.rows(tables.lists, row.dependencies).iter();
    let nodes = tables.rows(tables.nodes, row.nodes).iter();
    InspectedGraph {
        id: tables.text(row.id).into(),
        description: tables.text_or_none(row.description).map(Into::into),
        path: tables.file_path(row.file).into(),
        entrypoints: InspectedEntries(
            entries
                .map(|entry| {
                    let node = tables.row(tables.nodes, entry.node);
                    (tables.text(entry.name).into(), tables.text(node.id).into())
                })
                .collect(),
        ),
        nodes: nodes.map(|node| inspected_node(tables, node)).collect(),
        dependencies: called
            .map(|&graph| tables.text(tables.row(tables.graphs, graph).id).into())
            .collect(),
    }
}

fn inspected_node(tables: &Tables<'_>, row: &NodeRow) -> InspectedNode {
    let step = matches!(row.kind, NodeKind::Action | NodeKind::Gate);
    let reason = || {
        tables
            .text(tables.row(tables.steps, row.detail).reason)
            .into()
    };
    InspectedNode {
        id: tables.text(row.id).into(),
        kind: row.kind,
        description: tables.text_or_none(row.description).map(Into::into),
        reason_code: step.then(reason),
        priority: row.priority,
    }
}

fn code(tables: &Tables<'_>, row: &CodeRow) -> InspectedCode {
    InspectedCode {
        code: tables.text(row.code).into(),
        kind: row.kind,
        summary: tables.text(row.summary).into(),
        severity: row.severity,
        document: tables.text_or_none(row.document_path).map(Into::into),
    }
}
