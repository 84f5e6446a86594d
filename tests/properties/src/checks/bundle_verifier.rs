//! Bundles: what is accepted is byte for byte what building it again would give, and every listed digest is that of
//! the file; an unchanged bundle is accepted, and one with a changed file is not.

use std::sync::OnceLock;

use agent_graph_build::bundle::Bundle;
use agent_graph_runtime::Digest;
use agent_graph_runtime::json::{Object, Value};
use agent_graph_runtime::load::{Loaded, load};
use sha2::Digest as _;

use super::provider_loader::refused;
use crate::archive;
use crate::damage::damaged;
use crate::draw::Draw;
use crate::scratch::Scratch;
use crate::seeded::Chance;
use crate::{random, written};

const MANIFEST: &str = "manifest.json";

/// How many bundles there are to begin with.
const BUNDLES: u64 = 12;

type Files = Vec<(String, Vec<u8>)>;

/// Bytes as an archive with a `manifest.json`; and as decisions about a valid bundle and what is changed in it.
///
/// # Panics
/// When something does not hold.
pub fn check(bytes: &[u8]) {
    let files = archive::files(bytes);
    if files.iter().any(|(path, _)| path == MANIFEST) {
        verify(&files);
        return;
    }
    let mut draw = Draw::new(bytes);
    let built = &bundles()[draw.below(BUNDLES as usize)];
    let files = changed(&mut draw, built);
    let accepted = verify(&files);
    if files == *built {
        assert!(accepted, "an unchanged bundle is refused");
    } else if files[1..] != built[1..] && files[0] == built[0] {
        assert!(!accepted, "a bundle with a changed file is accepted");
    }
}

/// The bundles of a few random providers, the manifest first. As seeds they are archives.
pub(crate) fn bundles() -> &'static [Files] {
    static BUILT: OnceLock<Vec<Files>> = OnceLock::new();
    BUILT.get_or_init(|| (0..BUNDLES).map(built).collect())
}

fn built(seed: u64) -> Files {
    let files = written::files(&random::provider(seed));
    let files: Files = files
        .into_iter()
        .map(|(path, text)| (path, text.into_bytes()))
        .collect();
    let folder = Scratch::with(&files);
    let loaded = load(&folder.path().join(written::MANIFEST))
        .unwrap_or_else(|findings| panic!("{findings}"));
    packaged(&loaded, &folder)
}

fn packaged(loaded: &Loaded, folder: &Scratch) -> Files {
    let bundle = Bundle::of(loaded).unwrap_or_else(|findings| panic!("{findings}"));
    let mut files = vec![
        (MANIFEST.to_owned(), bundle.manifest_json().into_bytes()),
        ("provider.yaml".to_owned(), bundle.provider_yaml().into()),
    ];
    let copied = bundle.copied_files();
    files.extend(copied.map(|path| (path.to_owned(), folder.read(path).unwrap_or_default())));
    files
}

/// A bundle with a few changes; often its manifest is given the digest that the change asks for.
fn changed(draw: &mut Draw<'_>, built: &Files) -> Files {
    let mut files = built.clone();
    for _ in 0..draw.below(4) {
        let at = draw.below(files.len());
        let mut chance = Chance::seeded(draw.number());
        files[at].1 = damaged(&mut chance, &files[at].1, &built[0].1);
    }
    match draw.below(4) {
        0 => {}
        1 => reseal(&mut files, |_| ()),
        2 => swap_entries(draw, &mut files),
        _ => relist(&mut files),
    }
    files
}

/// Gives the manifest the digest that it should have after a change.
fn reseal(files: &mut Files, change: impl FnOnce(&mut Object)) {
    let text = String::from_utf8_lossy(&files[0].1);
    let Ok(Value::Object(mut manifest)) = Value::from_json(&text) else {
        return;
    };
    change(&mut manifest);
    manifest.remove("digest");
    if let Ok(digest) = Digest::of_value(&Value::Object(manifest.clone())) {
        manifest.insert("digest", digest.to_string());
        files[0].1 = Value::Object(manifest).to_json_indented().into_bytes();
    }
}

/// Takes an entry of a catalog from one place to another.
fn swap_entries(draw: &mut Draw<'_>, files: &mut Files) {
    let name = draw.one_of(&["files", "graphs", "actions", "resources", "schemas"]);
    let (from, to) = (draw.below(30), draw.below(30));
    let again = draw.below(2) == 0;
    reseal(files, |manifest| {
        if let Some(Value::Array(entries)) = manifest.get(name).cloned() {
            let mut entries = entries;
            if !entries.is_empty() {
                let (from, to) = (from % entries.len(), to % entries.len());
                match again {
                    true => entries[to] = entries[from].clone(),
                    false => entries.swap(from, to),
                }
                manifest.insert(name, entries);
            }
        }
    });
}

/// Lists the digests that the changed files have.
fn relist(files: &mut Files) {
    let digests: Vec<(String, String)> = files
        .iter()
        .map(|(path, content)| (path.clone(), Digest::of_bytes(content).to_string()))
        .collect();
    reseal(files, |manifest| {
        for name in ["files", "graphs", "actions", "resources", "schemas"] {
            let Some(Value::Array(entries)) = manifest.get(name).cloned() else {
                continue;
            };
            let relisted = entries.into_iter().map(|entry| {
                let Value::Object(mut entry) = entry else {
                    return entry;
                };
                let path = entry
                    .get("path")
                    .and_then(Value::as_str)
                    .unwrap_or_default();
                if let Some((_, digest)) = digests.iter().find(|(own, _)| own == path) {
                    entry.insert("digest", digest.as_str());
                }
                Value::Object(entry)
            });
            manifest.insert(name, relisted.collect::<Vec<_>>());
        }
    });
}

/// Whether the bundle is accepted; then everything about it is so.
fn verify(files: &Files) -> bool {
    let folder = Scratch::with(files);
    let loaded = match load(&folder.path().join(MANIFEST)) {
        Ok(loaded) => loaded,
        Err(findings) => {
            refused(&findings, folder.path());
            return false;
        }
    };
    // A manifest of another kind under this name is a provider like any other.
    if let Some(digest) = loaded.bundle_digest {
        digests_are_those_of_the_files(&folder);
        let bundle = Bundle::of(&loaded).unwrap_or_else(|findings| panic!("{findings}"));
        assert_eq!(bundle.digest(), digest, "built again it is another bundle");
    }
    true
}

fn digests_are_those_of_the_files(folder: &Scratch) {
    let text =
        String::from_utf8(folder.read(MANIFEST).unwrap_or_default()).expect("it has been read");
    let manifest = Value::from_json(&text).unwrap_or_else(|error| panic!("{error}"));
    let list = manifest
        .as_object()
        .and_then(|manifest| manifest.get("files")?.as_array());
    for entry in list.expect("a bundle has a list of files") {
        let text = |name| {
            entry
                .as_object()
                .and_then(|entry| entry.get(name)?.as_str())
                .unwrap_or_default()
        };
        let content = folder
            .read(text("path"))
            .unwrap_or_else(|| panic!("{} is missing", text("path")));
        let digest: String = sha2::Sha256::digest(content)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        assert_eq!(text("digest"), format!("sha256:{digest}"));
    }
}
