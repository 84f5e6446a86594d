//! Turns of phrase that messages about shapes share. Knows words, no rules.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use core::fmt;

use super::Text;
use crate::load::document::Kind;

/// What a finding is about.
#[derive(Clone, Copy)]
pub(super) enum Subject<'a> {
    Root(&'static str),
    Member(&'a str),
    Item(&'a str),
}

impl fmt::Display for Subject<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root(name) => f.write_str(&a(name)),
            Self::Member(name) => write!(f, "`{name}`"),
            Self::Item(name) => write!(f, "an item of `{name}`"),
        }
    }
}

impl<'a> Subject<'a> {
    /// The name that items of this value go by.
    pub(super) fn name(self) -> &'a str {
        match self {
            Self::Root(name) => name,
            Self::Member(name) | Self::Item(name) => name,
        }
    }
}

pub(super) fn said(kind: Kind) -> &'static str {
    match kind {
        Kind::Null => "null",
        Kind::Bool => "a boolean",
        Kind::Number => "a number",
        Kind::String => "text",
        Kind::Sequence => "a list",
        Kind::Mapping => "an object",
    }
}

/// The name with its article.
pub(super) fn a(name: &str) -> String {
    let article = if name.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {name}")
}

pub(super) fn items(count: usize) -> String {
    match count {
        1 => "one item".to_owned(),
        _ => format!("{count} items"),
    }
}

/// `a`, `b` or `c`
pub(super) fn listed(words: &[&str]) -> String {
    let mut text = String::new();
    for (index, word) in words.iter().enumerate() {
        match index {
            0 => {}
            _ if index + 1 == words.len() => text.push_str(" or "),
            _ => text.push_str(", "),
        }
        text.push('`');
        text.push_str(word);
        text.push('`');
    }
    text
}

/// An id that looks like the text, as a hint.
pub(super) fn suggested_id(text: &str, constraint: Text) -> Option<String> {
    let bare = match constraint {
        Text::Id => text,
        Text::ReasonCode | Text::RouteCode => text.strip_prefix("route.").unwrap_or(text),
        _ => return None,
    };
    if bare.len() > 64 || !bare.is_ascii() {
        return None;
    }
    let mapped: String = bare
        .chars()
        .map(|c| match c {
            'a'..='z' | '0'..='9' | '.' | '_' | '/' | '-' => c,
            'A'..='Z' => c.to_ascii_lowercase(),
            _ => '-',
        })
        .collect();
    let trimmed = mapped.trim_matches(['.', '_', '/', '-']);
    let suggestion = match constraint {
        Text::Id => trimmed.to_owned(),
        _ => format!("route.{trimmed}"),
    };
    constraint
        .matches(&suggestion)
        .then(|| format!("`{suggestion}` would do"))
}

/// The beginning of a text, short enough for a message and on one line.
pub(crate) fn excerpt(text: &str) -> String {
    const LENGTH: usize = 60;
    let mut short: String = text
        .chars()
        .take(LENGTH)
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect();
    if text.chars().nth(LENGTH).is_some() {
        short.push('…');
    }
    short
}
