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

/// Limits of the whole run that are exceeded during an attempt.
const LIMITS_AND_ON_ERROR: &str = "in the reference a limit of the whole run that is exceeded during an attempt goes to `onError`, and the run goes on; as the format has it, such a limit fails the run, whatever the node says";

/// A state that is larger than it may be.
const STATE_BEFORE_SIZE: &str = "the reference replaces the state before it looks at its size, so that a state which is refused stays, and what made it is applied twice after a resume; here a state that is refused is never installed";

/// Usage of attempts in a superstep that the caller or the clock ends.
const ENDED_SUPERSTEP: &str = "in a superstep that the caller or the clock ends, the reference forgets what has been done and used; here nodes that are done stay done, and what was used stays counted";

/// Usage as providers report it.
const USAGE_IN_BOUNDS: &str = "the reference counts fractions of tokens and negative ones, which its own checkpoints refuse; here counts are brought into bounds when they are read";

/// Blank options.
const BLANK_OPTIONS: &str =
    "the reference offers blank options, which its own checkpoints refuse; here they are left out";

/// Resuming after the reference has raised.
const RESUMED_AFTER_RAISING: &str = "the reference has raised in the call before and is left with an older snapshot; here that call has failed in order and the run goes on where it was";

/// Cases in which the reference raises, because a snapshot of its own does not pass its validator.
pub(crate) const OWN_VALIDATOR: &str = "the reference raises, since its own validator refuses its snapshot; here the run comes, with checkpoints, to what the reference comes to without";

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

/// The reason why the run of a case with these tags may differ, and what may differ of it: members of what is
/// recorded, each with the number of the call.
pub(crate) fn of_run(tags: &[&str]) -> Option<(&'static str, &'static [&'static str])> {
    RUNS.iter()
        .find(|(all, ..)| all.iter().all(|tag| tags.contains(tag)))
        .map(|(_, reason, members)| (*reason, *members))
}

/// Cases of runs that differ on purpose, by all of these tags.
const RUNS: &[(&[&str], &str, &[&str])] = &[
    (
        &["MAX_NODE_RUNS", "onError-continue"],
        LIMITS_AND_ON_ERROR,
        &[
            "0.status",
            "0.errorKind",
            "0.failures",
            "0.step",
            "0.state",
            "0.stateBytes",
            "0.steps",
            "0.attemptFailures",
            "0.events",
        ],
    ),
    (
        &["MAX_NODE_RUNS", "no-checkpoint"],
        LIMITS_AND_ON_ERROR,
        &[
            "0.status",
            "0.errorKind",
            "0.failures",
            "0.step",
            "0.state",
            "0.stateBytes",
            "0.steps",
            "0.attemptFailures",
            "0.events",
        ],
    ),
    (
        &["MAX_TOKENS", "onError-continue"],
        LIMITS_AND_ON_ERROR,
        &[
            "0.errorKind",
            "0.failures",
            "0.errorCode",
            "0.state",
            "0.stateBytes",
            "0.steps",
            "0.pending",
            "0.checkpoints",
            "0.inFlight",
            "0.events",
        ],
    ),
    (
        &["MAX_COST", "onError-continue"],
        LIMITS_AND_ON_ERROR,
        &[
            "0.errorKind",
            "0.failures",
            "0.errorCode",
            "0.state",
            "0.stateBytes",
            "0.steps",
            "0.pending",
            "0.checkpoints",
            "0.inFlight",
            "0.events",
        ],
    ),
    (
        &["MAX_STATE_BYTES", "commit"],
        STATE_BEFORE_SIZE,
        &[
            "0.state",
            "0.stateBytes",
            "1.state",
            "1.stateBytes",
            "1.checkpoints",
            "1.events",
        ],
    ),
    (
        &["MAX_STATE_BYTES", "utf8"],
        STATE_BEFORE_SIZE,
        &["0.state", "0.stateBytes"],
    ),
    (
        &["MAX_STATE_PATH_BYTES"],
        STATE_BEFORE_SIZE,
        &["0.state", "0.stateBytes"],
    ),
    (
        &["not-array-commit"],
        STATE_BEFORE_SIZE,
        &["0.state", "0.stateBytes"],
    ),
    (
        &["force-raised-limit"],
        RESUMED_AFTER_RAISING,
        &["1.steps", "1.checkpoints", "1.events"],
    ),
    (
        &["force-after-MAX_STATE_BYTES"],
        STATE_BEFORE_SIZE,
        &[
            "0.state",
            "0.stateBytes",
            "1.state",
            "1.stateBytes",
            "1.steps",
        ],
    ),
    (
        &["fractional-tokens"],
        USAGE_IN_BOUNDS,
        &["0.usage", "0.steps"],
    ),
    (
        &["negative-tokens"],
        USAGE_IN_BOUNDS,
        &["0.usage", "0.steps"],
    ),
    (&["blank-option"], BLANK_OPTIONS, &["0.interrupt"]),
    (&["TIMEOUT", "backoff"], ENDED_SUPERSTEP, &["0.usage"]),
    (
        &["abort", "during-backoff"],
        ENDED_SUPERSTEP,
        &["0.usage", "1.usage", "1.steps"],
    ),
    (
        &["abort", "one-of-two"],
        ENDED_SUPERSTEP,
        &[
            "0.usage",
            "0.history",
            "0.checkpoints",
            "0.inFlight",
            "1.nodeRuns",
            "1.history",
            "1.checkpoints",
            "1.events",
        ],
    ),
];

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
