//! A run at one point that follows what happens to it (spec 13.1, 13.2). Each step is held against the run as it
//! was, and costs as much as has changed. Knows nothing about the machine, text and files.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::named::Named;
use super::progress::Progress;
use super::record::{InFlight, NodeResult, RunStatus, ThreadRecord};
use super::snapshot::agreement::Agreement;
use super::snapshot::place::Read;
use super::snapshot::progress::{FIXED, GROWS};
use super::snapshot::{CountList, Snapshot, SnapshotError};
use crate::pi::apply::Applied;

/// A run that follows what happens to it, for stores that keep what has changed.
///
/// ```
/// use agent_graph_runtime::pi::run::{Next, Progress, Replay, Run, RunStatus};
/// use agent_graph_runtime::{Timestamp, json::Object, pi};
/// let text = r#"{"schemaVersion": 2, "name": "g", "limits": {}, "entry": "note",
///   "nodes": {"note": {"type": "set", "assign": [{"path": "noted", "value": true}]}}}"#;
/// let graph = pi::parse("g.json".into(), text.as_bytes()).unwrap().graph();
/// let now = Timestamp::from_unix_milliseconds(0);
///
/// let mut run = Run::start(&graph, "run-1", Object::new(), now)?;
/// let mut replay = Replay::of(run.begin_recording());
/// let mut stored = Vec::new();
/// while run.status() == RunStatus::Running {
///     if let Next::Checkpoint = run.next(now) {
///         stored.push(run.take_progress().to_value());
///     }
/// }
/// for progress in &stored {
///     replay.advance(&Progress::from_value(progress)?)?;
/// }
/// assert_eq!(replay.snapshot(), run.snapshot());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Replay {
    /// The run, without what stands beside it here.
    rest: Snapshot,
    /// The attempts in its history.
    attempts: u64,
    counts: Named<u64>,
    consumed: Named<Named<u64>>,
    threads: Named<Thread>,
    flight: Option<Flight>,
}

#[derive(Clone, Debug)]
struct Thread {
    record: ThreadRecord,
    nodes: BTreeSet<String>,
}

/// The nodes of a superstep, and what those that are done have done.
type Flight = Named<Option<NodeResult>>;

impl Replay {
    /// A run at this point.
    pub fn of(mut snapshot: Snapshot) -> Self {
        let attempts = snapshot.history.iter().map(|entry| entry.attempts);
        let take = core::mem::take::<Vec<(String, CountList)>>;
        Self {
            attempts: attempts.fold(0, u64::saturating_add),
            counts: core::mem::take(&mut snapshot.completion_counts)
                .into_iter()
                .collect(),
            consumed: take(&mut snapshot.barrier_consumed)
                .into_iter()
                .map(|(edge, sources)| (edge, sources.into_iter().collect()))
                .collect(),
            threads: core::mem::take(&mut snapshot.threads)
                .into_iter()
                .map(|record| (record.key.clone(), Thread::of(record)))
                .collect(),
            flight: snapshot.in_flight.take().map(flight),
            rest: snapshot,
        }
    }

    /// The run as it is now.
    pub fn snapshot(&self) -> Snapshot {
        let mut snapshot = self.rest.clone();
        snapshot.completion_counts = list(&self.counts);
        let consumed = self.consumed.iter();
        snapshot.barrier_consumed = consumed
            .map(|(edge, sources)| (edge.into(), list(sources)))
            .collect();
        let threads = self.threads.iter();
        snapshot.threads = threads.map(|(_, thread)| thread.record.clone()).collect();
        let flight = self.flight.as_ref();
        snapshot.in_flight = flight.map(|flight| in_flight(self.rest.step, flight));
        snapshot
    }

    /// The id of the run.
    pub fn run_id(&self) -> &str {
        &self.rest.run_id
    }

    /// Where the run is.
    pub fn status(&self) -> RunStatus {
        self.rest.status
    }

    /// Follows what has happened.
    ///
    /// # Errors
    /// The first thing that cannot have happened to this run; the replay stays where it was.
    pub fn advance(&mut self, progress: &Progress) -> Result<(), SnapshotError> {
        self.check_growth(progress)?;
        self.check_counts(progress)?;
        self.check_threads(progress)?;
        self.check_flight(progress)?;
        self.check_agreement(progress)?;
        self.follow_state(progress)?;
        self.install(progress);
        Ok(())
    }

    fn check_growth(&self, next: &Progress) -> Read<()> {
        let before = &self.rest;
        require(
            before.status != RunStatus::Completed,
            ".status",
            "nothing follows a completed run",
        )?;
        let (had, has) = (&before.usage, &next.usage);
        let grows = [
            (
                ".activeTimeMs",
                before.active_time_ms <= next.active_time_ms,
            ),
            (".step", before.step <= next.step),
            (".nodeRuns", before.node_runs <= next.node_runs),
            (".usage.inputTokens", had.input_tokens <= has.input_tokens),
            (
                ".usage.outputTokens",
                had.output_tokens <= has.output_tokens,
            ),
            (
                ".usage.cacheReadTokens",
                had.cache_read_tokens <= has.cache_read_tokens,
            ),
            (
                ".usage.cacheWriteTokens",
                had.cache_write_tokens <= has.cache_write_tokens,
            ),
            (".usage.turns", had.turns <= has.turns),
            (".usage.costUsd", had.cost_usd <= has.cost_usd),
            (".updatedAt", before.updated_at <= next.updated_at),
        ];
        for (path, holds) in grows {
            require(holds, path, GROWS)?;
        }
        require(
            next.ended_at
                .is_none_or(|ended_at| before.started_at <= ended_at),
            ".endedAt",
            "the time is before one that it cannot precede",
        )
    }

    fn check_counts(&self, next: &Progress) -> Read<()> {
        grown(".completionCounts", &self.counts, &next.completion_counts)?;
        for (edge, sources) in &next.barrier_consumed {
            if let Some(before) = self.consumed.get(edge) {
                grown(&format!(".barrierConsumed.{edge}"), before, sources)?;
            }
        }
        Ok(())
    }

    fn check_threads(&self, next: &Progress) -> Read<()> {
        for after in &next.threads {
            let known = self.threads.get(&after.key);
            let has_node = |node: &String| {
                after.nodes.contains(node)
                    || known.is_some_and(|thread| thread.nodes.contains(node))
            };
            let mut checks = alloc::vec![
                (
                    "nodes",
                    known.is_some() || !after.nodes.is_empty(),
                    "a thread has nodes"
                ),
                (
                    "lastNodeId",
                    after.last_node.as_ref().is_none_or(has_node),
                    "the node does not use the thread",
                ),
            ];
            if let Some(Thread { record, nodes }) = known {
                let is_new = after.nodes.iter().all(|node| !nodes.contains(node));
                checks.extend([
                    ("sessionId", record.session_id == after.session_id, FIXED),
                    ("createdAt", record.created_at == after.created_at, FIXED),
                    (
                        "invocationCount",
                        record.invocation_count <= after.invocation_count,
                        GROWS,
                    ),
                    ("updatedAt", record.updated_at <= after.updated_at, GROWS),
                    ("nodes", is_new, "a node uses the thread already"),
                ]);
            }
            for (name, holds, reason) in checks {
                require(holds, &format!(".threads.{}.{name}", after.key), reason)?;
            }
        }
        Ok(())
    }

    fn check_flight(&self, next: &Progress) -> Read<()> {
        let (begins, goes_on) = (!next.scheduled.is_empty(), next.step == self.rest.step);
        require(
            begins || next.has_landed || goes_on,
            ".step",
            "no superstep has begun",
        )?;
        require(
            !next.has_landed || self.flight.is_some() || !goes_on,
            ".landed",
            "no superstep is in flight",
        )?;
        let is_free = self.flight.is_none() || next.has_landed;
        require(
            !begins || (is_free && !goes_on),
            ".scheduled",
            "another superstep is in flight",
        )?;
        let new: BTreeSet<&String> = next.scheduled.iter().collect();
        for (node, _) in &next.completed {
            let known = self.flight.as_ref().filter(|_| !next.has_landed);
            let is_open = match known {
                Some(flight) => matches!(flight.get(node), Some(None)),
                None => new.contains(node),
            };
            require(
                is_open,
                &format!(".completed.{node}"),
                "the node is not an unresolved one of the superstep",
            )?;
        }
        Ok(())
    }

    fn check_agreement(&self, next: &Progress) -> Read<()> {
        let stays = self.flight.as_ref().filter(|_| !next.has_landed);
        let is_unresolved = |node: &String| {
            let is_there = match stays {
                Some(flight) => matches!(flight.get(node), Some(None)),
                None => next.scheduled.contains(node),
            };
            is_there && next.completed.iter().all(|(done, _)| done != node)
        };
        let attempts = next.history.iter().map(|entry| entry.attempts);
        let agreement = Agreement {
            status: next.status,
            attempts: attempts.fold(self.attempts, u64::saturating_add),
            node_runs: next.node_runs,
            has_pending: !next.pending.is_empty(),
            is_in_flight: stays.is_some() || !next.scheduled.is_empty(),
            has_ended: next.ended_at.is_some(),
            has_error: next.error.is_some(),
            interrupt: next.interrupt.as_ref(),
            is_unresolved: next
                .interrupt
                .as_ref()
                .is_some_and(|asked| is_unresolved(&asked.node)),
        };
        agreement.check()
    }

    fn follow_state(&mut self, next: &Progress) -> Read<()> {
        if next.state.is_empty() {
            return Ok(());
        }
        // Copied only if somebody else holds the state.
        let state = Arc::make_mut(&mut self.rest.state);
        let mut applied = Applied::default();
        for (at, change) in next.state.iter().enumerate() {
            if !applied.follow(state, change) {
                applied.take_back(state);
                let path = format!(".state[{at}]");
                return Err(SnapshotError::at(&path, "the state is another one"));
            }
        }
        Ok(())
    }

    fn install(&mut self, next: &Progress) {
        let rest = &mut self.rest;
        rest.status = next.status;
        rest.updated_at = next.updated_at;
        rest.ended_at = next.ended_at;
        rest.active_time_ms = next.active_time_ms;
        rest.step = next.step;
        rest.node_runs = next.node_runs;
        rest.pending.clone_from(&next.pending);
        rest.usage = next.usage.clone();
        rest.interrupt.clone_from(&next.interrupt);
        rest.error.clone_from(&next.error);
        rest.history.extend_from_slice(&next.history);
        let attempts = next.history.iter().map(|entry| entry.attempts);
        self.attempts = attempts.fold(self.attempts, u64::saturating_add);
        count(&mut self.counts, &next.completion_counts);
        for (edge, sources) in &next.barrier_consumed {
            let known = self
                .consumed
                .get_or_insert(&edge.as_str().into(), Named::default);
            count(known, sources);
        }
        for after in &next.threads {
            let key = after.key.as_str().into();
            let thread = self.threads.get_or_insert(&key, || {
                Thread::of(ThreadRecord {
                    nodes: Vec::new(),
                    ..after.clone()
                })
            });
            let mut nodes = core::mem::take(&mut thread.record.nodes);
            nodes.extend_from_slice(&after.nodes);
            thread.nodes.extend(after.nodes.iter().cloned());
            thread.record = ThreadRecord {
                nodes,
                ..after.clone()
            };
        }
        if next.has_landed {
            self.flight = None;
        }
        if !next.scheduled.is_empty() {
            let nodes = next.scheduled.iter();
            self.flight = Some(nodes.map(|node| (node, None)).collect());
        }
        for (node, result) in &next.completed {
            let slot = self.flight.as_mut().and_then(|flight| flight.get_mut(node));
            if let Some(slot) = slot {
                *slot = Some(result.clone());
            }
        }
    }
}

impl Thread {
    fn of(record: ThreadRecord) -> Self {
        let nodes = record.nodes.iter().cloned().collect();
        Self { record, nodes }
    }
}

fn require(holds: bool, path: &str, reason: &'static str) -> Read<()> {
    if holds {
        Ok(())
    } else {
        Err(SnapshotError::at(path, reason))
    }
}

fn grown(path: &str, before: &Named<u64>, after: &[(String, u64)]) -> Read<()> {
    for (name, count) in after {
        let holds = before.get(name).is_none_or(|before| before <= count);
        require(holds, &format!("{path}.{name}"), GROWS)?;
    }
    Ok(())
}

fn count(known: &mut Named<u64>, counts: &[(String, u64)]) {
    for (name, count) in counts {
        *known.get_or_insert(&name.as_str().into(), || 0) = *count;
    }
}

fn list(counts: &Named<u64>) -> CountList {
    let counts = counts.iter();
    counts.map(|(name, count)| (name.into(), *count)).collect()
}

fn flight(in_flight: InFlight) -> Flight {
    let nodes = in_flight.scheduled.iter();
    let mut flight: Flight = nodes.map(|node| (node, None)).collect();
    for (node, result) in in_flight.completed {
        if let Some(slot) = flight.get_mut(&node) {
            *slot = Some(result);
        }
    }
    flight
}

fn in_flight(step: u64, flight: &Flight) -> InFlight {
    let mut in_flight = InFlight {
        step,
        ..InFlight::default()
    };
    for (node, done) in flight.iter() {
        in_flight.scheduled.push(node.into());
        match done {
            Some(result) => in_flight.completed.push((node.into(), result.clone())),
            None => in_flight.unresolved.push(node.into()),
        }
    }
    in_flight
}
