//! Resolved routes and code locations (spec 1.8, 1.10).

use super::evaluation::{DIAGNOSTICS, HINT, REVISION, ROUTE_ID};
use super::location::{CODE_DOCUMENT, FILE_LOCATION, LOCATION};
use super::vocabulary::{AVAILABILITY, CODE_KIND, EFFECT as EFFECT_WORD, RUNNER, STATUS};
use super::{
    ANY_TEXT, By, ID, List, Member, NOT_EMPTY, Object, REASON_CODE, SEVERITY, Shape, Text,
    Variants, optional, required, words,
};
use crate::protocol::{Resolution, WorkingDirectory};

/// A resolved route.
pub static ROUTE: Object = Object {
    name: "route",
    description: "Everything that is needed to take a route.",
    members: &[&[
        required(
            "schema",
            Shape::Constant("agent-graph.route.v1"),
            "Says that this is a route.",
        ),
        required("provider", NOT_EMPTY, "Id of the provider."),
        required("revision", REVISION, "Revision of the evaluation."),
        required("routeId", ROUTE_ID, "Identity of the route."),
        required("graph", NOT_EMPTY, "Id of the graph that owns the node."),
        required("node", NOT_EMPTY, "Id of the node."),
        required("statusCode", STATUS, "Whether it can be taken now."),
        required("reasonCode", REASON_CODE, "Why it is offered."),
        optional("hint", HINT, "What the code catalog says about the reason."),
        required("availability", AVAILABILITY, "Who can take it."),
        required(
            "callPath",
            Shape::List(&List {
                items: ANY_TEXT,
                min: 0,
                unique: false,
            }),
            "Graph and node of every calling subgraph node, outermost first.",
        ),
        optional(
            "action",
            Shape::Object(&ROUTE_ACTION),
            "The action of an action node.",
        ),
        required("commandPlan", COMMAND_PLAN, "What to run."),
        required("resources", Shape::Object(&LOCATIONS), "What to read."),
        optional(
            "gate",
            Shape::Object(&ROUTE_GATE),
            "The decision of a gate node.",
        ),
        required("diagnostics", DIAGNOSTICS, "Always empty."),
        required(
            "afterAction",
            Shape::Object(&AFTER_ACTION),
            "What to do when it is done.",
        ),
    ]],
};

const EFFECT: Member = required("effect", EFFECT_WORD, "What running it does to the world.");

static ROUTE_ACTION: Object = Object {
    name: "route action",
    description: "The action behind a route.",
    members: &[&[
        required("id", ID, "Id of the action."),
        required("runner", RUNNER, "Who runs it."),
        EFFECT,
        optional("skill", FILE_LOCATION, "The skill of an agent action."),
        optional("inputSchema", FILE_LOCATION, "JSON Schema of the input."),
        optional("outputSchema", FILE_LOCATION, "JSON Schema of the output."),
    ]],
};

const COMMAND_PLAN: Shape = Shape::List(&COMMAND_ITEMS);

static COMMAND_ITEMS: List = List {
    items: Shape::Variants(&COMMAND_ITEM),
    min: 0,
    unique: false,
};

static COMMAND_ITEM: Variants = Variants {
    name: "command item",
    description: "One thing to run.",
    by: By::Presence,
    cases: &[
        ("command", Shape::Object(&COMMAND)),
        ("handler", Shape::Object(&HANDLER)),
    ],
};

const PLACE_MEMBERS: &[Member] = &[
    EFFECT,
    required(
        "cwd",
        Shape::Word(words!("working directory", WorkingDirectory)),
        "Where it runs.",
    ),
    required("workingDirectory", NOT_EMPTY, "Absolute path of that."),
];

static COMMAND: Object = Object {
    name: "command item",
    description: "A command for a shell.",
    members: &[
        &[required("command", NOT_EMPTY, "The shell command.")],
        PLACE_MEMBERS,
    ],
};

static HANDLER: Object = Object {
    name: "command item",
    description: "A handler in the host.",
    members: &[
        &[required("handler", NOT_EMPTY, "Name of the handler.")],
        PLACE_MEMBERS,
    ],
};

static LOCATIONS: Object = Object {
    name: "location lists",
    description: "What has to be read and what is worth reading.",
    members: &[&[
        required(
            "required",
            Shape::List(&LOCATION_LIST),
            "What has to be read.",
        ),
        required(
            "recommended",
            Shape::List(&LOCATION_LIST),
            "What is worth reading.",
        ),
    ]],
};

static LOCATION_LIST: List = List {
    items: Shape::Variants(&LOCATION),
    min: 0,
    unique: false,
};

static ROUTE_GATE: Object = Object {
    name: "route gate",
    description: "The decision behind a route.",
    members: &[&[
        required("id", ID, "Identity of the decision."),
        required(
            "prompt",
            Shape::Text(Text::Length(1, 1000)),
            "What to ask the person who decides.",
        ),
        optional("authority", ID, "The authority that may decide."),
        optional(
            "delegatable",
            Shape::Boolean,
            "Whether a session that holds the authority may decide.",
        ),
        required(
            "resolution",
            Shape::Word(words!("gate resolution", Resolution)),
            "Who decides.",
        ),
        optional(
            "inspectionAction",
            Shape::Object(&GATE_ACTION),
            "Shows what is to be decided.",
        ),
        optional(
            "resolutionAction",
            Shape::Object(&GATE_ACTION),
            "Carries the decision out.",
        ),
    ]],
};

static GATE_ACTION: Object = Object {
    name: "gate action",
    description: "An action of a gate and what to run for it.",
    members: &[&[
        required("action", Shape::Object(&ROUTE_ACTION), "The action."),
        required("commandPlan", COMMAND_PLAN, "What to run."),
    ]],
};

static AFTER_ACTION: Object = Object {
    name: "follow-up",
    description: "What to do when a route is done.",
    members: &[&[
        required("evaluate", Shape::True, "Evaluate again."),
        optional(
            "recordNode",
            NOT_EMPTY,
            "State key under which the outcome is recorded.",
        ),
    ]],
};

/// What the code catalog says about a code.
pub static CODE_LOCATION: Object = Object {
    name: "code location",
    description: "What the code catalog says about a code.",
    members: &[&[
        required(
            "schema",
            Shape::Constant("agent-graph.code-location.v1"),
            "Says that this is a code location.",
        ),
        required("provider", NOT_EMPTY, "Id of the provider."),
        required("code", ID, "The code."),
        required("kind", CODE_KIND, "What the code stands for."),
        required(
            "summary",
            Shape::Text(Text::Length(1, 160)),
            "The explanation in one sentence.",
        ),
        optional("severity", SEVERITY, "How much it matters."),
        optional(
            "document",
            Shape::Object(&CODE_DOCUMENT),
            "A file that explains more.",
        ),
    ]],
};
