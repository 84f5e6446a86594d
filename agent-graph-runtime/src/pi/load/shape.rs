//! The shapes of the objects of a definition, as one table (spec 3). The order of fields is the order in
//! which they are checked. Knows nothing about how a check works.

use alloc::string::String;

use crate::pi::words::{
    Capture, ContextMode, ErrorStrategy, HumanKind, NodeType, Operator, Reducer, ResponseFormat,
    Storage, Thinking, WriteMode,
};

/// What a value has to be.
pub(super) enum Shape {
    /// Any JSON: business data.
    Any,
    /// Any object: business data as well.
    AnyObject,
    /// A string.
    Text,
    /// A string that is not blank.
    NonBlank,
    /// A state path.
    Path,
    /// `true` or `false`.
    Bool,
    /// An integral number, at least this.
    Integer(f64),
    /// A number, at least this.
    Number(f64),
    /// The number 2.
    Version,
    /// Exactly this string.
    Literal(&'static str),
    /// One of these words.
    Words(Words),
    /// A name or a list of names.
    Names,
    /// An array of values of one shape, at least so many.
    List(&'static Shape, usize),
    /// An object with these fields.
    Object(&'static [Field], Rule),
    /// An object with names of its own, its values of one shape.
    Map(&'static Shape, KeyRule),
}

/// A closed set of strings.
pub(super) struct Words {
    pub(super) is_one: fn(&str) -> bool,
    pub(super) list: fn() -> String,
}

/// A field of an object.
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) is_required: bool,
    pub(super) shape: &'static Shape,
}

/// What has to hold between the fields of an object.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    None,
    AssignmentSource,
    ErrorRoute,
    Condition,
}

/// What names an object may have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyRule {
    NodeId,
    StatePath,
}

const fn required(name: &'static str, shape: &'static Shape) -> Field {
    Field {
        name,
        is_required: true,
        shape,
    }
}

const fn optional(name: &'static str, shape: &'static Shape) -> Field {
    Field {
        name,
        is_required: false,
        shape,
    }
}

macro_rules! words {
    ($word:ty) => {
        Shape::Words(Words {
            is_one: |text| text.parse::<$word>().is_ok(),
            list: || {
                let words: alloc::vec::Vec<&str> =
                    <$word>::ALL.iter().map(|word| word.as_str()).collect();
                words.join(", ")
            },
        })
    };
}

const COUNT: Shape = Shape::Integer(1.0);
const AMOUNT: Shape = Shape::Number(0.0);
const PATHS: Shape = Shape::List(&Shape::Path, 0);
const TEXTS: Shape = Shape::List(&Shape::Text, 0);
const NODE_TYPE: Shape = words!(NodeType);
const HUMAN_KIND: Shape = words!(HumanKind);
const THINKING: Shape = words!(Thinking);

const RETRY: Shape = Shape::Object(
    &[
        optional("maxAttempts", &COUNT),
        optional("backoffMs", &AMOUNT),
        optional("backoffMultiplier", &Shape::Number(1.0)),
    ],
    Rule::None,
);

const ON_ERROR: Shape = Shape::Object(
    &[
        optional("strategy", &words!(ErrorStrategy)),
        optional("to", &Shape::Names),
        optional("output", &Shape::Path),
    ],
    Rule::ErrorRoute,
);

const NODE_LIMITS: Shape = Shape::Object(
    &[
        optional("timeoutMs", &COUNT),
        optional("maxTurns", &COUNT),
        optional("maxTokens", &COUNT),
        optional("maxCostUsd", &AMOUNT),
        optional("maxPromptBytes", &COUNT),
    ],
    Rule::None,
);

const CONTEXT: Shape = Shape::Object(
    &[
        optional("mode", &words!(ContextMode)),
        optional("threadKey", &Shape::Text),
        optional("messagesPath", &Shape::Path),
        optional("maxMessages", &COUNT),
        optional("maxPromptBytes", &COUNT),
        optional("maxMessageBytes", &COUNT),
        optional("maxStoredMessages", &COUNT),
        optional("capture", &words!(Capture)),
    ],
    Rule::None,
);

const RESPONSE: Shape = Shape::Object(
    &[
        optional("format", &words!(ResponseFormat)),
        optional("maxBytes", &COUNT),
        optional("storeOutput", &Shape::Bool),
        optional("storage", &words!(Storage)),
        optional("mediaType", &Shape::Text),
        optional("previewBytes", &COUNT),
    ],
    Rule::None,
);

const ASSIGNMENT: Shape = Shape::Object(
    &[
        required("path", &Shape::Path),
        optional("value", &Shape::Any),
        optional("template", &Shape::Text),
        optional("from", &Shape::Path),
        optional("mode", &words!(WriteMode)),
    ],
    Rule::AssignmentSource,
);

/// The shape of an agent node.
pub(super) static AGENT: Shape = Shape::Object(
    &[
        optional("description", &Shape::Text),
        optional("reads", &PATHS),
        optional("output", &Shape::Path),
        optional("retry", &RETRY),
        optional("onError", &ON_ERROR),
        optional("limits", &NODE_LIMITS),
        optional("idempotent", &Shape::Bool),
        required("type", &NODE_TYPE),
        optional("purpose", &Shape::Literal("reviewer")),
        required("prompt", &Shape::NonBlank),
        optional("systemPrompt", &Shape::Text),
        optional("model", &Shape::Text),
        optional("thinking", &THINKING),
        optional("tools", &TEXTS),
        optional("readOnly", &Shape::Bool),
        optional("cwd", &Shape::Text),
        optional("loadExtensions", &Shape::Bool),
        optional("loadSkills", &Shape::Bool),
        optional("loadPromptTemplates", &Shape::Bool),
        optional("includeContextFiles", &Shape::Bool),
        optional("context", &CONTEXT),
        optional("response", &RESPONSE),
    ],
    Rule::None,
);

/// The shape of a set node.
pub(super) static SET: Shape = Shape::Object(
    &[
        optional("description", &Shape::Text),
        optional("reads", &PATHS),
        optional("output", &Shape::Path),
        optional("retry", &RETRY),
        optional("onError", &ON_ERROR),
        optional("limits", &NODE_LIMITS),
        optional("idempotent", &Shape::Bool),
        required("type", &NODE_TYPE),
        required("assign", &Shape::List(&ASSIGNMENT, 1)),
    ],
    Rule::None,
);

/// The shape of a human node.
pub(super) static HUMAN: Shape = Shape::Object(
    &[
        optional("description", &Shape::Text),
        optional("reads", &PATHS),
        optional("output", &Shape::Path),
        optional("retry", &RETRY),
        optional("onError", &ON_ERROR),
        optional("limits", &NODE_LIMITS),
        optional("idempotent", &Shape::Bool),
        required("type", &NODE_TYPE),
        optional("kind", &HUMAN_KIND),
        required("prompt", &Shape::NonBlank),
        optional("options", &TEXTS),
        optional("pause", &Shape::Bool),
    ],
    Rule::None,
);

/// The shape of a node of no known type: what any node may have.
pub(super) static UNKNOWN_NODE: Shape = Shape::Object(
    &[
        optional("description", &Shape::Text),
        optional("reads", &PATHS),
        optional("output", &Shape::Path),
        optional("retry", &RETRY),
        optional("onError", &ON_ERROR),
        optional("limits", &NODE_LIMITS),
        optional("idempotent", &Shape::Bool),
        required("type", &NODE_TYPE),
        optional("prompt", &Shape::Text),
        optional("systemPrompt", &Shape::Text),
        optional("model", &Shape::Text),
        optional("thinking", &THINKING),
        optional("tools", &TEXTS),
        optional("readOnly", &Shape::Bool),
        optional("cwd", &Shape::Text),
        optional("loadExtensions", &Shape::Bool),
        optional("loadSkills", &Shape::Bool),
        optional("loadPromptTemplates", &Shape::Bool),
        optional("includeContextFiles", &Shape::Bool),
        optional("context", &CONTEXT),
        optional("response", &RESPONSE),
        optional("assign", &Shape::List(&ASSIGNMENT, 0)),
        optional("kind", &HUMAN_KIND),
        optional("options", &TEXTS),
        optional("pause", &Shape::Bool),
    ],
    Rule::None,
);

const EDGE: Shape = Shape::Object(
    &[
        required("from", &Shape::Names),
        required("to", &Shape::Names),
    ],
    Rule::None,
);

/// Conditions contain conditions.
static CONDITION: Shape = Shape::Object(
    &[
        optional("all", &CONDITIONS),
        optional("any", &CONDITIONS),
        optional("not", &CONDITION),
        optional("path", &Shape::Path),
        optional("op", &words!(Operator)),
        optional("value", &Shape::Any),
    ],
    Rule::Condition,
);

static CONDITIONS: Shape = Shape::List(&CONDITION, 1);

static CASE: Shape = Shape::Object(
    &[required("when", &CONDITION), required("to", &Shape::Names)],
    Rule::None,
);

static ROUTE: Shape = Shape::Object(
    &[
        required("from", &Shape::NonBlank),
        required("cases", &Shape::List(&CASE, 1)),
        optional("default", &Shape::Names),
    ],
    Rule::None,
);

const LIMITS: Shape = Shape::Object(
    &[
        optional("maxSteps", &COUNT),
        optional("maxNodeRuns", &COUNT),
        optional("maxConcurrency", &COUNT),
        optional("maxCostUsd", &AMOUNT),
        optional("maxTokens", &COUNT),
        optional("timeoutMs", &COUNT),
        optional("maxStateBytes", &COUNT),
        optional("maxPromptBytes", &COUNT),
    ],
    Rule::None,
);

const PATH_LIMIT: Shape = Shape::Object(&[optional("maxBytes", &COUNT)], Rule::None);

const STATE_POLICY: Shape = Shape::Object(
    &[optional(
        "paths",
        &Shape::Map(&PATH_LIMIT, KeyRule::StatePath),
    )],
    Rule::None,
);

const POLICY: Shape = Shape::Object(
    &[
        optional("allowNonInteractive", &Shape::Bool),
        optional("allowNonInteractiveMutations", &Shape::Bool),
        optional("confirmProjectGraph", &Shape::Bool),
        optional("confirmMutatingNodes", &Shape::Bool),
    ],
    Rule::None,
);

const RESULT: Shape = Shape::Object(
    &[
        optional("paths", &PATHS),
        optional("includeState", &Shape::Bool),
        optional("maxBytes", &COUNT),
    ],
    Rule::None,
);

/// The shape of the document, nodes left open.
pub(super) static GRAPH: Shape = Shape::Object(
    &[
        required("schemaVersion", &Shape::Version),
        required("name", &Shape::NonBlank),
        optional("description", &Shape::Text),
        required("entry", &Shape::Names),
        optional("initialState", &Shape::AnyObject),
        required("nodes", &Shape::Map(&Shape::Any, KeyRule::NodeId)),
        optional("edges", &Shape::List(&EDGE, 0)),
        optional("routes", &Shape::List(&ROUTE, 0)),
        optional(
            "reducers",
            &Shape::Map(&words!(Reducer), KeyRule::StatePath),
        ),
        optional("limits", &LIMITS),
        optional("statePolicy", &STATE_POLICY),
        optional("policy", &POLICY),
        optional("result", &RESULT),
    ],
    Rule::None,
);
