//! One directory, in the order of its names: systems list entries in any order, and what is found or
//! refused first must not depend on it. Knows nothing about providers.

use crate::ordered;
use alloc::vec::Vec;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;

/// The entries of a directory, sorted by name; `None` if there are more than `most`.
pub(super) fn entries(
    directory: &Path,
    most: usize,
) -> io::Result<Option<Vec<(OsString, fs::FileType)>>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if entries.len() >= most {
            return Ok(None);
        }
        entries.push((entry.file_name(), entry.file_type()?));
    }
    #[cfg(test)]
    order::changed(&mut entries);
    ordered::sort_by(&mut entries, |(a, _), (b, _)| a.cmp(b));
    Ok(Some(entries))
}

/// The order in which a system might list a directory, for tests.
#[cfg(test)]
pub(in crate::load) mod order {
    use core::cell::Cell;
    use std::thread_local;

    thread_local! {
        static ROTATED: Cell<usize> = const { Cell::new(0) };
    }

    /// Runs something while directories are listed backwards, beginning so many entries later.
    pub(in crate::load) fn with<R>(rotated: usize, run: impl FnOnce() -> R) -> R {
        ROTATED.set(rotated);
        let result = run();
        ROTATED.set(0);
        result
    }

    pub(super) fn changed<T>(entries: &mut [T]) {
        let rotated = ROTATED.get();
        if rotated > 0 && !entries.is_empty() {
            entries.reverse();
            let middle = rotated % entries.len();
            entries.rotate_left(middle);
        }
    }
}
