//! Recorded outcomes: found by the hash of their key, kept in canonical order, with their canonical
//! text at hand after every change. Knows keys as text only.

use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::canonical::{self, array_index};
use crate::collation::{Collator, Name};
use crate::error::Error;
use crate::protocol::Outcome;
use crate::text_hash::TextHash;

#[derive(Clone, Debug)]
struct Recorded {
    key: String,
    hash: TextHash,
    outcome: Outcome,
    /// How long its member is in the canonical text.
    length: usize,
}

impl Recorded {
    fn new(key: String, outcome: Outcome) -> Self {
        let hash = TextHash::of(&key);
        let mut recorded = Self {
            key,
            hash,
            outcome,
            length: 0,
        };
        recorded.length = recorded.member().len();
        recorded
    }

    /// The member of the canonical text.
    fn member(&self) -> String {
        let mut member = String::with_capacity(self.key.len() + 18);
        // A `String` takes all text.
        let _ = canonical::write_string(&self.key, &mut member);
        member.push_str(":\"");
        member.push_str(self.outcome.as_str());
        member.push('"');
        member
    }
}

/// The outcomes of state keys.
#[derive(Clone, Debug)]
pub(super) struct Outcomes {
    /// In the order in which the keys were first recorded.
    recorded: Vec<Recorded>,
    /// Positions in `recorded` by hash, then key. The hashes stand beside them, so that a search touches no
    /// other memory.
    by_hash: Vec<(TextHash, usize)>,
    /// Positions in `recorded` in canonical order.
    in_order: Vec<usize>,
    /// The members of `recorded` in this order, each as long as its `length` says: that is what
    /// makes the ranges below fall on members.
    canonical: String,
}

impl Default for Outcomes {
    fn default() -> Self {
        Self {
            recorded: Vec::new(),
            by_hash: Vec::new(),
            in_order: Vec::new(),
            canonical: String::from("{}"),
        }
    }
}

impl Outcomes {
    /// The outcomes of keys that are distinct; faster than setting one by one.
    pub(super) fn from_distinct(outcomes: Vec<(String, Outcome)>) -> Result<Self, Error> {
        let mut collator = Collator::new();
        let mut recorded = Vec::with_capacity(outcomes.len());
        for (key, outcome) in outcomes {
            collator.accept(&Name::new(&key))?;
            recorded.push(Recorded::new(key, outcome));
        }
        let mut all = Self {
            in_order: canonical::order(recorded.iter().map(|own| own.key.as_str()))?,
            by_hash: recorded.iter().map(|own| own.hash).zip(0..).collect(),
            recorded,
            canonical: String::from("{"),
        };
        let recorded = &all.recorded;
        all.by_hash.sort_by(|&(one, a), &(other, b)| {
            let by_key = || key(recorded, a).cmp(key(recorded, b));
            one.cmp(&other).then_with(by_key)
        });
        for (index, &position) in all.in_order.iter().enumerate() {
            let separator = if index == 0 { "" } else { "," };
            all.canonical.push_str(separator);
            all.canonical.push_str(&member(&all.recorded, position));
        }
        all.canonical.push('}');
        Ok(all)
    }

    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = (&str, Outcome)> {
        self.recorded
            .iter()
            .map(|own| (own.key.as_str(), own.outcome))
    }

    pub(super) fn canonical(&self) -> &str {
        &self.canonical
    }

    pub(super) fn find(&self, hash: TextHash, matches: impl Fn(&str) -> bool) -> Option<Outcome> {
        let position = self.position(hash, matches)?;
        self.recorded.get(position).map(|own| own.outcome)
    }

    /// Sets the outcome of a key, if the key can be put in order.
    pub(super) fn set(&mut self, key: String, outcome: Outcome) -> Result<(), Error> {
        Collator::new().accept(&Name::new(&key))?;
        self.set_comparable(key, outcome);
        Ok(())
    }

    /// Sets the outcome of a key that can be put in order.
    pub(super) fn set_comparable(&mut self, key: String, outcome: Outcome) {
        let new = Recorded::new(key, outcome);
        match self.position(new.hash, |own| own == new.key) {
            Some(position) => self.replace(position, new),
            None => self.insert(new),
        }
    }

    pub(super) fn remove(&mut self, key: &str) -> Option<Outcome> {
        let position = self.position(TextHash::of(key), |own| own == key)?;
        let order = self.in_order.iter().position(|&own| own == position)?;
        let start = self.offset(order);
        let removed = self.recorded.remove(position);
        // With the comma behind it, or else the one in front of it.
        let (start, end) = if order + 1 < self.in_order.len() {
            (start, start + removed.length + 1)
        } else {
            (start - usize::from(order > 0), start + removed.length)
        };
        self.canonical.replace_range(start..end, "");
        self.by_hash.retain(|&(_, own)| own != position);
        self.in_order.retain(|&own| own != position);
        let hashed = self.by_hash.iter_mut().map(|(_, own)| own);
        for own in hashed
            .chain(&mut self.in_order)
            .filter(|own| **own > position)
        {
            *own -= 1;
        }
        Some(removed.outcome)
    }

    fn replace(&mut self, position: usize, new: Recorded) {
        let order = self.in_order.iter().position(|&own| own == position);
        let start = order.map(|order| self.offset(order));
        if let (Some(start), Some(own)) = (start, self.recorded.get_mut(position)) {
            let end = start + own.length;
            self.canonical.replace_range(start..end, &new.member());
            *own = new;
        }
    }

    fn insert(&mut self, new: Recorded) {
        let mut collator = Collator::new();
        // Behind the keys it equals: the order of recording breaks the tie.
        let order = self.in_order.partition_point(|&position| {
            let key = self.recorded.get(position).map_or("", |own| &own.key);
            compare(&mut collator, key, &new.key) != Ordering::Greater
        });
        let place = self.by_hash.partition_point(|&(hash, position)| {
            (hash, key(&self.recorded, position)) < (new.hash, new.key.as_str())
        });
        let mut member = new.member();
        let mut start = self.offset(order);
        if order < self.in_order.len() {
            member.push(',');
        } else if order > 0 {
            member.insert(0, ',');
            start -= 1;
        }
        self.canonical.insert_str(start, &member);
        self.in_order.insert(order, self.recorded.len());
        self.by_hash.insert(place, (new.hash, self.recorded.len()));
        self.recorded.push(new);
    }

    /// Where the member at this place of the order begins in the canonical text; behind the last
    /// one, one byte further than a comma would stand.
    fn offset(&self, order: usize) -> usize {
        let before = self.in_order.iter().take(order);
        let lengths = before.filter_map(|&position| self.recorded.get(position));
        1 + lengths.map(|own| own.length + 1).sum::<usize>()
    }

    fn position(&self, hash: TextHash, matches: impl Fn(&str) -> bool) -> Option<usize> {
        let start = self.by_hash.partition_point(|&(own, _)| own < hash);
        let candidates = self.by_hash.get(start..)?.iter();
        let candidates = candidates.map_while(|&(own, position)| {
            (own == hash).then_some((position, key(&self.recorded, position)))
        });
        candidates
            .filter(|(_, key)| matches(key))
            .map(|(position, _)| position)
            .next()
    }
}

fn key(recorded: &[Recorded], position: usize) -> &str {
    recorded.get(position).map_or("", |own| &own.key)
}

fn member(recorded: &[Recorded], position: usize) -> String {
    recorded
        .get(position)
        .map(Recorded::member)
        .unwrap_or_default()
}

/// The canonical order of two names.
fn compare(collator: &mut Collator, a: &str, b: &str) -> Ordering {
    match (array_index(a), array_index(b)) {
        (Some(a), Some(b)) => a.cmp(&b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => collator.compare(&Name::new(a), &Name::new(b)),
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::ToString;

    use super::*;
    use crate::json::{Object, Value};

    /// What the canonical text has to be, written from scratch.
    fn expected(outcomes: &Outcomes) -> String {
        let members = outcomes
            .iter()
            .map(|(key, outcome)| (key, outcome.as_str()));
        members.collect::<Object>().canonical().unwrap()
    }

    #[test]
    fn the_canonical_text_stays_right_through_any_changes() {
        let mut outcomes = Outcomes::default();
        let mut state = 0x1234_5678_9abc_def1_u64;
        let mut next = |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            usize::try_from(state % 1_000_003).unwrap() % below
        };
        let names = [
            "g/a", "g/A", "g/a\0", "g.x/a", "10", "9", "g/a\"", "G/b", "-", "", "g/b",
        ];
        for _ in 0..3000 {
            let key = format!("{}{}", names[next(names.len())], ["", "", "1"][next(3)]);
            if next(3) == 0 {
                let known = outcomes
                    .iter()
                    .find(|(own, _)| *own == key)
                    .map(|(_, own)| own);
                assert_eq!(outcomes.remove(&key), known);
            } else {
                let outcome = Outcome::ALL[next(8)];
                outcomes.set(key.clone(), outcome).unwrap();
                let hash = TextHash::of(&key);
                assert_eq!(outcomes.find(hash, |own| own == key), Some(outcome));
            }
            assert_eq!(outcomes.canonical(), expected(&outcomes));
            let all = outcomes
                .iter()
                .map(|(key, own)| (key.to_string(), own))
                .collect();
            let at_once = Outcomes::from_distinct(all).unwrap();
            assert_eq!(outcomes.canonical(), at_once.canonical());
            assert_eq!(outcomes.in_order, at_once.in_order);
            assert_eq!(outcomes.by_hash, at_once.by_hash);
        }
        assert!(Value::from_json(outcomes.canonical()).is_ok());
    }

    #[test]
    fn a_new_outcome_of_a_key_takes_the_place_of_the_old_one() {
        let mut outcomes = Outcomes::default();
        for (key, outcome) in [
            ("b", Outcome::Failed),
            ("a", Outcome::Failed),
            ("b", Outcome::Skipped),
        ] {
            outcomes.set_comparable(key.to_string(), outcome);
        }
        let listed: Vec<_> = outcomes.iter().collect();
        assert_eq!(listed, [("b", Outcome::Skipped), ("a", Outcome::Failed)]);
        assert_eq!(outcomes.canonical(), r#"{"a":"failed","b":"skipped"}"#);
    }

    #[test]
    fn a_hash_without_an_accepted_key_finds_nothing() {
        let mut outcomes = Outcomes::default();
        outcomes.set_comparable("a".to_string(), Outcome::Failed);
        assert_eq!(outcomes.find(TextHash::of("a"), |_| false), None);
        assert_eq!(outcomes.find(TextHash::of("b"), |_| true), None);
    }

    #[cfg(not(feature = "unicode-collation"))]
    #[test]
    fn keys_that_cannot_be_ordered_are_refused() {
        use crate::code::Code;

        let refused = Outcomes::default().set("é".to_string(), Outcome::Failed);
        assert_eq!(refused.unwrap_err().code(), Code::FeatureRequired);
        let refused = Outcomes::from_distinct([("é".to_string(), Outcome::Failed)].into());
        assert_eq!(refused.unwrap_err().code(), Code::FeatureRequired);
    }
}
