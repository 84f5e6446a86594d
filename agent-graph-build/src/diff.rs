//! What changes between two versions of a provider, and how much each change matters to its hosts. Compares
//! definitions, not texts: what only moves around is no change. Knows loaded providers.
//!
//! ```no_run
//! use agent_graph_build::diff::{Class, diff};
//! use agent_graph_runtime::load::load;
//!
//! let old = load("released/manifest.json".as_ref())?;
//! let new = load("workflow/provider.yaml".as_ref())?;
//! let difference = diff(&old, &new);
//! assert!(difference.class < Class::BreaksStoredRuns);
//! # Ok::<(), agent_graph_runtime::Findings>(())
//! ```

mod profile;

use std::fmt;

use agent_graph_runtime::load::Loaded;
use agent_graph_runtime::ordered::{self, Set};
use serde_core::ser::{Serialize, SerializeStruct, Serializer};

use profile::{Attribute, Profile, profile};

/// How much a change matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Nothing changes but, perhaps, the order and the form in which things are written.
    Identical,
    /// What people read changes.
    Wording,
    /// Something comes that nothing known refers to.
    Additive,
    /// Other routes are offered, or routes lead to other work.
    RouteChanging,
    /// What stored runs have recorded is not found any more, or means something else.
    BreaksStoredRuns,
}

impl Class {
    /// Every class, the least first.
    pub const ALL: &'static [Self] = &[
        Self::Identical,
        Self::Wording,
        Self::Additive,
        Self::RouteChanging,
        Self::BreaksStoredRuns,
    ];

    /// The name of the class.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Identical => "identical",
            Self::Wording => "wording",
            Self::Additive => "additive",
            Self::RouteChanging => "route-changing",
            Self::BreaksStoredRuns => "breaks-stored-runs",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Serialize for Class {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// All that changes between two versions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// The class of the change that matters most.
    pub class: Class,
    /// The changes, those that matter most first.
    pub changes: Vec<Change>,
}

/// One thing that changes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Change {
    /// How much it matters.
    pub class: Class,
    /// What changes, such as `graph release, node package, priority`.
    pub subject: String,
    /// What it was; none for something new.
    pub before: Option<String>,
    /// What it becomes; none for something that goes.
    pub after: Option<String>,
}

impl Serialize for Difference {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Difference", 2)?;
        object.serialize_field("class", &self.class)?;
        object.serialize_field("changes", &self.changes)?;
        object.end()
    }
}

impl Serialize for Change {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let sides = [("before", &self.before), ("after", &self.after)];
        let sides = sides
            .iter()
            .filter_map(|(name, side)| side.as_ref().map(|side| (*name, side)));
        let mut object = serializer.serialize_struct("Change", 2 + sides.clone().count())?;
        object.serialize_field("class", &self.class)?;
        object.serialize_field("subject", &self.subject)?;
        for (name, side) in sides {
            object.serialize_field(name, side)?;
        }
        object.end()
    }
}

/// Compares two versions of a provider.
pub fn diff(old: &Loaded, new: &Loaded) -> Difference {
    let (before, after) = (profile(old), profile(new));
    let mut changes = changes(&before, &after);
    ordered::sort_by(&mut changes, |a, b| {
        b.class.cmp(&a.class).then_with(|| a.cmp(b))
    });
    let class = changes
        .first()
        .map_or(Class::Identical, |change| change.class);
    Difference { class, changes }
}

fn changes(before: &Profile, after: &Profile) -> Vec<Change> {
    let subjects: Set<&Vec<String>> = before.keys().chain(after.keys()).collect();
    let mut changes = Vec::new();
    // The subject that came or went last: what belongs to it came or went with it.
    let mut whole: Option<&Vec<String>> = None;
    for subject in subjects {
        if whole.is_some_and(|whole| subject.starts_with(whole)) {
            continue;
        }
        let (old, new) = (before.get(subject), after.get(subject));
        let class = match (old, new) {
            (Some(old), Some(new)) if old.value == new.value => continue,
            (Some(old), Some(_)) => old.changed,
            (Some(old), None) => old.removed,
            (None, Some(new)) => new.added,
            (None, None) => continue,
        };
        if old.is_none() || new.is_none() {
            whole = Some(subject);
        }
        let value = |attribute: &Attribute| attribute.value.clone();
        changes.push(Change {
            class,
            subject: subject.join(", "),
            before: old.map(value),
            after: new.map(value),
        });
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attribute(value: &str) -> Attribute {
        Attribute {
            value: value.to_owned(),
            added: Class::Additive,
            changed: Class::Wording,
            removed: Class::BreaksStoredRuns,
        }
    }

    fn profile(entries: &[(&[&str], &str)]) -> Profile {
        let entries = entries.iter().map(|(subject, value)| {
            let subject = subject.iter().map(|part| (*part).to_owned()).collect();
            (subject, attribute(value))
        });
        entries.collect()
    }

    #[test]
    fn what_comes_or_goes_with_something_else_is_no_change_of_its_own() {
        let before = profile(&[
            (&["graph a"], ""),
            (&["graph a", "node n"], "x"),
            (&["z"], "1"),
        ]);
        let after = profile(&[
            (&["graph b"], ""),
            (&["graph b", "node n"], "x"),
            (&["z"], "2"),
        ]);
        let found: Vec<(Class, String)> = changes(&before, &after)
            .into_iter()
            .map(|change| (change.class, change.subject))
            .collect();
        assert_eq!(
            found,
            [
                (Class::BreaksStoredRuns, "graph a".to_owned()),
                (Class::Additive, "graph b".to_owned()),
                (Class::Wording, "z".to_owned()),
            ]
        );
    }
}
