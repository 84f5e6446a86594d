//! The JSON object: members in source order, each name once, found fast however many there are.
//! Knows nothing about text or canonical order.

use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::mem;

use super::value::Value;
use crate::text_hash::TextHash;

/// So many members may stand outside the index whatever the size of the object: scanning them is
/// as fast as looking one up.
const SCANNED: usize = 16;

/// The members of a JSON object in source order, each name once.
///
/// ```
/// use agent_graph_runtime::json::{Object, Value};
/// let mut object = Object::new();
/// object.insert("b", true);
/// object.insert("a", "text");
/// object.insert("b", false); // the last value, in the first one's place
/// assert_eq!(object.names().collect::<Vec<_>>(), ["b", "a"]);
/// assert_eq!(object.get("b"), Some(&Value::Bool(false)));
/// ```
#[derive(Clone, Default)]
pub struct Object {
    members: Vec<(String, Value)>,
    /// Positions of the first `sorted.len()` members, ordered by the hash of the name, then the name. The
    /// hashes stand beside them, so that a search touches no other memory. The members behind them are
    /// scanned; there are few, see [`Object::index_when_due`].
    sorted: Vec<(TextHash, u32)>,
}

impl Object {
    /// The object without members.
    pub const fn new() -> Self {
        Self {
            members: Vec::new(),
            sorted: Vec::new(),
        }
    }

    /// The object with these members. Of members with the same name, the last value stands in the
    /// first one's place.
    pub(crate) fn from_members(members: Vec<(String, Value)>) -> Self {
        if members.len() <= SCANNED {
            return members.into_iter().collect();
        }
        let mut object = Self {
            members,
            sorted: Vec::new(),
        };
        object.sorted = object.positions_by_name(0);
        object.drop_repeated_names();
        object
    }

    /// The own member with this name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let position = self.position(name)?;
        self.members.get(position).map(|(_, value)| value)
    }

    /// The value of the own member with this name, to be changed.
    #[cfg(feature = "pi")]
    pub(crate) fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        let position = self.position(name)?;
        self.members.get_mut(position).map(|(_, value)| value)
    }

    /// Whether there is a member with this name.
    pub fn contains(&self, name: &str) -> bool {
        self.position(name).is_some()
    }

    /// Sets a member: in its place if there is one with this name, else behind the others. Returns
    /// the value it had.
    pub fn insert(&mut self, name: impl Into<String>, value: impl Into<Value>) -> Option<Value> {
        let (name, value) = (name.into(), value.into());
        let position = self.position(&name);
        if let Some((_, old)) = position.and_then(|at| self.members.get_mut(at)) {
            return Some(mem::replace(old, value));
        }
        self.members.push((name, value));
        self.index_when_due();
        None
    }

    /// Takes the member with this name out; the others keep their order.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        let position = self.position(name)?;
        let (_, value) = self.members.remove(position);
        self.sorted.clear();
        self.index_when_due();
        Some(value)
    }

    /// Takes the member with this name out, and says which one it was.
    #[cfg(feature = "pi")]
    pub(crate) fn remove_entry(&mut self, name: &str) -> Option<(usize, Value)> {
        let position = self.position(name)?;
        self.remove(name).map(|value| (position, value))
    }

    /// Puts a member that there is not in a certain place, or at the end if there are fewer members.
    #[cfg(feature = "pi")]
    pub(crate) fn insert_entry(&mut self, position: usize, name: &str, value: Value) {
        let position = position.min(self.members.len());
        self.members.insert(position, (name.into(), value));
        self.sorted.clear();
        self.index_when_due();
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The members in source order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Value)> + DoubleEndedIterator {
        self.members
            .iter()
            .map(|(name, value)| (name.as_str(), value))
    }

    /// The names in source order.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> + DoubleEndedIterator {
        self.members.iter().map(|(name, _)| name.as_str())
    }

    /// The values in source order, to be changed; names stay.
    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        self.members.iter_mut().map(|(_, value)| value)
    }

    fn name(&self, position: u32) -> &str {
        self.members
            .get(position as usize)
            .map_or("", |(name, _)| name.as_str())
    }

    fn position(&self, name: &str) -> Option<usize> {
        let unsorted = self.members.get(self.sorted.len()..).unwrap_or(&[]);
        if let Some(at) = unsorted.iter().position(|(own, _)| own == name) {
            return Some(self.sorted.len() + at);
        }
        let hash = TextHash::of(name);
        let start = self.sorted.partition_point(|&(own, _)| own < hash);
        let from = self.sorted.get(start..)?;
        let &(own, position) = from.first()?;
        if own == hash && self.name(position) == name {
            return Some(position as usize);
        }
        // Names may collide, on purpose even, and are searched like others.
        let found = from.binary_search_by(|&(own, position)| {
            own.cmp(&hash).then_with(|| self.name(position).cmp(name))
        });
        let &(_, position) = found.ok().and_then(|at| from.get(at))?;
        Some(position as usize)
    }

    /// Indexes the members that are scanned, once they are many. The bound grows with the square
    /// root of the size, so that neither scanning nor indexing makes a long series of inserts slow.
    fn index_when_due(&mut self) {
        let unsorted = self.members.len() - self.sorted.len();
        if unsorted > SCANNED.max(self.members.len().isqrt()) {
            let added = self.positions_by_name(self.sorted.len());
            let sorted = mem::take(&mut self.sorted);
            self.sorted = self.merged(sorted, added);
        }
    }

    /// Positions from `start` on, ordered by hash, then name, then position.
    fn positions_by_name(&self, start: usize) -> Vec<(TextHash, u32)> {
        let behind = self.members.get(start..).unwrap_or(&[]);
        let hashes = behind.iter().map(|(name, _)| TextHash::of(name));
        // Positions fit: so many members fit into no memory.
        let first = u32::try_from(start).unwrap_or(u32::MAX);
        let mut positions: Vec<_> = hashes.zip(first..).collect();
        positions.sort_by(|&one, &other| self.compare(one, other));
        positions
    }

    fn compare(&self, one: (TextHash, u32), other: (TextHash, u32)) -> Ordering {
        let by_name = || self.name(one.1).cmp(self.name(other.1));
        one.0.cmp(&other.0).then_with(by_name)
    }

    fn merged(&self, old: Vec<(TextHash, u32)>, new: Vec<(TextHash, u32)>) -> Vec<(TextHash, u32)> {
        let mut merged = Vec::with_capacity(old.len() + new.len());
        let mut old = old.into_iter().peekable();
        for position in new {
            let before = |other: &(TextHash, u32)| self.compare(*other, position) == Ordering::Less;
            while let Some(other) = old.next_if(before) {
                merged.push(other);
            }
            merged.push(position);
        }
        merged.extend(old);
        merged
    }

    /// Makes names unique. Expects all positions in `sorted`, equal names by position.
    fn drop_repeated_names(&mut self) {
        let mut last_of_first: Vec<(u32, u32)> = Vec::new();
        let same = |one: &(TextHash, u32), other: &(TextHash, u32)| {
            one.0 == other.0 && self.name(one.1) == self.name(other.1)
        };
        for run in self.sorted.chunk_by(same) {
            if let (Some(&(_, first)), Some(&(_, last))) = (run.first(), run.last()) {
                last_of_first.push((first, last));
            }
        }
        if last_of_first.len() == self.members.len() {
            return;
        }
        last_of_first.sort_unstable();
        let mut members: Vec<(String, Option<Value>)> = mem::take(&mut self.members)
            .into_iter()
            .map(|(name, value)| (name, Some(value)))
            .collect();
        for (first, last) in last_of_first {
            let value = members.get_mut(last as usize).and_then(|(_, v)| v.take());
            let name = members.get_mut(first as usize).map(|(n, _)| mem::take(n));
            if let (Some(name), Some(value)) = (name, value) {
                self.members.push((name, value));
            }
        }
        self.sorted = self.positions_by_name(0);
    }
}

/// The same members; as everywhere in JSON, their order does not matter.
impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len()
            && self
                .iter()
                .all(|(name, value)| other.get(name) == Some(value))
    }
}

impl core::fmt::Debug for Object {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<N: Into<String>, V: Into<Value>> FromIterator<(N, V)> for Object {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(members: I) -> Self {
        let mut object = Self::new();
        object.extend(members);
        object
    }
}

impl<N: Into<String>, V: Into<Value>> Extend<(N, V)> for Object {
    fn extend<I: IntoIterator<Item = (N, V)>>(&mut self, members: I) {
        for (name, value) in members {
            self.insert(name, value);
        }
    }
}

impl IntoIterator for Object {
    type Item = (String, Value);
    type IntoIter = alloc::vec::IntoIter<(String, Value)>;

    fn into_iter(self) -> Self::IntoIter {
        self.members.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::vec;

    use super::*;

    fn number(n: u32) -> Value {
        Value::from(n)
    }

    #[test]
    fn a_repeated_name_keeps_the_first_place_and_the_last_value() {
        for others in [0, 5, 100] {
            let mut members = vec![(String::from("x"), number(1))];
            members.extend((0..others).map(|n| (format!("{n}"), number(n))));
            members.push((String::from("x"), number(2)));
            members.push((String::from("x"), number(3)));
            let at_once = Object::from_members(members.clone());
            let one_by_one: Object = members.into_iter().collect();
            for object in [at_once, one_by_one] {
                assert_eq!(object.len(), others as usize + 1);
                assert_eq!(object.iter().next(), Some(("x", &number(3))));
                assert!(
                    object
                        .names()
                        .skip(1)
                        .eq((0..others).map(|n| format!("{n}")))
                );
            }
        }
    }

    #[test]
    fn members_are_found_through_any_changes() {
        let mut object = Object::new();
        let mut model: Vec<(String, Value)> = Vec::new();
        let mut state = 0x1357_9bdf_2468_ace1_u64;
        let mut next = |below: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            u32::try_from(state % below).unwrap()
        };
        for _ in 0..4000 {
            let name = format!("{}", next(400));
            let known = model.iter().position(|(own, _)| *own == name);
            if next(5) == 0 {
                let removed = known.map(|at| model.remove(at).1);
                assert_eq!(object.remove(&name), removed);
            } else {
                let value = number(next(1000));
                object.insert(name.as_str(), value.clone());
                match known {
                    Some(at) => model[at].1 = value,
                    None => model.push((name, value)),
                }
            }
            let probe = format!("{}", next(500));
            let expected = model.iter().find(|(own, _)| *own == probe);
            assert_eq!(object.get(&probe), expected.map(|(_, value)| value));
        }
        assert!(object.into_iter().eq(model));
    }

    #[test]
    fn names_whose_hashes_collide_are_two_names() {
        let pair = ["8yn0iYCKYHlIj4-BwPqk", "GReLUrM4wMqfg9yzV3KQ"];
        assert_eq!(TextHash::of(pair[0]), TextHash::of(pair[1]));
        let mut members: Vec<(String, Value)> =
            (0..100).map(|n| (format!("{n}"), number(n))).collect();
        members.extend(
            pair.map(String::from)
                .into_iter()
                .zip([number(1), number(2)]),
        );
        members.push((pair[0].into(), number(3)));
        let at_once = Object::from_members(members.clone());
        let one_by_one: Object = members.into_iter().collect();
        for mut object in [at_once, one_by_one] {
            assert_eq!(object.len(), 102);
            assert_eq!(object.get(pair[0]), Some(&number(3)));
            assert_eq!(object.get(pair[1]), Some(&number(2)));
            object.remove(pair[0]);
            assert_eq!(object.get(pair[0]), None);
            assert_eq!(object.get(pair[1]), Some(&number(2)));
        }
    }

    #[test]
    fn the_order_of_members_does_not_matter_to_equality() {
        let forth: Object = (0..50).map(|n| (format!("{n}"), number(n))).collect();
        let back: Object = (0..50).rev().map(|n| (format!("{n}"), number(n))).collect();
        assert_eq!(forth, back);
        let mut other = back.clone();
        other.insert("7", true);
        assert_ne!(forth, other);
        other.remove("7");
        assert_ne!(forth, other);
    }

    #[test]
    fn a_hundred_thousand_members_are_indexed_in_one_go() {
        // Quadratic work would take minutes here.
        let members = (0..100_000).map(|n| (format!("{}", n % 60_000), number(n)));
        let object = Object::from_members(members.collect());
        assert_eq!(object.len(), 60_000);
        assert_eq!(object.get("39999"), Some(&number(99_999)));
        assert_eq!(object.get("40000"), Some(&number(40_000)));
    }
}
