//! Which paths lead to a file inside a folder (spec 3.2): the one place that decides it, for loading and
//! for installed providers alike. Knows nothing about what files hold.

use alloc::string::String;
use alloc::vec::Vec;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use crate::paths::normalized;

/// Why a path leads to no file of the folder, in the order of the checks.
#[derive(Debug)]
pub(crate) enum Refused {
    /// The path is absolute.
    Absolute,
    /// By its text alone it leads out of the folder.
    Outside,
    /// It leads to nothing.
    Missing,
    /// It leads to something that is no regular file.
    NotAFile,
    /// Whether it leads to anything cannot be found out.
    Unreachable(io::ErrorKind),
    /// It leads out of the folder through a link.
    Link,
}

/// A folder, as it was named and with its links resolved.
#[derive(Clone, Debug)]
pub(crate) struct Folder {
    named: PathBuf,
    real: PathBuf,
}

impl Folder {
    /// The folder at a path that is absolute and lexically normalized.
    pub(crate) fn at(named: &Path) -> io::Result<Self> {
        let real = fs::canonicalize(named)?;
        let named = named.into();
        Ok(Self { named, real })
    }

    /// The path as it was named.
    pub(crate) fn named(&self) -> &Path {
        &self.named
    }

    /// The normalized path, relative to the folder and with forward slashes, that a reference spells.
    /// Looks at the text only.
    #[cfg(feature = "dynamic")]
    pub(crate) fn relative(&self, reference: &str) -> Result<String, Refused> {
        relative_to(&self.named, reference)
    }

    /// The real path of the regular file at a normalized relative path.
    pub(crate) fn file(&self, relative: &str) -> Result<PathBuf, Refused> {
        let path = self.named.join(relative);
        match fs::metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(Refused::Missing),
            Err(error) => return Err(Refused::Unreachable(error.kind())),
            Ok(metadata) if !metadata.is_file() => return Err(Refused::NotAFile),
            Ok(_) => {}
        }
        self.real(&path).ok_or(Refused::Link)
    }

    /// Whether a path that exists lies inside the folder after all links are followed.
    #[cfg(feature = "dynamic")]
    pub(crate) fn really_contains(&self, path: &Path) -> bool {
        self.real(path).is_some()
    }

    fn real(&self, path: &Path) -> Option<PathBuf> {
        let real = fs::canonicalize(path).ok()?;
        real.starts_with(&self.real).then_some(real)
    }
}

/// [`Folder::relative`] for a folder that need not exist. `named` is absolute and lexically normalized.
pub(crate) fn relative_to(named: &Path, reference: &str) -> Result<String, Refused> {
    if is_plain(reference) {
        return Ok(reference.into());
    }
    let written = Path::new(reference);
    if matches!(
        written.components().next(),
        Some(Component::Prefix(_) | Component::RootDir)
    ) {
        return Err(Refused::Absolute);
    }
    let path = normalized(&named.join(written));
    let relative = path.strip_prefix(named).ok().and_then(with_slashes);
    relative.ok_or(Refused::Outside)
}

/// Whether a reference is spelled as [`relative_to`] would spell it, as nearly all are: names of letters, digits,
/// dashes and underscores, with dots inside, and one slash between them. This looks no further than it has to.
fn is_plain(reference: &str) -> bool {
    let is_name = |name: &str| {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        !name.is_empty()
            && !name.starts_with('.')
            && !name.ends_with('.')
            && name.bytes().all(plain)
    };
    reference.split('/').all(is_name)
}

/// The bytes of a file: at most one more than `allowance`, which tells the caller that there are more.
/// Pipes and devices are refused before they are opened, since opening one may block.
pub(crate) fn read_regular_file(path: &Path, allowance: u64) -> io::Result<Vec<u8>> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        let message = "it is not a regular file";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    let mut bytes = Vec::new();
    // With room for all of it, and one byte more, the whole file is read at once.
    let room = metadata.len().min(allowance).saturating_add(1);
    if let Ok(room) = usize::try_from(room) {
        bytes.try_reserve_exact(room)?;
    }
    File::open(path)?
        .take(allowance.saturating_add(1))
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A relative path in the spelling of the protocol. `None` if it is not Unicode.
fn with_slashes(path: &Path) -> Option<String> {
    let steps: Option<Vec<&str>> = path
        .components()
        .map(|component| component.as_os_str().to_str())
        .collect();
    Some(steps?.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn references_are_normalized_and_stay_inside() {
        let spelled = |reference| relative_to(Path::new("/provider"), reference);
        for (reference, expected) in [
            ("./a//b.yaml", "a/b.yaml"),
            ("a/../b.yaml", "b.yaml"),
            ("a/..", ""),
            ("..a/b", "..a/b"),
            ("../provider/a", "a"),
            ("a-b_c/d.e.yaml", "a-b_c/d.e.yaml"),
            ("a/", "a"),
            ("a/.", "a"),
            ("", ""),
            ("a/.b", "a/.b"),
        ] {
            assert_eq!(spelled(reference).unwrap(), expected);
            assert_eq!(is_plain(reference), reference == "a-b_c/d.e.yaml");
        }
        for outside in ["../a", "a/../../provider2/b", ".."] {
            assert!(
                matches!(spelled(outside), Err(Refused::Outside)),
                "{outside}"
            );
        }
        assert!(matches!(spelled("/provider/a"), Err(Refused::Absolute)));
    }
}
