//! A run as a snapshot. Knows nothing about text and files.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::Run;
use super::flight::{Flight, Place};
use crate::pi::run::named::Named;
use crate::pi::run::record::InFlight;
use crate::pi::run::snapshot::{CountList, Snapshot};
use crate::pi::run::usage::SAFE;

impl Run {
    /// The run as it is now. The state is shared, everything else is copied: take one when it is to be
    /// stored.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            run_id: String::from(&*self.run_id),
            graph_name: self.graph.name().into(),
            graph_hash: self.graph_hash,
            graph_source: self.graph_source.clone(),
            status: self.status,
            created_at: self.created_at,
            updated_at: self.now,
            started_at: self.started_at,
            ended_at: self.ended_at,
            active_time_ms: self.active_ms().min(SAFE),
            step: self.step,
            node_runs: self.node_runs,
            state: self.state.clone(),
            pending: self
                .pending
                .iter()
                .map(|node| String::from(&*node.id))
                .collect(),
            completion_counts: list(&self.counts),
            barrier_consumed: self
                .consumed
                .iter()
                .map(|(edge, sources)| (edge.into(), list(sources)))
                .collect(),
            usage: self.usage.clone(),
            history: self.history.clone(),
            threads: self
                .threads
                .iter()
                .map(|(_, thread)| thread.clone())
                .collect(),
            in_flight: self
                .flight
                .as_ref()
                .map(|flight| in_flight(self.step, flight)),
            interrupt: self.interrupt.clone(),
            error: self.error.as_ref().map(ToString::to_string),
        }
    }
}

pub(super) fn list(counts: &Named<u64>) -> CountList {
    let counts = counts.iter();
    counts.map(|(name, count)| (name.into(), *count)).collect()
}

fn in_flight(step: u64, flight: &Flight) -> InFlight {
    let slots = flight.slots.iter();
    let unresolved = slots.clone().filter(|slot| !slot.is_done());
    let completed = slots.clone().filter_map(|slot| match &slot.place {
        Place::Done(result) => Some((slot.id(), result.clone())),
        _ => None,
    });
    InFlight {
        step,
        scheduled: slots
            .clone()
            .map(super::flight::Slot::id)
            .collect::<Vec<_>>(),
        unresolved: unresolved.map(super::flight::Slot::id).collect(),
        completed: completed.collect(),
    }
}
