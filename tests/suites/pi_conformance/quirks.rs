//! Where the reference is not followed, with the reasons: the one list of them. A case counts as different on
//! purpose only if it shows one of these and its outcome differs from ours in this way.

use agent_graph_runtime::json::{Object, Value};

/// Names that every object of the reference's language inherits are found there in any state.
pub(crate) const INHERITED_NAMES: &str = "the reference finds names that its objects inherit, such as `toString`; here only own members count";

/// A line end inside a name makes the reference overlook the member.
pub(crate) const LINE_ENDS_IN_NAMES: &str = "the reference does not recognise names with line ends and calls them unknown fields; here they are names like others";

/// A slash inside a name shows as a dot in the paths of structural diagnostics.
pub(crate) const SLASHES_IN_NAMES: &str =
    "the reference shows a slash inside a name as a dot; here the name is shown as it is written";

/// A character whose bytes arrive in two pieces.
pub(crate) const SPLIT_CHARACTERS: &str = "the reference reads each piece of output by itself and damages a character that two pieces share; here bytes are joined first";

/// Counts of tokens that are no counts.
pub(crate) const COUNTS: &str = "the reference takes in negative and fractional counts of tokens, which its own checkpoints refuse; here a negative count is none and a fraction is rounded up";

/// The reason why a case with these tags may differ.
pub(crate) fn by_tag(tags: &[&str]) -> Option<&'static str> {
    let is_quirk = tags.contains(&"quirk") || tags.contains(&"surprising");
    let reasons = [
        ("inherited-name", INHERITED_NAMES),
        ("utf8-split", SPLIT_CHARACTERS),
    ];
    let mut reasons = reasons.into_iter().filter(|_| is_quirk);
    reasons
        .find(|(tag, _)| tags.contains(tag))
        .map(|(_, reason)| reason)
}

/// The reason why the result of an attempt may differ: what it used is the same once it is counted.
pub(crate) fn of_usage(expected: &Object, actual: &Value) -> Option<&'static str> {
    let expected = Value::Object(expected.clone());
    let counted = counted(&expected);
    (counted != expected && counted == *actual).then_some(COUNTS)
}

/// The value with counts in place of numbers that are none, wherever tokens are counted.
fn counted(value: &Value) -> Value {
    match value {
        Value::Array(items) => Value::Array(items.iter().map(counted).collect()),
        Value::Object(object) => {
            let members = object.iter().map(|(name, value)| {
                let value = match value {
                    Value::Number(count) if name.ends_with("Tokens") => {
                        Value::Number(count.max(0.0).ceil())
                    }
                    other => counted(other),
                };
                (name, value)
            });
            Value::Object(members.collect())
        }
        other => other.clone(),
    }
}

/// The reason why these diagnostics, each as level, code and path, may differ.
pub(crate) fn of_diagnostics(expected: &[Line], actual: &[Line]) -> Option<&'static str> {
    let is_line_end = |character| matches!(character, '\n' | '\r' | '\u{2028}' | '\u{2029}');
    let overlooked = |line: &&Line| line.code == "UNKNOWN_FIELD" && line.path.contains(is_line_end);
    if expected.iter().any(|line| overlooked(&line)) && !actual.iter().any(|line| overlooked(&line))
    {
        return Some(LINE_ENDS_IN_NAMES);
    }
    let dotted = |lines: &[Line]| -> Vec<Line> {
        let dotted = |line: &Line| Line {
            path: line.path.replace('/', "."),
            ..line.clone()
        };
        lines.iter().map(dotted).collect()
    };
    (dotted(expected) == dotted(actual)).then_some(SLASHES_IN_NAMES)
}

/// What is compared of a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) level: String,
    pub(crate) code: String,
    pub(crate) path: String,
    /// Whether there is a path at all.
    pub(crate) has_path: bool,
}
