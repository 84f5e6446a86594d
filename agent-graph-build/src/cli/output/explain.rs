//! What `explain` prints.

use agent_graph_runtime::load::shape::vocabulary::{
    ANY_TEXT, AVAILABILITY, COUNT, DIGEST, ID, JOIN, NODE_KIND, NOT_EMPTY, OUTCOME, STATUS,
    optional, required,
};
use agent_graph_runtime::load::shape::{By, List, Member, Object, Shape, Variants, Words};

const fn of(items: Shape) -> List {
    List {
        items,
        min: 0,
        unique: false,
    }
}

static KEYS: List = of(NOT_EMPTY);
static OUTCOMES: List = of(OUTCOME);
/// An outcome, or null for none.
const MAYBE_OUTCOME: Shape = Shape::Either(&[OUTCOME, Shape::Null]);

/// Why a run stands where it stands.
pub(super) static EXPLANATION: Object = Object {
    name: "explanation",
    description: "Why a run stands where it stands, and what would make progress.",
    members: &[&[
        required("provider", ID, "Id of the provider."),
        required("graph", ID, "Id of the graph."),
        required("entry", NOT_EMPTY, "Name of the entry."),
        required(
            "revision",
            DIGEST,
            "Revision of the evaluation that is explained.",
        ),
        required("status", STATUS, "What the evaluation says as a whole."),
        optional("outcome", OUTCOME, "What a complete graph came to."),
        required(
            "frontier",
            Shape::List(&FRONTIER),
            "The nodes between what is done and what is out of reach.",
        ),
        required(
            "moves",
            Shape::List(&MOVES),
            "Single changes that make progress.",
        ),
        required(
            "movesComplete",
            Shape::Boolean,
            "Whether every single change was tried.",
        ),
        required(
            "unknownKeys",
            Shape::List(&UNKNOWN_KEYS),
            "Recorded outcomes that the graph does not read.",
        ),
        required(
            "unknownAuthorities",
            Shape::List(&UNKNOWN_AUTHORITIES),
            "Authorities of the session that no gate names.",
        ),
    ]],
};

static FRONTIER: List = of(Shape::Object(&NODE));

static NODE: Object = Object {
    name: "frontier node",
    description: "A node between what is done and what is out of reach.",
    members: &[&[
        required("key", NOT_EMPTY, "Its state key."),
        required("graph", ID, "Id of the graph that owns it."),
        required("node", ID, "Its id."),
        required("kind", NODE_KIND, "What it is."),
        required(
            "value",
            MAYBE_OUTCOME,
            "Its value; null when it is not reached.",
        ),
        required("standing", STANDING, "How it stands."),
        required(
            "needs",
            Shape::List(&NEEDS),
            "What it is missing, with what is there beside it.",
        ),
        required(
            "possibility",
            POSSIBILITY,
            "Whether there is a state in which it can be next.",
        ),
    ]],
};

const STANDING: Shape = Shape::Either(&[
    Shape::Word(Words {
        name: "standing",
        all: || {
            &[
                "facts-missing",
                "unfinished",
                "unhandled",
                "not-reached",
                "conflicting",
            ]
        },
    }),
    Shape::Object(&OPEN),
]);

static OPEN: Object = Object {
    name: "standing",
    description: "It can be next.",
    members: &[&[required("open", AVAILABILITY, "Who can take it.")]],
};

const POSSIBILITY: Shape = Shape::Word(Words {
    name: "possibility",
    all: || &["possible", "impossible", "not-decided"],
});

static NEEDS: List = of(Shape::Variants(&NEED));

static NEED: Variants = Variants {
    name: "need",
    description: "One thing that keeps a node from being next, or from being done.",
    by: By::Value("need"),
    cases: &[
        ("record", Shape::Object(&RECORD)),
        ("edge", Shape::Object(&EDGE)),
        ("onward", Shape::Object(&ONWARD)),
        ("dead-end", Shape::Object(&DEAD_END)),
        ("join", Shape::Object(&JOINED)),
        ("fact", Shape::Object(&FACT)),
        ("authority", Shape::Object(&AUTHORITY)),
        ("repeat", Shape::Object(&REPEAT)),
        ("call", Shape::Object(&CALL)),
        ("conflict", Shape::Object(&CONFLICT)),
    ],
};

const fn tag(name: &'static str) -> Member {
    required("need", Shape::Constant(name), "What kind of need it is.")
}

const FROM: Member = required("from", NOT_EMPTY, "State key of the source.");
const NEEDED: Member = required(
    "needed",
    Shape::List(&OUTCOMES),
    "Outcomes of the source that make the edge hit.",
);

static RECORD: Object = Object {
    name: "need",
    description: "An outcome has to be recorded for the node itself.",
    members: &[&[
        tag("record"),
        required(
            "recorded",
            MAYBE_OUTCOME,
            "What was recorded last; null for nothing.",
        ),
    ]],
};

static EDGE: Object = Object {
    name: "need",
    description: "An edge leads to the node.",
    members: &[&[
        tag("edge"),
        FROM,
        NEEDED,
        required(
            "seen",
            MAYBE_OUTCOME,
            "Value of the source; null when it is not reached.",
        ),
        required("met", Shape::Boolean, "Whether the edge hits."),
    ]],
};

static ONWARD: Object = Object {
    name: "need",
    description: "An edge leads on from the node.",
    members: &[&[
        tag("onward"),
        required("to", NOT_EMPTY, "State key of the target."),
        NEEDED,
        required("seen", OUTCOME, "Value of the node."),
    ]],
};

static DEAD_END: Object = Object {
    name: "need",
    description: "No edge leads on from the node, whatever it comes to.",
    members: &[&[tag("dead-end")]],
};

static JOINED: Object = Object {
    name: "need",
    description: "Edges that lead to the node have to hit.",
    members: &[&[
        tag("join"),
        required("join", JOIN, "How many of them have to."),
        required("met", COUNT, "How many do."),
        required("of", COUNT, "How many there are."),
    ]],
};

static FACT: Object = Object {
    name: "need",
    description: "A fact has to be otherwise.",
    members: &[&[tag("fact")], FACT_MEMBERS],
};

static AUTHORITY: Object = Object {
    name: "need",
    description: "A gate wants a person, or a session that holds an authority.",
    members: &[&[
        tag("authority"),
        required(
            "authority",
            Shape::Either(&[ID, Shape::Null]),
            "The authority that the gate names; null for none.",
        ),
        required(
            "delegatable",
            Shape::Boolean,
            "Whether a session that holds it may decide.",
        ),
        required("held", Shape::Boolean, "Whether the session holds it."),
    ]],
};

static REPEAT: Object = Object {
    name: "need",
    description: "A repeat edge keeps the node pending.",
    members: &[&[
        tag("repeat"),
        FROM,
        required(
            "seen",
            OUTCOME,
            "Value of the source that keeps the edge in force.",
        ),
    ]],
};

static CALL: Object = Object {
    name: "need",
    description: "A called graph has not ended.",
    members: &[&[
        tag("call"),
        required("graph", ID, "Id of the called graph."),
        required("status", STATUS, "What it stands at."),
    ]],
};

static CONFLICT: Object = Object {
    name: "need",
    description: "A terminal disagrees with another one.",
    members: &[&[
        tag("conflict"),
        required("outcome", OUTCOME, "Outcome of the terminal."),
        required(
            "against",
            Shape::List(&KEYS),
            "State keys of the terminals with other outcomes.",
        ),
    ]],
};

const FACT_MEMBERS: &[Member] = &[
    required(
        "purpose",
        Shape::Word(Words {
            name: "purpose",
            all: || &["required", "proof"],
        }),
        "What it is checked for.",
    ),
    required("path", NOT_EMPTY, "Path of the fact."),
    required("expected", EXPECTED, "What there has to be."),
    required(
        "found",
        Shape::Word(Words {
            name: "type of a fact",
            all: || {
                &[
                    "absent", "null", "boolean", "number", "string", "array", "object",
                ]
            },
        }),
        "Type of what there is.",
    ),
    optional(
        "value",
        Shape::Scalar,
        "What there is, where it is a scalar.",
    ),
];

const EXPECTED: Shape = Shape::Either(&[
    Shape::Word(Words {
        name: "expectation",
        all: || &["present", "absent"],
    }),
    Shape::Object(&EQUALS),
]);

static EQUALS: Object = Object {
    name: "expectation",
    description: "A certain value.",
    members: &[&[required("equals", Shape::Scalar, "The value.")]],
};

static FACT_NEED: Object = Object {
    name: "fact",
    description: "A check that does not hold.",
    members: &[FACT_MEMBERS],
};

static FACTS: List = of(Shape::Object(&FACT_NEED));
static MOVES: List = of(Shape::Object(&MOVE));

static MOVE: Object = Object {
    name: "move",
    description: "A single change that makes progress.",
    members: &[&[
        required("change", Shape::Variants(&CHANGE), "The change."),
        required("status", STATUS, "Status after it."),
        optional(
            "outcome",
            OUTCOME,
            "Outcome after it, where it completes the graph.",
        ),
        required(
            "opens",
            Shape::List(&KEYS),
            "State keys of the nodes that it brings nearer.",
        ),
    ]],
};

static CHANGE: Variants = Variants {
    name: "change",
    description: "One thing changed.",
    by: By::Presence,
    cases: &[
        ("record", Shape::Object(&CHANGE_RECORD)),
        ("facts", Shape::Object(&CHANGE_FACTS)),
        ("authority", Shape::Object(&CHANGE_AUTHORITY)),
    ],
};

static CHANGE_RECORD: Object = Object {
    name: "change",
    description: "An outcome is recorded.",
    members: &[&[required("record", Shape::Object(&RECORDED), "The outcome.")]],
};

static RECORDED: Object = Object {
    name: "record",
    description: "One of the outcomes is recorded for a node.",
    members: &[&[
        required("node", NOT_EMPTY, "State key of the node."),
        required(
            "outcomes",
            Shape::List(&OUTCOMES),
            "The outcomes, each with the same effect.",
        ),
        optional(
            "takesBack",
            OUTCOME,
            "The outcome that is recorded for good and would be taken back.",
        ),
    ]],
};

static CHANGE_FACTS: Object = Object {
    name: "change",
    description: "Facts become as expected.",
    members: &[&[required("facts", Shape::Object(&OBSERVED), "The facts.")]],
};

static OBSERVED: Object = Object {
    name: "facts",
    description: "All of the facts become as expected.",
    members: &[&[
        required("node", NOT_EMPTY, "State key of the node that checks them."),
        required(
            "facts",
            Shape::List(&FACTS),
            "The checks that do not hold yet.",
        ),
    ]],
};

static CHANGE_AUTHORITY: Object = Object {
    name: "change",
    description: "The session comes to hold an authority.",
    members: &[&[required(
        "authority",
        Shape::Object(&HELD),
        "The authority.",
    )]],
};

static HELD: Object = Object {
    name: "authority",
    description: "An authority that the session comes to hold.",
    members: &[&[required("authority", ID, "The authority.")]],
};

static UNKNOWN_KEYS: List = of(Shape::Object(&UNKNOWN_KEY));

static UNKNOWN_KEY: Object = Object {
    name: "unknown key",
    description: "A recorded outcome that an evaluation of the graph does not read.",
    members: &[&[
        required("key", ANY_TEXT, "The key."),
        required(
            "ignored",
            Shape::Boolean,
            "Whether it names a node that calls a graph.",
        ),
        optional("nearest", NOT_EMPTY, "The nearest known key."),
    ]],
};

static UNKNOWN_AUTHORITIES: List = of(Shape::Object(&UNKNOWN_AUTHORITY));

static UNKNOWN_AUTHORITY: Object = Object {
    name: "unknown authority",
    description: "An authority of the session that no gate of the provider names.",
    members: &[&[
        required("authority", ANY_TEXT, "The authority."),
        optional("nearest", NOT_EMPTY, "The nearest known one."),
    ]],
};
