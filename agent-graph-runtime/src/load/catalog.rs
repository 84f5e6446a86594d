//! The code catalog (spec 3.3 steps 5 and 9): codes listed twice, documents that are no files, reason
//! codes that are not listed. Knows nothing about how catalogs are found.

use alloc::format;
use alloc::vec::Vec;

use super::definition::{Catalog, Content, Graph, Resource};
use super::nearest::did_you_mean;
use super::shape::{FINDINGS_LIMIT, with_end};
use crate::ordered::Map;
use crate::protocol::CodeKind;
use crate::{Code, Finding};

/// Codes that are listed twice.
pub(super) fn duplicates(catalog: &Catalog) -> Vec<Finding> {
    let mut seen = Map::new();
    let mut findings = Vec::new();
    for entry in &catalog.codes {
        if findings.len() >= FINDINGS_LIMIT {
            break;
        }
        let place = &entry.code.place;
        if let Some(&first) = seen.keep(entry.code.value.as_str(), place) {
            let message = format!("code `{}` is listed twice", entry.code.value);
            let finding = Finding::error(Code::CodeCatalogCodeDuplicate, place.clone(), message);
            findings.push(finding.with_related(first.clone(), "first listed here"));
        }
    }
    with_end(findings)
}

/// The document of a code, if it is not a file.
pub(super) fn dynamic_document(
    code: &str,
    place: &crate::Place,
    resource: &Resource,
) -> Option<Finding> {
    if matches!(resource.content, Content::File(_)) {
        return None;
    }
    let message = format!(
        "the document of code `{code}` is resource `{}`, whose content is made on demand",
        resource.id.value
    );
    let finding = Finding::error(Code::CodeDocumentDynamic, place.clone(), message);
    Some(finding.with_related(resource.id.place.clone(), "the resource"))
}

/// Reason codes of nodes that the catalog does not list, or lists as something else.
pub(super) fn reason_codes(catalog: &Catalog, graphs: &[Graph]) -> Vec<Finding> {
    let mut listed = Map::new();
    for entry in &catalog.codes {
        listed.keep(entry.code.value.as_str(), entry);
    }
    let reasons = || {
        let codes = listed.values();
        codes
            .filter(|entry| entry.kind == CodeKind::RouteReason)
            .map(|entry| entry.code.value.as_str())
    };
    let nodes = graphs.iter().flat_map(|graph| &graph.nodes);
    let mut findings = Vec::new();
    for (node, step) in nodes.filter_map(|node| Some((node, node.step()?))) {
        if findings.len() >= FINDINGS_LIMIT {
            break;
        }
        let reason = &step.reason;
        let place = reason.place.clone();
        match listed.get(reason.value.as_str()) {
            None => {
                let message = format!(
                    "reason code `{}` of node `{}` is not in the code catalog",
                    reason.value, node.id.value
                );
                let mut finding = Finding::error(Code::RouteReasonCodeMissing, place, message);
                finding.hint = did_you_mean(&reason.value, reasons());
                findings.push(finding);
            }
            Some(entry) if entry.kind != CodeKind::RouteReason => {
                let message = format!(
                    "reason code `{}` of node `{}` is listed as a {}",
                    reason.value, node.id.value, entry.kind
                );
                let finding = Finding::error(Code::RouteReasonCodeKindInvalid, place, message);
                findings.push(finding.with_related(entry.code.place.clone(), "listed here"));
            }
            Some(_) => {}
        }
    }
    with_end(findings)
}
