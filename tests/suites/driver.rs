//! Sessions: every way to stop, dry runs, traces, both loops.

mod small;

use std::future::Future;
use std::path::Path;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use agent_graph_runtime::driver::{
    DryRun, Next, Reading, Receipts, Runner, Session, Stop, StopReason, Task, Unread, Work, drive,
    drive_async,
};
use agent_graph_runtime::explain::Change;
use agent_graph_runtime::protocol::Resolution;
use agent_graph_runtime::{
    Candidate, Code, Error, Facts, Graph, Outcome, Provider, ReadReceipts, RouteInput, State,
    Status,
};
use agent_graph_tests::json::Json;
use agent_graph_tests::model::{
    Action, Asks, Check, Edge, Gate, Graph as GraphModel, Kind, Node, Provider as Model, Step,
};

/// fetch (host) → check (proven by `checked`) → approve (gate) → done; check repeats itself when partial.
fn model() -> Model {
    let node = |id: &str, kind| Node {
        id: id.into(),
        description: None,
        priority: None,
        join: Some("any"),
        requires: Vec::new(),
        kind,
    };
    let step = |id: &str, satisfied| Step {
        reason: format!("route.{id}"),
        satisfied,
        required: Vec::new(),
        recommended: Vec::new(),
    };
    let proof = Check {
        path: "checked".into(),
        asks: Asks::Equals(Json::Bool(true)),
    };
    let gate = Gate {
        id: "approval".into(),
        authority: Some("release/lead".into()),
        delegatable: Some(true),
        inspection: Some(3),
        resolution: Some(1),
        delegated: Some((true, Some(2))),
    };
    let edge = |from, to, outcomes: &[&'static str], kind| Edge {
        from,
        to,
        outcomes: outcomes.to_vec(),
        kind,
    };
    let action = |id: &str, effect, runner: (&'static str, &str)| Action {
        id: id.into(),
        file: format!("actions/{id}.yaml"),
        effect,
        runner: (runner.0, runner.1.into()),
        files: Vec::new(),
    };
    Model {
        id: "drive".into(),
        version: "1.0.0".into(),
        graphs: vec![GraphModel {
            id: "main".into(),
            file: "graphs/main.yaml".into(),
            entries: vec![("default".into(), 0)],
            nodes: vec![
                node("fetch", Kind::Action(step("fetch", vec![]), 0)),
                node("check", Kind::Action(step("check", vec![proof]), 4)),
                node("approve", Kind::Gate(step("approve", vec![]), gate)),
                node("done", Kind::Terminal("completed")),
            ],
            edges: vec![
                edge(0, 1, &[], None),
                edge(1, 1, &["partial"], Some("repeat")),
                edge(1, 2, &[], None),
                edge(2, 3, &[], None),
            ],
        }],
        catalog: None,
        actions: vec![
            action("fetch", "write", ("host", "fetch/v1")),
            action("sign", "write", ("command", "sign --all")),
            action("sign-quietly", "write", ("command", "sign --quiet")),
            action("show", "read", ("command", "show")),
            action("check", "read", ("command", "check")),
        ],
        resources: Vec::new(),
    }
}

fn session(case: u64) -> Session {
    let provider = Provider::from_tables(small::loaded("driver", case, &model()).tables);
    Session::new(provider, "main", "default").expect("it exists")
}

fn facts(text: &str) -> Facts {
    Facts::from_json(text).expect("they are facts")
}

/// Does everything, and observes what `check` shows.
fn perform(work: &Work, state: &mut State) -> Result<Outcome, Error> {
    if work.key() == "main/check" {
        state.set_facts(facts(r#"{"checked":true}"#));
    }
    Ok(Outcome::Completed)
}

fn work(next: Next) -> Work {
    match next {
        Next::Work(work) | Next::Stop(Stop::WaitingUser(work)) => work,
        Next::Stop(stop) => panic!("no work: {stop:?}"),
    }
}

#[test]
fn a_session_hands_out_each_step_and_waits_for_the_person() {
    let (mut session, mut state) = (session(0), State::new());
    let fetch = work(session.next(&state));
    let Task::Run(run) = fetch.task() else {
        panic!("it is an action")
    };
    assert_eq!(run.runner, Runner::Handler("fetch/v1".to_owned()));
    assert_eq!(fetch.route().map(|route| route.node()), Some("fetch"));
    session
        .complete(fetch, Outcome::Completed)
        .expect("it is at hand")
        .apply(&mut state);
    let stop = drive(&mut session, &mut state, perform).expect("nothing fails");
    let Stop::WaitingUser(gate) = stop else {
        panic!("{stop:?}")
    };
    let Task::Gate(task) = gate.task() else {
        panic!("it is a gate")
    };
    assert_eq!(task.resolution, Resolution::User);
    assert_eq!(task.inspect.as_ref().map(|run| &*run.action), Some("show"));
    assert_eq!(task.resolve.as_ref().map(|run| &*run.action), Some("sign"));
    session
        .complete(gate, Outcome::Completed)
        .expect("it is at hand")
        .apply(&mut state);
    let stop = drive(&mut session, &mut state, perform).expect("nothing fails");
    assert!(
        matches!(stop, Stop::Complete(Outcome::Completed)),
        "{stop:?}"
    );
    assert_eq!(session.steps(), 3);
}

#[test]
fn an_authority_turns_the_gate_into_work_with_the_delegated_actions() {
    let (mut session, mut state) = (session(1), State::new());
    state.set_authorities(["release/lead"]);
    let mut seen = Vec::new();
    let stop = drive(
        &mut session,
        &mut state,
        |work: &Work, state: &mut State| {
            if let Task::Gate(task) = work.task() {
                assert_eq!(task.resolution, Resolution::SessionAuthority);
                assert_eq!(task.inspect, None);
                seen.extend(task.resolve.clone().map(|run| run.action));
            }
            perform(work, state)
        },
    );
    assert!(matches!(stop, Ok(Stop::Complete(_))), "{stop:?}");
    assert_eq!(seen, ["sign-quietly"]);
}

#[test]
fn the_same_work_in_the_same_state_is_no_progress() {
    let (mut session, mut state) = (session(2), State::new());
    let stop = drive(&mut session, &mut state, |_: &Work, _: &mut State| {
        Ok::<_, Error>(Outcome::Pending)
    });
    let Ok(Stop::NoProgress(explanation)) = stop else {
        panic!("{stop:?}")
    };
    // To record `pending` changes the revision once, and nothing the second time.
    assert_eq!(session.steps(), 2);
    assert_eq!(explanation.frontier[0].key, "main/fetch");
    // Once something changes, the session goes on.
    state.set_facts(facts(r#"{"network":"up"}"#));
    assert_eq!(work(session.next(&state)).key(), "main/fetch");
}

#[test]
fn a_self_repeat_goes_on_while_the_facts_change() {
    let (mut session, mut state) = (session(3), State::new());
    let mut rounds = 0.0;
    let stop = drive(
        &mut session,
        &mut state,
        |work: &Work, state: &mut State| {
            if work.key() != "main/check" {
                return Ok::<_, Error>(Outcome::Completed);
            }
            rounds += 1.0;
            state.set_facts(facts(&format!(
                r#"{{"round":{rounds},"checked":{}}}"#,
                rounds > 3.0
            )));
            Ok(Outcome::Partial)
        },
    );
    assert!(matches!(stop, Ok(Stop::WaitingUser(_))), "{stop:?}");
    assert!(rounds > 3.0);
}

#[test]
fn blocked_comes_with_an_explanation() {
    let (mut session, mut state) = (session(4), State::new());
    let stop = drive(&mut session, &mut state, |_: &Work, _: &mut State| {
        Ok::<_, Error>(Outcome::Failed)
    });
    let Ok(Stop::Blocked(explanation)) = stop else {
        panic!("{stop:?}")
    };
    assert_eq!(explanation.status, Status::Blocked);
    let records = explanation.moves.iter().filter(|found| {
        matches!(&found.change, Change::Record { node, outcomes, .. }
            if node == "main/fetch" && outcomes == &[Outcome::Completed])
    });
    assert_eq!(records.count(), 1);
}

/// Wants a resource to be read before `check`.
struct Unseen(bool);

impl Reading for Unseen {
    fn unread<G: Graph>(&mut self, route: &Candidate<'_, G>) -> Result<Vec<Unread>, Error> {
        let unread = Unread {
            id: "procedure.check".into(),
            file: None,
        };
        let wanted = route.node() == "check" && !self.0;
        Ok(wanted.then_some(unread).into_iter().collect())
    }
}

#[test]
fn work_waits_until_its_required_resources_are_read() {
    let (mut session, mut state) = (session(5), State::new());
    let mut reading = Unseen(false);
    let fetch = work(session.next_reading(&state, &mut reading));
    session
        .complete(fetch, Outcome::Completed)
        .expect("it is at hand")
        .apply(&mut state);
    let Next::Stop(Stop::Unread(check, unread)) = session.next_reading(&state, &mut reading) else {
        panic!("nothing is unread")
    };
    assert_eq!(unread[0].id, "procedure.check");
    // What has not been read cannot be completed.
    let refused = session.complete(check, Outcome::Completed);
    assert_eq!(refused.map_err(|error| error.code()), Err(Code::WorkStale));
    reading.0 = true;
    assert_eq!(
        work(session.next_reading(&state, &mut reading)).key(),
        "main/check"
    );
}

#[test]
fn an_unknown_entry_the_step_limit_and_the_host_stop_a_session() {
    let provider = Provider::from_tables(small::loaded("driver", 6, &model()).tables);
    let missing = Session::new(provider.clone(), "none", "default").map(|_| ());
    assert_eq!(
        missing.map_err(|error| error.code()),
        Err(Code::GraphMissing)
    );
    let mut session = Session::new(provider.clone(), "main", "none").expect("the graph exists");
    let Next::Stop(Stop::Error(diagnostics)) = session.next(&State::new()) else {
        panic!("there is no such entry")
    };
    assert_eq!(diagnostics[0].code, "entry-missing");

    let mut session = Session::new(provider, "main", "default")
        .expect("it exists")
        .with_step_limit(1);
    let stop = drive(&mut session, &mut State::new(), perform);
    assert!(matches!(stop, Ok(Stop::StepLimit(1))), "{stop:?}");
    session.cancel();
    let next = session.next(&State::new());
    assert!(matches!(next, Next::Stop(Stop::Cancelled)), "{next:?}");
}

#[test]
fn only_the_work_at_hand_can_be_completed_and_only_once() {
    let (mut session, state) = (session(7), State::new());
    let first = work(session.next(&state));
    let again = work(session.next(&state));
    assert_eq!(first.revision(), again.revision());
    assert!(session.complete(first, Outcome::Completed).is_ok());
    let refused = session.complete(again, Outcome::Completed);
    assert_eq!(refused.map_err(|error| error.code()), Err(Code::WorkStale));
}

#[test]
fn a_dry_run_changes_neither_the_session_nor_the_state() {
    let (session, state) = (session(8), State::new());
    let DryRun {
        stop,
        trace,
        state: end,
    } = session.dry_run(&state, |work, state| {
        perform(work, state).expect("it does not fail")
    });
    assert!(
        matches!(stop, Stop::Complete(Outcome::Completed)),
        "{stop:?}"
    );
    let keys: Vec<_> = trace
        .iter()
        .filter_map(|step| step.work.as_deref())
        .collect();
    assert_eq!(keys, ["main/fetch", "main/check", "main/approve"]);
    assert_eq!(end.outcome("main/approve"), Some(Outcome::Completed));
    assert_eq!(session.steps(), 0);
    assert!(session.trace().is_empty());
    assert_eq!(state, State::new());
}

#[test]
fn the_trace_says_what_changed() {
    let (mut session, mut state) = (session(9), State::new());
    state.set_facts(facts(r#"{"checked":false,"old":1}"#));
    let stop = drive(&mut session, &mut state, perform).expect("nothing fails");
    assert_eq!(stop.reason(), StopReason::WaitingUser);
    let trace = serde_json::to_value(session.trace()).expect("it is JSON");
    let step = &trace[2];
    assert_eq!(step["step"], 2);
    assert_eq!(step["status"], "waiting-user");
    assert_eq!(step["work"], "main/approve");
    assert_eq!(step["stop"], "waiting-user");
    assert_eq!(
        step["changes"],
        serde_json::json!({
            "outcomes": [{"key": "main/check", "before": null, "after": "completed"}],
            "facts": [
                {"path": "checked", "before": "boolean", "after": "boolean"},
                {"path": "old", "before": "number", "after": "absent"},
            ],
            "authorities": {"gained": [], "lost": []},
            "opened": ["main/approve"],
            "closed": ["main/check"],
        })
    );
    assert_eq!(trace[0]["outcome"], "completed");
}

#[test]
fn the_loop_of_futures_does_what_the_other_one_does() {
    let (mut session, mut state) = (session(10), State::new());
    state.set_authorities(["release/lead"]);
    let future = drive_async(
        &mut session,
        &mut state,
        async |work: &Work, state: &mut State| {
            std::future::ready(()).await;
            perform(work, state)
        },
    );
    let poll = pin!(future).poll(&mut Context::from_waker(Waker::noop()));
    let Poll::Ready(stop) = poll else {
        panic!("nothing is waited for")
    };
    assert!(
        matches!(stop, Ok(Stop::Complete(Outcome::Completed))),
        "{stop:?}"
    );
}

#[test]
fn receipts_tell_what_has_been_read() {
    let root = Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/examples/release-gate"
    ));
    let provider = Provider::load(root.join("provider.yaml")).expect("it loads");
    let installed = provider.installed_at(root).expect("its files are there");
    let mut session = Session::new(provider.clone(), "release", "default").expect("it exists");
    let state = State::new();
    let workspace = env!("CARGO_TARGET_TMPDIR");
    let input = RouteInput::new()
        .in_workspace(workspace)
        .expect("it is absolute");
    let mut reading = Receipts {
        installed: &installed,
        input: &input,
    };
    let Next::Stop(Stop::Unread(work, unread)) = session.next_reading(&state, &mut reading) else {
        panic!("nothing is unread")
    };
    let file = unread[0].file.as_deref().unwrap_or_default();
    assert!(
        file.ends_with("release-gate/resources/package.md"),
        "{unread:?}"
    );
    let candidate = work.route().expect("it has a route");
    let route = installed.resolve(&candidate, &input).expect("it resolves");
    let mut receipts = ReadReceipts::new(&provider);
    receipts
        .acknowledge_route(&route)
        .expect("it is the provider");
    let input = input.clone().with_receipts(receipts);
    let mut reading = Receipts {
        installed: &installed,
        input: &input,
    };
    let next = session.next_reading(&state, &mut reading);
    assert!(matches!(next, Next::Work(_)), "{next:?}");
}
