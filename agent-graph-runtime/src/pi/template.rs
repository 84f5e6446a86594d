//! Templates: text with `{{ path }}` in it, cut into segments once (spec 5.2). Knows nothing about who
//! renders them.

use alloc::string::String;
use alloc::vec::Vec;

use super::path::StatePath;
use super::print;
use super::state;
use super::state_error::StateError;
use super::text;
use crate::json::{Object, Value};

/// Bytes of a rendered text. Prompts and states have lower limits of their own; this one keeps a template
/// that repeats a large value from taking all memory before they are asked.
pub const RENDERED_BYTES: usize = 64 << 20;

/// One piece of a template.
#[derive(Clone, Debug, PartialEq)]
pub enum Segment {
    /// Text as it is.
    Text(String),
    /// The value at a path.
    Path(StatePath),
    /// A placeholder whose path is no path: rendering fails there.
    Invalid {
        /// What is written between the braces.
        written: String,
        /// What is wrong with it.
        error: StateError,
    },
}

/// A template, cut into pieces.
///
/// ```
/// use agent_graph_runtime::{json::Value, pi::Template};
/// let template = Template::parse("Fix {{ issue.title }}!");
/// let state = Value::from_json(r#"{"issue":{"title":"the door"}}"#)?;
/// assert_eq!(template.render(state.as_object().unwrap()).unwrap(), "Fix the door!");
/// # Ok::<(), agent_graph_runtime::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Template {
    segments: Vec<Segment>,
}

impl Template {
    /// Cuts a text into pieces. What is no placeholder stays as it is.
    pub fn parse(text: &str) -> Self {
        let mut segments = Vec::new();
        let mut rest = text;
        let mut searched = 0;
        while let Some((at, inside, end)) = placeholder(rest, searched) {
            if let Some(before) = rest.get(..at).filter(|before| !before.is_empty()) {
                segments.push(Segment::Text(before.into()));
            }
            segments.push(match StatePath::parse(inside) {
                Ok(path) => Segment::Path(path),
                Err(error) => Segment::Invalid {
                    written: inside.into(),
                    error,
                },
            });
            rest = rest.get(end..).unwrap_or("");
            searched = 0;
        }
        if !rest.is_empty() {
            segments.push(Segment::Text(rest.into()));
        }
        Self { segments }
    }

    /// The template with these pieces.
    pub fn from_segments(segments: Vec<Segment>) -> Self {
        Self { segments }
    }

    /// The pieces in order.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The paths in it, each once as written, in order. Blank placeholders are passed over: they fail only
    /// when they are rendered.
    ///
    /// # Errors
    /// What is wrong with the first placeholder that is neither blank nor a path.
    pub fn paths(&self) -> Result<Vec<&StatePath>, StateError> {
        let mut paths: Vec<&StatePath> = Vec::new();
        let mut seen = alloc::collections::BTreeSet::new();
        for segment in &self.segments {
            match segment {
                Segment::Path(path) if seen.insert(path.as_written()) => paths.push(path),
                Segment::Text(_) | Segment::Path(_) => {}
                Segment::Invalid { error, .. } if *error == StateError::EmptyPath => {}
                Segment::Invalid { error, .. } => return Err(*error),
            }
        }
        Ok(paths)
    }

    /// The text with the values of `state`: nothing for a missing one, strings as they are, everything else
    /// as pretty JSON. What is inserted is not searched for placeholders.
    ///
    /// # Errors
    /// What is wrong with the first placeholder that is no path; `TEMPLATE_LIMIT` when the text would be
    /// longer than [`RENDERED_BYTES`].
    pub fn render(&self, state: &Object) -> Result<String, StateError> {
        let mut rendered = String::new();
        for segment in &self.segments {
            match segment {
                Segment::Text(text) => add(&mut rendered, text)?,
                Segment::Path(path) => match state::get(state, path.segments()) {
                    None => {}
                    Some(Value::String(text)) => add(&mut rendered, text)?,
                    Some(value) => add(&mut rendered, &print::pretty(value))?,
                },
                Segment::Invalid { error, .. } => return Err(*error),
            }
        }
        Ok(rendered)
    }
}

fn add(rendered: &mut String, text: &str) -> Result<(), StateError> {
    if rendered.len() + text.len() > RENDERED_BYTES {
        return Err(StateError::TemplateLimit);
    }
    rendered.push_str(text);
    Ok(())
}

/// The first placeholder at or behind `from`: where it begins, what is inside, where it ends.
fn placeholder(text: &str, mut from: usize) -> Option<(usize, &str, usize)> {
    loop {
        let at = from + text.get(from..)?.find("{{")?;
        let inside = text.get(at + 2..)?;
        let length = inside.find(['{', '}'])?;
        let closed = inside
            .get(length..)
            .is_some_and(|end| end.starts_with("}}"));
        if length > 0 && closed {
            let path = text::trim(inside.get(..length)?);
            return Some((at, path, at + 2 + length + 2));
        }
        from = at + 1;
    }
}
