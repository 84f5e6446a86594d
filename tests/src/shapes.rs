//! Providers of one plain shape in any size: chains, nests, fans and trees of calls.
//! Knows nothing about what they are measured for.

use crate::model::{Action, Edge, Graph, Kind, Node, Provider, Step};

/// One graph of `length` actions in a row.
pub fn chain(length: usize) -> Provider {
    let nodes = (0..length).map(action).chain([terminal()]).collect();
    let edges = (0..length).map(|from| edge(from, from + 1)).collect();
    provider(vec![graph(0, nodes, edges)])
}

/// One action that leads to `width` others, which all lead to the end.
pub fn fan(width: usize) -> Provider {
    let nodes = (0..=width).map(action).chain([terminal()]).collect();
    let out = (1..=width).map(|to| edge(0, to));
    let back = (1..=width).map(|from| edge(from, width + 1));
    provider(vec![graph(0, nodes, out.chain(back).collect())])
}

/// `depth` graphs, each calling the next one `calls` times; the last one has an action.
pub fn nest(depth: usize, calls: usize) -> Provider {
    let graphs = (0..depth).map(|number| {
        let last = number + 1 == depth;
        let inner = (0..calls).map(|call| node(&format!("call-{call}"), subgraph(number + 1)));
        let mut nodes = if last {
            vec![action(0)]
        } else {
            inner.collect()
        };
        nodes.push(terminal());
        let end = nodes.len() - 1;
        let edges: Vec<Edge> = (0..end).map(|from| edge(from, end)).collect();
        let mut graph = graph(number, nodes, edges);
        // Every call is an entry of its own but for the first, from which the others follow.
        graph
            .edges
            .extend((1..end).map(|to| edge_at_any_outcome(0, to)));
        graph
    });
    provider(graphs.collect())
}

fn subgraph(number: usize) -> Kind {
    Kind::Subgraph(number, "default".into())
}

fn provider(graphs: Vec<Graph>) -> Provider {
    let action = Action {
        id: "work".into(),
        file: "actions/work.yaml".into(),
        effect: "write",
        runner: ("command", "work".into()),
        files: Vec::new(),
    };
    Provider {
        id: "shapes".into(),
        version: "1.0.0".into(),
        graphs,
        catalog: None,
        actions: vec![action],
        resources: Vec::new(),
    }
}

fn graph(number: usize, nodes: Vec<Node>, edges: Vec<Edge>) -> Graph {
    Graph {
        id: format!("g{number}"),
        file: format!("graphs/g{number}.json"),
        entries: vec![("default".into(), 0)],
        nodes,
        edges,
    }
}

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

fn action(number: usize) -> Node {
    let step = Step {
        reason: format!("route.step-{number}"),
        satisfied: Vec::new(),
        required: Vec::new(),
        recommended: Vec::new(),
    };
    node(&format!("step-{number}"), Kind::Action(step, 0))
}

fn terminal() -> Node {
    node("end", Kind::Terminal("completed"))
}

fn edge(from: usize, to: usize) -> Edge {
    Edge {
        from,
        to,
        outcomes: Vec::new(),
        kind: None,
    }
}

fn edge_at_any_outcome(from: usize, to: usize) -> Edge {
    Edge {
        from,
        to,
        outcomes: vec!["completed", "pending"],
        kind: None,
    }
}
