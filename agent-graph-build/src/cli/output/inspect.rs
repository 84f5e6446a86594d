//! What `validate`, `inspect` and `code list` print.

use agent_graph_runtime::load::shape::vocabulary::{
    ANY_TEXT, CODE_KIND, COUNT, DESCRIPTION, EFFECT, ID, NODE_KIND, NOT_EMPTY, PATH, REASON_CODE,
    RESOURCE_KIND, RUNNER, SEVERITY, optional, required,
};
use agent_graph_runtime::load::shape::{List, Map, Member, Object, SKILL_BINDING, Shape, Text};

/// What a provider consists of.
pub(super) static INSPECTION: Object = Object {
    name: "inspection",
    description: "What a provider consists of.",
    members: &[MEMBERS],
};

/// The same, of a provider that was checked.
pub(super) static VALIDATE: Object = Object {
    name: "validation",
    description: "A provider is valid, and consists of this.",
    members: &[
        &[required(
            "state",
            Shape::Constant("valid"),
            "Always `valid`.",
        )],
        MEMBERS,
    ],
};

/// What a skill is bound to.
pub(super) static SKILL: Object = Object {
    name: "skill inspection",
    description: "What a skill is bound to.",
    members: &[&[
        required(
            "binding",
            Shape::Object(&SKILL_BINDING),
            "The binding, resolved.",
        ),
        required(
            "provider",
            Shape::Object(&INSPECTION),
            "The provider that it names.",
        ),
    ]],
};

/// The codes of a provider.
pub(super) static CODE_LIST: Object = Object {
    name: "code list",
    description: "The codes of a provider.",
    members: &[&[
        required("provider", ID, "Id of the provider."),
        optional(
            "catalog",
            NOT_EMPTY,
            "Absolute path of the code catalog, if there is one.",
        ),
        required("codes", CODES, "The entries of the catalog."),
    ]],
};

const MEMBERS: &[Member] = &[
    required(
        "schema",
        Shape::Constant("agent-graph.inspect.v1"),
        "Says that this is an inspection.",
    ),
    required("provider", Shape::Object(&PROVIDER), "The provider."),
    required(
        "counts",
        Shape::Object(&COUNTS),
        "How many of each there are.",
    ),
    required("graphs", list(&GRAPHS), "The graphs, by id."),
    required("actions", list(&ACTIONS), "The actions, by id."),
    required("resources", list(&RESOURCES), "The resources, by id."),
    required(
        "codes",
        CODES,
        "The entries of the code catalog, as authored.",
    ),
];

const fn list(list: &'static List) -> Shape {
    Shape::List(list)
}

const fn of(object: &'static Object) -> List {
    List {
        items: Shape::Object(object),
        min: 0,
        unique: false,
    }
}

static GRAPHS: List = of(&GRAPH);
static NODES: List = of(&NODE);
static ACTIONS: List = of(&ACTION);
static RESOURCES: List = of(&RESOURCE);
static CODE_ENTRIES: List = of(&CODE);
const CODES: Shape = Shape::List(&CODE_ENTRIES);

static PROVIDER: Object = Object {
    name: "provider",
    description: "Which provider it is.",
    members: &[&[
        required("id", ID, "Its id."),
        required("version", NOT_EMPTY, "Its version."),
        required("manifest", NOT_EMPTY, "Absolute path of its manifest."),
    ]],
};

static COUNTS: Object = Object {
    name: "counts",
    description: "How many of each there are.",
    members: &[&[
        required("graphs", COUNT, "Graphs."),
        required("nodes", COUNT, "Nodes of all graphs."),
        required("edges", COUNT, "Edges of all graphs."),
        required("actions", COUNT, "Actions."),
        required("resources", COUNT, "Resources."),
        required("codes", COUNT, "Codes of the catalog."),
    ]],
};

static GRAPH: Object = Object {
    name: "graph",
    description: "A graph.",
    members: &[&[
        required("id", ID, "Its id."),
        optional("description", DESCRIPTION, "What it is for."),
        required("path", PATH, "Path of its file."),
        required(
            "entrypoints",
            Shape::Map(&ENTRYPOINTS),
            "Where it can be entered: names and nodes.",
        ),
        required("nodes", list(&NODES), "Its nodes, as authored."),
        required(
            "dependencies",
            Shape::List(&TEXTS),
            "Ids of the graphs that it calls.",
        ),
    ]],
};

static ENTRYPOINTS: Map = Map {
    names: Text::Length(0, u32::MAX),
    values: ID,
    min: 0,
};

static TEXTS: List = List {
    items: ANY_TEXT,
    min: 0,
    unique: false,
};

static NODE: Object = Object {
    name: "node",
    description: "A node of a graph.",
    members: &[&[
        required("id", ID, "Its id."),
        required("kind", NODE_KIND, "What it is."),
        optional("description", DESCRIPTION, "What it is for."),
        optional("reasonCode", REASON_CODE, "Why its route is offered."),
        required("priority", Shape::Integer(-1000, 1000), "Its priority."),
    ]],
};

static ACTION: Object = Object {
    name: "action",
    description: "An action.",
    members: &[&[
        required("id", ID, "Its id."),
        required("runner", RUNNER, "Who runs it."),
        required("effect", EFFECT, "What running it does to the world."),
        required("path", PATH, "Path of its file."),
    ]],
};

static RESOURCE: Object = Object {
    name: "resource",
    description: "A resource.",
    members: &[&[
        required("id", ID, "Its id."),
        required("kind", RESOURCE_KIND, "What it is for."),
        required(
            "dynamic",
            Shape::Boolean,
            "Whether its content has to be made.",
        ),
        required("path", PATH, "Path of its descriptor, or of its text."),
    ]],
};

static CODE: Object = Object {
    name: "code",
    description: "An entry of the code catalog.",
    members: &[&[
        required("code", ID, "The code."),
        required("kind", CODE_KIND, "What it stands for."),
        required("summary", NOT_EMPTY, "The explanation in one sentence."),
        optional("severity", SEVERITY, "How much it matters."),
        optional("document", NOT_EMPTY, "Path of a file that explains more."),
    ]],
};
