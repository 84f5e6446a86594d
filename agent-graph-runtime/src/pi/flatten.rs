//! A definition becomes tables: rows of small integers over one text pool, defaults filled in. Expects a
//! checked definition. Knows nothing about documents.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::condition::{Condition, Test};
use super::definition::{
    Agent, Assignment, Definition, Human, Limits, Node, NodeKind, Source, distinct,
};
use super::path;
use super::print;
use super::tables::{
    AgentRow, AssignedFrom, AssignmentRow, CaseRow, ChannelRow, ConditionRow, EdgeRow, GraphRow,
    HumanRow, NONE, NodeRow, OwnedTables, PathLimitRow, PathRow, ReducerRow, RouteRow, Rows,
    SegmentRow, Text,
};
use super::template::{Segment, Template};
use super::words::{
    Capture, ContextMode, ErrorStrategy, HumanKind, NodeType, Operator, READ_ONLY_TOOLS,
    ResponseFormat, WriteMode,
};
use crate::json::Value;

/// Milliseconds of one attempt of an agent, where no other limit is given.
const AGENT_TIMEOUT_MS: u64 = 600_000;

/// The tables of a definition.
pub(crate) fn flatten(definition: &Definition) -> OwnedTables {
    let ids = definition.nodes.iter().map(|node| node.id.as_str());
    let mut flattener = Flattener {
        tables: OwnedTables::default(),
        texts: BTreeMap::new(),
        paths: BTreeMap::new(),
        nodes: ids.zip(0..).collect(),
    };
    flattener.graph(definition);
    let leaving = Leaving::of(definition);
    for node in &definition.nodes {
        flattener.node(node, &leaving);
    }
    for edge in &definition.edges {
        let row = EdgeRow {
            from: flattener.targets(&edge.from),
            to: flattener.targets(&edge.to),
        };
        flattener.tables.edges.push(row);
    }
    flattener.routes(definition);
    flattener.channels(definition);
    flattener.tables
}

/// What leaves each node.
struct Leaving<'d> {
    /// The route of each node.
    routes: BTreeMap<&'d str, u32>,
    /// The edges of which a node is the only source.
    edges: BTreeMap<&'d str, Vec<u32>>,
}

impl<'d> Leaving<'d> {
    fn of(definition: &'d Definition) -> Self {
        let routes = definition.routes.iter().map(|route| route.from.as_str());
        let mut edges: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        for (edge, index) in definition.edges.iter().zip(0..) {
            if let [only] = edge.distinct_sources()[..] {
                edges.entry(only).or_default().push(index);
            }
        }
        Self {
            routes: routes.zip(0..).collect(),
            edges,
        }
    }
}

struct Flattener<'d> {
    tables: OwnedTables,
    /// Where each text is in the pool.
    texts: BTreeMap<String, Text>,
    /// Where each written path is.
    paths: BTreeMap<String, u32>,
    nodes: BTreeMap<&'d str, u32>,
}

/// The index of the next row of a pool. Documents are limited to far fewer values than fit.
fn row(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(NONE)
}

impl Flattener<'_> {
    fn graph(&mut self, definition: &Definition) {
        let limits = definition.limits.unwrap_or_default();
        let policy = &definition.policy;
        let initial_state = Value::Object(definition.initial_state.clone());
        let result = &definition.result;
        let result_paths = result.paths.iter().flatten();
        self.tables.graph = GraphRow {
            name: self.text(&definition.name),
            description: self.text_or_none(definition.description.as_deref()),
            hash: *definition.hash.as_bytes(),
            entry: self.targets(&definition.entry),
            initial_state: self.text(&print::compact(&initial_state)),
            allow_non_interactive: policy.allow_non_interactive.unwrap_or(false),
            allow_non_interactive_mutations: policy
                .allow_non_interactive_mutations
                .unwrap_or(false),
            confirm_project_graph: policy.confirm_project_graph.unwrap_or(true),
            confirm_mutating_nodes: policy.confirm_mutating_nodes.unwrap_or(true),
            is_mutating: definition.nodes.iter().any(is_mutating),
            has_result_paths: result.paths.is_some(),
            result_paths: self.path_list(result_paths),
            include_state: result.include_state.unwrap_or(false),
            result_max_bytes: result.max_bytes.unwrap_or(16_384),
            ..limited(&limits)
        };
        for (path, reducer) in definition.effective_reducers() {
            let path = self.text(path);
            self.tables.reducers.push(ReducerRow { path, reducer });
        }
        for (path, max_bytes) in &definition.path_limits {
            let row = PathLimitRow {
                path: self.path(path),
                max_bytes: *max_bytes,
            };
            self.tables.path_limits.push(row);
        }
    }

    fn node(&mut self, node: &Node, leaving: &Leaving<'_>) {
        let on_error = node.on_error.as_ref();
        let retry = node.retry.as_ref();
        let (detail, assignments) = match &node.kind {
            NodeKind::Agent(agent) => (self.agent(node, agent), Rows::EMPTY),
            NodeKind::Set(assignments) => (NONE, self.assignments(assignments)),
            NodeKind::Human(human) => (self.human(human), Rows::EMPTY),
        };
        let node_type = node.node_type();
        let default_timeout = (node_type == NodeType::Agent).then_some(AGENT_TIMEOUT_MS);
        let default_error_output = alloc::format!("errors.{}", node.id);
        let error_output = on_error.and_then(|on_error| on_error.output.as_deref());
        let edges = leaving.edges.get(node.id.as_str());
        let row = NodeRow {
            id: self.text(&node.id),
            description: self.text_or_none(node.description.as_deref()),
            node_type,
            reads: self.path_list(node.reads.iter()),
            output: match node_type {
                NodeType::Set => NONE,
                NodeType::Agent | NodeType::Human => self.path(&node.output_path()),
            },
            max_attempts: node.max_attempts(),
            backoff_ms: bits(retry.and_then(|retry| retry.backoff_ms).unwrap_or(0.0)),
            backoff_multiplier: bits(
                retry
                    .and_then(|retry| retry.backoff_multiplier)
                    .unwrap_or(2.0),
            ),
            error_strategy: on_error
                .and_then(|on_error| on_error.strategy)
                .unwrap_or(ErrorStrategy::Fail),
            error_targets: match on_error {
                Some(on_error) => self.targets(&on_error.to),
                None => Rows::EMPTY,
            },
            error_output: self.path(error_output.unwrap_or(&default_error_output)),
            timeout_ms: node.limits.timeout_ms.or(default_timeout),
            max_turns: node.limits.max_turns,
            max_tokens: node.limits.max_tokens,
            max_cost_usd: node.limits.max_cost_usd.map(bits),
            max_prompt_bytes: node.limits.max_prompt_bytes,
            idempotent: node.idempotent.unwrap_or(false),
            detail,
            assignments,
            route: leaving
                .routes
                .get(node.id.as_str())
                .copied()
                .unwrap_or(NONE),
            edges: self.list(edges.into_iter().flatten().copied().collect()),
        };
        self.tables.nodes.push(row);
    }

    fn agent(&mut self, node: &Node, agent: &Agent) -> u32 {
        let context = &agent.context;
        let response = &agent.response;
        let is_shared = context.mode() == ContextMode::Shared;
        let format = response.format.unwrap_or(ResponseFormat::Text);
        let default_media_type = match format {
            ResponseFormat::Json => "application/json",
            ResponseFormat::Text => "text/plain",
        };
        let system_prompt = agent.system_prompt.as_ref();
        let row = AgentRow {
            is_reviewer: agent.is_reviewer,
            prompt: self.template(&agent.prompt),
            has_system_prompt: system_prompt.is_some(),
            system_prompt: match system_prompt {
                Some(template) => self.template(template),
                None => Rows::EMPTY,
            },
            model: self.text_or_none(agent.model.as_deref()),
            thinking: agent.thinking,
            has_tools: agent.tools.is_some(),
            tools: self.text_list(agent.tools.iter().flatten()),
            read_only: agent.read_only.unwrap_or(false),
            cwd: self.text_or_none(agent.cwd.as_deref()),
            load_extensions: agent.load_extensions.unwrap_or(false),
            load_skills: agent.load_skills.unwrap_or(false),
            load_prompt_templates: agent.load_prompt_templates.unwrap_or(false),
            include_context_files: agent.include_context_files.unwrap_or(true),
            context: context.mode(),
            thread_key: self.text_or_none(node.thread_key()),
            messages: if is_shared {
                self.path(context.messages_path())
            } else {
                NONE
            },
            max_messages: context.max_messages.unwrap_or(32),
            messages_max_bytes: context.max_prompt_bytes.unwrap_or(65_536),
            max_message_bytes: context.max_message_bytes.unwrap_or(8_192),
            max_stored_messages: context.max_stored_messages,
            capture: if is_shared {
                context.capture()
            } else {
                Capture::None
            },
            format,
            max_bytes: response.max_bytes.unwrap_or(65_536),
            store_output: response.stores_output(),
            storage: response.storage(),
            media_type: self.text(response.media_type.as_deref().unwrap_or(default_media_type)),
            preview_bytes: response.preview_bytes.unwrap_or(2_048),
        };
        let index = self.tables.agents.len();
        self.tables.agents.push(row);
        self::row(index)
    }

    fn assignments(&mut self, assignments: &[Assignment]) -> Rows {
        let first = row(self.tables.assignments.len());
        for assignment in assignments {
            let source = match &assignment.source {
                None => AssignedFrom::Unset,
                Some(Source::Value(value)) => {
                    AssignedFrom::Value(self.text(&print::compact(value)))
                }
                Some(Source::Template(template)) => AssignedFrom::Template(self.template(template)),
                Some(Source::From(path)) => AssignedFrom::Path(self.path(path)),
            };
            let row = AssignmentRow {
                path: self.path(&assignment.path),
                source,
                mode: assignment.mode.unwrap_or(WriteMode::Reduce),
            };
            self.tables.assignments.push(row);
        }
        Rows(first, row(assignments.len()))
    }

    fn human(&mut self, human: &Human) -> u32 {
        let row = HumanRow {
            kind: human.kind.unwrap_or(HumanKind::Input),
            prompt: self.template(&human.prompt),
            has_options: human.options.is_some(),
            options: self.text_list(human.options.iter().flatten()),
            pause: human.pause.unwrap_or(false),
        };
        let index = self.tables.humans.len();
        self.tables.humans.push(row);
        self::row(index)
    }

    fn routes(&mut self, definition: &Definition) {
        for route in &definition.routes {
            let first = row(self.tables.cases.len());
            for case in &route.cases {
                let case = CaseRow {
                    when: self.condition(&case.when),
                    to: self.targets(&case.to),
                };
                self.tables.cases.push(case);
            }
            let default = route.default.as_deref().unwrap_or(&[]);
            let route = RouteRow {
                from: self.nodes.get(route.from.as_str()).copied().unwrap_or(NONE),
                cases: Rows(first, row(route.cases.len())),
                default: self.targets(default),
            };
            self.tables.routes.push(route);
        }
    }

    /// Recursion ends with the condition, whose depth is limited.
    fn condition(&mut self, condition: &Condition) -> u32 {
        let row = match condition {
            Condition::All(parts) => ConditionRow::All(self.conditions(parts)),
            Condition::Any(parts) => ConditionRow::Any(self.conditions(parts)),
            Condition::Not(part) => ConditionRow::Not(self.condition(part)),
            Condition::Leaf { path, test } => {
                let path = self.path(path.as_written());
                let (operator, operand) = match test {
                    Test::Exists => (Operator::Exists, Text::NONE),
                    Test::Truthy => (Operator::Truthy, Text::NONE),
                    Test::Matches(pattern) => {
                        let source = Value::from(pattern.source());
                        (Operator::Matches, self.text(&print::compact(&source)))
                    }
                    Test::Operand(operator, None) => (*operator, Text::NONE),
                    Test::Operand(operator, Some(value)) => {
                        (*operator, self.text(&print::compact(value)))
                    }
                };
                ConditionRow::Leaf(path, operator, operand)
            }
        };
        let index = self.tables.conditions.len();
        self.tables.conditions.push(row);
        self::row(index)
    }

    fn conditions(&mut self, parts: &[Condition]) -> Rows {
        let parts = parts.iter().map(|part| self.condition(part)).collect();
        self.list(parts)
    }

    fn channels(&mut self, definition: &Definition) {
        let mut kept: BTreeMap<&str, u64> = BTreeMap::new();
        let mut order: Vec<&str> = Vec::new();
        for node in &definition.nodes {
            let keep = node
                .agent()
                .and_then(|agent| agent.context.max_stored_messages);
            if let (Some(path), Some(keep)) = (node.captured_messages(), keep) {
                let least = kept.entry(path).or_insert_with(|| {
                    order.push(path);
                    keep
                });
                *least = keep.min(*least);
            }
        }
        for path in order {
            let row = ChannelRow {
                path: self.path(path),
                keep: kept.get(path).copied().unwrap_or(u64::MAX),
            };
            self.tables.channels.push(row);
        }
    }

    fn template(&mut self, template: &Template) -> Rows {
        let first = row(self.tables.segments.len());
        for segment in template.segments() {
            let segment = match segment {
                Segment::Text(text) => SegmentRow::Text(self.text(text)),
                Segment::Path(path) => SegmentRow::Path(self.path(path.as_written())),
                Segment::Invalid { written, error } => {
                    SegmentRow::Invalid(self.text(written), *error)
                }
            };
            self.tables.segments.push(segment);
        }
        Rows(first, row(template.segments().len()))
    }

    /// Names of nodes as rows, each once, without the end.
    fn targets(&mut self, names: &[String]) -> Rows {
        let known = distinct(names).into_iter();
        let targets = known.filter_map(|name| self.nodes.get(name).copied());
        let targets = targets.collect();
        self.list(targets)
    }

    fn list(&mut self, rows: Vec<u32>) -> Rows {
        let list = Rows(row(self.tables.lists.len()), row(rows.len()));
        self.tables.lists.extend(rows);
        list
    }

    fn path_list<'p>(&mut self, paths: impl Iterator<Item = &'p String>) -> Rows {
        let paths = paths.map(|path| self.path(path)).collect();
        self.list(paths)
    }

    fn text_list<'t>(&mut self, texts: impl Iterator<Item = &'t String>) -> Rows {
        let texts: Vec<Text> = texts.map(|text| self.text(text)).collect();
        let list = Rows(row(self.tables.texts.len()), row(texts.len()));
        self.tables.texts.extend(texts);
        list
    }

    fn path(&mut self, written: &str) -> u32 {
        if let Some(&known) = self.paths.get(written) {
            return known;
        }
        // Default paths contain node ids, which need not be segments: such a path fails where it is used.
        let segments = path::segments(written).unwrap_or_default();
        let segments: Vec<Text> = segments.into_iter().map(|text| self.text(text)).collect();
        let path = PathRow {
            written: self.text(written),
            segments: Rows(row(self.tables.texts.len()), row(segments.len())),
        };
        self.tables.texts.extend(segments);
        let index = row(self.tables.paths.len());
        self.tables.paths.push(path);
        self.paths.insert(written.into(), index);
        index
    }

    fn text_or_none(&mut self, text: Option<&str>) -> Text {
        text.map_or(Text::NONE, |text| self.text(text))
    }

    fn text(&mut self, text: &str) -> Text {
        if let Some(&known) = self.texts.get(text) {
            return known;
        }
        let pool = &mut self.tables.text;
        let placed = Text(row(pool.len()), row(text.len()));
        pool.push_str(text);
        self.texts.insert(text.into(), placed);
        placed
    }
}

fn bits(number: f64) -> u64 {
    number.to_bits()
}

fn limited(limits: &Limits) -> GraphRow {
    GraphRow {
        max_steps: limits.max_steps.unwrap_or(32),
        max_node_runs: limits.max_node_runs.unwrap_or(128),
        max_concurrency: limits.max_concurrency.unwrap_or(4),
        max_cost_usd: bits(limits.max_cost_usd.unwrap_or(10.0)),
        max_tokens: limits.max_tokens.unwrap_or(1_000_000),
        timeout_ms: limits.timeout_ms.unwrap_or(1_800_000),
        max_state_bytes: limits.max_state_bytes.unwrap_or(2_097_152),
        max_prompt_bytes: limits.max_prompt_bytes.unwrap_or(262_144),
        ..*<GraphRow as super::tables::Row>::ABSENT
    }
}

/// Whether a node may change things (spec 14): the default tools include some that do.
fn is_mutating(node: &Node) -> bool {
    let Some(agent) = node.agent() else {
        return false;
    };
    let has_other_tools = match &agent.tools {
        Some(tools) => tools
            .iter()
            .any(|tool| !READ_ONLY_TOOLS.contains(&tool.as_str())),
        None => true,
    };
    agent.load_extensions == Some(true) || agent.read_only != Some(true) && has_other_tools
}
