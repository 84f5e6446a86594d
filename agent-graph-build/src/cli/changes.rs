//! Files that a command is about to write: new ones first, then the ones that take another's place, all or
//! nothing. Knows paths and bytes only.

use std::fs;
use std::path::{Path, PathBuf};

use agent_graph_runtime::durable::{self, Prepared};
use agent_graph_runtime::{Code, Step};

use super::failure::Failure;

/// Files to write, in the order in which they are written.
pub(super) struct Changes {
    root: PathBuf,
    created: Vec<(PathBuf, Vec<u8>)>,
    replaced: Vec<(PathBuf, Vec<u8>)>,
}

impl Changes {
    /// No changes yet; paths are relative to `root`.
    pub(super) fn in_folder(root: &Path) -> Self {
        Self {
            root: root.into(),
            created: Vec::new(),
            replaced: Vec::new(),
        }
    }

    /// A file that must not be there yet.
    pub(super) fn create(&mut self, path: impl AsRef<Path>, bytes: impl Into<Vec<u8>>) {
        self.created.push((self.root.join(path), bytes.into()));
    }

    /// A file that takes the place of what is there.
    pub(super) fn replace(&mut self, path: impl AsRef<Path>, bytes: impl Into<Vec<u8>>) {
        self.replaced.push((self.root.join(path), bytes.into()));
    }

    /// Refuses to create what is there, whatever it is, with this code.
    pub(super) fn check(&self, code: Code) -> Result<(), Failure> {
        for (path, _) in &self.created {
            if fs::symlink_metadata(path).is_ok() {
                let message = format!("{} is there already", path.display());
                return Err(Failure::new(code, message));
            }
        }
        Ok(())
    }

    /// Writes everything, and takes it back when `accept` refuses the result; tells `watch` how far it is.
    pub(super) fn write(
        self,
        code: Code,
        watch: &mut dyn FnMut(Step<'_>),
        accept: impl FnOnce() -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        self.check(code)?;
        let mut undo = Undo::default();
        let count = self.created.len() + self.replaced.len();
        for (number, (path, bytes)) in (1..).zip(&self.created) {
            watch(Step::counted("writing file", number, count));
            undo.create_folders(durable::folder(path))
                .map_err(|error| failed(path, &error))?;
            let prepared = Prepared::write(path, bytes, None);
            prepared
                .and_then(Prepared::create)
                .map_err(|error| failed(path, &error))?;
            undo.created.push(path.clone());
        }
        for (path, bytes) in &self.replaced {
            let old = fs::read(path).ok();
            durable::replace(path, bytes).map_err(|error| failed(path, &error))?;
            match old {
                Some(old) => undo.replaced.push((path.clone(), old)),
                None => undo.created.push(path.clone()),
            }
        }
        watch(Step::new("checking what was written"));
        accept()?;
        undo.forget();
        Ok(())
    }
}

fn failed(path: &Path, error: &std::io::Error) -> Failure {
    let message = format!("{} cannot be written: {error}", path.display());
    Failure::new(Code::FileWriteFailed, message)
}

/// Takes back what was written, unless it is told to forget it.
#[derive(Default)]
struct Undo {
    folders: Vec<PathBuf>,
    created: Vec<PathBuf>,
    replaced: Vec<(PathBuf, Vec<u8>)>,
}

impl Undo {
    fn create_folders(&mut self, folder: &Path) -> std::io::Result<()> {
        let missing = folder.ancestors().take_while(|folder| !folder.exists());
        let missing: Vec<PathBuf> = missing.map(Path::to_owned).collect();
        durable::create_folders(folder)?;
        self.folders.extend(missing.into_iter().rev());
        Ok(())
    }

    fn forget(&mut self) {
        // Not by an assignment: that would drop, and so take back, what is forgotten.
        self.folders.clear();
        self.created.clear();
        self.replaced.clear();
    }
}

impl Drop for Undo {
    fn drop(&mut self) {
        // What cannot be taken back stays: the failure that led here is the one to report.
        for (path, old) in self.replaced.drain(..) {
            let _ = durable::replace(&path, &old);
        }
        for path in self.created.drain(..) {
            let _ = fs::remove_file(path);
        }
        for folder in self.folders.drain(..).rev() {
            let _ = fs::remove_dir(folder);
        }
    }
}
