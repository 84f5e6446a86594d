//! A provider together with the folder its files are installed in. Reads the files once, to see that they
//! are the ones the tables were made from; writes nothing.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::code::Code;
use crate::digest::Digest;
use crate::error::Error;
use crate::evaluation::Evaluation;
use crate::provider::Provider;
use crate::state::State;

/// A provider whose files stand in a folder, every one checked against the digest in the tables. Only an
/// installed provider can name absolute paths.
#[derive(Clone, Debug)]
pub struct Installed {
    provider: Provider,
    root: Arc<Path>,
    root_text: Arc<str>,
}

impl Provider {
    /// The provider with its files in `root`, the folder of the manifest. Every file is read and compared
    /// with the digest in the tables.
    ///
    /// # Errors
    ///
    /// [`Code::FileMissing`] when a file is not there or leads outside the folder,
    /// [`Code::FileReadFailed`] when it cannot be read, [`Code::FileChanged`] when its bytes differ from
    /// those that were loaded or compiled in.
    pub fn installed_at(&self, root: impl AsRef<Path>) -> Result<Installed, Error> {
        let root = root.as_ref();
        let read_failed = |path: &Path, error: &io::Error| {
            Error::new(Code::FileReadFailed, format!("{}: {error}", path.display()))
        };
        let root = std::path::absolute(root).map_err(|error| read_failed(root, &error))?;
        let real_root = fs::canonicalize(&root).map_err(|error| {
            Error::new(
                Code::FileMissing,
                format!(
                    "folder {} of provider `{}`: {error}",
                    root.display(),
                    self.id()
                ),
            )
        })?;
        let tables = self.tables();
        for file in tables.files {
            let path = root.join(tables.text(file.path));
            let real = fs::canonicalize(&path)
                .ok()
                .filter(|real| real.starts_with(&real_root) && real.is_file());
            let Some(real) = real else {
                let message = format!("{} is not a file inside {}", path.display(), root.display());
                return Err(Error::new(Code::FileMissing, message));
            };
            let bytes = fs::read(real).map_err(|error| read_failed(&path, &error))?;
            if Digest::of_bytes(&bytes) != Digest::from_bytes(file.digest) {
                let message = format!(
                    "{} differs from what provider `{}` was made from",
                    path.display(),
                    self.id()
                );
                return Err(Error::new(Code::FileChanged, message));
            }
        }
        Ok(Installed::new(self.clone(), root))
    }
}

impl Installed {
    fn new(provider: Provider, root: PathBuf) -> Self {
        let text = root.to_string_lossy();
        let root_text: String = text.strip_suffix('/').unwrap_or(&text).to_string();
        Self {
            provider,
            root: root.into(),
            root_text: root_text.into(),
        }
    }

    /// The provider.
    pub fn provider(&self) -> &Provider {
        &self.provider
    }

    /// The absolute path of the folder; symbolic links in it are not resolved.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Like [`Provider::evaluate`], with absolute paths in the diagnostics.
    ///
    /// # Errors
    ///
    /// [`Code::GraphMissing`] when the provider has no such graph.
    pub fn evaluate(&self, graph: &str, entry: &str, state: &State) -> Result<Evaluation, Error> {
        Ok(self
            .provider
            .evaluate(graph, entry, state)?
            .located_in(self))
    }

    pub(crate) fn root_text(&self) -> Arc<str> {
        Arc::clone(&self.root_text)
    }
}
