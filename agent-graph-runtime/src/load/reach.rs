//! Which files a provider and each of its graphs reach (spec 2.4, 3.7). Knows paths only; reading and
//! hashing files is the caller's matter.
//!
//! Everything that has been loaded is reached by a node or by the code catalog, so the files of the
//! provider are those of all definitions; which graph reaches which is told by numbers.

use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::calls::call_graph;
use super::cycles::Adjacency;
use super::definition::{Action, Content, Definition, Detail, Graph, Reference, Resource};
use super::limits::CLOSURE_ENTRIES;
use crate::ordered::{self, Map, Set};
use crate::{Code, Error, collation};

/// The reachable files in the order of their paths (UTF-16 code units), the manifest included.
pub(super) fn reachable_files(definition: &Definition) -> Vec<Arc<str>> {
    let mut files = Set::new();
    files.insert(&definition.manifest.file);
    files.extend(definition.catalog.iter().map(|catalog| &catalog.file));
    files.extend(definition.graphs.iter().map(|graph| &graph.file));
    let mut skills = Set::new();
    for action in &definition.actions {
        files.extend(&action.own_files);
        if skills.insert(skill_directory(action)) {
            files.extend(action.skill_files.iter());
        }
    }
    for resource in &definition.resources {
        files.insert(&resource.file);
        if let Content::File(content) = &resource.content {
            files.insert(&content.file);
        }
    }
    let mut files: Vec<Arc<str>> = files.into_iter().cloned().collect();
    ordered::sort_by(&mut files, |a, b| collation::compare_code_units(a, b));
    files
}

/// Actions whose skills lie in one directory share the files in it, which need to be looked at once.
fn skill_directory(action: &Action) -> Option<&str> {
    let (directory, _) = action.skill.as_ref()?.file.rsplit_once('/')?;
    Some(directory)
}

/// Which graphs and files each graph reaches, as indices.
pub(super) struct Reach {
    calls: Adjacency,
    /// For each graph the files it refers to by itself.
    direct: Vec<Vec<usize>>,
}

impl Reach {
    /// `files` are the reachable ones.
    ///
    /// # Errors
    /// `input-limit` if the files that graphs refer to, graph by graph, are too many.
    pub(super) fn new<'f>(
        definition: &Definition,
        files: impl Iterator<Item = &'f Arc<str>>,
    ) -> Result<Self, Error> {
        let files: Map<&str, usize> = files.map(|path| &**path).zip(0..).collect();
        let mut marks = Marks {
            definition,
            seen: alloc::vec![usize::MAX; files.len()],
            files: &files,
            graph: 0,
            direct: Vec::new(),
            budget: CLOSURE_ENTRIES,
        };
        let mut direct = Vec::with_capacity(definition.graphs.len());
        for (index, graph) in definition.graphs.iter().enumerate() {
            marks.graph = index;
            marks.mark_graph(graph)?;
            direct.push(core::mem::take(&mut marks.direct));
        }
        Ok(Self {
            calls: call_graph(&definition.graphs),
            direct,
        })
    }

    /// The graph and all graphs it reaches through subgraph nodes, in ascending order.
    pub(super) fn graphs(&self, graph: usize) -> Vec<usize> {
        let mut reached = Set::from_iter([graph]);
        let mut left = alloc::vec![graph];
        while let Some(index) = left.pop() {
            for (target, _) in self.calls.from(index) {
                if reached.insert(*target) {
                    left.push(*target);
                }
            }
        }
        reached.into_iter().collect()
    }

    /// The files those graphs refer to, with repetitions.
    pub(super) fn files(&self, graphs: &[usize]) -> impl Iterator<Item = usize> {
        let direct = graphs.iter().filter_map(|graph| self.direct.get(*graph));
        direct.flatten().copied()
    }
}

/// Collects the files of one graph after the other.
struct Marks<'d> {
    definition: &'d Definition,
    files: &'d Map<&'d str, usize>,
    /// For each file the graph that was the last to refer to it.
    seen: Vec<usize>,
    graph: usize,
    direct: Vec<usize>,
    budget: usize,
}

impl<'d> Marks<'d> {
    fn mark(&mut self, path: &str) -> Result<(), Error> {
        self.budget = self.budget.checked_sub(1).ok_or_else(too_many)?;
        let Some(file) = self.files.get(path).copied() else {
            return Ok(());
        };
        if let Some(seen) = self.seen.get_mut(file).filter(|seen| **seen != self.graph) {
            *seen = self.graph;
            self.direct.push(file);
        }
        Ok(())
    }

    fn mark_graph(&mut self, graph: &Graph) -> Result<(), Error> {
        self.mark(&graph.file)?;
        let (mut actions, mut resources) = (Set::new(), Set::new());
        for node in &graph.nodes {
            actions.extend(node_actions(&node.detail).filter_map(|action| action.target));
            resources.extend(node_resources(&node.detail).filter_map(|resource| resource.target));
        }
        for resource in resources {
            if let Some(resource) = self.definition.resources.get(resource) {
                self.mark_resource(resource)?;
                let materializer = resource.content.materializer();
                actions.extend(materializer.and_then(|action| action.target));
            }
        }
        let mut skills = Set::new();
        for action in actions {
            if let Some(action) = self.definition.actions.get(action) {
                self.mark_action(action, &mut skills)?;
            }
        }
        Ok(())
    }

    fn mark_resource(&mut self, resource: &Resource) -> Result<(), Error> {
        self.mark(&resource.file)?;
        match &resource.content {
            Content::File(content) => self.mark(&content.file),
            Content::GraphAction(_) | Content::HostAction { .. } => Ok(()),
        }
    }

    fn mark_action(
        &mut self,
        action: &'d Action,
        skills: &mut Set<Option<&'d str>>,
    ) -> Result<(), Error> {
        action
            .own_files
            .iter()
            .try_for_each(|file| self.mark(file))?;
        if !skills.insert(skill_directory(action)) {
            return Ok(());
        }
        action
            .skill_files
            .iter()
            .try_for_each(|file| self.mark(file))
    }
}

/// That graphs reach more than is hashed in reasonable time.
pub(super) fn too_many() -> Error {
    let message = format!(
        "the files and nodes that graphs reach, graph by graph, are more than {CLOSURE_ENTRIES}"
    );
    Error::new(Code::InputLimit, message)
}

fn node_actions(detail: &Detail) -> impl Iterator<Item = &Reference> {
    let (action, gate) = match detail {
        Detail::Action(_, action) => (Some(action), None),
        Detail::Gate(_, gate) => (None, Some(gate)),
        Detail::Subgraph { .. } | Detail::Terminal(_) => (None, None),
    };
    let delegated = gate.and_then(|gate| gate.delegated.as_ref()?.resolution.as_ref());
    let inspection = gate.and_then(|gate| gate.inspection.as_ref());
    let resolution = gate.and_then(|gate| gate.resolution.as_ref());
    [action, inspection, resolution, delegated]
        .into_iter()
        .flatten()
}

fn node_resources(detail: &Detail) -> impl Iterator<Item = &Reference> {
    let (step, gate) = match detail {
        Detail::Action(step, _) => (Some(step), None),
        Detail::Gate(step, gate) => (Some(step), Some(gate)),
        Detail::Subgraph { .. } | Detail::Terminal(_) => (None, None),
    };
    let own = step.map(|step| &step.resources);
    let delegated = gate.and_then(|gate| gate.delegated.as_ref()?.resources.as_ref());
    let lists = [own, delegated].into_iter().flatten();
    lists.flat_map(|lists| lists.required.iter().chain(&lists.recommended))
}
