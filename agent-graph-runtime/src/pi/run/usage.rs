//! What an agent used: tokens, turns, cost. Knows nothing about limits.

use alloc::string::String;

use crate::pi::text;

/// The greatest integer that a JSON number holds exactly; counts stop there.
pub(crate) const SAFE: u64 = (1 << 53) - 1;

/// What one or several attempts used. Counts are exact up to 2^53 - 1 and stay there; the cost is finite and
/// not negative as long as it is only made by [`Usage::add`] from such.
///
/// ```
/// use agent_graph_runtime::pi::run::Usage;
/// let mut total = Usage::default();
/// total.add(&Usage { input_tokens: 50, output_tokens: 40, turns: 1, ..Usage::default() });
/// total.add(&Usage { cache_read_tokens: 10, cost_usd: 0.5, turns: 1, ..Usage::default() });
/// assert_eq!((total.tokens(), total.turns), (100, 2));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Usage {
    /// Tokens that were sent.
    pub input_tokens: u64,
    /// Tokens that were received.
    pub output_tokens: u64,
    /// Tokens read from a cache.
    pub cache_read_tokens: u64,
    /// Tokens written to a cache.
    pub cache_write_tokens: u64,
    /// Messages of the model.
    pub turns: u64,
    /// US dollars.
    pub cost_usd: f64,
    /// The model that answered last, where that is known. Not part of the usage of a whole run.
    pub model: Option<String>,
}

impl Usage {
    /// Tokens of all four kinds.
    pub fn tokens(&self) -> u64 {
        let kinds = [
            self.input_tokens,
            self.output_tokens,
            self.cache_read_tokens,
            self.cache_write_tokens,
        ];
        kinds.into_iter().fold(0, u64::saturating_add)
    }

    /// Adds what somebody else used. A model of theirs replaces the one that is known; a blank one is none.
    pub fn add(&mut self, other: &Self) {
        self.add_amounts(other);
        let model = other.model.as_ref();
        if model.is_some_and(|model| !text::trim(model).is_empty()) {
            self.model.clone_from(&other.model);
        }
    }

    /// Adds what somebody else used, whatever model it was.
    pub fn add_amounts(&mut self, other: &Self) {
        let sum = |a: u64, b: u64| a.saturating_add(b).min(SAFE);
        self.input_tokens = sum(self.input_tokens, other.input_tokens);
        self.output_tokens = sum(self.output_tokens, other.output_tokens);
        self.cache_read_tokens = sum(self.cache_read_tokens, other.cache_read_tokens);
        self.cache_write_tokens = sum(self.cache_write_tokens, other.cache_write_tokens);
        self.turns = sum(self.turns, other.turns);
        self.cost_usd = amount(self.cost_usd + amount(other.cost_usd));
    }
}

/// A cost that can be written down: neither negative nor beyond the double range.
fn amount(cost: f64) -> f64 {
    if cost.is_nan() {
        return 0.0;
    }
    cost.clamp(0.0, f64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_stay_what_json_can_hold() {
        let huge = Usage {
            input_tokens: u64::MAX,
            turns: SAFE,
            cost_usd: f64::INFINITY,
            ..Usage::default()
        };
        let mut total = huge.clone();
        total.add(&huge);
        total.add(&Usage {
            cost_usd: f64::NAN,
            ..Usage::default()
        });
        assert_eq!((total.input_tokens, total.turns), (SAFE, SAFE));
        assert_eq!(total.cost_usd, f64::MAX);
        let mut total = Usage::default();
        total.add(&Usage {
            cost_usd: -1.0,
            ..Usage::default()
        });
        assert_eq!(total.cost_usd, 0.0);
    }

    #[test]
    fn the_last_known_model_stays() {
        let with = |model: Option<&str>| Usage {
            model: model.map(Into::into),
            ..Usage::default()
        };
        let mut total = with(Some("a"));
        total.add(&with(Some("b")));
        total.add(&with(None));
        total.add(&with(Some(" ")));
        total.add_amounts(&with(Some("c")));
        assert_eq!(total.model.as_deref(), Some("b"));
    }
}
