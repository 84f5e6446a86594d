//! What may change from one snapshot of a run to the next, and what may not (spec 13.2). Knows two snapshots
//! that are valid on their own.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;

use super::Snapshot;
use super::place::{Read, SnapshotError};
use crate::pi::run::record::{RunStatus, ThreadRecord};

pub(in crate::pi::run) const FIXED: &str = "it differs from the snapshot before, and never changes";
pub(in crate::pi::run) const GROWS: &str =
    "it is less than in the snapshot before, and never shrinks";

pub(super) fn check(previous: &Snapshot, next: &Snapshot) -> Read<()> {
    let fixed = [
        (".runId", previous.run_id == next.run_id),
        (".graphName", previous.graph_name == next.graph_name),
        (".graphHash", previous.graph_hash == next.graph_hash),
        (".graphSource", previous.graph_source == next.graph_source),
        (".createdAt", previous.created_at == next.created_at),
        (".startedAt", previous.started_at == next.started_at),
    ];
    for (path, holds) in fixed {
        require(holds, path, FIXED)?;
    }
    require(
        previous.status != RunStatus::Completed,
        ".status",
        "nothing follows a completed run",
    )?;
    let (before, after) = (&previous.usage, &next.usage);
    let grows = [
        (
            ".activeTimeMs",
            previous.active_time_ms <= next.active_time_ms,
        ),
        (".step", previous.step <= next.step),
        (".nodeRuns", previous.node_runs <= next.node_runs),
        (
            ".usage.inputTokens",
            before.input_tokens <= after.input_tokens,
        ),
        (
            ".usage.outputTokens",
            before.output_tokens <= after.output_tokens,
        ),
        (
            ".usage.cacheReadTokens",
            before.cache_read_tokens <= after.cache_read_tokens,
        ),
        (
            ".usage.cacheWriteTokens",
            before.cache_write_tokens <= after.cache_write_tokens,
        ),
        (".usage.turns", before.turns <= after.turns),
        (".usage.costUsd", before.cost_usd <= after.cost_usd),
        (".updatedAt", previous.updated_at <= next.updated_at),
    ];
    for (path, holds) in grows {
        require(holds, path, GROWS)?;
    }
    counts(
        ".completionCounts",
        &previous.completion_counts,
        &next.completion_counts,
    )?;
    consumed(previous, next)?;
    history(previous, next)?;
    threads(previous, next)
}

fn require(holds: bool, path: &str, reason: &'static str) -> Read<()> {
    if holds {
        Ok(())
    } else {
        Err(SnapshotError::at(path, reason))
    }
}

fn counts(path: &str, previous: &[(String, u64)], next: &[(String, u64)]) -> Read<()> {
    let next: BTreeMap<&str, u64> = next.iter().map(|(name, at)| (name.as_str(), *at)).collect();
    for (name, before) in previous {
        let after = next.get(name.as_str()).copied();
        let holds = after.is_some_and(|after| *before <= after);
        require(holds, &format!("{path}.{name}"), GROWS)?;
    }
    Ok(())
}

fn consumed(previous: &Snapshot, next: &Snapshot) -> Read<()> {
    let after: BTreeMap<&str, &[(String, u64)]> = next
        .barrier_consumed
        .iter()
        .map(|(edge, sources)| (edge.as_str(), sources.as_slice()))
        .collect();
    for (edge, sources) in &previous.barrier_consumed {
        let path = format!(".barrierConsumed.{edge}");
        match after.get(edge.as_str()) {
            Some(after) => counts(&path, sources, after)?,
            None => require(false, &path, GROWS)?,
        }
    }
    Ok(())
}

fn history(previous: &Snapshot, next: &Snapshot) -> Read<()> {
    let is_kept = previous.history.len() <= next.history.len();
    require(is_kept, ".history", GROWS)?;
    let both = previous.history.iter().zip(&next.history);
    for (index, (before, after)) in both.enumerate() {
        require(before == after, &format!(".history[{index}]"), FIXED)?;
    }
    Ok(())
}

fn threads(previous: &Snapshot, next: &Snapshot) -> Read<()> {
    let after: BTreeMap<&str, &ThreadRecord> = next
        .threads
        .iter()
        .map(|thread| (thread.key.as_str(), thread))
        .collect();
    for before in &previous.threads {
        let path = format!(".threads.{}", before.key);
        let Some(after) = after.get(before.key.as_str()) else {
            return Err(SnapshotError::at(&path, "threads are never removed"));
        };
        let checks = [
            ("sessionId", before.session_id == after.session_id, FIXED),
            ("createdAt", before.created_at == after.created_at, FIXED),
            (
                "invocationCount",
                before.invocation_count <= after.invocation_count,
                GROWS,
            ),
            ("updatedAt", before.updated_at <= after.updated_at, GROWS),
            (
                "nodes",
                before.nodes.iter().all(|node| after.nodes.contains(node)),
                GROWS,
            ),
        ];
        for (name, holds, reason) in checks {
            require(holds, &format!("{path}.{name}"), reason)?;
        }
    }
    Ok(())
}
