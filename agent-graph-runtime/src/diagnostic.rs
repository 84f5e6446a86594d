//! What there is to say beside a result (spec 1.7, 4.9).

use alloc::borrow::Cow;
use alloc::string::String;

use crate::json::Value;
use crate::protocol::Severity;

/// Something to say beside a result (spec 1.7). Hosts may append their own.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// Stable code.
    pub code: Cow<'static, str>,
    /// How much it matters.
    pub severity: Severity,
    /// For people.
    pub message: String,
    /// The file it is about.
    pub path: Option<String>,
    /// A document of the host about it; never set by the evaluator.
    pub document_ref: Option<String>,
    /// More, by code.
    pub detail: Option<Value>,
}

impl Diagnostic {
    /// A diagnostic of severity `error` with a code and a message.
    pub fn error(code: impl Into<Cow<'static, str>>, message: String) -> Self {
        Self {
            code: code.into(),
            severity: Severity::Error,
            message,
            path: None,
            document_ref: None,
            detail: None,
        }
    }
}
