//! Reads a pattern of ECMAScript without flag `u`, with the syntax that the web keeps alive (Annex B): a
//! stray `]` or `}` is itself, `\1` without a group is an octal escape, unknown escapes are the letter.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::class;
use super::named;
use super::syntax::{Node, Parsed, Ranges};
use super::{PATTERN_UNITS, PatternProblem};

/// How deeply groups may nest.
const DEPTH: u32 = 100;

const NOTHING_TO_REPEAT: PatternProblem = PatternProblem::Invalid("there is nothing to repeat");

/// Parses a pattern.
pub(super) fn parse(source: &str) -> Result<Parsed, PatternProblem> {
    let units: Vec<u16> = source.encode_utf16().take(PATTERN_UNITS + 1).collect();
    if units.len() > PATTERN_UNITS {
        return Err(PatternProblem::Unsupported("the pattern is too long"));
    }
    let mut parser = Parser {
        cursor: Cursor {
            units: &units,
            at: 0,
        },
        outline: Outline::of(&units)?,
        opened: 0,
    };
    let root = parser.choice(0)?;
    if parser.cursor.peek().is_some() {
        // Only a closing parenthesis ends a choice before the end.
        return Err(PatternProblem::Invalid(
            "a parenthesis is closed that is not open",
        ));
    }
    Ok(Parsed {
        root,
        groups: parser.outline.groups,
    })
}

/// A place in the units of a pattern.
pub(super) struct Cursor<'u> {
    units: &'u [u16],
    at: usize,
}

impl Cursor<'_> {
    fn peek(&self) -> Option<u16> {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> Option<u16> {
        self.units.get(self.at + ahead).copied()
    }

    pub(super) fn next(&mut self) -> Option<u16> {
        let unit = self.peek()?;
        self.at += 1;
        Some(unit)
    }

    fn looks_at(&self, text: &str) -> bool {
        text.bytes()
            .enumerate()
            .all(|(ahead, byte)| self.peek_at(ahead) == Some(u16::from(byte)))
    }

    pub(super) fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(u16::from(byte));
        self.at += usize::from(found);
        found
    }

    fn take_text(&mut self, text: &str) -> bool {
        let found = self.looks_at(text);
        if found {
            self.at += text.len();
        }
        found
    }

    /// So many hex digits, or nothing.
    pub(super) fn hex(&mut self, digits: usize) -> Option<u16> {
        let mut number: u32 = 0;
        for ahead in 0..digits {
            let digit = char::from_u32(u32::from(self.peek_at(ahead)?))?.to_digit(16)?;
            number = number << 4 | digit;
        }
        self.at += digits;
        u16::try_from(number).ok()
    }

    fn digit(&self, ahead: usize) -> Option<u32> {
        char::from_u32(u32::from(self.peek_at(ahead)?))?.to_digit(10)
    }

    /// Decimal digits; a number that is too large counts as the largest one.
    fn decimal(&mut self) -> Option<u32> {
        let mut number: u32 = self.digit(0)?;
        self.at += 1;
        while let Some(digit) = self.digit(0) {
            number = number.saturating_mul(10).saturating_add(digit);
            self.at += 1;
        }
        Some(number)
    }
}

/// What has to be known before parsing: what `\1` and `\k` mean depends on groups that may come later.
struct Outline {
    groups: u32,
    /// The names of the named groups, with their numbers.
    names: Vec<(String, u32)>,
}

impl Outline {
    fn of(units: &[u16]) -> Result<Self, PatternProblem> {
        let mut cursor = Cursor { units, at: 0 };
        let mut outline = Self {
            groups: 0,
            names: Vec::new(),
        };
        let mut in_class = false;
        while let Some(unit) = cursor.next() {
            match u8::try_from(unit) {
                Ok(b'\\') => {
                    cursor.next();
                }
                Ok(b'[') => in_class = true,
                Ok(b']') => in_class = false,
                Ok(b'(') if !in_class => outline.group(&mut cursor)?,
                _ => {}
            }
        }
        Ok(outline)
    }

    fn group(&mut self, cursor: &mut Cursor<'_>) -> Result<(), PatternProblem> {
        let is_named = cursor.looks_at("?<") && !matches!(cursor.peek_at(2), Some(0x3d | 0x21));
        if !is_named && cursor.peek() == Some(u16::from(b'?')) {
            return Ok(());
        }
        self.groups += 1;
        if is_named {
            cursor.at += 2;
            let name = named::group_name(cursor)
                .ok_or(PatternProblem::Invalid("a group has no valid name"))?;
            if self.names.iter().any(|(other, _)| *other == name) {
                return Err(PatternProblem::Invalid("two groups have the same name"));
            }
            self.names.push((name, self.groups));
        }
        Ok(())
    }
}

struct Parser<'u> {
    cursor: Cursor<'u>,
    outline: Outline,
    /// Capturing groups that have been opened.
    opened: u32,
}

/// Whether a part may be repeated.
enum Term {
    Repeatable(Node),
    Single(Node),
}

impl Parser<'_> {
    fn choice(&mut self, depth: u32) -> Result<Node, PatternProblem> {
        if depth > DEPTH {
            return Err(PatternProblem::Unsupported("groups nest too deeply"));
        }
        let mut parts = Vec::from([self.sequence(depth)?]);
        while self.cursor.take(b'|') {
            parts.push(self.sequence(depth)?);
        }
        Ok(single_or(parts, Node::Choice))
    }

    fn sequence(&mut self, depth: u32) -> Result<Node, PatternProblem> {
        let mut parts = Vec::new();
        while let Some(unit) = self.cursor.peek() {
            if unit == u16::from(b'|') || unit == u16::from(b')') {
                break;
            }
            self.cursor.at += 1;
            let term = self.term(unit, depth)?;
            parts.push(self.repeated(term)?);
        }
        Ok(single_or(parts, Node::Sequence))
    }

    fn term(&mut self, unit: u16, depth: u32) -> Result<Term, PatternProblem> {
        let Ok(byte) = u8::try_from(unit) else {
            return Ok(Term::Repeatable(Node::Unit(unit)));
        };
        Ok(match byte {
            b'^' => Term::Single(Node::Start),
            b'$' => Term::Single(Node::End),
            b'(' => self.group(depth)?,
            b'.' => Term::Repeatable(Node::Class(class::complement(class::LINE_END))),
            b'[' => Term::Repeatable(self.class()?),
            b'\\' => self.escape()?,
            b'*' | b'+' | b'?' => return Err(NOTHING_TO_REPEAT),
            b'{' => {
                // A brace that does not repeat is itself.
                self.cursor.at -= 1;
                if self.braces().is_some() {
                    return Err(NOTHING_TO_REPEAT);
                }
                self.cursor.at += 1;
                Term::Repeatable(Node::Unit(unit))
            }
            _ => Term::Repeatable(Node::Unit(unit)),
        })
    }

    /// The term with the quantifier behind it, if there is one.
    fn repeated(&mut self, term: Term) -> Result<Node, PatternProblem> {
        let bounds = if self.cursor.take(b'*') {
            Some((0, None))
        } else if self.cursor.take(b'+') {
            Some((1, None))
        } else if self.cursor.take(b'?') {
            Some((0, Some(1)))
        } else {
            self.braces()
        };
        match (term, bounds) {
            (Term::Repeatable(node) | Term::Single(node), None) => Ok(node),
            (Term::Single(_), Some(_)) => Err(NOTHING_TO_REPEAT),
            (Term::Repeatable(body), Some((min, max))) => {
                if max.is_some_and(|max| max < min) {
                    return Err(PatternProblem::Invalid(
                        "the numbers in braces are out of order",
                    ));
                }
                let lazy = self.cursor.take(b'?');
                if let Node::Look { .. } = body {
                    // A round that takes nothing counts only while it has to: once, or not at all.
                    return Ok(if min == 0 { Node::Empty } else { body });
                }
                Ok(Node::Repeat {
                    body: Box::new(body),
                    min,
                    max,
                    lazy,
                })
            }
        }
    }

    /// `{n}`, `{n,}` or `{n,m}`; nothing is read when there is something else.
    fn braces(&mut self) -> Option<(u32, Option<u32>)> {
        let start = self.cursor.at;
        let bounds = self.braces_or_less();
        if bounds.is_none() {
            self.cursor.at = start;
        }
        bounds
    }

    fn braces_or_less(&mut self) -> Option<(u32, Option<u32>)> {
        if !self.cursor.take(b'{') {
            return None;
        }
        let min = self.cursor.decimal()?;
        let max = if !self.cursor.take(b',') {
            Some(min)
        } else {
            self.cursor.decimal()
        };
        self.cursor.take(b'}').then_some((min, max))
    }

    fn group(&mut self, depth: u32) -> Result<Term, PatternProblem> {
        let look = |behind, negative| {
            move |body| Node::Look {
                behind,
                negative,
                body: Box::new(body),
            }
        };
        if self.cursor.take_text("?=") {
            return Ok(Term::Repeatable(look(false, false)(self.inside(depth)?)));
        }
        if self.cursor.take_text("?!") {
            return Ok(Term::Repeatable(look(false, true)(self.inside(depth)?)));
        }
        if self.cursor.take_text("?<=") {
            return Ok(Term::Single(look(true, false)(self.inside(depth)?)));
        }
        if self.cursor.take_text("?<!") {
            return Ok(Term::Single(look(true, true)(self.inside(depth)?)));
        }
        if self.cursor.take_text("?:") {
            return Ok(Term::Repeatable(self.inside(depth)?));
        }
        if self.cursor.take_text("?<") {
            // The outline has read the name before.
            named::group_name(&mut self.cursor);
        } else if self.cursor.take(b'?') {
            return Err(PatternProblem::Invalid("the group is of no known kind"));
        }
        self.opened += 1;
        let group = self.opened;
        let body = Box::new(self.inside(depth)?);
        Ok(Term::Repeatable(Node::Capture { group, body }))
    }

    fn inside(&mut self, depth: u32) -> Result<Node, PatternProblem> {
        let body = self.choice(depth + 1)?;
        if self.cursor.take(b')') {
            Ok(body)
        } else {
            Err(PatternProblem::Invalid("a parenthesis is not closed"))
        }
    }

    fn escape(&mut self) -> Result<Term, PatternProblem> {
        let Some(unit) = self.cursor.next() else {
            return Err(PatternProblem::Invalid("it ends with a backslash"));
        };
        if let Some(set) = class::of_escape(unit) {
            return Ok(Term::Repeatable(Node::Class(set)));
        }
        Ok(match u8::try_from(unit) {
            Ok(b'b') => Term::Single(Node::WordBoundary { negated: false }),
            Ok(b'B') => Term::Single(Node::WordBoundary { negated: true }),
            Ok(b'k') if !self.outline.names.is_empty() => Term::Repeatable(self.named_reference()?),
            Ok(b'1'..=b'9') => {
                self.cursor.at -= 1;
                Term::Repeatable(self.numbered_reference()?)
            }
            _ => Term::Repeatable(Node::Unit(self.escaped_unit(unit, false)?)),
        })
    }

    fn named_reference(&mut self) -> Result<Node, PatternProblem> {
        let name = if self.cursor.take(b'<') {
            named::group_name(&mut self.cursor)
        } else {
            None
        };
        let group = name.and_then(|name| {
            let mut names = self.outline.names.iter();
            names.find(|(own, _)| *own == name).map(|&(_, group)| group)
        });
        group
            .map(Node::Reference)
            .ok_or(PatternProblem::Invalid("a reference names no group"))
    }

    /// `\1` refers to a group if there are so many, however far behind; otherwise it is an octal escape.
    fn numbered_reference(&mut self) -> Result<Node, PatternProblem> {
        let start = self.cursor.at;
        match self.cursor.decimal() {
            Some(group) if group <= self.outline.groups => Ok(Node::Reference(group)),
            _ => {
                self.cursor.at = start;
                let digit = self.cursor.next().unwrap_or_default();
                Ok(Node::Unit(self.escaped_unit(digit, false)?))
            }
        }
    }

    /// The unit that an escape stands for; `unit` is what follows the backslash and has been read.
    fn escaped_unit(&mut self, unit: u16, in_class: bool) -> Result<u16, PatternProblem> {
        let Ok(byte) = u8::try_from(unit) else {
            return Ok(unit);
        };
        Ok(match byte {
            b't' => 0x9,
            b'n' => 0xa,
            b'v' => 0xb,
            b'f' => 0xc,
            b'r' => 0xd,
            b'b' if in_class => 0x8,
            b'x' => self.cursor.hex(2).unwrap_or(unit),
            b'u' => self.cursor.hex(4).unwrap_or(unit),
            b'0'..=b'7' => self.octal(u16::from(byte - b'0')),
            b'c' => self.control(in_class),
            b'k' if !self.outline.names.is_empty() => {
                return Err(PatternProblem::Invalid("a reference names no group"));
            }
            _ => unit,
        })
    }

    /// Up to three octal digits, of which the first has been read, up to 377.
    fn octal(&mut self, mut number: u16) -> u16 {
        let longest = if number <= 3 { 2 } else { 1 };
        for _ in 0..longest {
            match self.cursor.digit(0) {
                Some(digit @ 0..=7) => {
                    // At most three octal digits: below 512.
                    number = number * 8 + u16::try_from(digit).unwrap_or(0);
                    self.cursor.at += 1;
                }
                _ => break,
            }
        }
        number
    }

    /// `\cA`; where no letter follows, the backslash is itself and `c` is read again.
    fn control(&mut self, in_class: bool) -> u16 {
        let letter = self.cursor.peek().and_then(|unit| u8::try_from(unit).ok());
        let is_control = |byte: &u8| {
            byte.is_ascii_alphabetic() || in_class && (byte.is_ascii_digit() || *byte == b'_')
        };
        match letter.filter(is_control) {
            Some(letter) => {
                self.cursor.at += 1;
                u16::from(letter % 32)
            }
            None => {
                self.cursor.at -= 1;
                u16::from(b'\\')
            }
        }
    }

    /// A class, behind whose bracket the cursor stands.
    fn class(&mut self) -> Result<Node, PatternProblem> {
        let negated = self.cursor.take(b'^');
        let mut ranges: Ranges = Vec::new();
        loop {
            if self.cursor.take(b']') {
                break;
            }
            let first = self.class_atom()?;
            let is_range =
                self.cursor.looks_at("-") && self.cursor.peek_at(1) != Some(u16::from(b']'));
            if !is_range {
                first.add_to(&mut ranges);
                continue;
            }
            self.cursor.at += 1;
            let last = self.class_atom()?;
            match (first, last) {
                (Atom::Unit(low), Atom::Unit(high)) if low <= high => ranges.push((low, high)),
                (Atom::Unit(_), Atom::Unit(_)) => {
                    return Err(PatternProblem::Invalid("a range is out of order"));
                }
                // With a set at one end there is no range; the dash is itself.
                (first, last) => {
                    first.add_to(&mut ranges);
                    last.add_to(&mut ranges);
                    ranges.push((0x2d, 0x2d));
                }
            }
        }
        let ranges = class::normalized(ranges);
        Ok(Node::Class(if negated {
            class::complement(&ranges)
        } else {
            ranges
        }))
    }

    fn class_atom(&mut self) -> Result<Atom, PatternProblem> {
        let unclosed = PatternProblem::Invalid("a bracket is not closed");
        let unit = self.cursor.next().ok_or(unclosed)?;
        if unit != u16::from(b'\\') {
            return Ok(Atom::Unit(unit));
        }
        let escaped = self.cursor.next().ok_or(unclosed)?;
        match class::of_escape(escaped) {
            Some(set) => Ok(Atom::Set(set)),
            None => Ok(Atom::Unit(self.escaped_unit(escaped, true)?)),
        }
    }
}

/// One end of a range in a class.
enum Atom {
    Unit(u16),
    Set(Ranges),
}

impl Atom {
    fn add_to(self, ranges: &mut Ranges) {
        match self {
            Self::Unit(unit) => ranges.push((unit, unit)),
            Self::Set(set) => ranges.extend(set),
        }
    }
}

fn single_or(mut parts: Vec<Node>, many: impl FnOnce(Vec<Node>) -> Node) -> Node {
    match parts.len() {
        0 => Node::Empty,
        1 => parts.pop().unwrap_or(Node::Empty),
        _ => many(parts),
    }
}
