//! Loads resources (spec 3.5). Knows nothing about who refers to a resource.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::definition::{Content, Resource};
use super::report::Report;
use super::resource;
use super::sources::Sources;
use crate::Place;
use crate::ordered::Map;

/// The resources loaded so far.
#[derive(Default)]
pub(super) struct Resources {
    /// In the order in which they were first loaded.
    pub(super) list: Vec<Resource>,
    /// By normalized path; none where the file could not be loaded, which has been reported.
    by_file: Map<Arc<str>, Option<usize>>,
    by_id: Map<String, usize>,
}

impl Resources {
    /// The index of the resource at `path`, loaded if it is the first time. What is wrong is reported once.
    pub(super) fn load(
        &mut self,
        path: &str,
        place: &Place,
        sources: &mut Sources,
        report: &mut Report,
    ) -> Option<usize> {
        let file = sources.find(path, place, "resource", report)?;
        if let Some(known) = self.by_file.get(&file) {
            return *known;
        }
        let loaded = self.load_file(&file, place, sources, report);
        self.by_file.insert(file, loaded);
        loaded
    }

    fn load_file(
        &mut self,
        file: &Arc<str>,
        named_at: &Place,
        sources: &mut Sources,
        report: &mut Report,
    ) -> Option<usize> {
        let source = sources.read(file, named_at, report)?;
        let warn = |findings: &[crate::Finding]| {
            report.add_all(findings.iter().cloned());
        };
        let mut resource = match resource::read(file, &source.bytes, warn) {
            Ok(resource) => resource,
            Err(findings) => {
                report.add_all(findings);
                return None;
            }
        };
        if let Content::File(content) = &mut resource.content {
            content.file = sources.find(&content.path, &content.place, "content", report)?;
        }
        report.add_all(resource::unusual_id(&resource));
        if let Some(first) = self.by_id.get(&resource.id.value).copied() {
            if let Some(first) = self.list.get(first) {
                report.add(resource::duplicate_id(first, &resource, named_at));
            }
        } else {
            self.by_id
                .insert(resource.id.value.clone(), self.list.len());
        }
        self.list.push(resource);
        Some(self.list.len() - 1)
    }
}
