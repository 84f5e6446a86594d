//! Bundles: a provider packaged with everything it reaches and nothing else, the same bytes for the same
//! input (spec section 9). Knows what a bundle holds; how its files get into a directory is the matter of
//! `output`, how its manifests are written that of `manifest`.
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
#[cfg(feature = "bundle")]
mod write;

use std::path::PathBuf;
use std::sync::Arc;

use agent_graph_runtime::json::{Object, Value};
use agent_graph_runtime::load::{self, Loaded};
use agent_graph_runtime::{Code, Digest, Error, Finding, Findings, Place};

use crate::yaml;

#[cfg(feature = "bundle")]
pub use write::{build, build_watched};

/// The provider manifest of a bundle.
const PROVIDER_YAML: &str = "provider.yaml";

/// The bundle manifest.
const MANIFEST_JSON: &str = "manifest.json";

/// What a build writes, before it is written.
#[derive(Clone, Debug)]
#[cfg_attr(not(feature = "bundle"), allow(dead_code))]
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

impl Bundle {
    /// The bundle of a provider, without writing it.
    ///
    /// # Errors
    ///
    /// `build-path-reserved` and `build-path-unportable`, one finding a path; `build-text-unprintable` when the
    /// normalized manifest would not be read back as what it is; `input-limit` or `feature-required` when ids
    /// cannot be put in order.
    pub fn of(loaded: &Loaded) -> Result<Self, Findings> {
        let warnings = paths::check(loaded)?;
        let provider = loaded.definition.manifest.value.clone();
        // The manifest is an object, or it would not have been loaded.
        let provider_yaml = provider.as_object().map(yaml::print);
        let provider_yaml = provider_yaml.unwrap_or_default();
        let read_back = load::value_of_document(PROVIDER_YAML, provider_yaml.as_bytes());
        if !read_back.is_ok_and(|value| value == provider) {
            let message = "the manifest holds a character that YAML does not allow in a text";
            return Err(at_manifest(loaded, Code::BuildTextUnprintable, message).into());
        }
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
}

/// The text of `provider.yaml` for a provider manifest.
pub fn normalized(manifest: &Object) -> String {
    yaml::print(manifest)
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
