//! The bundle manifest, `agent-graph.bundle.v1`, members in their order (spec 9.3). Knows a loaded
//! provider and the text of its normalized manifest.

use agent_graph_runtime::json::{Object, Value};
use agent_graph_runtime::load::{CatalogEntry, Catalogs, Loaded};
use agent_graph_runtime::ordered::{self, Map};
use agent_graph_runtime::{Digest, Error, order};

use super::{PROVIDER_YAML, files};

/// The manifest and its digest.
pub(super) fn of(loaded: &Loaded, provider_yaml: &str) -> Result<(Object, Digest), Error> {
    let packaged = packaged_files(loaded, provider_yaml);
    let catalogs = Catalogs::of(&loaded.definition);
    let definition = &loaded.definition.manifest;
    let mut provider = Object::new();
    provider.insert("id", definition.id.value.as_str());
    provider.insert("version", definition.version.value.as_str());
    let id = |entry: &CatalogEntry| entry.id.clone();
    let path = |entry: &CatalogEntry| entry.path.to_string();
    let mut manifest = Object::new();
    manifest.insert("schema", "agent-graph.bundle.v1");
    manifest.insert("provider", provider);
    manifest.insert("providerManifest", PROVIDER_YAML);
    manifest.insert("graphs", catalog(&catalogs.graphs, id, &packaged)?);
    manifest.insert("actions", catalog(&catalogs.actions, id, &packaged)?);
    manifest.insert("resources", catalog(&catalogs.resources, id, &packaged)?);
    manifest.insert("schemas", catalog(&catalogs.schemas, path, &packaged)?);
    manifest.insert("files", listed_files(&packaged));
    manifest.insert("graphDependencies", dependencies(loaded)?);
    let digest = Digest::of_value(&Value::Object(manifest.clone()))?;
    manifest.insert("digest", digest.to_string());
    Ok((manifest, digest))
}

/// Every file of the bundle but its manifest, with its digest there.
fn packaged_files(loaded: &Loaded, provider_yaml: &str) -> Map<String, Digest> {
    let source_manifest = &*loaded.definition.manifest.file;
    let mut packaged: Map<String, Digest> = files(loaded)
        .filter(|(path, _)| *path != source_manifest)
        .map(|(path, digest)| (path.to_owned(), digest))
        .collect();
    let digest = Digest::of_bytes(provider_yaml.as_bytes());
    packaged.insert(PROVIDER_YAML.to_owned(), digest);
    packaged
}

/// The entries in the order of a key.
fn catalog(
    entries: &[CatalogEntry],
    key: impl Fn(&CatalogEntry) -> String,
    packaged: &Map<String, Digest>,
) -> Result<Value, Error> {
    let keys: Vec<String> = entries.iter().map(key).collect();
    let order = order::collated(keys.iter().map(String::as_str))?;
    let entries = order.into_iter().filter_map(|at| entries.get(at));
    let entries = entries.filter_map(|entry| {
        // Whatever a catalog lists is reachable.
        let digest = packaged.get(&*entry.path)?;
        let mut listed = Object::new();
        listed.insert("id", entry.id.as_str());
        listed.insert("path", &*entry.path);
        listed.insert("digest", digest.to_string());
        Some(Value::Object(listed))
    });
    Ok(Value::Array(entries.collect()))
}

fn listed_files(packaged: &Map<String, Digest>) -> Value {
    let mut files: Vec<(&String, &Digest)> = packaged.iter().collect();
    ordered::sort_by(&mut files, |a, b| order::by_code_units(a.0, b.0));
    let files = files.into_iter().map(|(path, digest)| {
        let mut listed = Object::new();
        listed.insert("path", path.as_str());
        listed.insert("digest", digest.to_string());
        Value::Object(listed)
    });
    Value::Array(files.collect())
}

/// Which graphs each graph calls. The names are in canonical order: the reference keeps array indices
/// first, as every ECMAScript object does.
fn dependencies(loaded: &Loaded) -> Result<Value, Error> {
    let tables = loaded.tables.as_tables();
    let id = |graph: u32| tables.text(tables.row(tables.graphs, graph).id);
    let dependencies: Object = tables
        .graphs
        .iter()
        .map(|graph| {
            let called = tables.rows(tables.lists, graph.dependencies).iter();
            let called = called.map(|graph| Value::from(id(*graph))).collect();
            (tables.text(graph.id), Value::Array(called))
        })
        .collect();
    Value::from_json(&dependencies.canonical()?)
}
