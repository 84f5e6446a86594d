//! A provider and a state as plain data: what the random generator draws, what is written to files and
//! what the naive evaluator walks. Knows nothing about the crates under test.

use crate::json::Json;

/// The eight outcomes.
pub const OUTCOMES: [&str; 8] = [
    "completed",
    "partial",
    "failed",
    "unverified",
    "skipped",
    "pending",
    "blocked",
    "waiting-user",
];

/// A provider.
#[derive(Clone, Debug)]
pub struct Provider {
    /// Its id.
    pub id: String,
    /// Its version.
    pub version: String,
    /// Graphs in manifest order.
    pub graphs: Vec<Graph>,
    /// Code and summary of each catalog entry, if there is a catalog.
    pub catalog: Option<Vec<(String, String)>>,
    /// Actions.
    pub actions: Vec<Action>,
    /// Resources: id and file.
    pub resources: Vec<(String, String)>,
}

/// A graph.
#[derive(Clone, Debug)]
pub struct Graph {
    /// Its id.
    pub id: String,
    /// Its file.
    pub file: String,
    /// Entry name and node.
    pub entries: Vec<(String, usize)>,
    /// Nodes.
    pub nodes: Vec<Node>,
    /// Edges.
    pub edges: Vec<Edge>,
}

/// A node.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its id.
    pub id: String,
    /// Description, maybe an empty one.
    pub description: Option<String>,
    /// Priority.
    pub priority: Option<i16>,
    /// `all` or `any`.
    pub join: Option<&'static str>,
    /// Required facts.
    pub requires: Vec<Check>,
    /// What it is.
    pub kind: Kind,
}

/// What a node is.
#[derive(Clone, Debug)]
pub enum Kind {
    /// An action node with its action.
    Action(Step, usize),
    /// A gate node.
    Gate(Step, Gate),
    /// A call of another graph at an entry.
    Subgraph(usize, String),
    /// A terminal with its outcome.
    Terminal(&'static str),
}

impl Kind {
    /// As the protocol calls it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Action(..) => "action",
            Self::Gate(..) => "gate",
            Self::Subgraph(..) => "subgraph",
            Self::Terminal(_) => "terminal",
        }
    }
}

/// What action and gate nodes share.
#[derive(Clone, Debug)]
pub struct Step {
    /// Reason code.
    pub reason: String,
    /// Facts that prove it done; none when empty.
    pub satisfied: Vec<Check>,
    /// Required resources.
    pub required: Vec<usize>,
    /// Recommended resources.
    pub recommended: Vec<usize>,
}

/// A gate and its actions.
#[derive(Clone, Debug)]
pub struct Gate {
    /// Its id.
    pub id: String,
    /// Who may resolve it.
    pub authority: Option<String>,
    /// Whether a session may.
    pub delegatable: Option<bool>,
    /// Inspection action.
    pub inspection: Option<usize>,
    /// Resolution action.
    pub resolution: Option<usize>,
    /// Delegated policy: whether the inspection is skipped, and another resolution action.
    pub delegated: Option<(bool, Option<usize>)>,
}

/// An edge.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// Source.
    pub from: usize,
    /// Target.
    pub to: usize,
    /// Outcomes; none stand for the default.
    pub outcomes: Vec<&'static str>,
    /// Kind; none stands for the default.
    pub kind: Option<&'static str>,
}

impl Edge {
    /// Whether it is a repeat edge.
    pub fn repeats(&self) -> bool {
        self.kind == Some("repeat")
    }

    /// Kind with the default filled in.
    pub fn kind_or_default(&self) -> &'static str {
        self.kind.unwrap_or("flow")
    }

    /// Outcomes with the default filled in.
    pub fn outcomes_or_default(&self) -> Vec<&'static str> {
        if self.outcomes.is_empty() {
            vec!["completed"]
        } else {
            self.outcomes.clone()
        }
    }
}

/// A fact check.
#[derive(Clone, Debug)]
pub struct Check {
    /// Dotted path.
    pub path: String,
    /// What is asked.
    pub asks: Asks,
}

/// What a fact check asks.
#[derive(Clone, Debug)]
pub enum Asks {
    /// Whether there is a value.
    Exists(bool),
    /// Whether it is this scalar.
    Equals(Json),
}

/// An action.
#[derive(Clone, Debug)]
pub struct Action {
    /// Its id.
    pub id: String,
    /// Its file.
    pub file: String,
    /// Effect.
    pub effect: &'static str,
    /// Runner with the one thing that is its own: command, entry file, skill file, handler.
    pub runner: (&'static str, String),
    /// Files that belong to it beside the defining one, with their contents.
    pub files: Vec<(String, String)>,
}

/// A state: what an evaluation is asked about.
#[derive(Clone, Debug)]
pub struct State {
    /// Facts, an object.
    pub facts: Json,
    /// State key, outcome, and whether it is written as a record.
    pub outcomes: Vec<(String, &'static str, bool)>,
    /// Authorities, unsorted, maybe repeated.
    pub authorities: Vec<String>,
}

impl State {
    /// As evaluation input (spec 4.1).
    pub fn source(&self) -> String {
        let outcomes = self
            .outcomes
            .iter()
            .map(|(key, outcome, record)| {
                let value = if *record {
                    Json::Object(vec![
                        ("outcome".into(), Json::text(*outcome)),
                        ("recordedAt".into(), Json::text("2026-01-02T03:04:05.678Z")),
                    ])
                } else {
                    Json::text(*outcome)
                };
                (key.clone(), value)
            })
            .collect();
        Json::Object(vec![
            ("facts".into(), self.facts.clone()),
            ("outcomes".into(), Json::Object(outcomes)),
            (
                "authorities".into(),
                Json::texts(self.authorities.iter().cloned()),
            ),
        ])
        .source()
    }
}
