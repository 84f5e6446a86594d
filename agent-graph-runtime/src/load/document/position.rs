//! Lines and columns of a text without reading it again for every question.
//! Knows nothing about formats.

use alloc::vec::Vec;

use crate::span::Position;

/// Distance in bytes of the places whose character count is remembered.
const STRIDE: usize = 1024;

/// Where lines begin, and how many characters stand before every `STRIDE`th byte: a position costs
/// a binary search and a look at `2 * STRIDE` bytes at most, however long the line is.
#[derive(Debug)]
pub(super) struct PositionIndex {
    line_starts: Vec<u32>,
    characters_before: Vec<u32>,
    /// Every byte is a character: nothing has to be counted.
    is_ascii: bool,
}

impl PositionIndex {
    /// The index of `text`, which is shorter than 4 GiB.
    pub(super) fn new(text: &str) -> Self {
        let mut line_starts = Vec::from([0]);
        if text.is_ascii() {
            let feeds = text.match_indices('\n').map(|(at, _)| at + 1);
            line_starts.extend(feeds.map(|start| u32::try_from(start).unwrap_or(u32::MAX)));
            return Self {
                line_starts,
                characters_before: Vec::new(),
                is_ascii: true,
            };
        }
        let mut characters_before = Vec::new();
        let mut characters = 0;
        for (at, byte) in text.bytes().enumerate() {
            if at % STRIDE == 0 {
                characters_before.push(characters);
            }
            characters += u32::from(begins_character(byte));
            if byte == b'\n' {
                line_starts.push(u32::try_from(at + 1).unwrap_or(u32::MAX));
            }
        }
        Self {
            line_starts,
            characters_before,
            is_ascii: false,
        }
    }

    /// The position of the byte `offset` of the same text. An offset beyond the text, or inside a
    /// character, counts as the nearest position before it.
    pub(super) fn position(&self, text: &str, offset: u32) -> Position {
        let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
        let offset = offset.min(length);
        let line = self.line_starts.partition_point(|&start| start <= offset);
        // The first line starts at 0, so at least one start lies at or before every offset.
        let line_start = line
            .checked_sub(1)
            .and_then(|index| self.line_starts.get(index).copied())
            .unwrap_or(0);
        if self.is_ascii {
            return Position {
                line: u32::try_from(line).unwrap_or(u32::MAX),
                column: offset - line_start + 1,
            };
        }
        let inside = text.as_bytes().get(offset as usize);
        let offset_counts = inside.is_none_or(|&byte| begins_character(byte));
        let before = self.characters_to(text, offset) - self.characters_to(text, line_start);
        Position {
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: before + u32::from(offset_counts),
        }
    }

    /// How many characters begin before the byte `offset`.
    fn characters_to(&self, text: &str, offset: u32) -> u32 {
        let offset = offset as usize;
        let mark = (offset / STRIDE).min(self.characters_before.len().saturating_sub(1));
        let known = self.characters_before.get(mark).copied().unwrap_or(0);
        let rest = text.as_bytes().get(mark * STRIDE..offset).unwrap_or(&[]);
        let begun = rest.iter().filter(|&&byte| begins_character(byte)).count();
        known + u32::try_from(begun).unwrap_or(0)
    }
}

/// Every byte of UTF-8 but the continuation bytes.
fn begins_character(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    #[test]
    fn the_index_agrees_with_a_count_from_the_beginning_at_every_offset() {
        let mut long = String::from("é😀\r\n\n");
        for n in 0..900 {
            long.push_str(if n % 97 == 0 { "\n" } else { "aé" });
        }
        for text in ["", "a", "\n", "ab\ncé d", &long] {
            let index = PositionIndex::new(text);
            for offset in 0..=u32::try_from(text.len()).unwrap() + 3 {
                assert_eq!(
                    index.position(text, offset),
                    Position::in_text(text, offset),
                    "offset {offset}"
                );
            }
        }
    }
}
