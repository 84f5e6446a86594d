//! Absolute paths without detours, by their text alone. Knows nothing about files.

use std::io;
use std::path::{Component, Path, PathBuf};

/// The path without `.`, `..` and doubled slashes, by its text alone. `path` is absolute.
pub fn normalized(path: &Path) -> PathBuf {
    let mut normalized = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            // Above the root there is the root: `pop` leaves it.
            Component::ParentDir => {
                normalized.pop();
            }
            other => normalized.push(other),
        }
    }
    normalized
}

/// The absolute path that a host means by `path`, normalized; a relative one is below the current
/// directory. Only for what a host names in a call that reads or writes anyway.
///
/// # Errors
/// Whatever the system says about the current directory.
pub fn absolute(path: &Path) -> io::Result<PathBuf> {
    Ok(normalized(&std::path::absolute(path)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detours_disappear_and_the_root_has_no_parent() {
        let plain = |path: &str| normalized(Path::new(path)).to_str().map(str::len);
        assert_eq!(
            normalized(Path::new("/a/./b//c/../d/")),
            Path::new("/a/b/d")
        );
        assert_eq!(plain("/a/b/d/"), Some("/a/b/d".len()));
        assert_eq!(normalized(Path::new("/../../a")), Path::new("/a"));
    }
}
