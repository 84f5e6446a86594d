//! The string constraints of the protocol (spec 1.1) as plain matchers, and the same as ECMAScript
//! patterns for the printed schemas. Knows single strings only.

use super::date_time::is_date_time;
use crate::scalar::{ID_LENGTH, is_number};
use crate::{Digest, RouteId};

pub(crate) use crate::scalar::{is_id, is_version};

/// A constraint on a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text {
    /// Between so many and so many characters, both included.
    Length(u32, u32),
    /// An id.
    Id,
    /// A reason code: an id behind `route.`.
    ReasonCode,
    /// An id that begins with `route.`.
    RouteCode,
    /// A path below the provider.
    RelativePath,
    /// A version without build metadata.
    Version,
    /// A path into the facts.
    FactPath,
    /// A digest.
    Digest,
    /// A route id.
    RouteId,
    /// A date and time with a zone.
    DateTime,
    /// Where a skill finds its provider.
    Locator,
}

impl Text {
    /// Whether the text satisfies the constraint.
    pub fn matches(self, text: &str) -> bool {
        match self {
            Self::Length(min, max) => has_length(text, min, max),
            Self::Id => is_id(text),
            Self::ReasonCode => is_reason_code(text),
            Self::RouteCode => is_id(text) && text.starts_with("route."),
            Self::RelativePath => is_relative_path(text),
            Self::Version => is_version(text),
            Self::FactPath => !text.is_empty() && text.bytes().all(is_fact_path_byte),
            Self::Digest => text.parse::<Digest>().is_ok(),
            Self::RouteId => text.parse::<RouteId>().is_ok(),
            Self::DateTime => is_date_time(text),
            Self::Locator => is_locator(text),
        }
    }

    /// What a path below the provider must not match, as an ECMAScript pattern.
    /// Spelled without `.`, which stops at other characters in other engines.
    pub const PARENT_PATTERN: &'static str =
        r"^(?:/|[A-Za-z]:|(?:[^\n\r\u2028\u2029]*/)?\.\.(?:/|$))";

    /// The constraint as an ECMAScript pattern, apart from lengths. Constraints that are no pattern
    /// have the one that everything matches.
    pub const fn pattern(self) -> &'static str {
        match self {
            Self::Id => "^[a-z0-9](?:[a-z0-9._/-]*[a-z0-9])?$",
            Self::ReasonCode => r"^route\.[a-z0-9](?:[a-z0-9._/-]*[a-z0-9])?$",
            Self::RouteCode => r"^route\.(?:[a-z0-9._/-]*[a-z0-9])$",
            Self::Version => {
                r"^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(?:-[0-9A-Za-z.-]+)?$"
            }
            Self::FactPath => "^[A-Za-z0-9_.-]+$",
            Self::Digest => "^sha256:[a-f0-9]{64}$",
            Self::RouteId => "^route:[a-f0-9]{20}$",
            Self::Locator => r"^(?:path:|provider:)[^\n\r\u2028\u2029]",
            Self::Length(..) | Self::RelativePath | Self::DateTime => "",
        }
    }

    /// What the text has to be, for a sentence that begins with "has to be".
    pub const fn expectation(self) -> &'static str {
        match self {
            Self::Length(..) => "text",
            Self::Id => {
                "an id: lower-case letters, digits and `. _ / -` between them, at most 160 characters"
            }
            Self::ReasonCode => {
                "a reason code: `route.` and an id, together at most 160 characters"
            }
            Self::RouteCode => "an id that begins with `route.`",
            Self::RelativePath => {
                "a path below the provider: not absolute, no drive, no `..` segment"
            }
            Self::Version => "a version such as `1.0.0` or `1.0.0-rc.1`",
            Self::FactPath => "a fact path: letters, digits, `_`, `-` and dots between segments",
            Self::Digest => "a digest: `sha256:` and 64 lower-case hex digits",
            Self::RouteId => "a route id: `route:` and 20 lower-case hex digits",
            Self::DateTime => "a date and time with a zone, such as `2026-01-31T12:00:00.000Z`",
            Self::Locator => "a locator: `path:` or `provider:` and what follows",
        }
    }
}

/// Whether the text has between `min` and `max` characters. Stops counting beyond `max`.
fn has_length(text: &str, min: u32, max: u32) -> bool {
    if max == u32::MAX {
        return text.chars().take(min as usize).count() == min as usize;
    }
    let count = text.chars().take(max as usize + 1).count();
    (min as usize..=max as usize).contains(&count)
}

fn is_reason_code(text: &str) -> bool {
    text.len() <= ID_LENGTH && text.strip_prefix("route.").is_some_and(is_id)
}

/// Not empty and not matched by `^(?:/|[A-Za-z]:|.*(?:^|/)\.\.(?:/|$))`. The `.` of that pattern stops
/// at a line terminator, so only a `..` segment of the first line is seen here; containment sees the rest.
pub fn is_relative_path(text: &str) -> bool {
    let mut bytes = text.bytes();
    match (bytes.next(), bytes.next()) {
        (None, _) | (Some(b'/'), _) => return false,
        (Some(letter), Some(b':')) if letter.is_ascii_alphabetic() => return false,
        _ => {}
    }
    let first_line = text
        .find(['\n', '\r', '\u{2028}', '\u{2029}'])
        .unwrap_or(text.len());
    let mut start = 0;
    for segment in text.split('/') {
        if start > first_line {
            break;
        }
        if segment == ".." {
            return false;
        }
        start += segment.len() + 1;
    }
    true
}

fn is_fact_path_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-')
}

/// `^[A-Za-z0-9][A-Za-z0-9._/-]*[./]v[1-9][0-9]*$`: the identity of a protocol, with its version.
pub fn is_protocol_identity(text: &str) -> bool {
    let name = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let version = text.get(name.len()..).unwrap_or("");
    let Some(name) = name.strip_suffix('v') else {
        return false;
    };
    let Some(name) = name.strip_suffix(['.', '/']) else {
        return false;
    };
    is_number(version)
        && version != "0"
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'/' | b'-'))
}

/// `^(?:path:|provider:).+`
fn is_locator(text: &str) -> bool {
    let rest = text
        .strip_prefix("path:")
        .or_else(|| text.strip_prefix("provider:"));
    rest.is_some_and(|rest| {
        !rest.is_empty() && !rest.starts_with(['\n', '\r', '\u{2028}', '\u{2029}'])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    #[track_caller]
    fn accepts(constraint: Text, texts: &[&str]) {
        for text in texts {
            assert!(constraint.matches(text), "{constraint:?} refuses {text:?}");
        }
    }

    #[track_caller]
    fn refuses(constraint: Text, texts: &[&str]) {
        for text in texts {
            assert!(!constraint.matches(text), "{constraint:?} accepts {text:?}");
        }
    }

    #[test]
    fn ids_begin_and_end_with_a_letter_or_digit() {
        accepts(Text::Id, &["a", "a//b", "a..b", "1", "a_b-c.d/e"]);
        refuses(Text::Id, &["", "a-", "A", "a b", "-a", "a/", "é", "a\n"]);
    }

    #[test]
    fn ids_have_at_most_160_characters() {
        let longest: String = core::iter::repeat_n('a', 160).collect();
        accepts(Text::Id, &[&longest]);
        refuses(Text::Id, &[&alloc::format!("{longest}a")]);
    }

    #[test]
    fn reason_codes_are_an_id_behind_route() {
        accepts(Text::ReasonCode, &["route.a", "route.a/b.c"]);
        refuses(
            Text::ReasonCode,
            &["route.", "route", "a", "route..a", "Route.a", "route.a."],
        );
        accepts(Text::RouteCode, &["route..a"]);
    }

    #[test]
    fn relative_paths_have_no_parent_segment_no_root_and_no_drive() {
        accepts(
            Text::RelativePath,
            &[
                "./a.yaml", "a//b", "..a/b", "a/..b", "xy:z", "...", "a\\..\\b",
            ],
        );
        refuses(
            Text::RelativePath,
            &["", "../a", "a/../b", "/a", "C:x", "x:y", "..", "a/.."],
        );
    }

    #[test]
    fn only_the_first_line_of_a_path_is_searched_for_parent_segments() {
        accepts(Text::RelativePath, &["a\n/../b", "a/\n../b", "..\n"]);
        refuses(Text::RelativePath, &["../\n", "a/../\u{2028}"]);
    }

    #[test]
    fn versions_have_three_numbers_and_no_build_metadata() {
        accepts(
            Text::Version,
            &["0.0.0", "1.20.3", "1.0.0-rc.1", "1.0.0--", "1.0.0-a-b"],
        );
        refuses(
            Text::Version,
            &[
                "1.0",
                "01.0.0",
                "1.0.0.0",
                "1.0.0-",
                "1.0.0+b",
                "v1.0.0",
                "1.0.0-a b",
                "1.0.0\n",
                "1.-1.0",
            ],
        );
    }

    #[test]
    fn fact_paths_may_have_empty_segments() {
        accepts(Text::FactPath, &["a", "a..b", ".", "A_b-1.0"]);
        refuses(Text::FactPath, &["", "a b", "a/b", "é"]);
    }

    #[test]
    fn protocol_identities_end_in_a_version() {
        for identity in ["tide.brief/v1", "a.v10", "agent-graph.graph.v1", "A/B.v2"] {
            assert!(is_protocol_identity(identity), "{identity}");
        }
        for other in [
            "v1", "/v1", "a/v0", "a/v01", "av1", "a/v", "a b/v1", "-a/v1", "a/v1\n",
        ] {
            assert!(!is_protocol_identity(other), "{other}");
        }
    }

    #[test]
    fn lengths_count_characters() {
        accepts(Text::Length(1, 2), &["é", "éé"]);
        refuses(Text::Length(1, 2), &["", "ééé"]);
        accepts(Text::Length(1, u32::MAX), &["a"]);
        refuses(Text::Length(1, u32::MAX), &[""]);
    }

    #[test]
    fn locators_name_a_path_or_a_provider() {
        accepts(
            Text::Locator,
            &["path:a", "provider:tea/house", "path: ", "path:a\nb"],
        );
        refuses(
            Text::Locator,
            &["path:", "provider:", "file:a", "path:\na", "x path:a"],
        );
    }
}
