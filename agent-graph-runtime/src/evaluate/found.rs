//! What the fixpoint finds, in terms of table rows.

use alloc::vec::Vec;

use crate::protocol::{Availability, Outcome, OutcomeSet, Resolution, Status};

/// One activation of a graph: which node called it, in which frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) graph: u32,
    /// The calling subgraph node; [`NONE`] for the top frame.
    pub(crate) caller: u32,
    /// The frame of the calling node; [`NONE`] for the top frame.
    pub(crate) parent: u32,
}

/// What a frame came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ending {
    pub(crate) status: Status,
    /// Present exactly when the status is `complete`.
    pub(crate) outcome: Option<Outcome>,
}

impl Ending {
    /// The value that it gives the calling node (spec 4.4).
    pub(crate) fn value(self) -> Outcome {
        match self.status {
            Status::Complete => self.outcome.unwrap_or(Outcome::Failed),
            Status::Error => Outcome::Failed,
            Status::WaitingUser => Outcome::WaitingUser,
            Status::Actionable | Status::Blocked => Outcome::Pending,
        }
    }
}

/// An action or gate that can be next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Open {
    pub(crate) node: u32,
    pub(crate) frame: u32,
    pub(crate) availability: Availability,
    /// Who resolves it, for gates.
    pub(crate) resolution: Option<Resolution>,
    pub(crate) priority: i16,
}

/// What the evaluator has to say beside its result (spec 4.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Remark {
    RequiredFactMissing {
        frame: u32,
        node: u32,
    },
    TerminalOutcomeAmbiguous {
        frame: u32,
        outcomes: OutcomeSet,
    },
    NoRoute,
    EntryMissing,
    GraphRecursion {
        node: u32,
    },
    AlternativesTruncated {
        available: u32,
    },
    /// There is no provider to evaluate; the answer says why.
    Refused,
}

/// What the fixpoint found. `remarks` is in the order of spec 4.9; `open` is not sorted yet.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) status: Status,
    /// Present exactly when the status is `complete`.
    pub(crate) outcome: Option<Outcome>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) open: Vec<Open>,
    pub(crate) remarks: Vec<Remark>,
}

impl Default for Found {
    fn default() -> Self {
        Self {
            status: Status::Error,
            outcome: None,
            frames: Vec::new(),
            open: Vec::new(),
            remarks: Vec::new(),
        }
    }
}
