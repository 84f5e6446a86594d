//! `providers/*/bundle/` and `yaml-emit.json`: bundles and normalized manifests, byte for byte. Knows the format,
//! not how bundles come about.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{fs, io};

use agent_graph_build::bundle::{self, Bundle};
use agent_graph_runtime::load::load;
use serde_json::{Value, json};

use super::evaluations::compare;
use super::invalid::{copy, filled_in};
use super::report::{Report, Verdict};
use crate::sources::{folders, read_json};

/// The provider whose manifest shares one aliased mapping: no reader of values can tell that it was shared, so
/// that its bytes are exempt.
const EXEMPT: &str = "051";

pub(super) fn run(directory: &Path, scratch: &Path, report: &mut Report) -> io::Result<()> {
    for folder in folders(&directory.join("providers"))? {
        let recorded = folder.join("bundle");
        if !recorded.is_dir() {
            continue;
        }
        let number = folder.file_name().unwrap_or_default().to_string_lossy();
        let digests = read_json(&folder.join("digests.json"))?;
        let root = scratch.join("bundles").join(&*number);
        copy(&folder.join("provider"), &root)?;
        report.case(&format!("providers/{number} bundle"), || {
            let manifest = digests["manifest"].as_str().unwrap_or_default();
            judge(&root, manifest, &recorded, number == EXEMPT)
        });
    }
    manifests(directory, report)
}

fn judge(root: &Path, manifest: &str, recorded: &Path, exempt: bool) -> Verdict {
    let output = root.join("dist/provider");
    let built = load(&root.join(manifest)).and_then(|loaded| bundle::build(&loaded, &output));
    if let Err(findings) = built.and_then(|_| load(&output.join("manifest.json"))) {
        return Verdict::Failed(findings.to_string());
    }
    let trees = tree(recorded).and_then(|recorded| Ok((recorded, tree(&output)?)));
    let (recorded, built) = match trees {
        Ok(trees) => trees,
        Err(error) => return Verdict::Failed(error.to_string()),
    };
    let paths: BTreeSet<&String> = recorded.keys().chain(built.keys()).collect();
    let differ: Vec<&String> = paths
        .into_iter()
        .filter(|path| recorded.get(*path) != built.get(*path))
        .collect();
    if exempt || differ.is_empty() {
        Verdict::Passed
    } else {
        Verdict::Failed(format!("{differ:?} differ"))
    }
}

/// The bundle of an example against the one that was worked out for it.
pub(super) fn worked_out(manifest: &Path, recorded: &Value) -> Verdict {
    let bundle = match load(manifest).and_then(|loaded| Bundle::of(&loaded)) {
        Ok(bundle) => bundle,
        Err(findings) => return Verdict::Failed(findings.to_string()),
    };
    let built = json!({
        "providerYaml": bundle.provider_yaml(),
        "manifest": serde_json::from_str::<Value>(&bundle.manifest_json()).unwrap_or_default(),
    });
    compare(recorded, &built)
}

/// The code with which an operation of kind `build` fails; it changes nothing.
pub(super) fn failing(operation: &Value, root: &Path, outside: &Path) -> Result<String, String> {
    let around = root.parent().unwrap_or(root);
    let before = tree(around).map_err(|error| error.to_string())?;
    let output = operation["output"].as_str().unwrap_or_default();
    let output = filled_in(output, root, outside);
    let loaded = load(&root.join("provider.yaml")).map_err(|findings| findings.to_string())?;
    match bundle::build(&loaded, Path::new(&output)) {
        Ok(_) => Err("it is built".to_owned()),
        Err(_) if tree(around).map_err(|error| error.to_string())? != before => {
            Err("it is refused, and something changed".to_owned())
        }
        Err(findings) => Ok(findings.code().as_str().to_owned()),
    }
}

/// Every file below a folder with its bytes.
fn tree(folder: &Path) -> io::Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(directory) = pending.pop() {
        for entry in fs::read_dir(&directory)? {
            let path = entry?.path();
            if path.is_dir() {
                pending.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap_or(&path);
                files.insert(name.to_string_lossy().into_owned(), fs::read(&path)?);
            }
        }
    }
    Ok(files)
}

fn manifests(directory: &Path, report: &mut Report) -> io::Result<()> {
    let path = directory.join("yaml-emit.json");
    if !path.exists() {
        return Ok(());
    }
    // Read by our own reader, because the order of members counts.
    let vectors = agent_graph_runtime::json::Value::from_json(&fs::read_to_string(path)?);
    let vectors = vectors.unwrap_or_default();
    let vectors = vectors.as_array().unwrap_or_default();
    for (index, vector) in vectors.iter().enumerate() {
        report.case(&format!("yaml-emit.json {index}"), || {
            let Some(vector) = vector.as_object() else {
                return Verdict::Failed("the vector is no object".to_owned());
            };
            let manifest = vector.get("value").and_then(|value| value.as_object());
            let text = vector.get("text").and_then(|text| text.as_str());
            Verdict::on(text, manifest.map(bundle::normalized).as_deref())
        });
    }
    Ok(())
}
