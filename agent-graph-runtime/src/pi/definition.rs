//! A pi-graph definition as plain data: what is written, nothing added (spec 3). Defaults are answered by
//! methods, so that "absent" stays visible. Knows nothing about documents and runs.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use super::condition::Condition;
use super::template::Template;
use super::words::{
    Capture, ContextMode, ErrorStrategy, HumanKind, NodeType, Reducer, ResponseFormat, Storage,
    Thinking, WriteMode,
};
use crate::digest::Digest;
use crate::json::{Object, Value};

/// A checked definition.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// The name it is found by.
    pub name: String,
    /// What it is for.
    pub description: Option<String>,
    /// The first superstep, as listed.
    pub entry: Vec<String>,
    /// The state before the input is merged in.
    pub initial_state: Object,
    /// The nodes: ids that are array indices first, by number, then the others as written.
    pub nodes: Vec<Node>,
    /// The edges as written.
    pub edges: Vec<Edge>,
    /// The routes as written; no two have the same source.
    pub routes: Vec<Route>,
    /// The reducers as written, in the same order as nodes.
    pub reducers: Vec<(String, Reducer)>,
    /// The limits, where there are any.
    pub limits: Option<Limits>,
    /// Limits of single paths, in the same order as nodes.
    pub path_limits: Vec<(String, Option<u64>)>,
    /// What a host may do without asking.
    pub policy: Policy,
    /// What the run answers with.
    pub result: ResultProjection,
    /// The graph hash (spec 4.4).
    pub hash: Digest,
}

/// A node.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its id: any text that is not blank.
    pub id: String,
    /// What it is for.
    pub description: Option<String>,
    /// Paths whose values an agent gets to see.
    pub reads: Vec<String>,
    /// Where its output goes.
    pub output: Option<String>,
    /// How often it is tried.
    pub retry: Option<Retry>,
    /// What happens when it fails.
    pub on_error: Option<OnError>,
    /// Its own limits.
    pub limits: NodeLimits,
    /// Whether it can be run again without harm.
    pub idempotent: Option<bool>,
    /// What it does.
    pub kind: NodeKind,
}

/// What a node does.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeKind {
    /// Runs an agent.
    Agent(Box<Agent>),
    /// Writes to the state.
    Set(Vec<Assignment>),
    /// Asks a person.
    Human(Human),
}

/// How often a node is tried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Retry {
    /// At most so often.
    pub max_attempts: Option<u64>,
    /// Milliseconds before the second attempt.
    pub backoff_ms: Option<f64>,
    /// By how much the wait grows each time.
    pub backoff_multiplier: Option<f64>,
}

/// What happens when a node fails.
#[derive(Clone, Debug, PartialEq)]
pub struct OnError {
    /// Which of the three ways.
    pub strategy: Option<ErrorStrategy>,
    /// Where a routed failure leads.
    pub to: Vec<String>,
    /// Where the error is written.
    pub output: Option<String>,
}

/// The limits of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NodeLimits {
    /// Milliseconds of one attempt.
    pub timeout_ms: Option<u64>,
    /// Turns of one attempt.
    pub max_turns: Option<u64>,
    /// Tokens of one attempt, of all kinds together.
    pub max_tokens: Option<u64>,
    /// Cost of one attempt.
    pub max_cost_usd: Option<f64>,
    /// Bytes of the prompt.
    pub max_prompt_bytes: Option<u64>,
}

/// What an agent node has.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Agent {
    /// Whether its purpose is `reviewer`.
    pub is_reviewer: bool,
    /// What it is asked to do.
    pub prompt: Template,
    /// What is added to its system prompt.
    pub system_prompt: Option<Template>,
    /// The model.
    pub model: Option<String>,
    /// How much it thinks.
    pub thinking: Option<Thinking>,
    /// The tools it may use.
    pub tools: Option<Vec<String>>,
    /// Whether it may only read.
    pub read_only: Option<bool>,
    /// Where it runs.
    pub cwd: Option<String>,
    /// Whether extensions are loaded.
    pub load_extensions: Option<bool>,
    /// Whether skills are loaded.
    pub load_skills: Option<bool>,
    /// Whether prompt templates are loaded.
    pub load_prompt_templates: Option<bool>,
    /// Whether context files are included.
    pub include_context_files: Option<bool>,
    /// Which history it sees.
    pub context: Context,
    /// What becomes of what it says.
    pub response: Response,
}

/// Which history an agent sees.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Context {
    /// Which of the three ways.
    pub mode: Option<ContextMode>,
    /// The key of its thread.
    pub thread_key: Option<String>,
    /// Where shared messages are.
    pub messages_path: Option<String>,
    /// How many of the newest messages it sees.
    pub max_messages: Option<u64>,
    /// Bytes of the messages it sees.
    pub max_prompt_bytes: Option<u64>,
    /// Bytes of a message it adds.
    pub max_message_bytes: Option<u64>,
    /// How many messages are kept.
    pub max_stored_messages: Option<u64>,
    /// What it adds.
    pub capture: Option<Capture>,
}

/// What becomes of what an agent says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Response {
    /// How it is read.
    pub format: Option<ResponseFormat>,
    /// Bytes it may have.
    pub max_bytes: Option<u64>,
    /// Whether it is written to the state.
    pub store_output: Option<bool>,
    /// Where it is kept.
    pub storage: Option<Storage>,
    /// Its media type.
    pub media_type: Option<String>,
    /// Bytes of the preview of an artifact.
    pub preview_bytes: Option<u64>,
}

/// One assignment of a set node.
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment {
    /// Where to.
    pub path: String,
    /// What; nothing when the value is taken away.
    pub source: Option<Source>,
    /// How it meets what is there.
    pub mode: Option<WriteMode>,
}

/// Where an assigned value comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// The value itself.
    Value(Value),
    /// A text with placeholders.
    Template(Template),
    /// The value at another path.
    From(String),
}

/// What a human node has.
#[derive(Clone, Debug, PartialEq)]
pub struct Human {
    /// What is asked for.
    pub kind: Option<HumanKind>,
    /// The question.
    pub prompt: Template,
    /// What can be chosen.
    pub options: Option<Vec<String>>,
    /// Whether the run pauses even where somebody could be asked.
    pub pause: Option<bool>,
}

/// An edge: when its sources have completed, its targets are next.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// Its sources, as listed.
    pub from: Vec<String>,
    /// Its targets, as listed.
    pub to: Vec<String>,
}

/// What is next after a node, by conditions.
#[derive(Clone, Debug, PartialEq)]
pub struct Route {
    /// The node.
    pub from: String,
    /// The cases; the first that holds counts.
    pub cases: Vec<Case>,
    /// What is next when none holds.
    pub default: Option<Vec<String>>,
}

/// One case of a route.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// When it counts.
    pub when: Condition,
    /// What is next then.
    pub to: Vec<String>,
}

/// The limits of a graph, as written.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Supersteps.
    pub max_steps: Option<u64>,
    /// Attempts of all nodes.
    pub max_node_runs: Option<u64>,
    /// Nodes at a time.
    pub max_concurrency: Option<u64>,
    /// Cost of the run.
    pub max_cost_usd: Option<f64>,
    /// Tokens of the run.
    pub max_tokens: Option<u64>,
    /// Milliseconds of the run.
    pub timeout_ms: Option<u64>,
    /// Bytes of the state.
    pub max_state_bytes: Option<u64>,
    /// Bytes of a prompt.
    pub max_prompt_bytes: Option<u64>,
}

/// What a host may do without asking.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Policy {
    /// Run where nobody can be asked.
    pub allow_non_interactive: Option<bool>,
    /// Change things where nobody can be asked.
    pub allow_non_interactive_mutations: Option<bool>,
    /// Whether a graph of a project is confirmed first.
    pub confirm_project_graph: Option<bool>,
    /// Whether a graph that changes things is confirmed first.
    pub confirm_mutating_nodes: Option<bool>,
}

/// What a run answers with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResultProjection {
    /// Paths that are copied into the answer; `None` where none are given.
    pub paths: Option<Vec<String>>,
    /// Whether the whole state belongs to the answer.
    pub include_state: Option<bool>,
    /// Bytes of the answer.
    pub max_bytes: Option<u64>,
}

/// A list of targets, with where it is written.
#[derive(Clone, Debug)]
pub struct TargetGroup<'d> {
    /// Who leads to them; nobody for the entry.
    pub sources: Vec<&'d str>,
    /// The targets as listed, `__end__` and repetitions included.
    pub targets: &'d [String],
    /// Where they are written.
    pub place: GroupPlace,
}

/// Where a list of targets is written: indices and, for a node, its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupPlace {
    /// `entry`
    Entry,
    /// `edges.<i>.to`
    Edge(usize),
    /// `routes.<i>.cases.<j>.to`
    Case(usize, usize),
    /// `routes.<i>.default`
    Default(usize),
    /// `nodes.<id>.onError.to`
    OnError(usize),
}

impl Definition {
    /// All lists of targets, in the order of the checks (spec 4.3 C).
    pub fn target_groups(&self) -> Vec<TargetGroup<'_>> {
        let mut groups = Vec::new();
        let mut add = |sources, targets, place| {
            groups.push(TargetGroup {
                sources,
                targets,
                place,
            });
        };
        add(Vec::new(), self.entry.as_slice(), GroupPlace::Entry);
        for (index, edge) in self.edges.iter().enumerate() {
            add(distinct(&edge.from), &edge.to, GroupPlace::Edge(index));
        }
        for (index, route) in self.routes.iter().enumerate() {
            let from = || Vec::from([route.from.as_str()]);
            for (case_index, case) in route.cases.iter().enumerate() {
                add(from(), &case.to, GroupPlace::Case(index, case_index));
            }
            if let Some(default) = &route.default {
                add(from(), default, GroupPlace::Default(index));
            }
        }
        for (index, node) in self.nodes.iter().enumerate() {
            if let Some(on_error) = &node.on_error
                && on_error.strategy == Some(ErrorStrategy::Route)
            {
                let place = GroupPlace::OnError(index);
                add(Vec::from([node.id.as_str()]), &on_error.to, place);
            }
        }
        groups
    }

    /// The reducers that count: those written, then `concat` for the messages of shared agents
    /// (spec 4.5).
    pub fn effective_reducers(&self) -> Vec<(&str, Reducer)> {
        let mut reducers: Vec<(&str, Reducer)> = self
            .reducers
            .iter()
            .map(|(path, reducer)| (path.as_str(), *reducer))
            .collect();
        let mut known: BTreeSet<&str> = reducers.iter().map(|(path, _)| *path).collect();
        for node in &self.nodes {
            if let Some(path) = node.captured_messages()
                && known.insert(path)
            {
                reducers.push((path, Reducer::Concat));
            }
        }
        reducers
    }
}

impl Node {
    /// The type.
    pub fn node_type(&self) -> NodeType {
        match self.kind {
            NodeKind::Agent(_) => NodeType::Agent,
            NodeKind::Set(_) => NodeType::Set,
            NodeKind::Human(_) => NodeType::Human,
        }
    }

    /// What an agent node has.
    pub fn agent(&self) -> Option<&Agent> {
        match &self.kind {
            NodeKind::Agent(agent) => Some(agent),
            _ => None,
        }
    }

    /// Where the output goes.
    pub fn output_path(&self) -> String {
        match &self.output {
            Some(path) => path.clone(),
            None => alloc::format!("outputs.{}", self.id),
        }
    }

    /// Where messages go, for a shared agent that adds any.
    pub fn captured_messages(&self) -> Option<&str> {
        let context = &self.agent()?.context;
        let adds = context.mode() == ContextMode::Shared && context.capture() != Capture::None;
        adds.then(|| context.messages_path())
    }

    /// How often the node is tried.
    pub fn max_attempts(&self) -> u64 {
        self.retry.and_then(|retry| retry.max_attempts).unwrap_or(1)
    }

    /// The key of the thread of an agent that has one.
    pub fn thread_key(&self) -> Option<&str> {
        let context = &self.agent()?.context;
        let key = context.thread_key.as_deref().unwrap_or(&self.id);
        (context.mode() == ContextMode::Thread).then_some(key)
    }
}

impl Context {
    /// The mode, `isolated` where none is given.
    pub fn mode(&self) -> ContextMode {
        self.mode.unwrap_or(ContextMode::Isolated)
    }

    /// What is added, `compact` where nothing is given.
    pub fn capture(&self) -> Capture {
        self.capture.unwrap_or(Capture::Compact)
    }

    /// Where messages are, `messages` where nothing is given.
    pub fn messages_path(&self) -> &str {
        self.messages_path.as_deref().unwrap_or("messages")
    }
}

impl Response {
    /// Whether the output is written to the state.
    pub fn stores_output(&self) -> bool {
        self.store_output != Some(false)
    }

    /// Where the output is kept, `state` where nothing is given.
    pub fn storage(&self) -> Storage {
        self.storage.unwrap_or(Storage::State)
    }
}

impl Edge {
    /// The sources, each once.
    pub fn distinct_sources(&self) -> Vec<&str> {
        distinct(&self.from)
    }

    /// The targets, each once.
    pub fn distinct_targets(&self) -> Vec<&str> {
        distinct(&self.to)
    }

    /// Whether the edge waits for several sources.
    pub fn is_barrier(&self) -> bool {
        self.distinct_sources().len() > 1
    }
}

/// Each name once, in the order of first occurrence.
pub(crate) fn distinct(names: &[String]) -> Vec<&str> {
    let mut seen = BTreeSet::new();
    let all = names.iter().map(String::as_str);
    all.filter(|name| seen.insert(*name)).collect()
}
