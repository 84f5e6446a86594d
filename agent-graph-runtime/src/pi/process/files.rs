//! The files of an attempt: its system prompt, the session of its thread, its artifact. All of them are for
//! their owner alone, and none of them is reached through a link that somebody else could have placed. Knows
//! nothing about processes.

use alloc::format;
use alloc::string::String;
use core::sync::atomic::{AtomicU64, Ordering};
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use super::{in_unicode, unprepared};
use crate::durable::Prepared;
use crate::pi::agent::{Artifact, Found, Session, is_plain};
use crate::pi::run::{Failure, RunCode};

const PRIVATE_FOLDER: u32 = 0o700;
const PRIVATE_FILE: u32 = 0o600;

/// A file that goes away with its handle.
pub(super) struct Temporary(PathBuf);

impl Temporary {
    pub(super) fn write(folder: &Path, content: &str) -> io::Result<Self> {
        let (mut file, path) = create_temporary(folder)?;
        // From here on, dropping removes the file.
        let temporary = Self(path);
        file.write_all(content.as_bytes())?;
        Ok(temporary)
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// A new file with a name that nobody uses. The folder may be everybody's: what is there already, a link
/// included, is passed over.
fn create_temporary(folder: &Path) -> io::Result<(File, PathBuf)> {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    const ATTEMPTS: usize = 100;
    for _ in 0..ATTEMPTS {
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let time = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let (process, time) = (std::process::id(), time.as_nanos());
        let path = folder.join(format!("agent-graph-prompt-{process}-{number}-{time}.md"));
        match create_private(&path) {
            Ok(file) => return Ok((file, path)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

fn create_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(PRIVATE_FILE);
    options.open(path)
}

/// The folder of a run below a root: made for the owner alone, and no link.
fn run_folder(root: &Path, run_id: &str) -> io::Result<PathBuf> {
    if !is_plain(run_id) {
        return Err(io::Error::other("the id of the run is no plain name"));
    }
    let mut builder = DirBuilder::new();
    builder.mode(PRIVATE_FOLDER);
    builder.recursive(true).create(root)?;
    let folder = root.join(run_id);
    match builder.recursive(false).create(&folder) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error),
    }
    if !fs::symlink_metadata(&folder)?.is_dir() {
        return Err(io::Error::other("the folder of the run is no folder"));
    }
    Ok(folder)
}

fn look(path: &Path) -> io::Result<Found> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_file() => Ok(Found::RegularFile),
        Ok(_) => Ok(Found::Other),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Found::Nothing),
        Err(error) => Err(error),
    }
}

/// Makes sure that the session file of a thread is there and may be used.
pub(super) fn open_session(
    session: &Session,
    threads: Option<&Path>,
    run_id: &str,
) -> Result<(), Failure> {
    let unusable = |error: io::Error| {
        let message = format!("the sessions of threads cannot be kept: {error}");
        Failure::new(RunCode::ThreadSessionDirectory, message)
    };
    let root = threads.ok_or_else(|| unusable(ErrorKind::NotFound.into()))?;
    run_folder(root, run_id).map_err(unusable)?;
    let path = Path::new(&session.path);
    if session.admit(look(path).map_err(unusable)?)? {
        // Whoever was faster is not trusted.
        create_private(path).map_err(|error| {
            let message = format!("the session {} cannot be created: {error}", session.path);
            Failure::new(RunCode::ThreadSessionInvalid, message)
        })?;
    }
    Ok(())
}

/// Stores an artifact and gives its URI. What is there already under its name, which tells the content, is
/// left as it is.
pub(super) fn store(
    artifacts: Option<&Path>,
    run_id: &str,
    artifact: Artifact<'_>,
) -> Result<String, Failure> {
    let unusable = |error: io::Error| {
        let message = format!("artifacts cannot be kept: {error}");
        Failure::new(RunCode::ArtifactDirectory, message)
    };
    let Some(root) = artifacts else {
        let message = "there is no folder for artifacts";
        return Err(Failure::new(RunCode::ArtifactDirectory, message));
    };
    let path = run_folder(root, run_id)
        .map_err(unusable)?
        .join(artifact.name);
    let uri = in_unicode(&path)?;
    if look(&path).map_err(unusable)? == Found::Nothing {
        let prepared = Prepared::write_private(&path, artifact.content.as_bytes());
        match prepared.and_then(Prepared::create) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => {
                return Err(unprepared(&format!(
                    "the artifact cannot be stored: {error}"
                )));
            }
        }
    }
    match look(&path).map_err(unusable)? {
        Found::RegularFile => Ok(uri),
        Found::Nothing | Found::Other => {
            let message = format!("the artifact {uri} is no regular file");
            Err(Failure::new(RunCode::ArtifactPathInvalid, message))
        }
    }
}
