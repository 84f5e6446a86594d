//! The order of object members: names that are array indices first, by number, then the others
//! (spec 1.4, 4.4). Knows nothing about what members mean.

use alloc::vec::Vec;

use super::text;
use crate::canonical::array_index;
use crate::json::{Object, Value};

/// Puts items in the order in which ECMAScript enumerates an object: array indices ascending, then the
/// others as they come.
pub(crate) fn enumerated<T>(items: impl Iterator<Item = T>, name: impl Fn(&T) -> &str) -> Vec<T> {
    let mut indices: Vec<(u32, T)> = Vec::new();
    let mut others: Vec<T> = Vec::new();
    for item in items {
        match array_index(name(&item)) {
            Some(index) => indices.push((index, item)),
            None => others.push(item),
        }
    }
    if indices.is_empty() {
        return others;
    }
    // Names are unique, so indices are.
    indices.sort_by_key(|&(index, _)| index);
    indices
        .into_iter()
        .map(|(_, item)| item)
        .chain(others)
        .collect()
}

/// The members in the order of ECMAScript.
pub(crate) fn members(object: &Object) -> Vec<(&str, &Value)> {
    enumerated(object.iter(), |member| member.0)
}

/// The members in the order in which they are hashed: array indices ascending, then the others by UTF-16
/// code units.
pub(crate) fn sorted_members(object: &Object) -> Vec<(&str, &Value)> {
    let mut members: Vec<(&str, &Value)> = object.iter().collect();
    members.sort_by(|a, b| {
        let key = |name| array_index(name).map_or((true, 0), |index| (false, index));
        key(a.0)
            .cmp(&key(b.0))
            .then_with(|| text::compare(a.0, b.0))
    });
    members
}
