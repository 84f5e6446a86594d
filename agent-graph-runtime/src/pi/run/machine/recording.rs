//! What happens in a run between two checkpoints, noted as it happens, so that telling it costs as much as has
//! changed. Knows nothing about stores.

use alloc::collections::BTreeSet;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::Run;
use super::flight::Place;
use super::follow::edge_id;
use super::save::list;
use crate::pi::apply::StateChange;
use crate::pi::run::progress::Progress;
use crate::pi::run::record::{NodeResult, ThreadRecord};
use crate::pi::run::snapshot::{CountList, Snapshot};
use crate::pi::run::usage::SAFE;

/// What has happened since the last checkpoint, as far as it cannot be seen at a glance.
#[derive(Clone, Debug, Default)]
pub(super) struct Recording {
    /// How long the history was.
    history: usize,
    state: Vec<StateChange>,
    counted: Vec<Arc<str>>,
    fired: Vec<u32>,
    /// The threads that have changed, and how many nodes each had before.
    threads: Vec<(Arc<str>, usize)>,
    has_landed: bool,
    has_begun: bool,
    /// The slots of the superstep in flight that have been done since.
    done: Vec<usize>,
}

impl Recording {
    pub(super) fn state_changed(&mut self, changes: Vec<StateChange>) {
        self.state.extend(changes);
    }

    pub(super) fn fired(&mut self, edge: u32) {
        self.fired.push(edge);
    }

    pub(super) fn done(&mut self, at: usize) {
        self.done.push(at);
    }

    /// A thread changes that has so many nodes.
    pub(super) fn thread_changes(&mut self, key: &str, nodes: usize) {
        self.threads.push((key.into(), nodes));
    }

    pub(super) fn began(&mut self) {
        self.has_begun = true;
    }

    /// The superstep is committed; these nodes were counted.
    pub(super) fn landed(&mut self, counted: impl Iterator<Item = Arc<str>>) {
        self.counted.extend(counted);
        self.has_landed = true;
        self.has_begun = false;
        self.done.clear();
    }
}

impl Run {
    /// The run as it is now. From here on what happens is recorded, for [`Run::take_progress`], which is to be
    /// called at every checkpoint then.
    pub fn begin_recording(&mut self) -> Snapshot {
        self.start_over();
        self.snapshot()
    }

    fn start_over(&mut self) -> Option<Recording> {
        self.recording.replace(Recording {
            history: self.history.len(),
            ..Recording::default()
        })
    }

    /// What has happened since [`Run::begin_recording`], or since this was last asked; what cannot be told
    /// because nothing was recorded is left out.
    pub fn take_progress(&mut self) -> Progress {
        let recorded = self.start_over().unwrap_or_default();
        let flight = self.flight.as_ref();
        let begun = flight.filter(|_| recorded.has_begun);
        let scheduled = begun.iter().flat_map(|flight| &flight.slots);
        Progress {
            status: self.status,
            updated_at: self.now,
            ended_at: self.ended_at,
            active_time_ms: self.active_ms().min(SAFE),
            step: self.step,
            node_runs: self.node_runs,
            pending: self.pending.iter().map(|node| (*node.id).into()).collect(),
            usage: self.usage.clone(),
            interrupt: self.interrupt.clone(),
            error: self.error.as_ref().map(ToString::to_string),
            completion_counts: self.counted(recorded.counted),
            barrier_consumed: self.fired(recorded.fired),
            history: self.history.get(recorded.history..).unwrap_or(&[]).to_vec(),
            threads: self.changed(recorded.threads),
            has_landed: recorded.has_landed,
            scheduled: scheduled.map(super::flight::Slot::id).collect(),
            completed: self.done(recorded.done),
            state: recorded.state,
        }
    }

    fn counted(&self, counted: Vec<Arc<str>>) -> CountList {
        let count = |id: Arc<str>| Some((String::from(&*id), *self.counts.get(&id)?));
        once(counted, Clone::clone).filter_map(count).collect()
    }

    fn fired(&self, fired: Vec<u32>) -> Vec<(String, CountList)> {
        let consumed = |edge: u32| {
            let edge = edge_id(edge);
            Some((String::from(&*edge), list(self.consumed.get(&edge)?)))
        };
        once(fired, |edge| *edge).filter_map(consumed).collect()
    }

    fn changed(&self, threads: Vec<(Arc<str>, usize)>) -> Vec<ThreadRecord> {
        let changed = |(key, before): (Arc<str>, usize)| {
            let thread = self.threads.get(&key)?;
            Some(ThreadRecord {
                nodes: thread.nodes.get(before..).unwrap_or(&[]).to_vec(),
                key: thread.key.clone(),
                session_id: thread.session_id.clone(),
                last_node: thread.last_node.clone(),
                ..*thread
            })
        };
        let threads = once(threads, |(key, _)| key.clone());
        threads.filter_map(changed).collect()
    }

    fn done(&self, done: Vec<usize>) -> Vec<(String, NodeResult)> {
        let slots = self.flight.as_ref().map_or(&[][..], |flight| &flight.slots);
        let result = |at: usize| match &slots.get(at)?.place {
            Place::Done(result) => Some((slots.get(at)?.id(), result.clone())),
            _ => None,
        };
        done.into_iter().filter_map(result).collect()
    }
}

/// The first of these things with each key.
fn once<T, K: Ord>(things: Vec<T>, key: impl Fn(&T) -> K) -> impl Iterator<Item = T> {
    let mut seen = BTreeSet::new();
    things
        .into_iter()
        .filter(move |thing| seen.insert(key(thing)))
}
