//! Pools of rows as Rust text: one `static` a pool, one row a line with a comment that says whose row it is.
//! Knows how a pool is written, not which pools there are.

use super::labels::comment;
use super::literal::{Literal, Writer};

/// Numbers on one line of a pool of indices.
const NUMBERS_A_LINE: usize = 16;

/// Pools over one text.
pub(super) struct Pools<'t> {
    /// The text pool.
    pub(super) text: &'t str,
    pub(super) writer: Writer,
    pub(super) indent: &'t str,
}

impl Pools<'_> {
    pub(super) fn pool<T: Literal>(
        &mut self,
        name: &str,
        row: &str,
        rows: &[T],
        label: impl Fn(u32, &T) -> String,
    ) {
        let indent = self.indent;
        self.open(name, row, rows.len());
        for (index, row) in (0..).zip(rows) {
            self.writer.text(format_args!("{indent}    "));
            row.write(&mut self.writer);
            let label = label(index, row);
            self.writer.text(format_args!(", // {}\n", comment(&label)));
        }
        self.line("];");
    }

    pub(super) fn numbers(&mut self, name: &str, numbers: &[u32]) {
        let indent = self.indent;
        self.open(name, "u32", numbers.len());
        for line in numbers.chunks(NUMBERS_A_LINE) {
            self.writer.text(format_args!("{indent}   "));
            for number in line {
                self.writer.text(format_args!(" {number},"));
            }
            self.writer.out.push('\n');
        }
        self.line("];");
    }

    /// The text pool, one text a line. A backslash at the end of a line joins it with the next one.
    pub(super) fn text_pool(&mut self) {
        let indent = self.indent;
        let starts = std::mem::take(&mut self.writer.text_starts);
        self.writer.out.push('\n');
        self.line("static TEXT: &str = \"\\");
        let mut rest = self.text;
        let mut offset = 0;
        for start in starts.into_iter().chain([u32::MAX]) {
            let length = (start as usize).saturating_sub(offset).min(rest.len());
            let Some((piece, behind)) = rest.split_at_checked(length) else {
                continue;
            };
            if piece.is_empty() {
                continue;
            }
            rest = behind;
            offset += length;
            self.writer
                .text(format_args!("{indent}    {}\\\n", escape(piece)));
        }
        self.line("\";");
    }

    pub(super) fn open(&mut self, name: &str, row: &str, length: usize) {
        let indent = self.indent;
        self.writer.text(format_args!(
            "\n{indent}pub(super) static {name}: [{row}; {length}] = [\n"
        ));
    }

    pub(super) fn line(&mut self, line: &str) {
        let indent = self.indent;
        self.writer.text(format_args!("{indent}{line}\n"));
    }
}

/// The text as a piece of a string literal that follows a joined line: the joint swallows spaces, so
/// one at the beginning is escaped.
fn escape(piece: &str) -> String {
    let (space, piece) = match piece.strip_prefix(' ') {
        Some(rest) => ("\\x20", rest),
        None => ("", piece),
    };
    // Quotes of the kind that does not delimit the literal stay as they are.
    let mut escaped = String::from(space);
    for character in piece.chars() {
        match character {
            '\'' => escaped.push('\''),
            other => escaped.extend(other.escape_debug()),
        }
    }
    escaped
}
