//! Which files a provider and each of its graphs reach, and the digests over them (spec 2.4, 2.7, 3.7).
//! Knows paths and digests; reading files is the caller's matter.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt::Write;

use super::calls::call_graph;
use super::cycles::Adjacency;
use super::definition::{Content, Definition, Detail, Graph, Reference, Resources};
use super::limits::CLOSURE_ENTRIES;
use crate::canonical::{write_string, write_value};
use crate::collation;
use crate::digest::Hasher;
use crate::{Code, Digest, Error};

/// A file and the digest of its bytes.
pub(super) type FileDigest = (Arc<str>, Digest);

/// All digests of a provider.
pub(super) struct Digests {
    /// The provider digest.
    pub(super) provider: Digest,
    /// The digest of each graph.
    pub(super) graphs: Vec<Digest>,
    /// The shape digest of each graph.
    pub(super) shapes: Vec<Digest>,
}

/// The reachable files in the order of their paths (UTF-16 code units), the manifest included.
pub(super) fn reachable_files(definition: &Definition) -> Vec<Arc<str>> {
    let mut files = BTreeSet::new();
    files.insert(definition.manifest.file.clone());
    if let Some(catalog) = &definition.catalog {
        files.insert(catalog.file.clone());
        let documents = catalog
            .codes
            .iter()
            .filter_map(|code| code.document.as_ref());
        for document in documents {
            resource_files(definition, document, &mut files);
        }
    }
    for graph in &definition.graphs {
        files.extend(direct_files(definition, graph));
    }
    let mut files: Vec<Arc<str>> = files.into_iter().collect();
    files.sort_by(|a, b| collation::compare_code_units(a, b));
    files
}

/// The files that a graph refers to by itself.
fn direct_files(definition: &Definition, graph: &Graph) -> BTreeSet<Arc<str>> {
    let mut files = BTreeSet::new();
    files.insert(graph.file.clone());
    for node in &graph.nodes {
        match &node.detail {
            Detail::Action(step, action) => {
                action_files(definition, action, &mut files);
                listed_files(definition, &step.resources, &mut files);
            }
            Detail::Gate(step, gate) => {
                let delegated = gate.delegated.as_ref();
                let delegated_resolution = delegated.and_then(|policy| policy.resolution.as_ref());
                for action in [&gate.inspection, &gate.resolution].into_iter().flatten() {
                    action_files(definition, action, &mut files);
                }
                if let Some(action) = delegated_resolution {
                    action_files(definition, action, &mut files);
                }
                listed_files(definition, &step.resources, &mut files);
                if let Some(lists) = delegated.and_then(|policy| policy.resources.as_ref()) {
                    listed_files(definition, lists, &mut files);
                }
            }
            Detail::Subgraph { .. } | Detail::Terminal(_) => {}
        }
    }
    files
}

fn action_files(definition: &Definition, action: &Reference, files: &mut BTreeSet<Arc<str>>) {
    if let Some(action) = action
        .target
        .and_then(|index| definition.actions.get(index))
    {
        files.extend(action.members.iter().cloned());
    }
}

fn listed_files(definition: &Definition, lists: &Resources, files: &mut BTreeSet<Arc<str>>) {
    for resource in lists.required.iter().chain(&lists.recommended) {
        resource_files(definition, resource, files);
    }
}

fn resource_files(definition: &Definition, resource: &Reference, files: &mut BTreeSet<Arc<str>>) {
    let resource = resource
        .target
        .and_then(|index| definition.resources.get(index));
    let Some(resource) = resource else {
        return;
    };
    files.insert(resource.file.clone());
    if let Content::File(content) = &resource.content {
        files.insert(content.file.clone());
    }
    if let Some(materializer) = resource.content.materializer() {
        action_files(definition, materializer, files);
    }
}

/// Computes all digests; `files` are the reachable ones in the order of [`reachable_files`].
pub(super) fn compute(definition: &Definition, files: &[FileDigest]) -> Result<Digests, Error> {
    let closures = Closures::new(definition, files)?;
    let mut graphs = Vec::with_capacity(definition.graphs.len());
    let mut shapes = Vec::with_capacity(definition.graphs.len());
    let mut entries = 0;
    for (index, graph) in definition.graphs.iter().enumerate() {
        let members = closures.members(index);
        let reached = closures.files(&members);
        entries += reached.len() + nodes_of(definition, &members);
        if entries > CLOSURE_ENTRIES {
            let message = format!(
                "the files and nodes that graphs reach, graph by graph, are more than {CLOSURE_ENTRIES}"
            );
            return Err(Error::new(Code::InputLimit, message));
        }
        graphs.push(graph_digest(definition, graph, files, &reached)?);
        shapes.push(shape_digest(definition, graph, &members));
    }
    Ok(Digests {
        provider: provider_digest(definition, files)?,
        graphs,
        shapes,
    })
}

fn nodes_of(definition: &Definition, members: &[usize]) -> usize {
    let graphs = members
        .iter()
        .filter_map(|index| definition.graphs.get(*index));
    graphs.map(|graph| graph.nodes.len()).sum()
}

/// Which graphs each graph reaches, and which files those refer to.
struct Closures {
    calls: Adjacency,
    /// For each graph its direct files, as indices into the files.
    direct: Vec<Vec<usize>>,
    /// For each file its place in collation order.
    rank: Vec<usize>,
    /// For each place in collation order its file.
    by_rank: Vec<usize>,
}

impl Closures {
    fn new(definition: &Definition, files: &[FileDigest]) -> Result<Self, Error> {
        let by_path: BTreeMap<&str, usize> = (0..)
            .zip(files)
            .map(|(index, (path, _))| (&**path, index))
            .collect();
        let direct = definition.graphs.iter().map(|graph| {
            let paths = direct_files(definition, graph);
            let indices = paths.iter().filter_map(|path| by_path.get(&**path));
            indices.copied().collect()
        });
        let direct = direct.collect();
        let by_rank = collation::order(files.iter().map(|(path, _)| &**path))?;
        let mut rank = alloc::vec![0; files.len()];
        for (place, file) in by_rank.iter().enumerate() {
            if let Some(slot) = rank.get_mut(*file) {
                *slot = place;
            }
        }
        Ok(Self {
            calls: call_graph(&definition.graphs),
            direct,
            rank,
            by_rank,
        })
    }

    /// The graph and all graphs it reaches through subgraph nodes, in ascending order.
    fn members(&self, graph: usize) -> Vec<usize> {
        let mut members = BTreeSet::new();
        let mut left = alloc::vec![graph];
        while let Some(index) = left.pop() {
            if members.insert(index) {
                left.extend(self.calls.from(index).iter().map(|(target, _)| *target));
            }
        }
        members.into_iter().collect()
    }

    /// The files those graphs refer to, in collation order.
    fn files(&self, members: &[usize]) -> Vec<usize> {
        let direct = members.iter().filter_map(|graph| self.direct.get(*graph));
        let ranks: BTreeSet<usize> = direct
            .flatten()
            .filter_map(|file| self.rank.get(*file).copied())
            .collect();
        let files = ranks.iter().filter_map(|rank| self.by_rank.get(*rank));
        files.copied().collect()
    }
}

/// The digest of a graph's dependency closure. The text is canonical JSON: members in collation order.
fn graph_digest(
    definition: &Definition,
    graph: &Graph,
    files: &[FileDigest],
    reached: &[usize],
) -> Result<Digest, Error> {
    let manifest = &definition.manifest;
    let mut hasher = Hasher::new();
    hasher.text("{\"files\":");
    let reached = reached.iter().filter_map(|file| files.get(*file));
    write_files(reached, &mut hasher, |file| *file == manifest.file)?;
    hasher.text(",\"graph\":");
    string(&graph.id.value, &mut hasher)?;
    hasher.text(",\"provider\":{\"id\":");
    string(&manifest.id.value, &mut hasher)?;
    hasher.text(",\"version\":");
    string(&manifest.version.value, &mut hasher)?;
    hasher.text("}}");
    Ok(hasher.finish())
}

/// The provider digest: the manifest as a value, and all other files.
fn provider_digest(definition: &Definition, files: &[FileDigest]) -> Result<Digest, Error> {
    let manifest = &definition.manifest;
    let others = files.iter().filter(|(path, _)| *path != manifest.file);
    let mut hasher = Hasher::new();
    hasher.text("{\"files\":");
    write_files(others, &mut hasher, |_| false)?;
    hasher.text(",\"manifest\":");
    write_value(&manifest.value, &mut hasher)?;
    hasher.text("}");
    Ok(hasher.finish())
}

/// `[["path","sha256:…"],…]`, with null for a file whose bytes do not count.
fn write_files<'f>(
    files: impl Iterator<Item = &'f FileDigest>,
    hasher: &mut Hasher,
    is_nulled: impl Fn(&Arc<str>) -> bool,
) -> Result<(), Error> {
    hasher.text("[");
    for (index, (path, digest)) in files.enumerate() {
        hasher.text(if index == 0 { "[" } else { ",[" });
        string(path, hasher)?;
        if is_nulled(path) {
            hasher.text(",null]");
        } else {
            hashed(write!(hasher, ",\"{digest}\"]"))?;
        }
    }
    hasher.text("]");
    Ok(())
}

fn string(text: &str, hasher: &mut Hasher) -> Result<(), Error> {
    hashed(write_string(text, hasher))
}

/// A hasher takes everything, so the error of the formatting trait does not occur.
fn hashed(result: core::fmt::Result) -> Result<(), Error> {
    result.map_err(|_| Error::new(Code::InputLimit, "the digest could not be computed"))
}

/// The digest of node ids, kinds and call structure of the closure of a graph (see `GraphRow::shape`).
fn shape_digest(definition: &Definition, graph: &Graph, members: &[usize]) -> Digest {
    let mut hasher = Hasher::new();
    let mut line = |parts: &[&str]| {
        parts.iter().for_each(|part| hasher.text(part));
        hasher.text("\n");
    };
    line(&["root ", &graph.id.value]);
    let mut graphs: Vec<&Graph> = members
        .iter()
        .filter_map(|index| definition.graphs.get(*index))
        .collect();
    graphs.sort_by_key(|graph| &graph.id.value);
    for graph in graphs {
        line(&["graph ", &graph.id.value]);
        let mut nodes: Vec<_> = graph.nodes.iter().collect();
        nodes.sort_by_key(|node| &node.id.value);
        for node in nodes {
            match &node.detail {
                Detail::Subgraph { graph, .. } => {
                    line(&["subgraph ", &node.id.value, " -> ", &graph.value]);
                }
                _ => line(&[node.kind().as_str(), " ", &node.id.value]),
            }
        }
    }
    hasher.finish()
}

/// The ids of the graphs that a graph calls, distinct, in the order of their UTF-16 code units.
pub(super) fn dependencies(graph: &Graph) -> Vec<&String> {
    let called = graph.nodes.iter().filter_map(|node| match &node.detail {
        Detail::Subgraph { graph, .. } => Some(&graph.value),
        _ => None,
    });
    let mut distinct: Vec<&String> = called.collect::<BTreeSet<_>>().into_iter().collect();
    distinct.sort_by(|a, b| collation::compare_code_units(a, b));
    distinct
}
