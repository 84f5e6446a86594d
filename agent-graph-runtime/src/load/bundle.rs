//! Verifies a bundle: its manifest against the packaged files before the load, and against the
//! definitions after it (spec 3.8). Knows how manifests are made up, nothing about making one.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::catalogs::{CatalogEntry, Catalogs};
use super::decode::placed;
use super::definition::{Definition, Manifest, Placed};
use super::digests::{FileDigest, dependencies};
use super::document::Node;
use super::nearest::did_you_mean;
use super::report::Report;
use super::shape::{self, Shape};
use super::sources::Sources;
use crate::json::Value;
use crate::ordered::{self, Map, Set};
use crate::{Code, Digest, Finding, Place};

/// How many files that are not listed are named one by one.
const STRAYS_NAMED: usize = 20;

/// The schema of bundle manifests.
const SCHEMA: &str = "agent-graph.bundle.v1";

/// Whether the document is a bundle manifest.
pub(super) fn is_bundle(root: Node<'_>) -> bool {
    root.get("schema").and_then(|schema| schema.as_str()) == Some(SCHEMA)
}

/// A bundle manifest.
pub(super) struct Bundle {
    /// The beginning of the manifest.
    place: Place,
    /// The digest that the manifest gives itself.
    pub(super) digest: Option<Digest>,
    provider_id: Placed<String>,
    provider_version: Placed<String>,
    provider_manifest: Placed<String>,
    /// The four catalogs with their names.
    catalogs: [(&'static str, Catalog); 4],
    files: Vec<Listed>,
    dependencies: Placed<Map<String, Vec<String>>>,
}

struct Catalog {
    place: Place,
    entries: Vec<(String, Listed)>,
}

/// A path and a digest that the manifest lists.
struct Listed {
    path: Placed<String>,
    digest: Placed<String>,
}

impl Bundle {
    fn decode(root: Node<'_>) -> Self {
        let provider = root.get("provider").unwrap_or(root);
        let text = |object: Node<'_>, name: &str| placed(object.get(name).unwrap_or(object));
        let listed = |entry: Node<'_>| Listed {
            path: text(entry, "path"),
            digest: text(entry, "digest"),
        };
        let list = |name: &str| root.get(name).unwrap_or(root);
        let catalog = |name: &'static str| {
            let entries = list(name).items();
            let entries = entries.map(|entry| (text(entry, "id").value, listed(entry)));
            let catalog = Catalog {
                place: list(name).place(),
                entries: entries.collect(),
            };
            (name, catalog)
        };
        let dependencies = list("graphDependencies");
        let called = |member: Node<'_>| member.items().map(|id| placed(id).value).collect();
        Self {
            place: Place::start_of(root.place().file),
            digest: text(root, "digest").value.parse().ok(),
            provider_id: text(provider, "id"),
            provider_version: text(provider, "version"),
            provider_manifest: text(root, "providerManifest"),
            catalogs: ["graphs", "actions", "resources", "schemas"].map(catalog),
            files: list("files").items().map(listed).collect(),
            dependencies: Placed {
                value: dependencies
                    .members()
                    .map(|member| (member.name.to_owned(), called(member.value)))
                    .collect(),
                place: dependencies.place(),
            },
        }
    }

    /// The manifest against the packaged files. None if something is wrong, which has been reported.
    pub(super) fn verify(
        root: Node<'_>,
        sources: &mut Sources,
        report: &mut Report,
    ) -> Option<Self> {
        if !report.add_all(shape::check(root, Shape::Object(&shape::BUNDLE))) {
            return None;
        }
        // What was changed by hand is rarely consistent: the other checks would only repeat that.
        if !report.add_all(wrong_digest(root)) {
            return None;
        }
        let bundle = Self::decode(root);
        bundle.check_files(sources, report);
        bundle.check_catalogs(report);
        bundle.check_provider_manifest(report);
        (!report.has_errors()).then_some(bundle)
    }

    fn check_files(&self, sources: &mut Sources, report: &mut Report) {
        let mut seen = Map::new();
        for listed in &self.files {
            let Placed { value: path, place } = &listed.path;
            if let Some(first) = seen.insert(path.as_str(), place) {
                let message = format!("file `{path}` is listed twice");
                let finding = Finding::error(Code::BundleFileDuplicate, place.clone(), message);
                report.add(finding.with_related(first.clone(), "first listed here"));
                continue;
            }
            let Some(file) = sources.find(path, place, "packaged file", report) else {
                continue;
            };
            let Some(source) = sources.read(&file, place, report) else {
                continue;
            };
            if listed.digest.value.parse() != Ok(source.digest) {
                let message = format!("file `{path}` has the digest {}", source.digest);
                let place = listed.digest.place.clone();
                let mut finding = Finding::error(Code::BundleFileDigestMismatch, place, message);
                finding.hint = changed_line_ends(&source.bytes, &listed.digest.value);
                report.add(finding);
            }
        }
    }

    fn check_catalogs(&self, report: &mut Report) {
        let files: Map<&str, &str> = self
            .files
            .iter()
            .map(|listed| (listed.path.value.as_str(), listed.digest.value.as_str()))
            .collect();
        for (name, catalog) in &self.catalogs {
            for (id, listed) in &catalog.entries {
                let path = listed.path.value.as_str();
                let (place, problem) = match files.get(path) {
                    None => (&listed.path.place, "is not among the files"),
                    Some(digest) if *digest != listed.digest.value => {
                        (&listed.digest.place, "has another digest among the files")
                    }
                    Some(_) => continue,
                };
                let message = format!("file `{path}` of `{id}` in `{name}` {problem}");
                let mut finding =
                    Finding::error(Code::BundleCatalogMismatch, place.clone(), message);
                if !files.contains_key(path) {
                    finding.hint = did_you_mean(path, files.keys().copied());
                }
                report.add(finding);
            }
        }
    }

    fn check_provider_manifest(&self, report: &mut Report) {
        let Placed { value: path, place } = &self.provider_manifest;
        if !self.files.iter().any(|listed| listed.path.value == *path) {
            let message = format!("the provider manifest `{path}` is not among the files");
            let mut finding = Finding::error(Code::BundleProviderUnlisted, place.clone(), message);
            let listed = self.files.iter().map(|listed| listed.path.value.as_str());
            finding.hint = did_you_mean(path, listed);
            report.add(finding);
        }
    }

    /// The packaged provider manifest.
    pub(super) fn provider_manifest(
        &self,
        sources: &mut Sources,
        report: &mut Report,
    ) -> Option<Arc<str>> {
        let Placed { value, place } = &self.provider_manifest;
        sources.find(value, place, "provider manifest", report)
    }

    /// Where the packaged provider is another one than the manifest says.
    pub(super) fn other_provider(&self, manifest: &Manifest) -> Vec<Finding> {
        let pairs = [
            ("id", &self.provider_id, &manifest.id),
            ("version", &self.provider_version, &manifest.version),
        ];
        pairs
            .into_iter()
            .filter(|(_, said, packaged)| said.value != packaged.value)
            .map(|(name, said, packaged)| {
                let message = format!("the packaged provider has the {name} `{}`", packaged.value);
                let place = said.place.clone();
                Finding::error(Code::BundleProviderMismatch, place, message)
                    .with_related(packaged.place.clone(), "the packaged one")
            })
            .collect()
    }

    /// The manifest against the definitions; `files` are the reachable ones.
    pub(super) fn check_contents(
        &self,
        definition: &Definition,
        files: &[FileDigest],
    ) -> Vec<Finding> {
        let mut findings = self.other_catalogs(&Catalogs::of(definition));
        findings.extend(self.other_files(files));
        findings.extend(self.other_dependencies(definition));
        findings
    }

    fn other_catalogs(&self, actual: &Catalogs) -> Vec<Finding> {
        let Catalogs {
            graphs,
            actions,
            resources,
            schemas,
        } = actual;
        let actual = [graphs, actions, resources, schemas];
        let pairs = self.catalogs.iter().zip(actual);
        pairs
            .filter_map(|((name, listed), actual)| other_catalog(name, listed, actual))
            .collect()
    }

    fn other_files(&self, files: &[FileDigest]) -> Vec<Finding> {
        let reachable: Set<&str> = files.iter().map(|(path, _)| &**path).collect();
        let paths = self.files.iter().map(|listed| &listed.path);
        let listed: Set<&str> = paths.clone().map(|path| path.value.as_str()).collect();
        let unreachable = paths.filter(|path| !reachable.contains(path.value.as_str()));
        let mut findings: Vec<Finding> = unreachable
            .map(|path| {
                let message = format!("file `{}` is listed and nothing reaches it", path.value);
                Finding::error(Code::BundleFilesMismatch, path.place.clone(), message)
            })
            .collect();
        for missing in reachable.iter().filter(|path| !listed.contains(**path)) {
            let message = format!("file `{missing}` belongs to the provider and is not listed");
            let place = self.provider_manifest.place.clone();
            findings.push(Finding::error(Code::BundleFilesMismatch, place, message));
        }
        findings
    }

    /// Files in the folder that the bundle does not list. What the definitions reach beyond the list is no
    /// stray but a mistake, and told as such.
    pub(super) fn strays(
        &self,
        everything: Option<Vec<String>>,
        files: &[FileDigest],
    ) -> Vec<Finding> {
        const HINT: &str = "take it out of the folder of the bundle";
        let unlisted = |place, message: String| {
            Finding::warning(Code::FileUnlisted, place, message).with_hint(HINT)
        };
        let Some(everything) = everything else {
            let message = "the folder of the bundle holds more files than a bundle can list";
            return Vec::from([unlisted(self.place.clone(), message.to_owned())]);
        };
        let listed = self.files.iter().map(|listed| listed.path.value.as_str());
        let reached = files.iter().map(|(path, _)| &**path);
        let known: Set<&str> = listed.chain(reached).collect();
        let strays = everything
            .iter()
            .filter(|path| **path != *self.place.file && !known.contains(path.as_str()));
        let mut findings: Vec<Finding> = strays
            .clone()
            .take(STRAYS_NAMED)
            .map(|path| {
                let place = Place::start_of(path.as_str().into());
                unlisted(place, "the bundle does not list this file".to_owned())
            })
            .collect();
        let more = strays.count().saturating_sub(STRAYS_NAMED);
        if more > 0 {
            let message = format!("there are {more} more files that the bundle does not list");
            findings.push(unlisted(self.place.clone(), message));
        }
        findings
    }

    fn other_dependencies(&self, definition: &Definition) -> Option<Finding> {
        let actual = definition.graphs.iter().map(|graph| {
            let called = dependencies(graph);
            let called: Set<&str> = called.iter().map(|id| id.as_str()).collect();
            (graph.id.value.as_str(), called)
        });
        let actual: Map<&str, Set<&str>> = actual.collect();
        let listed = self.dependencies.value.iter().map(|(id, called)| {
            let called: Set<&str> = called.iter().map(String::as_str).collect();
            (id.as_str(), called)
        });
        let listed: Map<&str, Set<&str>> = listed.collect();
        if listed == actual {
            return None;
        }
        let differs = |id: &&&str| listed.get(**id) != actual.get(**id);
        let graph = actual.keys().chain(listed.keys()).find(differs);
        let graph = graph.copied().unwrap_or("");
        let message = format!("graph `{graph}` does not call what `graphDependencies` says");
        let place = self.dependencies.place.clone();
        Some(Finding::error(
            Code::BundleDependenciesMismatch,
            place,
            message,
        ))
    }
}

/// What to do if a file has the listed digest again once its line ends are changed back.
fn changed_line_ends(bytes: &[u8], listed: &str) -> Option<String> {
    let listed: Digest = listed.parse().ok()?;
    let without = with_line_feeds(bytes);
    let (from, to) = if Digest::of_bytes(&without) == listed {
        ("LF", "CRLF")
    } else if Digest::of_bytes(&with_carriage_returns(&without)) == listed {
        ("CRLF", "LF")
    } else {
        return None;
    };
    Some(format!(
        "its line ends were changed from {from} to {to} after the bundle was built, perhaps by git: mark \
         the folder `-text` in `.gitattributes` and check it out again"
    ))
}

/// The text with `\n` for every `\r\n`.
fn with_line_feeds(bytes: &[u8]) -> Vec<u8> {
    let next = bytes.iter().skip(1).map(Some).chain([None]);
    let pairs = bytes.iter().zip(next);
    pairs
        .filter(|pair| *pair != (&b'\r', Some(&b'\n')))
        .map(|(byte, _)| *byte)
        .collect()
}

/// The text with `\r\n` for every `\n`.
fn with_carriage_returns(bytes: &[u8]) -> Vec<u8> {
    let mut with = Vec::with_capacity(bytes.len());
    for byte in bytes {
        if *byte == b'\n' {
            with.push(b'\r');
        }
        with.push(*byte);
    }
    with
}

/// The digest of the manifest, if it is not that of its content.
fn wrong_digest(root: Node<'_>) -> Option<Finding> {
    let place = root.get("digest").unwrap_or(root).place();
    let Value::Object(mut content) = root.to_value() else {
        return None;
    };
    let said = content.remove("digest");
    let actual = match Digest::of_value(&Value::Object(content)) {
        Ok(digest) => digest,
        Err(error) => return Some(Finding::error(error.code(), place, error.message())),
    };
    let said = said.as_ref().and_then(Value::as_str);
    if said.and_then(|text| text.parse().ok()) == Some(actual) {
        return None;
    }
    let message = format!("the manifest has the digest {actual}");
    Some(Finding::error(Code::BundleDigestMismatch, place, message))
}

/// The first difference between what a catalog lists and what the definitions yield.
fn other_catalog(name: &str, listed: &Catalog, actual: &[CatalogEntry]) -> Option<Finding> {
    type Pair<'p> = (&'p str, &'p str);
    let mut said: Vec<Pair<'_>> = listed
        .entries
        .iter()
        .map(|(id, listed)| (id.as_str(), listed.path.value.as_str()))
        .collect();
    let mut actual: Vec<Pair<'_>> = actual
        .iter()
        .map(|entry| (entry.id.as_str(), &*entry.path))
        .collect();
    ordered::sort_by(&mut said, Ord::cmp);
    ordered::sort_by(&mut actual, Ord::cmp);
    if said == actual {
        return None;
    }
    let length = said.len().min(actual.len());
    let pairs = said.iter().zip(&actual);
    let at = pairs.take_while(|(a, b)| a == b).count().min(length);
    let shown = |list: &[Pair<'_>]| match list.get(at) {
        Some((id, path)) => format!("`{id}` in `{path}`"),
        None => "nothing more".to_owned(),
    };
    let message = format!(
        "`{name}` lists {} where the definitions have {}",
        shown(&said),
        shown(&actual)
    );
    Some(Finding::error(
        Code::BundleCatalogMismatch,
        listed.place.clone(),
        message,
    ))
}
