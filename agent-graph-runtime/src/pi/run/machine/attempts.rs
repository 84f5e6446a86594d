//! Attempts: which one is next, what it is given, and what is reported and told of it (spec 7.1). Knows
//! nothing about what a superstep makes of them.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec;

use super::flight::Place;
use super::start::is_sound;
use super::{Next, Question, Run, Stage, Wait, limits};
use crate::json::Value;
use crate::pi::path;
use crate::pi::reducer::Write;
use crate::pi::run::attempt::{AttemptResult, Failure, Interrupt, Success};
use crate::pi::run::code::RunCode;
use crate::pi::run::event::Happening;
use crate::pi::run::record::NodeStatus;
use crate::pi::run::usage::Usage;
use crate::pi::run::work::{Ticket, Work, WorkThread};
use crate::pi::run::{human, set_node};
use crate::pi::tables::{NodeRow, Tables};
use crate::pi::words::{NodeType, WriteMode};
use crate::timestamp::Timestamp;

impl Run {
    /// The next thing to do within the superstep; nothing when something has changed.
    pub(super) fn within(&mut self) -> Option<Next> {
        let limit = self.graph.tables().graph.max_concurrency;
        let now = self.now;
        let Some(flight) = &mut self.flight else {
            self.stage = Stage::Between;
            return None;
        };
        if self.is_aborted {
            flight.give_up_waiting();
        } else if let Some(at) = flight.take_due(now) {
            return self.begin_attempt(at);
        } else if flight.active < limit
            && let Some(at) = flight.take_open(now)
        {
            return self.begin_attempt(at);
        }
        let Some(flight) = &self.flight else {
            return None;
        };
        if flight.active == 0 {
            self.conclude();
            return None;
        }
        Some(Next::Wait(Wait {
            until: flight.due(),
            stop: self.is_aborted.then_some(RunCode::Aborted),
        }))
    }

    fn begin_attempt(&mut self, at: usize) -> Option<Next> {
        let max_node_runs = self.graph.tables().graph.max_node_runs;
        let slot = self.flight.as_mut()?.slots.get_mut(at)?;
        slot.attempt = slot.attempt.saturating_add(1);
        slot.reported = Usage::default();
        slot.question = None;
        let attempt = slot.attempt;
        let node = slot.node.clone();
        let Some(row) = node.row else {
            self.settle_without_record(at, Place::Missing, NodeStatus::Failed, None);
            return None;
        };
        if self.is_overdue() {
            let failure = Failure::new(RunCode::Timeout, "the time of the run is up");
            self.settle_without_record(at, Place::Stopped, NodeStatus::Failed, Some(failure));
            return None;
        }
        if self.node_runs >= max_node_runs {
            let words = format!("no more than {max_node_runs} attempts may be made");
            self.settle(at, Failure::new(RunCode::MaxNodeRuns, words).into());
            return None;
        }
        self.node_runs += 1;
        if let Some(slot) = self
            .flight
            .as_mut()
            .and_then(|flight| flight.slots.get_mut(at))
        {
            slot.made += 1;
        }
        let id = node.id.clone();
        self.emit(Happening::NodeStart { node: id, attempt });
        let graph = self.graph.clone();
        let tables = graph.tables();
        let node_row = tables.row(tables.nodes, row);
        match node_row.node_type {
            NodeType::Set => {
                let result = set_node::run(&tables, node_row, &self.state);
                self.ended(at, result);
                None
            }
            NodeType::Human => self.begin_question(at, &tables, node_row),
            NodeType::Agent => Some(Next::Work(Box::new(self.work(at, row, node_row)?))),
        }
    }

    fn work(&mut self, at: usize, row: u32, node_row: &NodeRow) -> Option<Work> {
        let ticket = self.ticket(at)?;
        let (attempt_budget, run_budget) = self.budgets(node_row);
        let deadline = self.deadline(node_row);
        let slot = self.flight.as_ref()?.slots.get(at)?;
        let resume = self.resumed.as_ref();
        let resume = resume.filter(|(node, _)| *node == slot.node.id);
        Some(Work {
            ticket,
            graph: self.graph.clone(),
            run_id: self.run_id.clone(),
            node: slot.id(),
            row,
            step: self.step,
            attempt: slot.attempt,
            state: self.state.clone(),
            thread: self.thread_of(node_row),
            resume: resume.map(|(_, value)| value.clone()),
            started_at: self.now,
            deadline: Some(deadline),
            attempt_budget,
            run_budget,
        })
    }

    fn begin_question(
        &mut self,
        at: usize,
        tables: &Tables<'_>,
        node_row: &NodeRow,
    ) -> Option<Next> {
        let human_row = tables.row(tables.humans, node_row.detail);
        let interrupt = match human::question(tables, human_row, &self.state) {
            Ok(interrupt) => interrupt,
            Err(failure) => {
                self.ended(at, failure.into());
                return None;
            }
        };
        let slot = self.flight.as_mut()?.slots.get_mut(at)?;
        slot.question = Some(interrupt.clone());
        let node = slot.id();
        let resumed = self.resumed.as_ref().filter(|(named, _)| **named == *node);
        if let Some((_, value)) = resumed {
            let value = value.clone();
            self.answered(at, interrupt, Some(value));
            return None;
        }
        if human_row.pause {
            self.answered(at, interrupt, None);
            return None;
        }
        Some(Next::Ask(Box::new(Question {
            ticket: self.ticket(at)?,
            node,
            interrupt,
        })))
    }

    fn ticket(&mut self, at: usize) -> Option<Ticket> {
        self.last_ticket += 1;
        let ticket = Ticket(self.last_ticket);
        self.flight.as_mut()?.at_work.insert(ticket, at);
        Some(ticket)
    }

    /// The thread that a node uses.
    fn thread_of(&self, node_row: &NodeRow) -> Option<WorkThread> {
        let tables = self.graph.tables();
        if node_row.node_type != NodeType::Agent {
            return None;
        }
        let agent = tables.row(tables.agents, node_row.detail);
        let thread = self.threads.get(tables.text_or_none(agent.thread_key)?)?;
        Some(WorkThread {
            key: thread.key.clone(),
            session_id: thread.session_id.clone(),
            invocation_count: thread.invocation_count,
        })
    }

    /// Charges what an attempt has used since its last report, turn by turn.
    ///
    /// # Errors
    /// The limit that is exceeded: the attempt is to be ended, and completed with a failure of code
    /// `BUDGET_LIMIT`. An attempt that is not at work is `UNKNOWN`.
    pub fn report(&mut self, ticket: Ticket, used: &Usage, now: Timestamp) -> Result<(), RunCode> {
        self.advance(now);
        let at = self
            .flight
            .as_ref()
            .and_then(|flight| flight.at_work.get(&ticket));
        let at = *at.ok_or(RunCode::Unknown)?;
        self.usage.add_amounts(used);
        let slot = self
            .flight
            .as_mut()
            .and_then(|flight| flight.slots.get_mut(at));
        let slot = slot.ok_or(RunCode::Unknown)?;
        slot.reported.add(used);
        let (reported, row) = (slot.reported.clone(), slot.node.row.unwrap_or_default());
        match self.exceeded_by(row, &reported) {
            None => Ok(()),
            Some(code) => Err(code),
        }
    }

    /// Tells what an attempt came to. An attempt that is not at work is passed over: its result came too
    /// late, or twice.
    pub fn complete(&mut self, ticket: Ticket, result: impl Into<AttemptResult>, now: Timestamp) {
        self.advance(now);
        let flight = self.flight.as_mut();
        if let Some(at) = flight.and_then(|flight| flight.at_work.remove(&ticket)) {
            self.ended(at, result.into());
        }
    }

    /// Tells what a person said; nothing when there is nobody to ask, and the run is to wait for an answer.
    pub fn answer(&mut self, ticket: Ticket, value: Option<Value>, now: Timestamp) {
        self.advance(now);
        let Some(flight) = self.flight.as_mut() else {
            return;
        };
        let Some(&at) = flight.at_work.get(&ticket) else {
            return;
        };
        let question = flight
            .slots
            .get_mut(at)
            .and_then(|slot| slot.question.take());
        if let Some(interrupt) = question {
            flight.at_work.remove(&ticket);
            self.answered(at, interrupt, value);
        }
    }

    fn answered(&mut self, at: usize, interrupt: Interrupt, value: Option<Value>) {
        let Some(value) = value else {
            self.ended(at, interrupt.into());
            return;
        };
        let result = match human::answer(&interrupt, value) {
            Ok(value) => self.answer_written(at, value).into(),
            Err(failure) => failure.into(),
        };
        self.ended(at, result);
    }

    fn answer_written(&self, at: usize, value: Value) -> Success {
        let tables = self.graph.tables();
        let slot = self.flight.as_ref().and_then(|flight| flight.slots.get(at));
        let row = slot.and_then(|slot| slot.node.row).unwrap_or_default();
        let output = tables.row(tables.nodes, row).output;
        let write = Write {
            path: tables.text(tables.row(tables.paths, output).written).into(),
            value: Some(value.clone()),
            mode: WriteMode::Reduce,
        };
        Success {
            writes: vec![write],
            output: Some(value),
            usage: Usage::default(),
        }
    }

    /// An attempt has ended: charges what it used beyond its reports, holds it against the limits, and goes
    /// on with another attempt or none.
    fn ended(&mut self, at: usize, result: AttemptResult) {
        let mut result = checked(result);
        let graph = self.graph.clone();
        let tables = graph.tables();
        let used = used_mut(&mut result)
            .map(core::mem::take)
            .unwrap_or_default();
        let slot = self
            .flight
            .as_mut()
            .and_then(|flight| flight.slots.get_mut(at));
        let Some(slot) = slot else {
            return;
        };
        let row = slot.node.row.unwrap_or_default();
        let unreported = beyond(&used, &slot.reported);
        slot.reported.add(&unreported);
        // What was reported counts, even if the result says nothing about it.
        let reported = slot.reported.clone();
        slot.usage.add(&reported);
        let (whole, id) = (slot.reported.clone(), slot.node.id.clone());
        self.usage.add_amounts(&unreported);
        let node_row = tables.row(tables.nodes, row);
        self.thread_used(&tables, node_row, &id);
        if let Some(code) = self.exceeded_by(row, &whole)
            && !is_stopped(&result)
            && let Some(slot) = self.flight.as_ref().and_then(|flight| flight.slots.get(at))
        {
            result = limits::failure(code, slot).into();
        }
        match result {
            AttemptResult::Failure(failure) => self.failed(at, node_row, failure),
            other => self.settle(at, other),
        }
    }

    fn failed(&mut self, at: usize, node_row: &NodeRow, mut failure: Failure) {
        // Whoever is stopped because time is up does not have to know why.
        if failure.code == RunCode::Aborted && !self.is_aborted && self.deadline_passed() {
            failure.code = RunCode::Timeout;
        }
        let now = self.now;
        let slot = self
            .flight
            .as_mut()
            .and_then(|flight| flight.slots.get_mut(at));
        let Some(slot) = slot else {
            return;
        };
        let is_last = slot.attempt >= node_row.max_attempts;
        if is_last || !failure.retryable || failure.code.ends_the_run() || self.is_aborted {
            self.settle(at, failure.into());
            return;
        }
        let due = limits::retry_at(now, node_row, slot.attempt);
        let (node, attempt) = (slot.node.id.clone(), slot.attempt.saturating_add(1));
        if let Some(flight) = &mut self.flight {
            flight.wait(at, due);
        }
        self.emit(Happening::NodeRetry {
            node,
            attempt,
            due,
            failure,
        });
    }

    fn deadline_passed(&self) -> bool {
        self.active_ms() >= self.graph.tables().graph.timeout_ms
    }

    /// After every attempt, successful or not, the thread has one invocation more. The node is one of its nodes
    /// since it was scheduled.
    fn thread_used(&mut self, tables: &Tables<'_>, node_row: &NodeRow, id: &str) {
        if node_row.node_type != NodeType::Agent {
            return;
        }
        let agent = tables.row(tables.agents, node_row.detail);
        let Some(key) = tables.text_or_none(agent.thread_key) else {
            return;
        };
        let now = self.now;
        if let Some(thread) = self.threads.get_mut(key) {
            if let Some(recording) = &mut self.recording {
                recording.thread_changes(key, thread.nodes.len());
            }
            thread.invocation_count = thread.invocation_count.saturating_add(1);
            thread.updated_at = now;
            thread.last_node = Some(id.into());
        }
    }
}

fn used_mut(result: &mut AttemptResult) -> Option<&mut Usage> {
    match result {
        AttemptResult::Success(success) => Some(&mut success.usage),
        AttemptResult::Failure(failure) => Some(&mut failure.usage),
        AttemptResult::Interrupt(_) => None,
    }
}

/// What was used beyond what was reported.
fn beyond(used: &Usage, reported: &Usage) -> Usage {
    Usage {
        input_tokens: used.input_tokens.saturating_sub(reported.input_tokens),
        output_tokens: used.output_tokens.saturating_sub(reported.output_tokens),
        cache_read_tokens: used
            .cache_read_tokens
            .saturating_sub(reported.cache_read_tokens),
        cache_write_tokens: used
            .cache_write_tokens
            .saturating_sub(reported.cache_write_tokens),
        turns: used.turns.saturating_sub(reported.turns),
        cost_usd: (used.cost_usd - reported.cost_usd).max(0.0),
        model: used.model.clone(),
    }
}

fn is_stopped(result: &AttemptResult) -> bool {
    matches!(
        result,
        AttemptResult::Failure(Failure {
            code: RunCode::Aborted | RunCode::Timeout,
            ..
        })
    )
}

/// The result, or a failure in its place if it could not be kept: everything in a run has to fit into a
/// checkpoint.
fn checked(result: AttemptResult) -> AttemptResult {
    match result {
        AttemptResult::Success(success) => match unsound(&success) {
            None => success.into(),
            Some(words) => Failure::new(RunCode::ExecutionError, words)
                .with_usage(success.usage)
                .into(),
        },
        AttemptResult::Failure(mut failure) => {
            if crate::pi::text::trim(&failure.message).is_empty() {
                failure.message = String::from(failure.code.as_str());
            }
            failure.into()
        }
        AttemptResult::Interrupt(interrupt) => interrupt.into(),
    }
}

fn unsound(success: &Success) -> Option<String> {
    if let Some(output) = &success.output
        && let Err(error) = is_sound(output, 0)
    {
        return Some(format!("the output cannot be kept: {error}"));
    }
    success.writes.iter().find_map(|write| {
        let refused = |words: &str| Some(format!("the write to `{}` {words}", write.path));
        let segments = match path::segments(&write.path) {
            Ok(segments) => segments,
            Err(error) => return refused(&format!("has no path: {error}")),
        };
        match (&write.value, write.mode) {
            (None, WriteMode::Unset) => None,
            (Some(_), WriteMode::Unset) => refused("takes the value away and has one"),
            (None, _) => refused("has no value"),
            (Some(value), _) => match is_sound(value, segments.len()) {
                Ok(()) => None,
                Err(error) => refused(&format!("cannot be kept: {error}")),
            },
        }
    })
}
