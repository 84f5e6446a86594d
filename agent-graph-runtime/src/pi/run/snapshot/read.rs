//! Reads a snapshot, strictly: exact fields, and everything that holds between them (spec 13.1). Knows nothing
//! about files, and nothing about the snapshot before.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::agreement::Agreement;
use super::place::{Place, Read};
use super::{CountList, Snapshot};
use crate::digest::Digest;
use crate::json::Value;
use crate::pi::path;
use crate::pi::reducer::Write;
use crate::pi::run::attempt::Interrupt;
use crate::pi::run::record::{
    HistoryEntry, InFlight, NodeResult, NodeStatus, PendingInterrupt, ThreadRecord,
};
use crate::pi::run::usage::Usage;
use crate::pi::words::{HumanKind, WriteMode};
use crate::timestamp::Timestamp;

const FIELDS: [&str; 23] = [
    "version",
    "runId",
    "graphName",
    "graphHash",
    "graphSource",
    "status",
    "createdAt",
    "updatedAt",
    "startedAt",
    "endedAt",
    "activeTimeMs",
    "step",
    "nodeRuns",
    "state",
    "pending",
    "completionCounts",
    "barrierConsumed",
    "usage",
    "history",
    "threads",
    "inFlight",
    "interrupt",
    "error",
];

pub(super) fn snapshot(value: &Value) -> Read<Snapshot> {
    let root = Place::root(value);
    root.exact(&FIELDS)?;
    let is_version = root.field("version").count() == Ok(2);
    root.field("version")
        .require(is_version, "the version is not 2")?;
    let created_at = root.field("createdAt").time()?;
    let started_at = root.field("startedAt").time_from(created_at)?;
    let ended_at = match root.field("endedAt").optional() {
        Some(ended_at) => Some(ended_at.time_from(started_at)?),
        None => None,
    };
    let latest = ended_at.map_or(started_at, |ended_at| ended_at.max(started_at));
    let step = root.field("step").count()?;
    let state = root.field("state");
    state.json()?;
    let snapshot = Snapshot {
        run_id: run_id(&root.field("runId"))?,
        graph_name: root.field("graphName").visible_text()?.into(),
        graph_hash: graph_hash(&root.field("graphHash"))?,
        graph_source: match root.field("graphSource").optional() {
            Some(source) => Some(source.visible_text()?.into()),
            None => None,
        },
        status: root.field("status").word()?,
        created_at,
        updated_at: root.field("updatedAt").time_from(latest)?,
        started_at,
        ended_at,
        active_time_ms: root.field("activeTimeMs").count()?,
        step,
        node_runs: root.field("nodeRuns").count()?,
        state: Arc::new(state.object()?.clone()),
        pending: root.field("pending").ids()?,
        completion_counts: counts(&root.field("completionCounts"))?,
        barrier_consumed: consumed(&root.field("barrierConsumed"))?,
        usage: usage(&root.field("usage"), false)?,
        history: history(&root.field("history"), step)?,
        threads: threads(&root.field("threads"))?,
        in_flight: match root.field("inFlight").optional() {
            Some(in_flight_place) => Some(in_flight(&in_flight_place, step)?),
            None => None,
        },
        interrupt: match root.field("interrupt").optional() {
            Some(interrupt_place) => Some(interrupt(&interrupt_place)?),
            None => None,
        },
        error: match root.field("error").optional() {
            Some(error) => Some(error.visible_text()?.into()),
            None => None,
        },
    };
    Agreement::of(&snapshot).check()?;
    Ok(snapshot)
}

fn run_id(place: &Place<'_>) -> Read<String> {
    let text = place.text()?;
    place.require(
        super::is_run_id(text),
        "a run id is 1 to 128 letters, digits, dots, underscores and hyphens, a letter or digit first",
    )?;
    Ok(text.into())
}

fn graph_hash(place: &Place<'_>) -> Read<Digest> {
    match alloc::format!("sha256:{}", place.text()?).parse() {
        Ok(hash) => Ok(hash),
        Err(_) => place.refuse("64 lower-case hex digits are needed"),
    }
}

pub(in crate::pi::run) fn counts(place: &Place<'_>) -> Read<CountList> {
    let entries = place.entries()?.into_iter();
    entries
        .map(|(name, count)| Ok((name.into(), count.count()?)))
        .collect()
}

pub(in crate::pi::run) fn consumed(place: &Place<'_>) -> Read<Vec<(String, CountList)>> {
    let entries = place.entries()?.into_iter();
    entries
        .map(|(edge, sources)| Ok((edge.into(), counts(&sources)?)))
        .collect()
}

pub(in crate::pi::run) fn usage(place: &Place<'_>, has_model: bool) -> Read<Usage> {
    let amounts = [
        "inputTokens",
        "outputTokens",
        "cacheReadTokens",
        "cacheWriteTokens",
        "turns",
        "costUsd",
        "model",
    ];
    let known = if has_model { &amounts } else { &amounts[..6] };
    place.exact(known)?;
    Ok(Usage {
        input_tokens: place.field("inputTokens").count()?,
        output_tokens: place.field("outputTokens").count()?,
        cache_read_tokens: place.field("cacheReadTokens").count()?,
        cache_write_tokens: place.field("cacheWriteTokens").count()?,
        turns: place.field("turns").count()?,
        cost_usd: place.field("costUsd").amount()?,
        model: match place.field("model").optional() {
            Some(model) => Some(model.visible_text()?.into()),
            None => None,
        },
    })
}

fn history(place: &Place<'_>, last_step: u64) -> Read<Vec<HistoryEntry>> {
    let items = place.items()?.into_iter();
    items.map(|item| history_entry(&item, last_step)).collect()
}

pub(in crate::pi::run) fn history_entry(place: &Place<'_>, last_step: u64) -> Read<HistoryEntry> {
    place.exact(&[
        "step",
        "nodeId",
        "status",
        "attempts",
        "startedAt",
        "endedAt",
        "usage",
        "error",
    ])?;
    let step = place.field("step").positive()?;
    place
        .field("step")
        .require(step <= last_step, "the superstep has not begun")?;
    let status = place.field("status").word()?;
    place.field("status").require(
        status != NodeStatus::Cancelled,
        "a node is not cancelled for the record",
    )?;
    let error = place.field("error").optional();
    let error = match (status, error) {
        (NodeStatus::Failed, Some(error)) => Some(error.visible_text()?.into()),
        (NodeStatus::Failed, None) => {
            return place.field("error").refuse("the status needs it");
        }
        (_, Some(error)) => return error.refuse("the status does not allow it"),
        (_, None) => None,
    };
    let started_at = place.field("startedAt").time()?;
    Ok(HistoryEntry {
        step,
        node: place.field("nodeId").id()?.into(),
        status,
        attempts: place.field("attempts").positive()?,
        started_at,
        ended_at: place.field("endedAt").time_from(started_at)?,
        usage: usage(&place.field("usage"), true)?,
        error,
    })
}

fn threads(place: &Place<'_>) -> Read<Vec<ThreadRecord>> {
    let entries = place.entries()?.into_iter();
    entries.map(|(key, entry)| thread(key, &entry)).collect()
}

fn thread(key: &str, place: &Place<'_>) -> Read<ThreadRecord> {
    let record = thread_part(key, place)?;
    place
        .field("nodes")
        .require(!record.nodes.is_empty(), "a thread has nodes")?;
    if let Some(last) = &record.last_node {
        place.field("lastNodeId").require(
            record.nodes.contains(last),
            "the node does not use the thread",
        )?;
    }
    Ok(record)
}

/// A thread of which not all nodes need be there.
pub(in crate::pi::run) fn thread_part(key: &str, place: &Place<'_>) -> Read<ThreadRecord> {
    place.exact(&[
        "key",
        "sessionId",
        "createdAt",
        "updatedAt",
        "nodes",
        "invocationCount",
        "lastNodeId",
    ])?;
    let is_key = place.field("key").id()? == key;
    place
        .field("key")
        .require(is_key, "the key is another one than the name")?;
    let session_id = place.field("sessionId").text()?;
    place
        .field("sessionId")
        .require(is_uuid(session_id), "a UUID is needed")?;
    let created_at = place.field("createdAt").time()?;
    let last_node = match place.field("lastNodeId").optional() {
        Some(last) => Some(last.id()?.into()),
        None => None,
    };
    Ok(ThreadRecord {
        key: key.into(),
        session_id: session_id.into(),
        created_at,
        updated_at: place.field("updatedAt").time_from(created_at)?,
        nodes: place.field("nodes").ids()?,
        invocation_count: place.field("invocationCount").count()?,
        last_node,
    })
}

pub(in crate::pi::run) fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

fn in_flight(place: &Place<'_>, last_step: u64) -> Read<InFlight> {
    place.exact(&["step", "scheduled", "unresolved", "completed"])?;
    let step = place.field("step").count()?;
    place
        .field("step")
        .require(step == last_step && step > 0, "it is another superstep")?;
    let scheduled = place.field("scheduled").ids()?;
    place
        .field("scheduled")
        .require(!scheduled.is_empty(), "a superstep has nodes")?;
    let unresolved = place.field("unresolved").ids()?;
    let known: alloc::collections::BTreeSet<&String> = scheduled.iter().collect();
    let open: alloc::collections::BTreeSet<&String> = unresolved.iter().collect();
    place.field("unresolved").require(
        open.is_subset(&known),
        "a node does not belong to the superstep",
    )?;
    let mut completed = Vec::new();
    for (node, result) in place.field("completed").entries()? {
        let node = String::from(node);
        result.require(
            known.contains(&node),
            "the node does not belong to the superstep",
        )?;
        result.require(!open.contains(&node), "the node is unresolved")?;
        let read = node_result(&node, &result)?;
        completed.push((node, read));
    }
    place.require(
        completed.len() + unresolved.len() == scheduled.len(),
        "a node is neither unresolved nor completed",
    )?;
    Ok(InFlight {
        step,
        scheduled,
        unresolved,
        completed,
    })
}

pub(in crate::pi::run) fn node_result(node: &str, place: &Place<'_>) -> Read<NodeResult> {
    place.exact(&[
        "kind",
        "writes",
        "output",
        "usage",
        "next",
        "attempts",
        "startedAt",
        "endedAt",
    ])?;
    let is_success = place.field("kind").text()? == "success";
    place
        .field("kind")
        .require(is_success, "only successes are kept")?;
    let writes = place.field("writes").items()?.into_iter();
    let started_at: Timestamp = place.field("startedAt").time()?;
    Ok(NodeResult {
        writes: writes.map(|item| write(node, &item)).collect::<Read<_>>()?,
        output: match place.field("output").optional() {
            Some(output) => Some(output.json()?.clone()),
            None => None,
        },
        usage: usage(&place.field("usage"), true)?,
        next: match place.field("next").optional() {
            Some(next) => Some(next.ids()?),
            None => None,
        },
        attempts: place.field("attempts").positive()?,
        started_at,
        ended_at: place.field("endedAt").time_from(started_at)?,
    })
}

fn write(node: &str, place: &Place<'_>) -> Read<Write> {
    place.exact(&["path", "value", "nodeId", "mode"])?;
    let written = place.field("path").text()?;
    place
        .field("path")
        .require(path::segments(written).is_ok(), "it is no state path")?;
    let is_node = place.field("nodeId").text()? == node;
    place
        .field("nodeId")
        .require(is_node, "the write is another node's")?;
    let mode = match place.field("mode").optional() {
        Some(mode) => mode.word()?,
        None => WriteMode::Reduce,
    };
    let value = place.field("value");
    let value = match (mode, value.clone().optional()) {
        (WriteMode::Unset, Some(value)) => return value.refuse("the mode does not allow it"),
        (WriteMode::Unset, None) => None,
        (_, Some(value)) => Some(value.json()?.clone()),
        (_, None) => return value.refuse("the mode needs it"),
    };
    Ok(Write {
        path: written.into(),
        value,
        mode,
    })
}

pub(in crate::pi::run) fn interrupt(place: &Place<'_>) -> Read<PendingInterrupt> {
    place.exact(&["nodeId", "kind", "prompt", "options", "createdAt"])?;
    let node = place.field("nodeId").id()?;
    let kind = place.field("kind").word()?;
    let options = place.field("options");
    let options = match (kind, options.clone().optional()) {
        (HumanKind::Select, None) => return options.refuse("the kind needs it"),
        (_, None) => None,
        (_, Some(options)) => {
            let items = options.items()?;
            let is_enough = kind != HumanKind::Select || !items.is_empty();
            options.require(is_enough, "there is nothing to choose from")?;
            let texts = items.iter().map(|item| Ok(item.visible_text()?.into()));
            Some(texts.collect::<Read<_>>()?)
        }
    };
    Ok(PendingInterrupt {
        node: node.into(),
        interrupt: Interrupt {
            kind,
            prompt: place.field("prompt").text()?.into(),
            options,
        },
        created_at: place.field("createdAt").time()?,
    })
}
