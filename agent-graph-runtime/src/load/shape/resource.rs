//! Resource descriptors (spec 1.5).

use super::{
    By, DESCRIPTION, ID, Member, NOT_EMPTY, Object, PATH, RESOURCE_KIND, STATIC_KIND, Shape,
    Variants, optional, required,
};

/// A resource descriptor, told by its schema.
pub static RESOURCE: Variants = Variants {
    name: "resource descriptor",
    description: "Says where the content of a resource comes from.",
    by: By::Value("schema"),
    cases: &[
        ("agent-graph.resource.file.v1", Shape::Object(&FILE)),
        (
            "agent-graph.resource.graph-action.v1",
            Shape::Object(&GRAPH_ACTION),
        ),
        (
            "agent-graph.resource.host-action.v1",
            Shape::Object(&HOST_ACTION),
        ),
    ],
};

const SCHEMA: &str = "Says where the content comes from.";
const KIND: &str = "What the resource is for.";

pub(super) static FILE: Object = Object {
    name: "file resource",
    description: "A resource whose content is a file of the provider.",
    members: &[
        &[
            required(
                "schema",
                Shape::Constant("agent-graph.resource.file.v1"),
                SCHEMA,
            ),
            required("kind", STATIC_KIND, KIND),
            required("path", PATH, "Path of the content."),
        ],
        RESOURCE_MEMBERS,
    ],
};

pub(super) static GRAPH_ACTION: Object = Object {
    name: "graph-action resource",
    description: "A resource whose content a command or script of the provider makes.",
    members: &[
        &[
            required(
                "schema",
                Shape::Constant("agent-graph.resource.graph-action.v1"),
                SCHEMA,
            ),
            required("kind", Shape::Constant("context-view"), KIND),
        ],
        MATERIALIZER,
        RESOURCE_MEMBERS,
    ],
};

pub(super) static HOST_ACTION: Object = Object {
    name: "host-action resource",
    description: "A resource whose content the host makes.",
    members: &[
        &[
            required(
                "schema",
                Shape::Constant("agent-graph.resource.host-action.v1"),
                SCHEMA,
            ),
            required("kind", RESOURCE_KIND, KIND),
            required("input", Shape::Any, "What the handler is given."),
        ],
        MATERIALIZER,
        RESOURCE_MEMBERS,
    ],
};

const MATERIALIZER: &[Member] = &[required(
    "materializer",
    PATH,
    "Path of the action that makes the content.",
)];

/// Members of every descriptor.
const RESOURCE_MEMBERS: &[Member] = &[
    required(
        "id",
        ID,
        "Identity of the resource, unique in the provider.",
    ),
    required("mediaType", NOT_EMPTY, "Media type of the content."),
    optional("description", DESCRIPTION, "What the content is."),
];
