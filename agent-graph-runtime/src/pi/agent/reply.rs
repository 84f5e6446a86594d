//! The answer of an agent that is to answer with JSON (spec 7.4). Knows nothing about where it goes.

use crate::json::Value;
use crate::pi::{state, text};

/// The value in an answer: the whole text, or the inside of the one fenced block that it is. Nothing where
/// that is no JSON, or has a name that no state may have.
pub(super) fn value(answer: &str) -> Option<Value> {
    let answer = text::trim(answer);
    let value = Value::from_json(fenced(answer).unwrap_or(answer)).ok()?;
    (!state::has_forbidden_names(&value)).then_some(value)
}

/// The inside of a text that is one fenced block.
fn fenced(text: &str) -> Option<&str> {
    const FENCE: &str = "```";
    let inside = text.strip_prefix(FENCE)?.strip_suffix(FENCE)?;
    match inside.get(..4) {
        Some(language) if language.eq_ignore_ascii_case("json") => inside.get(4..),
        _ => Some(inside),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_fenced_block_counts_as_its_inside() {
        for answer in [
            "7",
            " 7\n",
            "```7```",
            "```json\n7\n```",
            "```JSON 7```\u{feff}",
        ] {
            assert_eq!(value(answer), Some(Value::Number(7.0)), "{answer}");
        }
        for answer in [
            "",
            "```",
            "``````",
            "```js\n7\n```",
            "x ```7```",
            "```7``` ```8```",
            "7 8",
        ] {
            assert_eq!(value(answer), None, "{answer}");
        }
    }

    #[test]
    fn names_that_no_state_may_have_are_refused_at_any_depth() {
        assert_eq!(value(r#"[{"a":{"constructor":1}}]"#), None);
        assert!(value(r#"["constructor"]"#).is_some());
    }
}
