//! What is added to the log of a run: a whole snapshot, or what has changed since the one before. Knows JSON,
//! nothing about files.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::CheckpointError;
use crate::json::{Object, Value};

/// Members of which only new entries, or changed members, are written.
const HISTORY: &str = "history";
const STATE: &str = "state";

/// What changes `before` into `after`; nothing if the members of the state would come to lie in another order.
pub(super) fn change(before: &Object, after: &Object) -> Option<Object> {
    let mut change = members(before, after, &[HISTORY, STATE]);
    let empty: &[Value] = &[];
    let entries = |of: &Object| {
        of.get(HISTORY)
            .and_then(Value::as_array)
            .map_or(0, <[_]>::len)
    };
    let history = after
        .get(HISTORY)
        .and_then(Value::as_array)
        .unwrap_or(empty);
    let added: Vec<Value> = history.iter().skip(entries(before)).cloned().collect();
    change.insert(HISTORY, added);
    let state = |of: &Object| of.get(STATE).and_then(Value::as_object).cloned();
    let (old, new) = (
        state(before).unwrap_or_default(),
        state(after).unwrap_or_default(),
    );
    change.insert(STATE, members(&old, &new, &[]));
    let kept = old.names().filter(|name| new.contains(name));
    let added = new.names().filter(|name| !old.contains(name));
    kept.chain(added).eq(new.names()).then_some(change)
}

/// Whether a value is written as the other one is. Values are equal in any order of their members, and what is
/// read again has to have that of what was stored.
fn is_same(before: Option<&Value>, after: &Value) -> bool {
    before.is_some_and(|before| before == after && before.to_string() == after.to_string())
}

/// `before` with the change made.
pub(super) fn apply(before: &Object, change: &Object) -> Result<Object, CheckpointError> {
    let mut after = before.clone();
    set_members(&mut after, change)?;
    let mut history = array(before, HISTORY)?.to_vec();
    history.extend_from_slice(array(change, HISTORY)?);
    after.insert(HISTORY, history);
    let mut state = object(before, STATE)?.clone();
    set_members(&mut state, object(change, STATE)?)?;
    after.insert(STATE, state);
    Ok(after)
}

fn members(before: &Object, after: &Object, except: &[&str]) -> Object {
    let set: Object = after
        .iter()
        .filter(|(name, value)| !except.contains(name) && !is_same(before.get(name), value))
        .map(|(name, value)| (name, value.clone()))
        .collect();
    let removed = before.names().filter(|name| !after.contains(name));
    let removed: Vec<Value> = removed.map(Value::from).collect();
    let mut change = Object::new();
    change.insert("set", set);
    change.insert("removed", removed);
    change
}

fn set_members(target: &mut Object, change: &Object) -> Result<(), CheckpointError> {
    for name in array(change, "removed")? {
        target.remove(name.as_str().unwrap_or_default());
    }
    for (name, value) in object(change, "set")?.iter() {
        target.insert(name, value.clone());
    }
    Ok(())
}

pub(super) fn object<'o>(of: &'o Object, name: &str) -> Result<&'o Object, CheckpointError> {
    of.get(name)
        .and_then(Value::as_object)
        .ok_or_else(|| wrong(name))
}

fn array<'o>(of: &'o Object, name: &str) -> Result<&'o [Value], CheckpointError> {
    of.get(name)
        .and_then(Value::as_array)
        .ok_or_else(|| wrong(name))
}

/// A whole number that is not negative and exact.
pub(super) fn count(of: &Object, name: &str) -> Result<u64, CheckpointError> {
    let number = of.get(name).and_then(Value::as_str);
    number
        .and_then(|number| number.parse().ok())
        .ok_or_else(|| wrong(name))
}

pub(super) fn number(number: u64) -> Value {
    Value::from(number.to_string())
}

pub(super) fn wrong(name: &str) -> CheckpointError {
    let mut path = String::from(".");
    path.push_str(name);
    path.push_str(": it is not what the log of a run has there");
    CheckpointError::Invalid(path)
}
