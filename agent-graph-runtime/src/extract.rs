//! Puts the files of a compiled-in provider into a folder: all of them or none, never over anything else.
//! The one place where files that are compiled in meet the file system.

use alloc::format;
use alloc::string::String;
use std::fs::{self, Permissions};
use std::io::{self, ErrorKind};
use std::path::Path;

use crate::code::Code;
use crate::contained::read_regular_file;
use crate::durable::{self, PreparedFolder};
use crate::embedded::Embedded;
use crate::error::Error;
use crate::installed::Installed;

impl Embedded {
    /// The provider installed in `folder`, with its files written there unless they are there already.
    ///
    /// The folder is written beside its place and renamed: however many threads and processes extract at
    /// once, and wherever one of them is stopped, there are all files or none. Nothing is ever replaced. A
    /// folder that is there has to be empty, or to hold every file as it is compiled in, each a file and no
    /// link; what it holds besides does not matter. So a host names a folder that is not there yet, such as
    /// one named after [`Provider::digest`](crate::Provider::digest) in its cache, and not a mounted one,
    /// which cannot be renamed over.
    ///
    /// Files are written without permission to execute them. A writer that was killed may leave a folder
    /// beside the target that begins with `.agent-graph-` and ends with `.tmp`; it can be removed.
    ///
    /// # Errors
    ///
    /// [`Code::FileChanged`] when the bytes are not those that the provider was compiled from,
    /// [`Code::ExtractConflict`] when something else is there, [`Code::FileWriteFailed`] when the folder
    /// cannot be written, [`Code::FileReadFailed`] when what is there cannot be looked at,
    /// [`Code::FileNameInvalid`] when the path of the folder is not Unicode.
    pub fn extract(&self, folder: impl AsRef<Path>) -> Result<Installed, Error> {
        self.verify()?;
        let installed = Installed::unverified(self.provider(), folder.as_ref())?;
        let root = installed.root();
        let there = There::at(root).map_err(|error| {
            Error::new(Code::FileReadFailed, format!("{}: {error}", root.display()))
        })?;
        if !matches!(there, There::Something) {
            let written = self.write(root, there);
            // Whoever was faster has put the same files there, and whatever else is there is a conflict.
            let beaten = written.is_err() && matches!(There::at(root), Ok(There::Something));
            if !beaten {
                written.map_err(|error| {
                    let message = format!("{} cannot be written: {error}", root.display());
                    Error::new(Code::FileWriteFailed, message)
                })?;
            }
        }
        self.compare(root)?;
        Ok(installed)
    }

    fn write(&self, root: &Path, there: There) -> io::Result<()> {
        durable::create_folders(durable::folder(root))?;
        let mut prepared = PreparedFolder::beside(root)?;
        for (path, content) in self.files() {
            prepared.write(path, content)?;
        }
        prepared.place(match there {
            There::EmptyFolder(permissions) => Some(permissions),
            There::Nothing | There::Something => None,
        })
    }

    /// Whether the folder holds every file as it is compiled in, and no link on the way to one.
    fn compare(&self, root: &Path) -> Result<(), Error> {
        let conflict = |path: &Path, problem: &str| {
            let message = format!("{} {problem}", path.display());
            Error::new(Code::ExtractConflict, message)
        };
        let folder = |path: &Path| match fs::symlink_metadata(path) {
            Ok(there) if there.is_symlink() => Err(conflict(path, "is a symbolic link")),
            Ok(there) if !there.is_dir() => Err(conflict(path, "is no folder")),
            Ok(_) => Ok(()),
            Err(error) => Err(conflict(path, &unreachable(&error))),
        };
        folder(root)?;
        for (relative, content) in self.files() {
            for (end, _) in relative.match_indices('/') {
                folder(&root.join(relative.get(..end).unwrap_or_default()))?;
            }
            let path = root.join(relative);
            match fs::symlink_metadata(&path) {
                Ok(there) if there.is_symlink() => {
                    return Err(conflict(&path, "is a symbolic link"));
                }
                Ok(there) if !there.is_file() => return Err(conflict(&path, "is no file")),
                Ok(_) => {}
                Err(error) => return Err(conflict(&path, &unreachable(&error))),
            }
            let length = u64::try_from(content.len()).unwrap_or(u64::MAX);
            match read_regular_file(&path, length) {
                Ok(found) if found == content => {}
                Ok(_) => return Err(conflict(&path, "differs from the file that is embedded")),
                Err(error) => return Err(conflict(&path, &unreachable(&error))),
            }
        }
        Ok(())
    }
}

fn unreachable(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => String::from("is missing in a folder that is not empty"),
        _ => format!("cannot be read: {error}"),
    }
}

/// What is in the place of the folder.
enum There {
    Nothing,
    EmptyFolder(Permissions),
    Something,
}

impl There {
    fn at(path: &Path) -> io::Result<Self> {
        let there = match fs::symlink_metadata(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::Nothing),
            Err(error) => return Err(error),
            Ok(there) => there,
        };
        if there.is_dir() && fs::read_dir(path)?.next().is_none() {
            return Ok(Self::EmptyFolder(there.permissions()));
        }
        Ok(Self::Something)
    }
}

#[cfg(test)]
mod tests;
