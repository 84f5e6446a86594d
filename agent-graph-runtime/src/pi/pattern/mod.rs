//! The regular expressions of the operator `matches`: ECMAScript without flag `u`, so that a character is
//! a UTF-16 code unit (spec 5.3). The source is parsed here and handed on as an expression for fancy-regex,
//! whose linear engine runs what needs no backtracking and whose limit ends what does.
//!
//! Knows nothing about conditions. What cannot be handed on faithfully is refused with a reason and never
//! answered wrongly.

mod class;
mod named;
mod parse;
mod references;
mod syntax;
mod units;
mod write;

#[cfg(test)]
mod tests;

use alloc::string::String;
use core::fmt;

use super::state_error::StateError;

/// How many UTF-16 units a pattern may have.
pub const PATTERN_UNITS: usize = 16 * 1024;

/// How many steps back one search may take.
const BACKTRACK_LIMIT: usize = 1_000_000;

/// How much memory the compiled pattern may take, in bytes; also bounds how long a search takes.
const COMPILED_BYTES: usize = 1 << 20;

/// Why a pattern cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternProblem {
    /// It is no regular expression; it matches nothing.
    Invalid(&'static str),
    /// It is one, and asks for what the engine cannot do; searching is an error.
    Unsupported(&'static str),
}

impl fmt::Display for PatternProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(reason) => write!(f, "not a regular expression: {reason}"),
            Self::Unsupported(reason) => f.write_str(reason),
        }
    }
}

/// A regular expression of ECMAScript, compiled once.
///
/// ```
/// use agent_graph_runtime::pi::Pattern;
/// let version = Pattern::new(r"^v\d+\.\d+$");
/// assert_eq!(version.is_match("v1.2"), Ok(true));
/// assert_eq!(Pattern::new("(").is_match("("), Ok(false), "an invalid one matches nothing");
/// ```
#[derive(Clone)]
pub struct Pattern {
    source: String,
    compiled: Result<fancy_regex::Regex, PatternProblem>,
}

impl Pattern {
    /// Compiles a pattern. One that cannot be used says so in [`Pattern::problem`].
    pub fn new(source: &str) -> Self {
        Self {
            source: source.into(),
            compiled: compile(source),
        }
    }

    /// The pattern as written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Why the pattern cannot be used, if that is so.
    pub fn problem(&self) -> Option<PatternProblem> {
        self.compiled.as_ref().err().copied()
    }

    /// Whether the pattern is found anywhere in the text. An invalid pattern is found nowhere.
    ///
    /// # Errors
    /// `PATTERN_LIMIT` when the pattern is unsupported, or the search takes too many steps.
    pub fn is_match(&self, text: &str) -> Result<bool, StateError> {
        match &self.compiled {
            Ok(regex) => regex
                .is_match(&*units::mapped(text))
                .map_err(|_| StateError::PatternLimit),
            Err(PatternProblem::Invalid(_)) => Ok(false),
            Err(PatternProblem::Unsupported(_)) => Err(StateError::PatternLimit),
        }
    }
}

/// Patterns are equal when they are written the same.
impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Pattern").field(&self.source).finish()
    }
}

fn compile(source: &str) -> Result<fancy_regex::Regex, PatternProblem> {
    let parsed = parse::parse(source)?;
    let text = write::write(&parsed)?;
    fancy_regex::RegexBuilder::new(&text)
        .backtrack_limit(BACKTRACK_LIMIT)
        .delegate_size_limit(COMPILED_BYTES)
        .delegate_dfa_size_limit(COMPILED_BYTES)
        .build()
        .map_err(|_| PatternProblem::Unsupported("the pattern is too large for the engine"))
}
