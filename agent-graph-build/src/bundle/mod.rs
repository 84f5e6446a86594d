//! Bundles: a provider packaged with everything it reaches and nothing else, the same bytes for the same
//! input (spec section 9). Knows what a bundle holds; how its files get into a directory is the matter of
//! [`output`], how its manifests are written that of [`manifest`] and [`provider_yaml`].
//!
//! ```no_run
//! # #[cfg(feature = "bundle")] {
//! use agent_graph_build::bundle;
//! use agent_graph_runtime::load;
//!
//! let loaded = load::load("workflow/provider.yaml".as_ref())?;
//! let bundle = bundle::build(&loaded, "dist/provider".as_ref())?;
//! println!("{}", bundle.digest());
//! # }
//! # Ok::<(), agent_graph_runtime::Findings>(())
//! ```

#[cfg(feature = "bundle")]
mod leaks;
mod manifest;
#[cfg(feature = "bundle")]
mod output;
mod paths;
mod provider_yaml;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use agent_graph_runtime::json::{Object, Value};
use agent_graph_runtime::load::Loaded;
use agent_graph_runtime::{Code, Digest, Error, Finding, Findings, Place};

/// The provider manifest of a bundle.
const PROVIDER_YAML: &str = "provider.yaml";

/// The bundle manifest.
const MANIFEST_JSON: &str = "manifest.json";

/// What a build writes, before it is written.
#[derive(Clone, Debug)]
pub struct Bundle {
    /// The folder of the provider manifest.
    root: PathBuf,
    /// The name of the provider manifest in that folder.
    source_manifest: Arc<str>,
    /// The files that are copied, and what their digests were when the provider was loaded.
    copied: Vec<(Arc<str>, Digest)>,
    /// The provider manifest as a value.
    provider: Value,
    provider_yaml: String,
    manifest: Object,
    digest: Digest,
    warnings: Vec<Finding>,
}

/// Builds the bundle of a provider in `output`, replacing a bundle that is there. Nothing is at `output`
/// but the old bundle or the new one, and nothing remains beside it.
///
/// # Errors
///
/// `build-output-overlaps-source`, `build-output-occupied` when something else than a bundle is there,
/// those of [`Bundle::of`] and [`Bundle::write`].
#[cfg(feature = "bundle")]
pub fn build(loaded: &Loaded, output: &Path) -> Result<Bundle, Findings> {
    let output = output::Output::check(loaded, output)?;
    let bundle = Bundle::of(loaded)?;
    bundle.write_to(&output)?;
    Ok(bundle)
}

/// A file as the bundle gets it: path and bytes.
type CopiedFile = (Arc<str>, Vec<u8>);

impl Bundle {
    /// The bundle of a provider, without writing it.
    ///
    /// # Errors
    ///
    /// `build-path-reserved` and `build-path-unportable`, one finding a path; `input-limit` or
    /// `feature-required` when ids cannot be put in order.
    pub fn of(loaded: &Loaded) -> Result<Self, Findings> {
        let warnings = paths::check(loaded)?;
        let provider = loaded.definition.manifest.value.clone();
        // The manifest is an object, or it would not have been loaded.
        let provider_yaml = provider.as_object().map(provider_yaml::print);
        let provider_yaml = provider_yaml.unwrap_or_default();
        let failed = |error: Error| at_manifest(loaded, error.code(), error.message());
        let (manifest, digest) = manifest::of(loaded, &provider_yaml).map_err(failed)?;
        let source_manifest = loaded.definition.manifest.file.clone();
        let copied = files(loaded)
            .filter(|(path, _)| **path != *source_manifest)
            .map(|(path, digest)| (Arc::from(path), digest))
            .collect();
        Ok(Self {
            root: loaded.root.clone(),
            source_manifest,
            copied,
            provider,
            provider_yaml,
            manifest,
            digest,
            warnings,
        })
    }

    /// The digest of the bundle, which stands in its manifest.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// The bundle manifest, `agent-graph.bundle.v1`.
    pub fn manifest(&self) -> &Object {
        &self.manifest
    }

    /// The text of `manifest.json`.
    pub fn manifest_json(&self) -> String {
        let mut text = Value::Object(self.manifest.clone()).to_json_indented();
        text.push('\n');
        text
    }

    /// The text of `provider.yaml`: the manifest of the provider, normalized.
    pub fn provider_yaml(&self) -> &str {
        &self.provider_yaml
    }

    /// The paths of the files that are copied as they are.
    pub fn copied_files(&self) -> impl ExactSizeIterator<Item = &str> {
        self.copied.iter().map(|(path, _)| &**path)
    }

    /// What deserves a look though the bundle can be built: names that meet where case does not matter.
    pub fn warnings(&self) -> &[Finding] {
        &self.warnings
    }

    /// Writes the bundle to `output`, as [`build`].
    ///
    /// # Errors
    ///
    /// `build-output-occupied`, `build-absolute-path-leak`, `file-changed` when a file is not the one that
    /// was loaded, `file-read-failed` and `file-write-failed`.
    fn write_to(&self, output: &output::Output) -> Result<(), Findings> {
        let files = self.read()?;
        leaks::check(self, &files)?;
        let manifest = self.manifest_json();
        let texts = [
            (PROVIDER_YAML, self.provider_yaml.as_bytes()),
            (MANIFEST_JSON, manifest.as_bytes()),
        ];
        let copied = files
            .iter()
            .map(|(path, bytes)| (&**path, bytes.as_slice()));
        output
            .replace(copied.chain(texts))
            .map_err(|finding| finding.into())
    }

    /// The files that are copied, which have to be those that were loaded.
    fn read(&self) -> Result<Vec<CopiedFile>, Findings> {
        let read = |(path, digest): &(Arc<str>, Digest)| {
            let place = Place::start_of(path.clone());
            let bytes = std::fs::read(self.root.join(&**path)).map_err(|error| {
                let message = format!("`{path}` cannot be read: {}", error.kind());
                Finding::error(Code::FileReadFailed, place.clone(), message)
            })?;
            if Digest::of_bytes(&bytes) != *digest {
                let message = format!("`{path}` has changed since the provider was loaded");
                return Err(Finding::error(Code::FileChanged, place, message).into());
            }
            Ok((path.clone(), bytes))
        };
        self.copied.iter().map(read).collect()
    }
}

/// The text of `provider.yaml` for a provider manifest.
pub fn normalized(manifest: &Object) -> String {
    provider_yaml::print(manifest)
}

/// The reachable files with their digests, the manifest included.
fn files(loaded: &Loaded) -> impl Iterator<Item = (&str, Digest)> {
    let tables = loaded.tables.as_tables();
    let files = tables.files.iter();
    files.map(move |file| (tables.text(file.path), Digest::from_bytes(file.digest)))
}

/// An error about the provider as a whole.
fn at_manifest(loaded: &Loaded, code: Code, message: impl Into<String>) -> Finding {
    let place = Place::start_of(loaded.definition.manifest.file.clone());
    Finding::error(code, place, message)
}
