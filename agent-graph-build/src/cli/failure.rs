//! Why a command fails: a code, a sentence, diagnostics (spec 1.17). Knows how the errors of the libraries
//! become one; how it is printed is the matter of the streams.

use std::path::Path;
use std::sync::Arc;

use agent_graph_runtime::json::{Object, Value};
use agent_graph_runtime::{
    Code, Diagnostic, Error, Finding, Findings, Level, Place, Severity, paths,
};

use super::answer::object;

/// The code of errors that have none of their own.
const UNEXPECTED: &str = "unexpected-error";

/// Why a command fails.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) code: &'static str,
    pub(super) message: String,
    /// What to do about it.
    pub(super) cure: Option<String>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The same for people, with paths as the user wrote them.
    pub(super) findings: Option<Findings>,
}

impl Failure {
    pub(super) fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code: code.as_str(),
            message: message.into(),
            cure: Some(code.cure().to_owned()),
            diagnostics: Vec::new(),
            findings: None,
        }
    }

    /// Something that should not happen.
    pub(super) fn unexpected(message: impl Into<String>) -> Self {
        Self {
            code: UNEXPECTED,
            message: message.into(),
            cure: None,
            diagnostics: Vec::new(),
            findings: None,
        }
    }

    /// What is wrong with a definition; paths in it are relative to `folder`.
    pub(super) fn of_findings(findings: &Findings, folder: &Path) -> Self {
        let code = findings.code();
        let list = findings.list();
        let errors = list.iter().filter(|finding| finding.level == Level::Error);
        let first = errors.clone().find(|finding| finding.code == code);
        let message = match (first, errors.count()) {
            (Some(first), 1) => first.message.clone(),
            (Some(first), count) => format!("{}, and {} more", first.message, count - 1),
            (None, _) => code.cause().to_owned(),
        };
        Self {
            code: code.as_str(),
            message,
            // Each finding says what to do.
            cure: None,
            diagnostics: list
                .iter()
                .map(|finding| diagnostic(finding, folder))
                .collect(),
            findings: Some(findings.with_files(|file| in_folder(file, folder))),
        }
    }

    /// The failure as `agent-graph.error.v1`.
    pub(super) fn envelope(&self) -> Value {
        let diagnostics = self.diagnostics.iter();
        let diagnostics = diagnostics.map(|it| Value::from_serialize(it).unwrap_or_default());
        let error = object([
            ("code", self.code.into()),
            ("message", self.message.as_str().into()),
            ("diagnostics", Value::Array(diagnostics.collect())),
        ]);
        object([
            ("schema", "agent-graph.error.v1".into()),
            ("state", "error".into()),
            ("error", error.into()),
        ])
        .into()
    }
}

/// A finding as a diagnostic; its path is relative to `folder`.
pub(super) fn diagnostic(finding: &Finding, folder: &Path) -> Diagnostic {
    let code = match finding.code {
        // What stands behind the prefix is no contract; it is a keyword of JSON Schema elsewhere.
        Code::SchemaInvalid => "schema.invalid",
        code => code.as_str(),
    };
    let mut detail = place(&finding.place);
    if let Some(hint) = &finding.hint {
        detail.insert("hint", hint.as_str());
    }
    if !finding.related.is_empty() {
        let related = finding.related.iter().map(|(at, label)| {
            let mut related = place(at);
            related.insert("path", absolute(&at.file, folder));
            related.insert("label", label.as_str());
            Value::Object(related)
        });
        detail.insert("related", Value::Array(related.collect()));
    }
    Diagnostic {
        severity: match finding.level {
            Level::Error => Severity::Error,
            Level::Warn => Severity::Warning,
        },
        path: Some(absolute(&finding.place.file, folder)),
        detail: Some(detail.into()),
        ..Diagnostic::error(code, finding.message.clone())
    }
}

/// The way to a file of the provider, as the user would write it.
pub(super) fn in_folder(file: &str, folder: &Path) -> Arc<str> {
    folder.join(file).to_string_lossy().into()
}

fn place(place: &Place) -> Object {
    object([
        ("line", place.position.line.into()),
        ("column", place.position.column.into()),
        ("pointer", place.pointer.as_str().into()),
    ])
}

fn absolute(file: &str, folder: &Path) -> String {
    let path = folder.join(file);
    let path = paths::absolute(&path).unwrap_or(path);
    path.to_string_lossy().into_owned()
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::new(error.code(), error.message())
    }
}

/// Paths in the findings are as the user wrote them.
impl From<Findings> for Failure {
    fn from(findings: Findings) -> Self {
        Self::of_findings(&findings, Path::new(""))
    }
}

impl From<Finding> for Failure {
    fn from(finding: Finding) -> Self {
        Findings::from(finding).into()
    }
}
