//! The writes of a superstep, applied together or not at all (spec 5.4). Knows nothing about nodes and steps.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::apply::Applied;
use super::path;
use super::path_set::PathSet;
use super::state;
use super::state_error::StateError;
use super::words::{Reducer, WriteMode};
use crate::json::{Object, Value};

/// One write of one node.
#[derive(Clone, Debug, PartialEq)]
pub struct Write {
    /// Where to, as written in the definition.
    pub path: String,
    /// What; nothing when a value is taken away.
    pub value: Option<Value>,
    /// How it meets what is there.
    pub mode: WriteMode,
}

/// The state after these writes, in scheduled order. `reducer` knows the reducer of a path as it is written.
///
/// ```
/// use agent_graph_runtime::json::{Object, Value};
/// use agent_graph_runtime::pi::{commit, StateError, Write, words::{Reducer, WriteMode}};
/// let write = |value: f64| Write { path: "total".into(), value: Some(value.into()), mode: WriteMode::Reduce };
/// let state = commit(&Object::new(), &[write(1.0), write(2.0)], |_| Some(Reducer::Sum))?;
/// assert_eq!(state.get("total"), Some(&Value::Number(3.0)));
/// let conflict = commit(&state, &[write(1.0), write(2.0)], |_| None);
/// assert_eq!(conflict.unwrap_err(), StateError::WriteConflict);
/// # Ok::<(), StateError>(())
/// ```
///
/// # Errors
/// The first of: what is wrong with a path, `WRITE_OVERLAP`, what is wrong with the writes to one path, in
/// the order in which paths are first written.
pub fn commit(
    state: &Object,
    writes: &[Write],
    reducer: impl Fn(&str) -> Option<Reducer>,
) -> Result<Object, StateError> {
    let mut state = state.clone();
    let writes: Vec<&Write> = writes.iter().collect();
    apply(&mut state, &writes, reducer)?;
    Ok(state)
}

/// Applies these writes in place, or leaves the state as it is.
pub(crate) fn apply(
    state: &mut Object,
    writes: &[&Write],
    reducer: impl Fn(&str) -> Option<Reducer>,
) -> Result<Applied, StateError> {
    let groups = grouped(writes)?;
    let mut written = PathSet::default();
    for group in &groups {
        if written.insert(group.segments.iter().copied()) {
            return Err(StateError::WriteOverlap);
        }
    }
    let mut applied = Applied::default();
    for group in &groups {
        if let Err(error) = group.apply(state, &reducer, &mut applied) {
            applied.take_back(state);
            return Err(error);
        }
    }
    Ok(applied)
}

/// All writes to one path.
struct Group<'w> {
    path: &'w str,
    segments: Vec<&'w str>,
    writes: Vec<&'w Write>,
}

fn grouped<'w>(writes: &[&'w Write]) -> Result<Vec<Group<'w>>, StateError> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut positions: BTreeMap<&str, usize> = BTreeMap::new();
    for &write in writes {
        let segments = path::segments(&write.path)?;
        let position = *positions.entry(&write.path).or_insert(groups.len());
        match groups.get_mut(position) {
            Some(group) => group.writes.push(write),
            None => groups.push(Group {
                path: &write.path,
                segments,
                writes: vec![write],
            }),
        }
    }
    Ok(groups)
}

impl Group<'_> {
    fn apply(
        &self,
        state: &mut Object,
        reducer: impl Fn(&str) -> Option<Reducer>,
        applied: &mut Applied,
    ) -> Result<(), StateError> {
        let is_exclusive = |write: &&&Write| write.mode != WriteMode::Reduce;
        if let Some(write) = self.writes.iter().find(is_exclusive) {
            if self.writes.len() > 1 {
                return Err(StateError::ExclusiveWriteShared);
            }
            return self.apply_alone(state, write, applied);
        }
        let reducer = reducer(self.path);
        if reducer.is_none() && self.writes.len() > 1 {
            return Err(StateError::WriteConflict);
        }
        let values = self.values()?;
        let reducer = reducer.unwrap_or(Reducer::Replace);
        // What only grows is not copied.
        let is_added = match reducer {
            Reducer::Append => applied.extend(state, &self.segments, values.iter().copied())?,
            Reducer::Concat => {
                let items = values.iter().flat_map(|value| spliced(value));
                applied.extend(state, &self.segments, items)?
            }
            Reducer::Merge => self.merge(state, &values, applied)?,
            _ => false,
        };
        if is_added {
            return Ok(());
        }
        let prior = state::get(state, &self.segments);
        let value = reduced(reducer, prior, values)?;
        applied.set(state, &self.segments, value)
    }

    fn apply_alone(
        &self,
        state: &mut Object,
        write: &Write,
        applied: &mut Applied,
    ) -> Result<(), StateError> {
        match (write.mode, &write.value) {
            (WriteMode::Unset, Some(_)) => Err(StateError::UnsetWithValue),
            (WriteMode::Unset, None) => applied.unset(state, &self.segments),
            (_, None) => Err(StateError::WriteValueMissing),
            (_, Some(value)) => applied.set(state, &self.segments, value.clone()),
        }
    }

    /// Merges objects into the one that is there; says whether there is one.
    fn merge(
        &self,
        state: &mut Object,
        values: &[&Value],
        applied: &mut Applied,
    ) -> Result<bool, StateError> {
        let Some(Value::Object(_)) = state::get(state, &self.segments) else {
            return Ok(false);
        };
        let overlays = values.iter().map(|value| value.as_object());
        let overlays: Option<Vec<&Object>> = overlays.collect();
        for overlay in overlays.ok_or(StateError::MergeWriteNotObject)? {
            let mut segments: Vec<&str> = self.segments.clone();
            applied.merge(state, &mut segments, overlay)?;
        }
        Ok(true)
    }

    fn values(&self) -> Result<Vec<&Value>, StateError> {
        self.writes
            .iter()
            .map(|write| write.value.as_ref().ok_or(StateError::WriteValueMissing))
            .collect()
    }
}

/// What a reducer makes of the value that is there and those that come; at least one comes.
fn reduced(
    reducer: Reducer,
    prior: Option<&Value>,
    values: Vec<&Value>,
) -> Result<Value, StateError> {
    match reducer {
        Reducer::Replace => Ok(values.last().copied().cloned().unwrap_or_default()),
        Reducer::Collect => Ok(Value::Array(values.into_iter().cloned().collect())),
        Reducer::Append => {
            let mut items = prior.map(items_of).unwrap_or_default();
            items.extend(values.into_iter().cloned());
            Ok(Value::Array(items))
        }
        Reducer::Concat => {
            let all = prior.into_iter().chain(values);
            Ok(Value::Array(all.flat_map(items_of).collect()))
        }
        Reducer::Merge => merged(prior, &values),
        Reducer::Sum => numbers(prior, &values, 0.0, |a, b| a + b),
        Reducer::Min => numbers(prior, &values, f64::INFINITY, f64::min),
        Reducer::Max => numbers(prior, &values, f64::NEG_INFINITY, f64::max),
    }
}

/// The items of an array; anything else is an item itself.
fn spliced(value: &Value) -> &[Value] {
    match value {
        Value::Array(items) => items,
        other => core::slice::from_ref(other),
    }
}

fn items_of(value: &Value) -> Vec<Value> {
    spliced(value).to_vec()
}

fn merged(prior: Option<&Value>, values: &[&Value]) -> Result<Value, StateError> {
    let mut base = match prior {
        None => Object::new(),
        Some(Value::Object(object)) => object.clone(),
        Some(_) => return Err(StateError::MergeStateNotObject),
    };
    for value in values {
        let overlay = value.as_object().ok_or(StateError::MergeWriteNotObject)?;
        state::merge(&mut base, overlay);
    }
    Ok(Value::Object(base))
}

fn numbers(
    prior: Option<&Value>,
    values: &[&Value],
    start: f64,
    fold: impl Fn(f64, f64) -> f64,
) -> Result<Value, StateError> {
    let mut result = start;
    for value in prior.iter().chain(values) {
        let number = value.as_number().ok_or(StateError::ReducerNotNumeric)?;
        result = fold(result, number);
    }
    if !result.is_finite() {
        return Err(StateError::ReducerNotFinite);
    }
    Ok(Value::Number(result))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_beyond_the_double_range_is_refused_since_json_cannot_hold_it() {
        let state: Object = [("a", f64::MAX)].into_iter().collect();
        let write = Write {
            path: "a".into(),
            value: Some(Value::Number(f64::MAX)),
            mode: WriteMode::Reduce,
        };
        let refused = commit(&state, &[write], |_| Some(Reducer::Sum));
        assert_eq!(refused.unwrap_err(), StateError::ReducerNotFinite);
    }

    #[test]
    fn many_paths_are_checked_for_overlap_without_comparing_all_pairs() {
        let writes: Vec<Write> = (0..50_000)
            .map(|number| Write {
                path: alloc::format!("a.b{number}"),
                value: Some(Value::Null),
                mode: WriteMode::Reduce,
            })
            .collect();
        let state = commit(&Object::new(), &writes, |_| None).unwrap();
        assert_eq!(
            state.get("a").and_then(Value::as_object).map(Object::len),
            Some(50_000)
        );
    }
}
