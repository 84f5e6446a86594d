//! A folder of one thread that is gone when it is no longer needed. Knows nothing about what is put into it.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, process};

/// The folder.
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    /// A new empty folder.
    ///
    /// # Panics
    /// When the system does not give one.
    pub fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("agent-graph-properties-{}-{number}", process::id());
        let folder = env::temp_dir().join(name);
        // Links in the way would be part of every path that a check sees.
        fs::create_dir_all(&folder).expect("there is a folder for temporary files");
        Self(fs::canonicalize(folder).expect("it has just been made"))
    }

    /// A new folder with these files. A file that cannot be written, because another one has the name of its
    /// folder, is left out.
    pub fn with(files: &[(String, Vec<u8>)]) -> Self {
        let scratch = Self::new();
        for (path, content) in files {
            let path = scratch.0.join(path);
            let made = path.parent().map(fs::create_dir_all);
            if made.is_some_and(|made| made.is_ok()) {
                let _ = fs::write(path, content);
            }
        }
        scratch
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The bytes of a file in it.
    pub fn read(&self, path: &str) -> Option<Vec<u8>> {
        fs::read(self.0.join(path)).ok()
    }
}

impl Default for Scratch {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
