//! A definition in flat form: one text pool, one pool of rows a kind, rows that are small and refer to each
//! other by index; defaults are filled in, names are looked up. Compiled in, the pools are `static`; loaded,
//! they are vectors that lend the same [`Tables`]. Knows the rows and how to look one up, nothing about runs.
//!
//! Generated code and the loader fill these rows; a host has no reason to. An index that leads nowhere (it
//! cannot, in tables made by either) yields an `ABSENT` row instead of a panic. Numbers that are no integers
//! are kept as the bits of a double.

use alloc::string::String;
use alloc::vec::Vec;

use super::state_error::StateError;
use super::words::{
    Capture, ContextMode, ErrorStrategy, HumanKind, NodeType, Operator, Reducer, ResponseFormat,
    Storage, Thinking, WriteMode,
};
use crate::flat::flat_tables;
use crate::tables::row;
pub use crate::tables::{NONE, Row, Rows, Text};

/// The version of the row format. Generated code names it, and refuses to compile against a runtime with
/// another one.
pub const TABLE_FORMAT: u32 = 1;

row! {
    /// The graph itself.
    GraphRow {
        /// Its name.
        name: Text = Text::NONE,
        /// Description, if any.
        description: Text = Text::NONE,
        /// The graph hash (spec 4.4).
        hash: [u8; 32] = [0; 32],
        /// Nodes of the first superstep, each once, without the end, in `lists`.
        entry: Rows = Rows::EMPTY,
        /// Initial state: compact JSON text.
        initial_state: Text = Text::NONE,
        /// Supersteps.
        max_steps: u64 = 0,
        /// Attempts of all nodes.
        max_node_runs: u64 = 0,
        /// Nodes at a time.
        max_concurrency: u64 = 1,
        /// Cost of the run, as bits.
        max_cost_usd: u64 = 0,
        /// Tokens of the run.
        max_tokens: u64 = 0,
        /// Milliseconds of the run.
        timeout_ms: u64 = 0,
        /// Bytes of the state.
        max_state_bytes: u64 = 0,
        /// Bytes of a prompt.
        max_prompt_bytes: u64 = 0,
        /// Policy: run where nobody can be asked.
        allow_non_interactive: bool = false,
        /// Policy: change things where nobody can be asked.
        allow_non_interactive_mutations: bool = false,
        /// Policy: confirm a graph of a project first.
        confirm_project_graph: bool = true,
        /// Policy: confirm a graph that changes things first.
        confirm_mutating_nodes: bool = true,
        /// Whether an agent may change things (spec 14).
        is_mutating: bool = true,
        /// Whether `result.paths` is given.
        has_result_paths: bool = false,
        /// `result.paths`, in `lists` (rows of `paths`).
        result_paths: Rows = Rows::EMPTY,
        /// Whether the whole state belongs to the answer.
        include_state: bool = false,
        /// Bytes of the answer.
        result_max_bytes: u64 = 0,
    }
}

row! {
    /// A node, with what all kinds have in common.
    NodeRow {
        /// Its id.
        id: Text = Text::NONE,
        /// Description, if any.
        description: Text = Text::NONE,
        /// What it does.
        node_type: NodeType = NodeType::Set,
        /// Paths it reads, in `lists` (rows of `paths`).
        reads: Rows = Rows::EMPTY,
        /// Where its output goes, in `paths`; none for a set node.
        output: u32 = NONE,
        /// Attempts at most.
        max_attempts: u64 = 1,
        /// Milliseconds before the second attempt, as bits.
        backoff_ms: u64 = 0,
        /// Growth of the wait, as bits.
        backoff_multiplier: u64 = 0,
        /// What happens when it fails.
        error_strategy: ErrorStrategy = ErrorStrategy::Fail,
        /// Where a routed failure leads: nodes, each once, without the end, in `lists`.
        error_targets: Rows = Rows::EMPTY,
        /// Where the error is written, in `paths`.
        error_output: u32 = NONE,
        /// Milliseconds of one attempt; no limit where none is given and the node is no agent.
        timeout_ms: Option<u64> = None,
        /// Turns of one attempt.
        max_turns: Option<u64> = None,
        /// Tokens of one attempt.
        max_tokens: Option<u64> = None,
        /// Cost of one attempt, as bits.
        max_cost_usd: Option<u64> = None,
        /// Bytes of the prompt.
        max_prompt_bytes: Option<u64> = None,
        /// Whether it can be run again without harm.
        idempotent: bool = false,
        /// Row of its kind: in `agents` or `humans`; none for a set node.
        detail: u32 = NONE,
        /// Assignments of a set node, in `assignments`.
        assignments: Rows = Rows::EMPTY,
        /// Its route, in `routes`.
        route: u32 = NONE,
        /// Edges of which it is the only source, in document order, in `lists`.
        edges: Rows = Rows::EMPTY,
    }
}

row! {
    /// What an agent node has beyond [`NodeRow`].
    AgentRow {
        /// Whether its purpose is `reviewer`.
        is_reviewer: bool = false,
        /// Prompt, in `segments`.
        prompt: Rows = Rows::EMPTY,
        /// Whether there is a system prompt.
        has_system_prompt: bool = false,
        /// System prompt, in `segments`.
        system_prompt: Rows = Rows::EMPTY,
        /// The model, if given.
        model: Text = Text::NONE,
        /// How much it thinks, if given.
        thinking: Option<Thinking> = None,
        /// Whether tools are given.
        has_tools: bool = false,
        /// The tools, in `texts`.
        tools: Rows = Rows::EMPTY,
        /// Whether it may only read.
        read_only: bool = true,
        /// Where it runs, if given.
        cwd: Text = Text::NONE,
        /// Whether extensions are loaded.
        load_extensions: bool = false,
        /// Whether skills are loaded.
        load_skills: bool = false,
        /// Whether prompt templates are loaded.
        load_prompt_templates: bool = false,
        /// Whether context files are included.
        include_context_files: bool = true,
        /// Which history it sees.
        context: ContextMode = ContextMode::Isolated,
        /// Key of its thread; none without one.
        thread_key: Text = Text::NONE,
        /// Where shared messages are, in `paths`; none without any.
        messages: u32 = NONE,
        /// How many of the newest messages it sees.
        max_messages: u64 = 0,
        /// Bytes of the messages it sees.
        messages_max_bytes: u64 = 0,
        /// Bytes of a message it adds.
        max_message_bytes: u64 = 0,
        /// How many messages are kept.
        max_stored_messages: Option<u64> = None,
        /// What it adds to the messages.
        capture: Capture = Capture::None,
        /// How its final text is read.
        format: ResponseFormat = ResponseFormat::Text,
        /// Bytes its final text may have.
        max_bytes: u64 = 0,
        /// Whether its output is written to the state.
        store_output: bool = true,
        /// Where its output is kept.
        storage: Storage = Storage::State,
        /// Media type of its output.
        media_type: Text = Text::NONE,
        /// Bytes of the preview of an artifact.
        preview_bytes: u64 = 0,
    }
}

/// Where an assigned value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssignedFrom {
    /// Nowhere: the value at the path is taken away.
    Unset,
    /// A value: compact JSON text.
    Value(Text),
    /// A template, in `segments`.
    Template(Rows),
    /// A path, in `paths`.
    Path(u32),
}

row! {
    /// One assignment of a set node.
    AssignmentRow {
        /// Where to, in `paths`.
        path: u32 = NONE,
        /// What.
        source: AssignedFrom = AssignedFrom::Unset,
        /// How it meets what is there.
        mode: WriteMode = WriteMode::Reduce,
    }
}

row! {
    /// What a human node has beyond [`NodeRow`].
    HumanRow {
        /// What is asked for.
        kind: HumanKind = HumanKind::Input,
        /// The question, in `segments`.
        prompt: Rows = Rows::EMPTY,
        /// Whether options are given.
        has_options: bool = false,
        /// What can be chosen, in `texts`.
        options: Rows = Rows::EMPTY,
        /// Whether the run pauses even where somebody could be asked.
        pause: bool = false,
    }
}

row! {
    /// An edge. An edge with several sources is a barrier: it waits for all of them.
    EdgeRow {
        /// Sources, each once, in `lists`.
        from: Rows = Rows::EMPTY,
        /// Targets, each once, without the end, in `lists`.
        to: Rows = Rows::EMPTY,
    }
}

row! {
    /// What is next after a node, by conditions.
    RouteRow {
        /// The node.
        from: u32 = NONE,
        /// The cases, in `cases`; the first that holds counts.
        cases: Rows = Rows::EMPTY,
        /// What is next when none holds: nodes, each once, without the end, in `lists`.
        default: Rows = Rows::EMPTY,
    }
}

row! {
    /// One case of a route.
    CaseRow {
        /// When it counts, in `conditions`.
        when: u32 = NONE,
        /// What is next then: nodes, each once, without the end, in `lists`.
        to: Rows = Rows::EMPTY,
    }
}

/// What a condition asks. Parts come before the condition they are part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConditionRow {
    /// All parts hold; rows of `conditions` in `lists`.
    All(Rows),
    /// At least one part holds; rows of `conditions` in `lists`.
    Any(Rows),
    /// This part does not hold; a row of `conditions`.
    Not(u32),
    /// The value at a path, in `paths`, passes a test with an operand: compact JSON text, or none.
    Leaf(u32, Operator, Text),
}

impl Row for ConditionRow {
    const ABSENT: &'static Self = &Self::Any(Rows::EMPTY);
}

row! {
    /// A state path.
    PathRow {
        /// As written: reducers and groups of writes go by this.
        written: Text = Text::NONE,
        /// Its segments, in `texts`.
        segments: Rows = Rows::EMPTY,
    }
}

/// One piece of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SegmentRow {
    /// Text as it is.
    Text(Text),
    /// The value at a path, in `paths`.
    Path(u32),
    /// A placeholder that is no path, and why: rendering fails there.
    Invalid(Text, StateError),
}

impl Row for SegmentRow {
    const ABSENT: &'static Self = &Self::Text(Text::NONE);
}

row! {
    /// A reducer that counts, written or implied.
    ReducerRow {
        /// The path as written.
        path: Text = Text::NONE,
        /// The reducer.
        reducer: Reducer = Reducer::Replace,
    }
}

row! {
    /// A limit of one path.
    PathLimitRow {
        /// The path, in `paths`.
        path: u32 = NONE,
        /// Bytes of the value there.
        max_bytes: Option<u64> = None,
    }
}

row! {
    /// A channel of messages of which only the newest are kept (spec 9.5).
    ChannelRow {
        /// The path, in `paths`.
        path: u32 = NONE,
        /// How many are kept: the least that an agent asks for.
        keep: u64 = 0,
    }
}

flat_tables! {
    /// A graph in flat form, borrowed.
    borrowed,
    /// A graph in flat form, owned: what the loader makes.
    owned,
    /// The graph itself.
    graph: GraphRow,
    /// Nodes: ids that are array indices first, by number, then the others as written.
    nodes: NodeRow,
    /// Agent nodes.
    agents: AgentRow,
    /// Human nodes.
    humans: HumanRow,
    /// Assignments, node by node.
    assignments: AssignmentRow,
    /// Edges in document order; their ids are `edge:<index>`.
    edges: EdgeRow,
    /// Routes in document order.
    routes: RouteRow,
    /// Cases, route by route.
    cases: CaseRow,
    /// Conditions.
    conditions: ConditionRow,
    /// State paths, each written form once.
    paths: PathRow,
    /// Pieces of templates.
    segments: SegmentRow,
    /// Reducers that count: those written, then those implied.
    reducers: ReducerRow,
    /// Limits of paths.
    path_limits: PathLimitRow,
    /// Channels with a limited number of messages.
    channels: ChannelRow,
    /// Lists of texts.
    texts: Text,
    /// Lists of row indices.
    lists: u32,
}

impl<'a> Tables<'a> {
    /// The index of the node with this id.
    pub fn node(&self, id: &str) -> Option<u32> {
        (0..)
            .zip(self.nodes)
            .find(|(_, node)| self.text(node.id) == id)
            .map(|(index, _)| index)
    }
}
