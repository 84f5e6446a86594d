//! The error of the runtime's calls. Problems of definitions are findings instead, see the loader.

use alloc::string::String;
use core::fmt;

use crate::code::Code;

/// Why a call could not be answered.
///
/// ```
/// use agent_graph_runtime::{Code, Facts};
/// let error = Facts::from_json("{").unwrap_err();
/// assert_eq!(error.code(), Code::JsonInvalid);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    code: Code,
    message: String,
}

impl Error {
    /// An error with a code; for hosts that implement a trait of this crate.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }

    /// The stable code.
    pub fn code(&self) -> Code {
        self.code
    }

    /// The sentence for people, without the code.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl core::error::Error for Error {}
