//! Things by name, in the order in which the names first occurred. Knows nothing about the things.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// Things by name; looking one up does not take longer because there are many.
#[derive(Clone, Debug)]
pub(super) struct Named<T> {
    order: Vec<(Arc<str>, T)>,
    positions: BTreeMap<Arc<str>, usize>,
}

impl<T> Default for Named<T> {
    fn default() -> Self {
        Self {
            order: Vec::new(),
            positions: BTreeMap::new(),
        }
    }
}

impl<T> Named<T> {
    pub(super) fn get(&self, name: &str) -> Option<&T> {
        let position = *self.positions.get(name)?;
        self.order.get(position).map(|(_, thing)| thing)
    }

    pub(super) fn get_mut(&mut self, name: &str) -> Option<&mut T> {
        let position = *self.positions.get(name)?;
        self.order.get_mut(position).map(|(_, thing)| thing)
    }

    /// The thing with this name; `new` makes it if there is none.
    pub(super) fn get_or_insert(&mut self, name: &Arc<str>, new: impl FnOnce() -> T) -> &mut T {
        let position = match self.positions.get(name) {
            Some(&position) => position,
            None => {
                let position = self.order.len();
                self.positions.insert(name.clone(), position);
                self.order.push((name.clone(), new()));
                position
            }
        };
        // Positions are never beyond the end, since nothing is taken out.
        &mut self.order[position].1
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &T)> {
        self.order.iter().map(|(name, thing)| (&**name, thing))
    }
}

impl<N: AsRef<str>, T> FromIterator<(N, T)> for Named<T> {
    fn from_iter<I: IntoIterator<Item = (N, T)>>(things: I) -> Self {
        let mut named = Self::default();
        for (name, thing) in things {
            named.get_or_insert(&Arc::from(name.as_ref()), || thing);
        }
        named
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_the_order_of_their_first_occurrence() {
        let mut counts: Named<u64> = [("b", 7)].into_iter().collect();
        for name in ["a", "b", "c", "a", "b"] {
            *counts.get_or_insert(&Arc::from(name), || 0) += 1;
        }
        let list: Vec<(&str, u64)> = counts.iter().map(|(name, count)| (name, *count)).collect();
        assert_eq!(list, [("b", 9), ("a", 2), ("c", 1)]);
        assert_eq!(counts.get("z"), None);
    }
}
