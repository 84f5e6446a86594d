//! `describe.json`: inspections, locations of resources and codes, skill bindings.

use std::io;
use std::path::Path;

use agent_graph_runtime::load::{Registry, bind};
use agent_graph_runtime::{Error, Installed};
use serde_json::Value;

use super::evaluations::{Mode, compare, named, worst};
use super::report::{Report, Verdict};
use super::routes::{placed, wire};
use super::texts::list;
use crate::sources::{Source, read_json};

/// Judges the descriptions of a provider, which has to be where its source is.
pub(super) fn run(
    source: &Source,
    folder: &Path,
    modes: &[Mode],
    report: &mut Report,
) -> io::Result<()> {
    let path = folder.join("describe.json");
    if !path.exists() {
        return Ok(());
    }
    let recorded = read_json(&path)?;
    let mut case = |what: &str, judge: &dyn Fn(&Installed) -> Verdict| {
        report.case(&format!("{} {what}", source.name), || {
            let modes = modes.iter();
            worst(modes.map(|(mode, installed)| named(mode, judge(installed))))
        });
    };
    case("inspection", &|installed| {
        found(installed, installed.inspect(), &recorded["inspect"])
    });
    for resource in list(&recorded["resources"]) {
        let query = resource["query"].as_str().unwrap_or_default();
        case(&format!("resource {query}"), &|installed| {
            let location = installed.locate_resource(query);
            found(installed, location, &resource["location"])
        });
    }
    for code in list(&recorded["codes"]) {
        let query = code["code"].as_str().unwrap_or_default();
        case(&format!("code {query}"), &|installed| {
            found(installed, installed.locate_code(query), &code["location"])
        });
    }
    for bound in list(&recorded["bindings"]) {
        let skill = bound["skill"].as_str().unwrap_or_default();
        case(&format!("binding {skill}"), &|installed| {
            binding(source, installed, skill, &bound["binding"])
        });
    }
    Ok(())
}

fn found<T: serde::Serialize>(
    installed: &Installed,
    found: Result<T, Error>,
    expected: &Value,
) -> Verdict {
    match found {
        Ok(found) => compare(&placed(expected, installed), &wire(&found)),
        Err(error) => Verdict::Failed(error.to_string()),
    }
}

/// A binding loads the provider by itself, whichever way the one at hand came about.
fn binding(source: &Source, installed: &Installed, skill: &str, expected: &Value) -> Verdict {
    let id = installed.provider().id();
    let registry = Registry::from_iter([(id, source.manifest.clone())]);
    match bind(installed.root().join(skill), &registry) {
        Ok(bound) => compare(&placed(expected, installed), &wire(&bound.binding)),
        Err(findings) => Verdict::Failed(findings.to_string()),
    }
}
