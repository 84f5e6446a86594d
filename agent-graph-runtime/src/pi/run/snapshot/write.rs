//! A snapshot as JSON, its members in the order in which they lie on disk (spec 13.3). Knows nothing about
//! files.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{CountList, Snapshot};
use crate::json::{Object, Value};
use crate::pi::reducer::Write;
use crate::pi::run::record::{HistoryEntry, InFlight, NodeResult, PendingInterrupt, ThreadRecord};
use crate::pi::run::usage::{SAFE, Usage};
use crate::pi::words::WriteMode;

pub(super) fn snapshot(snapshot: &Snapshot) -> Value {
    let hash = snapshot.graph_hash.to_string();
    let hash = hash.strip_prefix("sha256:").unwrap_or(&hash);
    let mut object = Members::default();
    object
        .put("version", 2)
        .put("runId", snapshot.run_id.as_str())
        .put("graphName", snapshot.graph_name.as_str())
        .put("graphHash", hash)
        .put_some("graphSource", snapshot.graph_source.as_deref())
        .put("status", snapshot.status.as_str())
        .put("createdAt", snapshot.created_at.to_string())
        .put("updatedAt", snapshot.updated_at.to_string())
        .put("startedAt", snapshot.started_at.to_string())
        .put("activeTimeMs", count(snapshot.active_time_ms))
        .put("step", count(snapshot.step))
        .put("nodeRuns", count(snapshot.node_runs))
        .put("state", (*snapshot.state).clone())
        .put("pending", ids(&snapshot.pending))
        .put("completionCounts", counts(&snapshot.completion_counts))
        .put("barrierConsumed", consumed(&snapshot.barrier_consumed))
        .put("usage", usage(&snapshot.usage))
        .put("history", list(&snapshot.history, history_entry))
        .put("threads", threads(&snapshot.threads))
        .put_some("inFlight", snapshot.in_flight.as_ref().map(in_flight))
        .put_some("interrupt", snapshot.interrupt.as_ref().map(interrupt))
        .put_some("error", snapshot.error.as_deref())
        .put_some("endedAt", snapshot.ended_at.map(|time| time.to_string()));
    object.finish()
}

/// The members of an object, in order.
#[derive(Default)]
pub(in crate::pi::run) struct Members(Object);

impl Members {
    pub(in crate::pi::run) fn put(&mut self, name: &str, value: impl Into<Value>) -> &mut Self {
        self.0.insert(name, value);
        self
    }

    pub(in crate::pi::run) fn put_some(
        &mut self,
        name: &str,
        value: Option<impl Into<Value>>,
    ) -> &mut Self {
        if let Some(value) = value {
            self.put(name, value);
        }
        self
    }

    pub(in crate::pi::run) fn finish(self) -> Value {
        Value::Object(self.0)
    }
}

pub(in crate::pi::run) fn count(count: u64) -> Value {
    Value::Number(count.min(SAFE) as f64)
}

pub(in crate::pi::run) fn ids(ids: &[String]) -> Value {
    list(ids, |id| id.as_str().into())
}

pub(in crate::pi::run) fn list<T>(items: &[T], value: impl Fn(&T) -> Value) -> Value {
    Value::Array(items.iter().map(value).collect::<Vec<_>>())
}

pub(in crate::pi::run) fn counts(counts: &[(String, u64)]) -> Value {
    let entries = counts.iter();
    Value::Object(
        entries
            .map(|(name, number)| (name.as_str(), count(*number)))
            .collect(),
    )
}

pub(in crate::pi::run) fn consumed(edges: &[(String, CountList)]) -> Value {
    let edges = edges.iter();
    Value::Object(
        edges
            .map(|(edge, sources)| (edge.as_str(), counts(sources)))
            .collect(),
    )
}

pub(in crate::pi::run) fn threads(threads: &[ThreadRecord]) -> Value {
    let records = threads.iter();
    Value::Object(
        records
            .map(|record| (record.key.as_str(), thread(record)))
            .collect(),
    )
}

pub(in crate::pi::run) fn usage(usage: &Usage) -> Value {
    let mut object = Members::default();
    object
        .put("inputTokens", count(usage.input_tokens))
        .put("outputTokens", count(usage.output_tokens))
        .put("cacheReadTokens", count(usage.cache_read_tokens))
        .put("cacheWriteTokens", count(usage.cache_write_tokens))
        .put("turns", count(usage.turns))
        .put("costUsd", usage.cost_usd)
        .put_some("model", usage.model.as_deref());
    object.finish()
}

pub(in crate::pi::run) fn history_entry(entry: &HistoryEntry) -> Value {
    let mut object = Members::default();
    object
        .put("step", count(entry.step))
        .put("nodeId", entry.node.as_str())
        .put("status", entry.status.as_str())
        .put("attempts", count(entry.attempts))
        .put("startedAt", entry.started_at.to_string())
        .put("endedAt", entry.ended_at.to_string())
        .put("usage", usage(&entry.usage))
        .put_some("error", entry.error.as_deref());
    object.finish()
}

pub(in crate::pi::run) fn thread(thread: &ThreadRecord) -> Value {
    let mut object = Members::default();
    object
        .put("key", thread.key.as_str())
        .put("sessionId", thread.session_id.as_str())
        .put("createdAt", thread.created_at.to_string())
        .put("updatedAt", thread.updated_at.to_string())
        .put("nodes", ids(&thread.nodes))
        .put("invocationCount", count(thread.invocation_count))
        .put_some("lastNodeId", thread.last_node.as_deref());
    object.finish()
}

fn in_flight(in_flight: &InFlight) -> Value {
    let mut object = Members::default();
    object
        .put("step", count(in_flight.step))
        .put("scheduled", ids(&in_flight.scheduled))
        .put("unresolved", ids(&in_flight.unresolved))
        .put("completed", completed(&in_flight.completed));
    object.finish()
}

pub(in crate::pi::run) fn completed(results: &[(String, NodeResult)]) -> Value {
    let results = results.iter();
    Value::Object(
        results
            .map(|(node, result)| (node.as_str(), node_result(node, result)))
            .collect(),
    )
}

pub(in crate::pi::run) fn node_result(node: &str, result: &NodeResult) -> Value {
    let mut object = Members::default();
    object
        .put("kind", "success")
        .put("writes", list(&result.writes, |one| write(node, one)))
        .put_some("output", result.output.clone())
        .put("usage", usage(&result.usage))
        .put_some("next", result.next.as_deref().map(ids))
        .put("attempts", count(result.attempts))
        .put("startedAt", result.started_at.to_string())
        .put("endedAt", result.ended_at.to_string());
    object.finish()
}

fn write(node: &str, write: &Write) -> Value {
    let mode = (write.mode != WriteMode::Reduce).then_some(write.mode.as_str());
    let mut object = Members::default();
    object
        .put("path", write.path.as_str())
        .put_some("value", write.value.clone())
        .put("nodeId", node)
        .put_some("mode", mode);
    object.finish()
}

pub(in crate::pi::run) fn interrupt(pending: &PendingInterrupt) -> Value {
    let question = &pending.interrupt;
    let mut object = Members::default();
    object
        .put("nodeId", pending.node.as_str())
        .put("kind", question.kind.as_str())
        .put("prompt", question.prompt.as_str())
        .put_some("options", question.options.as_deref().map(ids))
        .put("createdAt", pending.created_at.to_string());
    object.finish()
}
