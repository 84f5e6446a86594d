//! Writing files so that a crash at any point leaves the old content or the new one, and what was
//! acknowledged stays: a temporary file beside the target, written and synchronized, then renamed or
//! linked, then the folder synchronized. Knows nothing about what is written.

mod tree;

use alloc::format;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicU64, Ordering};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

pub use tree::PreparedFolder;

/// Complete content beside its target, not yet in its place. Dropped, it goes away.
#[derive(Debug)]
pub struct Prepared {
    target: PathBuf,
    temporary: PathBuf,
}

impl Prepared {
    /// Writes and synchronizes the content in the folder of the target, which has to exist. A file that is to
    /// be replaced hands its permissions on, and its owner and group as far as the process may give files
    /// away.
    ///
    /// # Errors
    /// Whatever the file system says; then nothing is left behind.
    pub fn write(target: &Path, content: &[u8], replaced: Option<&Metadata>) -> io::Result<Self> {
        Self::write_as(target, content, |file| match replaced {
            Some(replaced) => {
                hand_on_owner(file, replaced);
                // After that: changing the owner takes permissions away.
                file.set_permissions(replaced.permissions())
            }
            None => Ok(()),
        })
    }

    /// Writes and synchronizes content that is for its owner alone.
    ///
    /// # Errors
    /// As [`Prepared::write`].
    #[cfg(unix)]
    pub fn write_private(target: &Path, content: &[u8]) -> io::Result<Self> {
        use std::os::unix::fs::PermissionsExt;
        Self::write_as(target, content, |file| {
            file.set_permissions(fs::Permissions::from_mode(0o600))
        })
    }

    /// `settle` makes the file, still empty, what it is to be.
    fn write_as(
        target: &Path,
        content: &[u8],
        settle: impl FnOnce(&File) -> io::Result<()>,
    ) -> io::Result<Self> {
        let (mut file, temporary) = create_temporary(folder(target), |path| {
            OpenOptions::new().write(true).create_new(true).open(path)
        })?;
        // From here on, dropping removes the file.
        let prepared = Self {
            target: target.into(),
            temporary,
        };
        settle(&file)?;
        write_all(&mut file, content)?;
        step(Step::Synchronize)?;
        file.sync_all()?;
        Ok(prepared)
    }

    /// Puts the content into its place; a file or link that is there is replaced.
    ///
    /// # Errors
    /// Whatever the file system says. What was at the target is still there, unless only
    /// synchronizing the folder failed: then the new content is there and may not survive a crash
    /// of the machine.
    pub fn replace(self) -> io::Result<()> {
        step(Step::Rename)?;
        fs::rename(&self.temporary, &self.target)?;
        synchronize_folder(folder(&self.target))
    }

    /// Puts the content into its place if nothing is there, not even a dangling link.
    ///
    /// # Errors
    /// [`ErrorKind::AlreadyExists`], or whatever the file system says.
    pub fn create(self) -> io::Result<()> {
        step(Step::Rename)?;
        match fs::hard_link(&self.temporary, &self.target) {
            Ok(()) => {}
            Err(error) if is_without_links(&error) => return self.create_without_links(),
            Err(error) => return Err(error),
        }
        synchronize_folder(folder(&self.target))
    }

    /// Some file systems have no hard links. There an empty file reserves the name first, so that a
    /// crash in between may leave an empty file; it never replaces one.
    fn create_without_links(self) -> io::Result<()> {
        OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&self.target)?;
        let target = self.target.clone();
        self.replace().inspect_err(|_| {
            let _ = fs::remove_file(target);
        })
    }
}

impl Drop for Prepared {
    fn drop(&mut self) {
        // After a rename there is nothing to remove; otherwise nobody else knows the name.
        let _ = fs::remove_file(&self.temporary);
    }
}

/// Writes a file, replacing what is there.
///
/// # Errors
/// Those of [`Prepared::write`] and [`Prepared::replace`].
pub fn replace(target: &Path, content: &[u8]) -> io::Result<()> {
    Prepared::write(target, content, None)?.replace()
}

/// Adds content to a file that has this length, and synchronizes it. What is behind that goes away: a crash has
/// left it of an addition that nobody was told of.
///
/// # Errors
/// Whatever the file system says; then all of the content may be there, a part of it, or nothing.
pub fn append(path: &Path, length: u64, content: &[u8]) -> io::Result<()> {
    step(Step::Open)?;
    let mut file = OpenOptions::new().write(true).open(path)?;
    step(Step::Cut)?;
    file.set_len(length)?;
    file.seek(SeekFrom::Start(length))?;
    write_all(&mut file, content)?;
    step(Step::Synchronize)?;
    file.sync_data()
}

fn write_all(file: &mut File, content: &[u8]) -> io::Result<()> {
    step(Step::Write)?;
    #[cfg(test)]
    faults::wrote(content.len());
    if let Err(error) = step(Step::WriteAll) {
        // As a full disk does it.
        let part = content.get(..content.len() / 2).unwrap_or(content);
        file.write_all(part)?;
        return Err(error);
    }
    file.write_all(content)
}

/// Waits until nobody else has locked this file, which is made if it is not there and stays. The lock is
/// released with what is returned.
///
/// # Errors
/// Whatever the file system says.
pub fn lock(path: &Path) -> io::Result<File> {
    step(Step::Lock)?;
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    let file = options.open(path)?;
    file.lock()?;
    Ok(file)
}

/// Takes away what crashes have left of writers in a folder. Only for whoever keeps other writers away.
pub fn remove_leftovers(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(TEMPORARY.0) && name.ends_with(TEMPORARY.1) {
            // Nobody needs it, and nobody is hindered by it.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// How the names of temporary files begin and end.
const TEMPORARY: (&str, &str) = (".agent-graph-", ".tmp");

/// Creates a folder and those around it, so that they survive a crash.
///
/// # Errors
/// Whatever the file system says; folders that were created stay.
pub fn create_folders(path: &Path) -> io::Result<()> {
    let missing: Vec<&Path> = path
        .ancestors()
        .take_while(|folder| !folder.as_os_str().is_empty() && !folder.is_dir())
        .collect();
    for &missing in missing.iter().rev() {
        step(Step::CreateFolder)?;
        match fs::create_dir(missing) {
            Ok(()) => synchronize_folder(folder(missing))?,
            // Somebody else was faster.
            Err(error) if error.kind() == ErrorKind::AlreadyExists && missing.is_dir() => {}
            // Not what was to be made is there, but something in its way.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                let message = format!("{} is no folder", missing.display());
                return Err(io::Error::new(ErrorKind::NotADirectory, message));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// The folder that a file is in.
pub fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// A new file or folder with a name that nobody uses: no other thread by the counter, no other process by
/// its id, and what a crash left behind is passed over.
fn create_temporary<T>(
    folder: &Path,
    create: impl Fn(&Path) -> io::Result<T>,
) -> io::Result<(T, PathBuf)> {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    const ATTEMPTS: usize = 10_000;
    step(Step::CreateTemporary)?;
    for _ in 0..ATTEMPTS {
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let (start, end) = TEMPORARY;
        let name = format!("{start}{}-{number}{end}", std::process::id());
        let path = folder.join(name);
        match create(&path) {
            Ok(created) => return Ok((created, path)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    let message = format!("{} holds too many temporary files", folder.display());
    Err(io::Error::new(ErrorKind::AlreadyExists, message))
}

/// Gives a new file to whom the old one belongs. Only a privileged process may; for others the file is their
/// own, as before.
#[cfg(unix)]
fn hand_on_owner(file: &File, old: &Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};

    let differs = file
        .metadata()
        .is_ok_and(|new| (new.uid(), new.gid()) != (old.uid(), old.gid()));
    if differs && fchown(file, Some(old.uid()), Some(old.gid())).is_err() {
        // A member of a group may hand files to that group.
        let _ = fchown(file, None, Some(old.gid()));
    }
}

#[cfg(not(unix))]
fn hand_on_owner(_: &File, _: &Metadata) {}

fn is_without_links(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::Unsupported | ErrorKind::PermissionDenied
    )
}

/// Makes names in a folder survive a crash. Elsewhere than on Unix a folder cannot be opened for it.
///
/// # Errors
/// Whatever the file system says; the names are in place all the same.
pub fn synchronize_folder(folder: &Path) -> io::Result<()> {
    let synchronized = step(Step::SynchronizeFolder).and_then(|()| {
        if cfg!(unix) {
            File::open(folder)?.sync_all()?;
        }
        Ok(())
    });
    synchronized.map_err(|error| {
        let message = format!("the name is in place, but may not survive a crash: {error}");
        io::Error::new(error.kind(), message)
    })
}

/// What may fail while a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    CreateFolder,
    CreateTemporary,
    Lock,
    Open,
    Cut,
    Write,
    /// A part is written before it fails.
    WriteAll,
    Synchronize,
    Rename,
    SynchronizeFolder,
}

#[cfg(not(test))]
fn step(_: Step) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
use faults::step;

/// Lets tests make any step of any writer fail.
#[cfg(test)]
pub(crate) mod faults {
    use core::cell::Cell;
    use std::io;
    use std::thread_local;

    use super::Step;

    thread_local! {
        static FAILING: Cell<Option<(Step, usize)>> = const { Cell::new(None) };
        static WRITTEN: Cell<usize> = const { Cell::new(0) };
    }

    /// Every step where a writer that locks and appends can fail, beside those of all writers.
    #[cfg(feature = "pi")]
    pub(crate) const APPENDING: [Step; 3] = [Step::Lock, Step::Open, Step::Cut];

    /// Every step where a writer can fail.
    pub(crate) const ALL: [Step; 7] = [
        Step::CreateFolder,
        Step::CreateTemporary,
        Step::Write,
        Step::WriteAll,
        Step::Synchronize,
        Step::Rename,
        Step::SynchronizeFolder,
    ];

    /// Runs `work` on this thread with the step failing when it is taken for the `nth` time.
    pub(crate) fn failing<T>(step: Step, nth: usize, work: impl FnOnce() -> T) -> T {
        FAILING.set(Some((step, nth)));
        let result = work();
        FAILING.set(None);
        result
    }

    /// The bytes that writers wrote on this thread.
    #[cfg(feature = "pi")]
    pub(crate) fn written() -> usize {
        WRITTEN.get()
    }

    pub(super) fn wrote(bytes: usize) {
        WRITTEN.set(WRITTEN.get() + bytes);
    }

    pub(super) fn step(step: Step) -> io::Result<()> {
        match FAILING.get() {
            Some((failing, 1)) if failing == step => {
                FAILING.set(None);
                Err(io::Error::from(io::ErrorKind::StorageFull))
            }
            Some((failing, nth)) if failing == step => {
                FAILING.set(Some((failing, nth - 1)));
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use alloc::string::String;

    use super::*;

    /// A folder that goes away with its test.
    pub(crate) struct Scratch(PathBuf);

    impl Scratch {
        pub(crate) fn new() -> Self {
            static COUNTER: AtomicU64 = AtomicU64::new(0);
            let number = COUNTER.fetch_add(1, Ordering::Relaxed);
            let name = format!("agent-graph-unit-{}-{number}", std::process::id());
            let path = std::env::temp_dir().join(name);
            let _ = fs::remove_dir_all(&path);
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        pub(crate) fn join(&self, name: &str) -> PathBuf {
            self.0.join(name)
        }

        /// The names in the folder, sorted.
        pub(crate) fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.0).unwrap();
            let mut names: Vec<String> = entries
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect();
            names.sort();
            names
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn replacing_writes_the_content_and_leaves_nothing_else() {
        let scratch = Scratch::new();
        let path = scratch.join("a");
        replace(&path, b"old").unwrap();
        replace(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(scratch.names(), ["a"]);
    }

    #[test]
    fn creating_refuses_whatever_is_there() {
        let scratch = Scratch::new();
        fs::write(scratch.join("file"), "kept").unwrap();
        fs::create_dir(scratch.join("folder")).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("nowhere", scratch.join("link")).unwrap();
        for name in [
            "file",
            "folder",
            #[cfg(unix)]
            "link",
        ] {
            let prepared = Prepared::write(&scratch.join(name), b"new", None).unwrap();
            let refused = prepared.create().unwrap_err();
            assert_eq!(refused.kind(), ErrorKind::AlreadyExists, "{name}");
        }
        assert_eq!(fs::read(scratch.join("file")).unwrap(), b"kept");
        assert!(scratch.names().iter().all(|name| !name.ends_with(".tmp")));
    }

    #[test]
    fn creating_without_links_reserves_the_name_first() {
        let scratch = Scratch::new();
        let prepare = |name: &str| Prepared::write(&scratch.join(name), b"new", None).unwrap();
        fs::write(scratch.join("there"), "kept").unwrap();
        let refused = prepare("there").create_without_links().unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::AlreadyExists);
        prepare("a").create_without_links().unwrap();
        assert_eq!(fs::read(scratch.join("a")).unwrap(), b"new");
        faults::failing(Step::Rename, 1, || prepare("b").create_without_links()).unwrap_err();
        assert_eq!(scratch.names(), ["a", "there"]);
    }

    #[test]
    fn a_failing_step_leaves_the_old_content_and_no_temporary_file() {
        for failing in faults::ALL {
            if matches!(failing, Step::CreateFolder | Step::SynchronizeFolder) {
                continue;
            }
            let scratch = Scratch::new();
            let path = scratch.join("a");
            fs::write(&path, "old").unwrap();
            let failed = faults::failing(failing, 1, || replace(&path, b"new"));
            assert_eq!(failed.unwrap_err().kind(), ErrorKind::StorageFull);
            assert_eq!(fs::read(&path).unwrap(), b"old", "{failing:?}");
            assert_eq!(scratch.names(), ["a"], "{failing:?}");
        }
    }

    #[test]
    fn a_folder_that_cannot_be_synchronized_is_not_acknowledged() {
        let scratch = Scratch::new();
        let path = scratch.join("a");
        let failed = faults::failing(Step::SynchronizeFolder, 1, || replace(&path, b"new"));
        assert!(failed.is_err());
        assert_eq!(scratch.names(), ["a"]);
    }

    #[test]
    fn renaming_over_a_folder_fails_and_leaves_it() {
        let scratch = Scratch::new();
        fs::create_dir_all(scratch.join("a/inside")).unwrap();
        assert!(replace(&scratch.join("a"), b"new").is_err());
        assert_eq!(scratch.names(), ["a"]);
        assert!(scratch.join("a/inside").is_dir());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_at_the_target_is_replaced_and_not_followed() {
        let scratch = Scratch::new();
        fs::write(scratch.join("victim"), "kept").unwrap();
        std::os::unix::fs::symlink("victim", scratch.join("a")).unwrap();
        replace(&scratch.join("a"), b"new").unwrap();
        assert_eq!(fs::read(scratch.join("victim")).unwrap(), b"kept");
        assert!(scratch.join("a").symlink_metadata().unwrap().is_file());
    }

    #[cfg(unix)]
    #[test]
    fn permissions_are_handed_on() {
        use std::os::unix::fs::PermissionsExt;

        let scratch = Scratch::new();
        let path = scratch.join("a");
        fs::write(&path, b"old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        let old = fs::metadata(&path).unwrap();
        let prepared = Prepared::write(&path, b"new", Some(&old)).unwrap();
        prepared.replace().unwrap();
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn folders_are_created_once_and_a_file_in_the_way_is_an_error() {
        let scratch = Scratch::new();
        create_folders(&scratch.join("a/b/c")).unwrap();
        create_folders(&scratch.join("a/b/c")).unwrap();
        assert!(scratch.join("a/b/c").is_dir());
        fs::write(scratch.join("file"), "").unwrap();
        assert!(create_folders(&scratch.join("file/b")).is_err());
        let failed = faults::failing(Step::CreateFolder, 2, || {
            create_folders(&scratch.join("x/y"))
        });
        assert!(failed.is_err());
    }
}
