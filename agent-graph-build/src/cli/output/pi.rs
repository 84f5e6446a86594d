//! What `pi` prints.

use agent_graph_runtime::load::shape::vocabulary::{ANY_TEXT, NOT_EMPTY, optional, required};
use agent_graph_runtime::load::shape::{
    By, DIAGNOSTICS as OWN_DIAGNOSTICS, List, Map, Member, Object, Shape, Text, Variants, Words,
};

const fn of(items: Shape) -> List {
    List {
        items,
        min: 0,
        unique: false,
    }
}

static TEXTS: List = of(ANY_TEXT);

/// Which graph it is, and where it comes from.
const WHICH: &[Member] = &[
    required("name", NOT_EMPTY, "Name of the graph."),
    required("path", NOT_EMPTY, "Absolute path of its file."),
    required("hash", NOT_EMPTY, "Hash of the definition."),
    optional(
        "scope",
        Shape::Word(Words {
            name: "scope",
            all: || &["user", "project"],
        }),
        "Whose graph it is, if it was looked for.",
    ),
    optional(
        "hidden",
        Shape::Boolean,
        "Whether a project graph of the same name stands before it.",
    ),
];

/// Definitions, right and wrong.
pub(super) static VALIDATE: Object = Object {
    name: "validation",
    description: "Which graphs of pi-graph are valid, and what is wrong with the others.",
    members: &[&[
        required("state", STATE, "Whether nothing is wrong."),
        required(
            "graphs",
            Shape::List(&CHECKED),
            "Every graph that was asked for or found.",
        ),
        required(
            "problems",
            Shape::List(&PROBLEMS),
            "What was in the way of finding graphs.",
        ),
    ]],
};

const STATE: Shape = Shape::Word(Words {
    name: "state",
    all: || &["valid", "invalid"],
});

static CHECKED: List = of(Shape::Variants(&CHECKED_GRAPH));

static CHECKED_GRAPH: Variants = Variants {
    name: "graph",
    description: "A graph, right or wrong.",
    by: By::Value("state"),
    cases: &[
        ("valid", Shape::Object(&VALID)),
        ("invalid", Shape::Variants(&INVALID)),
    ],
};

static VALID: Object = Object {
    name: "graph",
    description: "A graph that is valid.",
    members: &[
        &[required(
            "state",
            Shape::Constant("valid"),
            "Always `valid`.",
        )],
        WHICH,
        &[
            required("diagnostics", DIAGNOSTICS, "What the protocol warns about."),
            required("warnings", OWN_DIAGNOSTICS, "What else deserves a look."),
        ],
    ],
};

static INVALID: Variants = Variants {
    name: "graph",
    description: "A graph that cannot be used.",
    by: By::Presence,
    cases: &[
        ("path", Shape::Object(&INVALID_FILE)),
        ("name", Shape::Object(&UNKNOWN)),
    ],
};

const INVALID_MEMBERS: &[Member] = &[
    required("state", Shape::Constant("invalid"), "Always `invalid`."),
    required("diagnostics", DIAGNOSTICS, "What is wrong."),
];

static INVALID_FILE: Object = Object {
    name: "graph",
    description: "A file that holds no valid graph.",
    members: &[
        INVALID_MEMBERS,
        &[
            required("path", NOT_EMPTY, "Absolute path of the file."),
            optional(
                "migration",
                Shape::List(&EDITS),
                "The edits on the way from version 1.",
            ),
        ],
    ],
};

static UNKNOWN: Object = Object {
    name: "graph",
    description: "A name that no graph has.",
    members: &[INVALID_MEMBERS, &[required("name", NOT_EMPTY, "The name.")]],
};

static EDITS: List = of(Shape::Object(&EDIT));

static EDIT: Object = Object {
    name: "edit",
    description: "What to change on the way from version 1.",
    members: &[
        &[
            required(
                "path",
                ANY_TEXT,
                "The value that is meant, in the words of the protocol.",
            ),
            required("instruction", NOT_EMPTY, "What to do."),
        ],
        PLACE,
    ],
};

/// What is said about a definition, in the words of the protocol.
const DIAGNOSTICS: Shape = Shape::List(&DIAGNOSTIC_LIST);
static DIAGNOSTIC_LIST: List = of(Shape::Object(&DIAGNOSTIC));

static DIAGNOSTIC: Object = Object {
    name: "diagnostic",
    description: "Something that is wrong or worth knowing.",
    members: &[
        TOLD,
        &[
            optional(
                "path",
                ANY_TEXT,
                "The value that is meant, in the words of the protocol.",
            ),
            optional("rule", NOT_EMPTY, "Which rule of the protocol it is."),
            optional(
                "finding",
                NOT_EMPTY,
                "Stable code of ours, where the protocol has none of its own.",
            ),
            optional("pointer", ANY_TEXT, "JSON pointer to the place."),
            optional("line", POSITION, "Line of the place."),
            optional("column", POSITION, "Column of the place."),
        ],
    ],
};

const TOLD: &[Member] = &[
    required(
        "level",
        Shape::Word(Words {
            name: "level",
            all: || &["error", "warning"],
        }),
        "How much it matters.",
    ),
    required("code", NOT_EMPTY, "Stable code."),
    required("message", ANY_TEXT, "Sentence for people."),
];

const PLACE: &[Member] = &[
    required("pointer", ANY_TEXT, "JSON pointer to the place."),
    required("line", POSITION, "Line of the place."),
    required("column", POSITION, "Column of the place."),
];

const POSITION: Shape = Shape::Integer(1, i64::MAX);

static PROBLEMS: List = of(Shape::Object(&PROBLEM));

static PROBLEM: Object = Object {
    name: "problem",
    description: "Something that was in the way of finding graphs.",
    members: &[
        TOLD,
        &[
            required(
                "file",
                NOT_EMPTY,
                "Absolute path of the file or folder that is meant.",
            ),
            optional("diagnostics", DIAGNOSTICS, "What is wrong with the file."),
        ],
    ],
};

/// Which graphs there are, or what one consists of.
pub(super) static INSPECT: Variants = Variants {
    name: "inspection",
    description: "Which graphs of pi-graph there are, or what one consists of.",
    by: By::Presence,
    cases: &[
        ("graphs", Shape::Object(&ALL)),
        ("nodes", Shape::Object(&ONE)),
    ],
};

static ALL: Object = Object {
    name: "graphs",
    description: "Which graphs there are.",
    members: &[&[
        required("graphs", Shape::List(&GRAPHS), "The graphs."),
        required("problems", Shape::List(&PROBLEMS), "What was in the way."),
    ]],
};

static GRAPHS: List = of(Shape::Object(&GRAPH));

static GRAPH: Object = Object {
    name: "graph",
    description: "A graph.",
    members: &[WHICH],
};

static ONE: Object = Object {
    name: "graph",
    description: "What a graph consists of.",
    members: &[
        WHICH,
        &[
            optional("description", ANY_TEXT, "What it is for."),
            required(
                "mutating",
                Shape::Boolean,
                "Whether an agent in it may change the workspace.",
            ),
            required(
                "entry",
                Shape::List(&TEXTS),
                "Ids of the nodes that it begins with.",
            ),
            required("nodes", Shape::List(&NODES), "Its nodes."),
            required("edges", Shape::List(&EDGES), "Its edges."),
            required("routes", Shape::List(&ROUTES), "Its routes."),
            required(
                "reducers",
                Shape::Map(&REDUCERS),
                "How values come together, by path.",
            ),
        ],
    ],
};

static NODES: List = of(Shape::Object(&NODE));
static EDGES: List = of(Shape::Object(&EDGE));
static ROUTES: List = of(Shape::Object(&ROUTE));
static CASES: List = of(Shape::List(&TEXTS));

static NODE: Object = Object {
    name: "node",
    description: "A node.",
    members: &[&[
        required("id", NOT_EMPTY, "Its id."),
        required(
            "type",
            Shape::Word(Words {
                name: "node type",
                all: || &["agent", "set", "human"],
            }),
            "What it is.",
        ),
        optional("description", ANY_TEXT, "What it is for."),
    ]],
};

static EDGE: Object = Object {
    name: "edge",
    description: "An edge.",
    members: &[&[
        required(
            "from",
            Shape::List(&TEXTS),
            "The nodes that have to be done.",
        ),
        required("to", Shape::List(&TEXTS), "The nodes that follow."),
    ]],
};

static ROUTE: Object = Object {
    name: "route",
    description: "A choice of what follows.",
    members: &[&[
        required("from", NOT_EMPTY, "The node that has to be done."),
        required(
            "cases",
            Shape::List(&CASES),
            "The nodes that follow, for each case.",
        ),
        optional(
            "default",
            Shape::List(&TEXTS),
            "The nodes that follow where no case holds.",
        ),
    ]],
};

static REDUCERS: Map = Map {
    names: Text::Length(0, u32::MAX),
    values: NOT_EMPTY,
    min: 0,
};
