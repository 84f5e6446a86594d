//! What an evaluation is asked with: facts, outcomes and authorities (spec 4.1). Keeps the canonical
//! text of each, so that an evaluation hashes and does not write. Knows nothing about graphs.

mod outcomes;
mod read;

use alloc::string::String;
use alloc::vec::Vec;

use crate::candidate::Candidate;
use crate::canonical;
use crate::collation::compare_code_units;
use crate::error::Error;
use crate::facts::Facts;
use crate::ordered;
use crate::protocol::Outcome;
use crate::text_hash::TextHash;
use crate::typed::Graph;

use outcomes::Outcomes;

/// Facts, recorded outcomes and authorities: all that an evaluation depends on beside the
/// definition.
///
/// ```
/// use agent_graph_runtime::{Facts, State, protocol::Outcome};
/// let mut state = State::new();
/// state.set_facts(Facts::from_json(r#"{"branch": "main"}"#)?);
/// state.set_outcome("release/inspect", Outcome::Completed)?;
/// state.set_authorities(["release.approve"]);
/// assert_eq!(state.outcome("release/inspect"), Some(Outcome::Completed));
/// # Ok::<(), agent_graph_runtime::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct State {
    facts: Facts,
    outcomes: Outcomes,
    authorities: Vec<String>,
    authorities_canonical: String,
}

impl State {
    /// No facts, no outcomes, no authorities.
    pub fn new() -> Self {
        Self {
            facts: Facts::default(),
            outcomes: Outcomes::default(),
            authorities: Vec::new(),
            authorities_canonical: String::from("[]"),
        }
    }

    /// Replaces the facts.
    pub fn set_facts(&mut self, facts: Facts) {
        self.facts = facts;
    }

    /// The facts.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Records the outcome of a state key (spec 4.3), in the place of the one it had.
    ///
    /// Keys of nodes that do not exist are kept; they are part of the revision.
    ///
    /// # Errors
    /// A key beyond ASCII, which no node has, is refused with `feature-required` when feature
    /// `unicode-collation` is off, and with `input-limit` when it is too long to be put in order.
    pub fn set_outcome(&mut self, key: impl Into<String>, outcome: Outcome) -> Result<(), Error> {
        self.outcomes.set(key.into(), outcome)
    }

    /// Records the outcome of a route's node. The next evaluation goes on from there.
    pub fn record<G: Graph>(&mut self, route: &Candidate<'_, G>, outcome: Outcome) {
        self.set_ascii_outcome(route.record_node(), outcome);
    }

    /// Replaces the outcomes by those of state keys made of ids, which are ASCII and distinct: faster than
    /// recording one by one.
    pub(crate) fn set_distinct_outcomes(&mut self, outcomes: Vec<(String, Outcome)>) {
        // What is ASCII can be put in order.
        self.outcomes = Outcomes::from_distinct(outcomes).unwrap_or_default();
    }

    /// Records the outcome of a state key made of ids, which are ASCII.
    pub(crate) fn set_ascii_outcome(&mut self, key: String, outcome: Outcome) {
        self.outcomes.set_comparable(key, outcome);
    }

    /// The recorded outcome of a state key.
    pub fn outcome(&self, key: &str) -> Option<Outcome> {
        self.recorded(TextHash::of(key), |own| own == key)
    }

    /// Takes the outcome of a state key out and returns it.
    pub fn forget(&mut self, key: &str) -> Option<Outcome> {
        self.outcomes.remove(key)
    }

    /// State keys and their outcomes in the order in which the keys were first recorded.
    pub fn outcomes(&self) -> impl ExactSizeIterator<Item = (&str, Outcome)> {
        self.outcomes.iter()
    }

    /// Replaces the authorities that the session holds. Their order and repetitions do not matter.
    pub fn set_authorities(&mut self, authorities: impl IntoIterator<Item: Into<String>>) {
        self.authorities = authorities.into_iter().map(Into::into).collect();
        ordered::sort_by(&mut self.authorities, |a, b| compare_code_units(a, b));
        self.authorities.dedup();
        self.authorities_canonical = canonical_array(&self.authorities);
    }

    /// The authorities that the session holds: each once, ordered by UTF-16 code units.
    pub fn authorities(&self) -> &[String] {
        &self.authorities
    }

    /// Whether the session holds the authority.
    pub fn has_authority(&self, authority: &str) -> bool {
        self.authorities
            .binary_search_by(|own| compare_code_units(own, authority))
            .is_ok()
    }

    /// Whether any outcome is recorded.
    pub(crate) fn has_outcomes(&self) -> bool {
        self.outcomes.iter().len() > 0
    }

    /// The recorded outcome of the key with this hash that `matches` accepts, so that a key can be
    /// looked up that is nowhere in one piece.
    pub(crate) fn recorded(
        &self,
        hash: TextHash,
        matches: impl Fn(&str) -> bool,
    ) -> Option<Outcome> {
        self.outcomes.find(hash, matches)
    }

    /// Canonical text of the object of state keys and bare outcomes.
    pub(crate) fn outcomes_canonical(&self) -> &str {
        self.outcomes.canonical()
    }

    /// Canonical text of the array of authorities.
    pub(crate) fn authorities_canonical(&self) -> &str {
        &self.authorities_canonical
    }
}

fn canonical_array(texts: &[String]) -> String {
    let mut array = String::from("[");
    for (index, text) in texts.iter().enumerate() {
        if index > 0 {
            array.push(',');
        }
        // A `String` takes all text.
        let _ = canonical::write_string(text, &mut array);
    }
    array.push(']');
    array
}

impl Default for State {
    fn default() -> Self {
        Self::new()
    }
}

/// Equal input: every evaluation of one is that of the other.
impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.facts == other.facts
            && self.outcomes_canonical() == other.outcomes_canonical()
            && self.authorities == other.authorities
    }
}

impl Eq for State {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn authorities_are_distinct_and_ordered_by_code_units() {
        let mut state = State::new();
        state.set_authorities(["z", "\u{ff00}", "a", "z", "\u{1f600}"]);
        assert_eq!(state.authorities(), ["a", "z", "\u{1f600}", "\u{ff00}"]);
        assert_eq!(
            state.authorities_canonical(),
            "[\"a\",\"z\",\"\u{1f600}\",\"\u{ff00}\"]"
        );
        assert!(
            state
                .authorities()
                .iter()
                .all(|own| state.has_authority(own))
        );
        assert!(!state.has_authority("b"));
        state.set_authorities(["b\""]);
        assert_eq!(state.authorities_canonical(), r#"["b\""]"#);
    }

    #[test]
    fn a_new_state_has_the_canonical_texts_of_nothing() {
        let state = State::new();
        assert_eq!(state.facts().canonical(), "{}");
        assert_eq!(state.outcomes_canonical(), "{}");
        assert_eq!(state.authorities_canonical(), "[]");
        assert!(!state.has_outcomes());
    }
}
