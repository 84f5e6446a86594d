//! A folder that is put into its place as a whole: written beside it, synchronized, then renamed. Whoever
//! looks sees all of it or none of it. Knows nothing about what the files hold.

use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{Step, create_temporary, folder, step, synchronize_folder};

use crate::ordered::Set;

/// A folder beside its target, not yet in its place. Dropped, it goes away with all that is in it.
#[derive(Debug)]
pub struct PreparedFolder {
    target: PathBuf,
    temporary: PathBuf,
    /// Itself and the folders inside.
    folders: Set<PathBuf>,
}

impl PreparedFolder {
    /// An empty folder in the folder of the target, which has to exist.
    ///
    /// # Errors
    /// Whatever the file system says; then nothing is left behind.
    pub fn beside(target: &Path) -> io::Result<Self> {
        let ((), temporary) = create_temporary(folder(target), |path| fs::create_dir(path))?;
        Ok(Self {
            target: target.into(),
            folders: Set::from_iter([temporary.clone()]),
            temporary,
        })
    }

    /// Writes and synchronizes a new file at a path inside.
    ///
    /// # Errors
    /// Whatever the file system says.
    pub fn write(&mut self, relative: &str, content: &[u8]) -> io::Result<()> {
        let path = self.temporary.join(relative);
        self.create_folders(folder(&path))?;
        step(Step::CreateTemporary)?;
        let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
        step(Step::Write)?;
        file.write_all(content)?;
        step(Step::Synchronize)?;
        file.sync_all()
    }

    fn create_folders(&mut self, path: &Path) -> io::Result<()> {
        let missing = path.ancestors();
        let missing: alloc::vec::Vec<&Path> = missing
            .take_while(|folder| !self.folders.contains(*folder))
            .collect();
        for folder in missing.into_iter().rev() {
            step(Step::CreateFolder)?;
            fs::create_dir(folder)?;
            self.folders.insert(folder.into());
        }
        Ok(())
    }

    /// Where it is until it is in its place.
    pub fn path(&self) -> &Path {
        &self.temporary
    }

    /// Makes the names in it survive a crash, as its files do already.
    ///
    /// # Errors
    /// Whatever the file system says.
    pub fn synchronize(&self) -> io::Result<()> {
        let mut folders = self.folders.iter();
        folders.try_for_each(|folder| synchronize_folder(folder))
    }

    /// Puts the folder into its place, where there is nothing or an empty folder, with the permissions of
    /// the latter.
    ///
    /// # Errors
    /// Whatever the file system says. What was at the target is still there, unless only synchronizing the
    /// folder around it failed: then this one is there and may not survive a crash of the machine.
    pub fn place(self, permissions: Option<Permissions>) -> io::Result<()> {
        if let Some(permissions) = permissions {
            fs::set_permissions(&self.temporary, permissions)?;
        }
        self.synchronize()?;
        step(Step::Rename)?;
        if cfg!(not(unix)) {
            // Elsewhere a folder is not renamed over an empty one.
            let _ = fs::remove_dir(&self.target);
        }
        fs::rename(&self.temporary, &self.target)?;
        synchronize_folder(folder(&self.target))
    }
}

impl Drop for PreparedFolder {
    fn drop(&mut self) {
        // Nobody else knows the name; after a rename there is nothing to remove.
        let _ = fs::remove_dir_all(&self.temporary);
    }
}

#[cfg(test)]
mod tests {
    use super::super::faults;
    use super::super::tests::Scratch;
    use super::*;

    fn prepared(target: &Path) -> io::Result<PreparedFolder> {
        let mut prepared = PreparedFolder::beside(target)?;
        prepared.write("a", b"1")?;
        prepared.write("b/c/d", b"2")?;
        prepared.write("b/c/e", b"3")?;
        Ok(prepared)
    }

    fn create(target: &Path) -> io::Result<()> {
        prepared(target)?.place(None)
    }

    #[test]
    fn a_folder_takes_its_place_with_everything_in_it() {
        let scratch = Scratch::new();
        let target = scratch.join("folder");
        create(&target).unwrap();
        assert_eq!(fs::read(target.join("b/c/e")).unwrap(), b"3");
        assert_eq!(scratch.names(), ["folder"]);
        assert!(create(&target).is_err());
        assert_eq!(scratch.names(), ["folder"]);
    }

    #[test]
    fn a_file_is_not_written_twice() {
        let scratch = Scratch::new();
        let mut prepared = prepared(&scratch.join("folder")).unwrap();
        let refused = prepared.write("a", b"2").unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        drop(prepared);
        assert!(scratch.names().is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn an_empty_folder_is_replaced_and_hands_its_permissions_on() {
        use std::os::unix::fs::PermissionsExt;

        let scratch = Scratch::new();
        let target = scratch.join("folder");
        fs::create_dir(&target).unwrap();
        let private = Permissions::from_mode(0o700);
        prepared(&target).unwrap().place(Some(private)).unwrap();
        let mode = fs::metadata(&target).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        assert_eq!(fs::read(target.join("a")).unwrap(), b"1");
    }

    #[test]
    fn whatever_step_fails_nothing_is_left_behind() {
        let mut failures = 0;
        for failing in faults::ALL {
            for nth in 1.. {
                let scratch = Scratch::new();
                let target = scratch.join("folder");
                let result = faults::failing(failing, nth, || create(&target));
                if result.is_ok() {
                    break;
                }
                failures += 1;
                // The last folder to be synchronized is the one around it.
                let complete = failing == Step::SynchronizeFolder && target.exists();
                let expected: &[&str] = if complete { &["folder"] } else { &[] };
                assert_eq!(scratch.names(), expected, "{failing:?} {nth}");
            }
        }
        // Two folders, four creations, three writes, three files, four folders and one rename.
        assert_eq!(failures, 2 + 4 + 3 + 3 + 4 + 1);
    }
}
