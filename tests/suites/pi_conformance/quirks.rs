//! Where the reference is not followed, with the reasons: the one list of them. A case counts as different on
//! purpose only if it shows one of these and its outcome differs from ours in this way.

/// Names that every object of the reference's language inherits are found there in any state.
pub(crate) const INHERITED_NAMES: &str = "the reference finds names that its objects inherit, such as `toString`; here only own members count";

/// A line end inside a name makes the reference overlook the member.
pub(crate) const LINE_ENDS_IN_NAMES: &str = "the reference does not recognise names with line ends and calls them unknown fields; here they are names like others";

/// A slash inside a name shows as a dot in the paths of structural diagnostics.
pub(crate) const SLASHES_IN_NAMES: &str =
    "the reference shows a slash inside a name as a dot; here the name is shown as it is written";

/// The reason why a case with these tags may differ.
pub(crate) fn by_tag(tags: &[&str]) -> Option<&'static str> {
    let is_quirk = tags.contains(&"quirk") || tags.contains(&"surprising");
    (is_quirk && tags.contains(&"inherited-name")).then_some(INHERITED_NAMES)
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
