//! Runs a directory of recorded vectors against the crates: every part of the format that is covered
//! is judged, every part that is not is named. Knows the format, not how the answers come about.

mod bundles;
mod candidates;
mod command_line;
mod describe;
mod evaluations;
mod examples;
mod invalid;
mod materialize;
mod report;
mod routes;
mod runs;
mod schemas;
mod suites;
mod texts;
mod uncovered;

pub use candidates::{candidates, known_of_route};
pub use report::{Report, Verdict};

use std::path::Path;
use std::{fs, io};

/// Judges the directory and the worked examples.
pub fn run(directory: &Path, examples_directory: &Path, scratch: &Path) -> io::Result<Report> {
    let mut report = Report::default();
    if scratch.exists() {
        fs::remove_dir_all(scratch)?;
    }
    fs::create_dir_all(scratch)?;
    texts::run(directory, scratch, &mut report)?;
    schemas::run(directory, &mut report)?;
    examples::run(examples_directory, &mut report)?;
    evaluations::run(directory, &mut report)?;
    invalid::run(directory, scratch, &mut report)?;
    runs::run(directory, scratch, &mut report)?;
    materialize::run(directory, scratch, &mut report)?;
    bundles::run(directory, scratch, &mut report)?;
    suites::run(directory, scratch, &mut report)?;
    uncovered::name(directory, &mut report)?;
    Ok(report)
}
