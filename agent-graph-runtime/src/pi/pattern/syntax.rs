//! What a pattern is, after parsing. Knows nothing about how it is written.

use alloc::boxed::Box;
use alloc::vec::Vec;

/// Sets of UTF-16 units: ranges in order, both ends included, none touching the next.
pub(super) type Ranges = Vec<(u16, u16)>;

/// A parsed pattern.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) root: Node,
    /// How many capturing groups there are; they are numbered from 1.
    pub(super) groups: u32,
}

/// A part of a pattern.
#[derive(Debug)]
pub(super) enum Node {
    Empty,
    Unit(u16),
    Class(Ranges),
    Start,
    End,
    WordBoundary {
        negated: bool,
    },
    Capture {
        group: u32,
        body: Box<Node>,
    },
    Look {
        behind: bool,
        negative: bool,
        body: Box<Node>,
    },
    Reference(u32),
    Repeat {
        body: Box<Node>,
        min: u32,
        max: Option<u32>,
        lazy: bool,
    },
    Sequence(Vec<Node>),
    Choice(Vec<Node>),
}

impl Node {
    /// Whether the part can match without taking a unit.
    pub(super) fn can_be_empty(&self) -> bool {
        match self {
            Self::Empty
            | Self::Start
            | Self::End
            | Self::WordBoundary { .. }
            | Self::Look { .. }
            | Self::Reference(_) => true,
            Self::Unit(_) | Self::Class(_) => false,
            Self::Capture { body, .. } => body.can_be_empty(),
            Self::Repeat { body, min, .. } => *min == 0 || body.can_be_empty(),
            Self::Sequence(parts) => parts.iter().all(Self::can_be_empty),
            Self::Choice(parts) => parts.iter().any(Self::can_be_empty),
        }
    }

    /// Whether there is look-around in the part.
    pub(super) fn looks_around(&self) -> bool {
        match self {
            Self::Look { .. } => true,
            Self::Capture { body, .. } | Self::Repeat { body, .. } => body.looks_around(),
            Self::Sequence(parts) | Self::Choice(parts) => parts.iter().any(Self::looks_around),
            _ => false,
        }
    }
}
