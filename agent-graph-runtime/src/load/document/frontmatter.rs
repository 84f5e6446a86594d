//! The header of a text file. Knows nothing about what the header has to say.

use alloc::sync::Arc;

use super::Document;
use crate::code::Code;
use crate::finding::{Finding, Place};

pub(super) fn parse(file: Arc<str>, _bytes: &[u8]) -> Result<Document, Finding> {
    Err(Finding::error(
        Code::FrontmatterMissing,
        Place::start_of(file),
        "frontmatter is not read yet",
    ))
}
