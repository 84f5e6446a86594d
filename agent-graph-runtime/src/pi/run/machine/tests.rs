//! What the machine promises beyond the recorded runs.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::*;
use crate::pi::parse;
use crate::pi::reducer::Write;
use crate::pi::run::attempt::{AttemptResult, Failure, Success};
use crate::pi::run::outcome::RunProblem;
use crate::pi::run::outline::Outline;
use crate::pi::run::record::NodeStatus;
use crate::pi::run::snapshot::Snapshot;
use crate::pi::words::WriteMode;

fn graph(text: &str) -> Graph {
    let loaded = parse("g.json".into(), text.as_bytes());
    loaded
        .unwrap_or_else(|findings| panic!("{findings}"))
        .graph()
}

fn at(milliseconds: i64) -> Timestamp {
    Timestamp::from_unix_milliseconds(milliseconds)
}

fn started(graph: &Graph) -> Run {
    Run::start(graph, "run-1", Object::new(), at(0)).unwrap()
}

/// The snapshot as it comes back from where it was stored.
fn stored(run: &Run) -> Snapshot {
    let value = Value::from_json(&run.snapshot().to_value().to_string()).unwrap();
    let read = Snapshot::from_value(&value).unwrap();
    assert_eq!(read, run.snapshot());
    read
}

fn says(output: &str) -> Success {
    says_at("said", output)
}

fn says_at(path: &str, output: &str) -> Success {
    Success {
        writes: vec![Write {
            path: path.into(),
            value: Some(output.into()),
            mode: WriteMode::Reduce,
        }],
        output: Some(output.into()),
        usage: Usage::default(),
    }
}

/// Goes on until there is nothing to do but wait; what was given out by node.
fn until_wait(run: &mut Run) -> BTreeMap<String, Work> {
    let mut given = BTreeMap::new();
    loop {
        match run.next(at(0)) {
            Next::Work(work) => assert!(given.insert(work.node.clone(), *work).is_none()),
            Next::Checkpoint => {}
            Next::Ask(question) => run.answer(question.ticket, None, at(0)),
            Next::Wait(_) | Next::Ended(_) => return given,
        }
    }
}

const PAIR: &str = r#"{
    "schemaVersion": 2, "name": "pair", "limits": {}, "entry": ["a", "b"],
    "reducers": {"said": "append"},
    "nodes": {
        "a": {"type": "agent", "prompt": "a", "readOnly": true, "output": "said"},
        "b": {"type": "agent", "prompt": "b", "readOnly": true, "output": "said"}
    }
}"#;

#[test]
fn a_finished_sibling_is_kept_when_the_caller_ends_the_run() {
    let graph = graph(PAIR);
    let mut run = started(&graph);
    let given = until_wait(&mut run);
    run.complete(given["b"].ticket, says("b"), at(5));
    assert!(until_wait(&mut run).is_empty());
    run.abort(at(6));
    let next = run.next(at(6));
    let stop = Some(RunCode::Aborted);
    assert!(
        matches!(next, Next::Wait(wait) if wait.stop == stop),
        "{next:?}"
    );
    let ended = Failure::new(RunCode::Aborted, "ended");
    run.complete(given["a"].ticket, ended, at(7));
    assert!(until_wait(&mut run).is_empty());
    assert_eq!(run.status(), RunStatus::Cancelled);

    let mut run = Run::resume(&graph, stored(&run), Resume::default(), at(100)).unwrap();
    let given = until_wait(&mut run);
    assert_eq!(given.keys().collect::<Vec<_>>(), ["a"]);
    run.complete(given["a"].ticket, says("a"), at(101));
    assert!(until_wait(&mut run).is_empty());
    assert_eq!(run.status(), RunStatus::Completed);
    let said = run.state().get("said").unwrap();
    assert_eq!(said.to_string(), r#"["a","b"]"#, "in scheduled order");
    assert_eq!(run.snapshot().active_time_ms, 8, "the pause does not count");
}

#[test]
fn a_finished_sibling_is_kept_when_another_one_fails() {
    let graph = graph(PAIR);
    let mut run = started(&graph);
    let given = until_wait(&mut run);
    let failure = Failure::new(RunCode::AgentFailed, "no").retryable();
    run.complete(given["a"].ticket, failure, at(1));
    run.complete(given["b"].ticket, says("b"), at(2));
    assert!(until_wait(&mut run).is_empty());
    assert_eq!(run.status(), RunStatus::Failed);
    assert_eq!(run.error().unwrap().to_string(), "a: no");
    let mut run = Run::resume(&graph, stored(&run), Resume::default(), at(3)).unwrap();
    assert_eq!(until_wait(&mut run).keys().collect::<Vec<_>>(), ["a"]);
}

#[test]
fn a_limit_of_the_run_fails_the_run_whatever_the_node_says() {
    let text = r#"{
        "schemaVersion": 2, "name": "g", "limits": {"maxTokens": 10}, "entry": "a",
        "nodes": {"a": {"type": "agent", "prompt": "a", "readOnly": true,
            "onError": {"strategy": "continue"}, "idempotent": true, "retry": {"maxAttempts": 3}}}
    }"#;
    let mut run = started(&graph(text));
    let work = until_wait(&mut run).remove("a").unwrap();
    assert_eq!(work.run_budget.tokens, Some(10));
    let turn = Usage {
        input_tokens: 10,
        turns: 1,
        ..Usage::default()
    };
    assert_eq!(
        run.report(work.ticket, &turn, at(1)),
        Ok(()),
        "reached exactly"
    );
    assert_eq!(
        run.report(work.ticket, &turn, at(1)),
        Err(RunCode::MaxTokens)
    );
    let stopped = Failure::new(RunCode::BudgetLimit, "stopped");
    run.complete(work.ticket, stopped, at(2));
    assert!(until_wait(&mut run).is_empty());
    assert_eq!(run.status(), RunStatus::Failed);
    assert_eq!(
        run.usage().tokens(),
        20,
        "what was reported is charged, and once"
    );
    let errors = run.state().get("errors");
    assert_eq!(errors, None);
    assert!(
        matches!(run.error(), Some(RunError::Nodes(nodes)) if nodes[0].code == RunCode::MaxTokens)
    );
}

#[test]
fn a_state_that_is_too_large_is_never_installed_and_its_writes_are_made_once() {
    let with = |limit: &str| {
        PAIR.replace(
            r#""limits": {}"#,
            &alloc::format!(r#""limits": {{"maxStateBytes": {limit}}}"#),
        )
    };
    let small = graph(&with("28"));
    let mut run = started(&small);
    for (node, work) in until_wait(&mut run) {
        run.complete(work.ticket, says(&node), at(1));
        until_wait(&mut run);
    }
    let too_large = RunError::Run(RunProblem::Code(RunCode::MaxStateBytes));
    assert_eq!(run.error(), Some(&too_large));
    assert_eq!(run.state(), started(&small).state());
    let force = Resume {
        force: true,
        ..Resume::default()
    };
    let mut run = Run::resume(&graph(&with("29")), stored(&run), force, at(2)).unwrap();
    assert!(until_wait(&mut run).is_empty(), "nobody runs again");
    assert_eq!(run.status(), RunStatus::Completed);
    assert_eq!(run.state().get("said").unwrap().to_string(), r#"["a","b"]"#);
    assert_eq!(run.state_bytes(), 29);
}

#[test]
fn a_result_that_comes_twice_or_for_nobody_is_passed_over() {
    let mut run = started(&graph(PAIR));
    let given = until_wait(&mut run);
    run.complete(given["a"].ticket, says("a"), at(1));
    run.complete(given["a"].ticket, says("again"), at(1));
    run.complete(Ticket(99), says("nobody"), at(1));
    run.answer(given["b"].ticket, Some(true.into()), at(1));
    let used = Usage::default();
    assert_eq!(
        run.report(given["a"].ticket, &used, at(1)),
        Err(RunCode::Unknown)
    );
    run.complete(given["b"].ticket, says("b"), at(1));
    assert!(until_wait(&mut run).is_empty());
    assert_eq!(run.state().get("said").unwrap().to_string(), r#"["a","b"]"#);
}

#[test]
fn what_does_not_fit_into_a_checkpoint_fails_the_attempt() {
    let mut deep = Value::Null;
    for _ in 0..130 {
        deep = Value::Array(vec![deep]);
    }
    let forbidden: Object = [("constructor", 1.0)].into_iter().collect();
    let mut unset = says("x");
    unset.writes[0].mode = WriteMode::Unset;
    let mut nothing = says("x");
    nothing.writes[0].value = None;
    let with_output = |output: Value| Success {
        output: Some(output),
        ..says("x")
    };
    for success in [
        says_at("a..b", "x"),
        unset,
        nothing,
        with_output(deep),
        with_output(forbidden.into()),
    ] {
        let mut run = started(&graph(PAIR));
        let given = until_wait(&mut run);
        run.complete(given["a"].ticket, success, at(1));
        run.complete(given["b"].ticket, says("b"), at(1));
        assert!(until_wait(&mut run).is_empty());
        let failed = run
            .history()
            .iter()
            .find(|entry| entry.node == "a")
            .unwrap();
        assert_eq!(failed.status, NodeStatus::Failed, "{failed:?}");
        stored(&run);
    }
}

#[test]
fn no_more_attempts_are_given_out_than_the_graph_allows() {
    let nodes: Vec<String> = (0..9)
        .map(|n| alloc::format!(r#""n{n}": {{"type": "agent", "prompt": "x", "readOnly": true}}"#))
        .collect();
    let entry: Vec<String> = (0..9).map(|n| alloc::format!(r#""n{n}""#)).collect();
    let text = alloc::format!(
        r#"{{"schemaVersion": 2, "name": "g", "limits": {{"maxConcurrency": 2}},
            "entry": [{}], "nodes": {{{}}}}}"#,
        entry.join(","),
        nodes.join(",")
    );
    let mut run = started(&graph(&text));
    let mut open: Vec<Work> = until_wait(&mut run).into_values().collect();
    let mut made = 0;
    while let Some(work) = open.pop() {
        assert_eq!(open.len(), usize::from(made < 8));
        let success = says_at(&alloc::format!("o.{}", work.node), "x");
        run.complete(work.ticket, success, at(made));
        open.extend(until_wait(&mut run).into_values());
        made += 1;
    }
    assert_eq!((made, run.status()), (9, RunStatus::Completed));
}

const LOOP: &str = r#"{
    "schemaVersion": 2, "name": "loop", "limits": {}, "entry": ["left", "right"],
    "reducers": {"log": "append", "rounds": "sum"},
    "nodes": {
        "left": {"type": "agent", "prompt": "l", "readOnly": true, "output": "log"},
        "right": {"type": "agent", "prompt": "r", "readOnly": true, "output": "log",
            "idempotent": true, "retry": {"maxAttempts": 2, "backoffMs": 10},
            "onError": {"strategy": "continue"}},
        "join": {"type": "set", "assign": [{"path": "rounds", "value": 1}]},
        "ask": {"type": "human", "kind": "confirm", "prompt": "Once more?", "output": "more"}
    },
    "edges": [{"from": ["left", "right"], "to": "join"}, {"from": "join", "to": "ask"}],
    "routes": [{"from": "ask", "cases": [
        {"when": {"path": "rounds", "op": "lt", "value": 3}, "to": ["left", "right"]}]}]
}"#;

/// Plays the loop. The process ends at the checkpoint with this number, and the run is resumed from there.
/// Says what it came to, how many checkpoints there were and which attempts were made.
fn play(crash: usize) -> (String, usize, Vec<String>) {
    let graph = graph(LOOP);
    let mut run = started(&graph);
    let mut work: Vec<Work> = Vec::new();
    let (mut checkpoints, mut made, mut now) = (0, Vec::new(), 0);
    loop {
        match run.next(at(now)) {
            Next::Checkpoint => {
                checkpoints += 1;
                let snapshot = stored(&run);
                if checkpoints == crash {
                    work.clear();
                    run = Run::resume(&graph, snapshot, Resume::default(), at(now)).unwrap();
                }
            }
            Next::Work(next) => work.push(*next),
            Next::Ask(question) => run.answer(question.ticket, Some("yes".into()), at(now)),
            Next::Wait(wait) => {
                now += 1;
                match work.pop() {
                    Some(work) => {
                        let result = outcome_of(&work);
                        made.push(alloc::format!("{}{}", work.node, work.step));
                        run.complete(work.ticket, result, at(now));
                    }
                    None => now = wait.until.unwrap().unix_milliseconds(),
                }
            }
            Next::Ended(_) => break,
        }
    }
    let snapshot = stored(&run);
    let end = (
        snapshot.status,
        snapshot.step,
        snapshot.state,
        snapshot.completion_counts,
    );
    (
        alloc::format!("{end:?} {:?}", snapshot.barrier_consumed),
        checkpoints,
        made,
    )
}

/// Depends on the superstep only, so that it does not matter how often it is asked.
fn outcome_of(work: &Work) -> AttemptResult {
    if work.node == "right" && work.step == 4 {
        return Failure::new(RunCode::AgentFailed, "not now")
            .retryable()
            .into();
    }
    says_at("log", &alloc::format!("{} {}", work.node, work.step)).into()
}

#[test]
fn a_run_that_crashes_at_any_checkpoint_comes_to_the_same_end_and_runs_nothing_twice_that_was_saved()
 {
    let (expected, checkpoints, made) = play(0);
    assert!(expected.contains("Completed"), "{expected}");
    assert_eq!((checkpoints, made.len()), (33, 7));
    for crash in 1..checkpoints {
        let (end, _, made_again) = play(crash);
        assert_eq!(end, expected, "after a crash at {crash}");
        // Results are told one by one, and saved at once: at most the attempts of one node are lost.
        assert!(
            made_again.len() <= made.len() + 1,
            "{crash}: {made_again:?}"
        );
    }
}

#[test]
fn a_snapshot_of_a_run_that_is_over_stays_as_it_is() {
    let graph = graph(PAIR);
    let mut run = started(&graph);
    for (node, work) in until_wait(&mut run) {
        run.complete(work.ticket, says(&node), at(1));
    }
    until_wait(&mut run);
    let over = stored(&run);
    let mut run = Run::resume(&graph, over.clone(), Resume::default(), at(1000)).unwrap();
    assert!(matches!(
        run.next(at(2000)),
        Next::Ended(RunStatus::Completed)
    ));
    assert_eq!(run.snapshot(), over);
    assert!(run.take_events().is_empty());
}

#[test]
fn another_graph_is_refused_and_another_definition_is_named() {
    let before = graph(PAIR);
    let run = started(&before);
    let resume = |text: String, started_with: Option<Outline>| {
        let resume = Resume {
            started_with,
            ..Resume::default()
        };
        Run::resume(&graph(&text), run.snapshot(), resume, at(0)).unwrap_err()
    };
    let renamed = PAIR.replace(r#""pair""#, r#""trio""#);
    assert_eq!(resume(renamed, None), ResumeError::GraphNameMismatch);
    let reworded = PAIR.replace(r#""prompt": "a""#, r#""prompt": "A""#);
    let refused = resume(reworded.clone(), Some(Outline::from(&before)));
    assert_eq!(refused.as_str(), "GRAPH_CHANGED");
    assert!(
        refused.to_string().ends_with("(class of change: texts)"),
        "{refused}"
    );
    let refused = resume(reworded, None);
    assert!(matches!(
        refused,
        ResumeError::GraphChanged { change: None, .. }
    ));
}

#[test]
fn time_that_goes_back_does_no_harm() {
    let mut run = started(&graph(PAIR));
    let given = until_wait(&mut run);
    run.complete(given["a"].ticket, says("a"), at(100));
    run.complete(given["b"].ticket, says("b"), at(-100));
    assert!(until_wait(&mut run).is_empty());
    let snapshot = stored(&run);
    assert_eq!(
        (snapshot.updated_at, snapshot.active_time_ms),
        (at(100), 100)
    );
}

#[test]
fn an_answer_counts_in_the_superstep_in_which_it_was_asked_for() {
    let text = r#"{
        "schemaVersion": 2, "name": "g", "limits": {}, "entry": "ask",
        "nodes": {"ask": {"type": "human", "kind": "confirm", "prompt": "?", "pause": true, "output": "ok"}},
        "routes": [{"from": "ask", "cases": [{"when": {"path": "ok", "op": "eq", "value": false}, "to": "ask"}]}]
    }"#;
    let graph = graph(text);
    let mut run = started(&graph);
    until_wait(&mut run);
    for _ in 0..3 {
        assert_eq!(run.status(), RunStatus::Interrupted);
        let no = Resume {
            value: Some("no".into()),
            ..Resume::default()
        };
        run = Run::resume(&graph, stored(&run), no, at(1)).unwrap();
        until_wait(&mut run);
    }
    assert_eq!(run.step(), 4);
}

#[test]
fn a_list_that_grows_is_refused_at_its_limit_though_it_is_not_measured_each_time() {
    let item = "x".repeat(500);
    let text = r#"{
        "schemaVersion": 2, "name": "g", "limits": {"maxSteps": 99, "maxNodeRuns": 99}, "entry": "add",
        "reducers": {"list": "append"}, "statePolicy": {"paths": {"list": {"maxBytes": 10000}}},
        "nodes": {"add": {"type": "set", "assign": [{"path": "list", "value": "ITEM"}]}},
        "edges": [{"from": "add", "to": "add"}]
    }"#;
    let mut run = started(&graph(&text.replace("ITEM", &item)));
    until_wait(&mut run);
    assert_eq!(
        run.error(),
        Some(&RunError::Run(RunProblem::Code(RunCode::MaxStatePathBytes)))
    );
    let list = run.state().get("list").unwrap().to_string();
    assert!(
        list.len() <= 10_000 && list.len() + 503 > 10_000,
        "{}",
        list.len()
    );
    assert_eq!(run.step(), 20);
}
