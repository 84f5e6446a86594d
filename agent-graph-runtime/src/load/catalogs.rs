//! What a bundle manifest lists of a provider: graphs, actions, resources and schemas (spec 9.3).
//! Knows the definition only; the order in a manifest and the digests are the caller's matter.

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::definition::{Content, Definition};
use crate::ordered::Map;
use crate::protocol::ResourceKind;

/// A definition and the file that defines it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CatalogEntry {
    /// Id of the definition; of a schema that no resource names, its path.
    pub id: String,
    /// Normalized path of the file.
    pub path: Arc<str>,
}

/// The four catalogs of a bundle manifest, in the order of loading; schemas in the order of their paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalogs {
    /// The graphs.
    pub graphs: Vec<CatalogEntry>,
    /// The actions, those of gates and materializers included.
    pub actions: Vec<CatalogEntry>,
    /// The resources, those that document codes included; a descriptor stands for its content.
    pub resources: Vec<CatalogEntry>,
    /// The schemas of actions, and the content of resources of kind `schema`.
    pub schemas: Vec<CatalogEntry>,
}

impl Catalogs {
    /// The catalogs of a definition.
    pub fn of(definition: &Definition) -> Self {
        let entry = |id: &String, path: &Arc<str>| CatalogEntry {
            id: id.clone(),
            path: path.clone(),
        };
        let graphs = definition.graphs.iter();
        let actions = definition.actions.iter();
        let resources = definition.resources.iter();
        Self {
            graphs: graphs.map(|it| entry(&it.id.value, &it.file)).collect(),
            actions: actions.map(|it| entry(&it.id.value, &it.file)).collect(),
            resources: resources.map(|it| entry(&it.id.value, &it.file)).collect(),
            schemas: schemas(definition),
        }
    }
}

/// One entry a path; the id of a resource goes before the path.
fn schemas(definition: &Definition) -> Vec<CatalogEntry> {
    let mut by_path: Map<Arc<str>, String> = Map::new();
    for action in &definition.actions {
        let schemas = [&action.input_schema, &action.output_schema];
        for schema in schemas.into_iter().flatten() {
            by_path.insert(schema.file.clone(), schema.file.to_string());
        }
    }
    for resource in &definition.resources {
        if let (ResourceKind::Schema, Content::File(content)) = (resource.kind, &resource.content) {
            by_path.insert(content.file.clone(), resource.id.value.clone());
        }
    }
    let entries = by_path.into_iter();
    entries
        .map(|(path, id)| CatalogEntry { id, path })
        .collect()
}
