//! Places in a text. Knows nothing about files or formats.

/// A range of bytes in a text, `start` included, `end` not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset behind the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` up to but not including `end`, in bytes.
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }
}

/// A line and a column, both counted from 1; the column counts characters (Unicode code points).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Line, counted from 1.
    pub line: u32,
    /// Column in characters, counted from 1.
    pub column: u32,
}

impl Position {
    /// The position of the byte `offset` in `text`. An offset beyond the text, or inside a
    /// character, counts as the nearest position before it. LF and CRLF end a line.
    ///
    /// ```
    /// use agent_graph_runtime::Position;
    /// assert_eq!(Position::in_text("ab\ncé d", 7), Position { line: 2, column: 4 });
    /// ```
    pub fn in_text(text: &str, offset: u32) -> Self {
        let mut end = (offset as usize).min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let before = text.get(..end).unwrap_or("");
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
        let column = before.get(line_start..).unwrap_or("").chars().count() + 1;
        let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self {
            line: clamp(line),
            column: clamp(column),
        }
    }
}
