//! YAML into the arena. The only file that names the parser crate.

use super::{Parsed, Problem};
use crate::code::Code;
use crate::span::Span;

/// Reads one YAML document; every span is moved by `base` bytes.
pub(super) fn parse(_text: &str, _base: u32) -> Result<Parsed, Problem> {
    Err(Problem::new(
        Code::ParseFailed,
        Span::default(),
        "YAML is not read yet",
    ))
}
