//! Which providers are baked, and where they lie: shared by the build script, which bakes them, and by
//! the tests, which load the same files. Knows nothing about what is done with them.

use std::path::{Path, PathBuf};
use std::{fs, io};

use serde_json::Value;

use crate::{random, written};

/// The environment variable that names another directory of conformance vectors.
pub const DIRECTORY_VARIABLE: &str = "AGENT_GRAPH_CONFORMANCE";

/// A provider on disk.
#[derive(Clone, Debug)]
pub struct Source {
    /// What the tests call it, for example `providers/001`.
    pub name: String,
    /// Its manifest.
    pub manifest: PathBuf,
}

/// The providers of a directory of conformance vectors.
pub fn of_conformance(directory: &Path) -> io::Result<Vec<Source>> {
    let mut sources = Vec::new();
    for folder in folders(&directory.join("providers"))? {
        let digests = read_json(&folder.join("digests.json"))?;
        let manifest = digests["manifest"].as_str().unwrap_or("provider.yaml");
        sources.push(Source {
            name: format!("providers/{}", file_name(&folder)),
            manifest: folder.join("provider").join(manifest),
        });
    }
    Ok(sources)
}

/// The worked examples of the specification.
pub fn of_examples(directory: &Path) -> io::Result<Vec<Source>> {
    Ok(folders(directory)?
        .into_iter()
        .map(|folder| Source {
            name: format!("examples/{}", file_name(&folder)),
            manifest: folder.join(written::MANIFEST),
        })
        .collect())
}

/// The random providers, which lie below `directory` once [`write_random`] has put them there.
pub fn of_chance(directory: &Path) -> Vec<Source> {
    (0..random::COUNT)
        .map(|seed| Source {
            name: format!("random/{seed}"),
            manifest: directory.join(seed.to_string()).join(written::MANIFEST),
        })
        .collect()
}

/// Writes the random providers.
pub fn write_random(directory: &Path) -> io::Result<()> {
    for seed in 0..random::COUNT {
        let folder = directory.join(seed.to_string());
        // A skill folder counts with every file in it, so nothing of an earlier draw may stay.
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        write_files(&folder, &written::files(&random::provider(seed)))?;
    }
    Ok(())
}

/// Writes files below a folder.
pub fn write_files(folder: &Path, files: &[(String, String)]) -> io::Result<()> {
    for (path, text) in files {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, text)?;
    }
    Ok(())
}

/// The folders in a directory, in order of their names.
pub fn folders(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut folders = Vec::new();
    if directory.is_dir() {
        for entry in fs::read_dir(directory)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            }
        }
    }
    folders.sort();
    Ok(folders)
}

/// Reads a JSON file of the vectors.
pub fn read_json(path: &Path) -> io::Result<Value> {
    let bytes = fs::read(path).map_err(|error| named(path, error))?;
    serde_json::from_slice(&bytes).map_err(|error| named(path, error.into()))
}

fn named(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

fn file_name(path: &Path) -> String {
    path.file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}
