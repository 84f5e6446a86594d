//! Runs and graph tests (spec 1.11, 1.12).

use super::vocabulary::{AVAILABILITY, DATE_TIME, STATUS};
use super::{
    ANY_TEXT, List, Map, Member, NOT_EMPTY, OUTCOME, Object, Shape, Text, optional, required, words,
};
use crate::protocol::Resolution;

/// The file of a run.
pub static RUN: Object = Object {
    name: "run",
    description: "What is known and recorded of one run of a workflow.",
    members: &[&[
        required(
            "schema",
            Shape::Constant("agent-graph.run.v1"),
            "Says that this is a run.",
        ),
        required("id", NOT_EMPTY, "Identity of the run."),
        required("provider", NOT_EMPTY, "Id of the provider."),
        required("graph", NOT_EMPTY, "Id of the graph."),
        required("entry", NOT_EMPTY, "Name of the entry."),
        optional("workspace", NOT_EMPTY, "Absolute path of the workspace."),
        required("createdAt", DATE_TIME, "When the run began."),
        required("updatedAt", DATE_TIME, "When it last changed."),
        required("facts", Shape::AnyObject, "What is known."),
        required(
            "outcomes",
            Shape::Map(&Map {
                names: Text::Length(0, u32::MAX),
                values: Shape::Object(&OUTCOME_RECORD),
                min: 0,
            }),
            "What was recorded, by state key.",
        ),
        required(
            "authorities",
            AUTHORITIES,
            "The authorities of the session.",
        ),
        required("events", EVENTS, "What happened, in order."),
    ]],
};

const AUTHORITIES: Shape = Shape::List(&List {
    items: ANY_TEXT,
    min: 0,
    unique: true,
});

static OUTCOME_RECORD: Object = Object {
    name: "outcome record",
    description: "An outcome and when it was recorded.",
    members: &[&[
        required("outcome", OUTCOME, "The outcome."),
        required("recordedAt", DATE_TIME, "When it was recorded."),
        optional("detail", Shape::Any, "More, for the host."),
    ]],
};

/// What happened in a run.
pub const EVENTS: Shape = Shape::List(&List {
    items: Shape::Object(&EVENT),
    min: 0,
    unique: false,
});

static EVENT: Object = Object {
    name: "event",
    description: "Something that happened in a run.",
    members: &[&[
        required(
            "sequence",
            Shape::Integer(1, i64::MAX),
            "Number of the event, counted from 1.",
        ),
        required("at", DATE_TIME, "When it happened."),
        required("type", NOT_EMPTY, "What happened."),
        optional("node", ANY_TEXT, "State key of the node that is meant."),
        optional("outcome", OUTCOME, "Outcome that was recorded."),
        optional("detail", Shape::Any, "More, for the host."),
    ]],
};

/// A graph test.
pub static TEST_CASE: Object = Object {
    name: "test case",
    description: "A state, and what the evaluation has to say about it.",
    members: &[&[
        required(
            "schema",
            Shape::Constant("agent-graph.test.v1"),
            "Says that this is a test case.",
        ),
        required("name", NOT_EMPTY, "Name of the test."),
        required("graph", NOT_EMPTY, "Id of the graph."),
        required("entry", NOT_EMPTY, "Name of the entry."),
        optional(
            "state",
            Shape::Object(&STATE),
            "The state; empty if absent.",
        ),
        required("expect", Shape::Object(&EXPECTATIONS), "What has to hold."),
    ]],
};

static STATE: Object = Object {
    name: "test state",
    description: "What an evaluation is given.",
    members: &[&[
        optional("facts", Shape::AnyObject, "What is known."),
        optional(
            "outcomes",
            Shape::Map(&STATE_OUTCOMES),
            "What was recorded, by state key.",
        ),
        optional(
            "authorities",
            AUTHORITIES,
            "The authorities of the session.",
        ),
    ]],
};

static STATE_OUTCOMES: Map = Map {
    names: Text::Length(0, u32::MAX),
    values: Shape::Either(&[OUTCOME, Shape::Object(&OUTCOME_RECORD)]),
    min: 0,
};

const STRINGS: Shape = Shape::List(&List {
    items: ANY_TEXT,
    min: 0,
    unique: false,
});

static EXPECTATIONS: Object = Object {
    name: "expectation",
    description: "What has to hold of the evaluation and of the primary route.",
    members: &[
        &[
            required("statusCode", STATUS, "Status of the evaluation."),
            optional("primaryNode", ANY_TEXT, "Node of the primary route."),
            optional(
                "primaryReasonCode",
                ANY_TEXT,
                "Reason code of the primary route.",
            ),
            optional("alternativeNodes", STRINGS, "Nodes of the alternatives."),
            optional(
                "availability",
                AVAILABILITY,
                "Availability of the primary route.",
            ),
            optional("outcome", OUTCOME, "Outcome of the evaluation."),
            optional(
                "diagnosticsInclude",
                STRINGS,
                "Codes that have to be among the diagnostics.",
            ),
        ],
        ROUTE_EXPECTATIONS,
    ],
};

const ROUTE_EXPECTATIONS: &[Member] = &[
    optional("command", NOT_EMPTY, "Command of the resolved route."),
    optional("handler", NOT_EMPTY, "Handler of the resolved route."),
    optional("requiredResources", STRINGS, "Ids of what has to be read."),
    optional(
        "recommendedResources",
        STRINGS,
        "Ids of what is worth reading.",
    ),
    optional(
        "gateResolution",
        Shape::Word(words!("gate resolution", Resolution)),
        "Who decides.",
    ),
    optional(
        "inspectionCommand",
        NOT_EMPTY,
        "Command of the inspection action.",
    ),
    optional(
        "inspectionHandler",
        NOT_EMPTY,
        "Handler of the inspection action.",
    ),
    optional(
        "inspectionSkill",
        NOT_EMPTY,
        "Id of the skill of the inspection action.",
    ),
    optional(
        "inspectionInputSchema",
        NOT_EMPTY,
        "Id of the input schema of the inspection action.",
    ),
    optional(
        "resolutionCommand",
        NOT_EMPTY,
        "Command of the resolution action.",
    ),
    optional(
        "resolutionHandler",
        NOT_EMPTY,
        "Handler of the resolution action.",
    ),
    optional(
        "resolutionSkill",
        NOT_EMPTY,
        "Id of the skill of the resolution action.",
    ),
    optional(
        "resolutionInputSchema",
        NOT_EMPTY,
        "Id of the input schema of the resolution action.",
    ),
    optional(
        "recordNode",
        NOT_EMPTY,
        "State key under which the outcome is recorded.",
    ),
];
