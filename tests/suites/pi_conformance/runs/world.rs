//! A world for runs: a clock that is moved on, scripted agents, a person, a store for the last snapshot. Every
//! snapshot that is stored is read back and held against the one before.

use std::ops::ControlFlow;

use agent_graph_runtime::Timestamp;
use agent_graph_runtime::json::{Object, Value};
use agent_graph_runtime::pi::agent::{AgentNode, Artifact, Attempt, Ended, Wording};
use agent_graph_runtime::pi::run::{
    AttemptResult, Event, Failure, Happening, Next, Progress, Replay, Run, RunCode, RunStatus,
    Snapshot, Usage, Work,
};

use super::script::{Script, Scripted};
use crate::agents;

/// The beginning of the time of every case: 2030-01-01.
const EPOCH: i64 = 1_893_456_000_000;

pub(crate) struct World<'c> {
    now: i64,
    script: Script<'c>,
    wording: Wording,
    answers: Option<Object>,
    pub(crate) stored: Option<Snapshot>,
    /// The run as somebody sees it who is only told what happens.
    replay: Option<Replay>,
}

/// What a call of a run showed.
#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) events: Vec<(Event, i64)>,
    pub(crate) steps: Vec<(Vec<String>, Snapshot)>,
    /// The nodes of the superstep at work.
    scheduled: Vec<String>,
    pub(crate) checkpoints: usize,
    pub(crate) kills: Vec<&'static str>,
    pub(crate) artifacts: Vec<(String, usize)>,
    pub(crate) problems: Vec<String>,
}

/// When the caller ends the run.
#[derive(Clone)]
pub(crate) struct AbortOn {
    pub(crate) event: String,
    pub(crate) node: Option<String>,
    pub(crate) occurrence: usize,
}

/// Why a process is ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    ByItself,
    TimeIsUp(RunCode),
    ByTheCaller,
}

/// A process that is running.
struct Process {
    work: Work,
    scripted: Scripted,
    /// When its output arrives, or its end is reached.
    due: i64,
    /// What it comes to when it has been killed.
    killed: Option<AttemptResult>,
    has_spoken: bool,
}

pub(crate) fn ms(time: Timestamp) -> i64 {
    time.unix_milliseconds() - EPOCH
}

impl<'c> World<'c> {
    pub(crate) fn new(agents: &'c Object, answers: Option<Object>) -> Self {
        Self {
            now: 0,
            script: Script::of(agents),
            wording: agents::tokens(),
            answers,
            stored: None,
            replay: None,
        }
    }

    pub(crate) fn now(&self) -> Timestamp {
        Timestamp::from_unix_milliseconds(EPOCH + self.now)
    }

    /// Goes through a call of a run to its end.
    pub(crate) fn drive(
        &mut self,
        run: &mut Run,
        abort: Option<&AbortOn>,
        stores: bool,
    ) -> (RunStatus, Seen) {
        let mut seen = Seen::default();
        let begun = run.begin_recording();
        self.replay.get_or_insert_with(|| Replay::of(begun));
        let in_flight = run.snapshot().in_flight;
        seen.scheduled = in_flight.map_or(Vec::new(), |in_flight| in_flight.scheduled);
        let mut processes: Vec<Process> = Vec::new();
        let mut matches = 0;
        // No case takes as many turns.
        for _ in 0..100_000 {
            let next = run.next(self.now());
            let events = run.take_events();
            let mut is_told = false;
            for event in &events {
                let is_meant = abort.is_some_and(|abort| {
                    event.what.type_name() == abort.event
                        && (abort.node.is_none() || event.what.node() == abort.node.as_deref())
                });
                matches += usize::from(is_meant);
                if is_meant && matches == abort.map_or(1, |abort| abort.occurrence) {
                    run.abort(self.now());
                    is_told = true;
                }
            }
            self.note(run, events, &mut seen);
            match next {
                Next::Checkpoint => {
                    seen.checkpoints += 1;
                    if stores {
                        self.store(run, &mut seen);
                    }
                }
                Next::Work(work) => self.begin(run, &mut processes, *work),
                Next::Ask(question) => {
                    let answer = self.answer(&question.node);
                    run.answer(question.ticket, answer, self.now());
                }
                // What the run waits for was said before it was told to end.
                Next::Wait(_) if is_told => {}
                Next::Wait(wait) => {
                    if wait.stop.is_some() {
                        for process in &mut processes {
                            self.kill(process, None, End::ByTheCaller, &mut seen);
                        }
                    }
                    self.wait(run, &mut processes, wait.until.map(ms), &mut seen);
                }
                Next::Ended(status) => return (status, seen),
            }
        }
        seen.problems.push("the run does not end".into());
        (run.status(), seen)
    }

    fn note(&self, run: &Run, events: Vec<Event>, seen: &mut Seen) {
        for event in events {
            if let Happening::StepStart { scheduled } = &event.what {
                seen.scheduled = scheduled.iter().map(ToString::to_string).collect();
            }
            if event.what == Happening::StepEnd {
                let scheduled = std::mem::take(&mut seen.scheduled);
                seen.steps.push((scheduled, run.snapshot()));
            }
            let at = ms(event.at);
            seen.events.push((event, at));
        }
    }

    fn store(&mut self, run: &mut Run, seen: &mut Seen) {
        let snapshot = run.snapshot();
        self.follow(&run.take_progress(), &snapshot, seen);
        match Snapshot::from_value(&snapshot.to_value()) {
            Ok(read) if read == snapshot => {}
            Ok(_) => seen
                .problems
                .push("a snapshot is read back as another one".into()),
            Err(error) => seen.problems.push(error.to_string()),
        }
        if let Some(previous) = &self.stored
            && let Err(error) = snapshot.check_progress(previous)
        {
            seen.problems.push(error.to_string());
        }
        self.stored = Some(snapshot);
    }

    fn follow(&mut self, progress: &Progress, snapshot: &Snapshot, seen: &mut Seen) {
        let Some(replay) = &mut self.replay else {
            return;
        };
        let text = |snapshot: &Snapshot| snapshot.to_value().to_string();
        let read = Progress::from_value(&progress.to_value());
        match read.and_then(|read| replay.advance(&read)) {
            Ok(()) if text(&replay.snapshot()) == text(snapshot) => {}
            Ok(()) => seen
                .problems
                .push("a replay comes to another snapshot".into()),
            Err(error) => seen.problems.push(error.to_string()),
        }
    }

    fn answer(&mut self, node: &str) -> Option<Value> {
        let answers = self.answers.as_mut()?;
        let mut list = answers.get(node)?.as_array()?.to_vec();
        let first = (!list.is_empty()).then(|| list.remove(0));
        answers.insert(node, list);
        first.filter(|answer| !answer.is_null())
    }

    /// Lets time pass until something happens: a process, or what the run waits for.
    fn wait(
        &mut self,
        run: &mut Run,
        processes: &mut Vec<Process>,
        until: Option<i64>,
        seen: &mut Seen,
    ) {
        let due = processes.iter().enumerate().map(|(at, process)| {
            let deadline = process.work.deadline.map(|deadline| ms(deadline.at));
            let is_killed = process.killed.is_some();
            let waits = process.scripted.hangs && process.has_spoken && !is_killed;
            match deadline.filter(|_| !is_killed) {
                Some(deadline) if waits || deadline < process.due => (deadline, at, true),
                _ => (process.due, at, false),
            }
        });
        let first = due.min();
        match (first, until) {
            (Some((due, ..)), Some(until)) if until < due => self.now = self.now.max(until),
            (None, Some(until)) => self.now = self.now.max(until),
            (None, None) => seen.problems.push("the run waits for nothing".into()),
            (Some((due, at, is_late)), _) => {
                self.now = self.now.max(due);
                self.process_due(run, processes, at, is_late, seen);
            }
        }
    }

    fn process_due(
        &mut self,
        run: &mut Run,
        processes: &mut Vec<Process>,
        at: usize,
        is_late: bool,
        seen: &mut Seen,
    ) {
        let Some(process) = processes.get_mut(at) else {
            return;
        };
        if let Some(result) = process.killed.take() {
            let process = processes.remove(at);
            run.complete(process.work.ticket, result, self.now());
        } else if is_late {
            let code = process.work.deadline.map(|deadline| deadline.code);
            let code = code.unwrap_or(RunCode::NodeTimeout);
            self.kill(process, None, End::TimeIsUp(code), seen);
        } else {
            self.speak(run, processes, at, seen);
        }
    }

    fn begin(&mut self, run: &mut Run, processes: &mut Vec<Process>, work: Work) {
        if let Err(failure) = self.attempt(&work) {
            run.complete(work.ticket, failure, self.now());
            return;
        }
        let scripted = self.script.take(&work.node);
        processes.push(Process {
            due: if scripted.hangs {
                self.now
            } else {
                self.now + scripted.duration
            },
            work,
            scripted,
            killed: None,
            has_spoken: false,
        });
    }

    fn attempt<'w>(&'w self, work: &'w Work) -> Result<Attempt<'w>, Failure> {
        let unknown = || Failure::new(RunCode::UnknownNode, "there is no such node");
        let node = AgentNode::of_work(work, &self.wording).ok_or_else(unknown)?;
        Attempt::begin(node, &work.state, self.now())
    }

    /// The output of a process arrives, and it ends, if it is one that ends.
    fn speak(&mut self, run: &mut Run, processes: &mut Vec<Process>, at: usize, seen: &mut Seen) {
        let now = self.now();
        let Some(process) = processes.get_mut(at) else {
            return;
        };
        process.has_spoken = true;
        let ticket = process.work.ticket;
        let mut is_refused = false;
        let mut report = |usage: &Usage| match run.report(ticket, usage, now) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => {
                is_refused = true;
                ControlFlow::Break(())
            }
        };
        let result = self.result(process, &mut report, End::ByItself, &mut seen.artifacts);
        if is_refused {
            self.kill(process, Some(result), End::ByItself, seen);
        } else if !process.scripted.hangs {
            processes.remove(at);
            run.complete(ticket, result, now);
        }
    }

    /// What a process comes to that has written everything it has to write by now.
    fn result(
        &self,
        process: &Process,
        report: &mut dyn FnMut(&Usage) -> ControlFlow<()>,
        end: End,
        artifacts: &mut Vec<(String, usize)>,
    ) -> AttemptResult {
        let mut attempt = match self.attempt(&process.work) {
            Ok(attempt) => attempt,
            Err(failure) => return failure.into(),
        };
        let scripted = &process.scripted;
        if process.has_spoken {
            attempt.output(scripted.output.as_bytes(), &mut *report);
            attempt.error_output(scripted.error_output.as_bytes());
        }
        let mut ended = Ended::Exited(Some(scripted.exit_code));
        match end {
            End::ByItself => {}
            End::TimeIsUp(code) => attempt.time_is_up(code),
            End::ByTheCaller => attempt.abort(),
        }
        if attempt.must_stop() {
            ended = Ended::Exited(None);
        }
        if let Some(error) = &scripted.spawn_error {
            ended = Ended::Broken(error.clone());
        }
        let run_id = process.work.run_id.clone();
        let mut store = |artifact: Artifact<'_>| {
            let uri = format!("/graph-host/artifacts/{run_id}/{}", artifact.name);
            artifacts.push((uri.clone(), artifact.content.len()));
            Ok(uri)
        };
        attempt.end(ended, report, &mut store)
    }

    /// A process that is terminated closes a millisecond later, one that does not listen after five seconds.
    fn kill(
        &self,
        process: &mut Process,
        result: Option<AttemptResult>,
        end: End,
        seen: &mut Seen,
    ) {
        if process.killed.is_some() {
            return;
        }
        seen.kills.push("SIGTERM");
        process.due = self.now + 1;
        if process.scripted.ignores_term {
            seen.kills.push("SIGKILL");
            process.due += 5000;
        }
        let mut report = |_: &Usage| ControlFlow::Continue(());
        let result =
            result.unwrap_or_else(|| self.result(process, &mut report, end, &mut seen.artifacts));
        process.killed = Some(result);
    }
}
