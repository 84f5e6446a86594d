//! Where a code of the catalog is explained (spec 1.10).

use alloc::format;
use alloc::string::String;

use super::locate::Locator;
use super::location::FileLocation;
use crate::code::Code;
use crate::error::Error;
use crate::installed::Installed;
use crate::protocol::{CodeKind, Severity};
use crate::wire::wire_struct;

/// What the catalog says about a code. It serializes to `agent-graph.code-location.v1`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CodeLocation {
    /// Id of the provider.
    pub provider: String,
    /// The code.
    pub code: String,
    /// What it stands for.
    pub kind: CodeKind,
    /// Summary.
    pub summary: String,
    /// How much it matters, if the catalog says so.
    pub severity: Option<Severity>,
    /// Where to read more.
    pub document: Option<FileLocation>,
}

wire_struct!(CodeLocation "agent-graph.code-location.v1" {
    "provider": provider,
    "code": code,
    "kind": kind,
    "summary": summary,
    "severity"? severity,
    "document"? document,
});

impl Installed {
    /// What the catalog says about a code.
    ///
    /// # Errors
    ///
    /// [`Code::CodeMissing`]; those of [`Installed::verify`] for the document.
    pub fn locate_code(&self, code: &str) -> Result<CodeLocation, Error> {
        let tables = self.tables();
        let mut rows = tables.codes.iter();
        let row = rows
            .find(|row| tables.text(row.code) == code)
            .ok_or_else(|| {
                let message = format!("the catalog has no code {code:?}");
                Error::new(Code::CodeMissing, message)
            })?;
        let document = match tables.resources.get(row.document as usize) {
            Some(resource) => {
                self.read(resource.content)?;
                Some(Locator::new(self, None).file_resource(row.document))
            }
            None => None,
        };
        Ok(CodeLocation {
            provider: self.provider().id().into(),
            code: code.into(),
            kind: row.kind,
            summary: tables.text(row.summary).into(),
            severity: row.severity,
            document,
        })
    }
}
