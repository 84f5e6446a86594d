//! What a resource file says about itself: a descriptor, or a text with frontmatter (spec 1.5, 3.5).
//! Knows one file at a time; where it lies and which others there are is the caller's matter.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::decode;
use super::definition::{Content, FileReference, Placed, Resource};
use super::document::{Document, Format, Kind, Node};
use super::nearest::{did_you_mean, nearest};
use super::shape::{self, Shape};
use crate::protocol::ResourceKind;
use crate::{Code, Finding, Place};

/// What every descriptor identity begins with.
const DESCRIPTOR: &str = "agent-graph.resource";

/// A resource, or all that is wrong with its file. Warnings of the document go to `warn`.
pub(super) fn read(
    file: &Arc<str>,
    bytes: &[u8],
    mut warn: impl FnMut(&[Finding]),
) -> Result<Resource, Vec<Finding>> {
    if has_descriptor_extension(file) {
        let format = Format::of_path(file);
        let document = Document::parse(file.clone(), bytes, format).map_err(only)?;
        warn(document.warnings());
        if let Some(resource) = descriptor(&document) {
            return resource;
        }
    }
    let document = Document::parse_frontmatter(file.clone(), bytes).map_err(only)?;
    frontmatter(&document)
}

fn only(finding: Finding) -> Vec<Finding> {
    [finding].into()
}

fn has_descriptor_extension(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or(file);
    let extension = match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => extension,
        _ => return false,
    };
    ["yaml", "yml", "json"]
        .iter()
        .any(|known| extension.eq_ignore_ascii_case(known))
}

/// The descriptor in the document, if it is one or claims to be one.
fn descriptor(document: &Document) -> Option<Result<Resource, Vec<Finding>>> {
    let root = document.root();
    let schema = root.get("schema")?.as_str()?;
    if !schema.starts_with(DESCRIPTOR) {
        return None;
    }
    let findings = shape::check(root, Shape::Variants(&shape::RESOURCE));
    if !findings.is_empty() {
        return Some(Err(findings));
    }
    Some(Ok(decode::resource(root, document.file().clone())))
}

/// The resource that the header of a text describes.
fn frontmatter(document: &Document) -> Result<Resource, Vec<Finding>> {
    let header = document.root();
    let mut findings = Vec::new();
    let id = text_of(header, "id", &mut findings);
    let kind = text_of(header, "kind", &mut findings);
    let media_type = ["media-type", "mediaType"]
        .into_iter()
        .filter(|name| authored(header, name).is_some())
        .map(|name| text_of(header, name, &mut findings))
        .next()
        .flatten();
    for (name, value) in [("id", id), ("kind", kind)] {
        if authored(header, name).is_none() && value.is_none() {
            findings.push(missing(header, name));
        }
    }
    let kind = kind.and_then(|kind| static_kind(kind, &mut findings));
    match (id, kind) {
        (Some(id), Some(kind)) if findings.is_empty() => Ok(Resource {
            file: document.file().clone(),
            id: decode::placed(id),
            kind,
            media_type: media_type
                .and_then(|value| value.as_str())
                .unwrap_or("text/markdown")
                .to_owned(),
            description: None,
            content: Content::File(FileReference {
                path: document.file().to_string(),
                place: header.place(),
                file: document.file().clone(),
            }),
        }),
        _ => Err(findings),
    }
}

/// The value under `name`; a value of null counts as absent.
fn authored<'d>(header: Node<'d>, name: &str) -> Option<Node<'d>> {
    header.get(name).filter(|value| value.kind() != Kind::Null)
}

fn text_of<'d>(header: Node<'d>, name: &str, findings: &mut Vec<Finding>) -> Option<Node<'d>> {
    let value = authored(header, name)?;
    if value.kind() == Kind::String {
        return Some(value);
    }
    let message = format!("`{name}` in the frontmatter has to be text");
    let finding = Finding::error(Code::ResourceMetadataInvalid, value.place(), message);
    findings.push(finding.with_hint("put it in quotes"));
    None
}

fn missing(header: Node<'_>, name: &str) -> Finding {
    let message = format!("the frontmatter has no `{name}`");
    let finding = Finding::error(Code::ResourceMetadataInvalid, header.place(), message);
    let known = ["id", "kind", "media-type", "mediaType"];
    let others = header.members().map(|member| member.name);
    match nearest(name, others.filter(|other| !known.contains(other))) {
        Some(written) => finding.with_hint(format!("is `{written}` meant to be `{name}`?")),
        None => finding,
    }
}

fn static_kind(value: Node<'_>, findings: &mut Vec<Finding>) -> Option<ResourceKind> {
    let text = value.as_str().unwrap_or("");
    let known = ResourceKind::ALL.iter().filter(|kind| kind.is_static());
    let found = known.clone().find(|kind| kind.as_str() == text);
    if found.is_none() {
        let message = format!("`{}` is no kind of a text resource", shape::excerpt(text));
        let mut finding = Finding::error(Code::ResourceKindInvalid, value.place(), message);
        let meant = did_you_mean(text, known.map(|kind| kind.as_str()));
        let all = || "use procedure, diagnostic, template, schema or skill".to_owned();
        finding.hint = Some(meant.unwrap_or_else(all));
        findings.push(finding);
    }
    found.copied()
}

/// The warning about an id that no receipt can carry.
pub(super) fn unusual_id(resource: &Resource) -> Option<Finding> {
    if shape::scalar::is_id(&resource.id.value) {
        return None;
    }
    let Placed { value, place } = &resource.id;
    let message = format!(
        "resource id `{}` is no id, so no receipt can name it and it always has to be read again",
        shape::excerpt(value)
    );
    Some(Finding::warning(
        Code::ResourceIdUnusual,
        place.clone(),
        message,
    ))
}

/// Two resources with one id.
pub(super) fn duplicate_id(first: &Resource, second: &Resource, named_at: &Place) -> Finding {
    let message: String = format!("two resources have the id `{}`", second.id.value);
    Finding::error(Code::ResourceIdDuplicate, second.id.place.clone(), message)
        .with_related(first.id.place.clone(), "first declared here")
        .with_related(named_at.clone(), "the second one is named here")
}
