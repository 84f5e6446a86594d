//! Evaluations and the error envelope (spec 1.7, 1.17).

use super::vocabulary::{AVAILABILITY, STATUS};
use super::{
    ANY_TEXT, List, Member, NOT_EMPTY, OUTCOME, Object, REASON_CODE, SEVERITY, Shape, Text,
    optional, required,
};

/// What an evaluation says.
pub static EVALUATION: Object = Object {
    name: "evaluation",
    description: "What can be done next.",
    members: &[&[
        required(
            "schema",
            Shape::Constant("agent-graph.evaluation.v1"),
            "Says that this is an evaluation.",
        ),
        required("provider", NOT_EMPTY, "Id of the provider."),
        required("graph", NOT_EMPTY, "Id of the graph."),
        required("entry", NOT_EMPTY, "Name of the entry."),
        required(
            "revision",
            REVISION,
            "Digest of everything that the answer depends on.",
        ),
        required("statusCode", STATUS, "What the evaluation says as a whole."),
        optional("outcome", OUTCOME, "What a complete graph came to."),
        optional(
            "primaryRoute",
            Shape::Object(&ROUTE_SUMMARY),
            "The best candidate.",
        ),
        required(
            "alternativeRoutes",
            Shape::List(&List {
                items: Shape::Object(&ROUTE_SUMMARY),
                min: 0,
                unique: false,
            }),
            "The candidates after it, at most three.",
        ),
        required("diagnostics", DIAGNOSTICS, "What stands in the way."),
    ]],
};

pub(super) const REVISION: Shape = Shape::Text(Text::Digest);
pub(super) const ROUTE_ID: Shape = Shape::Text(Text::RouteId);
pub(super) const HINT: Shape = Shape::Text(Text::Length(0, 160));

static ROUTE_SUMMARY: Object = Object {
    name: "route summary",
    description: "A candidate in short.",
    members: &[&[
        required("routeId", ROUTE_ID, "Identity of the route."),
        required("graph", NOT_EMPTY, "Id of the graph that owns the node."),
        required("node", NOT_EMPTY, "Id of the node."),
        required("statusCode", STATUS, "Whether it can be taken now."),
        required("reasonCode", REASON_CODE, "Why it is offered."),
        optional("hint", HINT, "What the code catalog says about the reason."),
        required("availability", AVAILABILITY, "Who can take it."),
        required("label", NOT_EMPTY, "What to call it."),
    ]],
};

/// Diagnostics.
pub const DIAGNOSTICS: Shape = Shape::List(&List {
    items: Shape::Object(&DIAGNOSTIC),
    min: 0,
    unique: false,
});

static DIAGNOSTIC: Object = Object {
    name: "diagnostic",
    description: "Something that is wrong or worth knowing.",
    members: &[DIAGNOSTIC_MEMBERS],
};

/// The members of a diagnostic.
pub const DIAGNOSTIC_MEMBERS: &[Member] = &[
    required("code", NOT_EMPTY, "Stable code."),
    required("severity", SEVERITY, "How much it matters."),
    required("message", ANY_TEXT, "Sentence for people."),
    optional("path", ANY_TEXT, "Path of the file that is meant."),
    optional("documentRef", NOT_EMPTY, "Where a host explains more."),
    optional("detail", Shape::Any, "More, for programs."),
];

/// The error envelope.
pub static ERROR: Object = Object {
    name: "error",
    description: "Why a command has no answer.",
    members: &[&[
        required(
            "schema",
            Shape::Constant("agent-graph.error.v1"),
            "Says that this is an error.",
        ),
        required("state", Shape::Constant("error"), "Always `error`."),
        required("error", Shape::Object(&ERROR_DETAIL), "The error."),
    ]],
};

static ERROR_DETAIL: Object = Object {
    name: "error detail",
    description: "What went wrong.",
    members: &[&[
        required("code", NOT_EMPTY, "Stable code."),
        required("message", ANY_TEXT, "Sentence for people."),
        required("diagnostics", DIAGNOSTICS, "The problems one by one."),
    ]],
};
