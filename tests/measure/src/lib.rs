//! What the benchmarks share: things are timed side by side in one run, so that what a busy machine does to one
//! it does to the other, and fits over sizes tell linear growth from other growth. Knows nothing about what is
//! measured.

mod clock;
mod fit;
mod target;

pub use fit::{Fit, fit};
pub use target::Targets;

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// How long one batch of calls should take: much longer than reading the clock.
const BATCH: Duration = Duration::from_micros(200);

/// How many batches of each thing are timed.
const ROUNDS: usize = 41;

/// The most time one comparison may take, as far as rounds can be left out.
const LONGEST: Duration = Duration::from_secs(6);

/// Nanoseconds of a processor that one call of each thing takes: the least over rounds in which each has its turn,
/// since whatever else runs on the machine only ever adds.
pub fn side_by_side<const N: usize>(mut things: [&mut dyn FnMut(); N]) -> [f64; N] {
    let calls: Vec<u32> = things.iter_mut().map(|thing| calls_of(*thing)).collect();
    let mut samples = vec![Vec::with_capacity(ROUNDS); N];
    let begin = Instant::now();
    for round in 0..ROUNDS {
        if round >= 5 && begin.elapsed() > LONGEST {
            break;
        }
        for ((thing, calls), samples) in things.iter_mut().zip(&calls).zip(&mut samples) {
            let start = clock::now();
            for _ in 0..*calls {
                thing();
            }
            let took = clock::now().saturating_sub(start);
            samples.push(took.as_nanos() as f64 / f64::from(*calls));
        }
    }
    let mut least = samples.into_iter().map(least);
    std::array::from_fn(|_| least.next().unwrap_or(f64::NAN))
}

/// A call whose result is used, so that the compiler cannot leave it out.
pub fn kept<R>(mut call: impl FnMut() -> R) -> impl FnMut() {
    move || {
        black_box(call());
    }
}

/// How many calls fill a batch; the calls themselves warm things up.
fn calls_of(thing: &mut dyn FnMut()) -> u32 {
    let mut calls: u32 = 1;
    loop {
        let start = clock::now();
        for _ in 0..calls {
            thing();
        }
        if clock::now().saturating_sub(start) >= BATCH || calls >= 1 << 20 {
            return calls;
        }
        calls *= 2;
    }
}

fn least(samples: Vec<f64>) -> f64 {
    samples.into_iter().fold(f64::NAN, f64::min)
}

/// Whether the command line chooses what has this name: without names it chooses all.
pub fn is_chosen(name: &str) -> bool {
    let mut wanted = std::env::args().skip(1).filter(|it| !it.starts_with('-'));
    let first = wanted.next();
    first.is_none_or(|first| name.contains(&first) || wanted.any(|it| name.contains(&it)))
}

/// Nanoseconds as people read them.
pub fn shown(nanoseconds: f64) -> String {
    let (value, unit) = match nanoseconds {
        it if it < 1e3 => (it, "ns"),
        it if it < 1e6 => (it / 1e3, "us"),
        it if it < 1e9 => (it / 1e6, "ms"),
        it => (it / 1e9, "s"),
    };
    format!("{value:.3} {unit}")
}

/// Prints a line of a table: a name and columns of the same width.
pub fn line(name: &str, columns: &[&str]) {
    let mut line = format!("{name:<44}");
    for column in columns {
        let _ = write!(line, "{column:>14}");
    }
    println!("{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_of_no_samples_is_no_number() {
        assert_eq!(least(vec![4.0, 1.0, 3.0, 2.0]), 1.0);
        assert!(least(vec![]).is_nan());
    }

    #[test]
    fn a_longer_thing_takes_longer() {
        let sum = |to: u64| (0..to).fold(0_u64, |sum, it| black_box(sum.wrapping_add(it)));
        let [short, long] = side_by_side([&mut kept(|| sum(100)), &mut kept(|| sum(10_000))]);
        assert!(long > 10.0 * short, "{short} {long}");
    }

    #[test]
    fn nanoseconds_are_shown_in_their_unit() {
        assert_eq!(shown(12.5), "12.500 ns");
        assert_eq!(shown(1_500_000.0), "1.500 ms");
    }
}
