//! The messages that a node shares with others, as its prompt shows them (spec 8.2). Knows nothing about
//! the rest of the prompt.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::cut;
use super::wording::Wording;
use crate::json::{Object, Value};
use crate::pi::path::StatePath;
use crate::pi::{StateError, print, state, text};

/// What the transcript depends on beside the state.
pub(crate) struct Transcript<'t> {
    /// Where the messages are.
    pub(crate) path: &'t StatePath,
    /// How many of the newest are shown.
    pub(crate) max_messages: u64,
    /// Bytes of all that are shown.
    pub(crate) max_bytes: u64,
    /// Paths whose values the prompt shows anyway.
    pub(crate) projected: &'t [&'t StatePath],
    /// The words.
    pub(crate) wording: &'t Wording,
}

/// Why there is no transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unreadable {
    /// The channel holds something that is no message.
    Invalid,
    /// A message refers to a path that is none.
    Reference(StateError),
}

/// A message, as far as it is shown.
struct Message<'m> {
    role: &'static str,
    content: &'m str,
    node: &'m str,
    name: Option<&'m str>,
    state_path: Option<&'m str>,
    state_hash: Option<&'m str>,
}

impl Transcript<'_> {
    /// The text; nothing when there are no messages.
    pub(crate) fn render(&self, state: &Object) -> Result<Option<String>, Unreadable> {
        let messages = match state::get(state, self.path.segments()) {
            None => return Ok(None),
            Some(Value::Array(messages)) => messages,
            Some(_) => return Err(Unreadable::Invalid),
        };
        let shown = usize::try_from(self.max_messages).unwrap_or(usize::MAX);
        let newest = messages
            .get(messages.len().saturating_sub(shown)..)
            .unwrap_or_default();
        let newest: Option<Vec<Message<'_>>> = newest.iter().map(Message::of).collect();
        let newest = newest.ok_or(Unreadable::Invalid)?;
        let mut left = usize::try_from(self.max_bytes).unwrap_or(usize::MAX);
        // The newest first; those that are too old for the room are not even rendered.
        let mut taken: Vec<String> = Vec::new();
        for message in newest.iter().rev() {
            let rendered = self.message(message, state)?;
            let room = left.saturating_sub(if taken.is_empty() { 0 } else { 2 });
            if rendered.len() > room {
                taken.extend((room > 0).then(|| self.end_of(&rendered, room)));
                break;
            }
            left = room - rendered.len();
            taken.push(rendered);
        }
        taken.reverse();
        Ok((!taken.is_empty()).then(|| taken.join("\n\n")))
    }

    /// The end of a message that does not fit as a whole.
    fn end_of(&self, rendered: &str, room: usize) -> String {
        let mark = self.wording.truncated.as_str();
        match room.checked_sub(mark.len() + 1) {
            Some(rest) if rest > 0 => format!("{mark}\n{}", cut::tail(rendered, rest)),
            _ => cut::tail(rendered, room).into(),
        }
    }

    fn message(&self, message: &Message<'_>, state: &Object) -> Result<String, Unreadable> {
        let mut rendered = format!("[{} source={}", message.role, message.node);
        if let Some(name) = message.name {
            rendered.push('/');
            rendered.push_str(name);
        }
        if let Some(path) = message.state_path {
            rendered.push_str(" statePath=");
            rendered.push_str(&print::compact(&path.into()));
        }
        if let Some(hash) = message.state_hash {
            rendered.push_str(" stateHash=");
            rendered.extend(hash.chars().take(12));
        }
        rendered.push_str("]\n");
        rendered.push_str(&self.content(message, state)?);
        Ok(rendered)
    }

    /// The content, with the value that it refers to.
    fn content(&self, message: &Message<'_>, state: &Object) -> Result<String, Unreadable> {
        let content = message.content;
        let Some(written) = message.state_path else {
            return Ok(content.into());
        };
        let path = StatePath::parse(written).map_err(Unreadable::Reference)?;
        if self.projected.iter().any(|shown| holds(shown, &path)) {
            return Ok(content.into());
        }
        let note = |note: String| text::trim(&format!("{content}\n\n{note}")).to_string();
        let Some(value) = state::get(state, path.segments()) else {
            return Ok(note(self.wording.unavailable.with(written)));
        };
        if message.state_hash.is_some_and(|hash| hash != hex(value)) {
            return Ok(note(self.wording.overwritten.with(written)));
        }
        let shown = match value {
            Value::String(text) => text.clone(),
            other => print::pretty(other),
        };
        if text::is_blank(content) {
            return Ok(shown);
        }
        let resolved = self.wording.resolved.with(written);
        Ok(format!("{content}\n\n{resolved}\n{shown}"))
    }
}

/// The hash of a value as messages carry it: hex digits only.
pub(crate) fn hex(value: &Value) -> String {
    let hash = print::hash(value).to_string();
    hash.trim_start_matches("sha256:").into()
}

/// Whether the value at `path` is part of the value at `shown`.
fn holds(shown: &StatePath, path: &StatePath) -> bool {
    path.segments().starts_with(shown.segments())
}

impl<'m> Message<'m> {
    fn of(value: &'m Value) -> Option<Self> {
        let message = value.as_object()?;
        let text = |name| message.get(name).and_then(Value::as_str);
        // An empty text is as good as none.
        let given = |name| text(name).filter(|text| !text.is_empty());
        Some(Self {
            role: match text("role")? {
                "user" => "USER",
                "assistant" => "ASSISTANT",
                "tool" => "TOOL",
                _ => return None,
            },
            content: text("content")?,
            node: text("nodeId").unwrap_or("external"),
            name: given("name"),
            state_path: given("statePath"),
            state_hash: given("stateHash"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(role: &str, content: &str, path: Option<&str>) -> Value {
        let mut message = Object::new();
        message.insert("role", role);
        message.insert("content", content);
        message.insert("nodeId", "n");
        message.insert("statePath", path.map_or(Value::Null, Value::from));
        message.into()
    }

    fn render(
        messages: Vec<Value>,
        max_bytes: u64,
        more: &[(&str, Value)],
    ) -> Result<Option<String>, Unreadable> {
        let mut state: Object = more.iter().cloned().collect();
        state.insert("messages", messages);
        Transcript {
            path: &StatePath::parse("messages").unwrap(),
            max_messages: 5,
            max_bytes,
            projected: &[],
            wording: &Wording::default(),
        }
        .render(&state)
    }

    #[test]
    fn no_bound_is_ever_exceeded_and_the_newest_is_what_is_shown() {
        let messages = [
            "eins",
            "zwei äöü",
            "😀😀😀😀😀😀😀😀😀😀😀😀😀😀",
            "",
            "vier",
            "fünf fünf",
        ];
        let messages: Vec<Value> = messages
            .iter()
            .map(|content| message("assistant", content, None))
            .collect();
        let whole = render(messages.clone(), 10_000, &[]).unwrap().unwrap();
        assert!(!whole.contains("eins"), "only the newest five are shown");
        for bound in 0..=whole.len() + 10 {
            let shown = render(messages.clone(), bound as u64, &[]).unwrap();
            let shown = shown.unwrap_or_default();
            assert!(shown.len() <= bound, "{bound}: {shown}");
            let end = shown.strip_prefix("(The beginning is left out.)\n");
            assert!(whole.ends_with(end.unwrap_or(&shown)), "{bound}: {shown}");
        }
    }

    #[test]
    fn a_reference_shows_the_value_and_one_that_is_no_path_fails() {
        let refers = |path| Vec::from([message("user", "see", Some(path))]);
        let shown = render(refers("out"), 1000, &[("out", Value::Number(7.0))]);
        assert!(shown.unwrap().unwrap().ends_with("\n7"));
        let failed = render(refers("a..b"), 1000, &[]);
        assert_eq!(failed, Err(Unreadable::Reference(StateError::EmptySegment)));
        let empty = render(refers(""), 1000, &[]).unwrap().unwrap();
        assert!(empty.ends_with("]\nsee"), "an empty path is none: {empty}");
    }

    #[test]
    fn what_is_no_message_is_refused_among_those_that_are_shown() {
        let mut messages = Vec::from([Value::Null]);
        messages.extend((0..5).map(|_| message("tool", "x", None)));
        assert!(render(messages.clone(), 1000, &[]).is_ok());
        messages.pop();
        assert_eq!(render(messages, 1000, &[]), Err(Unreadable::Invalid));
    }
}
