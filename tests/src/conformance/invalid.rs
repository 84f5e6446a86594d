//! `invalid/`: what must not work, each with the code of the error that comes first.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::{fs, io};

use agent_graph_runtime::{Code, Provider, State};
use serde_json::{Value, json};

use super::report::{Report, Verdict};
use super::texts::list;
use super::{bundles, command_line, materialize, routes, runs, schemas};
use crate::sources::{folders, read_json};

/// The operations that are judged.
const JUDGED: [&str; 11] = [
    "build",
    "cli",
    "load",
    "evaluate",
    "run",
    "materialize",
    "route",
    "locate-resource",
    "locate-code",
    "bind",
    "schema",
];

pub(super) fn run(directory: &Path, scratch: &Path, report: &mut Report) -> io::Result<()> {
    let directory = directory.join("invalid");
    let path = directory.join("deliberate.json");
    let entries = if path.exists() {
        read_json(&path)?
    } else {
        json!([])
    };
    let intended: HashMap<&str, &Value> = list(&entries)
        .iter()
        .filter_map(|entry| Some((entry["vector"].as_str()?, entry)))
        .collect();
    let mut uncovered: BTreeMap<String, usize> = BTreeMap::new();
    for folder in folders(&directory)? {
        let vector = folder
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let expect = read_json(&folder.join("expect.json"))?;
        let kind = expect["op"]["kind"]
            .as_str()
            .unwrap_or("unknown")
            .to_owned();
        if !JUDGED.contains(&kind.as_str()) {
            *uncovered.entry(kind).or_default() += 1;
            continue;
        }
        let scratch = scratch.join("invalid").join(&vector);
        let root = play(&folder, &expect, &scratch)?;
        if !matches!(kind.as_str(), "load" | "evaluate") {
            let operation = &expect["op"];
            report.case(&format!("invalid {vector}"), || {
                let code = match kind.as_str() {
                    "run" => runs::failing(&operation["ops"], root),
                    "route" | "locate-resource" | "locate-code" | "bind" => {
                        routes::failing(operation, &root)
                    }
                    "schema" => schemas::failing(operation),
                    "build" => bundles::failing(operation, &root, &scratch.join("outside")),
                    "cli" => command_line::failing(operation, &root),
                    _ => materialize::failing(operation, &root, &scratch),
                };
                let entry = intended.get(vector.as_str());
                let expected = entry.map_or(&expect["code"], |entry| &entry["code"]);
                let expected = expected.as_str().unwrap_or_default().to_owned();
                Verdict::on(Ok(expected), code).on_purpose(entry.is_some())
            });
            continue;
        }
        let code = intended.get(vector.as_str()).map(|entry| &entry["code"]);
        report.case(&format!("invalid {vector}"), || {
            judge(attempt(&root, &expect["op"]), &expect, code)
        });
    }
    for (kind, count) in uncovered {
        report.not_covered(&format!("invalid/*, op {kind}"), count, "vectors");
    }
    Ok(())
}

/// Does what the vector wants done; the code and the text of what came of it.
fn attempt(root: &Path, op: &Value) -> Result<(), (Code, String)> {
    let text = |name: &str| op[name].as_str().unwrap_or_default();
    let manifest = root.join(op["manifest"].as_str().unwrap_or("provider.yaml"));
    let provider =
        Provider::load(&manifest).map_err(|findings| (findings.code(), findings.to_string()))?;
    if op["kind"] == "evaluate" {
        State::from_json(text("inputText"))
            .and_then(|state| provider.evaluate(text("graph"), text("entry"), &state))
            .map_err(|error| (error.code(), error.to_string()))?;
    }
    Ok(())
}

fn judge(result: Result<(), (Code, String)>, expect: &Value, intended: Option<&Value>) -> Verdict {
    let wanted = intended
        .unwrap_or(&expect["code"])
        .as_str()
        .unwrap_or_default();
    let note = expect["note"].as_str().unwrap_or_default();
    match result {
        Ok(()) if expect["referenceBug"] == true => Verdict::Passed,
        Ok(()) => Verdict::Failed(format!("{note}: works, expected {wanted}")),
        Err(_) if expect["anyError"] == true && intended.is_none() => Verdict::Passed,
        Err((code, _)) if code.as_str() == wanted => Verdict::Passed.on_purpose(intended.is_some()),
        Err((_, text)) => Verdict::Failed(format!("{note}: expected {wanted}, received {text}")),
    }
}

/// Copies a vector and does what it wants done before: files outside, links, other files.
fn play(vector: &Path, expect: &Value, scratch: &Path) -> io::Result<PathBuf> {
    let (root, outside) = (scratch.join("root"), scratch.join("outside"));
    fs::create_dir_all(&root)?;
    fs::create_dir_all(&outside)?;
    let files = vector.join("files");
    if files.is_dir() {
        copy(&files, &root)?;
    }
    for step in list(&expect["setup"]) {
        let text = |name: &str| {
            let text = step[name].as_str()?;
            Some(filled_in(text, &root, &outside))
        };
        let content = text("text").unwrap_or_default();
        if let Some(path) = text("outside") {
            write(&outside.join(path), &content)?;
        } else if let Some(path) = text("write") {
            write(&root.join(path), &content)?;
        } else if let (Some(path), Some(target)) = (text("symlink"), text("target")) {
            link(&target, &root.join(path))?;
        }
    }
    if expect["substitute"] == true {
        substitute(&root, &root, &outside)?;
    }
    Ok(root)
}

/// Replaces the placeholders in every file below `folder`.
fn substitute(folder: &Path, root: &Path, outside: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            substitute(&path, root, outside)?;
        } else if let Ok(text) = fs::read_to_string(&path) {
            fs::write(&path, filled_in(&text, root, outside))?;
        }
    }
    Ok(())
}

/// The text with the folders of this machine for their placeholders.
pub(super) fn filled_in(text: &str, root: &Path, outside: &Path) -> String {
    text.replace("<provider-root>", &root.to_string_lossy())
        .replace("<outside>", &outside.to_string_lossy())
}

fn write(path: &Path, content: &str) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(path, content)
}

/// Copies a folder and everything below it.
pub(super) fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            // Read and write: a copied vector may be read-only, and setup steps replace files.
            fs::write(&target, fs::read(entry.path())?)?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn link(target: &str, path: &Path) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    if path.is_file() {
        fs::remove_file(path)?;
    }
    std::os::unix::fs::symlink(target, path)
}

#[cfg(not(unix))]
fn link(_: &str, _: &Path) -> io::Result<()> {
    Err(io::Error::new(
        io::ErrorKind::Unsupported,
        "symbolic links need a Unix system",
    ))
}
