//! The trace of a session: one step an evaluation, with what changed since the one before.

use alloc::string::String;

use super::changes::Changes;
use super::stop::StopReason;
use crate::digest::Digest;
use crate::protocol::{Outcome, Status};
use crate::wire::wire_struct;

/// One evaluation of a session.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceStep {
    /// How many pieces of work were completed before it.
    pub step: u32,
    /// Its revision.
    pub revision: Digest,
    /// Its status.
    pub status: Status,
    /// What changed since the evaluation before; for the first one, since the beginning of everything.
    pub changes: Changes,
    /// State key of the work that was handed out.
    pub work: Option<String>,
    /// The outcome that the work came to.
    pub outcome: Option<Outcome>,
    /// Why the session stopped here.
    pub stop: Option<StopReason>,
}

wire_struct!(TraceStep {
    "step": step,
    "revision": revision,
    "status": status,
    "changes": changes,
    "work"? work,
    "outcome"? outcome,
    "stop"? stop,
});
