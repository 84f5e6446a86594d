//! Graphs with their nodes and edges (spec 1.3).

use super::vocabulary::JOIN;
use super::{
    By, DESCRIPTION, ID, List, Map, Member, OUTCOME, Object, PATH, REASON_CODE, Shape, Text,
    Variants, optional, required, words,
};
use crate::protocol::{EdgeKind, Inspection};

/// A graph.
pub static GRAPH: Object = Object {
    name: "graph",
    description: "A workflow: nodes, the edges between them, and where it can be entered.",
    members: &[&[
        required(
            "schema",
            Shape::Constant("agent-graph.graph.v1"),
            "Says that this is a graph.",
        ),
        required("id", ID, "Identity of the graph, unique in the provider."),
        optional("description", DESCRIPTION, "What the graph is for."),
        required(
            "entrypoints",
            Shape::Map(&Map {
                names: Text::Id,
                values: ID,
                min: 1,
            }),
            "Public names of entries, each with the id of the node it starts at.",
        ),
        required(
            "nodes",
            Shape::List(&List {
                items: Shape::Variants(&NODE),
                min: 1,
                unique: false,
            }),
            "The nodes.",
        ),
        required(
            "edges",
            Shape::List(&List {
                items: Shape::Object(&EDGE),
                min: 0,
                unique: false,
            }),
            "The edges.",
        ),
    ]],
};

static NODE: Variants = Variants {
    name: "node",
    description: "A step, a decision, a call of another graph, or an end.",
    by: By::Value("kind"),
    cases: &[
        ("action", Shape::Object(&ACTION_NODE)),
        ("gate", Shape::Object(&GATE_NODE)),
        ("subgraph", Shape::Object(&SUBGRAPH_NODE)),
        ("terminal", Shape::Object(&TERMINAL_NODE)),
    ],
};

const KIND: &str = "What kind of node this is.";

static ACTION_NODE: Object = Object {
    name: "action node",
    description: "Work for a runner.",
    members: &[
        NODE_MEMBERS,
        &[
            required("kind", Shape::Constant("action"), KIND),
            required("action", PATH, "Path of the action file."),
        ],
        STEP_MEMBERS,
    ],
};

static GATE_NODE: Object = Object {
    name: "gate node",
    description: "A decision of a person, or of a session that holds the authority.",
    members: &[
        NODE_MEMBERS,
        &[
            required("kind", Shape::Constant("gate"), KIND),
            required("gate", Shape::Object(&GATE), "The decision."),
            optional(
                "inspectionAction",
                PATH,
                "Path of an action that shows what is to be decided; it only reads.",
            ),
            optional(
                "resolutionAction",
                PATH,
                "Path of an action that carries the decision out; it does not only read.",
            ),
            optional(
                "delegated",
                Shape::Object(&DELEGATED),
                "What a session that holds the authority gets instead.",
            ),
        ],
        STEP_MEMBERS,
    ],
};

static SUBGRAPH_NODE: Object = Object {
    name: "subgraph node",
    description: "A call of another graph of the provider.",
    members: &[
        NODE_MEMBERS,
        &[
            required("kind", Shape::Constant("subgraph"), KIND),
            required("graph", ID, "Id of the called graph."),
            required("entry", ID, "Name of the entry it is called at."),
        ],
    ],
};

static TERMINAL_NODE: Object = Object {
    name: "terminal node",
    description: "An end of the graph.",
    members: &[
        NODE_MEMBERS,
        &[
            required("kind", Shape::Constant("terminal"), KIND),
            required(
                "terminalOutcome",
                OUTCOME,
                "What the graph came to when it ends here.",
            ),
        ],
    ],
};

/// Members of every node.
const NODE_MEMBERS: &[Member] = &[
    required("id", ID, "Identity of the node, unique in the graph."),
    optional(
        "description",
        DESCRIPTION,
        "What the node is for; becomes the label of its route.",
    ),
    optional(
        "priority",
        Shape::Integer(-1000, 1000),
        "Routes of higher priority come first.",
    )
    .or("0"),
    optional(
        "join",
        JOIN,
        "Whether all incoming edges have to hit or one is enough.",
    )
    .or("\"all\""),
    optional(
        "requiresFacts",
        Shape::List(&REQUIRED_FACTS),
        "Facts without which the node is blocked.",
    ),
];

/// Members of action and gate nodes.
const STEP_MEMBERS: &[Member] = &[
    required(
        "reasonCode",
        REASON_CODE,
        "Why a route to this node is offered.",
    ),
    optional(
        "satisfiedBy",
        Shape::List(&PROOF),
        "Facts that prove the node done.",
    ),
    optional(
        "resources",
        Shape::Object(&RESOURCES),
        "What to read for this step.",
    ),
];

static REQUIRED_FACTS: List = List {
    items: Shape::Variants(&FACT_CHECK),
    min: 0,
    unique: false,
};

static PROOF: List = List {
    items: Shape::Variants(&FACT_CHECK),
    min: 1,
    unique: false,
};

static FACT_CHECK: Variants = Variants {
    name: "fact check",
    description: "Asks whether a fact is there, or whether it has a certain value.",
    by: By::Presence,
    cases: &[
        ("exists", Shape::Object(&EXISTS_CHECK)),
        ("equals", Shape::Object(&EQUALS_CHECK)),
    ],
};

const FACT_PATH: Member = required(
    "path",
    Shape::Text(Text::FactPath),
    "Where the fact is; dots separate the segments.",
);

static EXISTS_CHECK: Object = Object {
    name: "fact check",
    description: "Asks whether a fact is there.",
    members: &[&[
        FACT_PATH,
        required(
            "exists",
            Shape::Boolean,
            "Whether the fact has to be there.",
        ),
    ]],
};

static EQUALS_CHECK: Object = Object {
    name: "fact check",
    description: "Asks whether a fact has a certain value.",
    members: &[&[
        FACT_PATH,
        required("equals", Shape::Scalar, "The value the fact has to have."),
    ]],
};

static GATE: Object = Object {
    name: "gate",
    description: "A decision.",
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
        )
        .or("false"),
    ]],
};

static DELEGATED: Object = Object {
    name: "delegated policy",
    description: "What a session that holds the authority of a gate gets instead.",
    members: &[&[
        optional(
            "inspection",
            Shape::Word(words!("inspection", Inspection)),
            "Whether the inspection action stays.",
        )
        .or("\"required\""),
        optional(
            "resolutionAction",
            PATH,
            "Path of the action that carries the decision out.",
        ),
        optional(
            "resources",
            Shape::Object(&RESOURCES),
            "What to read; replaces both lists of the node.",
        ),
    ]],
};

static RESOURCES: Object = Object {
    name: "resource list",
    description: "What has to be read and what is worth reading.",
    members: &[&[
        optional(
            "required",
            PATHS,
            "Paths of resources that have to be read.",
        ),
        optional(
            "recommended",
            PATHS,
            "Paths of resources that are worth reading.",
        ),
    ]],
};

const PATHS: Shape = Shape::List(&List {
    items: PATH,
    min: 0,
    unique: true,
});

static EDGE: Object = Object {
    name: "edge",
    description: "Leads from one node to another.",
    members: &[&[
        required("from", ID, "Id of the node it starts at."),
        required("to", ID, "Id of the node it leads to."),
        optional(
            "outcomes",
            Shape::List(&List {
                items: OUTCOME,
                min: 1,
                unique: true,
            }),
            "Outcomes of the source with which it hits.",
        )
        .or("[\"completed\"]"),
        optional(
            "kind",
            Shape::Word(words!("edge kind", EdgeKind)),
            "What it stands for; only `repeat` changes the evaluation.",
        )
        .or("\"flow\""),
    ]],
};
