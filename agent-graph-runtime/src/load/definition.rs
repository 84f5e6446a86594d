//! A provider as plain structs: what was authored, with the places later checks point at, and with
//! references resolved once they have been loaded. Knows no documents and no files beyond their paths.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::Place;
use crate::json::Value;
use crate::protocol::{
    CodeKind, EdgeKind, Effect, Inspection, Join, NodeKind, Outcome, ResourceKind, Runner, Runtime,
    Severity, WorkingDirectory,
};

/// A value and where it was authored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub place: Place,
}

/// A path that was authored, and what was found there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The path as authored.
    pub path: String,
    /// Where it stands.
    pub place: Place,
    /// The index of the action or resource it leads to, once that has been loaded.
    pub target: Option<usize>,
}

/// A file that was named by a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileReference {
    /// The path as authored.
    pub path: String,
    /// Where it stands.
    pub place: Place,
    /// The normalized path, relative to the manifest with forward slashes; the authored one until the
    /// file has been found.
    pub file: Arc<str>,
}

/// A provider, complete.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The provider manifest.
    pub manifest: Manifest,
    /// The code catalog, if any.
    pub catalog: Option<Catalog>,
    /// The graphs in manifest order.
    pub graphs: Vec<Graph>,
    /// The actions in the order in which they were first loaded.
    pub actions: Vec<Action>,
    /// The resources in the order in which they were first loaded.
    pub resources: Vec<Resource>,
}

/// A provider manifest (spec 1.2).
#[derive(Clone, Debug)]
pub struct Manifest {
    /// Its path relative to the folder it is in: its file name.
    pub file: Arc<str>,
    /// Id of the provider.
    pub id: Placed<String>,
    /// Version of the provider.
    pub version: Placed<String>,
    /// Name for people.
    pub name: Option<String>,
    /// Description.
    pub description: Option<String>,
    /// Paths of the graphs.
    pub graphs: Vec<Placed<String>>,
    /// Path of the code catalog.
    pub codes: Option<Placed<String>>,
    /// Range of toolchain versions.
    pub agent_graph: Option<Placed<String>>,
    /// The manifest as a JSON value, which the provider digest covers.
    pub value: Value,
}

/// A code catalog (spec 1.9).
#[derive(Clone, Debug)]
pub struct Catalog {
    /// Its normalized path.
    pub file: Arc<str>,
    /// The entries in authored order.
    pub codes: Vec<CodeEntry>,
}

/// An entry of a code catalog.
#[derive(Clone, Debug)]
pub struct CodeEntry {
    /// The code.
    pub code: Placed<String>,
    /// What it stands for.
    pub kind: CodeKind,
    /// The explanation.
    pub summary: String,
    /// How much it matters, if that is said.
    pub severity: Option<Severity>,
    /// A resource that explains more.
    pub document: Option<Reference>,
}

/// A graph (spec 1.3).
#[derive(Clone, Debug)]
pub struct Graph {
    /// Its normalized path.
    pub file: Arc<str>,
    /// Its id.
    pub id: Placed<String>,
    /// Description.
    pub description: Option<String>,
    /// Entry points in authored order.
    pub entrypoints: Vec<Entrypoint>,
    /// Nodes in authored order.
    pub nodes: Vec<Node>,
    /// Edges in authored order.
    pub edges: Vec<Edge>,
}

/// A public entry of a graph.
#[derive(Clone, Debug)]
pub struct Entrypoint {
    /// Its name.
    pub name: String,
    /// Id of the node it starts at.
    pub node: Placed<String>,
}

/// A node of a graph.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its id.
    pub id: Placed<String>,
    /// Description; an empty one is kept.
    pub description: Option<String>,
    /// Priority.
    pub priority: i16,
    /// How many incoming edges have to hit.
    pub join: Join,
    /// Facts without which it is blocked.
    pub requires: Vec<FactCheck>,
    /// What its kind adds.
    pub detail: Detail,
}

/// What the kind of a node adds.
#[derive(Clone, Debug)]
pub enum Detail {
    /// An action node and its action.
    Action(Step, Reference),
    /// A gate node.
    Gate(Step, Box<GateDetail>),
    /// A call of another graph.
    Subgraph {
        /// Id of the called graph.
        graph: Placed<String>,
        /// Name of its entry.
        entry: Placed<String>,
    },
    /// An end.
    Terminal(Outcome),
}

impl Node {
    /// The kind of the node.
    pub fn kind(&self) -> NodeKind {
        match self.detail {
            Detail::Action(..) => NodeKind::Action,
            Detail::Gate(..) => NodeKind::Gate,
            Detail::Subgraph { .. } => NodeKind::Subgraph,
            Detail::Terminal(_) => NodeKind::Terminal,
        }
    }

    /// What action and gate nodes share.
    pub fn step(&self) -> Option<&Step> {
        match &self.detail {
            Detail::Action(step, _) | Detail::Gate(step, _) => Some(step),
            Detail::Subgraph { .. } | Detail::Terminal(_) => None,
        }
    }
}

/// What action and gate nodes share.
#[derive(Clone, Debug)]
pub struct Step {
    /// Reason code.
    pub reason: Placed<String>,
    /// Facts that prove the node done.
    pub satisfied: Vec<FactCheck>,
    /// What to read.
    pub resources: Resources,
}

/// What has to be read and what is worth reading.
#[derive(Clone, Debug, Default)]
pub struct Resources {
    /// What has to be read.
    pub required: Vec<Reference>,
    /// What is worth reading.
    pub recommended: Vec<Reference>,
}

/// What a gate node adds.
#[derive(Clone, Debug)]
pub struct GateDetail {
    /// Id of the gate.
    pub id: String,
    /// What to ask.
    pub prompt: String,
    /// The authority that may decide.
    pub authority: Option<String>,
    /// Whether a session that holds the authority may decide.
    pub delegatable: bool,
    /// The authored members of the gate in authored order, 1 `id`, 2 `prompt`, 3 `authority`,
    /// 4 `delegatable`; 0 fills the rest.
    pub members: [u8; 4],
    /// Shows what is to be decided.
    pub inspection: Option<Reference>,
    /// Carries the decision out.
    pub resolution: Option<Reference>,
    /// What a session that holds the authority gets instead.
    pub delegated: Option<Delegated>,
}

/// The delegated policy of a gate.
#[derive(Clone, Debug)]
pub struct Delegated {
    /// Where it stands.
    pub place: Place,
    /// Whether the inspection action stays.
    pub inspection: Inspection,
    /// Where that is said; the policy itself where it is not.
    pub inspection_place: Place,
    /// Carries the decision out.
    pub resolution: Option<Reference>,
    /// Replaces both resource lists of the node when it is there.
    pub resources: Option<Resources>,
}

/// A question about a fact.
#[derive(Clone, Debug, PartialEq)]
pub struct FactCheck {
    /// Path of the fact.
    pub path: String,
    /// What is asked.
    pub test: FactTest,
    /// Where that is said.
    pub place: Place,
}

/// What a fact check asks.
#[derive(Clone, Debug, PartialEq)]
pub enum FactTest {
    /// Whether the fact is there.
    Exists(bool),
    /// Whether it is null.
    Null,
    /// Whether it is this boolean.
    Bool(bool),
    /// Whether it is this number.
    Number(f64),
    /// Whether it is this text.
    Text(String),
}

/// An edge of a graph.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Where it stands.
    pub place: Place,
    /// Id of its source.
    pub from: Placed<String>,
    /// Id of its target.
    pub to: Placed<String>,
    /// Outcomes in authored order.
    pub outcomes: Vec<Outcome>,
    /// Kind.
    pub kind: EdgeKind,
}

/// An action (spec 1.4).
#[derive(Clone, Debug)]
pub struct Action {
    /// Its normalized path.
    pub file: Arc<str>,
    /// Its id.
    pub id: Placed<String>,
    /// Description.
    pub description: Option<String>,
    /// Who runs it.
    pub runner: Placed<Runner>,
    /// What running it does.
    pub effect: Placed<Effect>,
    /// Where it runs.
    pub cwd: WorkingDirectory,
    /// Shell command.
    pub command: Option<String>,
    /// Script.
    pub entry: Option<FileReference>,
    /// Interpreter of the script.
    pub runtime: Option<Runtime>,
    /// Arguments of the script.
    pub args: Vec<String>,
    /// Skill.
    pub skill: Option<FileReference>,
    /// Whether the skill begins with frontmatter that can be read.
    pub skill_header: bool,
    /// Frontmatter `name` of the skill, where it is text.
    pub skill_name: Option<String>,
    /// Handler in the host.
    pub handler: Option<String>,
    /// JSON Schema of the input.
    pub input_schema: Option<FileReference>,
    /// JSON Schema of the output.
    pub output_schema: Option<FileReference>,
    /// Further files.
    pub files: Vec<FileReference>,
    /// Its own file and the ones it names.
    pub own_files: Vec<Arc<str>>,
    /// Every file below the directory of its skill, unless that is the folder of the manifest.
    pub skill_files: Arc<[Arc<str>]>,
    /// Protocol identity of the input schema, where a host-action resource needed one.
    pub input_identity: Option<String>,
    /// Protocol identity of the output schema, likewise.
    pub output_identity: Option<String>,
}

/// A resource (spec 1.5).
#[derive(Clone, Debug)]
pub struct Resource {
    /// Normalized path of the descriptor or of the text file.
    pub file: Arc<str>,
    /// Its id.
    pub id: Placed<String>,
    /// Its kind.
    pub kind: ResourceKind,
    /// Media type.
    pub media_type: String,
    /// Description.
    pub description: Option<String>,
    /// Where the content comes from.
    pub content: Content,
}

/// Where the content of a resource comes from.
#[derive(Clone, Debug)]
pub enum Content {
    /// A file: the one a descriptor names, or the text itself.
    File(FileReference),
    /// A command or script of the provider.
    GraphAction(Reference),
    /// The host, given an input.
    HostAction {
        /// The action that makes the content.
        materializer: Reference,
        /// What its handler is given.
        input: Placed<Value>,
    },
}

impl Content {
    /// The action that makes the content, where one does.
    pub fn materializer(&self) -> Option<&Reference> {
        match self {
            Self::File(_) => None,
            Self::GraphAction(materializer) | Self::HostAction { materializer, .. } => {
                Some(materializer)
            }
        }
    }
}
