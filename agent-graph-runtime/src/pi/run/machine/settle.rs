//! What a node comes to in the end: done, failed, waiting for a person (spec 6.4). Knows nothing about the
//! other nodes.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::Run;
use super::flight::Place;
use crate::json::{Object, Value};
use crate::pi::reducer::Write;
use crate::pi::run::attempt::{AttemptResult, Failure};
use crate::pi::run::code::RunCode;
use crate::pi::run::event::Happening;
use crate::pi::run::record::{HistoryEntry, NodeResult, NodeStatus};
use crate::pi::tables::{NodeRow, Tables};
use crate::pi::words::{ErrorStrategy, WriteMode};

impl Run {
    /// The last attempt at a node has ended.
    pub(super) fn settle(&mut self, at: usize, result: AttemptResult) {
        match result {
            AttemptResult::Success(success) => {
                let done = self.node_result(at, success.writes, success.output, None);
                self.record(at, done.map(Place::Done), NodeStatus::Completed, None);
                self.is_save_due = true;
            }
            AttemptResult::Interrupt(_) if self.is_aborted => {
                self.settle_without_record(at, Place::Stopped, NodeStatus::Cancelled, None);
            }
            AttemptResult::Interrupt(interrupt) => {
                let place = Some(Place::Interrupted(interrupt));
                self.record(at, place, NodeStatus::Interrupted, None);
            }
            AttemptResult::Failure(failure) => self.settle_failure(at, failure),
        }
    }

    fn settle_failure(&mut self, at: usize, failure: Failure) {
        if self.is_aborted {
            let status = NodeStatus::Cancelled;
            self.settle_without_record(at, Place::Stopped, status, Some(failure));
            return;
        }
        if failure.code == RunCode::Timeout {
            let status = NodeStatus::Failed;
            self.settle_without_record(at, Place::Stopped, status, Some(failure));
            return;
        }
        let why = failure.clone();
        let place = match self.handled(at, &failure) {
            Some(done) => {
                self.is_save_due = true;
                Place::Done(done)
            }
            None => Place::Failed(failure),
        };
        self.record(at, Some(place), NodeStatus::Failed, Some(why));
    }

    /// A failure that the graph turns into a success. What ends the whole run is never one.
    fn handled(&self, at: usize, failure: &Failure) -> Option<NodeResult> {
        let tables = self.graph.tables();
        let slot = self.flight.as_ref()?.slots.get(at)?;
        let node_row = tables.row(tables.nodes, slot.node.row?);
        if node_row.error_strategy == ErrorStrategy::Fail || failure.code.ends_the_run() {
            return None;
        }
        let mut error = Object::new();
        error.insert("message", failure.message.as_str());
        error.insert("code", failure.code.as_str());
        error.insert("retryable", failure.retryable);
        error.insert("attempts", slot.attempt as f64);
        let path = tables.row(tables.paths, node_row.error_output).written;
        let write = Write {
            path: tables.text(path).into(),
            value: Some(error.clone().into()),
            mode: WriteMode::Reduce,
        };
        let next = (node_row.error_strategy == ErrorStrategy::Route)
            .then(|| error_targets(&tables, node_row));
        self.node_result(at, vec![write], Some(error.into()), next)
    }

    fn node_result(
        &self,
        at: usize,
        writes: Vec<Write>,
        output: Option<Value>,
        next: Option<Vec<String>>,
    ) -> Option<NodeResult> {
        let slot = self.flight.as_ref()?.slots.get(at)?;
        Some(NodeResult {
            writes,
            output,
            usage: slot.usage.clone(),
            next,
            attempts: slot.made,
            started_at: slot.started_at,
            ended_at: self.now,
        })
    }

    /// Puts the node in its place, tells whoever watches, and writes it down, unless no attempt was made.
    fn record(
        &mut self,
        at: usize,
        place: Option<Place>,
        status: NodeStatus,
        failure: Option<Failure>,
    ) {
        let Some(place) = place else {
            return;
        };
        let (step, now) = (self.step, self.now);
        let slot = self.flight.as_ref().and_then(|flight| flight.slots.get(at));
        let Some(slot) = slot else {
            return;
        };
        let (node, attempt, usage) = (slot.node.id.clone(), slot.attempt, slot.usage.clone());
        if slot.made > 0 {
            self.history.push(HistoryEntry {
                step,
                node: slot.id(),
                status,
                attempts: slot.made,
                started_at: slot.started_at,
                ended_at: now,
                usage: usage.clone(),
                error: failure.as_ref().map(|failure| failure.message.clone()),
            });
        }
        if let (Some(recording), Place::Done(_)) = (&mut self.recording, &place) {
            recording.done(at);
        }
        if let Some(flight) = &mut self.flight {
            flight.settle(at, place);
            if let Some(slot) = flight.slots.get_mut(at) {
                slot.has_failed = status == NodeStatus::Failed;
            }
        }
        self.emit(Happening::NodeSettled {
            node,
            attempt,
            status,
            failure,
            usage,
        });
    }

    /// A node that is stopped with the run, or that the graph does not have: nothing is written down, since
    /// it did not come to anything.
    pub(super) fn settle_without_record(
        &mut self,
        at: usize,
        place: Place,
        status: NodeStatus,
        failure: Option<Failure>,
    ) {
        let Some(flight) = &mut self.flight else {
            return;
        };
        flight.settle(at, place);
        if let Some(slot) = flight.slots.get(at) {
            let settled = Happening::NodeSettled {
                node: slot.node.id.clone(),
                attempt: slot.attempt,
                status,
                failure,
                usage: slot.usage.clone(),
            };
            self.emit(settled);
        }
    }
}

fn error_targets(tables: &Tables<'_>, node_row: &NodeRow) -> Vec<String> {
    let targets = tables.rows(tables.lists, node_row.error_targets).iter();
    targets
        .map(|&row| tables.text(tables.row(tables.nodes, row).id).into())
        .collect()
}
