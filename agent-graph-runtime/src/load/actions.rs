//! Loads actions and collects the files that belong to them (spec 3.6). Knows nothing about who refers
//! to an action.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::decode;
use super::definition::{Action, FileReference};
use super::document::Document;
use super::report::Report;
use super::shape::{self, Shape};
use super::sources::Sources;
use crate::ordered::Map;
use crate::{Code, Finding, Place};

/// The actions loaded so far.
#[derive(Default)]
pub(super) struct Actions {
    /// In the order in which they were first loaded.
    pub(super) list: Vec<Action>,
    /// By normalized path; none where the file could not be loaded, which has been reported.
    by_file: Map<Arc<str>, Option<usize>>,
    by_id: Map<String, usize>,
}

impl Actions {
    /// The index of the action at `path`, loaded if it is the first time. What is wrong is reported once.
    pub(super) fn load(
        &mut self,
        path: &str,
        place: &Place,
        sources: &mut Sources,
        report: &mut Report,
    ) -> Option<usize> {
        let file = sources.find(path, place, "action", report)?;
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
        let document = sources.document(file, named_at, report)?;
        let findings = shape::check(document.root(), Shape::Variants(&shape::ACTION));
        if !report.add_shape(findings, named_at) {
            return None;
        }
        let mut action = decode::action(document.root(), file.clone());
        if let Some(first) = self.by_id.get(&action.id.value).copied() {
            let first = self.list.get(first);
            report.add(duplicate_id(first, &action, named_at));
        } else {
            self.by_id.insert(action.id.value.clone(), self.list.len());
        }
        collect_files(&mut action, sources, report);
        self.list.push(action);
        Some(self.list.len() - 1)
    }
}

fn duplicate_id(first: Option<&Action>, second: &Action, named_at: &Place) -> Finding {
    let message = format!("two actions have the id `{}`", second.id.value);
    let mut finding = Finding::error(Code::ActionIdDuplicate, second.id.place.clone(), message);
    if let Some(first) = first {
        finding = finding.with_related(first.id.place.clone(), "first declared here");
    }
    finding.with_related(named_at.clone(), "the second one is named here")
}

/// Finds every file of the action, in the order entry, schemas, further files, skill.
fn collect_files(action: &mut Action, sources: &mut Sources, report: &mut Report) {
    let mut own_files = alloc::vec![action.file.clone()];
    let named = action
        .entry
        .iter_mut()
        .map(|file| ("entry", file))
        .chain(
            action
                .input_schema
                .iter_mut()
                .map(|file| ("input schema", file)),
        )
        .chain(
            action
                .output_schema
                .iter_mut()
                .map(|file| ("output schema", file)),
        )
        .chain(action.files.iter_mut().map(|file| ("file", file)));
    for (what, file) in named {
        own_files.extend(find(file, what, sources, report));
    }
    if let Some(skill) = &mut action.skill
        && let Some(file) = find(skill, "skill", sources, report)
    {
        let header = skill_header(&file, &skill.place, sources, report);
        let name = header.as_ref().and_then(|header| header.root().get("name"));
        action.skill_name = name.and_then(|name| name.as_str()).map(str::to_owned);
        action.skill_header = header.is_some();
        action.skill_files = sources.skill_files(&file, &skill.place, report);
        own_files.push(file);
    }
    action.own_files = own_files;
}

fn find(
    reference: &mut FileReference,
    what: &str,
    sources: &mut Sources,
    report: &mut Report,
) -> Option<Arc<str>> {
    let file = sources.find(&reference.path, &reference.place, what, report)?;
    reference.file = file.clone();
    Some(file)
}

/// The frontmatter of a skill. Without it the provider loads, and no route to the action resolves: that
/// deserves a warning.
fn skill_header(
    skill: &Arc<str>,
    place: &Place,
    sources: &mut Sources,
    report: &mut Report,
) -> Option<Document> {
    let file = sources.read(skill, place, report)?;
    match Document::parse_frontmatter(skill.clone(), &file.bytes) {
        Ok(header) => Some(header),
        Err(problem) => {
            let message = format!(
                "no route to a skill without frontmatter: {}",
                problem.message
            );
            let warning = Finding::warning(problem.code, problem.place, message);
            report.add(warning.with_related(place.clone(), "the skill is named here"));
            None
        }
    }
}
