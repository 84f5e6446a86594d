//! YAML into the arena. The only file that names the parser crate, which is young: whatever replaces
//! it has to yield events with byte offsets, and nothing else in the workspace notices.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use granit_parser::{
    ErrorKind, Event, Options, Parser, ScalarStyle, ScanError, Span as Range, StructureStyle, Tag,
};

use super::super::limits::{ALIAS_COUNT, DOCUMENT_DEPTH, DOCUMENT_NODES, KEY_CHARACTERS};
use super::arena::{Builder, Ceiling, NameKind, Repeat, RowIndex, RowValue};
use super::indentation::{self, Spanning};
use super::scalar::{self, Scalar};
use super::stand_in::StandIns;
use super::{Parsed, Problem};
use crate::code::Code;
use crate::ordered::Map;
use crate::span::Span;

/// Reads one YAML document. The text begins at the byte `base` of its file.
pub(super) fn parse(text: &str, base: u32) -> Result<Parsed, Problem> {
    refuse_characters(text, base)?;
    let Some(stand_ins) = StandIns::for_text(text) else {
        let message = "the text uses every private character beside U+007F; it cannot be read";
        return Err(Problem::new(
            Code::ParseFailed,
            Span::new(base, base),
            message,
        ));
    };
    let mut loader = Loader::new(&stand_ins, base);
    for next in Parser::new_from_str_with_options(stand_ins.text(), options()) {
        match next {
            Ok((event, range)) => loader.event(event, range)?,
            Err(error) => return Err(loader.syntax_error(&error)),
        }
    }
    loader.finish()
}

fn options() -> Options {
    let depth = DOCUMENT_DEPTH as usize;
    granit_parser::options! {
        // Another crate may switch comments on; they are no values.
        emit_comments: false,
        // A byte-order mark is an ordinary character behind the beginning.
        bom_inside_document_as_content: true,
        // Would refuse a closing bracket in the column of its key, which is common.
        strict_indentation: false,
        simple_key_max_lookahead: KEY_CHARACTERS,
        flow_nesting_limit: depth,
        block_nesting_limit: depth,
    }
}

/// Control characters, and carriage returns that end a line on their own: YAML readers disagree
/// about them, and the parser takes NUL for the end of the text.
fn refuse_characters(text: &str, base: u32) -> Result<(), Problem> {
    // Most texts have nothing to look at closely; bytes are counted in groups, which is much faster.
    let groups = text.as_bytes().chunks(256);
    let mut suspicious =
        groups.map(|bytes| bytes.iter().filter(|&&byte| is_suspicious(byte)).count());
    if suspicious.all(|count| count == 0) {
        return Ok(());
    }
    let mut bytes = text.bytes().zip(base..).peekable();
    while let Some((byte, at)) = bytes.next() {
        let message = match byte {
            b'\r' if bytes.peek().is_none_or(|&(next, _)| next != b'\n') => {
                String::from("a carriage return without a line feed does not end a line")
            }
            b'\t' | b'\n' | b'\r' => continue,
            0..0x20 => control_character(u32::from(byte)),
            _ => continue,
        };
        return Err(Problem::new(
            Code::ParseFailed,
            Span::new(at, at + 1),
            message,
        ));
    }
    Ok(())
}

fn is_suspicious(byte: u8) -> bool {
    (byte < 0x20) & (byte != b'\n') & (byte != b'\t')
}

/// What an anchor stands for.
struct Anchor {
    row: RowIndex,
    /// How often the value occurs so far, the anchor included.
    count: u64,
    /// The largest count of what the value contains; 0 before it is needed.
    weight: u64,
}

/// A collection that is open.
enum Level {
    Block {
        indentation: usize,
        is_mapping: bool,
    },
    Brackets {
        start: u32,
    },
}

struct Loader<'t> {
    stand_ins: &'t StandIns<'t>,
    base: u32,
    builder: Builder,
    levels: Vec<Level>,
    anchors: Map<usize, Anchor>,
    /// The rows that aliases were expanded to, with their anchors.
    expanded: Map<RowIndex, usize>,
    /// Where the last thing with a text of its own ended.
    content_end: u32,
    documents: u32,
    repeats: Vec<Repeat>,
}

impl<'t> Loader<'t> {
    fn new(stand_ins: &'t StandIns<'t>, base: u32) -> Self {
        Self {
            stand_ins,
            base,
            builder: Builder::for_text(DOCUMENT_NODES, stand_ins.text()),
            levels: Vec::new(),
            anchors: Map::new(),
            expanded: Map::new(),
            content_end: base,
            documents: 0,
            repeats: Vec::new(),
        }
    }

    fn finish(mut self) -> Result<Parsed, Problem> {
        if self.documents == 0 {
            let span = Span::new(self.base, self.base);
            let null = self.builder.scalar(RowValue::Null, span);
            null.map_err(|ceiling| limit(ceiling, span))?;
        }
        Ok(Parsed {
            arena: self.builder.finish(),
            repeats: self.repeats,
        })
    }

    fn event(&mut self, event: Event<'_>, range: Range) -> Result<(), Problem> {
        let span = self.span(range);
        match event {
            Event::DocumentStart(_, version) => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err(parse_failed(span, "a file holds one document only"));
                }
                if version.is_some_and(|version| (version.major, version.minor) != (1, 2)) {
                    return Err(parse_failed(span, "only YAML 1.2 is read"));
                }
                Ok(())
            }
            Event::Alias(id) => self.alias(id, span),
            Event::Scalar(text, style, anchor, tag) => {
                let text = self.stand_ins.restore(&text);
                self.check_lines_of_quoted(style, range)?;
                self.scalar(&text, style, anchor, tag.as_deref(), span)
            }
            Event::SequenceStart(style, anchor, tag) => {
                self.refuse_as_key(span)?;
                check_collection_tag(tag.as_deref(), span)?;
                self.begin_level(style, range, false)?;
                let row = self.builder.begin_sequence(span);
                self.begun(row, anchor, span)
            }
            Event::MappingStart(style, anchor, tag) => {
                self.refuse_as_key(span)?;
                check_collection_tag(tag.as_deref(), span)?;
                self.begin_level(style, range, true)?;
                let row = self.builder.begin_mapping(span);
                self.begun(row, anchor, span)
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(range),
            // The stream's own events, comments and whatever later versions add are no values.
            _ => Ok(()),
        }
    }

    /// A scalar: the name of a member, or a value.
    fn scalar(
        &mut self,
        text: &str,
        style: ScalarStyle,
        anchor: usize,
        tag: Option<&Tag>,
        span: Span,
    ) -> Result<(), Problem> {
        let meaning = match tag {
            Some(tag) => {
                let tag = full_tag(tag);
                refuse_tag(&tag, span)?;
                scalar::tagged(&tag, text)
            }
            // An absent value arrives as `~`, too.
            None if style == ScalarStyle::Plain => scalar::plain(text),
            None => Scalar::String,
        };
        let value = self.row_value(meaning, text, span)?;
        self.content_end = span.end;
        let row = if self.builder.expects_name() {
            self.name(value, span)?;
            // A key is no value of its own; an alias to it needs a row nevertheless.
            match anchor {
                0 => return Ok(()),
                _ => self.builder.detached(value, span),
            }
        } else {
            self.builder.scalar(value, span)
        };
        let row = row.map_err(|ceiling| limit(ceiling, span))?;
        self.remember_anchor(anchor, row);
        Ok(())
    }

    fn row_value(&mut self, meaning: Scalar, text: &str, span: Span) -> Result<RowValue, Problem> {
        Ok(match meaning {
            Scalar::Null => RowValue::Null,
            Scalar::Bool(value) => RowValue::Bool(value),
            Scalar::Number(value) if value.is_finite() => RowValue::Number(value),
            Scalar::Number(_) => {
                let message = "the number is not finite, or beyond the range of a double";
                return Err(Problem::new(Code::SchemaInvalid, span, message));
            }
            Scalar::String => RowValue::String(self.builder.text(text)),
        })
    }

    /// Keys become strings as JavaScript makes them.
    fn name(&mut self, value: RowValue, span: Span) -> Result<(), Problem> {
        let (text, kind) = match value {
            RowValue::Null => (self.builder.text(""), NameKind::Null),
            RowValue::Bool(true) => (self.builder.text("true"), NameKind::Bool),
            RowValue::Bool(false) => (self.builder.text("false"), NameKind::Bool),
            RowValue::Number(number) => {
                let mut buffer = ryu_js::Buffer::new();
                (self.builder.text(buffer.format(number)), NameKind::Number)
            }
            RowValue::String(text) => (text, NameKind::String),
            RowValue::Sequence(_) | RowValue::Mapping(_) => return Err(collection_key(span)),
        };
        let named = self.builder.name(text, kind, span);
        named.map_err(|ceiling| limit(ceiling, span))
    }

    /// An alias is replaced by a copy of what it stands for: the copy has its own parent, so that
    /// its pointer is the path by which it is reached, and keeps the span of the anchored text.
    /// Copies count like other nodes, which bounds them.
    fn alias(&mut self, id: usize, span: Span) -> Result<(), Problem> {
        self.content_end = span.end;
        let Some(anchor) = self.anchors.get(&id) else {
            return Err(parse_failed(span, "the alias names no anchor before it"));
        };
        let source = anchor.row;
        if self.builder.is_open(source) {
            let message = "the alias stands inside the value that it names";
            return Err(parse_failed(span, message));
        }
        self.count_alias(id, span)?;
        if self.builder.expects_name() {
            let value = self.builder.arena().row(source).map(|row| row.value);
            return self.name(value.unwrap_or(RowValue::Null), span);
        }
        let copy = self.builder.copy(source);
        let copy = copy.map_err(|ceiling| limit(ceiling, span))?;
        self.expanded.insert(copy, id);
        Ok(())
    }

    /// Counts as npm `yaml` does: the uses of an anchor times the largest such product inside it.
    fn count_alias(&mut self, id: usize, span: Span) -> Result<(), Problem> {
        let weight = match self.anchors.get(&id) {
            Some(anchor) if anchor.weight == 0 => self.weight(anchor.row),
            Some(anchor) => anchor.weight,
            None => 0,
        };
        let Some(anchor) = self.anchors.get_mut(&id) else {
            return Ok(());
        };
        anchor.count += 1;
        anchor.weight = weight;
        if anchor.count.saturating_mul(weight) > ALIAS_COUNT {
            let message =
                format!("the aliases stand for more than {ALIAS_COUNT} occurrences of one value");
            return Err(Problem::new(Code::InputLimit, span, message));
        }
        Ok(())
    }

    /// The largest count among what the value at `row` contains.
    fn weight(&self, row: RowIndex) -> u64 {
        let arena = self.builder.arena();
        let mut largest = 0;
        let mut pending = Vec::from([row]);
        while let Some(index) = pending.pop() {
            let alias = self.expanded.get(&index).filter(|_| index != row);
            if let Some(anchor) = alias.and_then(|id| self.anchors.get(id)) {
                largest = largest.max(anchor.count.saturating_mul(anchor.weight));
                continue;
            }
            match arena.row(index).map(|row| row.value) {
                Some(RowValue::Sequence(entries)) => pending.extend(arena.items(entries)),
                Some(RowValue::Mapping(entries)) => {
                    let members = arena.members(entries);
                    // The names are scalars.
                    largest = largest.max(u64::from(!members.is_empty()));
                    pending.extend(members.iter().map(|member| member.value));
                }
                _ => largest = largest.max(1),
            }
        }
        largest
    }

    fn begun(
        &mut self,
        row: Result<RowIndex, Ceiling>,
        anchor: usize,
        span: Span,
    ) -> Result<(), Problem> {
        let row = row.map_err(|ceiling| limit(ceiling, span))?;
        self.content_end = span.end;
        self.remember_anchor(anchor, row);
        Ok(())
    }

    fn begin_level(
        &mut self,
        style: StructureStyle,
        range: Range,
        is_mapping: bool,
    ) -> Result<(), Problem> {
        let start = self.local_start(range);
        if style != StructureStyle::Block {
            self.levels.push(Level::Brackets { start });
            return Ok(());
        }
        let text = self.stand_ins.text();
        let column = range.start.col();
        let starts_as_written = is_mapping
            || text
                .get(start as usize..)
                .is_some_and(|rest| rest.starts_with('-'));
        if starts_as_written && indentation::begins_behind_tab(text, start as usize) {
            return Err(parse_failed(
                self.span(range),
                "a tab does not indent; use spaces",
            ));
        }
        let indentation = match self.levels.last() {
            Some(&Level::Block {
                indentation,
                is_mapping: true,
            }) if !is_mapping => {
                indentation::of_sequence(text, start as usize, column, indentation)
            }
            _ => column,
        };
        self.levels.push(Level::Block {
            indentation,
            is_mapping,
        });
        Ok(())
    }

    fn end(&mut self, range: Range) -> Result<(), Problem> {
        if let Some(Level::Brackets { start }) = self.levels.pop() {
            self.content_end = self.span(range).end;
            let end = self.local_start(Range::new(range.end, range.end));
            self.check_lines(start, end, Spanning::Brackets)?;
        }
        for repeat in self.builder.end(Some(self.content_end)) {
            if repeat.same_key {
                let name = super::shortened(self.builder.arena().text(repeat.name));
                let mut problem = parse_failed(
                    repeat.again,
                    format!("the key `{name}` occurs twice in one mapping"),
                );
                problem.first_declared = Some(repeat.first);
                return Err(problem);
            }
            // `1` and `"1"` are two keys of one name: the last value wins in the first one's place.
            self.repeats.push(repeat);
        }
        Ok(())
    }

    fn check_lines_of_quoted(&self, style: ScalarStyle, range: Range) -> Result<(), Problem> {
        if !matches!(style, ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted) {
            return Ok(());
        }
        let start = self.local_start(range);
        let end = self.local_start(Range::new(range.end, range.end));
        self.check_lines(start, end, Spanning::Quoted)
    }

    /// Refuses lines that are not indented deeper than the block around what begins at `start`.
    /// Inside brackets there is nothing to do: the outermost ones are checked as a whole.
    fn check_lines(&self, start: u32, end: u32, spanning: Spanning) -> Result<(), Problem> {
        let Some(&Level::Block { indentation, .. }) = self.levels.last() else {
            return Ok(());
        };
        let text = self.stand_ins.text();
        let shallow = indentation::first_shallow_line(
            text,
            start as usize,
            end as usize,
            indentation + 1,
            spanning,
        );
        match shallow {
            None => Ok(()),
            Some(at) => {
                // The offset lies inside a text shorter than 4 GiB.
                let at = self.offset(u32::try_from(at).unwrap_or(u32::MAX));
                let message = "the line has to be indented deeper than the key or dash before it";
                Err(parse_failed(Span::new(at, at), message))
            }
        }
    }

    fn refuse_as_key(&self, span: Span) -> Result<(), Problem> {
        if self.builder.expects_name() {
            return Err(collection_key(span));
        }
        Ok(())
    }

    fn remember_anchor(&mut self, id: usize, row: RowIndex) {
        if id != 0 {
            let anchor = Anchor {
                row,
                count: 1,
                weight: 0,
            };
            self.anchors.insert(id, anchor);
        }
    }

    fn syntax_error(&self, error: &ScanError) -> Problem {
        let at = error.marker().byte_offset().unwrap_or(0);
        let at = match error.kind() {
            // The parser is at the text before it.
            ErrorKind::TabInBlockIndentation
            | ErrorKind::TabInIndentation
            | ErrorKind::TabInPlainScalar
            | ErrorKind::TabAtBlockScalarStart => {
                indentation::tab_from(self.stand_ins.text(), at).unwrap_or(at)
            }
            _ => at,
        };
        let at = self.offset(u32::try_from(at).unwrap_or(u32::MAX));
        let span = Span::new(at, at);
        match error.kind() {
            ErrorKind::RecursionLimitExceeded => limit(Ceiling::Depth, span),
            ErrorKind::UnknownAnchor => parse_failed(span, "the alias names no anchor before it"),
            ErrorKind::TabInBlockIndentation
            | ErrorKind::TabInIndentation
            | ErrorKind::TabInPlainScalar
            | ErrorKind::TabAtBlockScalarStart => {
                parse_failed(span, "a tab does not indent; use spaces")
            }
            ErrorKind::FlowMappingValueAdjacentCollection => {
                parse_failed(span, "a space is needed between the colon and the bracket")
            }
            // Wherever it stands, in quotes too.
            ErrorKind::UnexpectedCharacter { character } if character.is_control() => {
                parse_failed(span, control_character(u32::from(*character)))
            }
            ErrorKind::UnexpectedCharacter { character } => {
                let shown = character.escape_debug();
                parse_failed(
                    span,
                    format!("a text cannot begin with `{shown}` unless it is quoted"),
                )
            }
            ErrorKind::SimpleKeyExpected | ErrorKind::InvalidSimpleKey => parse_failed(
                span,
                "a key lacks the colon and the space behind it, or has more than 1024 characters",
            ),
            kind => parse_failed(span, kind.to_string()),
        }
    }

    fn span(&self, range: Range) -> Span {
        let start = self.offset(self.local_start(range));
        let end = self.offset(self.local_start(Range::new(range.end, range.end)));
        Span::new(start, end.max(start))
    }

    /// Where a range of the parser starts in the text that it reads.
    fn local_start(&self, range: Range) -> u32 {
        // Texts that the parser reads as `&str` have byte offsets, and are shorter than 4 GiB.
        let start = range.start.byte_offset().unwrap_or(0);
        u32::try_from(start).unwrap_or(u32::MAX)
    }

    /// An offset of the parser as an offset of the file.
    fn offset(&self, local: u32) -> u32 {
        self.stand_ins.offset(local).saturating_add(self.base)
    }
}

fn control_character(character: u32) -> String {
    format!("the control character U+{character:04X} has to be written as an escape")
}

fn parse_failed(span: Span, message: impl Into<String>) -> Problem {
    Problem::new(Code::ParseFailed, span, message)
}

fn collection_key(span: Span) -> Problem {
    parse_failed(span, "a mapping or sequence cannot be a key")
}

fn limit(ceiling: Ceiling, span: Span) -> Problem {
    let message = match ceiling {
        Ceiling::Nodes => super::TOO_MANY_NODES.into(),
        Ceiling::Depth => {
            format!("sequences and mappings nest more than {DOCUMENT_DEPTH} levels deep")
        }
    };
    Problem::new(Code::InputLimit, span, message)
}

fn full_tag(tag: &Tag) -> String {
    format!("{}{}", tag.handle(), tag.suffix())
}

/// A collection keeps its kind whatever its tag says, unless the tag asks for a type of YAML 1.1.
fn check_collection_tag(tag: Option<&Tag>, span: Span) -> Result<(), Problem> {
    match tag {
        Some(tag) => refuse_tag(&full_tag(tag), span),
        None => Ok(()),
    }
}

/// Types of YAML 1.1 that JSON does not have: reading them as strings would surprise.
fn refuse_tag(tag: &str, span: Span) -> Result<(), Problem> {
    match tag.strip_prefix("tag:yaml.org,2002:") {
        Some(kind @ ("binary" | "merge" | "omap" | "pairs" | "set" | "timestamp")) => {
            Err(parse_failed(
                span,
                format!("the tag `!!{kind}` is not used in definitions"),
            ))
        }
        _ => Ok(()),
    }
}
