//! Reading and changing state by path (spec 2.3 to 2.8). Names are own members only: a name that no object
//! has is absent, whatever objects inherit elsewhere. Knows nothing about writes and reducers.

use super::state_error::StateError;
use super::text::is_forbidden;
use crate::json::{DEPTH_LIMIT, Object, Value};

/// The value at a path. A stored `null` is a value; what lies behind anything but an object is missing.
///
/// ```
/// use agent_graph_runtime::{json::Value, pi};
/// let state = Value::from_json(r#"{"a":{"b":null}}"#)?;
/// let state = state.as_object().unwrap();
/// assert_eq!(pi::get(state, &["a", "b"]), Some(&Value::Null));
/// assert_eq!(pi::get(state, &["a", "b", "c"]), None);
/// # Ok::<(), agent_graph_runtime::Error>(())
/// ```
pub fn get<'s>(state: &'s Object, segments: &[impl AsRef<str>]) -> Option<&'s Value> {
    let (last, parents) = segments.split_last()?;
    let mut object = state;
    for segment in parents {
        object = object.get(segment.as_ref())?.as_object()?;
    }
    object.get(last.as_ref())
}

/// The value at a path, to be changed.
pub(crate) fn get_mut<'s>(
    state: &'s mut Object,
    segments: &[impl AsRef<str>],
) -> Option<&'s mut Value> {
    let (last, parents) = segments.split_last()?;
    let mut object = state;
    for segment in parents {
        object = match object.get_mut(segment.as_ref())? {
            Value::Object(child) => child,
            _ => return None,
        };
    }
    object.get_mut(last.as_ref())
}

/// Puts a value at a path, with the objects on the way to it.
///
/// # Errors
/// `PARENT_NOT_OBJECT`; `STATE_DEPTH` when the state would nest too deeply. The state is unchanged then.
pub fn set(
    state: &mut Object,
    segments: &[impl AsRef<str>],
    value: Value,
) -> Result<(), StateError> {
    let Some((last, parents)) = segments.split_last() else {
        return Err(StateError::EmptyPath);
    };
    if segments.len() + depth(&value) > DEPTH_LIMIT as usize {
        return Err(StateError::StateDepth);
    }
    let mut object = state;
    // Whatever is created lies behind everything that exists, so a refusal comes before a change.
    for segment in parents {
        let segment = segment.as_ref();
        if !object.contains(segment) {
            object.insert(segment, Object::new());
        }
        object = match object.get_mut(segment) {
            Some(Value::Object(child)) => child,
            _ => return Err(StateError::ParentNotObject),
        };
    }
    object.insert(last.as_ref(), value);
    Ok(())
}

/// Takes the value at a path away; the objects on the way to it stay.
///
/// # Errors
/// `PARENT_NOT_OBJECT`.
pub fn unset(state: &mut Object, segments: &[impl AsRef<str>]) -> Result<(), StateError> {
    let Some((last, parents)) = segments.split_last() else {
        return Err(StateError::EmptyPath);
    };
    let mut object = state;
    for segment in parents {
        object = match object.get_mut(segment.as_ref()) {
            Some(Value::Object(child)) => child,
            Some(_) => return Err(StateError::ParentNotObject),
            None => return Ok(()),
        };
    }
    object.remove(last.as_ref());
    Ok(())
}

/// Merges `overlay` into `base`: objects member by member, everything else by replacement.
pub fn merge(base: &mut Object, overlay: &Object) {
    for (name, value) in overlay.iter() {
        match (base.get_mut(name), value) {
            (Some(Value::Object(inner)), Value::Object(over)) => merge(inner, over),
            _ => {
                base.insert(name, value.clone());
            }
        }
    }
}

/// Whether an object anywhere in the value has a name that no object may have (spec 1.6). The recursion ends:
/// the depth of values is limited where they are read, or checked before.
pub(crate) fn has_forbidden_names(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(has_forbidden_names),
        Value::Object(object) => object
            .iter()
            .any(|(name, value)| is_forbidden(name) || has_forbidden_names(value)),
        _ => false,
    }
}

/// How many levels of arrays and objects a value has.
pub(crate) fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(object) => {
            let members = object.iter().map(|(_, value)| depth(value));
            1 + members.max().unwrap_or(0)
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    #[test]
    fn state_never_nests_more_deeply_than_documents() {
        let mut state = Object::new();
        let path = vec!["a"; DEPTH_LIMIT as usize];
        set(&mut state, &path, Value::Null).unwrap();
        let deeper = set(&mut state, &path, Value::Array(vec![]));
        assert_eq!(deeper, Err(StateError::StateDepth));
        let inner = get(&state, &["a"]).unwrap().clone();
        assert_eq!(set(&mut state, &["b"], inner.clone()), Ok(()));
        let doubled = set(&mut state, &["b", "c"], inner);
        assert_eq!(doubled, Err(StateError::StateDepth));
    }

    #[test]
    fn names_that_objects_inherit_elsewhere_are_absent() {
        let mut state = Object::new();
        assert_eq!(get(&state, &["toString"]), None);
        set(&mut state, &["toString", "x"], Value::Bool(true)).unwrap();
        assert_eq!(get(&state, &["toString", "x"]), Some(&Value::Bool(true)));
    }

    #[test]
    fn a_refused_write_changes_nothing() {
        let mut state: Object = [("a", Value::Null)].into_iter().collect();
        let before = state.clone();
        let refused = set(&mut state, &["a", "b", "c"], Value::Null);
        assert_eq!(refused, Err(StateError::ParentNotObject));
        assert_eq!(state, before);
    }
}
