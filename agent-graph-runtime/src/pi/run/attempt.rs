//! What one attempt at a node comes to. Knows nothing about graphs and steps: whoever makes the attempt fills
//! these in, and the machine judges them.

use alloc::string::String;
use alloc::vec::Vec;

use super::code::RunCode;
use super::usage::Usage;
use crate::json::Value;
use crate::pi::reducer::Write;
use crate::pi::words::HumanKind;

/// What one attempt came to.
#[derive(Clone, Debug, PartialEq)]
pub enum AttemptResult {
    /// It is done.
    Success(Success),
    /// It failed.
    Failure(Failure),
    /// A person has to say something first.
    Interrupt(Interrupt),
}

/// An attempt that is done.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Success {
    /// What it writes, in its own order; applied with the writes of the whole superstep, or not at all.
    pub writes: Vec<Write>,
    /// What it answered.
    pub output: Option<Value>,
    /// What it used, reported turns included.
    pub usage: Usage,
}

/// An attempt that failed.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// Why.
    pub code: RunCode,
    /// Why, in words.
    pub message: String,
    /// Whether another attempt may go better.
    pub retryable: bool,
    /// What it used, reported turns included.
    pub usage: Usage,
}

impl Failure {
    /// A failure that another attempt does not mend, and that used nothing.
    pub fn new(code: RunCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            retryable: false,
            usage: Usage::default(),
        }
    }

    /// The same failure, which another attempt may mend.
    #[must_use]
    pub fn retryable(mut self) -> Self {
        self.retryable = true;
        self
    }

    /// The same failure, with what was used.
    #[must_use]
    pub fn with_usage(mut self, usage: Usage) -> Self {
        self.usage = usage;
        self
    }
}

/// A question to a person, without whose answer the node cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interrupt {
    /// What is asked for.
    pub kind: HumanKind,
    /// The question.
    pub prompt: String,
    /// What can be chosen, where that is given.
    pub options: Option<Vec<String>>,
}

impl From<Success> for AttemptResult {
    fn from(success: Success) -> Self {
        Self::Success(success)
    }
}

impl From<Failure> for AttemptResult {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<Interrupt> for AttemptResult {
    fn from(interrupt: Interrupt) -> Self {
        Self::Interrupt(interrupt)
    }
}
