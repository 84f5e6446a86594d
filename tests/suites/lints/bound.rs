//! The bound of all explorations of a provider, in what is counted, never in time.

use std::collections::BTreeMap;

use agent_graph_build::lint::{Lint, LintLevel, LintReport, lint_while_building};
use agent_graph_runtime::load::Loaded;
use agent_graph_tests::model::{Asks, Check, Edge, Graph, Kind, Node, Provider as Model, Step};

use crate::levels;
use crate::small::{self, draw};

/// The bound of a build; a step that has begun is finished, and none is larger than the provider.
const BUILDING: u64 = 200_000;

fn node(id: &str, kind: Kind) -> Node {
    Node {
        id: id.into(),
        description: None,
        priority: None,
        join: None,
        requires: Vec::new(),
        kind,
    }
}

fn action(id: &str, satisfied: Vec<Check>) -> Node {
    let step = Step {
        reason: format!("route.{id}"),
        satisfied,
        required: Vec::new(),
        recommended: Vec::new(),
    };
    node(id, Kind::Action(step, 0))
}

fn edge(from: usize, to: usize, outcomes: &[&'static str], kind: Option<&'static str>) -> Edge {
    Edge {
        from,
        to,
        outcomes: outcomes.to_vec(),
        kind,
    }
}

fn graph(number: usize, nodes: Vec<Node>, edges: Vec<Edge>) -> Graph {
    Graph {
        id: format!("g{number}"),
        file: format!("graphs/g{number}.yaml"),
        entries: vec![("default".into(), 0)],
        nodes,
        edges,
    }
}

fn provider(id: &str, graphs: Vec<Graph>) -> Model {
    let mut provider = draw::provider(0);
    provider.id = id.into();
    provider.graphs = graphs;
    provider
}

/// Graphs that call the next one twice: thousands of called graphs in one evaluation.
fn doubling(count: usize) -> Model {
    let end = || node("end", Kind::Terminal("completed"));
    let bad = || {
        let mut bad = node("bad", Kind::Terminal("failed"));
        bad.join = Some("any");
        bad
    };
    let calls = |number: usize| {
        let call = |id: &str| node(id, Kind::Subgraph(number + 1, "default".into()));
        let nodes = vec![action("a", Vec::new()), call("s"), call("t"), end(), bad()];
        let edges = vec![
            edge(0, 1, &[], None),
            edge(1, 2, &[], None),
            edge(2, 3, &[], None),
            edge(1, 4, &["failed"], None),
            edge(2, 4, &["failed"], None),
        ];
        graph(number, nodes, edges)
    };
    let mut graphs: Vec<Graph> = (0..count - 1).map(calls).collect();
    let nodes = vec![action("a", Vec::new()), end(), bad()];
    let edges = vec![edge(0, 1, &[], None), edge(0, 2, &["failed"], None)];
    graphs.push(graph(count - 1, nodes, edges));
    provider("doubling", graphs)
}

/// A chain, each node of which repeats the one before when it fails; with proofs or without.
fn chain(length: usize, proofs: bool) -> Model {
    let proof = |number: usize| Check {
        path: format!("done.n{number}"),
        asks: Asks::Exists(true),
    };
    let mut nodes: Vec<Node> = (0..length)
        .map(|number| {
            let proof = proofs.then(|| proof(number));
            action(&format!("n{number}"), proof.into_iter().collect())
        })
        .collect();
    nodes.push(node("end", Kind::Terminal("completed")));
    let on = (0..length).map(|number| edge(number, number + 1, &[], None));
    let back = (1..length).map(|number| edge(number, number - 1, &["failed"], Some("repeat")));
    let edges = on.chain(back).collect();
    provider("chain", vec![graph(0, nodes, edges)])
}

fn undecided(report: &LintReport) -> usize {
    let findings = report.findings.iter();
    findings.filter(|own| own.lint == Lint::Undecided).count()
}

fn building(loaded: &Loaded) -> LintReport {
    lint_while_building(loaded, &levels(LintLevel::Warn))
}

#[test]
fn the_work_is_bounded_for_the_provider_as_a_whole_however_its_graphs_call_each_other() {
    let mut seen = BTreeMap::new();
    for (seed, model) in [
        doubling(15),
        chain(300, false),
        chain(300, true),
        doubling(2),
    ]
    .into_iter()
    .enumerate()
    {
        let loaded = small::loaded("bound", seed as u64, &model);
        let largest = (loaded.tables.nodes.len() + loaded.tables.edges.len()) as u64 * 16;
        let report = building(&loaded);
        assert!(
            report.work <= BUILDING + largest,
            "{} {}",
            model.id,
            report.work
        );
        // The same work and the same findings, whenever it is asked.
        let again = building(&loaded);
        assert_eq!(again.work, report.work, "{}", model.id);
        assert_eq!(format!("{again:?}"), format!("{report:?}"), "{}", model.id);
        seen.insert((seed, report.work), undecided(&report));
    }
    println!("{seen:?}");
    // What is small is decided with little work.
    let small = seen.iter().find(|((seed, _), _)| *seed == 3);
    assert!(small.is_some_and(|((_, work), undecided)| *work < 5000 && *undecided == 0));
    let undecided: Vec<usize> = seen.into_values().take(3).collect();
    assert!(undecided.iter().all(|count| *count > 0), "{undecided:?}");
}

/// How a called graph ends is found once: of the graphs that call each other twice, which are thousands in
/// one evaluation, all nodes and outcomes are decided.
#[test]
fn how_called_graphs_end_is_found_once() {
    let loaded = small::loaded("once", 0, &doubling(15));
    let report = building(&loaded);
    let open = report
        .findings
        .iter()
        .filter(|own| own.lint == Lint::Undecided);
    for found in open {
        let message = &found.finding.message;
        assert!(
            message.ends_with("within the bound which states are stuck"),
            "{message}"
        );
    }
    let unreachable = report.findings.iter();
    let mut unreachable = unreachable.filter(|own| own.lint == Lint::UnreachableNode);
    assert!(unreachable.next().is_none());
}
