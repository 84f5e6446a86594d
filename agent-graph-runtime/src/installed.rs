//! A provider together with the folder its files are installed in. Reads the files to see that they are
//! the ones the tables were made from; writes nothing. What is done with them is the routes' matter.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use std::io;
use std::path::Path;

use crate::code::Code;
use crate::contained::{Folder, Refused, read_regular_file};
use crate::digest::Digest;
use crate::error::Error;
use crate::evaluation::Evaluation;
use crate::paths;
use crate::provider::Provider;
use crate::state::State;
use crate::tables::FileRow;

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
    /// Those of [`Installed::verify`]; [`Code::FileNameInvalid`] when the path of the folder is not
    /// Unicode, which no location could name.
    pub fn installed_at(&self, root: impl AsRef<Path>) -> Result<Installed, Error> {
        let installed = Installed::unverified(self.clone(), root.as_ref())?;
        installed.verify()?;
        Ok(installed)
    }
}

impl Installed {
    /// Loads a provider that is only known at run time together with its folder; `manifest` is the
    /// provider manifest.
    ///
    /// # Errors
    ///
    /// Those of [`Provider::load`]; [`Code::FileNameInvalid`] when the path of the folder is not Unicode,
    /// which no location could name.
    #[cfg(feature = "dynamic")]
    pub fn load(manifest: impl AsRef<Path>) -> Result<Self, crate::finding::Findings> {
        Self::of_loaded(crate::load::load(manifest.as_ref())?)
    }

    /// A provider that has just been loaded, together with its folder.
    ///
    /// # Errors
    ///
    /// [`Code::FileNameInvalid`] when the path of the folder is not Unicode, which no location could name.
    #[cfg(feature = "dynamic")]
    pub fn of_loaded(loaded: crate::load::Loaded) -> Result<Self, crate::finding::Findings> {
        let file: Arc<str> = loaded.manifest.into();
        let provider = Provider::from_tables(loaded.tables);
        // What was loaded has just been read.
        Self::unverified(provider, &loaded.root).map_err(|error| {
            let place = crate::finding::Place::start_of(file);
            crate::finding::Finding::error(error.code(), place, error.message()).into()
        })
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

    /// Reads every file of the provider again and compares it with the digest in the tables.
    ///
    /// # Errors
    ///
    /// [`Code::FileMissing`] when a file is not there, [`Code::PathSymlinkOutsideProvider`] when it leads
    /// out of the folder, [`Code::FileReadFailed`] when it cannot be read, [`Code::FileChanged`] when its
    /// bytes differ from those that were loaded or compiled in.
    pub fn verify(&self) -> Result<(), Error> {
        let folder = self.folder()?;
        let files = self.provider.tables().files.iter();
        files
            .map(|file| self.checked(&folder, file))
            .try_for_each(|bytes| bytes.map(drop))
    }

    /// The bytes of a file of the tables, read now and compared.
    pub(crate) fn read(&self, file: u32) -> Result<Vec<u8>, Error> {
        let tables = self.provider.tables();
        self.checked(&self.folder()?, tables.row(tables.files, file))
    }

    /// The absolute path of a file of the tables.
    pub(crate) fn path_of(&self, file: u32) -> String {
        format!(
            "{}/{}",
            self.root_text,
            self.provider.tables().file_path(file)
        )
    }

    /// The folder as text: without a slash at its end, unless it is nothing else.
    pub(crate) fn folder_text(&self) -> &str {
        match &*self.root_text {
            "" => "/",
            text => text,
        }
    }

    pub(crate) fn root_text(&self) -> Arc<str> {
        Arc::clone(&self.root_text)
    }

    /// The provider with its files in a folder that nobody has looked into yet.
    pub(crate) fn unverified(provider: Provider, root: &Path) -> Result<Self, Error> {
        let root = paths::absolute(root).map_err(|error| unreadable(root, &error))?;
        let Some(text) = root.to_str() else {
            let message = format!("the folder {} is not Unicode", root.display());
            return Err(Error::new(Code::FileNameInvalid, message));
        };
        let root_text = text.strip_suffix('/').unwrap_or(text).to_string();
        Ok(Self {
            provider,
            root_text: root_text.into(),
            root: root.into(),
        })
    }

    /// The folder as it is now: links in it may have been turned since.
    fn folder(&self) -> Result<Folder, Error> {
        Folder::at(&self.root).map_err(|error| {
            let message = format!(
                "folder {} of provider `{}`: {error}",
                self.root.display(),
                self.provider.id()
            );
            Error::new(Code::FileMissing, message)
        })
    }

    fn checked(&self, folder: &Folder, file: &FileRow) -> Result<Vec<u8>, Error> {
        let relative = self.provider.tables().text(file.path);
        let path = folder.named().join(relative);
        let real = folder.file(relative).map_err(|refused| {
            let path = path.display();
            match refused {
                Refused::Link => Error::new(
                    Code::PathSymlinkOutsideProvider,
                    format!("{path} leads through a link out of the folder of the provider"),
                ),
                Refused::Unreachable(kind) => Error::new(
                    Code::FileMissing,
                    format!("{path} cannot be reached: {kind}"),
                ),
                Refused::NotAFile => {
                    Error::new(Code::FileMissing, format!("{path} is no regular file"))
                }
                _ => Error::new(Code::FileMissing, format!("{path} is not there")),
            }
        })?;
        // Longer than anything that was loaded: the digest will tell.
        let bytes = read_regular_file(&real, LONGEST).map_err(|error| unreadable(&path, &error))?;
        if Digest::of_bytes(&bytes) == Digest::from_bytes(file.digest) {
            return Ok(bytes);
        }
        let message = format!(
            "{} differs from what provider `{}` was made from",
            path.display(),
            self.provider.id()
        );
        Err(Error::new(Code::FileChanged, message))
    }
}

/// More bytes than all files of a provider may have together are never read.
const LONGEST: u64 = 256 << 20;

fn unreadable(path: &Path, error: &io::Error) -> Error {
    Error::new(Code::FileReadFailed, format!("{}: {error}", path.display()))
}
