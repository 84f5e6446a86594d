//! What a benchmark promises, checked in the run that measures it.

use std::process::ExitCode;

/// Targets of one benchmark; the process fails if one is missed.
#[derive(Debug, Default)]
pub struct Targets {
    missed: Vec<String>,
}

impl Targets {
    /// Whether a target is met, as the mark in the printed line.
    pub fn check(&mut self, name: &str, measured: f64, limit: f64) -> &'static str {
        if measured <= limit {
            return "met";
        }
        self.missed
            .push(format!("{name}: {measured:.3} is more than {limit:.3}"));
        "MISSED"
    }

    /// The result of the benchmark.
    pub fn exit(self) -> ExitCode {
        for missed in &self.missed {
            eprintln!("missed: {missed}");
        }
        if self.missed.is_empty() {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        }
    }
}
