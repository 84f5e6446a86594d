//! What changed between two evaluations: the input, and what can be next. Compares; explains nothing.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::explain::FactType;
use crate::json::{Object, Value};
use crate::protocol::Outcome;
use crate::state::State;
use crate::wire::wire_struct;

/// What changed since the evaluation before.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// Recorded outcomes, in the order of recording; those taken back come last.
    pub outcomes: Vec<OutcomeChange>,
    /// Facts, in the order in which they stand; those taken away come last in their object.
    pub facts: Vec<FactChange>,
    /// Authorities of the session.
    pub authorities: AuthorityChanges,
    /// State keys of the nodes that can be next and could not before, in order of precedence.
    pub opened: Vec<String>,
    /// State keys of the nodes that cannot be next any more.
    pub closed: Vec<String>,
}

wire_struct!(Changes {
    "outcomes": outcomes,
    "facts": facts,
    "authorities": authorities,
    "opened": opened,
    "closed": closed,
});

/// A recorded outcome that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutcomeChange {
    /// The state key.
    pub key: String,
    /// What was recorded before, if anything.
    pub before: Option<Outcome>,
    /// What is recorded now, if anything.
    pub after: Option<Outcome>,
}

wire_struct!(OutcomeChange {
    "key": key,
    "before": before,
    "after": after,
});

/// A fact that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactChange {
    /// Path of the fact.
    pub path: String,
    /// Its type before.
    pub before: FactType,
    /// Its type now.
    pub after: FactType,
}

wire_struct!(FactChange {
    "path": path,
    "before": before,
    "after": after,
});

/// Authorities that changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuthorityChanges {
    /// Authorities that the session holds now and did not hold before.
    pub gained: Vec<String>,
    /// Authorities that it does not hold any more.
    pub lost: Vec<String>,
}

wire_struct!(AuthorityChanges {
    "gained": gained,
    "lost": lost,
});

impl Changes {
    /// From one state and its candidates to the next.
    pub(super) fn between(before: (&State, &[String]), after: (&State, &[String])) -> Self {
        let (state, open) = before;
        let (next, next_open) = after;
        let missing_in = |from: &[String], other: &[String]| -> Vec<String> {
            let missing = from.iter().filter(|own| !other.contains(own));
            missing.cloned().collect()
        };
        let mut facts = Vec::new();
        if state.facts() != next.facts() {
            let (before, after) = (state.facts().as_object(), next.facts().as_object());
            compare(&mut String::new(), before, after, &mut facts);
        }
        Self {
            outcomes: outcomes(state, next),
            facts,
            authorities: AuthorityChanges {
                gained: missing_in(next.authorities(), state.authorities()),
                lost: missing_in(state.authorities(), next.authorities()),
            },
            opened: missing_in(next_open, open),
            closed: missing_in(open, next_open),
        }
    }

    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

fn outcomes(before: &State, after: &State) -> Vec<OutcomeChange> {
    let change = |key: &str, before: Option<Outcome>, after: Option<Outcome>| {
        (before != after).then(|| OutcomeChange {
            key: key.to_string(),
            before,
            after,
        })
    };
    let now = after
        .outcomes()
        .filter_map(|(key, outcome)| change(key, before.outcome(key), Some(outcome)));
    let gone = before
        .outcomes()
        .filter(|(key, _)| after.outcome(key).is_none())
        .filter_map(|(key, outcome)| change(key, Some(outcome), None));
    now.chain(gone).collect()
}

/// Facts nest only so deep, or there would be no facts.
fn compare(path: &mut String, before: &Object, after: &Object, changes: &mut Vec<FactChange>) {
    for (name, value) in after.iter() {
        at(path, name, |path| {
            compare_values(path, before.get(name), Some(value), changes);
        });
    }
    for (name, value) in before.iter().filter(|(name, _)| !after.contains(name)) {
        at(path, name, |path| {
            compare_values(path, Some(value), None, changes);
        });
    }
}

fn compare_values(
    path: &mut String,
    before: Option<&Value>,
    after: Option<&Value>,
    changes: &mut Vec<FactChange>,
) {
    if let (Some(Value::Object(before)), Some(Value::Object(after))) = (before, after) {
        compare(path, before, after, changes);
    } else if before != after {
        changes.push(FactChange {
            path: path.clone(),
            before: FactType::of(before),
            after: FactType::of(after),
        });
    }
}

fn at(path: &mut String, name: &str, then: impl FnOnce(&mut String)) {
    let length = path.len();
    if length > 0 {
        path.push('.');
    }
    path.push_str(name);
    then(path);
    path.truncate(length);
}
