//! The decoder, the printed schemas and the jsonschema crate accept exactly the same values: all recorded
//! ones, and a fixed number of seeded mutations of them. `AGENT_GRAPH_MUTATIONS` asks for another number.
#![cfg(feature = "user-schemas")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use agent_graph_runtime::load::shape::{OBJECTS, RESOURCE, Shape, Text, check_json, shape_of};
use jsonschema::{Draft, Validator};
use serde_json::{Value, json};

/// How many mutations a run looks at.
const MUTATIONS: usize = 300_000;

/// How many values of one kind are mutated.
const SEEDS: usize = 60;

/// What stands for any of the descriptors.
const RESOURCES: &str = "resource";

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A printed schema in the hands of the crate. How liberal readers are with dates is said in prose, not by
/// the schema: it is the one format, and another test is about it.
fn validator(identity: &str) -> Validator {
    let file = workspace().join(format!("schemas/{identity}.schema.json"));
    let schema: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    jsonschema::options()
        .with_draft(Draft::Draft202012)
        .offline()
        .should_validate_formats(true)
        .should_ignore_unknown_formats(false)
        .with_format("date-time", |text| Text::DateTime.matches(text))
        .build(&schema)
        .unwrap()
}

/// The two judges.
struct Judges(BTreeMap<&'static str, (Shape, Vec<Validator>)>);

impl Judges {
    fn new() -> Self {
        let objects = OBJECTS
            .iter()
            .map(|(identity, shape)| (*identity, (*shape, Vec::from([validator(identity)]))));
        let descriptors = OBJECTS
            .iter()
            .map(|(identity, _)| *identity)
            .filter(|identity| identity.starts_with("agent-graph.resource."));
        let resource = (
            Shape::Variants(&RESOURCE),
            descriptors.map(validator).collect(),
        );
        Self(objects.chain([(RESOURCES, resource)]).collect())
    }

    /// Whether the value is accepted; what they say if they disagree.
    fn judge(&self, kind: &str, value: &Value) -> Result<bool, String> {
        let (shape, validators) = &self.0[kind];
        let findings = check_json(*shape, "value.json", &value.to_string());
        let accepted = validators.iter().any(|validator| validator.is_valid(value));
        if findings.is_empty() == accepted {
            return Ok(accepted);
        }
        let found: Vec<String> = findings.iter().map(ToString::to_string).collect();
        let error = validators[0].iter_errors(value).next();
        Err(format!(
            "{kind} {value}\n  decoder: {found:?}\n  schema: {:?}",
            error.map(|error| error.to_string())
        ))
    }
}

/// The recorded values by kind.
fn recorded() -> BTreeMap<&'static str, Vec<Value>> {
    let mut values: BTreeMap<&'static str, Vec<Value>> = BTreeMap::new();
    let mut add = |kind: &str, value: &Value| {
        let mut kinds = OBJECTS
            .iter()
            .map(|(identity, _)| *identity)
            .chain([RESOURCES]);
        if let Some(kind) = kinds.find(|known| *known == kind) {
            values.entry(kind).or_default().push(value.clone());
        }
    };
    let data = workspace().join("tests/conformance");
    let text = fs::read_to_string(data.join("schema.json")).unwrap();
    let vectors: Vec<Value> = serde_json::from_str(&text).unwrap();
    for vector in &vectors {
        let kind = match vector["schema"].as_str().unwrap() {
            "resource" => RESOURCES.to_owned(),
            "test-case" => "agent-graph.test.v1".to_owned(),
            name => format!("agent-graph.{name}.v1"),
        };
        assert!(shape_of(&kind).is_some() || kind == RESOURCES, "{kind}");
        // Vectors that are no JSON to one of the two readers are about texts, not about values.
        if let Ok(value) = serde_json::from_str(vector["text"].as_str().unwrap()) {
            add(&kind, &value);
        }
    }
    for folder in ["tests/conformance", "tests/examples"] {
        for file in json_files(&workspace().join(folder)) {
            let Ok(value) = serde_json::from_slice::<Value>(&fs::read(file).unwrap()) else {
                continue;
            };
            let mut left = Vec::from([&value]);
            while let Some(value) = left.pop() {
                if let Some(identity) = value["schema"].as_str() {
                    add(identity, value);
                }
                left.extend(value.as_array().into_iter().flatten());
                left.extend(value.as_object().into_iter().flat_map(|it| it.values()));
            }
        }
    }
    values
}

fn json_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut left = Vec::from([folder.to_owned()]);
    while let Some(folder) = left.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                left.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension == "json")
            {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// A xorshift generator.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % limit
    }

    fn one_of<'t, T>(&mut self, choices: &'t [T]) -> &'t T {
        &choices[self.below(choices.len())]
    }
}

/// Pointers to all values in a value, itself first.
fn pointers(value: &Value) -> Vec<String> {
    let mut all = Vec::from([(String::new(), value)]);
    let mut next = 0;
    while let Some((pointer, value)) = all.get(next).cloned() {
        next += 1;
        for (index, item) in value.as_array().into_iter().flatten().enumerate() {
            all.push((format!("{pointer}/{index}"), item));
        }
        for (name, member) in value.as_object().into_iter().flatten() {
            let step = name.replace('~', "~0").replace('/', "~1");
            all.push((format!("{pointer}/{step}"), member));
        }
    }
    all.into_iter().map(|(pointer, _)| pointer).collect()
}

/// Values that stand at some edge.
fn edges() -> Vec<Value> {
    let longest = "a".repeat(160);
    let digest = format!("sha256:{}", "0".repeat(64));
    json!([
        null, true, false, 0, -0.0, 1, -1, 1.0, 1.5, 1000, 1001, -1000, -1001, 1e300, 5e-324, i64::MAX, u64::MAX,
        "", "a", "A", "a-", "a/b", "a//b", "é", "a\n", "\u{2028}", "a\u{2028}/../b", "..", "../a", "a/..", "a/../b",
        "/a", "C:x", "x:y", "a\r/../b", "..\n", "\n..", "\u{85}../a", longest, format!("{longest}a"),
        format!("route.{}", "a".repeat(154)), format!("route.{}", "a".repeat(155)), "route.", "route..a", "route.a",
        "x".repeat(1000), "é".repeat(1000), "é".repeat(1001), "x".repeat(120), "x".repeat(121), digest,
        digest.to_uppercase(), format!("{digest}\n"), "route:00000000000000000000", "route:0000000000000000000g",
        "1.0.0", "01.0.0", "1.0.0-rc.1", "1.0.0+b", "1.0.0\n", "path:", "path:a", "path:\n", "provider:a",
        "2024-02-29T12:00:00Z", "2023-02-29T12:00:00Z", "2024-01-01 00:00:00z", "2024-01-01",
        "action", "gate", "subgraph", "terminal", "command", "script", "agent", "host", "read", "completed",
        "waiting-user", "procedure", "context-view", "diagnostic", "file", [], [""], ["a", "a"], [["a"], ["a"]], {},
        { "": null }, { "a": 1 }, { "exists": true }, { "path": "a", "exists": true },
        { "path": "a", "equals": null }, { "path": "a", "equals": 1, "exists": true },
    ])
    .as_array()
    .cloned()
    .unwrap()
}

struct Mutator {
    numbers: Numbers,
    edges: Vec<Value>,
    /// Names of members, known ones and others.
    names: Vec<String>,
}

impl Mutator {
    fn mutate(&mut self, value: &mut Value, others: &[Value]) {
        let pointers = pointers(value);
        let pointer = self.numbers.one_of(&pointers).clone();
        let Some(target) = value.pointer_mut(&pointer) else {
            return;
        };
        match self.numbers.below(8) {
            0 => *target = self.numbers.one_of(&self.edges).clone(),
            1 => {
                let other = self.numbers.one_of(others);
                let inside = self::pointers(other);
                let from = self.numbers.one_of(&inside);
                *target = other.pointer(from).cloned().unwrap_or_default();
            }
            _ => match target {
                Value::Object(object) => {
                    let name = match object.keys().nth(self.numbers.below(object.len().max(1))) {
                        Some(name) => name.clone(),
                        None => String::new(),
                    };
                    let other = self.numbers.one_of(&self.names).clone();
                    let edge = self.numbers.one_of(&self.edges).clone();
                    match self.numbers.below(4) {
                        0 => drop(object.remove(&name)),
                        1 => drop(object.insert(other, edge)),
                        2 => {
                            let moved = object.remove(&name).unwrap_or_default();
                            object.insert(other, moved);
                        }
                        _ => drop(object.insert(name, edge)),
                    }
                }
                Value::Array(items) if items.is_empty() || self.numbers.below(4) == 0 => {
                    items.push(self.numbers.one_of(&self.edges).clone());
                }
                Value::Array(items) => {
                    let index = self.numbers.below(items.len());
                    if self.numbers.below(2) == 0 {
                        items.remove(index);
                    } else {
                        items.push(items[index].clone());
                    }
                }
                Value::String(text) => {
                    let places: Vec<usize> = text.char_indices().map(|(place, _)| place).collect();
                    let places = if places.is_empty() {
                        Vec::from([0])
                    } else {
                        places
                    };
                    let place = *self.numbers.one_of(&places);
                    let pieces = [
                        "a",
                        "A",
                        "/",
                        "..",
                        "../",
                        "/../",
                        "-",
                        ".",
                        ":",
                        "\n",
                        "\r",
                        "\u{2028}",
                        "\u{2029}",
                        "\u{85}",
                        " ",
                        "é",
                        "0",
                        "route.",
                        "_",
                        "\0",
                        "\u{10ffff}",
                    ];
                    let piece: &str = self.numbers.one_of::<&str>(&pieces);
                    match self.numbers.below(4) {
                        0 => text.truncate(place),
                        1 => text.push_str(piece),
                        _ => text.insert_str(place, piece),
                    }
                }
                other => *other = self.numbers.one_of(&self.edges).clone(),
            },
        }
    }
}

fn names(values: &BTreeMap<&'static str, Vec<Value>>) -> Vec<String> {
    let mut names = std::collections::BTreeSet::from(["", "extra", "Schema"].map(str::to_owned));
    for value in values.values().flatten() {
        let mut left = Vec::from([value]);
        while let Some(value) = left.pop() {
            names.extend(
                value
                    .as_object()
                    .into_iter()
                    .flat_map(|it| it.keys().cloned()),
            );
            left.extend(value.as_array().into_iter().flatten());
            left.extend(value.as_object().into_iter().flat_map(|it| it.values()));
        }
    }
    names.into_iter().take(400).collect()
}

#[test]
fn decoder_schemas_and_jsonschema_accept_the_same_values() {
    let judges = Judges::new();
    let recorded = recorded();
    let mut disagreements = Vec::new();
    let mut count = 0;
    for (kind, values) in &recorded {
        for value in values {
            count += 1;
            disagreements.extend(judges.judge(kind, value).err());
        }
    }
    let mutations = std::env::var("AGENT_GRAPH_MUTATIONS")
        .map_or(MUTATIONS, |number| number.parse().expect("a number"));
    let mut mutator = Mutator {
        numbers: Numbers(0x9e37_79b9_7f4a_7c15),
        edges: edges(),
        names: names(&recorded),
    };
    // Large values take long and show no more than small ones.
    let seeds: Vec<(&str, Vec<Value>)> = recorded
        .into_iter()
        .map(|(kind, mut values)| {
            values.retain(|value| value.to_string().len() < 2000);
            values.sort_by_key(|value| judges.judge(kind, value) != Ok(true));
            values.truncate(SEEDS);
            (kind, values)
        })
        .filter(|(_, values)| !values.is_empty())
        .collect();
    let mut accepted = 0;
    for _ in 0..mutations {
        let (kind, values) = mutator.numbers.one_of(&seeds);
        let mut value = mutator.numbers.one_of(values).clone();
        for _ in 0..=mutator.numbers.below(3) {
            mutator.mutate(&mut value, values);
        }
        match judges.judge(kind, &value) {
            Ok(is_accepted) => accepted += usize::from(is_accepted),
            Err(disagreement) => disagreements.push(disagreement),
        }
        if disagreements.len() > 10 {
            break;
        }
    }
    println!(
        "{count} recorded values, {mutations} mutations of {} kinds, {accepted} of them accepted",
        seeds.len()
    );
    assert!(disagreements.is_empty(), "{}", disagreements.join("\n\n"));
    let share = accepted * 100 / mutations.max(1);
    assert!((2..=60).contains(&share), "{share} percent are accepted");
}

/// Readers of the protocol are more liberal than RFC 3339, never stricter.
#[test]
fn every_date_of_rfc_3339_is_a_date_of_the_protocol() {
    let schema = json!({ "format": "date-time" });
    let strict = jsonschema::options()
        .with_draft(Draft::Draft202012)
        .offline()
        .should_validate_formats(true)
        .build(&schema)
        .unwrap();
    let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
    let mut valid = 0;
    for _ in 0..20_000 {
        let mut text: Vec<char> = "2024-02-29T23:59:59.250+05:30".chars().collect();
        if numbers.below(2) == 0 {
            text.truncate(23);
            text.push('Z');
        }
        for _ in 0..=numbers.below(3) {
            let place = numbers.below(text.len());
            match numbers.below(8) {
                0 => drop(text.remove(place)),
                1 => text[place] = *numbers.one_of(&['t', 'z', ' ', '-', '+', ':', '.']),
                _ => text[place] = *numbers.one_of(&['0', '1', '2', '3', '5', '6', '9']),
            }
        }
        let text: String = text.into_iter().collect();
        if strict.is_valid(&json!(text)) {
            valid += 1;
            assert!(Text::DateTime.matches(&text), "{text}");
        }
    }
    assert!(valid > 1000, "{valid}");
}
