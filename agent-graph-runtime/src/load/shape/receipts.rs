//! Skill bindings, read receipts and host-action results (spec 1.14, 1.15, 1.16).

use super::{By, ID, List, NOT_EMPTY, Object, Shape, Text, Variants, optional, required};

/// A resolved skill binding.
pub static SKILL_BINDING: Object = Object {
    name: "skill binding",
    description: "Which graph a skill belongs to.",
    members: &[&[
        required(
            "schema",
            Shape::Constant("agent-graph.skill-binding.v1"),
            "Says that this is a skill binding.",
        ),
        required("skillPath", NOT_EMPTY, "Absolute path of the skill file."),
        required(
            "locator",
            Shape::Text(Text::Locator),
            "Where the skill finds its provider.",
        ),
        required("graph", NOT_EMPTY, "Id of the graph."),
        required("entry", NOT_EMPTY, "Name of the entry."),
        required(
            "manifestPath",
            NOT_EMPTY,
            "Absolute path of the provider manifest.",
        ),
        required("provider", NOT_EMPTY, "Id of the provider."),
    ]],
};

/// What an agent has read.
pub static READ_RECEIPTS: Object = Object {
    name: "list of read receipts",
    description: "What has been read, and as which content.",
    members: &[&[
        required(
            "schema",
            Shape::Constant("agent-graph.resource-read-receipts.v1"),
            "Says that these are read receipts.",
        ),
        required("provider", ID, "Id of the provider."),
        required("receipts", Shape::List(&RECEIPTS), "The receipts."),
    ]],
};

static RECEIPTS: List = List {
    items: Shape::Object(&RECEIPT),
    min: 0,
    unique: false,
};

static RECEIPT: Object = Object {
    name: "read receipt",
    description: "Says that something has been read.",
    members: &[&[
        required("id", ID, "Id of the resource."),
        required(
            "digest",
            Shape::Text(Text::Digest),
            "Digest of the content that was read.",
        ),
        optional(
            "revision",
            Shape::Text(Text::Digest),
            "Revision it was read for.",
        ),
    ]],
};

/// What a handler in the host made.
pub static HOST_ACTION_RESULT: Object = Object {
    name: "host-action result",
    description: "What a handler in the host made.",
    members: &[&[
        required(
            "schema",
            Shape::Constant("agent-graph.host-action-result.v1"),
            "Says that this is a host-action result.",
        ),
        required("handler", NOT_EMPTY, "Name of the handler."),
        required(
            "input_digest",
            Shape::Text(Text::Digest),
            "Digest of what the handler was given.",
        ),
        required("output", Shape::Variants(&OUTPUT), "What it made."),
        required("receipt", Shape::Object(&ADAPTER), "Who vouches for it."),
    ]],
};

const OUTPUT_SCHEMA: super::Member =
    required("schema", NOT_EMPTY, "Protocol identity of what was made.");

static OUTPUT: Variants = Variants {
    name: "output",
    description: "What a handler made, in place or elsewhere.",
    by: By::Presence,
    cases: &[
        ("inline", Shape::Object(&INLINE)),
        ("resource", Shape::Object(&ELSEWHERE)),
    ],
};

static INLINE: Object = Object {
    name: "output",
    description: "What a handler made, in place.",
    members: &[&[OUTPUT_SCHEMA, required("inline", Shape::Any, "The value.")]],
};

static ELSEWHERE: Object = Object {
    name: "output",
    description: "What a handler made, elsewhere.",
    members: &[&[
        OUTPUT_SCHEMA,
        required(
            "resource",
            Shape::Object(&HOST_RESOURCE),
            "Where the value is.",
        ),
    ]],
};

static HOST_RESOURCE: Object = Object {
    name: "host resource",
    description: "Where the host keeps a value.",
    members: &[&[
        required("ref", NOT_EMPTY, "Opaque reference."),
        required("digest", Shape::Text(Text::Digest), "Digest of the value."),
    ]],
};

static ADAPTER: Object = Object {
    name: "adapter receipt",
    description: "Who made the value.",
    members: &[&[
        required("adapter", ID, "Id of the adapter."),
        required(
            "adapter_version",
            Shape::Text(Text::Version),
            "Version of the adapter.",
        ),
    ]],
};
