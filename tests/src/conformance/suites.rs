//! `tests/`: suites of graph tests with their results. Knows the format, not how tests are run.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use agent_graph_build::graph_test;
use agent_graph_runtime::Installed;
use serde_json::{Value, json};

use super::evaluations::compare;
use super::invalid::copy;
use super::report::Report;
use super::texts::list;
use crate::sources::{folders, read_json};

pub(super) fn run(directory: &Path, scratch: &Path, report: &mut Report) -> io::Result<()> {
    let directory = directory.join("tests");
    let path = directory.join("deliberate.json");
    let entries = if path.exists() {
        read_json(&path)?
    } else {
        json!([])
    };
    let intended: HashMap<&str, &Value> = list(&entries)
        .iter()
        .filter_map(|entry| Some((entry["suite"].as_str()?, &entry["results"])))
        .collect();
    for folder in folders(&directory)? {
        let suite = folder.file_name().unwrap_or_default().to_string_lossy();
        let expected = read_json(&folder.join("expect.json"))?;
        let root = scratch.join("tests").join(&*suite);
        copy(&folder, &root)?;
        report.case(&format!("tests/{suite}"), || {
            let intended = intended.get(&*suite).copied();
            let recorded = expected.get("results").unwrap_or(&expected["code"]);
            compare(intended.unwrap_or(recorded), &results(&root, &expected))
                .on_purpose(intended.is_some())
        });
    }
    Ok(())
}

/// The results with the folders of the suite for their placeholders, or the code of what is wrong.
fn results(root: &Path, expected: &Value) -> Value {
    let text = |name: &str| expected[name].as_str().unwrap_or_default();
    let provider = match Installed::load(root.join("provider").join(text("manifest"))) {
        Ok(provider) => provider,
        Err(error) => return json!(error.to_string()),
    };
    let results = match graph_test::run(&provider, root.join(text("testPath"))) {
        Ok(results) => results,
        Err(findings) => return json!(findings.code().as_str()),
    };
    let folder = |name: &str| root.join(name).to_string_lossy().into_owned();
    let text = serde_json::to_string(&results).unwrap_or_default();
    let text = text
        .replace(&folder("tests"), "<tests-root>")
        .replace(&folder("provider"), "<provider-root>");
    serde_json::from_str(&text).unwrap_or_default()
}
