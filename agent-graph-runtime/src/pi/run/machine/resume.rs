//! How a run goes on from a snapshot (spec 13.4). Knows nothing about where snapshots are kept.

use alloc::collections::{BTreeMap, VecDeque};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use super::flight::{Flight, Place, Slot};
use super::{Run, Stage, limits};
use crate::digest::Digest;
use crate::json::Value;
use crate::pi::graph::Graph;
use crate::pi::run::change::{self, Change};
use crate::pi::run::index::Index;
use crate::pi::run::named::Named;
use crate::pi::run::outline::Outline;
use crate::pi::run::record::{NodeResult, RunStatus, ThreadRecord};
use crate::pi::run::snapshot::Snapshot;
use crate::timestamp::Timestamp;

/// How a run is to go on.
#[derive(Clone, Debug, Default)]
pub struct Resume {
    /// What a person answered; it goes to the node that asked, and to nobody else.
    pub value: Option<Value>,
    /// Whether another definition of the graph is accepted.
    pub force: bool,
    /// The outline of the graph that the run was started with, where that was kept: a refusal says then how far
    /// the graph has changed.
    pub started_with: Option<Outline>,
}

/// Why a run cannot go on with this graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResumeError {
    /// The run is one of another graph. That is never accepted.
    GraphNameMismatch,
    /// The graph is defined otherwise than when the run was started.
    GraphChanged {
        /// The hash of the definition that the run was started with.
        started_with: Digest,
        /// The hash of the definition now.
        now: Digest,
        /// How far it has changed, as far as that is known.
        change: Option<Change>,
    },
}

impl ResumeError {
    /// The label, as the specification has it.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::GraphNameMismatch => "GRAPH_NAME_MISMATCH",
            Self::GraphChanged { .. } => "GRAPH_CHANGED",
        }
    }
}

impl fmt::Display for ResumeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::GraphNameMismatch => {
                write!(f, "{}: the run is one of another graph", self.as_str())
            }
            Self::GraphChanged {
                started_with,
                now,
                change,
            } => {
                write!(
                    f,
                    "{}: the run was started with the definition {started_with}, which is now {now}",
                    self.as_str()
                )?;
                match change {
                    Some(change) => write!(f, " (class of change: {change})"),
                    None => Ok(()),
                }
            }
        }
    }
}

impl core::error::Error for ResumeError {}

impl Run {
    /// The run at this snapshot, to go on. Nodes of the superstep in flight that are done are not run again.
    ///
    /// A run that has completed, and one that waits for a person while there is no answer, has ended already:
    /// nothing happens to it.
    ///
    /// # Errors
    /// The graph is another one, or defined otherwise and that is not accepted.
    pub fn resume(
        graph: &Graph,
        snapshot: Snapshot,
        resume: Resume,
        now: Timestamp,
    ) -> Result<Self, ResumeError> {
        if graph.name() != snapshot.graph_name {
            return Err(ResumeError::GraphNameMismatch);
        }
        if graph.hash() != snapshot.graph_hash && !resume.force {
            return Err(ResumeError::GraphChanged {
                started_with: snapshot.graph_hash,
                now: graph.hash(),
                change: known_change(graph, &snapshot, resume.started_with.as_ref()),
            });
        }
        let is_over = match snapshot.status {
            RunStatus::Completed => true,
            RunStatus::Interrupted => resume.value.is_none(),
            RunStatus::Running | RunStatus::Failed | RunStatus::Cancelled => false,
        };
        let mut run = Self::at(graph, snapshot, now);
        if !is_over {
            run.go_on(resume.value, now);
        }
        Ok(run)
    }

    /// The run at this snapshot, ended.
    fn at(graph: &Graph, snapshot: Snapshot, now: Timestamp) -> Self {
        let now = now.max(snapshot.updated_at);
        let mut run = Self {
            index: Index::of(graph),
            graph: graph.clone(),
            run_id: snapshot.run_id.as_str().into(),
            graph_hash: snapshot.graph_hash,
            graph_source: snapshot.graph_source,
            status: snapshot.status,
            created_at: snapshot.created_at,
            started_at: snapshot.started_at,
            ended_at: snapshot.ended_at,
            now: snapshot.updated_at,
            call_started: snapshot.updated_at,
            active_before: snapshot.active_time_ms,
            step: snapshot.step,
            node_runs: snapshot.node_runs,
            bytes: limits::state_bytes(&snapshot.state),
            state: snapshot.state,
            pending: Vec::new(),
            counts: snapshot.completion_counts.into_iter().collect(),
            consumed: snapshot
                .barrier_consumed
                .into_iter()
                .map(|(edge, sources)| (edge, sources.into_iter().collect::<Named<u64>>()))
                .collect(),
            hot_barriers: Vec::new(),
            usage: snapshot.usage,
            history: snapshot.history,
            thread_nodes: snapshot.threads.iter().flat_map(users).collect(),
            limited: Vec::new(),
            threads: snapshot
                .threads
                .into_iter()
                .map(|thread| (thread.key.clone(), thread))
                .collect(),
            flight: None,
            interrupt: snapshot.interrupt,
            error: None,
            resumed: None,
            is_aborted: false,
            is_save_due: false,
            stage: Stage::Ended,
            last_ticket: 0,
            recording: None,
            events: VecDeque::new(),
        };
        run.pending = snapshot.pending.iter().map(|id| run.named(id)).collect();
        if let Some(in_flight) = snapshot.in_flight {
            let mut done: BTreeMap<_, NodeResult> = in_flight.completed.into_iter().collect();
            let nodes = in_flight.scheduled.iter().map(|id| run.named(id));
            let mut flight = Flight::of(nodes.collect(), now);
            for slot in &mut flight.slots {
                if let Some(result) = done.remove(&*slot.node.id) {
                    restore(slot, result);
                }
            }
            run.flight = Some(flight);
        }
        run.hot_barriers = run.barriers_due();
        run
    }

    /// Barriers that could fire: in a run of this graph there are none between supersteps, but the graph may
    /// have been another one.
    fn barriers_due(&self) -> Vec<u32> {
        let tables = self.graph.tables();
        let edges = (0..).zip(tables.edges);
        let due = edges.filter(|(edge, row)| {
            let sources = tables.rows(tables.lists, row.from);
            sources.len() > 1 && self.surplus(*edge, sources) > 0
        });
        due.map(|(edge, _)| edge).collect()
    }

    fn go_on(&mut self, value: Option<Value>, now: Timestamp) {
        self.now = self.now.max(now);
        self.call_started = self.now;
        self.status = RunStatus::Running;
        self.ended_at = None;
        self.stage = Stage::Opening;
        let asked = self.interrupt.take();
        if let (Some(asked), Some(value)) = (asked, value) {
            self.resumed = Some((Arc::from(asked.node.as_str()), value));
        }
    }
}

/// How far the graph has changed; without the one of before, only that it lacks a node which waits or works.
fn known_change(graph: &Graph, snapshot: &Snapshot, before: Option<&Outline>) -> Option<Change> {
    let before = before.filter(|before| before.hash == snapshot.graph_hash);
    match before {
        Some(before) => Some(change::change(before, graph, snapshot)),
        None => change::has_lost_nodes(graph, snapshot).then_some(Change::InFlight),
    }
}

/// The nodes of a thread, with its key.
fn users(thread: &ThreadRecord) -> impl Iterator<Item = (Arc<str>, Arc<str>)> {
    let key: Arc<str> = thread.key.as_str().into();
    let nodes = thread.nodes.iter();
    nodes.map(move |node| (key.clone(), node.as_str().into()))
}

fn restore(slot: &mut Slot, result: NodeResult) {
    slot.attempt = result.attempts;
    slot.made = result.attempts;
    slot.started_at = result.started_at;
    slot.place = Place::Done(result);
}
