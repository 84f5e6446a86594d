//! A definition becomes tables: rows of small integers over one text pool (see `tables`). Knows the
//! definition and its digests, nothing about files or evaluation. The same definition gives the same
//! tables, byte for byte.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::calls::{GraphsById, entries_by_name, graphs_by_id};
use super::definition::{
    Action, Content, Definition, Delegated, Detail, FactCheck, FactTest, FileReference, GateDetail,
    Graph, Node, Reference, Resource, Resources, Step,
};
use super::digests::{Digests, FileDigest, dependencies};
use super::graph::{Nodes, nodes_by_id};
use super::source_order::source_order;
use crate::ordered::{self, Map};
use crate::protocol::{Outcome, Runtime};
use crate::tables::{
    ActionRow, CallRow, CheckRow, CodeRow, DelegatedRow, EdgeRow, EntryRow, FileRow, GateRow,
    GraphRow, NONE, NodeRow, OwnedTables, ProviderRow, ResourceClass, ResourceRow, Rows,
    SegmentRow, StepRow, Test, Text,
};

/// The tables of a definition. `files` are the reachable ones in the order of their paths.
pub(super) fn flatten(
    definition: &Definition,
    files: &[FileDigest],
    digests: &Digests,
) -> OwnedTables {
    let mut flattener = Flattener {
        definition,
        digests,
        tables: OwnedTables::default(),
        texts: Map::new(),
        files: (0..)
            .zip(files)
            .map(|(index, (path, _))| (path.clone(), index))
            .collect(),
        graphs: graphs_by_id(&definition.graphs),
        codes: Map::new(),
        entry_names: entries_by_name(&definition.graphs),
        entry_starts: Vec::new(),
    };
    flattener.provider();
    flattener.file_rows(files);
    flattener.entries();
    for (index, graph) in definition.graphs.iter().enumerate() {
        flattener.graph(index, graph);
    }
    for action in &definition.actions {
        flattener.action(action);
    }
    for resource in &definition.resources {
        flattener.resource(resource);
    }
    flattener.code_rows();
    flattener.tables
}

struct Flattener<'d> {
    definition: &'d Definition,
    digests: &'d Digests,
    tables: OwnedTables,
    texts: Map<String, Text>,
    files: Map<Arc<str>, u32>,
    graphs: GraphsById<'d>,
    codes: Map<&'d str, u32>,
    /// For each graph the places of its entries by name.
    entry_names: Vec<Map<&'d str, usize>>,
    /// Where the entries of each graph begin.
    entry_starts: Vec<u32>,
}

/// An index as a row refers to it. More than `u32` can count cannot be: ceilings bound every input.
fn row(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(NONE)
}

impl<'d> Flattener<'d> {
    fn text(&mut self, text: &str) -> Text {
        if let Some(known) = self.texts.get(text) {
            return *known;
        }
        let pool = &mut self.tables.text;
        let placed = Text(row(pool.len()), row(text.len()));
        pool.push_str(text);
        self.texts.insert(text.to_owned(), placed);
        placed
    }

    fn optional_text(&mut self, text: Option<&String>) -> Text {
        text.map_or(Text::NONE, |text| self.text(text))
    }

    fn file(&self, path: &Arc<str>) -> u32 {
        self.files.get(path).copied().unwrap_or(NONE)
    }

    fn optional_file(&self, file: Option<&FileReference>) -> u32 {
        file.map_or(NONE, |file| self.file(&file.file))
    }

    fn list(&mut self, rows: impl IntoIterator<Item = u32>) -> Rows {
        let start = self.tables.lists.len();
        self.tables.lists.extend(rows);
        run(start, self.tables.lists.len())
    }

    fn provider(&mut self) {
        let manifest = &self.definition.manifest;
        let catalog = self.definition.catalog.as_ref();
        self.tables.provider = ProviderRow {
            id: self.text(&manifest.id.value),
            version: self.text(&manifest.version.value),
            name: self.optional_text(manifest.name.as_ref()),
            description: self.optional_text(manifest.description.as_ref()),
            manifest: self.file(&manifest.file),
            catalog: catalog.map_or(NONE, |catalog| self.file(&catalog.file)),
            digest: *self.digests.provider.as_bytes(),
        };
    }

    fn file_rows(&mut self, files: &[FileDigest]) {
        for (path, digest) in files {
            let path = self.text(path);
            let digest = *digest.as_bytes();
            self.tables.files.push(FileRow { path, digest });
        }
    }

    /// All entries first, because calls refer to those of graphs that come later.
    fn entries(&mut self) {
        let mut first_node = 0;
        let definition = self.definition;
        for graph in &definition.graphs {
            let nodes = nodes_by_id(graph);
            self.entry_starts.push(row(self.tables.entries.len()));
            for entry in &graph.entrypoints {
                let name = self.text(&entry.name);
                let node = node_row(&nodes, first_node, &entry.node.value);
                self.tables.entries.push(EntryRow { name, node });
            }
            first_node += row(graph.nodes.len());
        }
        for (index, code) in definition
            .catalog
            .iter()
            .flat_map(|catalog| &catalog.codes)
            .enumerate()
        {
            self.codes.keep(&code.code.value, row(index));
        }
    }

    fn graph(&mut self, index: usize, graph: &'d Graph) {
        let first_node = row(self.tables.nodes.len());
        let first_edge = self.tables.edges.len();
        let nodes = nodes_by_id(graph);
        let id = self.text(&graph.id.value);
        let description = self.optional_text(graph.description.as_ref());
        for edge in &graph.edges {
            self.tables.edges.push(EdgeRow {
                from: node_row(&nodes, first_node, &edge.from.value),
                to: node_row(&nodes, first_node, &edge.to.value),
                outcomes: edge.outcomes.iter().copied().collect(),
                kind: edge.kind,
            });
        }
        let called = dependencies(graph);
        let called = called.iter().filter_map(|id| self.graphs.get(id.as_str()));
        let called: Vec<u32> = called.map(|index| row(*index)).collect();
        let dependencies = self.list(called);
        let adjacency = NodeEdges::of(graph, &nodes, row(first_edge));
        let ranks = ranks(graph);
        for (place, node) in graph.nodes.iter().enumerate() {
            let rank = ranks.get(place).copied().unwrap_or(0);
            self.node(index, node, rank, adjacency.of_node(place));
        }
        let entry_start = self.entry_starts.get(index).copied().unwrap_or(0);
        self.tables.graphs.push(GraphRow {
            id,
            description,
            file: self.file(&graph.file),
            digest: digest_at(&self.digests.graphs, index),
            shape: digest_at(&self.digests.shapes, index),
            entries: Rows(entry_start, row(graph.entrypoints.len())),
            nodes: Rows(first_node, row(graph.nodes.len())),
            edges: run(first_edge, self.tables.edges.len()),
            dependencies,
        });
    }

    fn node(&mut self, graph: usize, node: &Node, rank: u32, edges: EdgesOfNode<'_>) {
        let outgoing = self.list(edges.outgoing.iter().copied());
        let repeats = self.list(edges.repeats.iter().copied());
        let requires = self.checks(&node.requires);
        let node_row = NodeRow {
            id: self.text(&node.id.value),
            description: self.optional_text(node.description.as_ref()),
            kind: node.kind(),
            join: node.join,
            priority: node.priority,
            outcome: match &node.detail {
                Detail::Terminal(outcome) => *outcome,
                _ => Outcome::Pending,
            },
            graph: row(graph),
            rank,
            requires,
            detail: self.detail(node),
            incoming: edges.incoming,
            outgoing,
            repeats,
        };
        self.tables.nodes.push(node_row);
    }

    /// The row of what the kind of the node adds.
    fn detail(&mut self, node: &Node) -> u32 {
        match &node.detail {
            Detail::Action(step, action) => self.step(step, target(action), NONE),
            Detail::Gate(step, gate) => {
                let gate = self.gate(gate);
                self.step(step, NONE, gate)
            }
            Detail::Subgraph { graph, entry } => self.call(&graph.value, &entry.value),
            Detail::Terminal(_) => NONE,
        }
    }

    fn call(&mut self, graph: &str, entry: &str) -> u32 {
        let index = self.graphs.get(graph).copied();
        let names = index.and_then(|index| self.entry_names.get(index));
        let place = names.and_then(|names| names.get(entry)).copied();
        let start = index
            .and_then(|index| self.entry_starts.get(index))
            .copied();
        self.tables.calls.push(CallRow {
            graph: index.map_or(NONE, row),
            entry: match (start, place) {
                (Some(start), Some(place)) => start.saturating_add(row(place)),
                _ => NONE,
            },
        });
        row(self.tables.calls.len() - 1)
    }

    fn step(&mut self, step: &Step, action: u32, gate: u32) -> u32 {
        let satisfied = self.checks(&step.satisfied);
        let (required, recommended) = self.resources(&step.resources);
        let step_row = StepRow {
            reason: self.text(&step.reason.value),
            code: self
                .codes
                .get(step.reason.value.as_str())
                .copied()
                .unwrap_or(NONE),
            satisfied,
            action,
            gate,
            required,
            recommended,
        };
        self.tables.steps.push(step_row);
        row(self.tables.steps.len() - 1)
    }

    fn resources(&mut self, lists: &Resources) -> (Rows, Rows) {
        let required = self.list(lists.required.iter().map(target));
        let recommended = self.list(lists.recommended.iter().map(target));
        (required, recommended)
    }

    fn gate(&mut self, gate: &GateDetail) -> u32 {
        let gate_row = GateRow {
            id: self.text(&gate.id),
            prompt: self.text(&gate.prompt),
            authority: self.optional_text(gate.authority.as_ref()),
            delegatable: gate.delegatable,
            members: gate.members,
            inspection: gate.inspection.as_ref().map_or(NONE, target),
            resolution: gate.resolution.as_ref().map_or(NONE, target),
            delegated: match &gate.delegated {
                Some(delegated) => self.delegation(delegated),
                None => NONE,
            },
        };
        self.tables.gates.push(gate_row);
        row(self.tables.gates.len() - 1)
    }

    fn delegation(&mut self, delegated: &Delegated) -> u32 {
        let lists = delegated.resources.as_ref();
        let (required, recommended) =
            lists.map_or((Rows::EMPTY, Rows::EMPTY), |lists| self.resources(lists));
        self.tables.delegations.push(DelegatedRow {
            inspection: delegated.inspection,
            resolution: delegated.resolution.as_ref().map_or(NONE, target),
            replaces_resources: lists.is_some(),
            required,
            recommended,
        });
        row(self.tables.delegations.len() - 1)
    }

    fn checks(&mut self, checks: &[FactCheck]) -> Rows {
        let start = self.tables.checks.len();
        for check in checks {
            let segments = self.segments(&check.path);
            let check_row = CheckRow {
                path: self.text(&check.path),
                segments,
                test: match &check.test {
                    FactTest::Exists(exists) => Test::Exists(*exists),
                    FactTest::Null => Test::Null,
                    FactTest::Bool(value) => Test::Bool(*value),
                    // Minus zero equals zero.
                    FactTest::Number(number) => Test::Number((number + 0.0).to_bits()),
                    FactTest::Text(text) => Test::Text(self.text(text)),
                },
            };
            self.tables.checks.push(check_row);
        }
        run(start, self.tables.checks.len())
    }

    fn segments(&mut self, path: &str) -> Rows {
        let start = self.tables.segments.len();
        for name in path.split('.') {
            let segment = SegmentRow {
                name: self.text(name),
                index: array_index(name),
            };
            self.tables.segments.push(segment);
        }
        run(start, self.tables.segments.len())
    }

    fn action(&mut self, action: &Action) {
        let first_arg = self.tables.texts.len();
        for arg in &action.args {
            let text = self.text(arg);
            self.tables.texts.push(text);
        }
        let action_row = ActionRow {
            id: self.text(&action.id.value),
            description: self.optional_text(action.description.as_ref()),
            file: self.file(&action.file),
            runner: action.runner.value,
            effect: action.effect.value,
            cwd: action.cwd,
            command: self.optional_text(action.command.as_ref()),
            entry: self.optional_file(action.entry.as_ref()),
            runtime: action.runtime.unwrap_or(Runtime::Shell),
            args: run(first_arg, self.tables.texts.len()),
            skill: self.optional_file(action.skill.as_ref()),
            skill_header: action.skill_header,
            skill_name: self.optional_text(action.skill_name.as_ref()),
            handler: self.optional_text(action.handler.as_ref()),
            input_schema: self.optional_file(action.input_schema.as_ref()),
            output_schema: self.optional_file(action.output_schema.as_ref()),
            input_identity: self.optional_text(action.input_identity.as_ref()),
            output_identity: self.optional_text(action.output_identity.as_ref()),
        };
        self.tables.actions.push(action_row);
    }

    fn resource(&mut self, resource: &Resource) {
        let (class, content, input) = match &resource.content {
            Content::File(content) => (ResourceClass::File, self.file(&content.file), Text::NONE),
            Content::GraphAction(_) => (ResourceClass::GraphAction, NONE, Text::NONE),
            Content::HostAction { input, .. } => {
                let input = self.text(&source_order(&input.value));
                (ResourceClass::HostAction, NONE, input)
            }
        };
        let resource_row = ResourceRow {
            id: self.text(&resource.id.value),
            kind: resource.kind,
            media_type: self.text(&resource.media_type),
            description: self.optional_text(resource.description.as_ref()),
            class,
            file: self.file(&resource.file),
            content,
            materializer: resource.content.materializer().map_or(NONE, target),
            input,
        };
        self.tables.resources.push(resource_row);
    }

    fn code_rows(&mut self) {
        let definition = self.definition;
        for code in definition.catalog.iter().flat_map(|catalog| &catalog.codes) {
            let code_row = CodeRow {
                code: self.text(&code.code.value),
                kind: code.kind,
                summary: self.text(&code.summary),
                severity: code.severity,
                document: code.document.as_ref().map_or(NONE, target),
                document_path: self.optional_text(code.document.as_ref().map(|it| &it.path)),
            };
            self.tables.codes.push(code_row);
        }
    }
}

/// The rows from `start` up to but not including `end`.
fn run(start: usize, end: usize) -> Rows {
    Rows(row(start), row(end.saturating_sub(start)))
}

fn target(reference: &Reference) -> u32 {
    reference.target.map_or(NONE, row)
}

fn node_row(nodes: &Nodes<'_>, first: u32, id: &str) -> u32 {
    let place = nodes.get(id).copied();
    place.map_or(NONE, |place| first.saturating_add(row(place)))
}

fn digest_at(digests: &[crate::Digest], index: usize) -> [u8; 32] {
    digests
        .get(index)
        .map_or([0; 32], |digest| *digest.as_bytes())
}

/// The array index that a segment of a fact path spells.
fn array_index(segment: &str) -> u32 {
    let plain = segment == "0" || !segment.starts_with(['0', '+']);
    match segment.parse() {
        Ok(index) if plain => index,
        _ => NONE,
    }
}

/// For each node its place among the nodes ordered by id.
fn ranks(graph: &Graph) -> Vec<u32> {
    let mut by_id: Vec<usize> = (0..graph.nodes.len()).collect();
    let id = |index: &usize| graph.nodes.get(*index).map(|node| &node.id.value);
    ordered::sort_by(&mut by_id, |a, b| id(a).cmp(&id(b)));
    let mut ranks = alloc::vec![0; by_id.len()];
    for (rank, index) in (0..).zip(by_id) {
        if let Some(slot) = ranks.get_mut(index) {
            *slot = rank;
        }
    }
    ranks
}

/// The edges of each node of a graph, as rows.
struct NodeEdges {
    outgoing: Vec<Vec<u32>>,
    repeats: Vec<Vec<u32>>,
    incoming: Vec<u32>,
}

/// The edges of one node.
struct EdgesOfNode<'e> {
    outgoing: &'e [u32],
    repeats: &'e [u32],
    incoming: u32,
}

impl NodeEdges {
    fn of(graph: &Graph, nodes: &Nodes<'_>, first_edge: u32) -> Self {
        let count = graph.nodes.len();
        let mut edges = Self {
            outgoing: alloc::vec![Vec::new(); count],
            repeats: alloc::vec![Vec::new(); count],
            incoming: alloc::vec![0; count],
        };
        for (index, edge) in (first_edge..).zip(&graph.edges) {
            let end = |id: &str| nodes.get(id).copied().unwrap_or(usize::MAX);
            let is_repeat = edge.kind == crate::protocol::EdgeKind::Repeat;
            let lists = if is_repeat {
                &mut edges.repeats
            } else {
                &mut edges.outgoing
            };
            if let Some(list) = lists.get_mut(end(&edge.from.value)) {
                list.push(index);
            }
            let incoming = edges.incoming.get_mut(end(&edge.to.value));
            if let Some(incoming) = incoming.filter(|_| !is_repeat) {
                *incoming += 1;
            }
        }
        edges
    }

    fn of_node(&self, place: usize) -> EdgesOfNode<'_> {
        EdgesOfNode {
            outgoing: self.outgoing.get(place).map_or(&[], Vec::as_slice),
            repeats: self.repeats.get(place).map_or(&[], Vec::as_slice),
            incoming: self.incoming.get(place).copied().unwrap_or(0),
        }
    }
}
