//! Strict RFC 8259 reader: text in, a flat sequence of calls with spans out. Does not recurse, so no
//! input can exhaust the stack. Knows nothing about what is built from the calls.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::code::Code;
use crate::error::Error;
use crate::span::{Position, Span};

/// How deeply arrays and objects may nest, in text that is read and in values that are written.
pub const DEPTH_LIMIT: u32 = 128;

/// What is built from a text. The reader calls these in the order of the text; `begin` and `end`
/// calls are balanced unless reading stops with an error.
///
/// A sink may stop reading by returning a reason, for example when it holds too many values.
pub(crate) trait Sink {
    /// `null`.
    fn null(&mut self, span: Span) -> Result<(), Reason>;
    /// `true` or `false`.
    fn bool(&mut self, value: bool, span: Span) -> Result<(), Reason>;
    /// A finite number; `-0` stays negative.
    fn number(&mut self, value: f64, span: Span) -> Result<(), Reason>;
    /// A string that is a value; the span includes the quotes.
    fn string(&mut self, value: Cow<'_, str>, span: Span) -> Result<(), Reason>;
    /// The name of the member whose value follows; the span includes the quotes.
    fn key(&mut self, name: Cow<'_, str>, span: Span) -> Result<(), Reason>;
    /// `[`
    fn begin_array(&mut self, bracket: Span) -> Result<(), Reason>;
    /// `]`; the span is that of the whole array.
    fn end_array(&mut self, array: Span) -> Result<(), Reason>;
    /// `{`
    fn begin_object(&mut self, brace: Span) -> Result<(), Reason>;
    /// `}`; the span is that of the whole object.
    fn end_object(&mut self, object: Span) -> Result<(), Reason>;
}

/// Why reading stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// The text is not JSON; what is wrong, as a clause.
    Malformed(&'static str),
    /// A number beyond the double range (difference D12).
    NumberRange,
    /// An escape that is half a surrogate pair (difference D19).
    LoneSurrogate,
    /// More levels of arrays and objects than this.
    Depth(u32),
    /// Another ceiling; which one, as a clause.
    Limit(&'static str),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(clause) | Self::Limit(clause) => f.write_str(clause),
            Self::NumberRange => f.write_str("the number is beyond the range of a double"),
            Self::LoneSurrogate => f.write_str("the escape is half a surrogate pair"),
            Self::Depth(limit) => {
                write!(f, "arrays and objects nest more than {limit} levels deep")
            }
        }
    }
}

/// Why reading stopped, and at which byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ReadError {
    /// Offset of the byte that is wrong, or of the value that is refused.
    pub(crate) offset: u32,
    /// What is wrong.
    pub(crate) reason: Reason,
}

impl ReadError {
    /// The public face of the error; `text` is the text that was read.
    pub(crate) fn into_error(self, text: &str) -> Error {
        let code = match self.reason {
            Reason::Malformed(_) | Reason::NumberRange | Reason::LoneSurrogate => Code::JsonInvalid,
            Reason::Depth(_) | Reason::Limit(_) => Code::InputLimit,
        };
        let Position { line, column } = Position::in_text(text, self.offset);
        Error::new(code, format!("{line}:{column}: {}", self.reason))
    }
}

/// Reads one JSON text, which may nest `depth` levels.
pub(crate) fn read(text: &str, depth: u32, sink: &mut impl Sink) -> Result<(), ReadError> {
    if u32::try_from(text.len()).is_err() {
        return Err(ReadError {
            offset: 0,
            reason: Reason::Limit("the text is longer than 4 GiB"),
        });
    }
    Reader { text, at: 0 }.document(depth, sink)
}

/// An array or object whose end has not been read.
#[derive(Clone, Copy)]
enum Open {
    Array(usize),
    Object(usize),
}

/// What the next token has to be.
enum Next {
    Value,
    Name,
    Separator,
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn document(&mut self, depth: u32, sink: &mut impl Sink) -> Result<(), ReadError> {
        let mut open = Vec::new();
        let mut next = Next::Value;
        loop {
            self.skip_white_space();
            next = match next {
                Next::Value => self.value(depth, &mut open, sink)?,
                Next::Name => self.name(sink)?,
                Next::Separator => match open.last() {
                    Some(&container) => self.separator(container, &mut open, sink)?,
                    None if self.at == self.text.len() => return Ok(()),
                    None => return self.malformed("there is text after the value"),
                },
            };
        }
    }

    /// Reads a value, or the beginning of one with members.
    fn value(
        &mut self,
        depth: u32,
        open: &mut Vec<Open>,
        sink: &mut impl Sink,
    ) -> Result<Next, ReadError> {
        let start = self.at;
        match self.peek() {
            Some(b'{' | b'[') if open.len() >= depth as usize => {
                return Err(self.error_at(start, Reason::Depth(depth)));
            }
            Some(b'{') => {
                self.at += 1;
                self.accept(start, sink.begin_object(self.span(start)))?;
                return self.first(b'}', Open::Object(start), open, sink);
            }
            Some(b'[') => {
                self.at += 1;
                self.accept(start, sink.begin_array(self.span(start)))?;
                return self.first(b']', Open::Array(start), open, sink);
            }
            Some(b'"') => {
                let value = self.string()?;
                self.accept(start, sink.string(value, self.span(start)))?;
            }
            Some(b'-' | b'0'..=b'9') => {
                let value = self.number()?;
                self.accept(start, sink.number(value, self.span(start)))?;
            }
            Some(b't') => {
                self.word("true")?;
                self.accept(start, sink.bool(true, self.span(start)))?;
            }
            Some(b'f') => {
                self.word("false")?;
                self.accept(start, sink.bool(false, self.span(start)))?;
            }
            Some(b'n') => {
                self.word("null")?;
                self.accept(start, sink.null(self.span(start)))?;
            }
            None => return self.malformed("the text ends where a value is expected"),
            Some(_) if self.rest().starts_with('\u{feff}') => {
                return self.malformed("a byte-order mark is not allowed");
            }
            Some(_) => return self.malformed("a value is expected"),
        }
        Ok(Next::Separator)
    }

    /// After an opening bracket: its closing one, or the first item or name.
    fn first(
        &mut self,
        closing: u8,
        container: Open,
        open: &mut Vec<Open>,
        sink: &mut impl Sink,
    ) -> Result<Next, ReadError> {
        self.skip_white_space();
        if self.peek() == Some(closing) {
            self.at += 1;
            self.close(container, sink)?;
            return Ok(Next::Separator);
        }
        open.push(container);
        Ok(match container {
            Open::Array(_) => Next::Value,
            Open::Object(_) => Next::Name,
        })
    }

    /// After a value inside `container`: a comma or the closing bracket.
    fn separator(
        &mut self,
        container: Open,
        open: &mut Vec<Open>,
        sink: &mut impl Sink,
    ) -> Result<Next, ReadError> {
        match (self.peek(), container) {
            (Some(b','), Open::Array(_)) => {
                self.at += 1;
                Ok(Next::Value)
            }
            (Some(b','), Open::Object(_)) => {
                self.at += 1;
                Ok(Next::Name)
            }
            (Some(b']'), Open::Array(_)) | (Some(b'}'), Open::Object(_)) => {
                self.at += 1;
                open.pop();
                self.close(container, sink)?;
                Ok(Next::Separator)
            }
            (_, Open::Array(_)) => self.malformed("a comma or `]` is expected"),
            (_, Open::Object(_)) => self.malformed("a comma or `}` is expected"),
        }
    }

    fn close(&self, container: Open, sink: &mut impl Sink) -> Result<(), ReadError> {
        match container {
            Open::Array(start) => self.accept(start, sink.end_array(self.span(start))),
            Open::Object(start) => self.accept(start, sink.end_object(self.span(start))),
        }
    }

    /// A member name and its colon.
    fn name(&mut self, sink: &mut impl Sink) -> Result<Next, ReadError> {
        let start = self.at;
        if self.peek() != Some(b'"') {
            return self.malformed("a member name in double quotes is expected");
        }
        let name = self.string()?;
        self.accept(start, sink.key(name, self.span(start)))?;
        self.skip_white_space();
        if self.peek() != Some(b':') {
            return self.malformed("a colon is expected");
        }
        self.at += 1;
        Ok(Next::Value)
    }

    fn word(&mut self, word: &str) -> Result<(), ReadError> {
        if !self.rest().starts_with(word) {
            return self.malformed("a value is expected");
        }
        self.at += word.len();
        Ok(())
    }

    fn number(&mut self) -> Result<f64, ReadError> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        // What the grammar above accepts, `f64` parses; its rounding is exact.
        match self.text.get(start..self.at).unwrap_or("").parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(number),
            _ => Err(self.error_at(start, Reason::NumberRange)),
        }
    }

    /// One digit or more.
    fn digits(&mut self) -> Result<(), ReadError> {
        if !matches!(self.peek(), Some(b'0'..=b'9')) {
            return self.malformed("a digit is expected");
        }
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        Ok(())
    }

    /// A string, from its opening quote to behind its closing one.
    fn string(&mut self) -> Result<Cow<'t, str>, ReadError> {
        self.at += 1;
        let plain = self.plain_text();
        if self.peek() == Some(b'"') {
            self.at += 1;
            return Ok(Cow::Borrowed(plain));
        }
        let mut text = String::from(plain);
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(Cow::Owned(text));
                }
                Some(b'\\') => text.push(self.escape()?),
                Some(_) => return self.malformed("a control character has to be escaped"),
                None => return self.malformed("the text ends inside a string"),
            }
            text.push_str(self.plain_text());
        }
    }

    /// The text up to a quote, a backslash, a control character or the end.
    fn plain_text(&mut self) -> &'t str {
        let rest = self.rest();
        let special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..=0x1f);
        let length = rest.as_bytes().iter().position(special);
        // The special bytes are ASCII, so this cuts no character.
        let plain = rest.get(..length.unwrap_or(rest.len())).unwrap_or("");
        self.at += plain.len();
        plain
    }

    fn escape(&mut self) -> Result<char, ReadError> {
        let start = self.at;
        self.at += 1;
        let character = match self.peek() {
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                return self.unicode_escape(start);
            }
            _ => return Err(self.error_at(start, Reason::Malformed("the escape is unknown"))),
        };
        self.at += 1;
        Ok(character)
    }

    /// The digits of `\u`, and the second half of a surrogate pair.
    fn unicode_escape(&mut self, start: usize) -> Result<char, ReadError> {
        let lone = self.error_at(start, Reason::LoneSurrogate);
        let first = self.four_hex_digits()?;
        if !(0xd800..0xdc00).contains(&first) {
            return char::from_u32(first).ok_or(lone);
        }
        if !self.rest().starts_with("\\u") {
            return Err(lone);
        }
        self.at += 2;
        let second = self.four_hex_digits()?;
        if !(0xdc00..0xe000).contains(&second) {
            return Err(lone);
        }
        char::from_u32(0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00)).ok_or(lone)
    }

    fn four_hex_digits(&mut self) -> Result<u32, ReadError> {
        let mut number = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            let Some(digit) = digit else {
                return self.malformed("four hex digits are expected");
            };
            number = number << 4 | digit;
            self.at += 1;
        }
        Ok(number)
    }

    fn skip_white_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// From `start` to what has been read.
    fn span(&self, start: usize) -> Span {
        Span::new(offset(start), offset(self.at))
    }

    fn accept(&self, start: usize, answer: Result<(), Reason>) -> Result<(), ReadError> {
        answer.map_err(|reason| self.error_at(start, reason))
    }

    fn malformed<T>(&self, clause: &'static str) -> Result<T, ReadError> {
        Err(self.error_at(self.at, Reason::Malformed(clause)))
    }

    fn error_at(&self, at: usize, reason: Reason) -> ReadError {
        ReadError {
            offset: offset(at),
            reason,
        }
    }
}

/// [`read`] refuses texts whose offsets do not fit.
fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;
    use core::fmt::Write;

    use super::*;

    /// Writes each call as one word with its span.
    #[derive(Default)]
    struct Trace(String);

    impl Trace {
        fn add(&mut self, what: &dyn fmt::Debug, span: Span) -> Result<(), Reason> {
            let _ = write!(self.0, "{what:?}@{}-{} ", span.start, span.end);
            Ok(())
        }
    }

    impl Sink for Trace {
        fn null(&mut self, span: Span) -> Result<(), Reason> {
            self.add(&(), span)
        }
        fn bool(&mut self, value: bool, span: Span) -> Result<(), Reason> {
            self.add(&value, span)
        }
        fn number(&mut self, value: f64, span: Span) -> Result<(), Reason> {
            self.add(&value, span)
        }
        fn string(&mut self, value: Cow<'_, str>, span: Span) -> Result<(), Reason> {
            self.add(&value, span)
        }
        fn key(&mut self, name: Cow<'_, str>, span: Span) -> Result<(), Reason> {
            self.add(&format_args!("key {name}"), span)
        }
        fn begin_array(&mut self, bracket: Span) -> Result<(), Reason> {
            self.add(&'[', bracket)
        }
        fn end_array(&mut self, array: Span) -> Result<(), Reason> {
            self.add(&']', array)
        }
        fn begin_object(&mut self, brace: Span) -> Result<(), Reason> {
            self.add(&'{', brace)
        }
        fn end_object(&mut self, object: Span) -> Result<(), Reason> {
            self.add(&'}', object)
        }
    }

    fn trace(text: &str) -> String {
        let mut trace = Trace::default();
        read(text, DEPTH_LIMIT, &mut trace).unwrap();
        trace.0.trim_end().to_string()
    }

    fn refusal(text: &str) -> String {
        let error = read(text, 3, &mut Trace::default()).unwrap_err();
        error.into_error(text).to_string()
    }

    #[test]
    fn every_value_and_name_comes_with_its_span() {
        assert_eq!(
            trace(" {\"a\" : [null,true, -0.5e1] , \"é\\n\": \"x\", \"e\":{}, \"f\":[ ]}"),
            "'{'@1-2 key a@2-5 '['@8-9 ()@9-13 true@14-18 -5.0@20-26 ']'@8-27 key é\n@30-36 \
             \"x\"@38-41 key e@43-46 '{'@47-48 '}'@47-49 key f@51-54 '['@55-56 ']'@55-58 '}'@1-59"
        );
    }

    #[test]
    fn escapes_stand_for_one_character_each() {
        assert_eq!(
            trace(r#""\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00!""#),
            "\"\\\"\\\\/\\u{8}\\u{c}\\n\\r\\té😀!\"@0-37"
        );
    }

    #[test]
    fn numbers_are_rounded_to_the_nearest_double() {
        assert_eq!(trace("9007199254740993"), "9007199254740992.0@0-16");
        assert_eq!(trace("1e-400"), "0.0@0-6");
        assert_eq!(
            trace("1.7976931348623157e308"),
            "1.7976931348623157e308@0-22"
        );
    }

    #[test]
    fn what_is_not_json_is_refused_with_line_and_column() {
        for (text, place) in [
            ("", "1:1"),
            ("\u{feff}1", "1:1"),
            ("1 2", "1:3"),
            ("[1,\n]", "2:1"),
            ("{\"a\":1,}", "1:8"),
            ("{a:1}", "1:2"),
            ("{\"a\" 1}", "1:6"),
            ("[1}", "1:3"),
            ("{\"a\":1]", "1:7"),
            ("[", "1:2"),
            ("\"a", "1:3"),
            ("\"a\tb\"", "1:3"),
            ("\"\\x\"", "1:2"),
            ("\"\\u12g4\"", "1:6"),
            ("nul", "1:1"),
            ("01", "1:2"),
            ("-", "1:2"),
            ("1.", "1:3"),
            (".5", "1:1"),
            ("+1", "1:1"),
            ("1e", "1:3"),
            ("NaN", "1:1"),
            ("'a'", "1:1"),
            ("\u{a0}1", "1:1"),
            ("[1,1e309]", "1:4"),
            ("-1e999999999999", "1:1"),
            ("\"\\ud800\"", "1:2"),
            ("\"\\udc00\"", "1:2"),
            ("\"a\\ud800\\u0041\"", "1:3"),
            ("\"\\ud800x\"", "1:2"),
        ] {
            let refusal = refusal(text);
            assert!(
                refusal.starts_with(&format!("json-invalid: {place}: ")),
                "{text}: {refusal}"
            );
        }
    }

    #[test]
    fn nesting_beyond_the_limit_is_refused_without_recursion() {
        read("[{\"a\":[]}]", 3, &mut Trace::default()).unwrap();
        assert!(refusal("[{\"a\":[[]]}]").starts_with("input-limit: 1:8: "));
        let deep = "[".repeat(1_000_000);
        assert!(refusal(&deep).starts_with("input-limit: 1:4: "));
    }
}
