//! The registry of providers (spec 3.9): which manifest an id stands for. Knows nothing about skills, and
//! loads no provider.

use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use std::io;
use std::path::{Path, PathBuf};

use super::document::{Document, Format, Kind, Node};
use super::limits::DOCUMENT_BYTES;
use crate::contained::read_regular_file;
use crate::ordered::Map;
use crate::paths::{self, normalized};
use crate::{Code, Finding, Place, SourceTexts};

/// Provider ids and the manifests they stand for. Hosts read one from a file or put one together.
///
/// ```
/// use agent_graph_runtime::load::Registry;
/// let registry = Registry::from_iter([("tea/house", "/providers/tea/provider.yaml")]);
/// assert!(registry.manifest("tea/house").is_some());
/// assert!(registry.manifest("constructor").is_none());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Registry {
    manifests: Map<String, PathBuf>,
}

impl Registry {
    /// No providers.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads a registry file, JSON or YAML: an object of ids and manifest paths, or one with such an object
    /// as `providers`. Relative paths are relative to the file.
    ///
    /// # Errors
    /// `file-read-failed`, `parse-failed`, `registry-invalid`; `input-limit` for a file that is too long.
    pub fn read(file: impl AsRef<Path>) -> Result<Self, Finding> {
        let file = file.as_ref();
        let document = document(file, Reading::Whole)?;
        let root = document.root();
        let invalid = |node: Node<'_>, problem: &str| {
            Finding::error(Code::RegistryInvalid, node.place(), problem)
        };
        if root.kind() != Kind::Mapping {
            let problem = "the registry has to be an object of provider ids and manifest paths";
            return Err(invalid(root, problem));
        }
        let providers = root.get("providers");
        let providers = providers.filter(|providers| providers.kind() != Kind::Null);
        let providers = providers.unwrap_or(root);
        if providers.kind() != Kind::Mapping {
            return Err(invalid(providers, "`providers` has to be an object"));
        }
        let folder = folder_of(file)?;
        let manifests = providers.members().map(|member| {
            let path = member.value.as_str().ok_or_else(|| {
                let problem = format!("the manifest of `{}` has to be a path", member.name);
                invalid(member.value, &problem)
            })?;
            Ok((member.name.into(), normalized(&folder.join(path))))
        });
        Ok(Self {
            manifests: manifests.collect::<Result<_, Finding>>()?,
        })
    }

    /// The manifest that an id stands for.
    pub fn manifest(&self, id: &str) -> Option<&Path> {
        self.manifests.get(id).map(PathBuf::as_path)
    }
}

impl<I: Into<String>, P: Into<PathBuf>> FromIterator<(I, P)> for Registry {
    fn from_iter<T: IntoIterator<Item = (I, P)>>(manifests: T) -> Self {
        let manifests = manifests.into_iter();
        Self {
            manifests: manifests
                .map(|(id, path)| (id.into(), path.into()))
                .collect(),
        }
    }
}

/// What of a file is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// All of it, in the format of its extension.
    Whole,
    /// Its frontmatter.
    Frontmatter,
}

/// A document that lies anywhere, such as a registry or a skill. Places in it name the path as given.
pub(super) fn document(path: &Path, reading: Reading) -> Result<Document, Finding> {
    document_keeping(path, reading, &mut SourceTexts::new())
}

/// The same; its text is added to `texts`.
pub(super) fn document_keeping(
    path: &Path,
    reading: Reading,
    texts: &mut SourceTexts,
) -> Result<Document, Finding> {
    let name: Arc<str> = path.to_string_lossy().into();
    let limit = u64::try_from(DOCUMENT_BYTES).unwrap_or(u64::MAX);
    let bytes = read_regular_file(path, limit).map_err(|error| {
        let message = format!("the file cannot be read: {}", error.kind());
        let place = Place::start_of(name.clone());
        let finding = Finding::error(Code::FileReadFailed, place, message);
        match error.kind() {
            io::ErrorKind::NotFound => finding.with_hint("correct the path, or add the file"),
            _ => finding,
        }
    })?;
    texts.add(name.clone(), bytes.as_slice());
    match reading {
        Reading::Whole => Document::parse(name.clone(), &bytes, Format::of_path(&name)),
        Reading::Frontmatter => Document::parse_frontmatter(name, &bytes),
    }
}

/// The folder of a file, absolute and normalized.
pub(super) fn folder_of(file: &Path) -> Result<PathBuf, Finding> {
    let absolute = paths::absolute(file).map_err(|error| {
        let place = Place::start_of(file.to_string_lossy().into());
        Finding::error(Code::FileReadFailed, place, format!("{}", error.kind()))
    })?;
    // A file has a folder around it; the root of the file system is its own.
    Ok(absolute.parent().unwrap_or(&absolute).into())
}
