//! What has happened, as JSON. What has not changed is left out.

use alloc::string::String;
use alloc::vec::Vec;

use super::Progress;
use crate::json::Value;
use crate::pi::apply::StateChange;
use crate::pi::run::snapshot::write::{
    Members, completed, consumed, count, counts, history_entry, ids, interrupt, list, threads,
    usage,
};

pub(super) fn progress(progress: &Progress) -> Value {
    let some = |is_there: bool, value: &dyn Fn() -> Value| is_there.then(value);
    let mut object = Members::default();
    object
        .put("status", progress.status.as_str())
        .put("updatedAt", alloc::format!("{}", progress.updated_at))
        .put_some(
            "endedAt",
            progress.ended_at.map(|time| alloc::format!("{time}")),
        )
        .put("activeTimeMs", count(progress.active_time_ms))
        .put("step", count(progress.step))
        .put("nodeRuns", count(progress.node_runs))
        .put("usage", usage(&progress.usage))
        .put_some("interrupt", progress.interrupt.as_ref().map(interrupt))
        .put_some("error", progress.error.as_deref())
        .put_some(
            "pending",
            some(!progress.pending.is_empty(), &|| ids(&progress.pending)),
        )
        .put_some(
            "state",
            some(!progress.state.is_empty(), &|| {
                list(&progress.state, state_change)
            }),
        )
        .put_some(
            "completionCounts",
            some(!progress.completion_counts.is_empty(), &|| {
                counts(&progress.completion_counts)
            }),
        )
        .put_some(
            "barrierConsumed",
            some(!progress.barrier_consumed.is_empty(), &|| {
                consumed(&progress.barrier_consumed)
            }),
        )
        .put_some(
            "history",
            some(!progress.history.is_empty(), &|| {
                list(&progress.history, history_entry)
            }),
        )
        .put_some(
            "threads",
            some(!progress.threads.is_empty(), &|| threads(&progress.threads)),
        )
        .put_some("landed", progress.has_landed.then_some(true))
        .put_some(
            "scheduled",
            some(!progress.scheduled.is_empty(), &|| ids(&progress.scheduled)),
        )
        .put_some(
            "completed",
            some(!progress.completed.is_empty(), &|| {
                completed(&progress.completed)
            }),
        );
    object.finish()
}

fn state_change(change: &StateChange) -> Value {
    let mut object = Members::default();
    match change {
        StateChange::Set { path, value } => {
            object.put("set", names(path)).put("value", value.clone());
        }
        StateChange::Unset { path } => {
            object.put("unset", names(path));
        }
        StateChange::Splice {
            path,
            dropped,
            added,
        } => {
            object
                .put("splice", names(path))
                .put("dropped", count(*dropped as u64))
                .put("added", added.clone());
        }
    }
    object.finish()
}

fn names(path: &[String]) -> Value {
    path.iter()
        .map(|name| Value::from(name.as_str()))
        .collect::<Vec<_>>()
        .into()
}
