//! From a bundle in memory to a directory. Knows the order of the work: what may be replaced, what has to
//! be so before anything is written, then the writing.

use std::path::Path;
use std::sync::Arc;

use agent_graph_runtime::load::Loaded;
use agent_graph_runtime::{Code, Digest, Finding, Findings, Place, Step};

use super::output::Output;
use super::{Bundle, MANIFEST_JSON, PROVIDER_YAML, leaks};

/// Builds the bundle of a provider in `output`, replacing a bundle that is there. Nothing is at `output`
/// but the old bundle or the new one, and nothing remains beside it.
///
/// # Errors
///
/// `build-output-overlaps-source`, `build-output-occupied` when something else than a bundle is there,
/// `build-absolute-path-leak`, `file-changed` when a file is not the one that was loaded, `file-read-failed`,
/// `file-write-failed`, and those of [`Bundle::of`].
pub fn build(loaded: &Loaded, output: &Path) -> Result<Bundle, Findings> {
    build_watched(loaded, output, &mut |_| ())
}

/// The same, and tells `watch` how far it is.
///
/// # Errors
///
/// As [`build`].
pub fn build_watched(
    loaded: &Loaded,
    output: &Path,
    watch: &mut dyn FnMut(Step<'_>),
) -> Result<Bundle, Findings> {
    let output = Output::check(loaded, output)?;
    let bundle = Bundle::of(loaded)?;
    bundle.write_to(&output, watch)?;
    Ok(bundle)
}

/// A file as the bundle gets it: path and bytes.
type CopiedFile = (Arc<str>, Vec<u8>);

impl Bundle {
    fn write_to(&self, output: &Output, watch: &mut dyn FnMut(Step<'_>)) -> Result<(), Findings> {
        let files = self.read(watch)?;
        watch(Step::new("looking for absolute paths"));
        leaks::check(self, &files)?;
        let manifest = self.manifest_json();
        let texts = [
            (PROVIDER_YAML, self.provider_yaml.as_bytes()),
            (MANIFEST_JSON, manifest.as_bytes()),
        ];
        let copied = files
            .iter()
            .map(|(path, bytes)| (&**path, bytes.as_slice()));
        let count = files.len() + texts.len();
        let written = (1..).zip(copied.chain(texts)).map(|(number, file)| {
            watch(Step::counted("writing file", number, count));
            file
        });
        output.replace(written).map_err(|finding| finding.into())
    }

    /// The files that are copied, which have to be those that were loaded.
    fn read(&self, watch: &mut dyn FnMut(Step<'_>)) -> Result<Vec<CopiedFile>, Findings> {
        let count = self.copied.len();
        let read = |(number, (path, digest)): (usize, &(Arc<str>, Digest))| {
            watch(Step::counted("reading file", number, count));
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
        (1..).zip(&self.copied).map(read).collect()
    }
}
