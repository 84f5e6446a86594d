//! What has changed in a state, as data, and the same change made to another copy of the state. Knows nothing
//! about who follows.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

use super::{Applied, Undo};
use crate::json::{Object, Value};
use crate::pi::path_set::PathSet;
use crate::pi::state;

/// One change of a state. Paths are names, from the outermost object inwards.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum StateChange {
    /// This value is there now; objects on the way to it were there before.
    Set {
        /// Where.
        path: Vec<String>,
        /// What.
        value: Value,
    },
    /// Nothing is there any more.
    Unset {
        /// Where.
        path: Vec<String>,
    },
    /// The array that is there has lost its first items and got others at its end.
    Splice {
        /// Where.
        path: Vec<String>,
        /// How many items it has lost.
        dropped: usize,
        /// What it has got.
        added: Vec<Value>,
    },
}

impl Applied {
    /// Makes a change that was made to a state like this one; says whether it could be.
    pub(crate) fn follow(&mut self, state: &mut Object, change: &StateChange) -> bool {
        match change {
            StateChange::Set { path, value } => {
                let set = self.set(state, &borrowed(path), value.clone());
                set.is_ok()
            }
            StateChange::Unset { path } => self.unset(state, &borrowed(path)).is_ok(),
            StateChange::Splice {
                path,
                dropped,
                added,
            } => {
                let segments = borrowed(path);
                match state::get_mut(state, &segments) {
                    Some(Value::Array(array)) if *dropped <= array.len() => {
                        self.drop_first(array, &segments, *dropped);
                    }
                    _ => return false,
                }
                self.extend(state, &segments, added.iter()).is_ok()
            }
        }
    }

    /// What has changed, given the state as it is now.
    pub(crate) fn changes(&self, state: &Object) -> Vec<StateChange> {
        let arrays = self.arrays(state);
        let mut changes = Vec::new();
        // What is in a value that was set as a whole is not told again.
        let mut set = PathSet::default();
        let mut spliced = BTreeSet::new();
        for undo in &self.undo {
            let path = undo.path();
            let segments = || path.iter().map(String::as_str);
            let value = state::get(state, path);
            if set.covers(segments()) {
                continue;
            }
            match (undo, value) {
                (Undo::Remove(_) | Undo::Replace(..), Some(value)) => {
                    set.insert(segments());
                    changes.push(StateChange::Set {
                        path: path.into(),
                        value: value.clone(),
                    });
                }
                (Undo::Restore(..), _) => changes.push(StateChange::Unset { path: path.into() }),
                (Undo::Truncate(..) | Undo::Prepend(..), Some(Value::Array(array)))
                    if spliced.insert(path) =>
                {
                    let (before, taken) = arrays.get(path).copied().unwrap_or_default();
                    let dropped = taken.min(before);
                    changes.push(StateChange::Splice {
                        path: path.into(),
                        dropped,
                        added: array.get(before - dropped..).unwrap_or(&[]).to_vec(),
                    });
                }
                _ => {}
            }
        }
        changes
    }

    /// Of each array that has lost items or got some: how many it had before, and how many were taken away.
    fn arrays(&self, state: &Object) -> BTreeMap<&[String], (usize, usize)> {
        let mut arrays = BTreeMap::new();
        for undo in self.undo.iter().rev() {
            let path = undo.path();
            let length = || match state::get(state, path) {
                Some(Value::Array(array)) => array.len(),
                _ => 0,
            };
            match undo {
                Undo::Truncate(_, before) => arrays.entry(path).or_insert((0, 0)).0 = *before,
                Undo::Prepend(_, items) => {
                    let (before, taken) = arrays.entry(path).or_insert_with(|| (length(), 0));
                    *before += items.len();
                    *taken += items.len();
                }
                _ => {}
            }
        }
        arrays
    }
}

fn borrowed(segments: &[String]) -> Vec<&str> {
    segments.iter().map(String::as_str).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::{before, drawn, shown};
    use super::*;

    #[test]
    fn whoever_makes_the_changes_that_are_told_comes_to_the_same_state() {
        let before = before();
        let items = [Value::from("ü"), Value::Null];
        let overlay: Object = [("b", "new"), ("d", "more")].into_iter().collect();
        let mut random: u64 = 0x9e37_79b9_7f4a_7c15;
        for _ in 0..4000 {
            let mut state = before.clone();
            let mut applied = Applied::default();
            let mut written = PathSet::default();
            // Writes of a superstep never overlap.
            for _ in 0..6 {
                let path = drawn(&mut random);
                if written.insert(path.iter().copied()) {
                    continue;
                }
                let _ = match random % 4 {
                    0 => applied.set(&mut state, path, Value::Array(items.to_vec())),
                    1 => applied.unset(&mut state, path),
                    2 => applied.extend(&mut state, path, items.iter()).map(|_| ()),
                    _ => match state::get(&state, path) {
                        Some(Value::Object(_)) => {
                            applied.merge(&mut state, &mut path.to_vec(), &overlay)
                        }
                        _ => Ok(()),
                    },
                };
            }
            for keep in [2, 1] {
                applied.keep_last(&mut state, drawn(&mut random), keep);
            }
            let mut followed = before.clone();
            let mut following = Applied::default();
            for change in applied.changes(&state) {
                assert!(following.follow(&mut followed, &change), "{change:?}");
            }
            assert_eq!(shown(&followed), shown(&state));
        }
    }

    #[test]
    fn a_change_of_another_state_is_not_made() {
        let splice = |path: &str, dropped| StateChange::Splice {
            path: [path.into()].into(),
            dropped,
            added: Vec::new(),
        };
        let set = StateChange::Set {
            path: ["é".into(), "x".into()].into(),
            value: Value::Null,
        };
        for change in [splice("list", 1), splice("é", 0), splice("no", 0), set] {
            let mut state = before();
            assert!(!Applied::default().follow(&mut state, &change));
            assert_eq!(shown(&state), shown(&before()));
        }
    }
}
