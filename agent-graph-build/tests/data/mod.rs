//! Recorded answers and folders to play in. The environment variable `AGENT_GRAPH_CONFORMANCE` names a
//! folder with more recorded answers than the selection in the workspace.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;

/// The folder of recorded answers.
pub(crate) fn data() -> PathBuf {
    let selection = || workspace_tests().join("conformance");
    std::env::var_os("AGENT_GRAPH_CONFORMANCE").map_or_else(selection, PathBuf::from)
}

/// The folder of the workspace's suites.
pub(crate) fn workspace_tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests")
}

/// The JSON value in a file.
pub(crate) fn json(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"))
}

/// The folders below `folder`, sorted.
pub(crate) fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| path.is_dir());
    paths.sort();
    paths
}

/// The name of a folder.
pub(crate) fn name(folder: &Path) -> &str {
    folder.file_name().unwrap().to_str().unwrap()
}

/// Every file below a folder with its bytes, by its path in the folder.
pub(crate) fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(directory) = pending.pop() {
        for entry in fs::read_dir(&directory).into_iter().flatten().flatten() {
            let path = entry.path();
            if entry.file_type().unwrap().is_dir() {
                pending.push(path);
            } else {
                let relative = path.strip_prefix(folder).unwrap().to_str().unwrap();
                // A link may lead nowhere.
                files.insert(relative.to_owned(), fs::read(&path).unwrap_or_default());
            }
        }
    }
    files
}

/// A folder that goes away with its test: `root` for a provider, `outside` beside it.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = format!("agent-graph-build-{}-{number}", std::process::id());
        let path = fs::canonicalize(std::env::temp_dir()).unwrap().join(folder);
        fs::create_dir_all(path.join("root")).unwrap();
        fs::create_dir_all(path.join("outside")).unwrap();
        Self(path)
    }

    /// One that holds a copy of `folder`.
    pub(crate) fn with(folder: &Path) -> Self {
        let scratch = Self::new();
        copy(folder, &scratch.root());
        scratch
    }

    /// The folder itself.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// The folder for a provider.
    pub(crate) fn root(&self) -> PathBuf {
        self.0.join("root")
    }

    /// The folder beside it.
    pub(crate) fn outside(&self) -> PathBuf {
        self.0.join("outside")
    }

    /// Writes a file below `root`.
    pub(crate) fn write(&self, path: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    /// The text with the folders of this machine for their placeholders.
    pub(crate) fn fill_in(&self, text: &str) -> String {
        text.replace("<provider-root>", self.root().to_str().unwrap())
            .replace("<outside>", self.outside().to_str().unwrap())
    }

    /// A copy of a recorded mistake with its set-up done.
    pub(crate) fn of_mistake(vector: &Path, expected: &Value) -> Self {
        let scratch = Self::with(&vector.join("files"));
        for step in expected["setup"].as_array().into_iter().flatten() {
            scratch.set_up(step);
        }
        if expected["substitute"] == true {
            for (path, bytes) in tree(&scratch.root()) {
                if let Ok(text) = String::from_utf8(bytes) {
                    scratch.write(&path, scratch.fill_in(&text));
                }
            }
        }
        scratch
    }

    fn set_up(&self, step: &Value) {
        let text = self.fill_in(step["text"].as_str().unwrap_or(""));
        if let Some(path) = step["outside"].as_str() {
            fs::write(self.outside().join(path), text).unwrap();
        } else if let Some(path) = step["write"].as_str() {
            self.write(path, text);
        } else if let Some(path) = step["symlink"].as_str() {
            let link = self.root().join(path);
            fs::create_dir_all(link.parent().unwrap()).unwrap();
            let _ = fs::remove_file(&link);
            #[cfg(unix)]
            std::os::unix::fs::symlink(self.fill_in(step["target"].as_str().unwrap()), link)
                .unwrap();
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Copies a folder and everything below it.
pub(crate) fn copy(from: &Path, to: &Path) {
    for (path, bytes) in tree(from) {
        let target = to.join(path);
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::write(target, bytes).unwrap();
    }
}
