//! Loads every provider of the conformance data and of the examples, and holds digests and error codes
//! against what is recorded there. The environment variable `AGENT_GRAPH_CONFORMANCE` names a folder with
//! more of that data than the selection in the workspace.
#![cfg(feature = "dynamic")]
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

use agent_graph_runtime::Digest;
use agent_graph_runtime::load::{Loaded, load};
use serde_json::Value;

fn data() -> PathBuf {
    let selection = || workspace_tests().join("conformance");
    std::env::var_os("AGENT_GRAPH_CONFORMANCE").map_or_else(selection, PathBuf::from)
}

fn workspace_tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests")
}

fn json(path: &Path) -> Value {
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

fn graph_digests(loaded: &Loaded) -> BTreeMap<String, String> {
    let tables = loaded.tables.as_tables();
    let graphs = tables.graphs.iter();
    graphs
        .map(|graph| {
            let digest = Digest::from_bytes(graph.digest).to_string();
            (tables.text(graph.id).to_owned(), digest)
        })
        .collect()
}

fn expected_digests(expected: &Value) -> BTreeMap<String, String> {
    let members = expected.as_object().expect("an object of digests");
    members
        .iter()
        .map(|(id, digest)| (id.clone(), digest.as_str().unwrap_or("").to_owned()))
        .collect()
}

#[test]
fn recorded_providers_load_with_the_recorded_digests() {
    let data = data();
    let mut failures = Vec::new();
    let mut count = 0;
    for folder in folders(&data.join("providers")) {
        count += 1;
        let expected = json(&folder.join("digests.json"));
        let name = expected["manifest"].as_str().expect("a manifest");
        let loaded = match load(&folder.join("provider").join(name)) {
            Ok(loaded) => loaded,
            Err(findings) => {
                failures.push(format!("{}:\n{findings}", folder.display()));
                continue;
            }
        };
        check_bundle(&folder, &expected, &mut failures);
        let provider = Digest::from_bytes(loaded.tables.provider.digest).to_string();
        if graph_digests(&loaded) != expected_digests(&expected["graphDigests"]) {
            failures.push(format!("{}: graph digests differ", folder.display()));
        } else if Some(provider.as_str()) != expected["providerDigest"].as_str() {
            failures.push(format!("{}: the provider digest differs", folder.display()));
        }
    }
    println!("{count} providers, {} failures", failures.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Where the data has the built bundle of a provider, it loads as well.
fn check_bundle(folder: &Path, expected: &Value, failures: &mut Vec<String>) {
    let manifest = folder.join("bundle/manifest.json");
    if !manifest.exists() {
        return;
    }
    match load(&manifest) {
        Err(findings) => failures.push(format!("{}:\n{findings}", manifest.display())),
        Ok(loaded) => {
            let provider = Digest::from_bytes(loaded.tables.provider.digest).to_string();
            let graphs = graph_digests(&loaded);
            if graphs != expected_digests(&expected["bundleGraphDigests"])
                || Some(provider.as_str()) != expected["bundleProviderDigest"].as_str()
            {
                failures.push(format!("{}: digests differ", manifest.display()));
            }
        }
    }
}

#[cfg(feature = "user-schemas")]
#[test]
fn the_examples_load_with_the_digests_worked_out_for_them() {
    for folder in folders(&workspace_tests().join("examples")) {
        let expected = json(&folder.join("expected.json"));
        let loaded =
            load(&folder.join("provider.yaml")).unwrap_or_else(|findings| panic!("{findings}"));
        let tables = loaded.tables.as_tables();
        let files: BTreeMap<String, String> = tables
            .files
            .iter()
            .filter(|file| tables.text(file.path) != "provider.yaml")
            .map(|file| {
                let digest = Digest::from_bytes(file.digest).to_string();
                (tables.text(file.path).to_owned(), digest)
            })
            .collect();
        let mut expected_files = expected_digests(&expected["files"]);
        expected_files.remove("provider.yaml");
        assert_eq!(files, expected_files, "{}", folder.display());
        let graphs = expected["graphs"].as_object().unwrap().iter();
        let graphs: BTreeMap<String, String> = graphs
            .map(|(id, graph)| (id.clone(), graph["digest"].as_str().unwrap().to_owned()))
            .collect();
        assert_eq!(graph_digests(&loaded), graphs, "{}", folder.display());
    }
}

#[test]
fn recorded_mistakes_have_the_recorded_code() {
    let data = data();
    let mut deliberate = BTreeMap::new();
    for entry in json(&data.join("invalid/deliberate.json"))
        .as_array()
        .unwrap()
    {
        let vector = entry["vector"].as_str().unwrap().to_owned();
        deliberate.insert(vector, entry["code"].as_str().unwrap().to_owned());
    }
    let mut failures = Vec::new();
    let mut count = 0;
    for folder in folders(&data.join("invalid")) {
        let expected = json(&folder.join("expect.json"));
        let number = folder.file_name().unwrap().to_str().unwrap().to_owned();
        if expected["op"]["kind"] != "load" || expected["referenceBug"] == true {
            continue;
        }
        count += 1;
        let scratch = Scratch::new(&format!("invalid-{number}"));
        let root = scratch.prepare(&folder, &expected);
        let code = deliberate
            .get(&number)
            .map_or(expected["code"].as_str().unwrap(), String::as_str);
        let manifest = expected["op"]["manifest"].as_str().unwrap();
        let found = match load(&root.join(manifest)) {
            Ok(_) => "it loads".to_owned(),
            Err(findings) if findings.code().as_str() == code => {
                if std::env::var_os("SHOW_FINDINGS").is_some() {
                    println!("{number} {}\n{findings}\n", expected["note"]);
                }
                continue;
            }
            Err(findings) => findings.to_string(),
        };
        failures.push(format!(
            "{number} {}: {code} expected\n{found}\n",
            expected["note"]
        ));
    }
    println!("{count} mistakes, {} failures", failures.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Numbers that look random and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound.max(1) as u64).unwrap_or(0)
    }
}

/// The text with a few bytes replaced, removed or repeated.
fn damaged(bytes: &[u8], numbers: &mut Numbers) -> Vec<u8> {
    const PIECES: [&[u8]; 12] = [
        b"", b":", b"- ", b"\n", b"{", b"]", b"&a ", b"*a", b"\"", b"null", b"id: ", b"\xff",
    ];
    let mut bytes = bytes.to_vec();
    for _ in 0..=numbers.below(3) {
        let start = numbers.below(bytes.len() + 1);
        let end = (start + numbers.below(12)).min(bytes.len());
        let piece = match numbers.below(3) {
            0 => bytes[start..end].repeat(2),
            _ => PIECES[numbers.below(PIECES.len())].to_vec(),
        };
        bytes.splice(start..end, piece);
    }
    bytes
}

#[cfg(feature = "user-schemas")]
#[test]
fn damaged_providers_are_refused_or_load_and_never_panic() {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let mut outcomes = [0, 0];
    for (number, folder) in folders(&workspace_tests().join("examples"))
        .iter()
        .enumerate()
    {
        let scratch = Scratch::new(&format!("damaged-{number}"));
        let root = scratch.0.join("root");
        copy(folder, &{
            fs::create_dir_all(&root).unwrap();
            root.clone()
        });
        let loaded = load(&root.join("provider.yaml")).unwrap();
        let tables = loaded.tables.as_tables();
        for _ in 0..150 {
            let file = &tables.files[numbers.below(tables.files.len())];
            let path = root.join(tables.text(file.path));
            let original = fs::read(&path).unwrap();
            fs::write(&path, damaged(&original, &mut numbers)).unwrap();
            match load(&root.join("provider.yaml")) {
                Ok(_) => outcomes[0] += 1,
                Err(findings) => {
                    outcomes[1] += 1;
                    assert!(!findings.list().is_empty());
                }
            }
            fs::write(&path, original).unwrap();
        }
    }
    assert!(outcomes[0] > 20 && outcomes[1] > 100, "{outcomes:?}");
}

/// A folder that goes away with its test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let folder = format!("agent-graph-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(folder);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// A copy of the vector's files with its set-up done; gives the root of the provider.
    fn prepare(&self, vector: &Path, expected: &Value) -> PathBuf {
        let root = self.0.join("root");
        fs::create_dir_all(&root).unwrap();
        fs::create_dir_all(self.0.join("outside")).unwrap();
        copy(&vector.join("files"), &root);
        for step in expected["setup"].as_array().into_iter().flatten() {
            self.set_up(&root, step);
        }
        root
    }

    fn set_up(&self, root: &Path, step: &Value) {
        let text = step["text"].as_str().unwrap_or("");
        let write = |path: PathBuf| {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        if let Some(path) = step["outside"].as_str() {
            write(self.0.join("outside").join(path));
        } else if let Some(path) = step["write"].as_str() {
            write(root.join(path));
        } else if let Some(path) = step["symlink"].as_str() {
            let outside = self.0.join("outside");
            let target = step["target"].as_str().unwrap();
            let target = target.replace("<outside>", outside.to_str().unwrap());
            let link = root.join(path);
            fs::create_dir_all(link.parent().unwrap()).unwrap();
            let _ = fs::remove_file(&link);
            #[cfg(unix)]
            std::os::unix::fs::symlink(target, link).unwrap();
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).into_iter().flatten().flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            fs::create_dir_all(&target).unwrap();
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
