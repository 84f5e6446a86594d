//! Why a session stops. Knows nothing about how it got there.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::reading::Unread;
use super::work::Work;
use crate::diagnostic::Diagnostic;
use crate::explain::Explanation;
use crate::protocol::Outcome;
use crate::typed::{Graph, Untyped};
use crate::wire::wire_words;

/// Why a session stops. All but [`Stop::Complete`] and [`Stop::Cancelled`] can go on once the host has
/// changed something.
#[derive(Debug)]
pub enum Stop<G: Graph = Untyped, H = String> {
    /// The graph has ended.
    Complete(Outcome),
    /// A person has to resolve this gate; the answer is the outcome of the work.
    WaitingUser(Work<G, H>),
    /// Nothing can be next until facts or outcomes change.
    Blocked(Box<Explanation>),
    /// The work at hand was done in exactly this state before: doing it again would change nothing.
    NoProgress(Box<Explanation>),
    /// Resources that the work requires have not been read.
    Unread(Work<G, H>, Vec<Unread>),
    /// The question has no answer.
    Error(Vec<Diagnostic>),
    /// As many steps were taken as may be.
    StepLimit(u32),
    /// The host has cancelled the session.
    Cancelled,
}

/// The reason of a [`Stop`], without what belongs to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StopReason {
    /// The graph has ended.
    Complete,
    /// A person has to resolve a gate.
    WaitingUser,
    /// Nothing can be next.
    Blocked,
    /// The same work in the same state again.
    NoProgress,
    /// A required resource has not been read.
    UnreadRequiredResource,
    /// The question has no answer.
    Error,
    /// As many steps were taken as may be.
    StepLimit,
    /// The host has cancelled the session.
    Cancelled,
}

wire_words!(StopReason {
    Complete = "complete",
    WaitingUser = "waiting-user",
    Blocked = "blocked",
    NoProgress = "no-progress",
    UnreadRequiredResource = "unread-required-resource",
    Error = "error",
    StepLimit = "step-limit",
    Cancelled = "cancelled",
});

impl<G: Graph, H> Stop<G, H> {
    /// The reason.
    pub fn reason(&self) -> StopReason {
        match self {
            Self::Complete(_) => StopReason::Complete,
            Self::WaitingUser(_) => StopReason::WaitingUser,
            Self::Blocked(_) => StopReason::Blocked,
            Self::NoProgress(_) => StopReason::NoProgress,
            Self::Unread(..) => StopReason::UnreadRequiredResource,
            Self::Error(_) => StopReason::Error,
            Self::StepLimit(_) => StopReason::StepLimit,
            Self::Cancelled => StopReason::Cancelled,
        }
    }

    pub(super) fn error(code: &'static str, message: String) -> Self {
        Self::Error(Vec::from([Diagnostic::error(code, message)]))
    }
}
