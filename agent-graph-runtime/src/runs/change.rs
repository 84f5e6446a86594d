//! How a run changes: each change adds an event, and nothing rewrites what is there (spec 7). Knows
//! nothing about where runs are kept.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::clock::Timestamp;
use super::run::Run;
use crate::code::Code;
use crate::collation::compare_code_units;
use crate::error::Error;
use crate::facts::Facts;
use crate::json::{Object, Value};
use crate::protocol::Outcome;

/// A change of a run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Change {
    /// A node ended. Its state key is not held against the graph.
    Record {
        /// The state key, see [`Candidate::record_node`](crate::Candidate::record_node).
        node: String,
        /// How it ended.
        outcome: Outcome,
        /// What else there is to say.
        detail: Option<Value>,
    },
    /// Facts were observed: they take the place of those of the same name, the others stay.
    UpdateFacts(Facts),
    /// Facts were observed: they take the place of all.
    ReplaceFacts(Facts),
    /// The session holds these authorities and no others.
    SetAuthorities(Vec<String>),
    /// A checkpoint of this name was written.
    Checkpoint(String),
    /// The run goes on from the checkpoint of this name, without authorities.
    Resume(String),
}

impl Change {
    /// The run after the change.
    pub(super) fn apply(&self, run: &Run, now: Timestamp) -> Result<Run, Error> {
        let mut object = run.as_object().clone();
        let sequence = next_sequence(run)?;
        let event = match self {
            Self::Record {
                node,
                outcome,
                detail,
            } => {
                let mut outcomes = run_object(run, "outcomes");
                outcomes.insert(node.as_str(), record(*outcome, now, detail.as_ref()));
                object.insert("outcomes", outcomes);
                let mut event = event(sequence, now, "node.outcome-recorded");
                event.insert("node", node.as_str());
                event.insert("outcome", outcome.as_str());
                if let Some(detail) = detail {
                    event.insert("detail", detail.clone());
                }
                event
            }
            Self::UpdateFacts(facts) => {
                let mut all = run_object(run, "facts");
                for (name, value) in facts.as_object().iter() {
                    all.insert(name, value.clone());
                }
                object.insert("facts", all);
                detailed(sequence, now, "facts.updated", "keys", keys(facts))
            }
            Self::ReplaceFacts(facts) => {
                object.insert("facts", facts.as_object().clone());
                detailed(sequence, now, "facts.replaced", "keys", keys(facts))
            }
            Self::SetAuthorities(authorities) => {
                let list = authority_list(authorities.iter().cloned());
                object.insert("authorities", list.clone());
                detailed(sequence, now, "authorities.updated", "authorities", list)
            }
            Self::Checkpoint(name) => {
                let name = Value::from(name.as_str());
                detailed(sequence, now, "run.checkpointed", "checkpoint", name)
            }
            Self::Resume(name) => {
                object.insert("authorities", Vec::new());
                let name = Value::from(name.as_str());
                detailed(sequence, now, "run.resumed", "checkpoint", name)
            }
        };
        let mut events: Vec<Value> = match object.get("events").and_then(Value::as_array) {
            Some(events) => events.to_vec(),
            None => Vec::new(),
        };
        events.push(Value::Object(event));
        object.insert("events", events);
        object.insert("updatedAt", now.to_string());
        Run::checked(object)
    }
}

/// Beyond the integers that doubles tell apart, the next number would be that of the last event.
fn next_sequence(run: &Run) -> Result<u64, Error> {
    const LARGEST: u64 = (1 << 53) - 1;
    let last = run.last_sequence();
    if last >= LARGEST {
        let message = format!("run `{}` has used up the numbers of events", run.id());
        return Err(Error::new(Code::InputLimit, message));
    }
    Ok(last + 1)
}

/// The run as a checkpoint keeps it: without authorities.
pub(super) fn without_authorities(run: &Run) -> Result<Run, Error> {
    let mut object = run.as_object().clone();
    object.insert("authorities", Vec::new());
    Run::checked(object)
}

/// An event without further members.
pub(super) fn event(sequence: u64, now: Timestamp, kind: &str) -> Object {
    let mut event = Object::new();
    // The shape refuses numbers beyond the integers that doubles tell apart.
    event.insert("sequence", Value::Number(sequence as f64));
    event.insert("at", now.to_string());
    event.insert("type", kind);
    event
}

fn detailed(sequence: u64, now: Timestamp, kind: &str, name: &str, value: Value) -> Object {
    let mut detail = Object::new();
    detail.insert(name, value);
    let mut event = event(sequence, now, kind);
    event.insert("detail", detail);
    event
}

fn record(outcome: Outcome, now: Timestamp, detail: Option<&Value>) -> Object {
    let mut record = Object::new();
    record.insert("outcome", outcome.as_str());
    record.insert("recordedAt", now.to_string());
    if let Some(detail) = detail {
        record.insert("detail", detail.clone());
    }
    record
}

fn run_object(run: &Run, name: &str) -> Object {
    let member = run.as_object().get(name).and_then(Value::as_object);
    member.cloned().unwrap_or_default()
}

/// Each once, ordered by UTF-16 code units.
pub(super) fn authority_list(authorities: impl IntoIterator<Item = String>) -> Value {
    sorted(authorities.into_iter().collect())
}

/// The names of the facts, ordered by UTF-16 code units.
fn keys(facts: &Facts) -> Value {
    sorted(facts.as_object().names().map(ToString::to_string).collect())
}

fn sorted(mut texts: Vec<String>) -> Value {
    texts.sort_by(|a, b| compare_code_units(a, b));
    texts.dedup();
    Value::Array(texts.into_iter().map(Value::String).collect())
}

/// What a conflict is told with.
pub(super) fn moved_on(run: &Run, expected: u64) -> String {
    format!(
        "run `{}` is at event {}, not at {expected}: somebody else changed it",
        run.id(),
        run.last_sequence()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(events: &str) -> Run {
        let text = format!(
            r#"{{"events":[{events}],"authorities":["b"],"outcomes":{{"k":{{"detail":1,
                "recordedAt":"2024-01-01T00:00:00Z","outcome":"failed"}}}},"facts":{{"b":1,"a":2}},
                "updatedAt":"2024-01-01T00:00:00Z","createdAt":"2024-01-01T00:00:00Z",
                "entry":"e","graph":"g","provider":"p","id":"i","schema":"agent-graph.run.v1"}}"#
        );
        Run::from_json(&text).unwrap()
    }

    fn apply(change: &Change, run: &Run) -> Result<Run, Error> {
        change.apply(run, Timestamp::from_unix_milliseconds(0))
    }

    fn record(node: &str, detail: Option<Value>) -> Change {
        Change::Record {
            node: node.into(),
            outcome: Outcome::Completed,
            detail,
        }
    }

    #[test]
    fn a_change_keeps_the_order_of_members_and_everything_it_is_not_about() {
        let before =
            run(r#"{"type":"custom","at":"2024-01-01T00:00:00Z","sequence":7,"detail":[]}"#);
        let after = apply(&record("k", None), &before).unwrap();
        assert!(after.as_object().names().eq(before.as_object().names()));
        assert_eq!(after.facts().canonical(), before.facts().canonical());
        assert_eq!(after.created_at(), before.created_at());
        assert_eq!(after.updated_at(), "1970-01-01T00:00:00.000Z");
        let events: Vec<(u64, &str)> = after
            .events()
            .map(|own| (own.sequence(), own.kind()))
            .collect();
        assert_eq!(events, [(7, "custom"), (8, "node.outcome-recorded")]);
        let record = after.outcome("k").unwrap();
        assert_eq!(record.outcome(), Outcome::Completed);
        assert_eq!(record.recorded_at(), "1970-01-01T00:00:00.000Z");
        assert_eq!(record.detail(), None);
    }

    #[test]
    fn facts_are_merged_at_their_top_level_or_replaced() {
        let before = run("");
        let facts = Facts::from_json(r#"{"c":{},"a":{"x":1},"B":0}"#).unwrap();
        let merged = apply(&Change::UpdateFacts(facts.clone()), &before).unwrap();
        assert!(merged.facts().names().eq(["b", "a", "c", "B"]));
        let replaced = apply(&Change::ReplaceFacts(facts), &before).unwrap();
        assert!(replaced.facts().names().eq(["c", "a", "B"]));
        for run in [merged, replaced] {
            let event = run.events().next_back().unwrap();
            let detail = event.detail().and_then(Value::as_object).unwrap();
            assert_eq!(detail.canonical().unwrap(), r#"{"keys":["B","a","c"]}"#);
        }
    }

    #[test]
    fn when_the_numbers_of_events_are_used_up_nothing_changes() {
        let with = |sequence: &str| {
            run(&format!(
                r#"{{"sequence":{sequence},"at":"2024-01-01T00:00:00Z","type":"t"}}"#
            ))
        };
        let last = apply(&record("k", None), &with("9007199254740990")).unwrap();
        assert_eq!(last.last_sequence(), 9_007_199_254_740_991);
        for sequence in ["9007199254740991", "9007199254740992", "1e18"] {
            let refused = apply(&record("k", None), &with(sequence)).unwrap_err();
            assert_eq!(refused.code(), Code::InputLimit);
        }
    }

    #[test]
    fn a_detail_that_json_cannot_hold_is_refused() {
        let detail = Some(Value::Number(f64::INFINITY));
        let refused = apply(&record("k", detail), &run("")).unwrap_err();
        assert_eq!(refused.code(), Code::JsonInvalid);
    }
}
