//! What a picture is about: nodes, edges and how they stand, with no place yet. Knows neither tables nor
//! output formats.

/// A graph, ready to be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    /// The id of the graph.
    pub(super) title: String,
    /// What it is for; may be empty.
    pub(super) description: String,
    pub(super) nodes: Vec<Node>,
    pub(super) edges: Vec<Edge>,
}

/// One node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) shape: Shape,
    /// Its id.
    pub(super) name: String,
    /// What is written below the id.
    pub(super) notes: Vec<String>,
    pub(super) mark: Mark,
}

/// One edge; nodes by index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) line: Line,
    /// May be empty.
    pub(super) label: String,
}

/// What a node is; each has an outline of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Entry,
    Action,
    Gate,
    Subgraph,
    Terminal,
    /// A graph that is called; it has a picture of its own.
    Graph,
    /// A node of pi-graph that runs an agent.
    Agent,
    /// One that writes to the state.
    Set,
    /// One that asks a person.
    Human,
    /// Waits for everything that leads to it.
    Barrier,
    /// The end of a pi-graph.
    End,
}

impl Shape {
    pub(super) const ALL: [Self; 11] = [
        Self::Entry,
        Self::Action,
        Self::Gate,
        Self::Subgraph,
        Self::Terminal,
        Self::Graph,
        Self::Agent,
        Self::Set,
        Self::Human,
        Self::Barrier,
        Self::End,
    ];

    /// What the legend calls it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Entry => "entry",
            Self::Action => "action",
            Self::Gate => "gate",
            Self::Subgraph => "subgraph",
            Self::Terminal => "terminal",
            Self::Graph => "called graph",
            Self::Agent => "agent",
            Self::Set => "set",
            Self::Human => "human",
            Self::Barrier => "waits for all",
            Self::End => "end",
        }
    }
}

/// What an edge is; each has a line and a head of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Taken when the source is completed.
    Plain,
    /// Taken on other outcomes, or where a condition holds.
    Conditional,
    /// Back again: the target is pending once more.
    Repeat,
    /// From a subgraph node to the graph it calls.
    Call,
}

impl Line {
    pub(super) const ALL: [Self; 4] = [Self::Plain, Self::Conditional, Self::Repeat, Self::Call];

    /// What the legend calls it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Plain => "next",
            Self::Conditional => "on condition",
            Self::Repeat => "repeat",
            Self::Call => "calls",
        }
    }
}

/// How a node stands in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// No run is shown.
    None,
    /// It came to a value and the run went on.
    Done,
    /// It can be next.
    Next,
    /// It waits for a person.
    Waiting,
    /// It is reached and cannot go on.
    Blocked,
    /// It is not reached.
    Ahead,
}

impl Mark {
    pub(super) const SHOWN: [Self; 5] = [
        Self::Done,
        Self::Next,
        Self::Waiting,
        Self::Blocked,
        Self::Ahead,
    ];

    /// What the legend calls it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Done => "done",
            Self::Next => "next",
            Self::Waiting => "waiting",
            Self::Blocked => "blocked",
            Self::Ahead => "not reached",
        }
    }
}
