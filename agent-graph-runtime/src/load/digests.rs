//! The digests of a provider: of each graph's dependency closure, of its shape, of the provider as a
//! whole (spec 2.4, 2.7). Knows paths and digests of files, not the files.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt::Write;

use super::definition::{Definition, Detail, Graph};
use super::limits::CLOSURE_ENTRIES;
use super::reach::{Reach, too_many};
use crate::canonical::{write_string, write_value};
use crate::collation;
use crate::digest::Hasher;
use crate::ordered::{self, Set};
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

/// Computes all digests; `files` are the reachable ones in the order of their paths.
pub(super) fn compute(definition: &Definition, files: &[FileDigest]) -> Result<Digests, Error> {
    let reach = Reach::new(definition, files.iter().map(|(path, _)| path))?;
    let order = CollationOrder::of(files)?;
    let mut graphs = Vec::with_capacity(definition.graphs.len());
    let mut shapes = Vec::with_capacity(definition.graphs.len());
    let mut entries = 0;
    for (index, graph) in definition.graphs.iter().enumerate() {
        let closure = reach.graphs(index);
        let reached = order.sorted(reach.files(&closure));
        entries += reached.len() + nodes_of(definition, &closure);
        if entries > CLOSURE_ENTRIES {
            return Err(too_many());
        }
        graphs.push(graph_digest(definition, graph, files, &reached)?);
        shapes.push(shape_digest(definition, graph, &closure));
    }
    Ok(Digests {
        provider: provider_digest(definition, files)?,
        graphs,
        shapes,
    })
}

fn nodes_of(definition: &Definition, closure: &[usize]) -> usize {
    let graphs = closure
        .iter()
        .filter_map(|index| definition.graphs.get(*index));
    graphs.map(|graph| graph.nodes.len()).sum()
}

/// The collation order of the paths of files, worked out once.
struct CollationOrder {
    /// For each file its place.
    place: Vec<usize>,
    /// For each place its file.
    file: Vec<usize>,
}

impl CollationOrder {
    fn of(files: &[FileDigest]) -> Result<Self, Error> {
        let file = collation::order(files.iter().map(|(path, _)| &**path))?;
        let mut place = alloc::vec![0; files.len()];
        for (at, file) in file.iter().enumerate() {
            if let Some(slot) = place.get_mut(*file) {
                *slot = at;
            }
        }
        Ok(Self { place, file })
    }

    /// The files in order, each once.
    fn sorted(&self, files: impl Iterator<Item = usize>) -> Vec<usize> {
        let places: Set<usize> = files
            .filter_map(|file| self.place.get(file).copied())
            .collect();
        let files = places.iter().filter_map(|place| self.file.get(*place));
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
    ordered::sort_by(&mut graphs, |a, b| a.id.value.cmp(&b.id.value));
    for graph in graphs {
        line(&["graph ", &graph.id.value]);
        let mut nodes: Vec<_> = graph.nodes.iter().collect();
        ordered::sort_by(&mut nodes, |a, b| a.id.value.cmp(&b.id.value));
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
    let mut distinct: Vec<&String> = called.collect::<Set<_>>().into_iter().collect();
    ordered::sort_by(&mut distinct, |a, b| collation::compare_code_units(a, b));
    distinct
}
