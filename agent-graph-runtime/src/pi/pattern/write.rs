//! Writes a parsed pattern as an expression for the engine. Characters are written by number and groups
//! with explicit brackets, so that nothing depends on what else the engine's syntax knows.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;

use super::PatternProblem;
use super::class;
use super::references::{References, references};
use super::syntax::{Node, Parsed};
use super::units::mapped_unit;

/// The expression for a pattern, and whether it needs the engine that steps back: for look-around and
/// references.
pub(super) fn write(parsed: &Parsed) -> Result<(String, bool), PatternProblem> {
    let references = references(parsed)?;
    let is_hard = references.remembered.contains(&true) || parsed.root.looks_around();
    let mut writer = Writer {
        out: String::new(),
        numbers: Vec::from([0]),
        written_groups: 0,
        references_seen: 0,
        references: &references,
        is_hard,
    };
    writer.numbers.resize(parsed.groups as usize + 1, 0);
    writer.node(&parsed.root);
    Ok((writer.out, is_hard))
}

struct Writer<'r> {
    out: String,
    /// For each group, its number in the expression.
    numbers: Vec<u32>,
    written_groups: u32,
    references_seen: usize,
    references: &'r References,
    is_hard: bool,
}

impl Writer<'_> {
    fn node(&mut self, node: &Node) {
        match node {
            Node::Empty => self.text("(?:)"),
            Node::Unit(unit) => self.unit(*unit),
            Node::Class(ranges) => self.class(ranges),
            Node::Start => self.text("\\A"),
            Node::End => self.text("\\z"),
            Node::WordBoundary { negated } => self.word_boundary(*negated),
            Node::Capture { group, body } => self.capture(*group, body),
            Node::Look {
                behind,
                negative,
                body,
            } => {
                self.text(match (behind, negative) {
                    (false, false) => "(?=",
                    (false, true) => "(?!",
                    (true, false) => "(?<=",
                    (true, true) => "(?<!",
                });
                self.node(body);
                self.text(")");
            }
            Node::Reference(group) => self.reference(*group),
            Node::Repeat {
                body,
                min,
                max,
                lazy,
            } => self.repeat(body, *min, *max, *lazy),
            Node::Sequence(parts) => parts.iter().for_each(|part| self.node(part)),
            Node::Choice(parts) => {
                self.text("(?:");
                for (index, part) in parts.iter().enumerate() {
                    if index > 0 {
                        self.text("|");
                    }
                    self.node(part);
                }
                self.text(")");
            }
        }
    }

    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn unit(&mut self, unit: u16) {
        // A string takes all text.
        let _ = write!(self.out, "\\x{{{:X}}}", mapped_unit(unit));
    }

    fn class(&mut self, ranges: &[(u16, u16)]) {
        if ranges.is_empty() {
            // Nothing matches an empty class.
            return self.text(r"[^\x{0}-\x{10FFFF}]");
        }
        self.text("[");
        for &(low, high) in ranges {
            for (first, last) in [(0, 0xd7ff), (0xd800, 0xdfff), (0xe000, 0xffff)] {
                let (low, high) = (low.max(first), high.min(last));
                if low <= high {
                    self.unit(low);
                    self.text("-");
                    self.unit(high);
                }
            }
        }
        self.text("]");
    }

    fn word_boundary(&mut self, negated: bool) {
        if !self.is_hard {
            // The linear engine has this one itself, of ASCII as in ECMAScript.
            return self.text(if negated { r"(?-u:\B)" } else { r"(?-u:\b)" });
        }
        // No word unit before and one after, or the other way round. Negated: both or neither.
        let (before, after) = if negated {
            ("(?:(?<=", "(?<!")
        } else {
            ("(?:(?<!", "(?<=")
        };
        self.text(before);
        self.class(class::WORD);
        self.text(")(?=");
        self.class(class::WORD);
        self.text(")|");
        self.text(after);
        self.class(class::WORD);
        self.text(")(?!");
        self.class(class::WORD);
        self.text("))");
    }

    fn capture(&mut self, group: u32, body: &Node) {
        let is_remembered = self
            .references
            .remembered
            .get(group as usize)
            .copied()
            .unwrap_or(false);
        if is_remembered {
            self.written_groups += 1;
            if let Some(number) = self.numbers.get_mut(group as usize) {
                *number = self.written_groups;
            }
        }
        self.text(if is_remembered { "(" } else { "(?:" });
        self.node(body);
        self.text(")");
    }

    fn reference(&mut self, group: u32) {
        let seen = self.references_seen;
        self.references_seen += 1;
        let always_empty = self.references.always_empty.get(seen).copied();
        if always_empty.unwrap_or(true) {
            return self.text("(?:)");
        }
        // A group that took no part matches the empty text.
        let number = self.numbers.get(group as usize).copied().unwrap_or(0);
        let _ = write!(self.out, "(?({number})\\{number}|)");
    }

    fn repeat(&mut self, body: &Node, min: u32, max: Option<u32>, lazy: bool) {
        self.text("(?:");
        self.node(body);
        self.text(")");
        let _ = match (min, max) {
            (0, None) => write!(self.out, "*"),
            (1, None) => write!(self.out, "+"),
            (0, Some(1)) => write!(self.out, "?"),
            (min, None) => write!(self.out, "{{{min},}}"),
            (min, Some(max)) => write!(self.out, "{{{min},{max}}}"),
        };
        if lazy {
            self.text("?");
        }
    }
}
