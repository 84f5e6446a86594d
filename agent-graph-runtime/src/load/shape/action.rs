//! Actions (spec 1.4).

use super::vocabulary::EFFECT;
use super::{
    ANY_TEXT, By, DESCRIPTION, ID, List, Member, NOT_EMPTY, Object, PATH, Shape, Variants,
    optional, required, words,
};
use crate::protocol::{Runtime, WorkingDirectory};

/// An action, told by its runner.
pub static ACTION: Variants = Variants {
    name: "action",
    description: "Work, and who runs it.",
    by: By::Value("runner"),
    cases: &[
        ("command", Shape::Object(&COMMAND)),
        ("script", Shape::Object(&SCRIPT)),
        ("agent", Shape::Object(&AGENT)),
        ("host", Shape::Object(&HOST)),
    ],
};

const RUNNER: &str = "Who runs the action.";

static COMMAND: Object = Object {
    name: "command action",
    description: "Work for a shell.",
    members: &[
        ACTION_MEMBERS,
        &[
            required("runner", Shape::Constant("command"), RUNNER),
            required("command", NOT_EMPTY, "The shell command."),
        ],
    ],
};

static SCRIPT: Object = Object {
    name: "script action",
    description: "Work for an interpreter with a script of the provider.",
    members: &[
        ACTION_MEMBERS,
        &[
            required("runner", Shape::Constant("script"), RUNNER),
            required("entry", PATH, "Path of the script."),
            required(
                "runtime",
                Shape::Word(words!("runtime", Runtime)),
                "The interpreter.",
            ),
            optional(
                "args",
                Shape::List(&List {
                    items: ANY_TEXT,
                    min: 0,
                    unique: false,
                }),
                "Arguments of the script.",
            ),
        ],
    ],
};

static AGENT: Object = Object {
    name: "agent action",
    description: "Work for an agent with a skill.",
    members: &[
        ACTION_MEMBERS,
        &[
            required("runner", Shape::Constant("agent"), RUNNER),
            required("skill", PATH, "Path of the skill file."),
        ],
    ],
};

static HOST: Object = Object {
    name: "host action",
    description: "Work for the host itself.",
    members: &[
        ACTION_MEMBERS,
        &[
            required("runner", Shape::Constant("host"), RUNNER),
            required("handler", ID, "Name of the handler in the host."),
        ],
    ],
};

/// Members of every action.
const ACTION_MEMBERS: &[Member] = &[
    required(
        "schema",
        Shape::Constant("agent-graph.action.v1"),
        "Says that this is an action.",
    ),
    required("id", ID, "Identity of the action, unique in the provider."),
    optional("description", DESCRIPTION, "What the action does."),
    required(
        "effect",
        EFFECT,
        "What running the action does to the world.",
    ),
    optional(
        "cwd",
        Shape::Word(words!("working directory", WorkingDirectory)),
        "Where the action runs.",
    )
    .or("\"workspace\""),
    optional(
        "files",
        Shape::List(&List {
            items: PATH,
            min: 0,
            unique: true,
        }),
        "Paths of further files that belong to the action.",
    ),
    optional("inputSchema", PATH, "Path of the JSON Schema of the input."),
    optional(
        "outputSchema",
        PATH,
        "Path of the JSON Schema of the output.",
    ),
];
