//! Providers with their digests and evaluations: each compiled in, loaded, and loaded as a bundle.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use agent_graph_runtime::{Installed, Provider, RouteInput, State};
use serde_json::{Value, json};

use super::describe;
use super::report::{Report, Verdict};
use super::routes;
use super::texts::list;
use crate::baked;
use crate::compare::{difference, replaced};
use crate::sources::{self, Source, read_json};

const BUNDLE: &str = "loaded as a bundle";

pub(super) fn run(directory: &Path, report: &mut Report) -> io::Result<()> {
    for source in sources::of_conformance(directory)? {
        let Some(folder) = source.manifest.parent().and_then(Path::parent) else {
            continue;
        };
        let mut modes = modes(&source, report);
        describe::run(&source, folder, &modes, report)?;
        modes.extend(bundle(&source.name, folder, report));
        let digests = read_json(&folder.join("digests.json"))?;
        for (mode, installed) in &modes {
            let id = format!("{} digests ({mode})", source.name);
            report.case(&id, || {
                compare(&wanted_digests(&digests, mode), &digests_of(installed))
            });
        }
        let cases = read_json(&folder.join("cases.json"))?;
        let intended = intended(folder)?;
        for (index, case) in list(&cases).iter().enumerate() {
            let id = format!(
                "{} {}",
                source.name,
                case["id"].as_str().unwrap_or_default()
            );
            report.case(&id, || {
                if modes.is_empty() {
                    return Verdict::Failed("there is no provider".into());
                }
                let verdicts = modes.iter().map(|(mode, installed)| {
                    named(mode, evaluation(case, intended.get(&index), installed))
                });
                worst(verdicts)
            });
        }
    }
    Ok(())
}

/// A provider in one of the ways it comes about.
pub(super) type Mode = (&'static str, Installed);

/// The provider compiled in and loaded, installed where its files lie. What does not come about is a
/// failure.
pub(super) fn modes(source: &Source, report: &mut Report) -> Vec<Mode> {
    let compiled_in = baked::provider(&source.name);
    let name = &source.name;
    [
        install(name, "compiled in", compiled_in, &source.manifest, report),
        install(
            name,
            "loaded",
            load(&source.manifest),
            &source.manifest,
            report,
        ),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The bundle beside a provider, loaded.
fn bundle(name: &str, folder: &Path, report: &mut Report) -> Option<Mode> {
    let manifest = folder.join("bundle").join("manifest.json");
    if !manifest.exists() {
        return None;
    }
    install(name, BUNDLE, load(&manifest), &manifest, report)
}

fn load(manifest: &Path) -> Result<Provider, String> {
    Provider::load(manifest).map_err(|findings| findings.to_string())
}

fn install(
    source: &str,
    mode: &'static str,
    provider: Result<Provider, String>,
    manifest: &Path,
    report: &mut Report,
) -> Option<Mode> {
    let root = manifest.parent().unwrap_or(manifest);
    let installed = provider.and_then(|provider| {
        provider
            .installed_at(root)
            .map_err(|error| error.to_string())
    });
    let verdict = match &installed {
        Ok(_) => Verdict::Passed,
        Err(why) => Verdict::Failed(why.clone()),
    };
    report.case(&format!("{source} installs ({mode})"), || verdict);
    installed.ok().map(|installed| (mode, installed))
}

/// The failure among verdicts on one case, if there is one.
pub(super) fn worst(verdicts: impl Iterator<Item = Verdict>) -> Verdict {
    verdicts
        .reduce(|worst, next| {
            if matches!(worst, Verdict::Failed(_)) {
                worst
            } else {
                next
            }
        })
        .unwrap_or(Verdict::Failed("nothing was judged".into()))
}

pub(super) fn named(mode: &str, verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Failed(why) => Verdict::Failed(format!("({mode}) {why}")),
        other => other,
    }
}

pub(super) fn compare(expected: &Value, received: &Value) -> Verdict {
    match difference(expected, received) {
        None => Verdict::Passed,
        Some(difference) => Verdict::Failed(difference.to_string()),
    }
}

fn intended(folder: &Path) -> io::Result<HashMap<usize, Value>> {
    let path = folder.join("deliberate.json");
    let entries = if path.exists() {
        read_json(&path)?
    } else {
        json!([])
    };
    Ok(list(&entries)
        .iter()
        .map(|entry| {
            (
                entry["case"].as_u64().unwrap_or(u64::MAX) as usize,
                entry.clone(),
            )
        })
        .collect())
}

fn wanted_digests(digests: &Value, mode: &str) -> Value {
    let (provider, graphs) = match mode {
        BUNDLE => ("bundleProviderDigest", "bundleGraphDigests"),
        _ => ("providerDigest", "graphDigests"),
    };
    json!({ "providerDigest": digests[provider], "graphDigests": digests[graphs] })
}

/// Provider digest and graph digests.
pub(super) fn digests_of(installed: &Installed) -> Value {
    let tables = installed.provider().tables();
    let digest = |bytes: [u8; 32]| agent_graph_runtime::Digest::from_bytes(bytes).to_string();
    let graphs: serde_json::Map<String, Value> = tables
        .graphs
        .iter()
        .map(|graph| {
            (
                tables.text(graph.id).to_owned(),
                json!(digest(graph.digest)),
            )
        })
        .collect();
    json!({ "providerDigest": digest(tables.provider.digest), "graphDigests": graphs })
}

fn evaluation(case: &Value, intended: Option<&Value>, installed: &Installed) -> Verdict {
    let entry = intended.unwrap_or(&Value::Null);
    let member = |name: &str| entry.get(name).unwrap_or(&case[name]);
    let text = |name: &str| case[name].as_str().unwrap_or_default();
    let state = match State::from_json(text("inputText")) {
        Ok(state) => state,
        Err(error) => return Verdict::Failed(format!("the input is refused: {error}")),
    };
    let input: Value = serde_json::from_str(text("inputText")).unwrap_or_default();
    let input = match routes::route_input(&input) {
        Ok(input) => input,
        Err(error) => return Verdict::Failed(format!("the input is refused: {error}")),
    };
    judge(
        text("graph"),
        text("entry"),
        &state,
        member("evaluation"),
        Some((&input, member("routes"))),
        installed,
    )
    .on_purpose(intended.is_some())
}

/// Judges an evaluation, and all its routes where these are known.
pub(super) fn judge(
    graph: &str,
    entry: &str,
    state: &State,
    expected: &Value,
    routes: Option<(&RouteInput, &Value)>,
    installed: &Installed,
) -> Verdict {
    let evaluation = match installed.evaluate(graph, entry, state) {
        Ok(evaluation) => evaluation,
        Err(error) => return Verdict::Failed(format!("no evaluation: {error}")),
    };
    let root = installed.root().to_string_lossy().into_owned();
    let expected = ["<provider-root>", "<root>"]
        .iter()
        .fold(expected.clone(), |value, placeholder| {
            replaced(&value, placeholder, &root)
        });
    let received: Value = match serde_json::from_str(&evaluation.to_json()) {
        Ok(received) => received,
        Err(error) => return Verdict::Failed(format!("the evaluation is no JSON: {error}")),
    };
    let verdict = compare(&expected, &received);
    let Some((input, routes)) = routes else {
        return verdict;
    };
    let routes = routes::all(installed, &evaluation, input, routes);
    worst([verdict, named("routes", routes)].into_iter())
}
