//! The header of a text file: where it is, and that it is a mapping. Knows nothing about what the
//! header has to say. The body is never decoded.

use alloc::sync::Arc;

use super::super::limits::DOCUMENT_BYTES;
use super::{Document, Kind, decode, yaml};
use crate::code::Code;
use crate::finding::{Finding, Place};
use crate::span::Span;

const MARKER: &[u8] = b"---";

/// Reads the header of the file.
pub(super) fn parse(file: Arc<str>, bytes: &[u8]) -> Result<Document, Finding> {
    let start = header_start(bytes).ok_or_else(|| {
        let message = "the text does not start with a line `---`";
        Finding::error(
            Code::FrontmatterMissing,
            Place::start_of(file.clone()),
            message,
        )
    })?;
    let end = header_end(bytes, start).ok_or_else(|| {
        let message = "no line `---` with a line end closes the header";
        Finding::error(
            Code::FrontmatterInvalid,
            Place::start_of(file.clone()),
            message,
        )
    })?;
    let text = decode(&file, bytes.get(..end).unwrap_or(bytes), DOCUMENT_BYTES)?;
    // What was decoded is shorter than 4 GiB, and the marker of the first line is ASCII.
    let base = u32::try_from(start).unwrap_or(u32::MAX);
    let document = Document::build(file, text, |text| {
        let header = text.get(start..).unwrap_or("");
        yaml::parse(header, base).map_err(|mut problem| {
            if problem.code == Code::ParseFailed {
                problem.code = Code::FrontmatterInvalid;
            }
            problem
        })
    })?;
    if document.root().kind() != Kind::Mapping {
        let place = document.place(Span::new(base, base), "".into());
        let message = "the header is not a mapping";
        return Err(Finding::error(Code::FrontmatterInvalid, place, message));
    }
    Ok(document)
}

/// Where the header starts: behind a first line that is the marker.
fn header_start(bytes: &[u8]) -> Option<usize> {
    let (line, rest) = next_line(bytes)?;
    (line == MARKER).then(|| bytes.len() - rest.len())
}

/// Where the line starts that closes the header which starts at `start`.
fn header_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut rest = bytes.get(start..)?;
    loop {
        let line_start = bytes.len() - rest.len();
        let (line, after) = next_line(rest)?;
        if line == MARKER {
            return Some(line_start);
        }
        rest = after;
    }
}

/// The first line without its end, and what follows; `None` if no line feed ends it.
fn next_line(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    let (line, rest) = (bytes.get(..end)?, bytes.get(end + 1..)?);
    Some((line.strip_suffix(b"\r").unwrap_or(line), rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    fn header(text: &str) -> Result<Document, Code> {
        Document::parse_frontmatter("a.md".into(), text.as_bytes()).map_err(|finding| finding.code)
    }

    fn code(text: &str) -> Code {
        header(text).unwrap_err()
    }

    #[test]
    fn places_in_a_header_are_places_in_the_file() {
        let document =
            header("---\r\nid: x\r\nkind: [a,\r\n  é, b]\r\n---\r\nbody\n---\n").unwrap();
        let items: alloc::vec::Vec<_> = document.root().get("kind").unwrap().items().collect();
        let place = items.last().unwrap().place();
        assert_eq!(place.to_string(), "a.md:4:6");
        assert_eq!(place.pointer, "/kind/2");
        assert_eq!((place.span.start, place.span.end), (29, 30));
    }

    #[test]
    fn a_header_starts_with_a_line_of_three_dashes_and_nothing_before() {
        for text in [
            "",
            "---",
            "--- \nid: x\n---\n",
            "\u{feff}---\nid: x\n---\n",
            "\n---\nid: x\n---\n",
            "----\n",
        ] {
            assert_eq!(code(text), Code::FrontmatterMissing, "{text:?}");
        }
    }

    #[test]
    fn a_header_ends_with_such_a_line_that_has_a_line_end() {
        for text in [
            "---\n",
            "---\nid: x\n",
            "---\nid: x\n---",
            "---\nid: x\n--- \n",
            "---\nid: x\n ---\n",
        ] {
            assert_eq!(code(text), Code::FrontmatterInvalid, "{text:?}");
        }
        assert!(header("---\nid: x\n---\n").is_ok());
    }

    #[test]
    fn a_header_is_a_mapping_without_mistakes() {
        for text in [
            "---\n---\n",
            "---\n\n---\n",
            "---\nid\n---\n",
            "---\n- a\n---\n",
            "---\nid: [\n---\n",
            "---\na: 1\na: 2\n---\n",
        ] {
            assert_eq!(code(text), Code::FrontmatterInvalid, "{text:?}");
        }
        assert_eq!(code("---\nid: .inf\n---\n"), Code::SchemaInvalid);
    }

    #[test]
    fn only_the_first_closing_line_counts_and_the_body_is_not_decoded() {
        let bytes = b"---\nid: x\n---\n\xff\xfe\n---\n- no\n---\n";
        let document = Document::parse_frontmatter("a.md".into(), bytes).unwrap();
        assert_eq!(
            document
                .root()
                .get("id")
                .and_then(super::super::Node::as_str),
            Some("x")
        );
    }

    #[test]
    fn malformed_utf_8_in_the_header_is_no_text_at_all() {
        let finding =
            Document::parse_frontmatter("a.md".into(), b"---\nid: \xff\n---\n").unwrap_err();
        assert_eq!(finding.code, Code::ParseFailed);
        assert_eq!(finding.place.to_string(), "a.md:2:5");
    }
}
