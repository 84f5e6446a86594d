//! Runs driven by threads, and by the tasks of a host that is asynchronous.
#![cfg(all(feature = "dynamic", feature = "pi"))]

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant, SystemTime};

use agent_graph_runtime::Timestamp;
use agent_graph_runtime::json::{Object, Value};
use agent_graph_runtime::pi::executor::{Executor, Scripted, Unwatched};
use agent_graph_runtime::pi::run::{
    AttemptResult, Failure, Next, Resume, Run, RunCode, RunError, RunStatus, Ticket, Usage, Work,
};
use agent_graph_runtime::pi::runner::{Abort, Runner};
use agent_graph_runtime::pi::{self, Graph};

/// Longer than anything takes on a busy machine.
const LONG: Duration = Duration::from_secs(60);

fn graph(members: &str) -> Graph {
    let text = format!(r#"{{"schemaVersion":2,"name":"g",{members}}}"#);
    let loaded = pi::parse("g.json".into(), text.as_bytes());
    loaded
        .unwrap_or_else(|findings| panic!("{findings}"))
        .graph()
}

/// A graph of agents that all begin at once.
fn fan(agents: usize, limits: &str) -> Graph {
    let names: Vec<String> = (0..agents).map(|n| format!("\"a{n}\"")).collect();
    let nodes: Vec<String> = names
        .iter()
        .map(|name| format!(r#"{name}:{{"type":"agent","prompt":"Go"}}"#))
        .collect();
    let (names, nodes) = (names.join(","), nodes.join(","));
    graph(&format!(
        r#""limits":{{{limits}}},"entry":[{names}],"nodes":{{{nodes}}}"#
    ))
}

fn now() -> Timestamp {
    SystemTime::now().into()
}

fn start(graph: &Graph) -> Run {
    Run::start(graph, "run-1", Object::new(), now()).unwrap()
}

/// Waits for something that other threads do.
#[track_caller]
fn wait_for(is_there: impl Fn() -> bool) {
    let started = Instant::now();
    while !is_there() {
        assert!(started.elapsed() < LONG);
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Counts how many attempts are at work; each goes on when so many have been at once, or all have begun.
fn crowd(executor: Scripted, agents: usize, wanted: usize) -> (Scripted, Arc<AtomicUsize>) {
    let (at_work, most, begun) = (
        AtomicUsize::new(0),
        Arc::new(AtomicUsize::new(0)),
        AtomicUsize::new(0),
    );
    let shared = Arc::new((at_work, most.clone(), begun));
    let executor = (0..agents).fold(executor, |executor, n| {
        let shared = shared.clone();
        executor.does(&format!("a{n}"), move |_, _| {
            let (at_work, most, begun) = &*shared;
            let together = at_work.fetch_add(1, Ordering::SeqCst) + 1;
            most.fetch_max(together, Ordering::SeqCst);
            begun.fetch_add(1, Ordering::SeqCst);
            wait_for(|| {
                most.load(Ordering::SeqCst) >= wanted || begun.load(Ordering::SeqCst) == agents
            });
            at_work.fetch_sub(1, Ordering::SeqCst);
            Ok("ok".into())
        })
    });
    (executor, most)
}

#[test]
fn as_many_attempts_are_made_at_a_time_as_the_graph_allows_and_no_more() {
    let (executor, most) = crowd(Scripted::new(), 9, 3);
    let mut run = start(&fan(9, r#""maxConcurrency":3"#));
    assert_eq!(
        Runner::new(&executor).drive(&mut run).unwrap(),
        RunStatus::Completed
    );
    assert_eq!(
        (most.load(Ordering::SeqCst), executor.calls().len()),
        (3, 9)
    );
}

#[test]
fn the_host_may_allow_fewer_attempts_at_a_time_than_the_graph() {
    let (executor, most) = crowd(Scripted::new(), 6, 2);
    let mut run = start(&fan(6, r#""maxConcurrency":6"#));
    let status = Runner::new(&executor).at_most(2).drive(&mut run).unwrap();
    assert_eq!(status, RunStatus::Completed);
    assert_eq!(most.load(Ordering::SeqCst), 2);
}

#[test]
fn a_retry_waits_for_its_time() {
    let members = r#""limits":{},"entry":"a","nodes":{"a":{"type":"agent","prompt":"Go",
        "idempotent":true,"retry":{"maxAttempts":2,"backoffMs":150}}}"#;
    let executor = Scripted::new()
        .fails("a", Failure::new(RunCode::AgentFailed, "busy").retryable())
        .says("a", "done");
    let mut run = start(&graph(members));
    let started = Instant::now();
    let mut retries = Vec::new();
    let status = Runner::new(&executor)
        .observing(|event| retries.extend((event.what.type_name() == "node_retry").then_some(())))
        .drive(&mut run);
    assert_eq!(status.unwrap(), RunStatus::Completed);
    assert!(started.elapsed() >= Duration::from_millis(150));
    assert_eq!((executor.calls().len(), retries.len()), (2, 1));
}

#[test]
fn a_handle_ends_a_run_whose_attempts_would_go_on_for_ever() {
    let abort = Abort::new();
    let inner = abort.clone();
    let executor = Scripted::new().does("a0", move |_, watch| {
        inner.abort();
        wait_for(|| watch.stop().is_some());
        Err(Failure::new(RunCode::Aborted, "ended"))
    });
    let mut run = start(&fan(2, ""));
    let status = Runner::new(&executor)
        .ended_by(&abort)
        .drive(&mut run)
        .unwrap();
    assert_eq!(status, RunStatus::Cancelled);
    let mut run = start(&fan(2, ""));
    let status = Runner::new(&executor)
        .ended_by(&abort)
        .drive(&mut run)
        .unwrap();
    assert_eq!(status, RunStatus::Cancelled, "a handle stays what it is");
}

#[test]
fn turns_beyond_the_limit_of_the_run_are_refused_while_an_attempt_is_at_work() {
    let used = Usage {
        input_tokens: 11,
        ..Usage::default()
    };
    let executor = Scripted::new().says_using("a0", "much", used);
    let mut run = start(&fan(1, r#""maxTokens":10"#));
    let status = Runner::new(&executor).drive(&mut run).unwrap();
    assert_eq!((status, run.usage().tokens()), (RunStatus::Failed, 11));
}

const APPROVAL: &str =
    r#""limits":{},"entry":"ask","nodes":{"ask":{"type":"human","kind":"confirm","prompt":"Go?"}}"#;

#[test]
fn a_person_is_asked_through_the_callback_and_without_one_the_run_waits() {
    let graph = graph(APPROVAL);
    let executor = Scripted::new();
    let mut run = start(&graph);
    assert_eq!(
        Runner::new(&executor).drive(&mut run).unwrap(),
        RunStatus::Interrupted
    );
    let resume = Resume {
        value: Some("yes".into()),
        ..Resume::default()
    };
    let mut resumed = Run::resume(&graph, run.snapshot(), resume, now()).unwrap();
    assert_eq!(
        Runner::new(&executor).drive(&mut resumed).unwrap(),
        RunStatus::Completed
    );

    let mut run = start(&graph);
    let mut asked = Vec::new();
    let status = Runner::new(&executor)
        .asking(|question| {
            asked.push(question.interrupt.prompt.clone());
            Some(false.into())
        })
        .drive(&mut run);
    assert_eq!(status.unwrap(), RunStatus::Completed);
    assert_eq!(asked, ["Go?"]);
    let outputs = run
        .state()
        .get("outputs")
        .and_then(Value::as_object)
        .unwrap();
    assert_eq!(outputs.get("ask"), Some(&Value::Bool(false)));
}

#[test]
fn an_executor_that_panics_fails_its_attempt_and_not_the_host() {
    struct Panics;
    impl Executor for Panics {
        fn execute(&self, _: &Work, _: &dyn pi::executor::Watch) -> AttemptResult {
            panic!("on purpose");
        }
    }
    let mut run = start(&fan(1, ""));
    assert_eq!(
        Runner::new(&Panics).drive(&mut run).unwrap(),
        RunStatus::Failed
    );
    let Some(RunError::Nodes(failures)) = run.error() else {
        panic!("{:?}", run.error());
    };
    assert_eq!(failures[0].code, RunCode::ExecutionError);
}

#[test]
fn a_run_whose_checkpoint_cannot_be_stored_does_not_go_on() {
    let executor = Scripted::new();
    let mut run = start(&fan(1, ""));
    let mut stored = 0;
    let error = Runner::new(&executor)
        .storing(|_| {
            stored += 1;
            if stored == 3 {
                Err("the disk is full".into())
            } else {
                Ok(())
            }
        })
        .drive(&mut run)
        .unwrap_err();
    assert_eq!(error.to_string(), "the disk is full");
    assert_eq!((stored, executor.calls().len()), (3, 0));
}

/// Polls a future until it is ready; what it waits for is polled again and again.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
    }
}

type Task = Pin<Box<dyn Future<Output = (Ticket, AttemptResult)>>>;

/// The first task that is ready.
struct First<'t>(&'t mut Vec<Task>);

impl Future for First<'_> {
    type Output = (Ticket, AttemptResult);

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        for at in 0..self.0.len() {
            if let Poll::Ready(done) = self.0[at].as_mut().poll(context) {
                drop(self.0.swap_remove(at));
                return Poll::Ready(done);
            }
        }
        Poll::Pending
    }
}

/// Ready after so many polls.
struct Later(usize);

impl Future for Later {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    }
}

#[test]
fn an_asynchronous_host_drives_the_machine_with_tasks_of_its_own() {
    let executor = Arc::new(Scripted::new().says("a1", "one"));
    let order = Arc::new(Mutex::new(Vec::new()));
    let attempt = |work: Work| -> Task {
        let (executor, order) = (executor.clone(), order.clone());
        Box::pin(async move {
            // The later nodes answer first.
            let polls = if work.node == "a0" { 50 } else { 5 };
            Later(polls).await;
            order.lock().unwrap().push(work.node.clone());
            (work.ticket, executor.execute(&work, &Unwatched))
        })
    };
    let mut run = start(&fan(3, ""));
    let status = block_on(async {
        let mut tasks = Vec::new();
        loop {
            match run.next(now()) {
                Next::Work(work) => tasks.push(attempt(*work)),
                Next::Ask(question) => run.answer(question.ticket, None, now()),
                Next::Checkpoint => {}
                Next::Wait(_) => {
                    let (ticket, result) = First(&mut tasks).await;
                    run.complete(ticket, result, now());
                }
                Next::Ended(status) => return status,
            }
        }
    });
    assert_eq!(status, RunStatus::Completed);
    assert_eq!(order.lock().unwrap().last().unwrap(), "a0");
    let outputs = run
        .state()
        .get("outputs")
        .and_then(Value::as_object)
        .unwrap();
    assert_eq!(outputs.get("a1"), Some(&Value::from("one")));
}
