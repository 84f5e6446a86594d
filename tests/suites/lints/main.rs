//! Lints against every state there is, in both directions; their witnesses, fed to the evaluator; and the
//! public examples, which are clean but for what is said here.

mod bound;
mod mistakes;
mod replay;
#[path = "../small/mod.rs"]
mod small;
mod tried;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use agent_graph_build::lint::{
    Lint, LintFinding, LintLevel, LintLevels, Witness, lint, lint_while_building,
};
use agent_graph_runtime::explain::Change;
use agent_graph_runtime::load::{Loaded, load};
use agent_graph_runtime::{Outcome, Provider, Status};
use agent_graph_tests::model::{Edge, Graph, Kind, Node, OUTCOMES, Provider as Model, Step};
use replay::{kind, replay};
use small::draw;
use tried::{About, Tried, unhandled_outcomes};

const PROVIDERS: u64 = 40;

fn levels(level: LintLevel) -> LintLevels {
    let mut levels = LintLevels::default();
    levels.set("all", level).expect("all is a name");
    levels
}

#[test]
fn exact_lints_of_small_graphs_agree_with_all_states() {
    let mut seen: BTreeMap<Lint, usize> = BTreeMap::new();
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 0..PROVIDERS {
        let model = draw::provider(seed);
        let loaded = small::loaded("lints", seed, &model);
        let findings = lint(&loaded, &levels(LintLevel::Warn)).findings;
        let mut said: BTreeMap<Lint, BTreeSet<About>> = BTreeMap::new();
        for found in &findings {
            *seen.entry(found.lint).or_default() += 1;
            assert_ne!(found.lint, Lint::Undecided, "{seed}: {}", found.finding);
            said.entry(found.lint)
                .or_default()
                .insert(about(&model, found));
            if found.lint == Lint::StuckState {
                only_taking_back_leads_on(&loaded, found);
            }
            let context = found.finding.to_string();
            match &found.witness {
                Some(witness) => {
                    *kinds.entry(kind(witness)).or_default() += 1;
                    replay(&model, &loaded, witness, &context);
                }
                None => assert!(!found.lint.is_explored(), "{seed}: {context}"),
            }
        }
        let mut expected: BTreeMap<Lint, BTreeSet<About>> = BTreeMap::new();
        let mut conflicts = BTreeMap::new();
        for (number, graph) in model.graphs.iter().enumerate() {
            let tried = Tried::of(&model, number);
            tried.judge(&mut expected);
            for (entry, met) in tried.conflicts() {
                conflicts.insert((graph.id.clone(), entry.clone()), met.clone());
            }
        }
        judge_conflicts(&model, seed, &findings, &conflicts);
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
            assert_eq!(said, expected, "{seed} {}", lint.name());
        }
        judge_reach(&model, seed, &said, &expected);
    }
    println!("{seen:?} {kinds:?}");
    for lint in [
        Lint::ConflictingTerminals,
        Lint::ContradictoryFacts,
        Lint::LastingRepeat,
        Lint::NoTerminal,
        Lint::StuckState,
        Lint::UnhandledOutcome,
        Lint::UnmeetableJoin,
        Lint::UnprovableAction,
        Lint::UnreachableNode,
        Lint::UnresolvableGate,
    ] {
        assert!(seen.get(&lint) >= Some(&2), "{} {seen:?}", lint.name());
    }
}

/// From a stuck state no single change completes the graph, but to take back what is recorded for good.
fn only_taking_back_leads_on(loaded: &Loaded, found: &LintFinding) {
    let Some(Witness::State {
        graph,
        entry,
        state,
        ..
    }) = &found.witness
    else {
        panic!("a state shows it");
    };
    let provider = Provider::from_tables(loaded.tables.clone());
    let explanation = provider.explain(graph, entry, state).expect("it exists");
    assert!(explanation.moves_complete, "{}", found.finding);
    for found in explanation
        .moves
        .iter()
        .filter(|own| own.status == Status::Complete)
    {
        let taken_back = match &found.change {
            Change::Record {
                takes_back,
                outcomes,
                node,
            } => {
                // What nobody expects to be recorded is not counted on.
                takes_back.is_some() || !outcomes.contains(&Outcome::Completed) && !node.is_empty()
            }
            Change::Facts { .. } | Change::Authority { .. } => false,
        };
        assert!(taken_back, "{found:?}");
    }
}

/// One finding for each entry from which terminals conflict in some state, and none for the others; the
/// terminals it names are all that meet in one of those states, the witness.
fn judge_conflicts(
    model: &Model,
    seed: u64,
    findings: &[LintFinding],
    conflicts: &BTreeMap<(String, String), BTreeSet<BTreeSet<usize>>>,
) {
    let mut entries = BTreeSet::new();
    let about = |own: &&LintFinding| own.lint == Lint::ConflictingTerminals;
    for found in findings.iter().filter(about) {
        let Some(Witness::State {
            graph,
            entry,
            state,
            ..
        }) = &found.witness
        else {
            panic!("{seed}: a state shows it");
        };
        let terminals = replay::terminals_reached(model, graph, entry, state);
        let entry = (graph.clone(), entry.clone());
        let related = found.finding.related.iter().map(|(place, _)| place);
        let named: BTreeSet<usize> = std::iter::once(&found.finding.place)
            .chain(related)
            .map(|place| {
                let node = place.pointer.split('/').nth(2).unwrap_or_default();
                node.parse().expect("a number")
            })
            .collect();
        assert_eq!(named, terminals, "{seed} {}", found.finding);
        let met = conflicts
            .get(&entry)
            .is_some_and(|met| met.contains(&named));
        assert!(met, "{seed} {} {conflicts:?}", found.finding);
        assert!(entries.insert(entry), "{seed} {}", found.finding);
    }
    assert_eq!(entries, conflicts.keys().cloned().collect(), "{seed}");
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
            "batch-host",
            package.join("../examples/batch-host/workflow/provider.yaml"),
        ),
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
        for finding in lint(&loaded, &LintLevels::default()).findings {
            println!("{name}: {}", finding.finding);
            found.push((*name, finding.lint.name()));
        }
        let undecided = lint(&loaded, &levels(LintLevel::Warn)).findings;
        let undecided = undecided.iter().filter(|own| own.lint == Lint::Undecided);
        assert_eq!(undecided.count(), 0, "{name}");
    }
    assert_eq!(found, explained);
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
    let findings = lint(&loaded, &levels(LintLevel::Warn)).findings;
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

#[test]
fn what_is_found_while_building_holds_and_the_rest_is_left_to_patience() {
    for seed in 0..PROVIDERS {
        let loaded = small::loaded("hurried", seed, &draw::provider(seed));
        let said = |findings: Vec<LintFinding>| -> BTreeSet<String> {
            let decided = findings.iter().filter(|own| own.lint != Lint::Undecided);
            decided.map(|own| own.finding.to_string()).collect()
        };
        // Small graphs are decided either way.
        let levels = levels(LintLevel::Warn);
        let patient = said(lint(&loaded, &levels).findings);
        assert_eq!(
            said(lint_while_building(&loaded, &levels).findings),
            patient,
            "{seed}"
        );
    }
    // Of a wide one the build leaves open what a command leaves open, and decides nodes as well.
    let loaded = small::loaded("hurried-wide", 0, &wide(30));
    let mut levels = LintLevels::default();
    levels
        .set("undecided", LintLevel::Warn)
        .expect("it is a lint");
    let found = lint_while_building(&loaded, &levels).findings;
    let found: Vec<&str> = found.iter().map(|own| own.lint.name()).collect();
    assert_eq!(found, ["undecided", "unmeetable-join"]);
}
