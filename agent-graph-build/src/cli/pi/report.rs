//! What is said about definitions, in the words of the protocol: level, code, message and path in its order, and
//! beside them the place in the file. Knows diagnostics, nothing about commands.

use std::path::Path;

use agent_graph_runtime::json::{Object, Value};
use agent_graph_runtime::pi::discover::DiscoveryProblem;
use agent_graph_runtime::pi::{self, Loaded, PiFindings};
use agent_graph_runtime::{Finding, Findings, Level, Place, SourceTexts};

use crate::cli::answer::object;
use crate::cli::context::absolute;
use crate::cli::failure::{Failure, diagnostic};

/// The code of the protocol for a file that holds no graph that can be used.
const GRAPH_FILE: &str = "GRAPH_FILE";

/// What the protocol warns about in a definition that is valid.
pub(super) fn diagnostics(loaded: &Loaded) -> Value {
    all(&loaded.diagnostics)
}

/// What we warn about, in the words of all families.
pub(super) fn warnings(loaded: &Loaded) -> Value {
    let warnings = loaded.warnings.iter().map(|finding| {
        let diagnostic = diagnostic(finding, Path::new(""));
        Value::from_serialize(&diagnostic).unwrap_or_default()
    });
    Value::Array(warnings.collect())
}

/// What is wrong with a file: its diagnostics, or why it has none.
pub(super) fn wrong(findings: &PiFindings) -> Value {
    match findings {
        PiFindings::Unreadable(finding) => Value::Array(vec![unreadable(finding)]),
        PiFindings::NotADefinition { reason, at, place } => {
            let message = "the document is no definition";
            let protocol = protocol(Level::Error, reason.as_str(), message, at.as_deref());
            Value::Array(vec![with_place(protocol, place)])
        }
        PiFindings::Invalid { diagnostics, .. } => all(diagnostics),
    }
}

/// The edits on the way from version 1, if that is what is wrong.
pub(super) fn migration(findings: &PiFindings) -> Option<Value> {
    let PiFindings::Invalid { migration, .. } = findings else {
        return None;
    };
    let edits = migration.iter().map(|edit| {
        let edited = object([
            ("path", edit.path.as_str().into()),
            ("instruction", edit.instruction.as_str().into()),
        ]);
        with_place(edited, &edit.place)
    });
    (!migration.is_empty()).then(|| Value::Array(edits.collect()))
}

/// A finding that has no code of the protocol of its own: `finding` is ours.
pub(super) fn unreadable(finding: &Finding) -> Value {
    let mut members = protocol(finding.level, GRAPH_FILE, &finding.message, None);
    members.insert("finding", finding.code.as_str());
    with_place(members, &finding.place)
}

/// Why there is no file to say something about.
pub(super) fn without_place(failure: &Failure) -> Value {
    let mut members = protocol(Level::Error, GRAPH_FILE, &failure.message, None);
    members.insert("finding", failure.code);
    Value::Object(members)
}

/// What was in the way of finding graphs, a diagnostic for each problem.
pub(super) fn problem(problem: &DiscoveryProblem) -> Value {
    let level = if problem.is_error() {
        Level::Error
    } else {
        Level::Warn
    };
    let path = absolute(problem.path());
    let path = path.unwrap_or_else(|_| problem.path().display().to_string());
    let mut members = protocol(level, problem.code(), &problem.message(), None);
    members.insert("file", path);
    if let DiscoveryProblem::File { findings, .. } = problem {
        members.insert("diagnostics", wrong(findings));
    }
    Value::Object(members)
}

fn all(diagnostics: &[pi::Diagnostic]) -> Value {
    let diagnostics = diagnostics.iter().map(|diagnostic| {
        let pi::Diagnostic { level, message, .. } = diagnostic;
        let path = diagnostic.path.as_deref();
        let mut members = protocol(*level, diagnostic.code.as_str(), message, path);
        if let Some(rule) = diagnostic.rule {
            members.insert("rule", rule);
        }
        with_place(members, &diagnostic.place)
    });
    Value::Array(diagnostics.collect())
}

fn protocol(level: Level, code: &str, message: &str, path: Option<&str>) -> Object {
    let level = match level {
        Level::Error => "error",
        Level::Warn => "warning",
    };
    let mut members = object([
        ("level", level.into()),
        ("code", code.into()),
        ("message", message.into()),
    ]);
    if let Some(path) = path {
        members.insert("path", path);
    }
    members
}

fn with_place(mut members: Object, place: &Place) -> Value {
    members.insert("pointer", place.pointer.as_str());
    members.insert("line", f64::from(place.position.line));
    members.insert("column", f64::from(place.position.column));
    Value::Object(members)
}

/// The findings with the lines of the file that they mean.
pub(super) fn with_lines(findings: Findings, path: &Path) -> Findings {
    let mut texts = SourceTexts::new();
    for place in findings.list().iter().flat_map(Finding::places) {
        let file = place.file.clone();
        if texts.get(&file).is_none()
            && let Ok(bytes) = pi::read(path, &file)
        {
            texts.add(file, bytes);
        }
    }
    findings.with_texts(texts)
}

/// Why a command cannot have the definition in a file. Its diagnostics are in the order of the protocol, whose code
/// and path stand beside the place of each.
pub(super) fn failure(findings: &PiFindings, path: &Path) -> Failure {
    let mut failure = Failure::from(with_lines(findings.to_findings(), path));
    if let PiFindings::Invalid { diagnostics, .. } = findings {
        let each = diagnostics.iter().map(|found| {
            let mut shown = diagnostic(&found.to_finding(), Path::new(""));
            if let Some(Value::Object(detail)) = &mut shown.detail {
                let (code, path) = (found.code.as_str(), found.path.as_deref());
                detail.insert(
                    "protocol",
                    protocol(found.level, code, &found.message, path),
                );
            }
            shown
        });
        failure.diagnostics = each.collect();
        let first = failure.diagnostics.first_mut();
        let detail = first.and_then(|first| first.detail.as_mut());
        if let (Some(Value::Object(detail)), Some(edits)) = (detail, migration(findings)) {
            detail.insert("migration", edits);
        }
    }
    failure
}
