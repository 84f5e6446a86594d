//! Names the parts of the format that nothing judges yet, so that none is skipped in silence.

use std::io;
use std::path::Path;

use super::report::Report;
use super::texts::list;
use crate::sources::{folders, read_json};

/// What is judged, or is no vector.
const COVERED: [&str; 13] = [
    "canonical.json",
    "facts.json",
    "fact-checks.json",
    "yaml.json",
    "deliberate.json",
    "meta.json",
    "providers",
    "invalid",
    "materialize",
    "runs.json",
    "schema.json",
    "tests",
    "yaml-emit.json",
];

pub(super) fn name(directory: &Path, report: &mut Report) -> io::Result<()> {
    let mut entries = std::fs::read_dir(directory)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        if COVERED.contains(&name.as_str()) {
            continue;
        }
        let path = entry.path();
        if path.is_dir() {
            report.not_covered(&format!("{name}/"), folders(&path)?.len(), "folders");
        } else if name.ends_with(".json") {
            let vectors = read_json(&path)?;
            report.not_covered(&name, list(&vectors).len().max(1), "vectors");
        } else {
            report.not_covered(&name, 1, "unknown file");
        }
    }
    Ok(())
}
