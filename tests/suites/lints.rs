//! Lints against every state there is, in both directions; their witnesses, fed to the evaluator; and the
//! public examples, which are clean but for what is said here.

mod small;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use agent_graph_build::lint::{Lint, LintFinding, LintLevel, LintLevels, Shows, Witness, lint};
use agent_graph_runtime::load::{Loaded, load};
use agent_graph_runtime::{Level, Outcome, Provider, Status};
use agent_graph_tests::json::Json;
use agent_graph_tests::model::{Edge, Graph, Kind, Node, OUTCOMES, Provider as Model, State, Step};
use agent_graph_tests::sources;
use small::walk::{Walked, hits, holds, walk};
use small::{draw, states};

const PROVIDERS: u64 = 40;

/// What a finding is about: graph, and the member of it that its place points into.
type About = (usize, String);

fn levels(level: LintLevel) -> LintLevels {
    let mut levels = LintLevels::default();
    levels.set("all", level).expect("all is a name");
    levels
}

#[test]
fn exact_lints_of_small_graphs_agree_with_all_states() {
    let mut seen: BTreeMap<Lint, usize> = BTreeMap::new();
    for seed in 0..PROVIDERS {
        let model = draw::provider(seed);
        let loaded = small::loaded("lints", seed, &model);
        let findings = lint(&loaded, &levels(LintLevel::Warn));
        let mut said: BTreeMap<Lint, BTreeSet<About>> = BTreeMap::new();
        for found in &findings {
            *seen.entry(found.lint).or_default() += 1;
            assert_ne!(found.lint, Lint::Undecided, "{seed}: {}", found.finding);
            said.entry(found.lint)
                .or_default()
                .insert(about(&model, found));
            if let Some(witness) = &found.witness {
                replay(&model, &loaded, witness, &found.finding.to_string());
            }
        }
        let mut expected: BTreeMap<Lint, BTreeSet<About>> = BTreeMap::new();
        for graph in 0..model.graphs.len() {
            Tried::of(&model, graph).judge(&mut expected);
        }
        for found in findings
            .iter()
            .filter(|found| found.lint == Lint::UnhandledOutcome)
        {
            let about = about(&model, found);
            let outcomes = unhandled_outcomes(&model, &about);
            let message = &found.finding.message;
            for outcome in OUTCOMES {
                let named = message.contains(&format!("`{outcome}`"));
                assert_eq!(
                    named,
                    outcomes.contains(outcome),
                    "{seed}: {message} {outcome}"
                );
            }
        }
        for lint in [
            Lint::ConflictingTerminals,
            Lint::ContradictoryFacts,
            Lint::LastingRepeat,
            Lint::NoTerminal,
            Lint::StuckState,
            Lint::UnhandledOutcome,
            Lint::UnprovableAction,
            Lint::UnresolvableGate,
        ] {
            let (said, expected) = (said.remove(&lint), expected.remove(&lint));
            let (said, expected) = (said.unwrap_or_default(), expected.unwrap_or_default());
            if lint == Lint::ConflictingTerminals {
                // Terminals are named by the witness; which entries they conflict from is what counts.
                assert_eq!(
                    said.is_empty(),
                    expected.is_empty(),
                    "{seed} {}",
                    lint.name()
                );
            } else {
                assert_eq!(said, expected, "{seed} {}", lint.name());
            }
        }
        judge_reach(&model, seed, &said, &expected);
    }
    println!("{seen:?}");
    for lint in [
        Lint::ConflictingTerminals,
        Lint::ContradictoryFacts,
        Lint::LastingRepeat,
        Lint::NoTerminal,
        Lint::StuckState,
        Lint::UnhandledOutcome,
        Lint::UnmeetableJoin,
        Lint::UnreachableNode,
    ] {
        assert!(seen.get(&lint) > Some(&2), "{} {seen:?}", lint.name());
    }
}

/// A node is reached nowhere if and only if a lint says so; a join is never met if a lint says so.
fn judge_reach(
    model: &Model,
    seed: u64,
    said: &BTreeMap<Lint, BTreeSet<About>>,
    expected: &BTreeMap<Lint, BTreeSet<About>>,
) {
    let of =
        |map: &BTreeMap<Lint, BTreeSet<About>>, lint| map.get(&lint).cloned().unwrap_or_default();
    let unreached = of(expected, Lint::UnreachableNode);
    let unmet = of(expected, Lint::UnmeetableJoin);
    let mut all = BTreeSet::new();
    for (graph, member) in of(said, Lint::UnmeetableJoin) {
        let node = match member.strip_prefix("/edges/") {
            Some(edge) => model.graphs[graph].edges[edge.parse::<usize>().expect("a number")].to,
            None => member["/nodes/".len()..].parse().expect("a number"),
        };
        let about = (graph, format!("/nodes/{node}"));
        assert!(unmet.contains(&about), "{seed} {about:?}");
        if unreached.contains(&about) {
            all.insert(about);
        }
    }
    let said = of(said, Lint::UnreachableNode);
    assert!(said.is_disjoint(&all), "{seed}");
    all.extend(said);
    assert_eq!(all, unreached, "{seed}");
}

fn about(model: &Model, found: &LintFinding) -> About {
    let place = &found.finding.place;
    let graph = model
        .graphs
        .iter()
        .position(|graph| graph.file == *place.file);
    let mut steps = place.pointer.split('/').skip(1);
    let member = format!(
        "/{}/{}",
        steps.next().unwrap_or_default(),
        steps.next().unwrap_or_default()
    );
    (graph.unwrap_or(usize::MAX), member)
}

/// What all states together show of a graph.
struct Tried<'m> {
    model: &'m Model,
    number: usize,
    reached: BTreeSet<usize>,
    active: BTreeSet<usize>,
    proven: BTreeSet<usize>,
    met: BTreeSet<usize>,
    unhandled: BTreeMap<usize, BTreeSet<&'static str>>,
    lasting: BTreeSet<usize>,
    /// By entry.
    completes: BTreeSet<String>,
    conflicts: BTreeSet<String>,
    stuck: BTreeSet<String>,
}

impl<'m> Tried<'m> {
    fn of(model: &'m Model, number: usize) -> Self {
        let mut tried = Self {
            model,
            number,
            reached: BTreeSet::new(),
            active: BTreeSet::new(),
            proven: BTreeSet::new(),
            met: BTreeSet::new(),
            unhandled: BTreeMap::new(),
            lasting: BTreeSet::new(),
            completes: BTreeSet::new(),
            conflicts: BTreeSet::new(),
            stuck: BTreeSet::new(),
        };
        let all = states::all(model, number);
        for (entry, _) in &tried.graph().entries {
            let walks: Vec<Walked> = all
                .iter()
                .map(|state| walk(model, number, entry, state))
                .collect();
            for (state, walked) in all.iter().zip(&walks) {
                tried.learn(entry, state, walked);
            }
            if tried.is_stuck(&all, &walks) {
                tried.stuck.insert(entry.clone());
            }
        }
        tried
    }

    fn graph(&self) -> &'m Graph {
        &self.model.graphs[self.number]
    }

    fn learn(&mut self, entry: &str, state: &State, walked: &Walked) {
        let graph = self.graph();
        let prefix = format!("{}/", graph.id);
        let frame = &walked.frames[&prefix];
        match walked.status {
            "complete" => {
                self.completes.insert(entry.to_owned());
            }
            "error" => {
                self.conflicts.insert(entry.to_owned());
            }
            _ => {}
        }
        for (n, node) in graph.nodes.iter().enumerate() {
            let mut incoming = graph
                .edges
                .iter()
                .filter(|edge| edge.to == n && !edge.repeats())
                .peekable();
            if incoming.peek().is_some() && incoming.all(|edge| hits(edge, &frame.value)) {
                self.met.insert(n);
            }
            if !frame.reached.contains(&n) {
                continue;
            }
            self.reached.insert(n);
            if !holds(&node.requires, &state.facts) {
                continue;
            }
            self.active.insert(n);
            let (Kind::Action(step, _) | Kind::Gate(step, _)) = &node.kind else {
                continue;
            };
            if !step.satisfied.is_empty() && holds(&step.satisfied, &state.facts) {
                self.proven.insert(n);
            }
            let value = frame.value[n].expect("it is reached");
            let handled = graph
                .edges
                .iter()
                .any(|edge| edge.from == n && hits(edge, &frame.value));
            if !handled && !matches!(value, "pending" | "waiting-user") {
                self.unhandled.entry(n).or_default().insert(value);
            }
        }
        for (number, edge) in graph.edges.iter().enumerate() {
            let by_facts = match &graph.nodes[edge.from].kind {
                Kind::Action(step, _) | Kind::Gate(step, _) => {
                    !step.satisfied.is_empty()
                        && holds(&step.satisfied, &state.facts)
                        && frame.value[edge.from] == Some("completed")
                }
                _ => false,
            };
            let key = format!("{prefix}{}", graph.nodes[edge.to].id);
            let done = |outcome: &str| !matches!(outcome, "pending" | "waiting-user");
            let recorded = state
                .outcomes
                .iter()
                .any(|(own, outcome, _)| *own == key && done(outcome));
            if edge.repeats()
                && edge.from != edge.to
                && hits(edge, &frame.value)
                && !by_facts
                && holds(&graph.nodes[edge.to].requires, &state.facts)
                && frame.value[edge.to] == Some("pending")
                && recorded
            {
                self.lasting.insert(number);
            }
        }
    }

    fn is_stuck(&self, all: &[State], walks: &[Walked]) -> bool {
        let handled: Vec<(&State, &Walked)> = all
            .iter()
            .zip(walks)
            .filter(|(state, _)| self.records_only_what_is_handled(state))
            .collect();
        let completing: BTreeSet<Vec<(&str, &str)>> = handled
            .iter()
            .filter(|(_, walked)| walked.status == "complete")
            .map(|(state, _)| {
                let outcomes = state.outcomes.iter();
                outcomes
                    .map(|(key, outcome, _)| (key.as_str(), *outcome))
                    .collect()
            })
            .collect();
        let mut judged: BTreeMap<Vec<(String, &str)>, bool> = BTreeMap::new();
        handled.iter().any(|(state, walked)| {
            if matches!(walked.status, "complete" | "error") {
                return false;
            }
            let closed = self.closed(state, walked);
            *judged.entry(closed.clone()).or_insert_with(|| {
                !completing.iter().any(|outcomes| {
                    closed
                        .iter()
                        .all(|(key, outcome)| outcomes.contains(&(key.as_str(), *outcome)))
                })
            })
        })
    }

    fn records_only_what_is_handled(&self, state: &State) -> bool {
        state.outcomes.iter().all(|(key, outcome, _)| {
            let (graph, node) = find(self.model, self.number, key);
            let graph = &self.model.graphs[graph];
            *outcome == "completed"
                || graph
                    .edges
                    .iter()
                    .any(|edge| edge.from == node && edge.outcomes_or_default().contains(outcome))
        })
    }

    /// What is recorded for good.
    fn closed<'s>(&self, state: &'s State, walked: &Walked) -> Vec<(String, &'s str)> {
        let mut closed = Vec::new();
        for (key, outcome, _) in &state.outcomes {
            let (number, node) = find(self.model, self.number, key);
            let graph = &self.model.graphs[number];
            let prefix = &key[..key.len() - graph.nodes[node].id.len()];
            let Some(frame) = walked.frames.get(prefix) else {
                continue;
            };
            let (Kind::Action(step, _) | Kind::Gate(step, _)) = &graph.nodes[node].kind else {
                continue;
            };
            let proven = !step.satisfied.is_empty() && holds(&step.satisfied, &state.facts);
            let open = |outcome: &str| matches!(outcome, "pending" | "waiting-user");
            let asked = frame.reached.contains(&node)
                && holds(&graph.nodes[node].requires, &state.facts)
                && !proven;
            if !asked || open(outcome) || frame.value[node].is_none_or(open) {
                continue;
            }
            let repeats = graph
                .edges
                .iter()
                .any(|edge| edge.repeats() && edge.from == node && hits(edge, &frame.value));
            if !repeats {
                closed.push((key.clone(), *outcome));
            }
        }
        closed
    }

    fn judge(&self, expected: &mut BTreeMap<Lint, BTreeSet<About>>) {
        let graph = self.graph();
        let mut add = |lint, member: String| {
            expected
                .entry(lint)
                .or_default()
                .insert((self.number, member));
        };
        for (n, node) in graph.nodes.iter().enumerate() {
            let member = || format!("/nodes/{n}");
            if !self.reached.contains(&n) {
                add(Lint::UnreachableNode, member());
            }
            if !self.met.contains(&n) && node.join != Some("any") {
                add(Lint::UnmeetableJoin, member());
            }
            let facts = states::facts();
            let possible = facts.iter().any(|facts| holds(&node.requires, facts));
            if !possible || (self.reached.contains(&n) && !self.active.contains(&n)) {
                add(Lint::ContradictoryFacts, member());
            }
            let (lint, step) = match &node.kind {
                Kind::Action(step, _) => (Lint::UnprovableAction, step),
                Kind::Gate(step, _) => (Lint::UnresolvableGate, step),
                _ => continue,
            };
            let provable = facts
                .iter()
                .any(|facts| holds(&node.requires, facts) && holds(&step.satisfied, facts));
            let never = self.active.contains(&n) && !self.proven.contains(&n);
            if !step.satisfied.is_empty() && possible && (!provable || never) {
                add(lint, member());
            }
            if self.unhandled.contains_key(&n) {
                add(Lint::UnhandledOutcome, member());
            }
        }
        for edge in &self.lasting {
            add(Lint::LastingRepeat, format!("/edges/{edge}"));
        }
        for (entry, _) in &graph.entries {
            let member = format!("/entrypoints/{entry}");
            if self.conflicts.contains(entry) {
                add(Lint::ConflictingTerminals, member.clone());
            }
            if !self.completes.contains(entry) {
                add(Lint::NoTerminal, member);
            } else if self.stuck.contains(entry) {
                add(Lint::StuckState, member);
            }
        }
    }
}

fn unhandled_outcomes(model: &Model, about: &About) -> BTreeSet<&'static str> {
    let node = about.1["/nodes/".len()..].parse().expect("a number");
    let mut tried = Tried::of(model, about.0);
    tried.unhandled.remove(&node).unwrap_or_default()
}

/// The graph and node of a state key.
fn find(model: &Model, graph: usize, key: &str) -> (usize, usize) {
    let (element, rest) = key.split_once('>').unwrap_or((key, ""));
    let own = &model.graphs[graph];
    let id = &element[own.id.len() + 1..];
    let node = own
        .nodes
        .iter()
        .position(|node| node.id == id)
        .expect("it exists");
    match &own.nodes[node].kind {
        Kind::Subgraph(called, _) if !rest.is_empty() => find(model, *called, rest),
        _ => (graph, node),
    }
}

/// Feeds a witness to the evaluator, and to the second opinion, and looks for what it shows.
fn replay(model: &Model, loaded: &Loaded, witness: &Witness, context: &str) {
    let provider = Provider::from_tables(loaded.tables.clone());
    let evaluation = provider
        .evaluate(&witness.graph, &witness.entry, &witness.state)
        .expect("the graph exists");
    let graph = model
        .graphs
        .iter()
        .position(|own| own.id == witness.graph)
        .expect("it exists");
    let facts: serde_json::Value =
        serde_json::from_str(witness.state.facts().canonical()).expect("it is JSON");
    let state = State {
        facts: json(&facts),
        outcomes: witness
            .state
            .outcomes()
            .map(|(key, outcome)| (key.to_owned(), outcome.as_str(), false))
            .collect(),
        authorities: Vec::new(),
    };
    let walked = walk(model, graph, &witness.entry, &state);
    assert_eq!(evaluation.status().as_str(), walked.status, "{context}");
    let frame = &walked.frames[&format!("{}/", witness.graph)];
    let value = |key: &str| {
        let (_, node) = find(model, graph, key);
        frame
            .reached
            .contains(&node)
            .then(|| frame.value[node].expect("it is reached"))
    };
    let recorded = |key: &str| witness.state.outcome(key);
    match &witness.shows {
        Shows::Status(status) => assert_eq!(evaluation.status(), *status, "{context}"),
        Shows::NeverCompletes => assert_ne!(evaluation.status(), Status::Complete, "{context}"),
        Shows::NotReached(key) => assert_eq!(value(key), None, "{context}"),
        Shows::FactsMissing(key) => {
            assert_eq!(value(key), Some("blocked"), "{context}");
            let mut diagnostics = evaluation.diagnostics();
            assert!(
                diagnostics.any(|own| own.code == "required-fact-missing"),
                "{context}"
            );
        }
        Shows::Unhandled(key, outcome) => {
            assert_eq!(value(key), Some(outcome.as_str()), "{context}");
            let open: Vec<String> = evaluation
                .candidates()
                .map(|own| own.record_node())
                .collect();
            assert!(!open.contains(key), "{context}");
        }
        Shows::StillPending(key) => {
            assert_eq!(value(key), Some("pending"), "{context}");
            assert!(
                recorded(key).is_some_and(|own| own != Outcome::Pending),
                "{context}"
            );
        }
        Shows::Unverified(key) => {
            assert_eq!(value(key), Some("unverified"), "{context}");
            assert_eq!(recorded(key), Some(Outcome::Completed), "{context}");
        }
    }
}

fn json(value: &serde_json::Value) -> Json {
    match value {
        serde_json::Value::Null => Json::Null,
        serde_json::Value::Bool(value) => Json::Bool(*value),
        serde_json::Value::Number(number) => Json::Number(number.as_f64().expect("a double")),
        serde_json::Value::String(text) => Json::text(text.clone()),
        serde_json::Value::Array(items) => Json::List(items.iter().map(json).collect()),
        serde_json::Value::Object(members) => Json::Object(
            members
                .iter()
                .map(|(name, value)| (name.clone(), json(value)))
                .collect(),
        ),
    }
}

#[test]
fn the_public_examples_have_no_findings_but_those_explained_here() {
    let explained = [
        // `assay` repeats `collect` when its result is unverified, and stays so until the host records
        // something else for `assay`: what the example is there to show.
        ("nested-repeat", "lasting-repeat"),
    ];
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let providers = [
        (
            "host-batch",
            package.join("examples/host-batch/provider.yaml"),
        ),
        (
            "nested-repeat",
            package.join("examples/nested-repeat/provider.yaml"),
        ),
        (
            "release-gate",
            package.join("examples/release-gate/provider.yaml"),
        ),
        (
            "release-host",
            package.join("../examples/release-host/workflow/provider.yaml"),
        ),
    ];
    let mut found = Vec::new();
    for (name, manifest) in &providers {
        let loaded = load(manifest).unwrap_or_else(|findings| panic!("{findings}"));
        for finding in lint(&loaded, &LintLevels::default()) {
            println!("{name}: {}", finding.finding);
            found.push((*name, finding.lint.name()));
        }
        let undecided = lint(&loaded, &levels(LintLevel::Warn));
        let undecided = undecided.iter().filter(|own| own.lint == Lint::Undecided);
        assert_eq!(undecided.count(), 0, "{name}");
    }
    assert_eq!(found, explained);
}

/// A provider with one of each mistake that shows in the text alone.
const MISTAKES: [(&str, &str); 10] = [
    (
        "provider.yaml",
        "\
schema: agent-graph.provider.v1
id: mistakes
version: 1.0.0
graphs: [graphs/a.yaml, graphs/ab.yaml]
catalogs: { codes: codes.yaml }
compatibility: { agentGraph: ^0.2.0 }
",
    ),
    (
        "codes.yaml",
        "\
schema: agent-graph.code-catalog.v1
codes:
  - { code: route.work, kind: route-reason, summary: Work. }
  - { code: route.unused, kind: route-reason, summary: Nobody gives this. }
  - { code: host.slow, kind: diagnostic, summary: The host gives this. }
",
    ),
    (
        "graphs/a.yaml",
        "\
schema: agent-graph.graph.v1
id: a
entrypoints: { default: b/c }
nodes:
  - id: b/c
    kind: action
    reasonCode: route.work
    action: actions/work.yaml
    satisfiedBy:
      - { path: count, equals: -0 }
      - { path: size, equals: 9007199254740993 }
      - { path: state.name, exists: true }
  - id: gate
    kind: gate
    reasonCode: route.work
    gate: { id: gate, prompt: Go on?, delegatable: true }
    requiresFacts: [{ path: count, equals: none }]
  - id: other
    kind: gate
    reasonCode: route.work
    gate: { id: other, prompt: Go on?, authority: lead }
    requiresFacts: [{ path: state, equals: on }]
  - id: joined
    kind: action
    reasonCode: route.work
    action: actions/work.yaml
  - { id: done, kind: terminal, terminalOutcome: completed }
edges:
  - { from: b/c, to: gate }
  - { from: gate, to: other }
  - { from: gate, to: joined }
  - { from: gate, to: joined, outcomes: [failed] }
  - { from: other, to: done }
",
    ),
    (
        "graphs/ab.yaml",
        "\
schema: agent-graph.graph.v1
id: a/b
entrypoints: { default: c }
nodes:
  - { id: c, kind: action, reasonCode: route.work, action: actions/talk.yaml }
  - { id: done, kind: terminal, terminalOutcome: completed }
edges: [{ from: c, to: done }]
",
    ),
    (
        "actions/work.yaml",
        "\
schema: agent-graph.action.v1
id: work
runner: command
effect: write
command: work
",
    ),
    (
        "actions/talk.yaml",
        "\
schema: agent-graph.action.v1
id: talk
runner: agent
effect: write
skill: skills/talk/SKILL.md
",
    ),
    (
        "skills/talk/SKILL.md",
        "---\nname: My Skill\n---\n\nTalk.\n",
    ),
    ("skills/talk/notes.txt", "Notes.\n"),
    ("skills/talk/more.txt", "More.\n"),
    ("unrelated.txt", "Nothing.\n"),
];

fn mistakes() -> Loaded {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mistakes");
    let files = MISTAKES.map(|(path, text)| (path.to_owned(), text.to_owned()));
    sources::write_files(&folder, &files).expect("the scratch folder takes files");
    load(&folder.join("provider.yaml")).unwrap_or_else(|findings| panic!("{findings}"))
}

#[test]
fn each_mistake_in_the_text_is_found_at_its_place() {
    let loaded = mistakes();
    let mut levels = levels(LintLevel::Warn);
    for lint in Lint::ALL
        .iter()
        .filter(|lint| lint.is_explored() && **lint != Lint::UnmeetableJoin)
    {
        levels
            .set(lint.name(), LintLevel::Allow)
            .expect("it is a lint");
    }
    let found: Vec<String> = lint(&loaded, &levels)
        .iter()
        .filter(|own| own.witness.is_none())
        .map(|own| {
            let place = &own.finding.place;
            format!("{}#{} {}", place.file, place.pointer, own.lint.name())
        })
        .collect();
    assert_eq!(
        found,
        [
            "actions/talk.yaml#/skill unmatchable-receipt",
            "codes.yaml#/codes/1/code unused-code",
            "graphs/a.yaml#/nodes/0/id inexact-number",
            "graphs/a.yaml#/nodes/0/id inexact-number",
            "graphs/a.yaml#/nodes/1/id mixed-fact-types",
            "graphs/a.yaml#/nodes/1/id undelegatable-gate",
            "graphs/a.yaml#/nodes/2/id idle-authority",
            "graphs/a.yaml#/nodes/2/id mixed-fact-types",
            "graphs/a.yaml#/edges/3 unmeetable-join",
            "graphs/ab.yaml#/nodes/0/id state-key-collision",
            "provider.yaml#/compatibility/agentGraph compatibility-range",
        ]
    );
}

#[test]
fn levels_decide_what_is_shown_and_what_fails() {
    let loaded = mistakes();
    let by_default = lint(&loaded, &LintLevels::default());
    assert!(by_default.iter().all(|own| own.lint != Lint::IdleAuthority));
    let join = by_default
        .iter()
        .find(|own| own.lint == Lint::UnmeetableJoin);
    let join = join.expect("it is denied unless it is set");
    assert_eq!(
        (join.level, join.finding.level),
        (LintLevel::Deny, Level::Error)
    );
    let mut levels = LintLevels::default();
    levels
        .set("unmeetable-join", LintLevel::Warn)
        .expect("it is a lint");
    let warned = lint(&loaded, &levels);
    let join = warned.iter().find(|own| own.lint == Lint::UnmeetableJoin);
    assert_eq!(join.map(|own| own.finding.level), Some(Level::Warn));
    assert!(lint(&loaded, &self::levels(LintLevel::Allow)).is_empty());
}

/// `width` independent actions that may fail, all of them joined: more ways than anybody can go.
fn wide(width: usize) -> Model {
    let step = |id: &str| Step {
        reason: format!("route.{id}"),
        satisfied: Vec::new(),
        required: Vec::new(),
        recommended: Vec::new(),
    };
    let node = |id: String, join, kind| Node {
        id,
        description: None,
        priority: None,
        join,
        requires: Vec::new(),
        kind,
    };
    let action = |id: String| {
        let kind = Kind::Action(step(&id), 0);
        node(id, None, kind)
    };
    let edge = |from, to, outcomes: &[&'static str]| Edge {
        from,
        to,
        outcomes: outcomes.to_vec(),
        kind: None,
    };
    let mut nodes = vec![action("start".into())];
    nodes.extend((0..width).map(|number| action(format!("part-{number}"))));
    let (done, failed, never) = (width + 1, width + 2, width + 3);
    nodes.push(node("done".into(), None, Kind::Terminal("completed")));
    nodes.push(node("failed".into(), Some("any"), Kind::Terminal("failed")));
    nodes.push(action("never".into()));
    let mut edges = Vec::new();
    for part in 1..=width {
        edges.push(edge(0, part, &[]));
        edges.push(edge(part, done, &[]));
        edges.push(edge(part, failed, &["failed", "partial"]));
    }
    edges.push(edge(1, never, &[]));
    edges.push(edge(1, never, &["failed"]));
    let mut provider = draw::provider(0);
    provider.id = "wide".into();
    provider.graphs = vec![Graph {
        id: "main".into(),
        file: "graphs/main.yaml".into(),
        entries: vec![("default".into(), 0)],
        nodes,
        edges,
    }];
    provider
}

#[test]
fn what_the_bound_leaves_open_is_said_and_the_rest_is_decided() {
    let model = wide(30);
    let loaded = small::loaded("wide", 0, &model);
    let findings = lint(&loaded, &levels(LintLevel::Warn));
    let of = |lint| findings.iter().filter(move |own| own.lint == lint);
    let undecided: Vec<&str> = of(Lint::Undecided)
        .map(|own| own.finding.message.as_str())
        .collect();
    assert_eq!(
        undecided,
        [
            "from entry `default` of graph `main` it was not decided within the bound which outcomes and \
             terminals meet, nor which states are stuck"
        ]
    );
    // Nodes are looked for one by one, so all of them are decided.
    assert_eq!(of(Lint::UnreachableNode).count(), 0);
    let joins: Vec<&str> = of(Lint::UnmeetableJoin)
        .map(|own| own.finding.message.as_str())
        .collect();
    assert_eq!(joins.len(), 1, "{joins:?}");
    assert!(joins[0].contains("`never`"), "{joins:?}");
}
