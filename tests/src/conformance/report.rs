//! Counts verdicts and prints what failed. Knows nothing about what is judged.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

/// What a case comes to.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// As recorded.
    Passed,
    /// Not as recorded, and as intended.
    Differs,
    /// Neither.
    Failed(String),
    /// Not as recorded, for a reason that the documentation states.
    Apart,
}

impl Verdict {
    /// A verdict on whether two things that print are equal.
    pub fn on<T: PartialEq + std::fmt::Debug>(expected: T, received: T) -> Self {
        if expected == received {
            Self::Passed
        } else {
            Self::Failed(format!("expected {expected:?}, received {received:?}"))
        }
    }

    /// A pass becomes a difference on purpose where `deliberate` says that the case has one.
    #[must_use]
    pub fn on_purpose(self, deliberate: bool) -> Self {
        match self {
            Self::Passed if deliberate => Self::Differs,
            other => other,
        }
    }
}

/// All verdicts so far.
#[derive(Debug, Default)]
pub struct Report {
    passed: usize,
    differ: usize,
    failures: Vec<String>,
    apart: Vec<String>,
    uncovered: Vec<String>,
}

impl Report {
    /// Judges one case. A panic is a failure like any other, and the next case goes on.
    pub fn case(&mut self, id: &str, judge: impl FnOnce() -> Verdict) {
        let verdict = catch_unwind(AssertUnwindSafe(judge)).unwrap_or_else(|panic| {
            let text = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied());
            Verdict::Failed(format!("panicked: {}", text.unwrap_or("without a text")))
        });
        match verdict {
            Verdict::Passed => self.passed += 1,
            Verdict::Differs => self.differ += 1,
            Verdict::Apart => self.apart.push(id.to_owned()),
            Verdict::Failed(why) => {
                let failure = format!("{id}: {why}");
                println!("FAILED {failure}");
                self.failures.push(failure);
            }
        }
    }

    /// Names a part of the format that nothing here judges yet.
    pub fn not_covered(&mut self, part: &str, count: usize, what: &str) {
        if count > 0 {
            self.uncovered.push(format!("{part}: {count} {what}"));
        }
    }

    /// Prints the parts that are not covered and, last, the totals.
    pub fn finish(&self) -> ExitCode {
        for part in &self.uncovered {
            println!("not covered yet: {part}");
        }
        if !self.apart.is_empty() {
            println!(
                "counted apart, since the pinned collation data orders Han ideographs and \
                 unassigned characters otherwise: {}",
                self.apart.join(", ")
            );
        }
        println!(
            "conformance: {} cases passed, {} failed, {} differ on purpose",
            self.passed,
            self.failures.len(),
            self.differ
        );
        if self.failures.is_empty() && self.passed > 0 {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_counted_as_a_failure_and_the_run_goes_on() {
        let mut report = Report::default();
        report.case("first", || panic!("boom"));
        report.case("second", || Verdict::Passed);
        report.case("third", || Verdict::on(1, 1).on_purpose(true));
        assert_eq!(report.failures, ["first: panicked: boom"]);
        assert_eq!((report.passed, report.differ), (1, 1));
    }
}
