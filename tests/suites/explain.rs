//! Explanations against every state there is: what is said to make progress does, what is not said does
//! not; what is said to be impossible is nowhere, the rest is somewhere.

mod small;

use std::collections::{BTreeMap, BTreeSet};

use agent_graph_runtime::explain::{Change, Explanation, Possibility, Purpose, Standing};
use agent_graph_runtime::{Provider, State as Input, Status};
use agent_graph_tests::json::Json;
use agent_graph_tests::model::{Asks, Check, Kind, Node, OUTCOMES, Provider as Model, State};
use agent_graph_tests::seeded::Chance;
use agent_graph_tests::{random, random_state};
use small::walk::{Walked, hits, holds, walk};
use small::{draw, states};

const PROVIDERS: u64 = 60;
const STATES: usize = 12;

/// What a change leads to: the status after it and what it opens.
type Effect = (String, BTreeSet<String>);

#[test]
fn moves_and_possibilities_of_small_graphs_are_those_of_all_states() {
    let mut seen = Seen::default();
    for seed in 0..PROVIDERS {
        let model = draw::provider(seed);
        let provider = Provider::from_tables(small::loaded("explain", seed, &model).tables);
        let all = states::all(&model, 0);
        let mut chance = Chance::seeded(seed);
        for (entry, _) in &model.graphs[0].entries {
            let active = active_somewhere(&model, entry, &all);
            for _ in 0..STATES {
                let state = draw_state(&mut chance, &all);
                let input = Input::from_json(&state.source()).expect("it is an input");
                let explanation = provider.explain("main", entry, &input).expect("it exists");
                let case = Case {
                    model: &model,
                    entry,
                    before: walk(&model, 0, entry, &state),
                    state,
                };
                case.check(&explanation, &active, &mut seen);
            }
        }
    }
    println!("{seen:?}");
    assert!(seen.records > 1000 && seen.facts > 100 && seen.authorities > 10);
    assert!(seen.possible > 1000 && seen.impossible > 100);
}

#[derive(Debug, Default)]
struct Seen {
    records: usize,
    facts: usize,
    authorities: usize,
    possible: usize,
    impossible: usize,
}

/// State keys of the nodes that are reached with their required facts holding, in some state.
fn active_somewhere(model: &Model, entry: &str, all: &[State]) -> BTreeSet<String> {
    let mut active = BTreeSet::new();
    for state in all {
        active.extend(active_nodes(
            model,
            &walk(model, 0, entry, state),
            &state.facts,
        ));
    }
    active
}

fn active_nodes(model: &Model, walked: &Walked, facts: &Json) -> BTreeSet<String> {
    let mut active = BTreeSet::new();
    for (prefix, frame) in &walked.frames {
        for &n in &frame.reached {
            let node = &model.graphs[frame.graph].nodes[n];
            if holds(&node.requires, facts) {
                active.insert(format!("{prefix}{}", node.id));
            }
        }
    }
    active
}

fn draw_state(chance: &mut Chance, all: &[State]) -> State {
    let mut state = all[chance.below(all.len())].clone();
    if chance.percent(50) {
        // Early states: little is recorded.
        state.outcomes.retain(|_| chance.percent(50));
    }
    for (_, outcome, _) in &mut state.outcomes {
        if chance.percent(40) {
            *outcome = "completed";
        }
    }
    state.authorities = ["owner", "qa"]
        .iter()
        .filter(|_| chance.percent(30))
        .map(ToString::to_string)
        .collect();
    state
}

struct Case<'a> {
    model: &'a Model,
    entry: &'a str,
    state: State,
    before: Walked,
}

impl Case<'_> {
    fn check(&self, explanation: &Explanation, active: &BTreeSet<String>, seen: &mut Seen) {
        let context = || {
            format!(
                "{} at {} in {}",
                self.model.id,
                self.entry,
                self.state.source()
            )
        };
        assert_eq!(
            explanation.status.as_str(),
            self.before.status,
            "{}",
            context()
        );
        if !matches!(explanation.status, Status::Complete) {
            assert!(!explanation.frontier.is_empty(), "{}", context());
        }
        assert!(explanation.moves_complete, "{}", context());
        let mut records: BTreeMap<(String, String), Effect> = BTreeMap::new();
        let mut authorities: BTreeMap<String, Effect> = BTreeMap::new();
        let mut facts: BTreeMap<(String, bool), Effect> = BTreeMap::new();
        for found in &explanation.moves {
            let opens = found.opens.iter().cloned().collect();
            let effect = (found.status.to_string(), opens);
            match &found.change {
                Change::Record { node, outcomes } => {
                    for outcome in outcomes {
                        records.insert((node.clone(), outcome.to_string()), effect.clone());
                    }
                }
                Change::Authority { authority } => {
                    authorities.insert(authority.clone(), effect);
                }
                Change::Facts { node, facts: needs } => {
                    let proof = needs[0].purpose == Purpose::Proof;
                    facts.insert((node.clone(), proof), effect);
                }
            }
        }
        seen.records += records.len();
        seen.authorities += authorities.len();
        seen.facts += facts.len();
        assert_eq!(records, self.records(), "{}", context());
        assert_eq!(authorities, self.authorities(), "{}", context());
        assert_eq!(facts, self.facts(), "{}", context());
        let now = active_nodes(self.model, &self.before, &self.state.facts);
        for node in &explanation.frontier {
            let possible = active.contains(&node.key) || now.contains(&node.key);
            let expected = if possible || node.standing == Standing::Conflicting {
                Possibility::Possible
            } else {
                Possibility::Impossible
            };
            seen.possible += usize::from(possible);
            seen.impossible += usize::from(!possible);
            assert_eq!(node.possibility, expected, "{} {}", node.key, context());
        }
        self.check_frontier(explanation, &context());
    }

    /// The frontier is what it says it is, and nothing is left out.
    fn check_frontier(&self, explanation: &Explanation, context: &str) {
        let shown: BTreeMap<&str, Standing> = explanation
            .frontier
            .iter()
            .map(|node| (node.key.as_str(), node.standing))
            .collect();
        let mut expected = BTreeMap::new();
        let keys: Vec<(String, usize, usize, &str)> = self
            .before
            .frames
            .iter()
            .filter(|(_, frame)| frame.live)
            .flat_map(|(prefix, frame)| {
                let nodes = self.model.graphs[frame.graph].nodes.iter().enumerate();
                nodes.map(move |(n, node)| {
                    (
                        format!("{prefix}{}", node.id),
                        frame.graph,
                        n,
                        prefix.as_str(),
                    )
                })
            })
            .collect();
        for (key, graph, n, prefix) in &keys {
            let frame = &self.before.frames[*prefix];
            let graph = &self.model.graphs[*graph];
            let node = &graph.nodes[*n];
            let incoming = |repeat| {
                graph
                    .edges
                    .iter()
                    .filter(move |e| e.to == *n && e.repeats() == repeat)
            };
            let outgoing = || graph.edges.iter().filter(|edge| edge.from == *n);
            let standing = if !frame.reached.contains(n) {
                let in_sight = incoming(false).any(|edge| frame.reached.contains(&edge.from));
                in_sight.then_some("not-reached")
            } else if !holds(&node.requires, &self.state.facts) {
                Some("facts-missing")
            } else if matches!(node.kind, Kind::Terminal(_)) {
                None
            } else if self.before.candidates.contains_key(key) {
                Some("open")
            } else if self.before.frames.iter().any(|(own, child)| {
                child.live
                    && own
                        .strip_prefix(key.as_str())
                        .is_some_and(|rest| rest.starts_with('>'))
            }) {
                Some("unfinished")
            } else {
                let handled = outgoing().any(|edge| hits(edge, &frame.value));
                (!handled).then_some("unhandled")
            };
            if let Some(standing) = standing {
                expected.insert(key.as_str(), standing);
            }
        }
        for (key, standing) in &shown {
            let name = match standing {
                Standing::Open(_) => "open",
                Standing::FactsMissing => "facts-missing",
                Standing::Unfinished => "unfinished",
                Standing::Unhandled => "unhandled",
                Standing::NotReached => "not-reached",
                Standing::Conflicting => continue,
            };
            assert_eq!(expected.remove(key), Some(name), "{key} {context}");
        }
        assert!(expected.is_empty(), "{expected:?} {context}");
    }

    fn records(&self) -> BTreeMap<(String, String), Effect> {
        let mut all = BTreeMap::new();
        for key in states::step_keys(self.model, 0) {
            for outcome in OUTCOMES {
                let mut state = self.state.clone();
                let now = state.outcomes.iter().position(|(own, _, _)| *own == key);
                match now {
                    Some(at) if state.outcomes[at].1 == outcome => continue,
                    Some(at) => state.outcomes[at].1 = outcome,
                    None if outcome == "pending" => continue,
                    None => state.outcomes.push((key.clone(), outcome, false)),
                }
                if let Some(effect) = self.effect(&state) {
                    all.insert((key.clone(), outcome.to_owned()), effect);
                }
            }
        }
        all
    }

    fn authorities(&self) -> BTreeMap<String, Effect> {
        let mut all = BTreeMap::new();
        for authority in ["owner", "qa"] {
            let mut state = self.state.clone();
            state.authorities.push(authority.into());
            if let Some(effect) = self.effect(&state) {
                all.insert(authority.to_owned(), effect);
            }
        }
        all
    }

    fn facts(&self) -> BTreeMap<(String, bool), Effect> {
        let mut all = BTreeMap::new();
        for (prefix, frame) in &self.before.frames {
            for &n in &frame.reached {
                let node: &Node = &self.model.graphs[frame.graph].nodes[n];
                let proof = match &node.kind {
                    Kind::Action(step, _) | Kind::Gate(step, _) => &step.satisfied[..],
                    _ => &[],
                };
                for (is_proof, checks) in [(false, &node.requires[..]), (true, proof)] {
                    if holds(checks, &self.state.facts) {
                        continue;
                    }
                    let mut state = self.state.clone();
                    for check in checks {
                        make_hold(&mut state.facts, check);
                    }
                    if !holds(checks, &state.facts) {
                        continue;
                    }
                    if let Some(effect) = self.effect(&state) {
                        all.insert((format!("{prefix}{}", node.id), is_proof), effect);
                    }
                }
            }
        }
        all
    }

    /// Progress, as the documentation of a move defines it.
    fn effect(&self, state: &State) -> Option<Effect> {
        let after = walk(self.model, 0, self.entry, state);
        if after.status == "error" {
            return None;
        }
        let active_before = active_nodes(self.model, &self.before, &self.state.facts);
        let mut opens: BTreeSet<String> = active_nodes(self.model, &after, &state.facts);
        opens.retain(|key| !active_before.contains(key));
        for (key, immediate) in &after.candidates {
            if *immediate && self.before.candidates.get(key) == Some(&false) {
                opens.insert(key.clone());
            }
        }
        for (prefix, frame) in &after.frames {
            let graph = &self.model.graphs[frame.graph];
            let twin = self.before.frames.get(prefix);
            for edge in graph.edges.iter().filter(|edge| !edge.repeats()) {
                let nearer = hits(edge, &frame.value)
                    && !frame.reached.contains(&edge.to)
                    && !twin.is_some_and(|twin| {
                        twin.reached.contains(&edge.to) || hits(edge, &twin.value)
                    });
                if nearer {
                    opens.insert(format!("{prefix}{}", graph.nodes[edge.to].id));
                }
            }
        }
        let completes = after.status == "complete" && self.before.status != "complete";
        (completes || !opens.is_empty()).then(|| (after.status.to_owned(), opens))
    }
}

/// Changes facts so that one check on `a` or `a.b` holds, as little as can be.
fn make_hold(facts: &mut Json, check: &Check) {
    if holds(std::slice::from_ref(check), facts) {
        return;
    }
    let value = match &check.asks {
        Asks::Exists(false) => None,
        Asks::Exists(true) => Some(Json::Object(Vec::new())),
        Asks::Equals(Json::Number(number)) => Some(Json::Number(*number + 0.0)),
        Asks::Equals(value) => Some(value.clone()),
    };
    let value = if check.path == "a" {
        value
    } else {
        Some(Json::Object(
            value
                .map(|value| ("b".to_owned(), value))
                .into_iter()
                .collect(),
        ))
    };
    *facts = Json::Object(
        value
            .map(|value| ("a".to_owned(), value))
            .into_iter()
            .collect(),
    );
}

#[test]
fn whatever_is_blocked_or_waits_is_explained() {
    let mut explained = BTreeMap::new();
    for seed in 0..random::COUNT {
        let model = random::provider(seed);
        let provider = Provider::from_tables(small::loaded("explained", seed, &model).tables);
        let mut chance = Chance::seeded(seed);
        for (number, graph) in model.graphs.iter().enumerate() {
            for (entry, _) in &graph.entries {
                for _ in 0..4 {
                    let state = random_state::state(&mut chance, &model, number);
                    let input = Input::from_json(&state.source()).expect("it is an input");
                    let limits = agent_graph_runtime::explain::ExplainLimits {
                        moves: 2000,
                        ways: 2000,
                    };
                    let explanation = provider
                        .explain_within(&graph.id, entry, &input, limits)
                        .expect("it exists");
                    let evaluation = provider
                        .evaluate(&graph.id, entry, &input)
                        .expect("it exists");
                    assert_eq!(explanation.status, evaluation.status());
                    assert_eq!(explanation.revision, evaluation.revision());
                    *explained.entry(explanation.status.as_str()).or_insert(0) += 1;
                    if !matches!(explanation.status, Status::Complete) {
                        assert!(
                            !explanation.frontier.is_empty(),
                            "{seed} {}",
                            state.source()
                        );
                    }
                }
            }
        }
    }
    for status in ["blocked", "waiting-user", "actionable"] {
        assert!(explained.get(status) > Some(&50), "{explained:?}");
    }
}

const RELEASE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/examples/release-gate/provider.yaml"
);

fn release(state: &str) -> Explanation {
    let provider = Provider::load(RELEASE).expect("it loads");
    let state = Input::from_json(state).expect("it is an input");
    provider
        .explain("release", "default", &state)
        .expect("it exists")
}

#[test]
fn an_explanation_is_json_with_everything_a_node_is_missing() {
    let explanation = release(
        r#"{
            "facts": {"package": {"digest": "d", "fresh": true}, "scan": {"state": 7, "findings": []}},
            "outcomes": {"release/scan": "blocked"}
        }"#,
    );
    let json = serde_json::to_value(&explanation).expect("it is JSON");
    assert_eq!(json["status"], "blocked");
    assert_eq!(json["movesComplete"], true);
    let keys: Vec<&str> = explanation
        .frontier
        .iter()
        .map(|own| own.key.as_str())
        .collect();
    assert_eq!(keys, ["release/scan", "release/mend", "release/approval"]);
    assert_eq!(
        json["frontier"][0],
        serde_json::json!({
            "key": "release/scan", "graph": "release", "node": "scan", "kind": "action",
            "value": "blocked", "standing": "unhandled",
            "needs": [
                {"need": "onward", "to": "release/mend",
                 "needed": ["partial", "failed", "unverified"], "seen": "blocked"},
                {"need": "onward", "to": "release/approval",
                 "needed": ["completed"], "seen": "blocked"},
            ],
            "possibility": "possible",
        })
    );
    assert_eq!(
        json["frontier"][1]["needs"],
        serde_json::json!([
            {"need": "join", "join": "any", "met": 0, "of": 2},
            {"need": "edge", "from": "release/package", "needed": ["failed", "unverified"],
             "seen": "completed", "met": false},
            {"need": "edge", "from": "release/scan", "needed": ["partial", "failed", "unverified"],
             "seen": "blocked", "met": false},
        ])
    );
    let moves = json["moves"].as_array().expect("a list");
    let proof = serde_json::json!({
        "change": {"facts": {"node": "release/scan", "facts": [
            {"purpose": "proof", "path": "scan.state", "expected": {"equals": "clean"},
             "found": "number", "value": 7},
        ]}},
        "status": "waiting-user",
        "opens": ["release/approval"],
    });
    assert!(moves.contains(&proof), "{moves:#?}");
    // `completed` without proof comes to `unverified`, which leads to `mend` like the others.
    let record = serde_json::json!({
        "change": {"record": {"node": "release/scan",
                              "outcomes": ["completed", "partial", "failed", "unverified"]}},
        "status": "actionable",
        "opens": ["release/mend"],
    });
    assert!(moves.contains(&record), "{moves:#?}");
}

#[test]
fn an_open_gate_names_its_authority_and_whether_the_session_holds_it() {
    let explanation = release(
        r#"{
            "facts": {"package": {"digest": "d", "fresh": true}, "scan": {"state": "clean"}},
            "authorities": ["other"]
        }"#,
    );
    assert_eq!(explanation.status, Status::WaitingUser);
    let gate = explanation
        .frontier
        .iter()
        .find(|own| own.node == "approval");
    let needs = serde_json::to_value(&gate.expect("it is open").needs).expect("it is JSON");
    assert_eq!(
        needs[1],
        serde_json::json!({
            "need": "authority", "authority": "release.approve", "delegatable": true, "held": false,
        })
    );
    let by_authority = explanation.moves.iter().find(|own| {
        own.change
            == Change::Authority {
                authority: "release.approve".into(),
            }
    });
    let by_authority = by_authority.expect("the authority helps");
    assert_eq!(by_authority.opens, ["release/approval"]);
    assert_eq!(by_authority.status, Status::Actionable);
}

#[test]
fn unknown_names_come_with_the_nearest_known_ones() {
    let explanation = release(
        r#"{
            "outcomes": {"release/packge": "completed", "release/scan": "completed", "x/y": "failed",
                         "release/scan>inner/step": "failed"},
            "authorities": ["release.aprove", "nothing-like-it"]
        }"#,
    );
    let keys = serde_json::to_value(&explanation.unknown_keys).expect("it is JSON");
    assert_eq!(
        keys,
        serde_json::json!([
            {"key": "release/packge", "ignored": false, "nearest": "release/package"},
            {"key": "x/y", "ignored": false},
            {"key": "release/scan>inner/step", "ignored": false},
        ])
    );
    let authorities = serde_json::to_value(&explanation.unknown_authorities).expect("it is JSON");
    assert_eq!(
        authorities,
        serde_json::json!([
            {"authority": "nothing-like-it"},
            {"authority": "release.aprove", "nearest": "release.approve"},
        ])
    );
}

#[test]
fn outcomes_of_called_graphs_are_known_and_those_of_the_calls_themselves_are_ignored() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/examples/nested-repeat/provider.yaml"
    );
    let provider = Provider::load(path).expect("it loads");
    let state = Input::from_json(
        r#"{"outcomes": {
            "season/north": "completed",
            "season/north>plot/samples>sample/collect": "completed",
            "season/north>plot/samples>sample/colect": "completed",
            "season/nort>plot/water": "completed"
        }}"#,
    );
    let state = state.expect("it is an input");
    let explanation = provider
        .explain("season", "default", &state)
        .expect("it exists");
    let keys: Vec<(&str, bool, Option<&str>)> = explanation
        .unknown_keys
        .iter()
        .map(|own| (own.key.as_str(), own.ignored, own.nearest.as_deref()))
        .collect();
    assert_eq!(
        keys,
        [
            ("season/north", true, None),
            (
                "season/north>plot/samples>sample/colect",
                false,
                Some("season/north>plot/samples>sample/collect")
            ),
            (
                "season/nort>plot/water",
                false,
                Some("season/north>plot/water")
            ),
        ]
    );
}

#[test]
fn a_repeat_in_force_is_named_and_ends_with_the_record_of_its_source() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/examples/nested-repeat/provider.yaml"
    );
    let provider = Provider::load(path).expect("it loads");
    let state = Input::from_json(
        r#"{"outcomes": {"sample/collect": "completed", "sample/assay": "unverified"}}"#,
    );
    let state = state.expect("it is an input");
    let explanation = provider
        .explain("sample", "default", &state)
        .expect("it exists");
    let json = serde_json::to_value(&explanation.frontier[0]).expect("it is JSON");
    assert_eq!(json["key"], "sample/collect");
    assert_eq!(json["standing"], serde_json::json!({"open": "immediate"}));
    let repeat =
        serde_json::json!({"need": "repeat", "from": "sample/assay", "seen": "unverified"});
    assert!(
        json["needs"]
            .as_array()
            .is_some_and(|needs| needs.contains(&repeat)),
        "{json}"
    );
    // Nothing that is recorded for `collect` helps.
    let about: BTreeSet<&str> = explanation
        .moves
        .iter()
        .filter_map(|own| match &own.change {
            Change::Record { node, .. } => Some(node.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(about, BTreeSet::from(["sample/assay"]));
}

#[test]
fn an_unknown_entry_has_nothing_to_explain_and_an_unknown_graph_is_an_error() {
    let provider = Provider::load(RELEASE).expect("it loads");
    let explanation = provider
        .explain("release", "none", &Input::new())
        .expect("the graph exists");
    assert_eq!(explanation.status, Status::Error);
    assert!(explanation.frontier.is_empty() && explanation.moves.is_empty());
    let missing = provider.explain("none", "default", &Input::new());
    assert_eq!(
        missing.map_err(|error| error.code()),
        Err(agent_graph_runtime::Code::GraphMissing)
    );
}
