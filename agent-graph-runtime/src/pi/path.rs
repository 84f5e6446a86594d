//! State paths: `a.b.c`, checked and cut into segments (spec 2). Knows nothing about values.

use alloc::string::String;
use alloc::vec::Vec;

use super::state_error::StateError;
use super::text;
use crate::json::DEPTH_LIMIT;

/// A state path: the text as written, and what it means.
///
/// Where "the same path" matters (reducers, grouping of writes), the written text counts; where a place
/// in the state matters, the segments do.
///
/// ```
/// use agent_graph_runtime::pi::{StateError, StatePath};
/// let path = StatePath::parse(" plan . steps ")?;
/// assert_eq!(path.segments(), ["plan", "steps"]);
/// assert!(path.overlaps(&StatePath::parse("plan")?));
/// assert_eq!(StatePath::parse("a..b").unwrap_err(), StateError::EmptySegment);
/// # Ok::<(), StateError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatePath {
    written: String,
    segments: Vec<String>,
}

impl StatePath {
    /// Checks and cuts a path.
    ///
    /// # Errors
    /// `EMPTY_PATH`, `EMPTY_SEGMENT`, `FORBIDDEN_SEGMENT`; `STATE_DEPTH` when it has more segments than
    /// documents may have levels.
    pub fn parse(written: &str) -> Result<Self, StateError> {
        let segments = segments(written)?;
        Ok(Self {
            written: written.into(),
            segments: segments.into_iter().map(String::from).collect(),
        })
    }

    /// The text as written.
    pub fn as_written(&self) -> &str {
        &self.written
    }

    /// The segments, white space around them removed.
    pub fn segments(&self) -> &[String] {
        &self.segments
    }

    /// Whether one of the two lies within the other, or both are one place.
    pub fn overlaps(&self, other: &Self) -> bool {
        let both = self.segments.iter().zip(&other.segments);
        both.into_iter().all(|(a, b)| a == b)
    }
}

/// The segments of a path.
pub(crate) fn segments(written: &str) -> Result<Vec<&str>, StateError> {
    let path = text::trim(written);
    if path.is_empty() {
        return Err(StateError::EmptyPath);
    }
    let mut segments = Vec::new();
    for segment in path.split('.').map(text::trim) {
        if segment.is_empty() {
            return Err(StateError::EmptySegment);
        }
        if text::is_forbidden(segment) {
            return Err(StateError::ForbiddenSegment);
        }
        if segments.len() == DEPTH_LIMIT as usize {
            return Err(StateError::StateDepth);
        }
        segments.push(segment);
    }
    Ok(segments)
}
