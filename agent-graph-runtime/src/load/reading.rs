//! Definition files that belong to no provider: graph tests, arguments of tools. Knows how they are read,
//! nothing about what they are for.

use alloc::vec::Vec;
use std::path::Path;

use super::registry::{Reading, document, document_keeping};
use super::shape::{self, Shape};
use crate::json::Value;
use crate::{Finding, Findings, SourceTexts};

/// The value of a definition file, JSON or YAML by its extension (spec 3.1), and what deserves a look.
///
/// # Errors
/// `file-read-failed`, `parse-failed`, `input-limit`; `schema-invalid` for a number that is not finite.
pub fn read_value(file: impl AsRef<Path>) -> Result<(Value, Vec<Finding>), Finding> {
    let document = document(file.as_ref(), Reading::Whole)?;
    Ok((document.root().to_value(), document.warnings().into()))
}

/// The value in the frontmatter of a text file (spec 3.5).
///
/// # Errors
/// `file-read-failed`, `frontmatter-missing`, `frontmatter-invalid`, `parse-failed`, `input-limit`;
/// `schema-invalid` for a number that is not finite.
pub fn read_frontmatter(file: impl AsRef<Path>) -> Result<Value, Finding> {
    Ok(document(file.as_ref(), Reading::Frontmatter)?
        .root()
        .to_value())
}

/// The value of a definition file that has a shape, and what deserves a look.
///
/// # Errors
/// Those of [`read_value`]; `schema-invalid`, one finding a mistake.
pub fn read_shaped(
    file: impl AsRef<Path>,
    shape: Shape,
) -> Result<(Value, Vec<Finding>), Findings> {
    let mut texts = SourceTexts::new();
    let document = match document_keeping(file.as_ref(), Reading::Whole, &mut texts) {
        Ok(document) => document,
        Err(finding) => return Err(Findings::from(finding).with_texts(texts)),
    };
    let mut findings = shape::check(document.root(), shape).into_iter();
    match findings.next() {
        Some(first) => Err(Findings::new(first, findings).with_texts(texts)),
        None => Ok((document.root().to_value(), document.warnings().into())),
    }
}
