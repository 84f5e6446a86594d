//! The files of the provider that is being loaded, as the checks ask for them: what goes wrong is
//! reported once, at the place that named the path. Knows nothing about contents.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use std::path::{Path, PathBuf};

use super::document::{Document, Format};
use super::files::{ContainedPath, Files, SkillFiles, SourceFile};
use super::report::Report;
use crate::ordered::Map;
use crate::{Finding, Place};

/// Normalized paths that are shared.
type Paths = Arc<[Arc<str>]>;

/// The files of a provider.
pub(super) struct Sources {
    files: Files,
    /// What each authored path leads to; none where that is nowhere, which has been reported.
    found: Map<String, Option<Arc<str>>>,
    /// Every file that was found; none where it could not be read, which has been reported.
    contained: Map<Arc<str>, Option<ContainedPath>>,
    /// The files of each skill directory, as they were listed and by their paths.
    skills: Map<String, (Arc<SkillFiles>, Paths)>,
    /// The links in those directories.
    links: Map<Arc<str>, Finding>,
}

impl Sources {
    pub(super) fn new(files: Files) -> Self {
        Self {
            files,
            found: Map::new(),
            contained: Map::new(),
            skills: Map::new(),
            links: Map::new(),
        }
    }

    /// The folder of the manifest, absolute.
    pub(super) fn root(&self) -> &Path {
        self.files.root()
    }

    /// Takes note of a file that is known to lie in the folder.
    pub(super) fn know(&mut self, path: &ContainedPath) -> Arc<str> {
        let file = path.as_arc();
        self.contained.keep(file.clone(), Some(path.clone()));
        file.clone()
    }

    /// The normalized path of the file that `path` leads to; `what` says what it is for.
    pub(super) fn find(
        &mut self,
        path: &str,
        place: &Place,
        what: &str,
        report: &mut Report,
    ) -> Option<Arc<str>> {
        if let Some(known) = self.found.get(path) {
            return known.clone();
        }
        if report.is_full() {
            return None;
        }
        let found = match self.files.locate(path, what, place) {
            Ok(file) => Some(self.know(&file)),
            Err(finding) => {
                report.add(finding);
                None
            }
        };
        self.found.insert(path.into(), found.clone());
        found
    }

    /// A file that was found, read once. None if it cannot be read.
    pub(super) fn read(
        &mut self,
        file: &Arc<str>,
        place: &Place,
        report: &mut Report,
    ) -> Option<Arc<SourceFile>> {
        let path = self.contained.get(file)?.as_ref()?;
        match self.files.read(path, place) {
            Ok(file) => Some(file),
            Err(finding) => {
                report.add(finding);
                self.contained.insert(file.clone(), None);
                None
            }
        }
    }

    /// The text of a file that has been read.
    pub(super) fn text(&self, file: &Arc<str>) -> Option<&[u8]> {
        let path = self.contained.get(file)?.as_ref()?;
        self.files.text(path)
    }

    /// The document in a file.
    pub(super) fn document(
        &mut self,
        file: &Arc<str>,
        place: &Place,
        report: &mut Report,
    ) -> Option<Document> {
        let source = self.read(file, place, report)?;
        match Document::parse(file.clone(), &source.bytes, Format::of_path(file)) {
            Ok(document) => {
                report.add_all(document.warnings().iter().cloned());
                Some(document)
            }
            Err(finding) => {
                report.add(finding);
                None
            }
        }
    }

    /// The files that belong to a skill. Skills in one directory share the list.
    pub(super) fn skill_files(
        &mut self,
        skill: &Arc<str>,
        place: &Place,
        report: &mut Report,
    ) -> Paths {
        let Some(Some(path)) = self.contained.get(skill) else {
            return Arc::default();
        };
        let listed = match self.files.skill_files(path, place) {
            Ok(listed) => listed,
            Err(finding) => {
                report.add(finding);
                return Arc::default();
            }
        };
        let directory = skill
            .rsplit_once('/')
            .map_or("", |(directory, _)| directory);
        if let Some((known, files)) = self.skills.get(directory)
            && Arc::ptr_eq(known, &listed)
        {
            return files.clone();
        }
        let links = listed.warnings.iter();
        let links = links.map(|warning| (warning.place.file.clone(), warning.clone()));
        self.links.extend(links);
        let files: Paths = listed.files.iter().map(|path| self.know(path)).collect();
        self.skills
            .insert(directory.into(), (listed, files.clone()));
        files
    }

    /// Links in skill directories that belong to nothing.
    pub(super) fn skipped_links(&self) -> impl Iterator<Item = Finding> {
        let links = self.links.iter();
        let unnamed = links.filter(|(file, _)| !self.contained.contains_key(*file));
        unnamed.map(|(_, warning)| warning.clone())
    }

    /// Every file in the folder, whether anything names it or not. None if there are too many.
    pub(super) fn everything(&mut self) -> Option<Vec<String>> {
        self.files.everything()
    }

    /// The files that have been read, absolute and sorted.
    pub(super) fn watched(&self) -> Vec<PathBuf> {
        self.files.watched()
    }

    /// The directories that have been listed, absolute and sorted.
    pub(super) fn watched_directories(&self) -> Vec<PathBuf> {
        self.files.watched_directories()
    }
}
