//! The event stream of an agent: how it is cut into pieces does not matter, lines that are no events change nothing,
//! and what is kept stays within what the node may answer.

use std::ops::ControlFlow;
use std::sync::OnceLock;

use agent_graph_runtime::Timestamp;
use agent_graph_runtime::json::Object;
use agent_graph_runtime::pi::agent::{AgentNode, Artifact, Attempt, Ended, Wording};
use agent_graph_runtime::pi::run::{AttemptResult, Usage};
use agent_graph_runtime::pi::{self, Graph};

const DEFINITION: &str = r#"{"schemaVersion": 2, "name": "greet", "entry": "plain", "limits": {}, "nodes": {
    "plain": {"type": "agent", "prompt": "Say hello."},
    "json": {"type": "agent", "prompt": "Say hello.", "response": {"format": "json", "maxBytes": 64}},
    "full": {"type": "agent", "prompt": "Say hello.", "context": {"mode": "shared", "capture": "full"}}}}"#;

/// Bytes as a stream; the first one says how the stream is cut.
///
/// # Panics
/// When something does not hold.
pub fn check(bytes: &[u8]) {
    let (first, stream) = bytes.split_first().unwrap_or((&0, &[]));
    let graph = graph();
    for node in ["plain", "json", "full"] {
        if graph.nodes().any(|own| own == node) {
            one(graph, node, stream, usize::from(*first) + 1);
        }
    }
}

fn one(graph: &Graph, node: &str, stream: &[u8], size: usize) {
    let whole = played(graph, node, [stream].into_iter());
    assert_eq!(
        whole,
        played(graph, node, stream.chunks(size)),
        "in pieces of {size}"
    );
    let noise = stream
        .split_inclusive(|&byte| byte == b'\n')
        .flat_map(|line| {
            let end = line
                .ends_with(b"\n")
                .then_some(&b"no event\n{\"type\":\"message_end\"}\n\n"[..]);
            [Some(line), end].into_iter().flatten()
        });
    assert_eq!(
        whole,
        played(graph, node, noise),
        "with lines that are no events"
    );
    let (result, turns) = whole;
    for turn in &turns {
        assert!(turn.turns == 1 && turn.cost_usd >= 0.0, "{turn:?}");
    }
    if let AttemptResult::Success(success) = &result {
        let output = success.output.as_ref().map_or(0, pi::compact_size);
        assert!(
            output <= 2 * stream.len() as u64 * 6 + 64,
            "{output} bytes from {}",
            stream.len()
        );
        let mut state = Object::new();
        for write in &success.writes {
            let path = pi::StatePath::parse(&write.path).unwrap_or_else(|error| panic!("{error}"));
            let value = write.value.clone().unwrap_or_default();
            assert_eq!(pi::set(&mut state, path.segments(), value), Ok(()));
        }
    }
}

fn played<'s>(
    graph: &Graph,
    node: &str,
    pieces: impl Iterator<Item = &'s [u8]>,
) -> (AttemptResult, Vec<Usage>) {
    let wording = Wording::default();
    let node = AgentNode::of(graph, node, &wording).expect("there is such a node");
    let began = Timestamp::from_unix_milliseconds(0);
    let mut attempt =
        Attempt::begin(node, &Object::new(), began).unwrap_or_else(|failure| panic!("{failure:?}"));
    let mut turns = Vec::new();
    let mut report = |usage: &Usage| {
        turns.push(usage.clone());
        ControlFlow::Continue(())
    };
    for piece in pieces {
        attempt.output(piece, &mut report);
    }
    let mut store = |artifact: Artifact<'_>| Ok(format!("artifact:{}", artifact.content.len()));
    let result = attempt.end(Ended::Exited(Some(0)), &mut report, &mut store);
    (result, turns)
}

fn graph() -> &'static Graph {
    static GRAPH: OnceLock<Graph> = OnceLock::new();
    GRAPH.get_or_init(|| {
        let loaded = pi::parse("greet.json".into(), DEFINITION.as_bytes());
        loaded
            .unwrap_or_else(|findings| panic!("{findings}"))
            .graph()
    })
}
