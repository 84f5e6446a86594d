//! Repeatable chance: the same seed gives the same providers and states on every machine, in the
//! build script and in the tests alike. Knows nothing about what is drawn.

/// A xorshift generator.
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    /// Draws that depend on nothing but `seed`.
    pub fn seeded(seed: u64) -> Self {
        // Spreads small seeds; never zero, where xorshift would stay for ever.
        let mut chance = Self(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1 << 63);
        for _ in 0..8 {
            chance.next();
        }
        chance
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    /// A number below `limit`, which is at least one.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True in so many of a hundred cases.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the choices, of which there is at least one.
    pub fn one_of<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }

    /// The same things in another order.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            let other = self.below(last + 1);
            things.swap(last, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draws(seed: u64) -> Vec<usize> {
        let mut chance = Chance::seeded(seed);
        (0..20).map(|_| chance.below(1_000)).collect()
    }

    #[test]
    fn a_seed_repeats_its_draws_and_shares_them_with_no_neighbour() {
        for seed in 0..100 {
            assert_eq!(draws(seed), draws(seed));
            assert_ne!(draws(seed), draws(seed + 1));
        }
    }
}
