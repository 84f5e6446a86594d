//! The regular expressions of the operator `matches`: ECMAScript without flag `u`, so that a character is
//! a UTF-16 code unit (spec 5.3). The source is parsed here and handed on: to the linear engine of
//! regex-automata, or, with look-around or references in it, to fancy-regex, whose steps are limited.
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
const BACKTRACK_LIMIT: usize = 8 * HARD_TEXT_UNITS;

/// How long a text may be, in UTF-16 units, that is searched for a pattern with look-around or references:
/// each step back may look at all of it.
pub const HARD_TEXT_UNITS: usize = 32 * 1024;

/// How much memory the compiled pattern may take, in bytes; also bounds how long a search takes.
const COMPILED_BYTES: usize = 2 << 20;

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
    compiled: Result<Engine, PatternProblem>,
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
    /// `PATTERN_LIMIT` when the pattern is unsupported; and for one with look-around or references, when the
    /// text is longer than [`HARD_TEXT_UNITS`] or the search takes too many steps.
    pub fn is_match(&self, text: &str) -> Result<bool, StateError> {
        match &self.compiled {
            Ok(Engine::Linear(regex)) => Ok(regex.is_match(&*units::mapped(text))),
            Ok(Engine::Stepping(regex)) => {
                // A character is one unit or two, and has at least as many bytes.
                if text.len() > HARD_TEXT_UNITS && text.encode_utf16().count() > HARD_TEXT_UNITS {
                    return Err(StateError::PatternLimit);
                }
                let found = regex.is_match(&*units::mapped(text));
                found.map_err(|_| StateError::PatternLimit)
            }
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

/// What searches.
#[derive(Clone)]
enum Engine {
    /// In time proportional to the text.
    Linear(regex_automata::meta::Regex),
    /// Step by step, with a limit.
    Stepping(fancy_regex::Regex),
}

fn compile(source: &str) -> Result<Engine, PatternProblem> {
    let parsed = parse::parse(source)?;
    let (text, is_hard) = write::write(&parsed)?;
    let too_large = PatternProblem::Unsupported("the pattern is too large for the engine");
    if is_hard {
        let regex = fancy_regex::RegexBuilder::new(&text)
            .backtrack_limit(BACKTRACK_LIMIT)
            .delegate_size_limit(COMPILED_BYTES)
            .delegate_dfa_size_limit(COMPILED_BYTES)
            .build();
        return regex.map(Engine::Stepping).map_err(|_| too_large);
    }
    let limits = regex_automata::meta::Config::new()
        .nfa_size_limit(Some(COMPILED_BYTES))
        .hybrid_cache_capacity(COMPILED_BYTES);
    let syntax = regex_automata::util::syntax::Config::new().nest_limit(1000);
    let regex = regex_automata::meta::Builder::new()
        .configure(limits)
        .syntax(syntax)
        .build(&text);
    regex.map(Engine::Linear).map_err(|_| too_large)
}
