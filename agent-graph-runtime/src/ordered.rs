//! Maps and sets in the order of their keys, and the sort that goes with them. Knows nothing about what is kept.
//!
//! Loading keeps some thirty kinds of things by name, and a first build compiles the tree and the sort of the
//! standard library for each anew, which was half of what building the loader took. Here what is long does not
//! depend on the kind: it moves numbers about and asks for comparisons.

use alloc::vec::Vec;
use core::borrow::Borrow;
use core::cmp::Ordering;
use core::fmt;

/// Sorts; what is equal stays in its order. Compiled into little more than the comparison.
pub fn sort_by<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    let order = sorted(
        (0..items.len()).collect(),
        &mut |a, b| match (items.get(a), items.get(b)) {
            (Some(a), Some(b)) => compare(a, b),
            _ => Ordering::Equal,
        },
    );
    arrange(items, order);
}

/// Brings items into an order that lists each of their positions once.
fn arrange<T>(items: &mut [T], mut order: Vec<usize>) {
    swaps(&mut order, &mut |a, b| items.swap(a, b));
}

/// The swaps that bring items into an order, each cycle of it by itself.
fn swaps(order: &mut [usize], swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        let mut at = start;
        while let Some(from) = order.get_mut(at) {
            let from = core::mem::replace(from, at);
            if from == start || from == at {
                break;
            }
            swap(at, from);
            at = from;
        }
    }
}

/// Stable, and content with an order that contradicts itself.
pub fn sorted(
    mut items: Vec<usize>,
    compare: &mut dyn FnMut(usize, usize) -> Ordering,
) -> Vec<usize> {
    let mut merged = Vec::with_capacity(items.len());
    let mut width = 1;
    while width < items.len() {
        merged.clear();
        for pair in items.chunks(width * 2) {
            let (left, right) = pair.split_at_checked(width).unwrap_or((pair, &[]));
            merge(left, right, &mut merged, compare);
        }
        core::mem::swap(&mut items, &mut merged);
        width *= 2;
    }
    items
}

fn merge(
    left: &[usize],
    right: &[usize],
    merged: &mut Vec<usize>,
    compare: &mut dyn FnMut(usize, usize) -> Ordering,
) {
    let mut left = left.iter().copied().peekable();
    let mut right = right.iter().copied().peekable();
    while let (Some(&a), Some(&b)) = (left.peek(), right.peek()) {
        let smaller = if compare(a, b) == Ordering::Greater {
            &mut right
        } else {
            &mut left
        };
        merged.extend(smaller.next());
    }
    merged.extend(left);
    merged.extend(right);
}

/// The positions of entries, in the order of their keys: in pieces, so that room for one more is made by moving
/// few.
#[derive(Clone, Default)]
struct Positions {
    pieces: Vec<Vec<usize>>,
}

/// A place between positions.
#[derive(Clone, Copy)]
struct Gap {
    piece: usize,
    at: usize,
}

const LONGEST_PIECE: usize = 512;

impl Positions {
    /// The position whose key is equal, or where it would be. `compare` says how the key of a position compares
    /// with the one that is looked for.
    fn find(&self, compare: &mut dyn FnMut(usize) -> Ordering) -> Result<usize, Gap> {
        let after = self
            .pieces
            .partition_point(|piece| piece.first().is_some_and(|&at| compare(at).is_le()));
        let piece = after.saturating_sub(1);
        let positions = self.pieces.get(piece).map_or(&[][..], Vec::as_slice);
        match positions.binary_search_by(|&position| compare(position)) {
            Ok(at) => positions.get(at).copied().ok_or(Gap { piece, at }),
            Err(at) => Err(Gap { piece, at }),
        }
    }

    fn insert(&mut self, gap: Gap, position: usize) {
        let Some(piece) = self.pieces.get_mut(gap.piece) else {
            return self.pieces.push(Vec::from([position]));
        };
        piece.insert(gap.at.min(piece.len()), position);
        if piece.len() > LONGEST_PIECE {
            // What comes in order fills its pieces.
            let half = if gap.at + 1 == piece.len() {
                LONGEST_PIECE
            } else {
                LONGEST_PIECE / 2
            };
            let rest = piece.split_off(half);
            self.pieces.insert(gap.piece + 1, rest);
        }
    }

    fn all(&self) -> Vec<usize> {
        self.pieces.concat()
    }
}

/// A map in the order of its keys. Nothing is ever taken out.
#[derive(Clone)]
pub struct Map<K, V> {
    entries: Vec<(K, V)>,
    positions: Positions,
}

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K, V> Map<K, V> {
    pub const fn new() -> Self {
        Self {
            entries: Vec::new(),
            positions: Positions { pieces: Vec::new() },
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        let entries = &self.entries;
        let entry = |position: usize| entries.get(position).map(|(key, value)| (key, value));
        self.positions.all().into_iter().filter_map(entry)
    }

    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.iter().map(|(key, _)| key)
    }

    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.iter().map(|(_, value)| value)
    }

    pub fn into_values(self) -> impl Iterator<Item = V> {
        self.into_entries().into_iter().map(|(_, value)| value)
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn into_entries(self) -> Vec<(K, V)> {
        let Self {
            mut entries,
            positions,
        } = self;
        arrange(&mut entries, positions.all());
        entries
    }
}

impl<K: Ord, V> Map<K, V> {
    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, Gap>
    where
        K: Borrow<Q>,
    {
        self.positions.find(&mut |position| {
            let own = self.entries.get(position);
            own.map_or(Ordering::Equal, |(own, _)| own.borrow().cmp(key))
        })
    }

    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let position = self.find(key).ok()?;
        self.entries.get(position).map(|(_, value)| value)
    }

    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key).is_ok()
    }

    /// Gives the key the value, and what it had before.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.find(&key) {
            Ok(position) => {
                let (_, own) = self.entries.get_mut(position)?;
                Some(core::mem::replace(own, value))
            }
            Err(gap) => {
                self.positions.insert(gap, self.entries.len());
                self.entries.push((key, value));
                None
            }
        }
    }

    /// Gives the key the value, unless it has one: that one.
    pub fn keep(&mut self, key: K, value: V) -> Option<&V> {
        match self.find(&key) {
            Ok(position) => self.entries.get(position).map(|(_, first)| first),
            Err(gap) => {
                self.positions.insert(gap, self.entries.len());
                self.entries.push((key, value));
                None
            }
        }
    }

    /// The value of the key, which is made if there is none.
    pub fn get_or_insert_with(&mut self, key: K, make: impl FnOnce() -> V) -> Option<&mut V> {
        let position = match self.find(&key) {
            Ok(position) => position,
            Err(gap) => {
                let position = self.entries.len();
                self.positions.insert(gap, position);
                self.entries.push((key, make()));
                position
            }
        };
        self.entries.get_mut(position).map(|(_, value)| value)
    }

    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let position = self.find(key).ok()?;
        self.entries.get_mut(position).map(|(_, value)| value)
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for Map<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::new();
        map.extend(entries);
        map
    }
}

impl<K: Ord, V> Extend<(K, V)> for Map<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<K, V> IntoIterator for Map<K, V> {
    type Item = (K, V);
    type IntoIter = alloc::vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.into_entries().into_iter()
    }
}

impl<K: PartialEq, V: PartialEq> PartialEq for Map<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<K: Eq, V: Eq> Eq for Map<K, V> {}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for Map<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// A set in its order. Nothing is ever taken out.
#[derive(Clone, PartialEq, Eq)]
pub struct Set<K>(Map<K, ()>);

impl<K> Default for Set<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K> Set<K> {
    pub const fn new() -> Self {
        Self(Map::new())
    }

    pub fn iter(&self) -> impl Iterator<Item = &K> {
        self.0.keys()
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<K: Ord> Set<K> {
    /// Whether the key was not in it before.
    pub fn insert(&mut self, key: K) -> bool {
        self.0.insert(key, ()).is_none()
    }

    pub fn contains<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.contains_key(key)
    }
}

impl<K: Ord> FromIterator<K> for Set<K> {
    fn from_iter<I: IntoIterator<Item = K>>(keys: I) -> Self {
        let mut set = Self::new();
        set.extend(keys);
        set
    }
}

impl<K: Ord> Extend<K> for Set<K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        for key in keys {
            self.insert(key);
        }
    }
}

impl<K> IntoIterator for Set<K> {
    type Item = K;
    type IntoIter = alloc::vec::IntoIter<K>;

    fn into_iter(self) -> Self::IntoIter {
        let keys: Vec<K> = self
            .0
            .into_entries()
            .into_iter()
            .map(|(key, ())| key)
            .collect();
        keys.into_iter()
    }
}

impl<K: fmt::Debug> fmt::Debug for Set<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeMap;
    use alloc::vec;

    use super::*;

    /// Numbers that look random, each below 4 000.
    fn numbers(count: usize) -> impl Iterator<Item = u32> {
        let mut state = 0x9e37_79b9_u32;
        (0..count).map(move |_| {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state % 4_000
        })
    }

    #[test]
    fn a_map_holds_what_the_map_of_the_standard_library_holds() {
        for count in [0, 1, 2, 511, 512, 513, 9_000] {
            for sorted in [false, true] {
                let mut keys: Vec<u32> = numbers(count).collect();
                if sorted {
                    keys.sort_unstable();
                }
                let (mut ours, mut theirs) = (Map::new(), BTreeMap::new());
                for (at, key) in keys.into_iter().enumerate() {
                    assert_eq!(ours.insert(key, at), theirs.insert(key, at));
                }
                assert!(ours.iter().eq(theirs.iter()));
                assert!(numbers(100).all(|key| ours.get(&key) == theirs.get(&key)));
                assert_eq!(
                    ours.clone().into_iter().collect::<Vec<_>>(),
                    Vec::from_iter(theirs)
                );
            }
        }
    }

    #[test]
    fn what_is_kept_stays() {
        let mut map = Map::new();
        assert_eq!(map.keep("a", 1), None);
        assert_eq!(map.keep("a", 2), Some(&1));
        assert_eq!(map.get("a"), Some(&1));
    }

    #[test]
    fn what_is_equal_stays_in_its_order() {
        for count in [0, 1, 2, 3, 7, 1_000] {
            let mut ours: Vec<(usize, u32)> = numbers(count).enumerate().collect();
            let mut theirs = ours.clone();
            sort_by(&mut ours, |(_, a), (_, b)| (a % 7).cmp(&(b % 7)));
            theirs.sort_by_key(|(_, number)| number % 7);
            assert_eq!(ours, theirs);
        }
    }

    #[test]
    fn sorting_by_an_order_that_contradicts_itself_keeps_every_item() {
        for size in [0, 1, 2, 3, 7, 64, 1000] {
            let circular = &mut |a: usize, b: usize| ((a * 7 + b * 11) % 3).cmp(&1);
            let mut kept = sorted((0..size).collect(), circular);
            kept.sort_unstable();
            assert!(kept.into_iter().eq(0..size));
        }
    }

    #[test]
    fn a_set_is_in_its_order() {
        let mut set = Set::from_iter(["b", "a", "b"]);
        assert!(!set.insert("a") && set.insert("c") && set.contains("c"));
        assert_eq!(set.into_iter().collect::<Vec<_>>(), vec!["a", "b", "c"]);
    }
}
