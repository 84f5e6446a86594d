//! What a run costs beside what its agents do: nobody is asked anything here, answers lie ready. Without
//! checkpoints, with checkpoints as text that is replayed, and with checkpoints in files.
//! `cargo bench -p agent-graph-runtime --features dynamic,pi --bench pi_superstep` (`-- chain` for some of them)

mod support;

use std::collections::VecDeque;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use agent_graph_measure::{Targets, fit, is_chosen, line, shown};
use agent_graph_runtime::Timestamp;
use agent_graph_runtime::json::{Object, Value};
use agent_graph_runtime::pi::checkpoint::{CheckpointFiles, CheckpointStore};
use agent_graph_runtime::pi::run::{Next, Progress, Replay, Run, RunStatus, Success};
use agent_graph_runtime::pi::words::WriteMode;
use agent_graph_runtime::pi::{self, Graph, Write};
use support::Folder;

/// Nodes of the graphs.
const SIZES: [usize; 3] = [10, 100, 1_000];

/// How often each run is timed.
const ROUNDS: usize = 40;

/// Growth with the work that is done has the exponent 1. What is done once makes it smaller; larger, that what is
/// looked up leaves the cache, and that short runs need no second whole snapshot.
const EXPONENT: f64 = 1.15;

/// The bytes of an answer.
const ANSWER: usize = 200;

/// A kind of graph, and what its nodes write.
struct Shape {
    name: &'static str,
    graph: fn(usize) -> String,
    /// The same for all nodes, or one for each.
    path: fn(&str) -> String,
}

const SHAPES: [Shape; 4] = [
    Shape {
        name: "chain",
        graph: |nodes| chain(nodes, "", ""),
        path: |node| format!("out.{node}"),
    },
    Shape {
        name: "chain, one list",
        graph: |nodes| {
            let policy = r#""statePolicy":{"paths":{"list":{"maxBytes":9000000}}},"#;
            let reducers = r#""reducers":{"list":"append"},"#;
            chain(nodes, &format!("{reducers}{policy}"), "")
        },
        path: |_| "list".into(),
    },
    Shape {
        name: "chain, one thread",
        graph: |nodes| {
            let context = r#","context":{"mode":"thread","threadKey":"t"}"#;
            chain(nodes, "", context)
        },
        path: |node| format!("out.{node}"),
    },
    Shape {
        name: "fan",
        graph: fan,
        path: |node| format!("out.{node}"),
    },
];

const LIMITS: &str = r#""limits":{"maxSteps":9000,"maxNodeRuns":9000,"maxStateBytes":9000000,"maxConcurrency":9000}"#;

fn chain(nodes: usize, more: &str, of_node: &str) -> String {
    let edges: Vec<String> = (1..nodes)
        .map(|n| format!(r#"{{"from":"n{}","to":"n{n}"}}"#, n - 1))
        .collect();
    graph(nodes, more, of_node, r#""n0""#, &edges)
}

/// One node after all others.
fn fan(nodes: usize) -> String {
    let others: Vec<String> = (1..nodes).map(|n| format!(r#""n{n}""#)).collect();
    let others = format!("[{}]", others.join(","));
    let edge = format!(r#"{{"from":{others},"to":"n0"}}"#);
    graph(nodes, "", "", &others, &[edge])
}

fn graph(nodes: usize, more: &str, of_node: &str, entry: &str, edges: &[String]) -> String {
    let nodes: Vec<String> = (0..nodes)
        .map(|n| format!(r#""n{n}":{{"type":"agent","prompt":"Go on"{of_node}}}"#))
        .collect();
    format!(
        r#"{{"schemaVersion":2,"name":"g",{LIMITS},{more}"entry":{entry},"nodes":{{{}}},"edges":[{}]}}"#,
        nodes.join(","),
        edges.join(",")
    )
}

fn main() -> ExitCode {
    let mut targets = Targets::default();
    line(
        "a run, for each node",
        &["alone", "as text", "in files", "B a node", "B in all", ""],
    );
    let shapes = SHAPES.iter().filter(|shape| is_chosen(shape.name));
    let measured: Vec<_> = shapes
        .map(|shape| (shape.name, SIZES.map(|nodes| measured(shape, nodes))))
        .collect();
    println!();
    for (name, points) in measured {
        for (what, pick) in [("alone", 0), ("as text", 1), ("bytes", 2)] {
            let points = points.map(|point| (point.nodes, point.costs[pick]));
            growth(&format!("{name}, {what}"), &points, &mut targets);
        }
    }
    targets.exit()
}

#[derive(Clone, Copy)]
struct Point {
    nodes: f64,
    /// Nanoseconds alone and as text, and bytes in files.
    costs: [f64; 3],
}

fn growth(name: &str, points: &[(f64, f64)], targets: &mut Targets) {
    let fit = fit(points);
    let met = targets.check(&format!("growth of a {name}"), fit.exponent, EXPONENT);
    println!(
        "{name}: at most {:.0} % off the line, exponent {:.2} {met}",
        fit.off * 100.0,
        fit.exponent
    );
}

fn measured(shape: &Shape, nodes: usize) -> Point {
    let text = (shape.graph)(nodes);
    let graph = pi::parse("g.json".into(), text.as_bytes())
        .unwrap_or_else(|findings| panic!("{findings}"))
        .graph();
    let [alone, as_text] = fastest([
        &mut || {
            black_box(drive(shape, &mut started(&graph), |_| ()));
        },
        &mut || {
            black_box(replayed(shape, &graph));
        },
    ]);
    let (in_files, bytes) = stored(shape, &graph);
    let count = nodes as f64;
    line(
        &format!("{} of {nodes}", shape.name),
        &[
            &shown(alone / count),
            &shown(as_text / count),
            &shown(in_files / count),
            &format!("{:.0}", bytes / count),
            &format!("{bytes:.0}"),
            "",
        ],
    );
    Point {
        nodes: count,
        costs: [alone, as_text, bytes],
    }
}

/// Nanoseconds of the fastest of several runs: they are long enough for others to come between.
fn fastest(mut runs: [&mut dyn FnMut(); 2]) -> [f64; 2] {
    let mut best = [f64::INFINITY; 2];
    for _ in 0..ROUNDS {
        for (run, best) in runs.iter_mut().zip(&mut best) {
            let begin = Instant::now();
            run();
            *best = best.min(begin.elapsed().as_nanos() as f64);
        }
    }
    best
}

fn now() -> Timestamp {
    Timestamp::from_unix_milliseconds(0)
}

fn started(graph: &Graph) -> Run {
    Run::start(graph, "run-1", Object::new(), now()).expect("nothing is wrong with the input")
}

/// Drives a run to its end; answers are there as soon as they are asked for.
fn drive(shape: &Shape, run: &mut Run, mut checkpoint: impl FnMut(&mut Run)) -> RunStatus {
    let answer = Value::from("x".repeat(ANSWER));
    let mut given = VecDeque::new();
    loop {
        match run.next(now()) {
            Next::Work(work) => given.push_back((work.ticket, (shape.path)(&work.node))),
            Next::Ask(question) => run.answer(question.ticket, None, now()),
            Next::Checkpoint => {
                // As a host does that watches.
                black_box(run.take_events());
                checkpoint(run);
            }
            Next::Wait(_) => {
                let (ticket, path) = given.pop_front().expect("what is waited for was begun");
                let success = Success {
                    writes: vec![Write {
                        path,
                        value: Some(answer.clone()),
                        mode: WriteMode::Reduce,
                    }],
                    output: Some(answer.clone()),
                    ..Success::default()
                };
                run.complete(ticket, success, now());
            }
            Next::Ended(status) => return finished(status),
        }
    }
}

fn finished(status: RunStatus) -> RunStatus {
    assert_eq!(status, RunStatus::Completed);
    status
}

/// With checkpoints as text, which somebody reads and follows.
fn replayed(shape: &Shape, graph: &Graph) -> u64 {
    let mut run = started(graph);
    let mut replay = Replay::of(run.begin_recording());
    drive(shape, &mut run, |run| {
        let text = run.take_progress().to_value().to_string();
        let value = Value::from_json(&text).expect("it is JSON");
        let progress = Progress::from_value(&value).expect("it is valid");
        replay.advance(&progress).expect("it has happened");
    });
    replay.snapshot().step
}

/// With checkpoints in files, once: how long that takes, and the bytes of all that was written.
fn stored(shape: &Shape, graph: &Graph) -> (f64, f64) {
    let folder = Folder::new("pi-superstep");
    let store = CheckpointFiles::new(folder.path());
    let log = folder.path().join("run-1/log");
    let length = || std::fs::metadata(&log).map_or(0, |metadata| metadata.len());
    let mut run = started(graph);
    let begin = Instant::now();
    let mut lease = store
        .create(run.begin_recording(), None, "bench", now())
        .expect("the folder takes a run");
    let mut bytes = length();
    drive(shape, &mut run, |run| {
        let before = length();
        let revision = lease.revision();
        let progress = run.take_progress();
        lease
            .commit(revision, &progress, now())
            .expect("it is stored");
        let after = length();
        // Otherwise a new log has taken the place of a long one.
        bytes += after.checked_sub(before).unwrap_or(after);
    });
    (begin.elapsed().as_nanos() as f64, bytes as f64)
}
