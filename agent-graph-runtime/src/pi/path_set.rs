//! A set of state paths that answers quickly which of its paths overlap another one. Knows nothing about
//! values.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// Paths as a tree of segments: asking takes as long as the path is, however many paths are in the set.
#[derive(Default)]
pub(crate) struct PathSet<'t> {
    children: BTreeMap<(usize, &'t str), usize>,
    /// Whether a path ends at the node; node 0 is the root.
    ends: Vec<bool>,
}

impl<'t> PathSet<'t> {
    /// Adds a path; says whether it overlaps one that is in the set.
    pub(crate) fn insert(&mut self, segments: impl IntoIterator<Item = &'t str>) -> bool {
        if self.ends.is_empty() {
            self.ends.push(false);
        }
        let mut overlaps = false;
        let mut at = 0;
        let mut grown = false;
        for segment in segments {
            let next = self.ends.len();
            at = *self.children.entry((at, segment)).or_insert(next);
            if at == next {
                self.ends.push(false);
                grown = true;
            }
            overlaps |= self.ends.get(at).copied().unwrap_or(false);
        }
        if let Some(end) = self.ends.get_mut(at) {
            *end = true;
        }
        // A path that adds no node ends where another one ends or goes on.
        overlaps || !grown
    }

    /// Whether a path of the set is this one, or leads to it.
    pub(crate) fn covers<'a>(&self, segments: impl IntoIterator<Item = &'a str>) -> bool {
        let mut at = 0;
        for segment in segments {
            match self.children.get(&(at, segment)) {
                Some(&next) => at = next,
                None => return false,
            }
            if self.ends.get(at).copied().unwrap_or(false) {
                return true;
            }
        }
        false
    }

    /// Whether a path of the set overlaps this one.
    pub(crate) fn overlaps<'a>(&self, segments: impl IntoIterator<Item = &'a str>) -> bool {
        let mut at = 0;
        for segment in segments {
            match self.children.get(&(at, segment)) {
                Some(&next) => at = next,
                None => return false,
            }
            if self.ends.get(at).copied().unwrap_or(false) {
                return true;
            }
        }
        !self.ends.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_set_agrees_with_a_comparison_of_all_pairs() {
        let paths = ["a", "a.b", "a.c", "b.a", "b.a.c", "c", "ab", "b"];
        let segments = |path: &'static str| path.split('.').collect::<Vec<_>>();
        let pair = |a: &[&str], b: &[&str]| a.iter().zip(b).all(|(x, y)| x == y);
        for count in 0..=paths.len() {
            let mut set = PathSet::default();
            for (at, path) in paths.iter().take(count).enumerate() {
                let earlier = paths
                    .iter()
                    .take(at)
                    .any(|other| pair(&segments(other), &segments(path)));
                assert_eq!(set.insert(segments(path)), earlier, "{path}");
            }
            for path in paths {
                let expected = paths
                    .iter()
                    .take(count)
                    .any(|other| pair(&segments(other), &segments(path)));
                assert_eq!(set.overlaps(segments(path)), expected, "{path} {count}");
            }
        }
    }
}
