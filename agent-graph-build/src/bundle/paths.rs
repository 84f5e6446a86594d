//! Which paths a bundle can hold: none that its own manifests take, and names that every system takes.
//! Knows paths only.

use std::sync::Arc;

use agent_graph_runtime::load::Loaded;
use agent_graph_runtime::load::definition::Content;
use agent_graph_runtime::ordered::Map;
use agent_graph_runtime::{Code, Finding, Findings, Place};

use super::{MANIFEST_JSON, PROVIDER_YAML, files};

/// Refuses paths that a bundle cannot hold. Names that meet only where case does not matter are warnings:
/// the bundle is a good one where it was built.
pub(super) fn check(loaded: &Loaded) -> Result<Vec<Finding>, Findings> {
    let source_manifest = &loaded.definition.manifest.file;
    let mut errors = Vec::new();
    if **source_manifest != *PROVIDER_YAML && is_listed(loaded, source_manifest) {
        let message = format!(
            "the manifest `{source_manifest}` is listed among the files and would be missing in the bundle, where it is `{PROVIDER_YAML}`"
        );
        errors.push(refused(Code::BuildPathReserved, source_manifest, message));
    }
    let copied = files(loaded).map(|(path, _)| path);
    let copied: Vec<&str> = copied.filter(|path| *path != &**source_manifest).collect();
    for path in &copied {
        if [PROVIDER_YAML, MANIFEST_JSON].contains(path) {
            let message = format!("`{path}` is the place of a manifest of the bundle");
            errors.push(refused(Code::BuildPathReserved, path, message));
        } else if let Some(problem) = unportable(path) {
            let message = format!("`{path}` {problem}");
            errors.push(refused(Code::BuildPathUnportable, path, message));
        }
    }
    let mut errors = errors.into_iter();
    match errors.next() {
        Some(first) => Err(Findings::new(first, errors)),
        None => Ok(collisions(&copied)),
    }
}

fn refused(code: Code, path: &str, message: String) -> Finding {
    Finding::error(code, Place::start_of(Arc::from(path)), message)
}

/// Whether the provider lists its own manifest among its files.
fn is_listed(loaded: &Loaded, manifest: &Arc<str>) -> bool {
    let definition = &loaded.definition;
    let mut members = definition
        .actions
        .iter()
        .flat_map(|action| action.own_files.iter().chain(&*action.skill_files));
    members.any(|file| file == manifest)
        || definition.resources.iter().any(|resource| {
            resource.file == *manifest
                || matches!(&resource.content, Content::File(content) if content.file == *manifest)
        })
}

/// What is wrong with a path on some system.
fn unportable(path: &str) -> Option<&'static str> {
    path.split('/').find_map(|name| {
        if name
            .contains(|character: char| character.is_control() || "\\<>:\"|?*".contains(character))
        {
            Some("has a character that not every system takes")
        } else if name.ends_with([' ', '.']) {
            Some("ends in a blank or a period, which not every system keeps")
        } else if is_device(name) {
            Some("is the name of a device on Windows")
        } else if name.len() > 255 {
            Some("has a name of more than 255 bytes")
        } else {
            None
        }
    })
}

/// Whether Windows takes the name for a device, whatever its extension.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end();
    let stem = stem.to_ascii_uppercase();
    let numbered = |prefix: &str| {
        let number = stem.strip_prefix(prefix);
        number.is_some_and(|number| matches!(number.as_bytes(), [b'1'..=b'9']))
    };
    ["CON", "PRN", "AUX", "NUL"].contains(&stem.as_str()) || numbered("COM") || numbered("LPT")
}

/// Files that are one where case does not matter, and files that are directories there.
fn collisions(paths: &[&str]) -> Vec<Finding> {
    let fixed = [PROVIDER_YAML, MANIFEST_JSON];
    let folded: Vec<(String, &str)> = fixed
        .iter()
        .chain(paths)
        .map(|path| (path.to_lowercase(), *path))
        .collect();
    let mut files: Map<&str, &str> = Map::new();
    let mut findings = Vec::new();
    for (folded, path) in &folded {
        if let Some(first) = files.insert(folded, path) {
            findings.push(collision(path, first));
        }
    }
    for (folded, path) in &folded {
        let directories = folded
            .match_indices('/')
            .filter_map(|(at, _)| folded.get(..at));
        let file = directories
            .filter_map(|directory| files.get(directory))
            .next();
        findings.extend(file.map(|file| collision(path, file)));
    }
    findings
}

fn collision(path: &str, other: &str) -> Finding {
    let place = Place::start_of(Arc::from(path));
    let message = format!("`{path}` and `{other}` are the same where case does not matter");
    Finding::warning(Code::BuildPathUnportable, place, message)
        .with_hint("rename one of them, or use the bundle on systems that tell them apart only")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_some_system_refuses_are_unportable() {
        for path in [
            "a\\b",
            "a/b:c",
            "a?",
            "x/a.",
            "a /b",
            "nul",
            "x/Con.txt",
            "lpt9.a.b",
            "a\u{1}",
            "a\nb",
        ] {
            assert!(unportable(path).is_some(), "{path}");
        }
        for path in [
            "a",
            ".a/b",
            "it's",
            "console",
            "com0",
            "com10.txt",
            "..a/b",
            "é/日本",
            "a b",
        ] {
            assert_eq!(unportable(path), None, "{path}");
        }
        assert!(unportable(&"n".repeat(256)).is_some());
    }

    #[test]
    fn files_that_meet_where_case_does_not_matter_are_named() {
        let found = |paths: &[&str]| {
            let findings = collisions(paths);
            let places = findings
                .iter()
                .map(|finding| finding.place.file.to_string());
            places.collect::<Vec<_>>()
        };
        assert_eq!(found(&["a/b", "a/c", "b"]), [""; 0]);
        assert_eq!(found(&["a/B", "a/b"]), ["a/b"]);
        assert_eq!(found(&["É", "é"]), ["é"]);
        assert_eq!(found(&["A", "a/b/c"]), ["a/b/c"]);
        assert_eq!(found(&["Provider.yaml"]), ["Provider.yaml"]);
    }
}
