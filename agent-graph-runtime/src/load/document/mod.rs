//! Bytes of a definition file in, values with places out. YAML and JSON end in the same arena.
//! Knows nothing about what a definition means.

mod arena;
mod frontmatter;
mod indentation;
mod json;
mod node;
mod position;
mod scalar;
mod stand_in;
mod yaml;

#[cfg(test)]
mod hostile_tests;
#[cfg(test)]
mod tests;

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::code::Code;
use crate::finding::{Finding, Place};
use crate::span::Span;

use super::limits::{DOCUMENT_BYTES, DOCUMENT_NODES, DUPLICATE_KEY_WARNINGS};
use arena::{Arena, Repeat};
use position::PositionIndex;

#[cfg(feature = "pi")]
pub(crate) use node::Member;
pub(crate) use node::{Kind, Node};

/// How the text of a definition is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Json,
    Yaml,
}

impl Format {
    /// The format of a file with this name: the extension `.json` in any case means JSON, every
    /// other name YAML.
    pub(crate) fn of_path(path: &str) -> Self {
        let name = path.rsplit('/').next().unwrap_or(path);
        match name.rsplit_once('.') {
            Some((stem, extension))
                if !stem.is_empty() && extension.eq_ignore_ascii_case("json") =>
            {
                Self::Json
            }
            _ => Self::Yaml,
        }
    }
}

/// A definition file that has been read.
#[derive(Debug)]
pub(crate) struct Document {
    file: Arc<str>,
    text: String,
    positions: PositionIndex,
    arena: Arena,
    warnings: Vec<Finding>,
}

impl Document {
    /// Reads a whole file.
    ///
    /// # Errors
    /// `parse-failed`, `input-limit`, or `schema-invalid` for a number that is not finite.
    pub(crate) fn parse(file: Arc<str>, bytes: &[u8], format: Format) -> Result<Self, Finding> {
        let text = decode(&file, bytes, DOCUMENT_BYTES)?;
        Self::build(file, text, |text| match format {
            Format::Json => json::parse(text, DOCUMENT_NODES),
            Format::Yaml => yaml::parse(text, 0),
        })
    }

    /// Reads a whole file that grows with use, a run: its ceilings are higher if it is JSON. Whatever its
    /// name, a text that is a JSON object is read as JSON: runs are written as JSON at any path, and YAML has
    /// lower ceilings and knows fewer characters.
    ///
    /// # Errors
    /// As [`Document::parse`].
    #[cfg(feature = "runs")]
    pub(crate) fn parse_run(file: Arc<str>, bytes: &[u8], format: Format) -> Result<Self, Finding> {
        let json = |file: Arc<str>| {
            let text = decode(&file, bytes, super::limits::RUN_BYTES)?;
            Self::build(file, text, |text| {
                json::parse(text, super::limits::RUN_NODES)
            })
        };
        if format == Format::Json {
            return json(file);
        }
        if bytes.first() == Some(&b'{')
            && let Ok(document) = json(file.clone())
        {
            return Ok(document);
        }
        Self::parse(file, bytes, format)
    }

    /// Reads the header of a text file with frontmatter. Spans refer to the whole file.
    ///
    /// # Errors
    /// `frontmatter-missing`, `frontmatter-invalid`, `parse-failed` for malformed UTF-8,
    /// `input-limit`, or `schema-invalid` for a number that is not finite.
    pub(crate) fn parse_frontmatter(file: Arc<str>, bytes: &[u8]) -> Result<Self, Finding> {
        frontmatter::parse(file, bytes)
    }

    /// What deserves a look though the document can be used: names that occur twice.
    pub(crate) fn warnings(&self) -> &[Finding] {
        &self.warnings
    }

    /// The outermost value.
    pub(crate) fn root(&self) -> Node<'_> {
        Node::root_of(self)
    }

    /// The name of the file.
    pub(crate) fn file(&self) -> &Arc<str> {
        &self.file
    }

    fn place(&self, span: Span, pointer: String) -> Place {
        place(&self.file, &self.text, &self.positions, span, pointer)
    }

    fn build(
        file: Arc<str>,
        text: String,
        parse: impl FnOnce(&str) -> Result<Parsed, Problem>,
    ) -> Result<Self, Finding> {
        let parsed = parse(&text);
        let positions = PositionIndex::new(&text);
        let Parsed { arena, repeats } =
            parsed.map_err(|problem| problem.into_finding(&file, &text, &positions))?;
        let at = |span| place(&file, &text, &positions, span, String::new());
        let left_out = repeats.get(DUPLICATE_KEY_WARNINGS).map(|first| {
            let count = repeats.len().saturating_sub(DUPLICATE_KEY_WARNINGS);
            Finding::left_out(at(first.again), "", count)
        });
        let warnings = repeats
            .iter()
            .take(DUPLICATE_KEY_WARNINGS)
            .map(|repeat| {
                Finding::warning(
                    Code::DuplicateKey,
                    at(repeat.again),
                    alloc::format!(
                        "`{}` occurs twice in one object; the last value counts",
                        shortened(arena.text(repeat.name))
                    ),
                )
                .with_related(at(repeat.first), "first declared here")
            })
            .chain(left_out)
            .collect();
        Ok(Self {
            file,
            text,
            positions,
            arena,
            warnings,
        })
    }
}

/// The clause for [`arena::Ceiling::Nodes`].
const TOO_MANY_NODES: &str = "the document has too many values and names, aliases expanded \
    (more than 250000; in a run more than 4000000)";

/// What a format makes of a text.
struct Parsed {
    arena: Arena,
    /// Names that occur twice and are accepted.
    repeats: Vec<Repeat>,
}

/// Why a text cannot be read, before it has a file and lines.
#[derive(Debug)]
struct Problem {
    code: Code,
    span: Span,
    message: String,
    first_declared: Option<Span>,
}

impl Problem {
    fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            span,
            message: message.into(),
            first_declared: None,
        }
    }

    fn into_finding(self, file: &Arc<str>, text: &str, positions: &PositionIndex) -> Finding {
        let at = |span| place(file, text, positions, span, String::new());
        let finding = Finding::error(self.code, at(self.span), self.message);
        match self.first_declared {
            Some(first) => finding.with_related(at(first), "first declared here"),
            None => finding,
        }
    }
}

fn place(
    file: &Arc<str>,
    text: &str,
    positions: &PositionIndex,
    span: Span,
    pointer: String,
) -> Place {
    Place {
        file: file.clone(),
        position: positions.position(text, span.start),
        span,
        pointer,
    }
}

/// The bytes as text: not too many, and UTF-8 (difference D13).
fn decode(file: &Arc<str>, bytes: &[u8], ceiling: usize) -> Result<String, Finding> {
    if bytes.len() > ceiling {
        return Err(Finding::error(
            Code::InputLimit,
            Place::start_of(file.clone()),
            alloc::format!(
                "the document has {} bytes, more than {ceiling}",
                bytes.len()
            ),
        ));
    }
    match core::str::from_utf8(bytes) {
        Ok(text) => Ok(text.into()),
        Err(error) => Err(malformed_utf8(file, bytes, error)),
    }
}

fn malformed_utf8(file: &Arc<str>, bytes: &[u8], error: core::str::Utf8Error) -> Finding {
    let valid = bytes.get(..error.valid_up_to()).unwrap_or(&[]);
    let text = core::str::from_utf8(valid).unwrap_or("");
    // Definitions are shorter than 4 GiB.
    let start = u32::try_from(valid.len()).unwrap_or(u32::MAX);
    let wrong = error.error_len().unwrap_or(bytes.len() - valid.len());
    let end = start.saturating_add(u32::try_from(wrong).unwrap_or(0));
    let positions = PositionIndex::new(text);
    let place = place(file, text, &positions, Span::new(start, end), String::new());
    Finding::error(Code::ParseFailed, place, "the text is not valid UTF-8")
}

/// A name as messages quote it: not longer than a line.
fn shortened(name: &str) -> String {
    const LONGEST: usize = 60;
    if name.chars().count() <= LONGEST {
        return name.into();
    }
    name.chars().take(LONGEST).chain(['…']).collect()
}
