//! Draws valid providers: graphs that call later graphs only (no recursion), edges that lead forward
//! in a drawn order only (no flow cycle), repeat edges anywhere. Knows nothing about files or evaluation.

use crate::json::Json;
use crate::model::{Action, Asks, Check, Edge, Gate, Graph, Kind, Node, OUTCOMES, Provider, Step};
use crate::seeded::Chance;

/// How many random providers the build script bakes.
pub const COUNT: u64 = 200;

/// Authorities that gates name.
pub const AUTHORITIES: [&str; 4] = ["owner", "release/lead", "ops.duty", "qa"];

const WORDS: [&str; 10] = [
    "plan", "build", "scan", "ship", "review", "audit", "notify", "a", "z9", "10",
];
const SEPARATORS: [&str; 5] = [".", "-", "_", "/", "--"];
const PATHS: [&str; 16] = [
    "ready",
    "a",
    "a.b",
    "a.b.c",
    "items",
    "items.0",
    "items.1.done",
    "items.10",
    "0",
    "01.x",
    "a..b",
    "x_y",
    "A",
    "count",
    "toString",
    "-1",
];

/// The provider of a seed.
pub fn provider(seed: u64) -> Provider {
    let mut chance = Chance::seeded(seed);
    let actions = actions(&mut chance);
    let resources = (0..chance.below(4))
        .map(|n| (format!("procedure.r{n}"), format!("resources/r{n}.md")))
        .collect::<Vec<_>>();
    let graph_count = chance.one_of(&[1, 1, 2, 2, 3, 4, 5, 6]);
    let mut ids = Names::default();
    let mut graphs: Vec<Graph> = Vec::new();
    // Called graphs come first here, so that their entries are known.
    for number in 0..graph_count {
        let id = ids.draw(&mut chance);
        let graph = graph(&mut chance, id, number, &graphs, &actions, resources.len());
        graphs.push(graph);
    }
    let catalog = chance.percent(50).then(|| catalog(&mut chance, &graphs));
    let mut provider = Provider {
        id: format!("random/p{seed}"),
        version: chance.one_of(&["1.0.0", "0.3.1", "2.0.0-rc.1"]).to_owned(),
        graphs,
        catalog,
        actions,
        resources,
    };
    if chance.percent(50) {
        reverse_graphs(&mut provider);
    }
    provider
}

/// Callers first: manifest order is not call order.
fn reverse_graphs(provider: &mut Provider) {
    let last = provider.graphs.len() - 1;
    provider.graphs.reverse();
    for node in provider
        .graphs
        .iter_mut()
        .flat_map(|graph| &mut graph.nodes)
    {
        if let Kind::Subgraph(graph, _) = &mut node.kind {
            *graph = last - *graph;
        }
    }
}

#[derive(Default)]
struct Names(Vec<String>);

impl Names {
    fn draw(&mut self, chance: &mut Chance) -> String {
        let mut name = chance.one_of(&WORDS).to_owned();
        while self.0.contains(&name) {
            name = format!(
                "{name}{}{}",
                chance.one_of(&SEPARATORS),
                chance.one_of(&WORDS)
            );
        }
        self.0.push(name.clone());
        name
    }
}

fn actions(chance: &mut Chance) -> Vec<Action> {
    // One of each effect at least, since gates need them.
    let count = chance.between(3, 7);
    (0..count)
        .map(|number| {
            let effect = match number {
                0 => "read",
                1 => "write",
                _ => chance.one_of(&["read", "write", "external"]),
            };
            action(chance, number, effect)
        })
        .collect()
}

fn action(chance: &mut Chance, number: usize, effect: &'static str) -> Action {
    let (runner, files) = match chance.below(4) {
        0 => (("command", format!("run step {number}")), Vec::new()),
        1 => (("host", format!("host.step-{number}/v1")), Vec::new()),
        2 => {
            let entry = format!("scripts/s{number}.sh");
            let script = (entry.clone(), format!("echo {number}\n"));
            (("script", entry), vec![script])
        }
        _ => {
            let skill = format!("skills/k{number}/SKILL.md");
            let text = format!("---\nname: k{number}\n---\n\nDo {number}.\n");
            let notes = (format!("skills/k{number}/notes.txt"), "Notes.\n".to_owned());
            (("agent", skill.clone()), vec![(skill, text), notes])
        }
    };
    Action {
        id: format!("act-{number}"),
        file: format!("actions/act-{number}.{}", chance.one_of(&["yaml", "json"])),
        effect,
        runner,
        files,
    }
}

fn catalog(chance: &mut Chance, graphs: &[Graph]) -> Vec<(String, String)> {
    let mut codes: Vec<(String, String)> = Vec::new();
    for node in graphs.iter().flat_map(|graph| &graph.nodes) {
        if let Kind::Action(step, _) | Kind::Gate(step, _) = &node.kind
            && !codes.iter().any(|(code, _)| *code == step.reason)
        {
            codes.push((step.reason.clone(), format!("Why {}", step.reason)));
        }
    }
    chance.shuffle(&mut codes);
    codes
}

fn graph(
    chance: &mut Chance,
    id: String,
    number: usize,
    callable: &[Graph],
    actions: &[Action],
    resources: usize,
) -> Graph {
    let mut names = Names::default();
    let count = chance.between(2, 10);
    // Drawn in flow order; the last one ends the graph.
    let mut nodes: Vec<Node> = (0..count)
        .map(|place| {
            let id = names.draw(chance);
            let kind = if place + 1 == count {
                Kind::Terminal(terminal_outcome(chance))
            } else {
                kind(chance, &id, callable, actions, resources)
            };
            node(chance, id, kind)
        })
        .collect();
    let mut edges = forward_edges(chance, &nodes);
    edges.extend(repeat_edges(chance, &nodes));
    chance.shuffle(&mut edges);
    let mut entry_nodes = vec![0];
    entry_nodes.extend((0..chance.below(3)).map(|_| chance.below(count)));
    let mut order: Vec<usize> = (0..count).collect();
    if chance.percent(60) {
        chance.shuffle(&mut order);
    }
    // `order` lists the nodes as they are written; everything else has to follow.
    let written_at = |node: usize| order.iter().position(|&drawn| drawn == node).unwrap_or(0);
    for edge in &mut edges {
        edge.from = written_at(edge.from);
        edge.to = written_at(edge.to);
    }
    let entries = entry_nodes
        .iter()
        .enumerate()
        .map(|(n, &node)| (["default", "late", "2"][n].to_owned(), written_at(node)))
        .collect();
    nodes = order.iter().map(|&drawn| nodes[drawn].clone()).collect();
    Graph {
        id,
        file: format!("graphs/g{number}.{}", chance.one_of(&["yaml", "json"])),
        entries,
        nodes,
        edges,
    }
}

fn terminal_outcome(chance: &mut Chance) -> &'static str {
    if chance.percent(50) {
        "completed"
    } else {
        chance.one_of(&OUTCOMES)
    }
}

fn node(chance: &mut Chance, id: String, kind: Kind) -> Node {
    let description = match chance.below(10) {
        0 => Some(String::new()),
        1..=3 => Some(format!("Do \"{id}\" now")),
        _ => None,
    };
    Node {
        description,
        priority: chance
            .percent(30)
            .then(|| chance.one_of(&[-1000, -1, 0, 1, 7, 1000])),
        join: match chance.below(4) {
            0 | 1 => Some("any"),
            2 => Some("all"),
            _ => None,
        },
        requires: if chance.percent(15) {
            checks(chance, 0)
        } else {
            Vec::new()
        },
        id,
        kind,
    }
}

fn kind(
    chance: &mut Chance,
    id: &str,
    callable: &[Graph],
    actions: &[Action],
    resources: usize,
) -> Kind {
    match chance.below(20) {
        0 | 1 => Kind::Terminal(terminal_outcome(chance)),
        2..=6 if !callable.is_empty() => {
            let graph = chance.below(callable.len());
            let (entry, _) = chance.one_of(&callable[graph].entries);
            Kind::Subgraph(graph, entry)
        }
        7..=10 => Kind::Gate(step(chance, id, resources), gate(chance, id, actions)),
        _ => {
            let action = chance.below(actions.len());
            Kind::Action(step(chance, id, resources), action)
        }
    }
}

fn step(chance: &mut Chance, id: &str, resources: usize) -> Step {
    let mut list = |percent: usize| -> Vec<usize> {
        (0..resources).filter(|_| chance.percent(percent)).collect()
    };
    let (required, recommended) = (list(20), list(10));
    Step {
        reason: format!("route.{id}"),
        satisfied: if chance.percent(20) {
            checks(chance, 1)
        } else {
            Vec::new()
        },
        required,
        recommended,
    }
}

fn gate(chance: &mut Chance, id: &str, actions: &[Action]) -> Gate {
    let of = |chance: &mut Chance, read: bool| {
        let fitting: Vec<usize> = (0..actions.len())
            .filter(|&n| (actions[n].effect == "read") == read)
            .collect();
        chance.one_of(&fitting)
    };
    let authority = chance
        .percent(70)
        .then(|| chance.one_of(&AUTHORITIES).to_owned());
    let delegatable = chance.one_of(&[None, Some(false), Some(true), Some(true)]);
    let inspection = chance.percent(30).then(|| of(chance, true));
    let may_delegate = authority.is_some() && delegatable == Some(true);
    let delegated = (may_delegate && chance.percent(40)).then(|| {
        let skip = inspection.is_some() && chance.percent(50);
        (skip, chance.percent(50).then(|| of(chance, false)))
    });
    Gate {
        id: format!("gate.{id}"),
        authority,
        delegatable,
        inspection,
        resolution: chance.percent(30).then(|| of(chance, false)),
        delegated,
    }
}

fn checks(chance: &mut Chance, least: usize) -> Vec<Check> {
    (0..chance.between(least, 2))
        .map(|_| Check {
            path: chance.one_of(&PATHS).to_owned(),
            asks: if chance.percent(40) {
                Asks::Exists(chance.percent(70))
            } else {
                Asks::Equals(scalar(chance))
            },
        })
        .collect()
}

/// A scalar that is easily confused with another one.
pub fn scalar(chance: &mut Chance) -> Json {
    match chance.below(8) {
        0 => Json::Null,
        1 => Json::Bool(chance.percent(50)),
        2 => Json::Number(chance.one_of(&[0.0, -0.0])),
        3 => Json::Number(chance.one_of(&[1.0, 1.5, -2.0])),
        4 => Json::Number(chance.one_of(&[1e21, 1e-7, 9_007_199_254_740_993.0, 5e-324])),
        5 => Json::text(chance.one_of(&["", "0", "true", "null"])),
        _ => Json::text(chance.one_of(&["done", "Done", "a \"b\"\n"])),
    }
}

fn outcome_list(chance: &mut Chance) -> Vec<&'static str> {
    if chance.percent(45) {
        return Vec::new();
    }
    let mut outcomes = OUTCOMES;
    chance.shuffle(&mut outcomes);
    outcomes[..chance.between(1, 4)].to_vec()
}

fn forward_edges(chance: &mut Chance, nodes: &[Node]) -> Vec<Edge> {
    let mut edges: Vec<Edge> = Vec::new();
    let starts = |node: usize| !matches!(nodes[node].kind, Kind::Terminal(_));
    for to in 1..nodes.len() {
        let mut sources: Vec<usize> = (0..to).filter(|&from| starts(from)).collect();
        chance.shuffle(&mut sources);
        // Mostly one or two, sometimes none at all: unreachable nodes are legal.
        sources.truncate(chance.one_of(&[0, 1, 1, 1, 1, 1, 2, 2, 3]));
        for from in sources {
            for _ in 0..chance.one_of(&[1, 1, 1, 1, 2]) {
                push_new(&mut edges, edge(chance, nodes, from, to));
            }
        }
    }
    edges
}

fn edge(chance: &mut Chance, nodes: &[Node], from: usize, to: usize) -> Edge {
    let mut kinds = vec![None, None, Some("flow"), Some("consumes"), Some("requires")];
    if matches!(nodes[from].kind, Kind::Gate(..)) {
        kinds.push(Some("gatedBy"));
    }
    Edge {
        from,
        to,
        outcomes: outcome_list(chance),
        kind: chance.one_of(&kinds),
    }
}

fn repeat_edges(chance: &mut Chance, nodes: &[Node]) -> Vec<Edge> {
    let of_kinds = |kinds: &[&str]| -> Vec<usize> {
        (0..nodes.len())
            .filter(|&node| kinds.contains(&nodes[node].kind.name()))
            .collect()
    };
    let targets = of_kinds(&["action", "gate"]);
    let sources = of_kinds(&["action", "gate", "subgraph"]);
    let mut edges = Vec::new();
    if targets.is_empty() || chance.percent(50) {
        return edges;
    }
    for _ in 0..chance.between(1, 3) {
        let to = chance.one_of(&targets);
        let from = if chance.percent(30) {
            to
        } else {
            chance.one_of(&sources)
        };
        let kind = Some("repeat");
        push_new(
            &mut edges,
            Edge {
                from,
                to,
                outcomes: outcome_list(chance),
                kind,
            },
        );
    }
    edges
}

fn push_new(edges: &mut Vec<Edge>, edge: Edge) {
    let same = |other: &Edge| {
        (other.from, other.to, other.kind_or_default())
            == (edge.from, edge.to, edge.kind_or_default())
            && other.outcomes_or_default() == edge.outcomes_or_default()
    };
    if !edges.iter().any(same) {
        edges.push(edge);
    }
}
