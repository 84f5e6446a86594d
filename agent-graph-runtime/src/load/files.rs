//! The files of one provider: which references lead to a file inside its folder (spec 3.2), and
//! reading each file once. Knows nothing about what the files hold.

pub(super) mod directory;

use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::limits::{DIRECTORY_DEPTH, PROVIDER_BYTES, PROVIDER_FILES};
use super::nearest;
use crate::code::Code;
use crate::contained::{Folder, Refused, read_regular_file};
use crate::digest::Digest;
use crate::finding::{Finding, Place};
use crate::ordered::{self, Map, Set};
use crate::paths::normalized;

/// A file below the folder of the manifest: its normalized path relative to that folder, with
/// forward slashes. Only [`Files`] makes these, after the checks of containment, so two equal ones
/// are the same file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ContainedPath(Arc<str>);

impl ContainedPath {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// For documents and places.
    pub(crate) fn as_arc(&self) -> &Arc<str> {
        &self.0
    }
}

impl fmt::Display for ContainedPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A file that has been read. The digest is that of exactly these bytes.
#[derive(Debug)]
pub(crate) struct SourceFile {
    pub(crate) bytes: Vec<u8>,
    pub(crate) digest: Digest,
}

/// The files that belong to a skill, sorted, and the links that do not.
#[derive(Debug, Default)]
pub(crate) struct SkillFiles {
    pub(crate) files: Vec<ContainedPath>,
    /// Findings `link-skipped`.
    pub(crate) warnings: Vec<Finding>,
}

/// The folder of a provider manifest and what has been read from it.
#[derive(Debug)]
pub(crate) struct Files {
    /// Absolute and lexically normalized; links in it are not resolved.
    folder: Folder,
    read: Map<ContainedPath, Arc<SourceFile>>,
    read_bytes: u64,
    skills: Map<String, Arc<SkillFiles>>,
    /// Whether the whole folder has been listed.
    listed: bool,
}

impl Files {
    /// The folder of the manifest, and the manifest's place in it.
    ///
    /// # Errors
    /// `file-missing` if the path names no regular file, `file-name-invalid` if its name is not
    /// Unicode.
    pub(crate) fn of_manifest(manifest: &Path) -> Result<(Self, ContainedPath), Finding> {
        let name = manifest.file_name().unwrap_or(manifest.as_os_str());
        let place = Place::start_of(name.to_string_lossy().into());
        let missing = |state: &dyn fmt::Display| {
            let message = format!("the manifest {state}");
            Finding::error(Code::FileMissing, place.clone(), message)
        };
        let unreachable = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => missing(&"does not exist"),
            kind => missing(&format_args!("cannot be reached: {kind}")),
        };
        if manifest.as_os_str().is_empty() {
            return Err(missing(&"has no name: its path is empty"));
        }
        let absolute = std::path::absolute(manifest).map_err(unreachable)?;
        let absolute = normalized(&absolute);
        let metadata = fs::metadata(&absolute).map_err(unreachable)?;
        if metadata.is_dir() {
            let finding = missing(&"is a folder");
            return Err(finding.with_hint("name the file in it that lists the graphs"));
        }
        if !metadata.is_file() {
            return Err(missing(&"is not a regular file"));
        }
        // A file has a name, and a folder around it.
        let (Some(root), Some(name)) = (absolute.parent(), absolute.file_name()) else {
            return Err(missing(&"has no folder around it"));
        };
        let Some(name) = name.to_str() else {
            let message = "the name of the manifest is not Unicode";
            return Err(Finding::error(Code::FileNameInvalid, place, message));
        };
        let files = Self {
            folder: Folder::at(root).map_err(unreachable)?,
            read: Map::new(),
            read_bytes: 0,
            skills: Map::new(),
            listed: false,
        };
        Ok((files, ContainedPath(name.into())))
    }

    /// The folder of the manifest, absolute.
    pub(crate) fn root(&self) -> &Path {
        self.folder.named()
    }

    /// The absolute path of a file.
    pub(crate) fn absolute(&self, path: &ContainedPath) -> PathBuf {
        self.root().join(path.as_str())
    }

    /// Every file that has been read, absolute and sorted.
    pub(crate) fn watched(&self) -> Vec<PathBuf> {
        let paths: Set<PathBuf> = self.read.keys().map(|path| self.absolute(path)).collect();
        paths.into_iter().collect()
    }

    /// Every directory that has been listed, absolute and sorted.
    pub(crate) fn watched_directories(&self) -> Vec<PathBuf> {
        let skills = self.skills.keys().map(|path| self.root().join(path));
        let folder = self.listed.then(|| PathBuf::from(self.root()));
        let paths: Set<PathBuf> = skills.chain(folder).collect();
        paths.into_iter().collect()
    }

    /// The file that a reference leads to. `what` says what the file is for, such as "action";
    /// `at` is where the reference is written.
    ///
    /// # Errors
    /// In this order: `absolute-path-forbidden`, `path-outside-provider`, `file-missing`,
    /// `path-symlink-outside-provider`.
    pub(crate) fn locate(
        &self,
        reference: &str,
        what: &str,
        at: &Place,
    ) -> Result<ContainedPath, Finding> {
        let refuse = |code, problem: &str| {
            Finding::error(
                code,
                at.clone(),
                format!("the {what} `{}` {problem}", quotable(reference)),
            )
        };
        let relative = self.folder.relative(reference).map_err(|refused| {
            let (code, problem) = match refused {
                Refused::Absolute => (Code::AbsolutePathForbidden, "is an absolute path"),
                _ => (
                    Code::PathOutsideProvider,
                    "leads out of the folder of the manifest",
                ),
            };
            refuse(code, problem)
        })?;
        let missing = |problem: &str| {
            let finding = refuse(Code::FileMissing, problem);
            match self.nearest_existing(&relative) {
                Some(existing) => finding.with_hint(format!("did you mean `{existing}`?")),
                None => finding,
            }
        };
        if let Err(refused) = self.folder.file(&relative) {
            return Err(match refused {
                Refused::NotAFile => missing("is not a regular file"),
                Refused::Unreachable(kind) => missing(&format!("cannot be reached: {kind}")),
                Refused::Link => refuse(
                    Code::PathSymlinkOutsideProvider,
                    "leads through a link out of the folder of the manifest",
                ),
                _ => missing("does not exist"),
            });
        }
        Ok(ContainedPath(relative.into()))
    }

    /// The bytes of a file. Each file is opened once: whoever asks again gets the same bytes.
    ///
    /// # Errors
    /// `file-read-failed`, or `input-limit` if the provider is too large.
    pub(crate) fn read(
        &mut self,
        path: &ContainedPath,
        at: &Place,
    ) -> Result<Arc<SourceFile>, Finding> {
        if let Some(file) = self.read.get(path) {
            return Ok(file.clone());
        }
        if self.read.len() >= PROVIDER_FILES {
            let message = format!("the provider has more than {PROVIDER_FILES} files");
            return Err(Finding::error(Code::InputLimit, at.clone(), message));
        }
        let allowance = PROVIDER_BYTES.saturating_sub(self.read_bytes);
        let bytes = read_regular_file(&self.absolute(path), allowance).map_err(|error| {
            let message = format!(
                "`{}` cannot be read: {}",
                quotable(path.as_str()),
                error.kind()
            );
            Finding::error(Code::FileReadFailed, at.clone(), message)
        })?;
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if length > allowance {
            let message =
                format!("the files of the provider have more than {PROVIDER_BYTES} bytes");
            return Err(Finding::error(Code::InputLimit, at.clone(), message));
        }
        self.read_bytes += length;
        let file = Arc::new(SourceFile {
            digest: Digest::of_bytes(&bytes),
            bytes,
        });
        self.read.insert(path.clone(), file.clone());
        Ok(file)
    }

    /// The bytes of a file that has been read.
    pub(crate) fn text(&self, path: &ContainedPath) -> Option<&[u8]> {
        self.read.get(path).map(|file| file.bytes.as_slice())
    }

    /// The files that belong to the skill: every regular file below its directory, hidden ones
    /// included, links not; only the skill itself if its directory is that of the manifest.
    ///
    /// # Errors
    /// `path-symlink-outside-provider`, `file-read-failed`, `file-name-invalid` or `input-limit`.
    pub(crate) fn skill_files(
        &mut self,
        skill: &ContainedPath,
        at: &Place,
    ) -> Result<Arc<SkillFiles>, Finding> {
        let Some((directory, _)) = skill.as_str().rsplit_once('/') else {
            return Ok(Arc::new(SkillFiles {
                files: Vec::from([skill.clone()]),
                warnings: Vec::new(),
            }));
        };
        let listed = match self.skills.get(directory) {
            Some(listed) => listed.clone(),
            None => {
                let listed = Arc::new(self.list(directory, at)?);
                self.skills.insert(directory.into(), listed.clone());
                listed
            }
        };
        if listed.files.binary_search(skill).is_ok() {
            return Ok(listed);
        }
        // The skill itself is a link inside the provider: links are skipped, what is named is not.
        let mut files = listed.files.clone();
        files.push(skill.clone());
        ordered::sort_by(&mut files, Ord::cmp);
        let warnings = listed.warnings.iter();
        let warnings = warnings.filter(|warning| warning.place.file != skill.0);
        Ok(Arc::new(SkillFiles {
            files,
            warnings: warnings.cloned().collect(),
        }))
    }

    fn list(&self, directory: &str, at: &Place) -> Result<SkillFiles, Finding> {
        let absolute = self.root().join(directory);
        if !self.folder.really_contains(&absolute) {
            let (code, problem) = match absolute.try_exists() {
                Ok(true) => (
                    Code::PathSymlinkOutsideProvider,
                    "leads through a link out of the folder of the manifest",
                ),
                _ => (Code::FileReadFailed, "cannot be read: it is gone"),
            };
            let message = format!("the directory `{}` {problem}", quotable(directory));
            return Err(Finding::error(code, at.clone(), message));
        }
        let mut listed = SkillFiles::default();
        let mut seen = 0;
        let mut pending = Vec::from([(String::from(directory), 1)]);
        while let Some((directory, depth)) = pending.pop() {
            for (path, kind) in self.entries(&directory, &mut seen, at)? {
                if kind.is_symlink() {
                    listed.warnings.push(Finding::warning(
                        Code::LinkSkipped,
                        Place::start_of(path.into()),
                        "the link is neither packaged nor hashed",
                    ));
                } else if kind.is_dir() {
                    if depth >= DIRECTORY_DEPTH {
                        let message = format!(
                            "the directories of the skill nest more than {DIRECTORY_DEPTH} levels deep"
                        );
                        return Err(Finding::error(Code::InputLimit, at.clone(), message));
                    }
                    pending.push((path, depth + 1));
                } else if kind.is_file() {
                    listed.files.push(ContainedPath(path.into()));
                }
            }
        }
        ordered::sort_by(&mut listed.files, Ord::cmp);
        ordered::sort_by(&mut listed.warnings, |a, b| a.place.cmp(&b.place));
        Ok(listed)
    }

    /// The entries of one directory as relative paths; `seen` counts those of the whole listing.
    fn entries(
        &self,
        directory: &str,
        seen: &mut usize,
        at: &Place,
    ) -> Result<Vec<(String, fs::FileType)>, Finding> {
        let unreadable = |error: io::Error| {
            let message = format!(
                "the directory `{}` cannot be read: {}",
                quotable(directory),
                error.kind()
            );
            Finding::error(Code::FileReadFailed, at.clone(), message)
        };
        let left = PROVIDER_FILES.saturating_sub(*seen);
        let listed = directory::entries(&self.root().join(directory), left).map_err(unreadable)?;
        let Some(listed) = listed else {
            let message =
                format!("the directory of the skill has more than {PROVIDER_FILES} entries");
            return Err(Finding::error(Code::InputLimit, at.clone(), message));
        };
        *seen += listed.len();
        let mut entries = Vec::new();
        for (name, kind) in listed {
            let Some(name) = name.to_str() else {
                let message = format!(
                    "the name `{}` in the directory `{}` is not Unicode",
                    quotable(&name.to_string_lossy()),
                    quotable(directory)
                );
                return Err(Finding::error(Code::FileNameInvalid, at.clone(), message));
            };
            entries.push((format!("{directory}/{name}"), kind));
        }
        Ok(entries)
    }

    /// Everything below the folder that is no directory, links included, as relative paths, sorted. What
    /// cannot be listed is left out; `None` if there is more than a provider may have.
    pub(crate) fn everything(&mut self) -> Option<Vec<String>> {
        self.listed = true;
        let mut found = Vec::new();
        let mut seen = 0;
        let mut pending = Vec::from([(String::new(), 1)]);
        while let Some((directory, depth)) = pending.pop() {
            let left = PROVIDER_FILES.saturating_sub(seen);
            let Ok(entries) = directory::entries(&self.root().join(&directory), left) else {
                continue;
            };
            let entries = entries?;
            seen += entries.len();
            for (name, kind) in entries {
                let name = name.to_string_lossy();
                let path = match directory.as_str() {
                    "" => name.into_owned(),
                    directory => format!("{directory}/{name}"),
                };
                if kind.is_dir() && depth < DIRECTORY_DEPTH {
                    pending.push((path, depth + 1));
                } else {
                    found.push(path);
                }
            }
        }
        ordered::sort_by(&mut found, Ord::cmp);
        Some(found)
    }

    /// The existing file whose path is closest to one that does not exist.
    fn nearest_existing(&self, relative: &str) -> Option<String> {
        let mut found = String::new();
        for step in relative.split('/') {
            let names = names_in(&self.root().join(&found))?;
            let known = names.iter().map(String::as_str);
            let name = match names.binary_search_by(|name| name.as_str().cmp(step)) {
                Ok(_) => step,
                Err(_) => nearest::nearest(step, known)?,
            };
            if !found.is_empty() {
                found.push('/');
            }
            found.push_str(name);
        }
        let is_file = fs::symlink_metadata(self.root().join(&found)).is_ok_and(|it| it.is_file());
        is_file.then_some(found)
    }
}

/// The names in a directory, sorted, links left out: hints do not lead anywhere else. Nothing for a
/// directory too large to look through.
fn names_in(directory: &Path) -> Option<Vec<String>> {
    const MOST_ENTRIES: usize = 500;
    let entries = directory::entries(directory, MOST_ENTRIES).ok()??;
    let real = entries.into_iter().filter(|(_, kind)| !kind.is_symlink());
    let mut names: Vec<String> = real
        .filter_map(|(name, _)| name.into_string().ok())
        .collect();
    ordered::sort_by(&mut names, Ord::cmp);
    Some(names)
}

/// A path as messages quote it: on one line, and not longer than one.
fn quotable(path: &str) -> String {
    const LONGEST: usize = 200;
    let mut quotable = String::new();
    for c in path.chars().take(LONGEST) {
        if c.is_control() {
            quotable.extend(c.escape_default());
        } else {
            quotable.push(c);
        }
    }
    if path.chars().nth(LONGEST).is_some() {
        quotable.push('…');
    }
    quotable
}

#[cfg(test)]
mod tests;
