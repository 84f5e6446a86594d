//! The worked examples of the specification and their canonical texts.

use std::io;
use std::path::Path;

use agent_graph_runtime::{Digest, Error, HostActionLocation, HostActionResult, Installed, State};
use serde_json::{Map, Value, json};

use super::bundles;
use super::evaluations::{compare, judge, modes, named, worst};
use super::report::{Report, Verdict};
use super::routes::{self, wire};
use super::texts::{canonical, list};
use crate::sources::{self, read_json};

pub(super) fn run(directory: &Path, report: &mut Report) -> io::Result<()> {
    let vectors = read_json(&directory.join("canonical-vectors.json"))?;
    for (index, vector) in list(&vectors["vectors"]).iter().enumerate() {
        let id = format!("canonical-vectors.json {index}");
        report.case(&id, || canonical(vector, "json", &Value::Null));
    }
    for source in sources::of_examples(directory)? {
        let Some(folder) = source.manifest.parent() else {
            continue;
        };
        let expected = read_json(&folder.join("expected.json"))?;
        let modes = modes(&source, report);
        if let Some(recorded) = expected.get("bundle") {
            report.case(&format!("{} bundle", source.name), || {
                bundles::worked_out(&source.manifest, recorded)
            });
        }
        for (mode, installed) in &modes {
            let id = format!("{} definitions ({mode})", source.name);
            report.case(&id, || compare(&wanted(&expected), &definitions(installed)));
        }
        for (graph, digest) in expected["graphs"].as_object().into_iter().flatten() {
            report.case(
                &format!("{} graph {graph} hashed text", source.name),
                || {
                    let hashed = digest["hashed"].as_str().unwrap_or_default();
                    Verdict::on(
                        digest["digest"].as_str(),
                        Some(&Digest::of_bytes(hashed.as_bytes()).to_string()),
                    )
                },
            );
        }
        if let Some(recorded) = expected.get("hostAction") {
            report.case(&format!("{} host action", source.name), || {
                host_action(recorded).unwrap_or_else(|error| Verdict::Failed(error.to_string()))
            });
        }
        for case in list(&expected["cases"]) {
            let id = format!(
                "{} {}",
                source.name,
                case["test"].as_str().unwrap_or_default()
            );
            report.case(&id, || {
                let judged = modes
                    .iter()
                    .map(|(mode, installed)| named(mode, evaluation(case, installed)));
                worst(judged)
            });
        }
    }
    Ok(())
}

fn wanted(expected: &Value) -> Value {
    let graphs: Map<String, Value> = expected["graphs"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(id, graph)| (id.clone(), graph["digest"].clone()))
        .collect();
    json!({ "provider": expected["provider"], "files": expected["files"], "graphs": graphs })
}

/// Id, version, digests of the files without the manifest, digests of the graphs.
fn definitions(installed: &Installed) -> Value {
    let tables = installed.provider().tables();
    let digest = |bytes: [u8; 32]| json!(Digest::from_bytes(bytes).to_string());
    let files: Map<String, Value> = (0..)
        .zip(tables.files)
        .filter(|(index, _)| *index != tables.provider.manifest)
        .map(|(_, file)| (tables.text(file.path).to_owned(), digest(file.digest)))
        .collect();
    let graphs: Map<String, Value> = tables
        .graphs
        .iter()
        .map(|graph| (tables.text(graph.id).to_owned(), digest(graph.digest)))
        .collect();
    let id = tables.text(tables.provider.id);
    let version = tables.text(tables.provider.version);
    json!({ "provider": { "id": id, "version": version }, "files": files, "graphs": graphs })
}

/// The hashed text of the revision holds the whole input of the case.
fn evaluation(case: &Value, installed: &Installed) -> Verdict {
    let hashed = case["revisionInput"].as_str().unwrap_or_default();
    let input: Value = serde_json::from_str(hashed).unwrap_or_default();
    let text = |name: &str| input[name].as_str().unwrap_or_default();
    let state = json!({
        "facts": input["facts"],
        "outcomes": input["outcomes"],
        "authorities": input["authorities"],
    });
    let state = match State::from_json(&state.to_string()) {
        Ok(state) => state,
        Err(error) => return Verdict::Failed(format!("the input is refused: {error}")),
    };
    let expected = &case["evaluation"];
    let revision = Digest::of_bytes(hashed.as_bytes()).to_string();
    let hashes = Verdict::on(expected["revision"].as_str(), Some(&revision));
    let judged = judge(
        text("graphId"),
        text("entry"),
        &state,
        expected,
        None,
        installed,
    );
    let primary = match (
        case.get("route"),
        installed.evaluate(text("graphId"), text("entry"), &state),
    ) {
        (None, _) => Verdict::Passed,
        (Some(route), Ok(evaluation)) => {
            let judged = routes::primary(installed, &evaluation, route);
            named("primary route", judged)
        }
        (Some(_), Err(error)) => Verdict::Failed(error.to_string()),
    };
    worst([hashes, judged, primary].into_iter())
}

/// The location, both results and what follows from them.
fn host_action(recorded: &Value) -> Result<Verdict, Error> {
    let location = HostActionLocation::from_json(&recorded["location"].to_string())?;
    let result = |name: &str| HostActionResult::from_json(&recorded[name].to_string());
    let (inline, resource) = (result("inlineResult")?, result("resourceResult")?);
    let received = json!({
        "location": wire(&location),
        "inputDigest": location.materialize.input_digest()?.to_string(),
        "inlineResult": wire(&inline),
        "inlineOutputDigest": inline.output_digest()?.to_string(),
        "inlineReadReceipt": wire(&location.receipt(&inline)?),
        "resourceResult": wire(&resource),
        "resourceReadReceipt": wire(&location.receipt(&resource)?),
    });
    // The hashed texts are the only other members.
    let mut expected = recorded.clone();
    if let Some(members) = expected.as_object_mut() {
        for (hashed, digest) in [
            ("inputHashed", "inputDigest"),
            ("inlineOutputHashed", "inlineOutputDigest"),
        ] {
            let text = members.remove(hashed).unwrap_or_default();
            let computed = Digest::of_bytes(text.as_str().unwrap_or_default().as_bytes());
            if members[digest] != json!(computed.to_string()) {
                return Ok(Verdict::Failed(format!(
                    "{hashed} is not what {digest} is of"
                )));
            }
        }
    }
    Ok(compare(&expected, &received))
}
