//! Where the content of a resource is (spec 1.6).

use super::{
    By, ID, Member, NOT_EMPTY, Object, RESOURCE_KIND, STATIC_KIND, Shape, Text, Variants, optional,
    required, words,
};
use crate::protocol::ReadState;

/// A location of any class, told by its schema.
pub static LOCATION: Variants = Variants {
    name: "resource location",
    description: "Says where the content of a resource is, or how it is made.",
    by: By::Value("schema"),
    cases: &[
        (FILE_SCHEMA, FILE_LOCATION),
        (GRAPH_ACTION_SCHEMA, GRAPH_ACTION_LOCATION),
        (HOST_ACTION_SCHEMA, HOST_ACTION_LOCATION),
    ],
};

const FILE_SCHEMA: &str = "agent-graph.resource-location.file.v1";
const GRAPH_ACTION_SCHEMA: &str = "agent-graph.resource-location.graph-action.v1";
const HOST_ACTION_SCHEMA: &str = "agent-graph.resource-location.host-action.v1";

/// The location of a file.
pub(super) const FILE_LOCATION: Shape = Shape::Object(&FILE);
/// The location of what a command or script of the provider makes.
pub(super) const GRAPH_ACTION_LOCATION: Shape = Shape::Variants(&GRAPH_ACTION);
/// The location of what the host makes.
pub(super) const HOST_ACTION_LOCATION: Shape = Shape::Object(&HOST_ACTION);

const SCHEMA: &str = "Says where the content comes from.";
const KIND: &str = "What the resource is for.";
const DIGEST: Member = required(
    "digest",
    Shape::Text(Text::Digest),
    "Digest of the content.",
);
const FILE_PATH: Member = required("filePath", NOT_EMPTY, "Absolute path of the content.");
const OPTIONAL_REVISION: Member = optional(
    "revision",
    Shape::Text(Text::Digest),
    "Revision of the route the location was made for.",
);

const LOCATION_MEMBERS: &[Member] = &[
    required("id", NOT_EMPTY, "Id of the resource."),
    required("mediaType", NOT_EMPTY, "Media type of the content."),
];

const READ_STATE: &[Member] = &[optional(
    "readState",
    Shape::Word(words!("read state", ReadState)),
    "Whether the content still has to be read; only on routes.",
)];

static FILE: Object = Object {
    name: "file location",
    description: "The location of a file.",
    members: &[FILE_MEMBERS, &[OPTIONAL_REVISION], READ_STATE],
};

/// The location of a file outside a route.
pub(super) static CODE_DOCUMENT: Object = Object {
    name: "file location",
    description: "The location of a file.",
    members: &[FILE_MEMBERS],
};

const FILE_MEMBERS: &[Member] = &[
    required("schema", Shape::Constant(FILE_SCHEMA), SCHEMA),
    required("id", NOT_EMPTY, "Id of the resource."),
    required("kind", STATIC_KIND, KIND),
    required("mediaType", NOT_EMPTY, "Media type of the content."),
    DIGEST,
    FILE_PATH,
];

static GRAPH_ACTION: Variants = Variants {
    name: "graph-action location",
    description: "The location of what a command or script of the provider makes.",
    by: By::Presence,
    cases: &[
        ("materialize", Shape::Object(&UNRESOLVED)),
        ("filePath", Shape::Object(&MATERIALIZED)),
    ],
};

const GRAPH_ACTION_HEAD: &[Member] = &[
    required("schema", Shape::Constant(GRAPH_ACTION_SCHEMA), SCHEMA),
    required("kind", Shape::Constant("context-view"), KIND),
];

static UNRESOLVED: Object = Object {
    name: "graph-action location",
    description: "What has not been made yet.",
    members: &[
        GRAPH_ACTION_HEAD,
        LOCATION_MEMBERS,
        &[
            OPTIONAL_REVISION,
            required(
                "materialize",
                Shape::Object(&MATERIALIZE),
                "What makes the content.",
            ),
        ],
        READ_STATE,
    ],
};

static MATERIALIZED: Object = Object {
    name: "graph-action location",
    description: "What has been made.",
    members: &[
        GRAPH_ACTION_HEAD,
        LOCATION_MEMBERS,
        &[
            required(
                "revision",
                Shape::Text(Text::Digest),
                "Revision the content was made for.",
            ),
            DIGEST,
            FILE_PATH,
        ],
        READ_STATE,
    ],
};

static MATERIALIZE: Object = Object {
    name: "materialization",
    description: "What makes the content.",
    members: &[&[required("resourceId", NOT_EMPTY, "Id of the resource.")]],
};

static HOST_ACTION: Object = Object {
    name: "host-action location",
    description: "The location of what the host makes.",
    members: &[
        &[
            required("schema", Shape::Constant(HOST_ACTION_SCHEMA), SCHEMA),
            required("kind", RESOURCE_KIND, KIND),
        ],
        LOCATION_MEMBERS,
        &[
            OPTIONAL_REVISION,
            required(
                "materialize",
                Shape::Object(&HOST_MATERIALIZE),
                "What makes the content.",
            ),
        ],
        READ_STATE,
    ],
};

static HOST_MATERIALIZE: Object = Object {
    name: "host materialization",
    description: "What the host is asked for.",
    members: &[&[
        required("handler", ID, "Name of the handler in the host."),
        required(
            "input",
            Shape::Object(&HOST_INPUT),
            "What the handler is given.",
        ),
        required(
            "output_schema",
            NOT_EMPTY,
            "Protocol identity of what the handler makes.",
        ),
    ]],
};

static HOST_INPUT: Object = Object {
    name: "host input",
    description: "What a handler is given.",
    members: &[&[
        required("schema", NOT_EMPTY, "Protocol identity of the value."),
        required("value", Shape::Any, "The value."),
    ]],
};
