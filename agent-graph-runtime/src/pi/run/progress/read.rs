//! Reads what has happened, strictly: exact fields, and everything that can be said without knowing the run.

use alloc::string::String;
use alloc::vec::Vec;

use super::Progress;
use crate::json::Value;
use crate::pi::apply::StateChange;
use crate::pi::run::record::NodeResult;
use crate::pi::run::snapshot::place::{Place, Read};
use crate::pi::run::snapshot::read;
use crate::timestamp::Timestamp;

const FIELDS: [&str; 18] = [
    "status",
    "updatedAt",
    "endedAt",
    "activeTimeMs",
    "step",
    "nodeRuns",
    "usage",
    "interrupt",
    "error",
    "pending",
    "state",
    "completionCounts",
    "barrierConsumed",
    "history",
    "threads",
    "landed",
    "scheduled",
    "completed",
];

pub(super) fn progress(value: &Value) -> Read<Progress> {
    let root = Place::root_of_progress(value);
    root.exact(&FIELDS)?;
    let step = root.field("step").count()?;
    let ended_at: Option<Timestamp> = optional(&root, "endedAt", Place::time)?;
    let updated_at = root.field("updatedAt");
    Ok(Progress {
        status: root.field("status").word()?,
        updated_at: match ended_at {
            Some(ended_at) => updated_at.time_from(ended_at)?,
            None => updated_at.time()?,
        },
        ended_at,
        active_time_ms: root.field("activeTimeMs").count()?,
        step,
        node_runs: root.field("nodeRuns").count()?,
        usage: read::usage(&root.field("usage"), false)?,
        interrupt: optional(&root, "interrupt", read::interrupt)?,
        error: optional(&root, "error", |error| Ok(error.visible_text()?.into()))?,
        pending: listed(&root, "pending", Place::ids)?,
        state: listed(&root, "state", |state| {
            state.items()?.iter().map(state_change).collect()
        })?,
        completion_counts: listed(&root, "completionCounts", read::counts)?,
        barrier_consumed: listed(&root, "barrierConsumed", read::consumed)?,
        history: listed(&root, "history", |history| {
            let items = history.items()?.into_iter();
            items.map(|item| read::history_entry(&item, step)).collect()
        })?,
        threads: listed(&root, "threads", |threads| {
            let entries = threads.entries()?.into_iter();
            entries
                .map(|(key, entry)| read::thread_part(key, &entry))
                .collect()
        })?,
        has_landed: optional(&root, "landed", Place::marked)?.is_some(),
        scheduled: listed(&root, "scheduled", Place::ids)?,
        completed: listed(&root, "completed", completed)?,
    })
}

fn completed(place: &Place<'_>) -> Read<Vec<(String, NodeResult)>> {
    let entries = place.entries()?.into_iter();
    entries
        .map(|(node, result)| Ok((node.into(), read::node_result(node, &result)?)))
        .collect()
}

fn state_change(place: &Place<'_>) -> Read<StateChange> {
    if let Some(path) = place.field("set").optional() {
        place.exact(&["set", "value"])?;
        return Ok(StateChange::Set {
            path: names(&path)?,
            value: place.field("value").json()?.clone(),
        });
    }
    if let Some(path) = place.field("unset").optional() {
        place.exact(&["unset"])?;
        return Ok(StateChange::Unset {
            path: names(&path)?,
        });
    }
    place.exact(&["splice", "dropped", "added"])?;
    let added = place.field("added");
    added.items()?;
    let dropped = place.field("dropped");
    Ok(StateChange::Splice {
        path: names(&place.field("splice"))?,
        dropped: match usize::try_from(dropped.count()?) {
            Ok(dropped) => dropped,
            Err(_) => return dropped.refuse("no array has so many items"),
        },
        added: match added.json()? {
            Value::Array(items) => items.clone(),
            _ => Vec::new(),
        },
    })
}

/// Names that lead somewhere in a state.
fn names(place: &Place<'_>) -> Read<Vec<String>> {
    let items = place.items()?;
    place.require(!items.is_empty(), "it leads nowhere")?;
    let names = items.iter().map(|item| Ok(item.name()?.into()));
    names.collect()
}

fn optional<'v, T>(
    root: &Place<'v>,
    name: &str,
    read: impl FnOnce(&Place<'v>) -> Read<T>,
) -> Read<Option<T>> {
    let place = root.field(name).optional();
    place.map(|place| read(&place)).transpose()
}

/// A list, which is left out where there is nothing in it.
fn listed<'v, T>(
    root: &Place<'v>,
    name: &str,
    read: impl FnOnce(&Place<'v>) -> Read<Vec<T>>,
) -> Read<Vec<T>> {
    Ok(optional(root, name, read)?.unwrap_or_default())
}
