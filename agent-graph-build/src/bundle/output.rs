//! The directory that a bundle is built in. Knows what may be there and how it is replaced as a whole;
//! nothing about what the files hold.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use agent_graph_runtime::durable::{self, PreparedFolder};
use agent_graph_runtime::json::Value;
use agent_graph_runtime::load::Loaded;
use agent_graph_runtime::{Code, Finding, Place, paths};

use super::{MANIFEST_JSON, at_manifest, files};

/// A directory that a bundle may be built in.
pub(super) struct Output {
    /// Absolute.
    path: PathBuf,
    /// Where findings are: there is no place in the provider that says where to build.
    place: Place,
}

impl Output {
    /// Refuses a directory that holds files of the provider, and one that holds something else than a
    /// bundle.
    pub(super) fn check(loaded: &Loaded, path: &Path) -> Result<Self, Finding> {
        let place = Place::start_of(loaded.definition.manifest.file.clone());
        let unusable = |error: io::Error| {
            let message = format!("the output {} cannot be used: {error}", path.display());
            at_manifest(loaded, Code::FileWriteFailed, message)
        };
        let absolute = paths::absolute(path).map_err(unusable)?;
        let output = Self {
            path: absolute,
            place,
        };
        if let Some(file) = output.overlap(loaded) {
            let message = format!(
                "the output {} would replace `{file}`",
                output.path.display()
            );
            return Err(at_manifest(
                loaded,
                Code::BuildOutputOverlapsSource,
                message,
            ));
        }
        output.check_occupation()?;
        Ok(output)
    }

    /// The file of the provider that lies in the output; `.` when the output is the provider's folder.
    fn overlap(&self, loaded: &Loaded) -> Option<String> {
        let real = real_path(&self.path);
        let contains =
            |file: &Path| file.starts_with(&self.path) || real_path(file).starts_with(&real);
        if contains(&loaded.root) {
            return Some(".".to_owned());
        }
        let mut files = files(loaded).map(|(path, _)| path);
        let found = files.find(|path| contains(&loaded.root.join(path)));
        found.map(str::to_owned)
    }

    fn check_occupation(&self) -> Result<(), Finding> {
        let refuse = |what: &str| {
            let path = self.path.display();
            let message = format!("{path} is {what}, and only a bundle is replaced");
            Err(Finding::error(
                Code::BuildOutputOccupied,
                self.place.clone(),
                message,
            ))
        };
        match fs::symlink_metadata(&self.path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(self.failed("looked at", &error)),
            Ok(there) if there.is_symlink() => return refuse("a symbolic link"),
            Ok(there) if !there.is_dir() => return refuse("no directory"),
            Ok(_) => {}
        }
        let mut found = BTreeSet::new();
        list(&self.path, &mut found).map_err(|error| self.failed("read", &error))?;
        if found.is_empty() {
            return Ok(());
        }
        let Some(listed) = listed_files(&self.path) else {
            return refuse("a directory that holds something else");
        };
        match found.difference(&listed).next() {
            None => Ok(()),
            Some(other) => {
                let other = other.strip_prefix(&self.path).unwrap_or(other);
                refuse(&format!(
                    "a bundle with another file in it, {}",
                    other.display()
                ))
            }
        }
    }

    /// Writes the files to a directory beside the output, then puts that in its place.
    pub(super) fn replace<'f>(
        &self,
        files: impl Iterator<Item = (&'f str, &'f [u8])>,
    ) -> Result<(), Finding> {
        let around = durable::folder(&self.path);
        durable::create_folders(around).map_err(|error| self.failed("created", &error))?;
        let draft = PreparedFolder::beside(&self.path);
        let mut draft = draft.map_err(|error| self.failed("created", &error))?;
        for (path, bytes) in files {
            draft.write(path, bytes).map_err(|error| {
                if error.kind() == ErrorKind::AlreadyExists {
                    let message =
                        format!("`{path}` is the same file as another one on this system");
                    let place = Place::start_of(Arc::from(path));
                    return Finding::error(Code::BuildPathUnportable, place, message);
                }
                self.failed(&format!("written: {path}"), &error)
            })?;
        }
        // Somebody may have put something there meanwhile.
        self.check_occupation()?;
        let placed = replace(draft, &self.path);
        placed.map_err(|error| self.failed("put in its place", &error))
    }

    fn failed(&self, what: &str, error: &io::Error) -> Finding {
        let message = format!("{} cannot be {what}: {error}", self.path.display());
        Finding::error(Code::FileWriteFailed, self.place.clone(), message)
    }
}

/// Puts the directory where the output is. What was there is removed once it is out of the way.
fn replace(draft: PreparedFolder, output: &Path) -> io::Result<()> {
    match fs::remove_dir(output) {
        // An empty directory, or none, is no loss.
        Ok(()) => return draft.place(None),
        Err(error) if error.kind() == ErrorKind::NotFound => return draft.place(None),
        Err(_) => {}
    }
    draft.synchronize()?;
    if exchange(draft.path(), output).is_ok() {
        // The draft is the old bundle now, and goes away.
        return durable::synchronize_folder(durable::folder(output));
    }
    // A system that cannot exchange two directories: for a moment nothing is there.
    let old = unused_beside(output)?;
    fs::rename(output, &old)?;
    if let Err(error) = fs::rename(draft.path(), output) {
        // Back with it; if that fails too, the old bundle has to stay where it is.
        fs::rename(&old, output)?;
        return Err(error);
    }
    // Nobody else knows the name.
    let _ = fs::remove_dir_all(&old);
    durable::synchronize_folder(durable::folder(output))
}

/// Exchanges two directories in one step.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn exchange(a: &Path, b: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE).map_err(io::Error::from)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::Error::from(ErrorKind::Unsupported))
}

/// A hidden name beside the output that is not taken.
fn unused_beside(output: &Path) -> io::Result<PathBuf> {
    const ATTEMPTS: u32 = 10_000;
    let name = output.file_name().unwrap_or_default().to_string_lossy();
    let process = std::process::id();
    for attempt in 0..ATTEMPTS {
        let path = output.with_file_name(format!(".{name}.{process}-{attempt}.old"));
        if fs::symlink_metadata(&path).is_err_and(|error| error.kind() == ErrorKind::NotFound) {
            return Ok(path);
        }
    }
    Err(io::Error::from(ErrorKind::AlreadyExists))
}

/// The files that the bundle in a directory lists, and its manifest. None if there is no bundle.
fn listed_files(directory: &Path) -> Option<BTreeSet<PathBuf>> {
    let manifest = directory.join(MANIFEST_JSON);
    let text = fs::read_to_string(&manifest).ok()?;
    let value = Value::from_json(&text).ok()?;
    let bundle = value.as_object()?;
    if bundle.get("schema").and_then(Value::as_str) != Some("agent-graph.bundle.v1") {
        return None;
    }
    let files = bundle.get("files")?.as_array()?.iter();
    let paths = files.filter_map(|file| file.as_object()?.get("path")?.as_str());
    let mut listed: BTreeSet<PathBuf> = paths.map(|path| directory.join(path)).collect();
    listed.insert(manifest);
    Some(listed)
}

/// Everything below a directory that is no directory itself; links are not followed.
fn list(directory: &Path, found: &mut BTreeSet<PathBuf>) -> io::Result<()> {
    let mut pending = vec![directory.to_owned()];
    while let Some(directory) = pending.pop() {
        for entry in fs::read_dir(directory)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                pending.push(entry.path());
            } else {
                found.insert(entry.path());
            }
        }
    }
    Ok(())
}

/// The path with links resolved, as far as it exists.
fn real_path(path: &Path) -> PathBuf {
    for existing in path.ancestors() {
        if let (Ok(real), Ok(rest)) = (fs::canonicalize(existing), path.strip_prefix(existing)) {
            return real.join(rest);
        }
    }
    path.to_owned()
}
