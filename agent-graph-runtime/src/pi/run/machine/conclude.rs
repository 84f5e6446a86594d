//! Where supersteps begin and end, and the run with them (spec 6.2, 6.4, 6.5). Knows nothing about attempts.

use alloc::collections::BTreeSet;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::flight::{Flight, Place};
use super::{Run, Stage};
use crate::digest::Digest;
use crate::pi::run::code::RunCode;
use crate::pi::run::event::Happening;
use crate::pi::run::outcome::{NodeFailure, RunError, RunProblem};
use crate::pi::run::record::{NodeStatus, PendingInterrupt, RunStatus, ThreadRecord};
use crate::pi::words::NodeType;

impl Run {
    /// The beginning of a call.
    pub(super) fn open(&mut self) {
        if let Some(code) = self.oversized() {
            self.fail(RunProblem::Code(code));
            return;
        }
        self.emit(Happening::GraphStart);
        self.is_save_due = true;
        self.stage = Stage::Between;
    }

    /// Begins the next superstep, goes on with the one in flight, or ends the run.
    pub(super) fn begin_step(&mut self) {
        if self.is_aborted {
            self.cancel();
            return;
        }
        if let Some(code) = self.exceeded_between() {
            self.fail(RunProblem::Code(code));
            return;
        }
        if self.flight.is_none() {
            self.take_off();
            return;
        }
        if let Some(key) = self.contended_thread() {
            self.fail(RunProblem::ThreadConcurrent(key));
            return;
        }
        self.stage = Stage::Within;
    }

    /// Puts the pending nodes into a new superstep, if there are any and there may be one.
    fn take_off(&mut self) {
        if self.pending.is_empty() {
            self.end(RunStatus::Completed, None);
            return;
        }
        if self.step >= self.graph.tables().graph.max_steps {
            self.fail(RunProblem::Code(RunCode::MaxSteps));
            return;
        }
        self.step += 1;
        let scheduled = core::mem::take(&mut self.pending);
        let nodes = scheduled.iter().map(|node| node.id.clone()).collect();
        self.flight = Some(Flight::of(scheduled, self.now));
        if let Some(recording) = &mut self.recording {
            recording.began();
        }
        self.make_threads();
        self.emit(Happening::StepStart { scheduled: nodes });
        self.is_save_due = true;
    }

    /// The nodes of the superstep that use a thread, with its key.
    fn thread_users(&self) -> Vec<(String, String)> {
        let tables = self.graph.tables();
        let slots = self.flight.iter().flat_map(|flight| &flight.slots);
        let key = |row| {
            let node_row = tables.row(tables.nodes, row);
            let agent = tables.row(tables.agents, node_row.detail);
            let is_agent = node_row.node_type == NodeType::Agent;
            is_agent.then(|| tables.text_or_none(agent.thread_key))?
        };
        slots
            .filter_map(|slot| Some((key(slot.node.row?)?.into(), slot.id())))
            .collect()
    }

    fn make_threads(&mut self) {
        let now = self.now;
        for (key, node) in self.thread_users() {
            let run_id = self.run_id.clone();
            let thread = self
                .threads
                .get_or_insert(&key.as_str().into(), || ThreadRecord {
                    session_id: session_id(&run_id, &key),
                    key: key.clone(),
                    created_at: now,
                    updated_at: now,
                    nodes: Vec::new(),
                    invocation_count: 0,
                    last_node: None,
                });
            let user = (Arc::from(key.as_str()), Arc::from(node.as_str()));
            if self.thread_nodes.insert(user) {
                if let Some(recording) = &mut self.recording {
                    recording.thread_changes(&key, thread.nodes.len());
                }
                thread.nodes.push(node);
                thread.updated_at = now;
            }
        }
    }

    /// A thread that two nodes of the superstep use.
    fn contended_thread(&self) -> Option<String> {
        let mut seen = BTreeSet::new();
        let mut users = self.thread_users().into_iter();
        users.find_map(|(key, _)| (!seen.insert(key.clone())).then_some(key))
    }

    /// All nodes of the superstep have settled, or none is begun any more.
    pub(super) fn conclude(&mut self) {
        if self.is_aborted {
            self.cancel();
            return;
        }
        if self.is_overdue() {
            self.fail(RunProblem::Code(RunCode::Timeout));
            return;
        }
        let slots = self.flight.iter().flat_map(|flight| &flight.slots);
        let missing = slots
            .clone()
            .find(|slot| matches!(slot.place, Place::Missing));
        if let Some(slot) = missing {
            let node = slot.id();
            self.fail(RunProblem::StepResultMissing(node));
            return;
        }
        let mut ends = Vec::new();
        let mut failures = Vec::new();
        let mut interrupt = None;
        for slot in slots {
            let status = match &slot.place {
                Place::Failed(failure) => {
                    failures.push(NodeFailure {
                        node: slot.id(),
                        code: failure.code,
                        message: failure.message.clone(),
                    });
                    NodeStatus::Failed
                }
                Place::Interrupted(question) => {
                    interrupt.get_or_insert_with(|| PendingInterrupt {
                        node: slot.id(),
                        interrupt: question.clone(),
                        created_at: self.now,
                    });
                    NodeStatus::Interrupted
                }
                _ if slot.has_failed => NodeStatus::Failed,
                _ => NodeStatus::Completed,
            };
            if slot.is_fresh {
                let node = slot.node.id.clone();
                ends.push(Happening::NodeEnd { node, status });
            }
        }
        for end in ends {
            self.emit(end);
        }
        if !failures.is_empty() {
            self.end(RunStatus::Failed, Some(RunError::Nodes(failures)));
        } else if let Some(interrupt) = interrupt {
            self.wait_for(interrupt);
        } else if let Err(problem) = self.land() {
            self.fail(problem);
        }
    }

    fn wait_for(&mut self, interrupt: PendingInterrupt) {
        let node = interrupt.node.as_str().into();
        let prompt = interrupt.interrupt.prompt.clone();
        self.interrupt = Some(interrupt);
        self.emit(Happening::Interrupt { node, prompt });
        self.end(RunStatus::Interrupted, None);
    }

    /// Commits the superstep.
    fn land(&mut self) -> Result<(), RunProblem> {
        let Some(flight) = self.flight.take() else {
            return Ok(());
        };
        // Copied only if somebody still holds the state, such as an attempt that was given up.
        let mut state = core::mem::take(&mut self.state);
        let committed = self.commit(&flight, Arc::make_mut(&mut state));
        self.state = state;
        let committed = match committed {
            Ok(committed) => committed,
            Err(problem) => {
                self.flight = Some(flight);
                return Err(problem);
            }
        };
        self.bytes = committed.bytes;
        self.limited = committed.limited;
        for slot in &flight.slots {
            *self.counts.get_or_insert(&slot.node.id, || 0) += 1;
        }
        if let Some(recording) = &mut self.recording {
            recording.landed(flight.slots.iter().map(|slot| slot.node.id.clone()));
        }
        self.pending = self.followers(&flight, committed.targets);
        // An answer belongs to the superstep in which it was asked for.
        self.resumed = None;
        self.emit(Happening::StepEnd);
        self.is_save_due = true;
        self.stage = Stage::Between;
        Ok(())
    }

    fn cancel(&mut self) {
        let error = RunError::Run(RunProblem::Code(RunCode::Aborted));
        self.end(RunStatus::Cancelled, Some(error));
    }

    pub(super) fn fail(&mut self, problem: RunProblem) {
        self.end(RunStatus::Failed, Some(RunError::Run(problem)));
    }

    fn end(&mut self, status: RunStatus, error: Option<RunError>) {
        self.status = status;
        self.ended_at = (status != RunStatus::Interrupted).then_some(self.now);
        let message = error.as_ref().map(ToString::to_string);
        self.error = error;
        self.emit(Happening::GraphEnd { status, message });
        self.is_save_due = true;
        self.stage = Stage::Ended;
    }
}

/// The name of the session of a thread: a UUID that follows from the run and the key, so that nothing has to
/// be drawn by lot.
fn session_id(run_id: &str, key: &str) -> String {
    let digest = Digest::of_bytes(alloc::format!("thread\0{run_id}\0{key}").as_bytes());
    let mut bytes = [0; 16];
    for (byte, from) in bytes.iter_mut().zip(digest.as_bytes()) {
        *byte = *from;
    }
    let number = u128::from_be_bytes(bytes);
    // Version 8 (made by rules of one's own), variant 10.
    let number = number & !(0xf << 76) | (0x8 << 76);
    let number = number & !(0x3 << 62) | (0x2 << 62);
    let hex = alloc::format!("{number:032x}");
    let part = |from: usize, to: usize| hex.get(from..to).unwrap_or("");
    [
        part(0, 8),
        part(8, 12),
        part(12, 16),
        part(16, 20),
        part(20, 32),
    ]
    .join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn session_ids_are_uuids_of_their_own() {
        let id = session_id("run-1", "k");
        assert_eq!(id, session_id("run-1", "k"));
        assert_ne!(id, session_id("run-1", "l"));
        assert_ne!(id, session_id("run-2", "k"));
        assert_eq!(id.len(), 36);
        assert_eq!(id.get(14..15), Some("8"), "{id}");
        assert!(
            matches!(id.get(19..20), Some("8" | "9" | "a" | "b")),
            "{id}"
        );
    }
}
