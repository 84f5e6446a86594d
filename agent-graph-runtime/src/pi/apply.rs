//! Changes of a state in place, each with what takes it back, and with what it adds to the size of the state
//! (spec 5.4): committing costs as much as is written, not as much as the state holds. Knows nothing about
//! reducers and steps.

mod changes;

use alloc::string::String;
use alloc::vec::Vec;

pub(crate) use changes::StateChange;

use super::print;
use super::state::{self, depth};
use super::state_error::StateError;
use crate::json::{DEPTH_LIMIT, Object, Value};

/// The changes that were made to a state.
#[derive(Debug, Default)]
pub(crate) struct Applied {
    undo: Vec<Undo>,
    /// What each of these changes has added to the size.
    growths: Vec<i64>,
    /// Bytes of the compact text of the state, now more than before.
    growth: i64,
}

/// What takes a change back; the path leads to what was changed.
#[derive(Debug)]
enum Undo {
    /// There was nothing.
    Remove(Vec<String>),
    /// There was this value.
    Replace(Vec<String>, Value),
    /// There was this value, as the member with this number.
    Restore(Vec<String>, usize, Value),
    /// The array had so many items.
    Truncate(Vec<String>, usize),
    /// These items came first.
    Prepend(Vec<String>, Vec<Value>),
}

impl Applied {
    /// Bytes of the compact text of the state, now more than before.
    pub(crate) fn growth(&self) -> i64 {
        self.growth
    }

    fn note(&mut self, undo: Undo, growth: i64) {
        self.growth += growth;
        self.growths.push(growth);
        self.undo.push(undo);
    }

    /// What the value at a path has grown by; nothing if it was put there, or taken away, as a whole.
    pub(crate) fn growth_at(&self, segments: &[&str]) -> Option<i64> {
        let mut sum = 0;
        for (undo, growth) in self.undo.iter().zip(&self.growths) {
            let path = undo.path();
            let is_near = path.iter().zip(segments).all(|(one, other)| one == other);
            let is_inside = match undo {
                Undo::Truncate(..) | Undo::Prepend(..) => path.len() >= segments.len(),
                _ => path.len() > segments.len(),
            };
            match (is_near, is_inside) {
                (true, true) => sum += growth,
                (true, false) => return None,
                (false, _) => {}
            }
        }
        Some(sum)
    }

    /// Puts a value at a path, with the objects on the way to it.
    pub(crate) fn set(
        &mut self,
        state: &mut Object,
        segments: &[&str],
        value: Value,
    ) -> Result<(), StateError> {
        let Some((last, parents)) = segments.split_last() else {
            return Err(StateError::EmptyPath);
        };
        if segments.len() + depth(&value) > DEPTH_LIMIT as usize {
            return Err(StateError::StateDepth);
        }
        let existing = existing_parents(state, parents)?;
        let Some(missing) = parents.get(existing) else {
            let object = object_at(state, parents).ok_or(StateError::ParentNotObject)?;
            return self.insert(object, segments, last, value);
        };
        // What is missing is made as one value, and put where the first part of it is missing.
        let inner = segments.get(existing + 1..).unwrap_or(&[]);
        let value = inner.iter().rev().fold(value, |value, name| {
            Value::Object([(*name, value)].into_iter().collect())
        });
        let known = parents.get(..existing).unwrap_or(&[]);
        let object = object_at(state, known).ok_or(StateError::ParentNotObject)?;
        let path = segments.get(..=existing).unwrap_or(segments);
        self.insert(object, path, missing, value)
    }

    /// Sets a member of an object that is at the parent of `path`.
    fn insert(
        &mut self,
        object: &mut Object,
        path: &[&str],
        name: &str,
        value: Value,
    ) -> Result<(), StateError> {
        let (size, count) = (size(&value), object.len());
        match object.insert(name, value) {
            Some(old) => {
                let growth = size - self::size(&old);
                self.note(Undo::Replace(owned(path), old), growth);
            }
            None => {
                let growth = name_size(name) + size + i64::from(count > 0);
                self.note(Undo::Remove(owned(path)), growth);
            }
        }
        Ok(())
    }

    /// Takes the value at a path away; the objects on the way to it stay.
    pub(crate) fn unset(
        &mut self,
        state: &mut Object,
        segments: &[&str],
    ) -> Result<(), StateError> {
        let Some((last, parents)) = segments.split_last() else {
            return Err(StateError::EmptyPath);
        };
        if existing_parents(state, parents)? < parents.len() {
            return Ok(());
        }
        let object = object_at(state, parents).ok_or(StateError::ParentNotObject)?;
        if let Some((position, old)) = object.remove_entry(last) {
            let growth = name_size(last) + size(&old) + i64::from(!object.is_empty());
            self.note(Undo::Restore(owned(segments), position, old), -growth);
        }
        Ok(())
    }

    /// Adds items to the end of an array; says whether there is one.
    pub(crate) fn extend<'v>(
        &mut self,
        state: &mut Object,
        segments: &[&str],
        items: impl Iterator<Item = &'v Value> + Clone,
    ) -> Result<bool, StateError> {
        let Some(Value::Array(array)) = state::get_mut(state, segments) else {
            return Ok(false);
        };
        let deepest = items.clone().map(depth).max().unwrap_or(0);
        if segments.len() + 1 + deepest > DEPTH_LIMIT as usize {
            return Err(StateError::StateDepth);
        }
        let before = array.len();
        array.extend(items.cloned());
        let added = array.get(before..).unwrap_or(&[]);
        let growth = added.iter().map(size).sum::<i64>() + commas(array.len()) - commas(before);
        self.note(Undo::Truncate(owned(segments), before), growth);
        Ok(true)
    }

    /// Merges an object into the one that is at a path, member by member.
    pub(crate) fn merge<'v>(
        &mut self,
        state: &mut Object,
        segments: &mut Vec<&'v str>,
        overlay: &'v Object,
    ) -> Result<(), StateError> {
        // The recursion ends: the depth of values is limited.
        for (name, value) in overlay.iter() {
            segments.push(name);
            match (state::get(state, segments), value) {
                (Some(Value::Object(_)), Value::Object(inner)) => {
                    self.merge(state, segments, inner)?;
                }
                _ => self.set(state, segments, value.clone())?,
            }
            segments.pop();
        }
        Ok(())
    }

    /// Takes away the first items of an array, of which the last `keep` stay. Says whether that is an array
    /// or nothing at all.
    pub(crate) fn keep_last(&mut self, state: &mut Object, segments: &[&str], keep: usize) -> bool {
        match state::get_mut(state, segments) {
            None => true,
            Some(Value::Array(array)) => {
                let dropped = array.len().saturating_sub(keep);
                self.drop_first(array, segments, dropped);
                true
            }
            Some(_) => false,
        }
    }

    fn drop_first(&mut self, array: &mut Vec<Value>, segments: &[&str], count: usize) {
        let before = array.len();
        let taken: Vec<Value> = array.drain(..count.min(before)).collect();
        if !taken.is_empty() {
            let growth = taken.iter().map(size).sum::<i64>() + commas(before) - commas(array.len());
            self.note(Undo::Prepend(owned(segments), taken), -growth);
        }
    }

    /// Takes all changes back.
    pub(crate) fn take_back(self, state: &mut Object) {
        for undo in self.undo.into_iter().rev() {
            undo.apply(state);
        }
    }
}

impl Undo {
    fn apply(self, state: &mut Object) {
        let parent = |state| -> Option<(&mut Object, &String)> {
            let (last, parents) = self.path().split_last()?;
            Some((object_at(state, parents)?, last))
        };
        match &self {
            Self::Remove(_) => {
                if let Some((object, name)) = parent(state) {
                    object.remove(name);
                }
            }
            Self::Replace(_, old) => {
                if let Some((object, name)) = parent(state) {
                    object.insert(name.as_str(), old.clone());
                }
            }
            Self::Restore(_, position, old) => {
                if let Some((object, name)) = parent(state) {
                    object.insert_entry(*position, name, old.clone());
                }
            }
            Self::Truncate(path, length) => {
                if let Some(Value::Array(array)) = state::get_mut(state, path) {
                    array.truncate(*length);
                }
            }
            Self::Prepend(path, items) => {
                if let Some(Value::Array(array)) = state::get_mut(state, path) {
                    array.splice(..0, items.iter().cloned());
                }
            }
        }
    }

    fn path(&self) -> &[String] {
        match self {
            Self::Remove(path)
            | Self::Replace(path, _)
            | Self::Restore(path, ..)
            | Self::Truncate(path, _)
            | Self::Prepend(path, _) => path,
        }
    }
}

/// How many of these names lead from object to object.
fn existing_parents(state: &Object, parents: &[&str]) -> Result<usize, StateError> {
    let mut object = state;
    for (at, name) in parents.iter().enumerate() {
        object = match object.get(name) {
            None => return Ok(at),
            Some(Value::Object(child)) => child,
            Some(_) => return Err(StateError::ParentNotObject),
        };
    }
    Ok(parents.len())
}

fn object_at<'s>(state: &'s mut Object, segments: &[impl AsRef<str>]) -> Option<&'s mut Object> {
    if segments.is_empty() {
        return Some(state);
    }
    match state::get_mut(state, segments)? {
        Value::Object(object) => Some(object),
        _ => None,
    }
}

fn owned(segments: &[&str]) -> Vec<String> {
    segments.iter().map(|&segment| segment.into()).collect()
}

fn size(value: &Value) -> i64 {
    i64::try_from(print::compact_size(value)).unwrap_or(i64::MAX)
}

/// A name with the colon behind it.
fn name_size(name: &str) -> i64 {
    i64::try_from(print::compact_size_of_text(name)).unwrap_or(i64::MAX) + 1
}

fn commas(items: usize) -> i64 {
    i64::try_from(items.saturating_sub(1)).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_can_be_taken_back_and_is_counted() {
        let before = before();
        let bytes = |state: &Object| i64::try_from(shown(state).len()).unwrap();
        let items = [Value::from("ü"), Value::Null];
        let mut random: u64 = 0x9e37_79b9_7f4a_7c15;
        for _ in 0..2000 {
            let mut state = before.clone();
            let mut applied = Applied::default();
            for _ in 0..6 {
                let path = drawn(&mut random);
                let _ = match random % 4 {
                    0 => applied.set(&mut state, path, Value::Array(items.to_vec())),
                    1 => applied.unset(&mut state, path),
                    2 => applied.extend(&mut state, path, items.iter()).map(|_| ()),
                    _ => {
                        applied.keep_last(&mut state, path, 1);
                        Ok(())
                    }
                };
            }
            assert_eq!(bytes(&state) - bytes(&before), applied.growth());
            for path in [&["a"][..], &["a", "b"], &["list"]] {
                let size = |state| state::get(state, path).map_or(0, size);
                if let Some(growth) = applied.growth_at(path) {
                    assert_eq!(size(&state) - size(&before), growth);
                }
            }
            applied.take_back(&mut state);
            assert_eq!(shown(&state), shown(&before));
        }
    }

    pub(super) fn before() -> Object {
        let text = r#"{"a":{"b":[1,2,3],"c":"x"},"é":null,"list":[],"z":{}}"#;
        match Value::from_json(text) {
            Ok(Value::Object(before)) => before,
            other => panic!("{other:?}"),
        }
    }

    pub(super) fn shown(state: &Object) -> String {
        print::compact(&Value::Object(state.clone()))
    }

    pub(super) fn drawn(random: &mut u64) -> &'static [&'static str] {
        *random ^= *random << 13;
        *random ^= *random >> 7;
        *random ^= *random << 17;
        let paths: [&[&str]; 8] = [
            &["a", "b"],
            &["a"],
            &["a", "new", "deep"],
            &["é"],
            &["list"],
            &["z", "é"],
            &["10"],
            &["a", "c", "no"],
        ];
        paths[usize::try_from(*random >> 40).unwrap() % paths.len()]
    }
}
