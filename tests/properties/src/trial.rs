//! Tries a property with a fixed number of inputs from a fixed seed: every recorded input as it is, then damaged
//! ones, and bytes by chance, from which structured generators make something valid more often than not.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::Property;
use crate::damage::damaged;
use crate::seeded::Chance;

/// Tries a property with recorded inputs, at most so many, and as many others.
///
/// # Panics
/// When it does not hold; the input has been printed then.
pub fn run(property: &Property, inputs: usize) {
    let seeds = (property.seeds)();
    // From all over the list, which begins with the most alike.
    let step = seeds.len().div_ceil(inputs.max(1)).max(1);
    for seed in seeds.iter().step_by(step) {
        one(property, seed);
    }
    let mut chance = Chance::seeded(inputs as u64);
    for _ in 0..inputs {
        one(property, &input(&mut chance, &seeds));
    }
}

fn input(chance: &mut Chance, seeds: &[Vec<u8>]) -> Vec<u8> {
    if seeds.is_empty() || chance.percent(40) {
        let length = chance.one_of(&[8, 40, 200, 600]);
        let byte = |_| u8::try_from(chance.below(256)).unwrap_or(0);
        return (0..length).map(byte).collect();
    }
    let [one, other] = [(); 2].map(|()| &seeds[chance.below(seeds.len())]);
    damaged(chance, one, other)
}

fn one(property: &Property, input: &[u8]) {
    if let Err(cause) = catch_unwind(AssertUnwindSafe(|| (property.check)(input))) {
        eprintln!(
            "{} does not hold for \"{}\"",
            property.name,
            input.escape_ascii()
        );
        resume_unwind(cause);
    }
}
