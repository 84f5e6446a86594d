//! What `pi run`, `pi resume` and `pi status` print.

use agent_graph_runtime::load::shape::vocabulary::{
    ANY_TEXT, COUNT, DATE_TIME, NOT_EMPTY, optional, required,
};
use agent_graph_runtime::load::shape::{
    By, List, Map, Member, Object, Shape, Text, Variants, Words,
};

const fn of(items: Shape) -> List {
    List {
        items,
        min: 0,
        unique: false,
    }
}

static TEXTS: List = of(ANY_TEXT);

const STATUS: Shape = Shape::Word(Words {
    name: "run status",
    all: || &["running", "interrupted", "completed", "failed", "cancelled"],
});

/// One line: something that happened, or at the end the run.
pub(super) static LINE: Variants = Variants {
    name: "line",
    description: "One of the lines that are printed while a run of pi-graph is driven: events, and at the end the run.",
    by: By::Presence,
    cases: &[
        ("timestamp", Shape::Object(&EVENT)),
        ("graphName", Shape::Object(&ENDED)),
    ],
};

static EVENT: Object = Object {
    name: "event",
    description: "Something that happened in a run.",
    members: &[&[
        required(
            "type",
            Shape::Word(Words {
                name: "event type",
                all: || {
                    &[
                        "graph_start",
                        "step_start",
                        "node_start",
                        "node_retry",
                        "node_settled",
                        "node_end",
                        "step_end",
                        "interrupt",
                        "graph_end",
                    ]
                },
            }),
            "What happened.",
        ),
        required("runId", NOT_EMPTY, "Identity of the run."),
        required("timestamp", DATE_TIME, "When it happened."),
        required("step", COUNT, "In which superstep; 0 before the first."),
        optional(
            "scheduled",
            Shape::List(&TEXTS),
            "The nodes of the superstep.",
        ),
        optional("nodeId", ANY_TEXT, "The node that it is about."),
        optional("attempt", COUNT, "The number of the attempt."),
        optional(
            "status",
            Shape::Word(Words {
                name: "status",
                all: || &["running", "interrupted", "completed", "failed", "cancelled"],
            }),
            "What it came to.",
        ),
        optional("message", ANY_TEXT, "Why, or what is asked."),
        optional("usage", Shape::Object(&USAGE), "What all attempts used."),
    ]],
};

static USAGE: Object = Object {
    name: "usage",
    description: "What agents used.",
    members: &[&[
        required("inputTokens", COUNT, "Tokens that were sent."),
        required("outputTokens", COUNT, "Tokens that were received."),
        required("cacheReadTokens", COUNT, "Tokens read from a cache."),
        required("cacheWriteTokens", COUNT, "Tokens written to a cache."),
        required("turns", COUNT, "Messages of the model."),
        required("costUsd", Shape::Scalar, "US dollars, a number."),
        optional("model", ANY_TEXT, "The model that answered last."),
    ]],
};

/// Where a run is.
const RUN: &[Member] = &[
    required("runId", NOT_EMPTY, "Identity of the run."),
    required("graphName", NOT_EMPTY, "Name of its graph."),
    required(
        "graphHash",
        NOT_EMPTY,
        "Hash of the definition that it was started with.",
    ),
    optional("graphSource", ANY_TEXT, "File of the definition."),
    required("status", STATUS, "Where it is."),
    required("createdAt", DATE_TIME, "When it was made."),
    required("updatedAt", DATE_TIME, "When it last changed."),
    optional("endedAt", DATE_TIME, "When it came to an end."),
    required("step", COUNT, "The superstep that was last begun."),
    required("nodeRuns", COUNT, "Attempts that were made."),
    required("usage", Shape::Object(&USAGE), "What all attempts used."),
    optional(
        "interrupt",
        Shape::Object(&QUESTION),
        "The question for which it waits.",
    ),
    optional("error", ANY_TEXT, "Why it failed, in words."),
    optional(
        "failures",
        Shape::List(&FAILURES),
        "The nodes that failed in this call.",
    ),
    required("stateBytes", COUNT, "Size of its state."),
    required(
        "result",
        Shape::Either(&[Shape::Null, Shape::AnyObject]),
        "What it answers with.",
    ),
    optional(
        "state",
        Shape::AnyObject,
        "All of its state, where the graph or a view asks for it.",
    ),
    optional(
        "inventory",
        Shape::Map(&SIZES),
        "Bytes of the members of its state, by path.",
    ),
    optional(
        "value",
        Shape::Any,
        "The value at the path that was asked for.",
    ),
];

static SIZES: Map = Map {
    names: Text::Length(0, u32::MAX),
    values: COUNT,
    min: 0,
};

static QUESTION: Object = Object {
    name: "interrupt",
    description: "A question to a person.",
    members: &[&[
        required("nodeId", ANY_TEXT, "The node that asks."),
        required(
            "kind",
            Shape::Word(Words {
                name: "human kind",
                all: || &["confirm", "input", "select"],
            }),
            "What is asked for.",
        ),
        required("prompt", ANY_TEXT, "The question."),
        optional("options", Shape::List(&TEXTS), "What can be chosen."),
        required("createdAt", DATE_TIME, "When it was asked."),
    ]],
};

static FAILURES: List = of(Shape::Object(&FAILURE));

static FAILURE: Object = Object {
    name: "failure",
    description: "A node that failed.",
    members: &[&[
        required("nodeId", ANY_TEXT, "The node."),
        required("code", NOT_EMPTY, "Stable code."),
        required("message", ANY_TEXT, "Why, in words."),
    ]],
};

static ENDED: Object = Object {
    name: "run",
    description: "The run as it is when the command ends.",
    members: &[
        &[required("type", Shape::Constant("run"), "Always `run`.")],
        RUN,
    ],
};

/// Which runs there are, or where one is.
pub(super) static SHOWN: Variants = Variants {
    name: "status",
    description: "Where a run of pi-graph is, or which runs there are.",
    by: By::Presence,
    cases: &[
        ("runs", Shape::Object(&LISTING)),
        ("runId", Shape::Object(&ONE)),
    ],
};

static ONE: Object = Object {
    name: "run",
    description: "Where a run is.",
    members: &[RUN],
};

static LISTING: Object = Object {
    name: "runs",
    description: "Which runs there are, the one that changed last in front.",
    members: &[&[
        required("runs", Shape::List(&BRIEFS), "The runs."),
        required(
            "unreadable",
            Shape::List(&UNREADABLE),
            "Runs that cannot be read.",
        ),
    ]],
};

static BRIEFS: List = of(Shape::Object(&BRIEF));
static UNREADABLE: List = of(Shape::Object(&BROKEN));

static BRIEF: Object = Object {
    name: "run",
    description: "A run in a list.",
    members: &[&[
        required("runId", NOT_EMPTY, "Identity of the run."),
        required("graphName", NOT_EMPTY, "Name of its graph."),
        required("status", STATUS, "Where it is."),
        required("step", COUNT, "The superstep that was last begun."),
        required("updatedAt", DATE_TIME, "When it last changed."),
    ]],
};

static BROKEN: Object = Object {
    name: "run",
    description: "A run that cannot be read.",
    members: &[&[
        required("runId", ANY_TEXT, "Name of its folder."),
        required("code", NOT_EMPTY, "Stable code."),
        required("message", ANY_TEXT, "Why, in words."),
    ]],
};
