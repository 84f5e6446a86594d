//! The worked examples of the specification and their canonical texts.

use std::io;
use std::path::Path;

use agent_graph_runtime::{Digest, Installed, State};
use serde_json::{Map, Value, json};

use super::candidates::known_of_route;
use super::evaluations::{compare, judge, modes, named, worst};
use super::report::{Report, Verdict};
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
        name_uncovered(&source.name, &expected, report);
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

fn name_uncovered(name: &str, expected: &Value, report: &mut Report) {
    let routes = list(&expected["cases"])
        .iter()
        .filter(|case| case.get("route").is_some());
    let beyond = "routes beyond what evaluation knows (actions, plans, resources, read states)";
    report.not_covered(&format!("{name}/expected.json"), routes.count(), beyond);
    for part in ["bundle", "hostAction"] {
        if expected.get(part).is_some() {
            report.not_covered(&format!("{name}/expected.json"), 1, part);
        }
    }
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
            let found = super::candidates(&evaluation)[0].clone();
            named("primary route", compare(&known_of_route(route), &found))
        }
        (Some(_), Err(error)) => Verdict::Failed(error.to_string()),
    };
    worst([hashes, judged, primary].into_iter())
}
