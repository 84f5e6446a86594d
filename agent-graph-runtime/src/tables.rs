//! The flat form of a provider: one text pool, one pool of rows a kind, rows that are small and
//! refer to each other by index. Compiled in, the pools are `static`; loaded, they are vectors that
//! lend the same [`Tables`]. Knows the rows and how to look one up, nothing about evaluation.
//!
//! Generated code and the loader fill these rows; a host has no reason to. An index that leads
//! nowhere (it cannot, in tables made by either) yields an `ABSENT` row instead of a panic.

use alloc::string::String;
use alloc::vec::Vec;

use crate::flat::flat_tables;
use crate::protocol::{
    CodeKind, EdgeKind, Effect, Inspection, Join, NodeKind, Outcome, OutcomeSet, ResourceKind,
    Runner, Runtime, Severity, WorkingDirectory,
};

/// The version of the row format. Generated code names it, and refuses to compile against a runtime
/// with another one.
pub const TABLE_FORMAT: u32 = 1;

/// The index that refers to no row.
pub const NONE: u32 = u32::MAX;

/// A piece of the text pool, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text(pub u32, pub u32);

impl Text {
    /// No text at all, as opposed to an empty one.
    pub const NONE: Self = Self(NONE, 0);

    /// Whether there is a text.
    pub const fn is_some(self) -> bool {
        self.0 != NONE
    }
}

/// A run of rows in a pool: index of the first, number of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows(pub u32, pub u32);

impl Rows {
    /// No rows.
    pub const EMPTY: Self = Self(0, 0);

    /// The indices of the rows.
    pub fn indices(self) -> core::ops::Range<u32> {
        self.0..self.0.saturating_add(self.1)
    }
}

/// A row that has a stand-in for an index that leads nowhere.
pub trait Row: Copy + 'static {
    /// The stand-in.
    const ABSENT: &'static Self;
}

macro_rules! row {
    (
        $(#[$meta:meta])*
        $name:ident { $( $(#[$doc:meta])* $field:ident: $type:ty = $absent:expr, )+ }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name { $( $(#[$doc])* pub $field: $type, )+ }

        impl Row for $name {
            const ABSENT: &'static Self = &Self { $( $field: $absent, )+ };
        }
    };
}

#[cfg(feature = "pi")]
pub(crate) use row;

row! {
    /// The provider itself (spec 1.2).
    ProviderRow {
        /// Its id.
        id: Text = Text::NONE,
        /// Its own version.
        version: Text = Text::NONE,
        /// Display name, if any.
        name: Text = Text::NONE,
        /// Description, if any.
        description: Text = Text::NONE,
        /// The manifest among the files.
        manifest: u32 = NONE,
        /// The code catalog among the files.
        catalog: u32 = NONE,
        /// Provider digest (spec 2.7).
        digest: [u8; 32] = [0; 32],
    }
}

row! {
    /// A graph (spec 1.3).
    GraphRow {
        /// Its id.
        id: Text = Text::NONE,
        /// Description, if any.
        description: Text = Text::NONE,
        /// Its file.
        file: u32 = NONE,
        /// Digest of its dependency closure (spec 2.4).
        digest: [u8; 32] = [0; 32],
        /// Digest of node ids, kinds and call structure of the closure; equal for a loaded and a
        /// compiled-in graph exactly when the compiled-in types fit the loaded one.
        shape: [u8; 32] = [0; 32],
        /// Entry points in authored order, in `entries`.
        entries: Rows = Rows::EMPTY,
        /// Nodes in authored order, in `nodes`.
        nodes: Rows = Rows::EMPTY,
        /// Edges in authored order, in `edges`.
        edges: Rows = Rows::EMPTY,
        /// Graphs that its subgraph nodes call, distinct, in `lists`, ordered by id (UTF-16 code units).
        dependencies: Rows = Rows::EMPTY,
    }
}

row! {
    /// An entry point of a graph.
    EntryRow {
        /// Its public name.
        name: Text = Text::NONE,
        /// The node it starts at, in `nodes`.
        node: u32 = NONE,
    }
}

row! {
    /// A node, with what all kinds have in common.
    NodeRow {
        /// Its id.
        id: Text = Text::NONE,
        /// Description, if any; an empty one is kept as written.
        description: Text = Text::NONE,
        /// Its kind.
        kind: NodeKind = NodeKind::Terminal,
        /// How many incoming edges have to hit.
        join: Join = Join::All,
        /// Priority, -1000 to 1000.
        priority: i16 = 0,
        /// Outcome of a terminal; of other kinds, `pending`.
        outcome: Outcome = Outcome::Blocked,
        /// Its graph, in `graphs`.
        graph: u32 = NONE,
        /// Its place among the nodes of the graph ordered by id (bytes). Typed steps go by it, so that
        /// the order in which nodes are written does not matter to them.
        rank: u32 = 0,
        /// Required facts, in `checks`.
        requires: Rows = Rows::EMPTY,
        /// Row of its kind: in `steps` for an action or gate, in `calls` for a subgraph.
        detail: u32 = NONE,
        /// How many edges other than repeat edges lead here.
        incoming: u32 = 0,
        /// Edges from here other than repeat edges, in authored order, in `lists`.
        outgoing: Rows = Rows::EMPTY,
        /// Repeat edges from here, in authored order, in `lists`.
        repeats: Rows = Rows::EMPTY,
    }
}

row! {
    /// What an action node and a gate node have beyond [`NodeRow`].
    StepRow {
        /// Reason code.
        reason: Text = Text::NONE,
        /// Catalog entry of the reason code, in `codes`.
        code: u32 = NONE,
        /// Facts that prove the node done, in `checks`; no rows when it has none.
        satisfied: Rows = Rows::EMPTY,
        /// The action of an action node, in `actions`.
        action: u32 = NONE,
        /// The gate of a gate node, in `gates`.
        gate: u32 = NONE,
        /// Required resources in authored order, in `lists` (rows of `resources`).
        required: Rows = Rows::EMPTY,
        /// Recommended resources, likewise.
        recommended: Rows = Rows::EMPTY,
    }
}

row! {
    /// A gate (spec 1.3).
    GateRow {
        /// Gate id.
        id: Text = Text::NONE,
        /// What to ask.
        prompt: Text = Text::NONE,
        /// The authority that may resolve it, if any.
        authority: Text = Text::NONE,
        /// Whether a session with the authority may resolve it.
        delegatable: bool = false,
        /// The authored members in authored order, 1 `id`, 2 `prompt`, 3 `authority`, 4 `delegatable`;
        /// 0 fills the rest.
        members: [u8; 4] = [0; 4],
        /// Inspection action, in `actions`.
        inspection: u32 = NONE,
        /// Resolution action, in `actions`.
        resolution: u32 = NONE,
        /// What a session with the authority gets instead, in `delegations`.
        delegated: u32 = NONE,
    }
}

row! {
    /// The `delegated` member of a gate node.
    DelegatedRow {
        /// Whether the inspection action stays.
        inspection: Inspection = Inspection::Required,
        /// Resolution action, in `actions`.
        resolution: u32 = NONE,
        /// Whether `resources` is authored and hence replaces the lists of the node.
        replaces_resources: bool = false,
        /// Required resources, in `lists`.
        required: Rows = Rows::EMPTY,
        /// Recommended resources, in `lists`.
        recommended: Rows = Rows::EMPTY,
    }
}

row! {
    /// What a subgraph node has beyond [`NodeRow`].
    CallRow {
        /// The called graph, in `graphs`.
        graph: u32 = NONE,
        /// The entry it is called at, in `entries`.
        entry: u32 = NONE,
    }
}

row! {
    /// An edge. From and to are rows of `nodes`.
    EdgeRow {
        /// Source.
        from: u32 = NONE,
        /// Target.
        to: u32 = NONE,
        /// Outcomes of the source that make it hit.
        outcomes: OutcomeSet = OutcomeSet::EMPTY,
        /// Kind.
        kind: EdgeKind = EdgeKind::Flow,
    }
}

/// What a fact check asks of the value at its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// Whether there is a value.
    Exists(bool),
    /// Equal to null.
    Null,
    /// Equal to a boolean.
    Bool(bool),
    /// Equal to the number with these bits.
    Number(u64),
    /// Equal to a string.
    Text(Text),
}

row! {
    /// A fact check.
    CheckRow {
        /// Path as authored.
        path: Text = Text::NONE,
        /// Its segments, in `segments`.
        segments: Rows = Rows::EMPTY,
        /// What is asked.
        test: Test = Test::Exists(false),
    }
}

row! {
    /// One segment of a fact path.
    SegmentRow {
        /// The member name.
        name: Text = Text::NONE,
        /// The array index it spells, or [`NONE`] when it spells none (or one no array has).
        index: u32 = NONE,
    }
}

row! {
    /// An action (spec 1.4). Members that its runner does not have are empty.
    ActionRow {
        /// Its id.
        id: Text = Text::NONE,
        /// Description, if any.
        description: Text = Text::NONE,
        /// Its defining file, in `files`.
        file: u32 = NONE,
        /// Who runs it.
        runner: Runner = Runner::Host,
        /// What running it does.
        effect: Effect = Effect::External,
        /// Where it runs.
        cwd: WorkingDirectory = WorkingDirectory::Workspace,
        /// Shell command of a command action.
        command: Text = Text::NONE,
        /// Entry file of a script action, in `files`.
        entry: u32 = NONE,
        /// Interpreter of a script action.
        runtime: Runtime = Runtime::Shell,
        /// Arguments of a script action, in `texts`.
        args: Rows = Rows::EMPTY,
        /// Skill file of an agent action, in `files`.
        skill: u32 = NONE,
        /// Whether the skill begins with frontmatter that can be read; a route needs it.
        skill_header: bool = false,
        /// Frontmatter `name` of the skill, where it is a string.
        skill_name: Text = Text::NONE,
        /// Handler of a host action.
        handler: Text = Text::NONE,
        /// Input schema, in `files`.
        input_schema: u32 = NONE,
        /// Output schema, in `files`.
        output_schema: u32 = NONE,
        /// Protocol identity of the input schema (spec 3.7), where it has one.
        input_identity: Text = Text::NONE,
        /// Protocol identity of the output schema, where it has one.
        output_identity: Text = Text::NONE,
    }
}

/// What stands behind a resource (spec 1.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ResourceClass {
    /// A file.
    File,
    /// The output of a command or script action.
    GraphAction,
    /// The result of a host action.
    HostAction,
}

row! {
    /// A resource.
    ResourceRow {
        /// Its id.
        id: Text = Text::NONE,
        /// Its kind.
        kind: ResourceKind = ResourceKind::Procedure,
        /// Its media type.
        media_type: Text = Text::NONE,
        /// Description, if any.
        description: Text = Text::NONE,
        /// What stands behind it.
        class: ResourceClass = ResourceClass::File,
        /// The defining file: the descriptor, or the text file itself. In `files`.
        file: u32 = NONE,
        /// The content file of a file resource, in `files`.
        content: u32 = NONE,
        /// The action that makes the content of the other two classes, in `actions`.
        materializer: u32 = NONE,
        /// Input of a host action: JSON text with members in authored order.
        input: Text = Text::NONE,
    }
}

row! {
    /// An entry of the code catalog (spec 1.9).
    CodeRow {
        /// The code.
        code: Text = Text::NONE,
        /// What it stands for.
        kind: CodeKind = CodeKind::RouteReason,
        /// Summary.
        summary: Text = Text::NONE,
        /// Severity, if given.
        severity: Option<Severity> = None,
        /// Document, in `resources`.
        document: u32 = NONE,
        /// Path of the document as authored.
        document_path: Text = Text::NONE,
    }
}

row! {
    /// A file of the provider.
    FileRow {
        /// Normalized path relative to the manifest, with forward slashes.
        path: Text = Text::NONE,
        /// Digest of its bytes.
        digest: [u8; 32] = [0; 32],
    }
}

impl Row for Text {
    const ABSENT: &'static Self = &Self::NONE;
}

flat_tables! {
    /// A provider in flat form, borrowed.
    borrowed,
    /// A provider in flat form, owned: what the loader makes.
    owned,
    /// The provider itself.
    provider: ProviderRow,
    /// Graphs in manifest order.
    graphs: GraphRow,
    /// Entry points, graph by graph.
    entries: EntryRow,
    /// Nodes, graph by graph.
    nodes: NodeRow,
    /// Action and gate nodes.
    steps: StepRow,
    /// Gates.
    gates: GateRow,
    /// Delegated parts of gates.
    delegations: DelegatedRow,
    /// Subgraph nodes.
    calls: CallRow,
    /// Edges, graph by graph.
    edges: EdgeRow,
    /// Fact checks.
    checks: CheckRow,
    /// Segments of fact paths.
    segments: SegmentRow,
    /// Actions in the order in which they were loaded.
    actions: ActionRow,
    /// Resources in the order in which they were loaded.
    resources: ResourceRow,
    /// The code catalog in authored order.
    codes: CodeRow,
    /// Reachable files (spec 3.7), ordered by path (UTF-16 code units), the manifest included.
    files: FileRow,
    /// Lists of texts.
    texts: Text,
    /// Lists of row indices.
    lists: u32,
}

impl<'a> Tables<'a> {
    /// The index of the graph with this id.
    pub fn graph(&self, id: &str) -> Option<u32> {
        (0..)
            .zip(self.graphs)
            .find(|(_, graph)| self.text(graph.id) == id)
            .map(|(index, _)| index)
    }

    /// The index of the entry of `graph` with this name.
    pub fn entry(&self, graph: u32, name: &str) -> Option<u32> {
        let entries = self.row(self.graphs, graph).entries;
        entries
            .indices()
            .find(|&index| self.text(self.row(self.entries, index).name) == name)
    }

    /// Path of a file relative to the manifest.
    pub fn file_path(&self, file: u32) -> &'a str {
        self.text(self.row(self.files, file).path)
    }
}
