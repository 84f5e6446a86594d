//! The lines of a text that a finding means: whole lines where that is a reasonable amount, else a part of one.
//! Knows texts and places, nothing about how lines are shown. Takes any bytes and any span: a finding may
//! be about text that is not well-formed.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::finding::Place;
use crate::ordered;
use crate::terminal;

/// The most bytes of a text that are shown in one piece.
const PIECE: usize = 16 * 1024;

/// The most lines of one place that are shown; of a longer one the first line is.
const LINES: usize = 8;

/// How many bytes of a line that is too long are shown on each side of what is meant.
const AROUND: usize = 200;

/// A place and what is said about it; nothing where the finding itself says it.
#[derive(Clone, Copy)]
pub(crate) struct Mark<'f> {
    pub(crate) place: &'f Place,
    pub(crate) label: Option<&'f str>,
}

/// A piece of a text.
pub(crate) struct Excerpt {
    pub(crate) text: String,
    /// The number of its first line.
    pub(crate) line: usize,
    /// What is meant in it, a range for each mark.
    pub(crate) spans: Vec<Range<usize>>,
}

/// The whole lines that hold these places, which are in one file. None if that is too much, or if a place
/// is the file as a whole.
pub(crate) fn of(text: &[u8], marks: &[Mark<'_>]) -> Option<Excerpt> {
    let ranges: Option<Vec<_>> = marks.iter().map(|mark| range(text, mark.place)).collect();
    let ranges = ranges?;
    let first = ranges.iter().map(|range| range.start).min()?;
    let last = ranges.iter().map(|range| range.end).max()?;
    let lines = line_start(text, first)..line_end(text, last);
    if lines.len() > PIECE {
        return None;
    }
    let at_first = ranges.iter().zip(marks);
    let line = at_first
        .filter(|(range, _)| range.start == first)
        .map(|(_, mark)| mark.place.position.line)
        .min()?;
    Some(cut(text, lines, &ranges, line))
}

/// A part of the line that holds a place.
pub(crate) fn part(text: &[u8], mark: &Mark<'_>) -> Option<Excerpt> {
    let range = range(text, mark.place)?;
    let range = range.start..range.end.min(range.start + AROUND);
    let start = line_start(text, range.start).max(range.start.saturating_sub(AROUND));
    let end = line_end(text, range.end).min(range.end + AROUND);
    let end = end.max(start);
    // What is cut off in the middle of a character is not shown as a character.
    let start = boundary(text, start, range.start);
    let line = mark.place.position.line;
    Some(cut(text, start..end, &[range], line))
}

/// What a place means, without the white space behind it; of many lines the first one. None for the file as
/// a whole.
fn range(text: &[u8], place: &Place) -> Option<Range<usize>> {
    let span = place.span;
    if span.start == 0 && span.end == 0 {
        return None;
    }
    let start = (span.start as usize).min(text.len());
    let end = (span.end as usize).clamp(start, text.len());
    let meant = text.get(start..end)?.trim_ascii_end();
    let is_long = meant.iter().filter(|&&byte| byte == b'\n').count() >= LINES;
    let meant = if is_long {
        let mut lines = meant.split(|&byte| byte == b'\n');
        lines.next().unwrap_or(meant).trim_ascii_end()
    } else {
        meant
    };
    Some(start..start + meant.len())
}

/// The beginning of the line that holds the byte at `at`; a byte order mark is no part of it.
fn line_start(text: &[u8], at: usize) -> usize {
    let before = text.get(..at).unwrap_or(text);
    match before.iter().rposition(|&byte| byte == b'\n') {
        Some(line_end) => line_end + 1,
        None if before.starts_with("\u{feff}".as_bytes()) => "\u{feff}".len(),
        None => 0,
    }
}

/// The end of the line that holds the byte at `at`.
fn line_end(text: &[u8], at: usize) -> usize {
    let behind = text.get(at..).unwrap_or_default();
    let length = behind.iter().position(|&byte| byte == b'\n');
    let end = at + length.unwrap_or(behind.len());
    let line = text.get(at..end).unwrap_or_default();
    end - usize::from(line.ends_with(b"\r"))
}

/// The first byte from `at` on that begins a character, `limit` at the latest.
fn boundary(text: &[u8], at: usize, limit: usize) -> usize {
    let continues = |&index: &usize| text.get(index).is_some_and(|byte| byte & 0xc0 == 0x80);
    (at..limit).find(|index| !continues(index)).unwrap_or(limit)
}

/// A piece of the text as it can be shown, with ranges of it.
fn cut(text: &[u8], piece: Range<usize>, ranges: &[Range<usize>], line: u32) -> Excerpt {
    let mut cuts: Vec<usize> = ranges
        .iter()
        .flat_map(|range| [range.start, range.end])
        .map(|at| at.clamp(piece.start, piece.end))
        .collect();
    cuts.extend([piece.start, piece.end]);
    ordered::sort_by(&mut cuts, Ord::cmp);
    cuts.dedup();
    let mut shown = String::new();
    // Where each cut is in what is shown.
    let mut places: Vec<(usize, usize)> = Vec::new();
    let mut from = piece.start;
    for at in cuts {
        let bytes = text.get(from..at).unwrap_or_default();
        let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n");
        shown.extend(text.chars().map(terminal::shown));
        places.push((at, shown.len()));
        from = at;
    }
    let place_of = |at: usize| {
        let at = at.clamp(piece.start, piece.end);
        let found = places.iter().find(|(cut, _)| *cut == at);
        found.map_or(shown.len(), |(_, place)| *place)
    };
    let spans = ranges
        .iter()
        .map(|range| place_of(range.start)..place_of(range.end))
        .collect();
    Excerpt {
        text: shown,
        line: line as usize,
        spans,
    }
}
