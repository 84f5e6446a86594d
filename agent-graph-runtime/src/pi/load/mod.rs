//! Loads a definition: bytes in, a checked [`Definition`] out, or everything that is wrong with it, in the
//! order and the words of the protocol (spec 4). Own members only: no name is found because objects inherit
//! it elsewhere.
//!
//! ```text
//! bytes -> document -> normalize -> structure -> decode -> checks -> lints
//! ```

mod checks;
mod decode;
mod lints;
mod migrate;
mod normalize;
mod places;
pub(crate) mod report;
mod shape;
mod structure;

#[cfg(test)]
mod tests;

use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use super::definition::Definition;
use super::diagnostic::{Diagnostic, DiagnosticCode, NotADefinition, PiFindings};
use super::flatten::flatten;
use super::graph::Graph;
use crate::code::Code;
use crate::finding::{Finding, Level, Place};
use crate::load::document::{Document, Format, Kind};
use crate::load::limits::{DOCUMENT_BYTES, DOCUMENT_DEPTH};
use places::Places;

/// A definition that has been loaded.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// The definition.
    pub definition: Definition,
    /// What the protocol warns about.
    pub diagnostics: Vec<Diagnostic>,
    /// What we warn about: names that occur twice, and what the lints found, each with a code of ours.
    pub warnings: Vec<Finding>,
}

impl Loaded {
    /// The graph, to be run.
    pub fn graph(&self) -> Graph {
        Graph::from_tables(flatten(&self.definition))
    }
}

/// Reads and checks the definition in a file. Places name the file as `path` does.
///
/// # Errors
/// Everything that is wrong with it.
pub fn load(path: &Path) -> Result<Loaded, PiFindings> {
    load_as(path, path.to_string_lossy().into())
}

/// Reads and checks the definition in a file. `file` is what places call it.
///
/// # Errors
/// Everything that is wrong with it.
pub fn load_as(path: &Path, file: Arc<str>) -> Result<Loaded, PiFindings> {
    parse(file.clone(), &read(path, &file)?)
}

/// The bytes of a definition, for whoever shows its lines later. `file` is what places call it.
///
/// # Errors
/// That the file cannot be read.
#[doc(hidden)]
pub fn read(path: &Path, file: &Arc<str>) -> Result<Vec<u8>, PiFindings> {
    let refuse = |code, message: String| {
        let place = Place::start_of(file.clone());
        PiFindings::Unreadable(Finding::error(code, place, message))
    };
    let metadata = std::fs::metadata(path);
    if !metadata.is_ok_and(|metadata| metadata.is_file()) {
        return Err(refuse(
            Code::FileMissing,
            "the path is no regular file".into(),
        ));
    }
    let mut bytes = Vec::new();
    // One byte more than a document may have, so that a larger one is noticed.
    let limit = DOCUMENT_BYTES as u64 + 1;
    File::open(path)
        .and_then(|file| file.take(limit).read_to_end(&mut bytes))
        .map_err(|error| {
            refuse(
                Code::FileReadFailed,
                format!("the file cannot be read: {error}"),
            )
        })?;
    Ok(bytes)
}

/// Checks the definition in a text. `file` is what places call it.
///
/// ```
/// use agent_graph_runtime::pi;
/// let text = r#"{
///   "schemaVersion": 2, "name": "greet", "entry": "hello", "limits": {},
///   "nodes": { "hello": { "type": "set", "assign": [{ "path": "greeting", "valu": "hi" }] } }
/// }"#;
/// let findings = pi::parse("greet.json".into(), text.as_bytes()).unwrap_err();
/// let first = &findings.diagnostics()[0];
/// assert_eq!(first.code.as_str(), "UNKNOWN_FIELD");
/// assert_eq!(first.path.as_deref(), Some("nodes.hello.assign.0.valu"));
/// assert_eq!(first.place.position.line, 3);
/// ```
///
/// # Errors
/// Everything that is wrong with it.
pub fn parse(file: Arc<str>, bytes: &[u8]) -> Result<Loaded, PiFindings> {
    let document = Document::parse(file.clone(), bytes, Format::Json)
        .map_err(|finding| unreadable(finding, bytes))?;
    let root = document.root();
    if let Some((at, place)) = normalize::forbidden_name(root) {
        return Err(PiFindings::NotADefinition {
            reason: NotADefinition::ForbiddenKey,
            at: Some(at),
            place,
        });
    }
    if root.kind() != Kind::Mapping {
        return Err(PiFindings::NotADefinition {
            reason: NotADefinition::NotAnObject,
            at: None,
            place: root.place(),
        });
    }
    let mut places = Places::of(root);
    let violations = structure::check(root, false);
    if !violations.is_empty() {
        let diagnostics = violations
            .into_iter()
            .map(|violation| Diagnostic {
                level: Level::Error,
                code: violation.code,
                path: super::diagnostic::path_text(&violation.steps),
                rule: violation.rule,
                message: violation.message,
                place: match violation.code {
                    DiagnosticCode::UnknownField => places.name(&violation.steps),
                    _ => places.value(&violation.steps),
                },
            })
            .collect();
        return Err(PiFindings::Invalid {
            diagnostics,
            migration: migrate::edits(root, &mut places),
        });
    }
    let definition = decode::definition(root);
    let report = checks::check(&definition);
    if report.is_full {
        let message = "the definition asks for more checks or diagnostics than there may be";
        let finding = Finding::error(Code::InputLimit, root.place(), message);
        return Err(PiFindings::Unreadable(finding));
    }
    let diagnostics: Vec<Diagnostic> = report
        .into_found()
        .into_iter()
        .map(|raw| Diagnostic {
            level: raw.level,
            code: raw.code,
            path: super::diagnostic::path_text(&raw.steps),
            rule: None,
            message: raw.message,
            place: places.value(&raw.steps),
        })
        .collect();
    if diagnostics
        .iter()
        .any(|diagnostic| diagnostic.level == Level::Error)
    {
        return Err(PiFindings::Invalid {
            diagnostics,
            migration: Vec::new(),
        });
    }
    let mut warnings = document.warnings().to_vec();
    warnings.extend(lints::lint(&definition, &mut places));
    Ok(Loaded {
        definition,
        diagnostics,
        warnings,
    })
}

/// Where the ids of these nodes are written in a definition, as far as they are: definitions hold no places.
/// `file` is what places call it.
#[doc(hidden)]
pub fn node_places(file: Arc<str>, bytes: &[u8], ids: &[String]) -> Vec<Place> {
    let Ok(document) = Document::parse(file, bytes, Format::Json) else {
        return Vec::new();
    };
    let Some(nodes) = document.root().get_member("nodes") else {
        return Vec::new();
    };
    let members = nodes.value.members();
    let named = members.filter(|member| ids.iter().any(|id| id == member.name));
    named.map(|member| member.name_place()).collect()
}

/// A number beyond the double range has a label of its own in the protocol; everything else is a finding.
fn unreadable(finding: Finding, bytes: &[u8]) -> PiFindings {
    let text = core::str::from_utf8(bytes).unwrap_or("");
    match normalize::non_finite_number(text, DOCUMENT_DEPTH) {
        Some(at) if finding.code == Code::SchemaInvalid => PiFindings::NotADefinition {
            reason: NotADefinition::NonFiniteNumber,
            at: Some(at),
            place: finding.place,
        },
        _ => PiFindings::Unreadable(finding),
    }
}
