//! Holds routes, locations, inspections, bindings and receipts against the recorded ones. The folder is
//! named by the environment variable `AGENT_GRAPH_CONFORMANCE`, the worked examples of the specification
//! by `AGENT_GRAPH_EXAMPLES`.
#![cfg(all(feature = "dynamic", feature = "routes"))]
#![cfg_attr(
    not(feature = "user-schemas"),
    allow(
        dead_code,
        unused_imports,
        reason = "some of the tests need the feature"
    )
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use agent_graph_runtime::load::{Registry, bind};
use agent_graph_runtime::{
    Digest, Error, Evaluation, HostActionLocation, HostActionResult, Installed, ReadReceipts,
    Route, RouteInput, State, validate_host_action_result,
};
use serde_json::{Value, json};

const WORKSPACE: &str = "/agent-graph/workspace";

fn folder(variable: &str) -> Option<PathBuf> {
    let folder = std::env::var_os(variable).map(PathBuf::from);
    if folder.is_none() {
        println!("{variable} names no folder, nothing is compared");
    }
    folder
}

fn data() -> Option<PathBuf> {
    folder("AGENT_GRAPH_CONFORMANCE")
}

fn json_file(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"))
}

/// The folders below `folder`, sorted.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| path.is_dir());
    paths.sort();
    paths
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}"))
}

/// What is recorded, with this machine's paths in the place of the placeholders.
fn placed(recorded: &Value, places: &[(&str, &str)]) -> Value {
    match recorded {
        Value::String(text) => {
            let mut text = text.clone();
            for (placeholder, path) in places {
                text = text.replace(placeholder, path);
            }
            Value::String(text)
        }
        Value::Array(items) => items.iter().map(|item| placed(item, places)).collect(),
        Value::Object(members) => members
            .iter()
            .map(|(name, value)| (name.clone(), placed(value, places)))
            .collect(),
        other => other.clone(),
    }
}

/// Numbers as doubles, which is what they are.
fn doubles(value: &mut Value) {
    match value {
        Value::Number(number) => *value = json!(number.as_f64()),
        Value::Array(items) => items.iter_mut().for_each(doubles),
        Value::Object(members) => members.values_mut().for_each(doubles),
        _ => {}
    }
}

fn wire(object: &impl serde::Serialize) -> Value {
    let text = serde_json::to_string(object).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[derive(Default)]
struct Comparison {
    count: usize,
    failures: Vec<String>,
}

impl Comparison {
    fn check(&mut self, what: &str, mut found: Value, mut expected: Value) {
        self.count += 1;
        doubles(&mut found);
        doubles(&mut expected);
        if found != expected {
            let shown = |value: Value| value.to_string().chars().take(3000).collect::<String>();
            let (expected, found) = (shown(expected), shown(found));
            self.failures
                .push(format!("{what}\n  expected {expected}\n  found    {found}"));
        }
    }

    fn conclude(self, what: &str) {
        println!("{} {what}, {} differ", self.count, self.failures.len());
        let shown = &self.failures[..self.failures.len().min(3)];
        assert!(self.failures.is_empty(), "{}", shown.join("\n"));
        assert!(self.count > 0);
    }
}

/// A recorded provider.
struct Recorded {
    folder: PathBuf,
    root: PathBuf,
    manifest: PathBuf,
    installed: Installed,
}

fn recorded_providers(data: &Path) -> impl Iterator<Item = Recorded> + use<> {
    folders(&data.join("providers")).into_iter().map(|folder| {
        let root = folder.join("provider");
        let digests = json_file(&folder.join("digests.json"));
        let manifest = root.join(text(&digests["manifest"]));
        let installed = Installed::load(&manifest).unwrap();
        Recorded {
            folder,
            root,
            manifest,
            installed,
        }
    })
}

/// What rides along with the input of an evaluation.
fn route_input(input: &Value) -> Result<RouteInput, Error> {
    let mut route_input = RouteInput::new();
    if let Some(workspace) = input["workspace"].as_str() {
        let workspace = workspace.replace("<workspace>", WORKSPACE);
        route_input = route_input.in_workspace(workspace)?;
    }
    match input.get("resourceReceipts") {
        Some(receipts) => {
            let receipts = ReadReceipts::from_json(&receipts.to_string())?;
            Ok(route_input.with_receipts(receipts))
        }
        None => Ok(route_input),
    }
}

/// The entries of a file of deliberate differences, by case.
fn deliberate(folder: &Path) -> BTreeMap<u64, Value> {
    let Ok(entries) = fs::read_to_string(folder.join("deliberate.json")) else {
        return BTreeMap::new();
    };
    let entries: Vec<Value> = serde_json::from_str(&entries).unwrap();
    let entries = entries.into_iter();
    entries
        .map(|entry| (entry["case"].as_u64().unwrap(), entry))
        .collect()
}

#[test]
fn recorded_routes_are_resolved() {
    let Some(data) = data() else { return };
    let mut comparison = Comparison::default();
    for provider in recorded_providers(&data) {
        let deliberate = deliberate(&provider.folder);
        let places = [
            ("<provider-root>", provider.root.to_str().unwrap()),
            ("<workspace>", WORKSPACE),
        ];
        let cases = json_file(&provider.folder.join("cases.json"));
        for (index, case) in (0..).zip(list(&cases)) {
            let recorded = match deliberate.get(&index) {
                Some(entry) if entry["intendedRoutes"] == "recompute" => &entry["routes"],
                _ => &case["routes"],
            };
            let input: Value = serde_json::from_str(text(&case["inputText"])).unwrap();
            let state = State::from_json(text(&case["inputText"])).unwrap();
            let (graph, entry) = (text(&case["graph"]), text(&case["entry"]));
            let evaluation = provider.installed.evaluate(graph, entry, &state).unwrap();
            let input = route_input(&input).unwrap();
            let what = format!("{} {}", provider.folder.display(), case["id"]);
            let routes = provider.installed.resolve_all(&evaluation, &input);
            let routes = routes.unwrap_or_else(|error| panic!("{what}: {error}"));
            comparison.check(&what, wire(&routes), placed(recorded, &places));
        }
    }
    comparison.conclude("cases with routes");
}

#[test]
fn providers_resources_codes_and_bindings_are_described_as_recorded() {
    let Some(data) = data() else { return };
    let mut comparison = Comparison::default();
    for provider in recorded_providers(&data) {
        let installed = &provider.installed;
        let recorded = json_file(&provider.folder.join("describe.json"));
        let root = provider.root.to_str().unwrap();
        let recorded = placed(&recorded, &[("<provider-root>", root)]);
        let what = |about: &dyn std::fmt::Display| format!("{} {about}", provider.folder.display());
        let inspection = wire(&installed.inspect().unwrap());
        comparison.check(&what(&"inspect"), inspection, recorded["inspect"].clone());
        for resource in list(&recorded["resources"]) {
            let location = installed.locate_resource(text(&resource["query"]));
            let found = wire(&location.unwrap());
            comparison.check(
                &what(&resource["query"]),
                found,
                resource["location"].clone(),
            );
        }
        for code in list(&recorded["codes"]) {
            let found = wire(&installed.locate_code(text(&code["code"])).unwrap());
            comparison.check(&what(&code["code"]), found, code["location"].clone());
        }
        let id = installed.provider().id().to_owned();
        let registry = Registry::from_iter([(id, provider.manifest.clone())]);
        for bound in list(&recorded["bindings"]) {
            let binding = bind(provider.root.join(text(&bound["skill"])), &registry);
            let found = wire(&binding.unwrap().binding);
            comparison.check(&what(&bound["skill"]), found, bound["binding"].clone());
        }
    }
    comparison.conclude("descriptions");
}

/// The code of an error, or what there is instead.
fn code<T>(result: Result<T, Error>) -> String {
    match result {
        Ok(_) => "no error".into(),
        Err(error) => error.code().as_str().into(),
    }
}

/// The checks of spec 5.1 in their order, for ids and revisions that are text and may be malformed, and
/// receipts that are not read before their turn.
fn route_by_text(installed: &Installed, op: &Value) -> Result<Route, String> {
    let coded = |error: Error| error.code().as_str().to_owned();
    let evaluate = |entry: &Value, input: &Value| -> Result<Evaluation, String> {
        let state = State::from_json(text(input)).map_err(coded)?;
        let evaluation = installed.evaluate(text(&op["graph"]), text(entry), &state);
        evaluation.map_err(coded)
    };
    let route = match op.get("routeIdFrom") {
        Some(from) => {
            let entry = from.get("entry").unwrap_or(&op["entry"]);
            let evaluation = evaluate(entry, &from["inputText"])?;
            let primary = evaluation.primary().expect("a primary route");
            primary.route_id().to_string()
        }
        None => text(&op["routeId"]).to_owned(),
    };
    let evaluation = evaluate(&op["entry"], &op["inputText"])?;
    let expected = match op
        .get("expectedRevision")
        .map(|text| text.as_str().unwrap().parse())
    {
        Some(Err(_)) => return Err("route-revision-stale".into()),
        Some(Ok(digest)) => Some::<Digest>(digest),
        None => None,
    };
    // A malformed id is the id of no route.
    let nothing = "route:ffffffffffffffffffff";
    let route = route.parse().unwrap_or_else(|_| nothing.parse().unwrap());
    let candidate = evaluation.select(Some(&route), expected.as_ref());
    let candidate = candidate.map_err(coded)?;
    let input: Value = serde_json::from_str(text(&op["inputText"])).unwrap();
    let mut route_input = route_input(&input).map_err(coded)?;
    if route_input.workspace().is_none() {
        route_input = route_input.in_workspace(WORKSPACE).map_err(coded)?;
    }
    installed.resolve(&candidate, &route_input).map_err(coded)
}

fn mistake(op: &Value, root: &Path) -> Option<String> {
    let manifest = ["provider.yaml", "provider.json"].map(|name| root.join(name));
    let manifest = manifest.iter().find(|path| path.is_file());
    let installed = || Installed::load(manifest.expect("a manifest")).unwrap();
    Some(match text(&op["kind"]) {
        "route" => route_by_text(&installed(), op).map_or_else(|code| code, |_| "no error".into()),
        "locate-resource" => code(installed().locate_resource(text(&op["query"]))),
        "locate-code" => code(installed().locate_code(text(&op["code"]))),
        "bind" => {
            let registry = match op.get("registry") {
                Some(file) => Registry::read(root.join(text(file))),
                None => Ok(Registry::new()),
            };
            match registry {
                Ok(registry) => match bind(root.join(text(&op["skill"])), &registry) {
                    Ok(_) => "no error".into(),
                    Err(findings) => findings.code().as_str().into(),
                },
                Err(finding) => finding.code.as_str().into(),
            }
        }
        _ => return None,
    })
}

#[test]
fn recorded_mistakes_with_routes_locations_and_bindings_have_the_recorded_code() {
    let Some(data) = data() else { return };
    let mut comparison = Comparison::default();
    for folder in folders(&data.join("invalid")) {
        let expected = json_file(&folder.join("expect.json"));
        let Some(found) = mistake(&expected["op"], &folder.join("files")) else {
            continue;
        };
        assert!(expected.get("setup").is_none());
        let what = format!("{} {}", folder.display(), expected["note"]);
        comparison.check(&what, json!(found), expected["code"].clone());
    }
    comparison.conclude("mistakes");
}

#[cfg(feature = "user-schemas")]
#[test]
fn worked_examples_resolve_to_the_routes_they_give() {
    let Some(examples) = folder("AGENT_GRAPH_EXAMPLES") else {
        return;
    };
    let mut comparison = Comparison::default();
    for folder in folders(&examples) {
        let installed = Installed::load(folder.join("provider.yaml")).unwrap();
        let root = folder.to_str().unwrap();
        let places = [("<root>", root), ("<workspace>", WORKSPACE)];
        let expected = placed(&json_file(&folder.join("expected.json")), &places);
        for case in list(&expected["cases"]) {
            let Some(recorded) = case.get("route") else {
                continue;
            };
            let what = format!("{} {}", folder.display(), case["test"]);
            let found = example_route(&installed, case);
            comparison.check(&what, wire(&found), recorded.clone());
        }
        if let Some(expected) = expected.get("hostAction") {
            host_action(&mut comparison, expected);
        }
    }
    comparison.conclude("routes and host actions of examples");
}

fn example_route(installed: &Installed, case: &Value) -> Route {
    // The hashed text of the revision holds all input of the evaluation.
    let hashed: Value = serde_json::from_str(text(&case["revisionInput"])).unwrap();
    let input = json!({
        "facts": hashed["facts"],
        "outcomes": hashed["outcomes"],
        "authorities": hashed["authorities"],
    });
    let evaluation = &case["evaluation"];
    let revision: Digest = text(&evaluation["revision"]).parse().unwrap();
    let route = installed.route(
        text(&evaluation["graph"]),
        text(&evaluation["entry"]),
        None,
        &State::from_json(&input.to_string()).unwrap(),
        Some(&revision),
        &RouteInput::new().in_workspace(WORKSPACE).unwrap(),
    );
    route.unwrap()
}

fn host_action(comparison: &mut Comparison, expected: &Value) {
    let location = HostActionLocation::from_json(&expected["location"].to_string()).unwrap();
    comparison.check("location", wire(&location), expected["location"].clone());
    let digest = wire(&location.materialize.input_digest().unwrap());
    comparison.check("input digest", digest, expected["inputDigest"].clone());
    for (result, receipt) in [
        ("inlineResult", "inlineReadReceipt"),
        ("resourceResult", "resourceReadReceipt"),
    ] {
        let read = HostActionResult::from_json(&expected[result].to_string()).unwrap();
        validate_host_action_result(&location, &read).unwrap();
        comparison.check(result, wire(&read), expected[result].clone());
        let taken = wire(&location.receipt(&read).unwrap());
        comparison.check(receipt, taken, expected[receipt].clone());
    }
    let inline = HostActionResult::from_json(&expected["inlineResult"].to_string()).unwrap();
    let digest = wire(&inline.output_digest().unwrap());
    comparison.check(
        "output digest",
        digest,
        expected["inlineOutputDigest"].clone(),
    );
}
