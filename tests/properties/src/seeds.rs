//! Inputs to begin with, from the recorded data of the tests: nothing is stored twice. A file that cannot be read
//! gives none; a test sees to it that every property has some.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::archive;
use crate::checks::bundle_verifier;
use crate::seeded::Chance;

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn recorded(path: &str) -> Value {
    let text = fs::read_to_string(tests().join(path)).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

/// Cases of a recorded list; those of pi-graph lie in a member.
fn cases(recorded: &Value) -> &[Value] {
    let list = recorded.get("cases").unwrap_or(recorded);
    list.as_array().map_or(&[], Vec::as_slice)
}

fn text(case: &Value, member: &str) -> Option<Vec<u8>> {
    Some(case.get(member)?.as_str()?.as_bytes().to_vec())
}

fn texts(path: &str, member: &str) -> Vec<Vec<u8>> {
    let recorded = recorded(path);
    cases(&recorded)
        .iter()
        .filter_map(|case| text(case, member))
        .collect()
}

/// Every file below a folder whose name ends like this, in order.
fn files(folder: &Path, ends: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![folder.to_path_buf()];
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                pending.push(path);
            } else if ends.iter().any(|end| path.to_string_lossy().ends_with(end)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Documents in YAML.
pub fn yaml() -> Vec<Vec<u8>> {
    let examples = files(&tests().join("examples"), &[".yaml"]);
    let mut seeds = texts("conformance/yaml.json", "text");
    seeds.extend(texts("conformance/yaml-emit.json", "text"));
    seeds.extend(examples.iter().filter_map(|path| fs::read(path).ok()));
    seeds
}

/// JSON texts.
pub fn json() -> Vec<Vec<u8>> {
    let mut seeds = texts("conformance/canonical.json", "text");
    seeds.extend(texts("conformance/schema.json", "text"));
    seeds
}

/// Facts, each behind a path and a line end.
pub fn facts() -> Vec<Vec<u8>> {
    let recorded = recorded("conformance/facts.json");
    let case = |case: &Value| {
        Some(
            [
                text(case, "path")?,
                b"\n".to_vec(),
                text(case, "factsText")?,
            ]
            .concat(),
        )
    };
    cases(&recorded).iter().filter_map(case).collect()
}

/// Receipts.
pub fn receipts() -> Vec<Vec<u8>> {
    let mut seeds = of_schema("resource-read-receipts");
    seeds.extend(decisions());
    seeds
}

/// A location and a result of a host action, each on a line.
pub fn host_action_results() -> Vec<Vec<u8>> {
    let expected = recorded("examples/host-batch/expected.json");
    let mut found = [Vec::new(), Vec::new()];
    lines_of_host_actions(&expected, &mut found);
    let [locations, mut results] = found;
    results.push("{}".to_owned());
    let pairs = locations.iter().flat_map(|location| {
        let results = results.iter();
        results.map(move |result| format!("{location}\n{result}").into_bytes())
    });
    pairs.chain(decisions()).collect()
}

fn lines_of_host_actions(value: &Value, found: &mut [Vec<String>; 2]) {
    match value {
        Value::Array(items) => items
            .iter()
            .for_each(|item| lines_of_host_actions(item, found)),
        Value::Object(members) => {
            let schema = members
                .get("schema")
                .and_then(Value::as_str)
                .unwrap_or_default();
            if schema.ends_with(".host-action.v1") {
                found[0].push(value.to_string());
            } else if schema.ends_with(".host-action-result.v1") {
                found[1].push(value.to_string());
            }
            members
                .values()
                .for_each(|value| lines_of_host_actions(value, found));
        }
        _ => {}
    }
}

/// Runs.
pub fn runs() -> Vec<Vec<u8>> {
    let recorded = recorded("conformance/runs.json");
    let file = |case: &Value| text(case.get("files")?, "run.json");
    // What differs between runs of the recording has been replaced by a word.
    let dated = |bytes: Vec<u8>| {
        String::from_utf8_lossy(&bytes).replace("<time>", "2026-01-02T03:04:05.678Z")
    };
    let mut seeds = of_schema("run");
    seeds.extend(
        cases(&recorded)
            .iter()
            .filter_map(file)
            .map(|bytes| dated(bytes).into_bytes()),
    );
    seeds.extend(decisions());
    seeds
}

fn of_schema(schema: &str) -> Vec<Vec<u8>> {
    let recorded = recorded("conformance/schema.json");
    let cases = cases(&recorded).iter();
    let own = cases.filter(|case| case.get("schema").and_then(Value::as_str) == Some(schema));
    own.filter_map(|case| text(case, "text")).collect()
}

/// Providers, valid and not, as archives.
pub fn providers() -> Vec<Vec<u8>> {
    let mut folders: Vec<PathBuf> = Vec::new();
    for manifest in files(
        &tests().join("conformance"),
        &["/provider.yaml", "/provider.json"],
    ) {
        folders.extend(manifest.parent().map(Path::to_path_buf));
    }
    for manifest in files(&tests().join("examples"), &["/provider.yaml"]) {
        folders.extend(manifest.parent().map(Path::to_path_buf));
    }
    let mut seeds: Vec<_> = folders.iter().map(|folder| archived(folder)).collect();
    // Large ones only make everything slow.
    seeds.retain(|seed| seed.len() < 16_000);
    seeds.extend(decisions());
    seeds
}

fn archived(folder: &Path) -> Vec<u8> {
    let mut content = Vec::new();
    for path in files(folder, &[""]) {
        let name = path
            .strip_prefix(folder)
            .map(|name| name.to_string_lossy().into_owned());
        if let (Ok(name), Ok(bytes)) = (name, fs::read(&path)) {
            content.push((name, bytes));
        }
    }
    // The manifest comes first.
    content.sort_by_key(|(name, _)| !name.starts_with("provider."));
    archive::text(&content)
}

/// Bundles as archives.
pub fn bundles() -> Vec<Vec<u8>> {
    let built = bundle_verifier::bundles().iter();
    built
        .map(|files| archive::text(files))
        .chain(decisions())
        .collect()
}

/// Definitions of pi-graph.
pub fn pi_definitions() -> Vec<Vec<u8>> {
    let recorded = recorded("pi-conformance/compile.json");
    let definition = |case: &Value| match case.get("definition") {
        Some(definition) => Some(definition.to_string().into_bytes()),
        None => text(case, "definitionText"),
    };
    cases(&recorded)
        .iter()
        .filter_map(definition)
        .chain(decisions())
        .collect()
}

/// Streams of events, each behind a byte that says how it is cut.
pub fn pi_events() -> Vec<Vec<u8>> {
    let recorded = recorded("pi-conformance/pi-output.json");
    let mut streams: Vec<Vec<u8>> = Vec::new();
    for case in cases(&recorded) {
        let chunks = case.pointer("/process/chunks").and_then(Value::as_array);
        let pieces = chunks
            .into_iter()
            .flatten()
            .filter_map(|chunk| text(chunk, "stdout"));
        streams.push(pieces.collect::<Vec<_>>().concat());
    }
    let real = files(&tests().join("pi-conformance/pi-events"), &[".jsonl"]);
    streams.extend(real.iter().filter_map(|path| fs::read(path).ok()));
    streams
        .iter()
        .map(|stream| [&[6], &stream[..]].concat())
        .collect()
}

/// A path, a template and a state, each on a line.
pub fn pi_state() -> Vec<Vec<u8>> {
    let (paths, templates) = (
        recorded("pi-conformance/paths.json"),
        recorded("pi-conformance/templates.json"),
    );
    let line = |case: &Value| {
        let text = |name: &str| {
            case.get(name)
                .and_then(Value::as_str)
                .unwrap_or("a.b")
                .replace('\n', " ")
        };
        let state = case
            .get("state")
            .map_or_else(|| "{}".to_owned(), Value::to_string);
        format!("{}\n{}\n{state}", text("path"), text("template")).into_bytes()
    };
    let all = cases(&paths).iter().chain(cases(&templates)).map(line);
    all.chain(decisions()).collect()
}

/// A pattern and a text, each on a line.
pub fn patterns() -> Vec<Vec<u8>> {
    let recorded = recorded("pi-conformance/conditions.json");
    let pattern = |case: &Value| {
        let condition = case.get("condition")?;
        let is_pattern = condition.get("op")?.as_str()? == "matches";
        let state = case.get("state").map_or_else(String::new, Value::to_string);
        let value = text(condition, "value").filter(|_| is_pattern)?;
        Some([value, b"\n".to_vec(), state.into_bytes()].concat())
    };
    let recorded = cases(&recorded).iter().filter_map(pattern);
    recorded.chain(decisions()).collect()
}

/// Archives and input of the macro.
pub fn expander() -> Vec<Vec<u8>> {
    let folder = tests().join("../agent-graph-macros/tests");
    let mut seeds: Vec<Vec<u8>> = Vec::new();
    for path in files(&folder, &[".rs"]) {
        let text = fs::read_to_string(path).unwrap_or_default();
        for part in text.split("include_provider! {").skip(1) {
            let end = part.find("\n}").unwrap_or(part.len());
            seeds.push(part.as_bytes()[..end].to_vec());
        }
    }
    seeds.extend(providers().into_iter().filter(|seed| seed.len() < 4_000));
    seeds
}

/// Bytes for structured generators alone.
fn decisions() -> Vec<Vec<u8>> {
    let mut chance = Chance::seeded(1);
    let bytes =
        |length: usize, chance: &mut Chance| (0..length).map(|_| chance.below(256) as u8).collect();
    (0..24)
        .map(|number| bytes(16 << (number % 6), &mut chance))
        .collect()
}
