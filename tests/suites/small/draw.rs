//! Draws small providers: at most two graphs, three actions and gates in all frames together, checks on
//! two paths only.

use agent_graph_tests::json::Json;
use agent_graph_tests::model::{
    Action, Asks, Check, Edge, Gate, Graph, Kind, Node, OUTCOMES, Provider, Step,
};
use agent_graph_tests::seeded::Chance;

/// How many actions and gates the frames of the first graph have together, at most.
const MOST_STEPS: usize = 3;

/// The provider of a seed. Its first graph is the one to evaluate.
pub(crate) fn provider(seed: u64) -> Provider {
    let mut chance = Chance::seeded(seed);
    let calls = chance.one_of(&[0, 0, 1, 1, 2]);
    let child_steps = if calls == 2 { 1 } else { chance.between(1, 2) };
    let own_steps = MOST_STEPS - calls * child_steps;
    let mut graphs = vec![graph(&mut chance, 0, own_steps, calls)];
    if calls > 0 {
        graphs.push(graph(&mut chance, 1, child_steps, 0));
    }
    let action = |number: usize, effect| Action {
        id: format!("act-{number}"),
        file: format!("actions/act-{number}.yaml"),
        effect,
        runner: ("command", "true".into()),
        files: Vec::new(),
    };
    Provider {
        id: format!("small/p{seed}"),
        version: "1.0.0".into(),
        graphs,
        catalog: None,
        actions: vec![action(0, "read"), action(1, "write")],
        resources: Vec::new(),
    }
}

fn graph(chance: &mut Chance, number: usize, steps: usize, calls: usize) -> Graph {
    let mut kinds: Vec<Kind> = (0..steps)
        .map(|place| step_kind(chance, number, place))
        .collect();
    kinds.extend((0..calls).map(|_| Kind::Subgraph(1, "default".into())));
    chance.shuffle(&mut kinds);
    for _ in 0..chance.one_of(&[1, 1, 2, 2, 3]) {
        kinds.push(Kind::Terminal(chance.one_of(&[
            "completed",
            "failed",
            "partial",
        ])));
    }
    let nodes: Vec<Node> = kinds
        .into_iter()
        .enumerate()
        .map(|(place, kind)| Node {
            id: format!("n{place}"),
            description: None,
            priority: None,
            join: chance.one_of(&[None, Some("any"), Some("any"), Some("all")]),
            requires: checks(chance, 18),
            kind,
        })
        .collect();
    let mut edges: Vec<Edge> = Vec::new();
    let terminal = |node: usize| matches!(nodes[node].kind, Kind::Terminal(_));
    for to in 1..nodes.len() {
        let mut sources: Vec<usize> = (0..to).filter(|&from| !terminal(from)).collect();
        chance.shuffle(&mut sources);
        sources.truncate(chance.one_of(&[0, 1, 1, 1, 2, 2]));
        for from in sources {
            for _ in 0..chance.one_of(&[1, 1, 1, 2]) {
                add(&mut edges, from, to, outcomes(chance), None);
            }
        }
    }
    let is_step = |node: &usize| matches!(nodes[*node].kind, Kind::Action(..) | Kind::Gate(..));
    let targets: Vec<usize> = (0..nodes.len()).filter(is_step).collect();
    let repeats = chance.one_of(&[0, 0, 1, 1, 2]);
    for _ in 0..if targets.is_empty() { 0 } else { repeats } {
        let to = chance.one_of(&targets);
        let from = chance.below(nodes.len());
        if !terminal(from) {
            add(&mut edges, from, to, outcomes(chance), Some("repeat"));
        }
    }
    chance.shuffle(&mut edges);
    let mut entries = vec![("default".to_owned(), 0)];
    if number == 0 && chance.percent(25) {
        entries.push(("late".to_owned(), chance.below(nodes.len())));
    }
    Graph {
        id: ["main", "child"][number].into(),
        file: format!("graphs/g{number}.yaml"),
        entries,
        nodes,
        edges,
    }
}

fn step_kind(chance: &mut Chance, number: usize, place: usize) -> Kind {
    let step = Step {
        reason: format!("route.g{number}.s{place}"),
        satisfied: checks(chance, 25),
        required: Vec::new(),
        recommended: Vec::new(),
    };
    if chance.percent(60) {
        return Kind::Action(step, 1);
    }
    let gate = Gate {
        id: format!("gate.s{place}"),
        authority: chance
            .percent(70)
            .then(|| chance.one_of(&["owner", "qa"]).to_owned()),
        delegatable: chance.one_of(&[None, Some(false), Some(true), Some(true)]),
        inspection: None,
        resolution: None,
        delegated: None,
    };
    Kind::Gate(step, gate)
}

fn checks(chance: &mut Chance, percent: usize) -> Vec<Check> {
    if !chance.percent(percent) {
        return Vec::new();
    }
    (0..chance.between(1, 2))
        .map(|_| Check {
            path: chance.one_of(&["a", "a.b"]).to_owned(),
            asks: match chance.below(6) {
                0 | 1 => Asks::Exists(true),
                2 => Asks::Exists(false),
                3 => Asks::Equals(Json::Null),
                4 => Asks::Equals(Json::text("x")),
                _ => Asks::Equals(Json::Number(chance.one_of(&[0.0, -0.0]))),
            },
        })
        .collect()
}

fn outcomes(chance: &mut Chance) -> Vec<&'static str> {
    if chance.percent(50) {
        return Vec::new();
    }
    let mut outcomes = OUTCOMES;
    chance.shuffle(&mut outcomes);
    outcomes[..chance.one_of(&[1, 1, 2, 3])].to_vec()
}

fn add(
    edges: &mut Vec<Edge>,
    from: usize,
    to: usize,
    outcomes: Vec<&'static str>,
    kind: Option<&'static str>,
) {
    let edge = Edge {
        from,
        to,
        outcomes,
        kind,
    };
    let same = |own: &Edge| {
        let sorted = |edge: &Edge| {
            let mut outcomes = edge.outcomes_or_default();
            outcomes.sort_unstable();
            outcomes
        };
        (own.from, own.to, own.kind_or_default()) == (from, to, edge.kind_or_default())
            && sorted(own) == sorted(&edge)
    };
    if !edges.iter().any(same) {
        edges.push(edge);
    }
}
