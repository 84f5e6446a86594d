//! What turns a version 1 definition into one of version 2: a list of edits. Nothing is changed by itself; a
//! version 1 definition is refused. Knows the fields that version 2 took away, and leaves everything else to
//! the structural check.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::places::Places;
use super::structure::{self, Violation};
use crate::load::document::Node;
use crate::pi::diagnostic::{DiagnosticCode, Edit, Step, path_text};

/// How many edits are listed.
const EDITS: usize = 200;

/// Fields of version 1 that have a successor, by the name of the object and the field.
const SUCCESSORS: [(&str, &str, &str); 3] = [
    (
        "limits",
        "maxOutputBytes",
        "limit the output of an agent by `response.maxBytes`",
    ),
    (
        "limits",
        "maxEstimatedInputTokens",
        "limit prompts by `maxPromptBytes`",
    ),
    (
        "statePolicy",
        "maxHotStateBytes",
        "limit the state by `limits.maxStateBytes`",
    ),
];

/// The edits, if the document says that it is of version 1.
pub(super) fn edits(root: Node<'_>, places: &mut Places<'_>) -> Vec<Edit> {
    if root.get("schemaVersion").and_then(Node::as_number) != Some(1.0) {
        return Vec::new();
    }
    let violations = structure::check(root, true);
    violations
        .iter()
        .take(EDITS)
        .map(|violation| Edit {
            path: path_text(&violation.steps).unwrap_or_default(),
            instruction: instruction(violation),
            place: places.name(&violation.steps),
        })
        .collect()
}

fn instruction(violation: &Violation) -> String {
    match violation.code {
        DiagnosticCode::SchemaVersion => "set `schemaVersion` to 2".into(),
        DiagnosticCode::UnknownField => removal(&violation.steps),
        _ => violation.message.to_string(),
    }
}

fn removal(steps: &[Step]) -> String {
    let name = |step: Option<&Step>| match step {
        Some(Step::Name(name)) => name.clone(),
        _ => String::new(),
    };
    let field = name(steps.last());
    let object = name(steps.len().checked_sub(2).and_then(|at| steps.get(at)));
    let successor = SUCCESSORS
        .iter()
        .find(|(of, own, _)| *of == object && *own == field);
    match successor {
        Some((_, _, instead)) => format!("remove `{field}`; {instead}"),
        None => format!("remove `{field}`, which version 2 does not have"),
    }
}
