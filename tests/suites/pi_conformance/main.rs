//! The recorded vectors of pi-graph `schemaVersion: 2` against the runtime. `PI_GRAPH_CONFORMANCE=<directory>`
//! runs any directory in the same format; without it, the selection in `pi-conformance` runs.
//!
//! What the reference does by accident is not copied: such cases are listed with the reason and counted
//! apart, see `quirks`.

mod agents;
mod cases;
mod checkpoints;
mod compile;
mod forms;
mod quirks;
mod runs;
mod values;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use agent_graph_runtime::json::Value;
use cases::{Case, Verdict};

/// Runs one case of a file.
type Judge = fn(&Case) -> Verdict;

/// The files that are covered, each with what runs one of its cases.
const COVERED: [(&str, Judge); 9] = [
    ("compile", compile::run),
    ("conditions", values::condition),
    ("templates", values::template),
    ("paths", values::path),
    ("reducers", values::reducer),
    ("prompts", agents::prompt),
    ("pi-output", agents::output),
    ("checkpoints", checkpoints::run),
    ("runs", runs::run),
];

#[derive(Default)]
struct Tally {
    passed: usize,
    failed: usize,
    on_purpose: usize,
}

fn main() -> ExitCode {
    let directory = directory();
    let mut tally = Tally::default();
    for (kind, run) in COVERED {
        let file = directory.join(format!("{kind}.json"));
        if let Err(problem) = run_file(&file, run, &mut tally) {
            println!("FAILED {}: {problem}", file.display());
            tally.failed += 1;
        }
    }
    name_what_is_not_covered(&directory);
    println!(
        "pi_conformance: {} cases passed, {} failed, {} differ on purpose",
        tally.passed, tally.failed, tally.on_purpose
    );
    if tally.failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Where the vectors are.
fn directory() -> PathBuf {
    match std::env::var_os("PI_GRAPH_CONFORMANCE") {
        Some(directory) => PathBuf::from(directory),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("pi-conformance"),
    }
}

fn run_file(file: &Path, run: fn(&Case) -> Verdict, tally: &mut Tally) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let document = Value::from_json(&text).map_err(|error| error.to_string())?;
    let cases = document.as_object().and_then(|object| object.get("cases"));
    let cases = cases
        .and_then(Value::as_array)
        .ok_or("there are no cases")?;
    for value in cases {
        let case = Case::of(value).ok_or("a case is no object with an id")?;
        match run(&case) {
            Verdict::Passed => tally.passed += 1,
            Verdict::OnPurpose(reason) => {
                tally.on_purpose += 1;
                println!("{}: differs on purpose: {reason}", case.id);
            }
            Verdict::Failed(difference) => {
                tally.failed += 1;
                println!("FAILED {} {:?}: {difference}", case.id, case.tags);
            }
        }
    }
    Ok(())
}

fn name_what_is_not_covered(directory: &Path) {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| {
            COVERED
                .iter()
                .all(|(kind, _)| *name != format!("{kind}.json"))
        })
        .filter(|name| !name.ends_with(".md") && name != "pi-events")
        .collect();
    names.sort();
    if !names.is_empty() {
        println!("not covered yet: {}", names.join(", "));
    }
}
