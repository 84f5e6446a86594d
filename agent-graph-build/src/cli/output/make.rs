//! What the commands print that make something: files, pictures, source, scripts.

use agent_graph_runtime::load::shape::vocabulary::{ANY_TEXT, NOT_EMPTY, required};
use agent_graph_runtime::load::shape::{By, List, Member, Object, Shape, Variants, Words};

/// A provider that was begun.
pub(super) static INIT: Object = Object {
    name: "scaffolding",
    description: "A provider was begun.",
    members: &[&[
        required("state", Shape::Constant("created"), "Always `created`."),
        required("manifest", NOT_EMPTY, "Absolute path of its manifest."),
    ]],
};

/// Something that was taken in.
pub(super) static IMPORT: Object = Object {
    name: "import",
    description: "Something was taken into a provider.",
    members: &[&[
        required("state", Shape::Constant("imported"), "Always `imported`."),
        required(
            "kind",
            Shape::Word(Words {
                name: "kind of import",
                all: || &["skill", "scripts", "workflow"],
            }),
            "What it was.",
        ),
        required(
            "graph",
            NOT_EMPTY,
            "Absolute path of the file of the new graph.",
        ),
    ]],
};

/// A picture, here or in a file.
pub(super) static GRAPH: Variants = Variants {
    name: "picture",
    description: "A picture of a graph, or the file that it was written to.",
    by: By::Presence,
    cases: &[
        ("picture", Shape::Object(&PICTURE)),
        ("path", Shape::Object(&PICTURE_FILE)),
    ],
};

const PICTURE_MEMBERS: &[Member] = &[
    required("graph", NOT_EMPTY, "Id or name of the graph."),
    required(
        "as",
        Shape::Word(Words {
            name: "kind of picture",
            all: || &["svg", "mermaid"],
        }),
        "What it is drawn as.",
    ),
];

static PICTURE: Object = Object {
    name: "picture",
    description: "A picture of a graph.",
    members: &[
        PICTURE_MEMBERS,
        &[required("picture", NOT_EMPTY, "The text of the picture.")],
    ],
};

static PICTURE_FILE: Object = Object {
    name: "picture",
    description: "A picture of a graph in a file.",
    members: &[
        PICTURE_MEMBERS,
        &[required(
            "path",
            NOT_EMPTY,
            "Absolute path of the file of the picture.",
        )],
    ],
};

/// The Rust of a provider.
pub(super) static GENERATE: Object = Object {
    name: "generated source",
    description: "The Rust module of a provider.",
    members: &[&[
        required("module", NOT_EMPTY, "Name of the module."),
        required("source", NOT_EMPTY, "Its text."),
    ]],
};

/// Which schemas there are.
pub(super) static SCHEMA_LIST: Object = Object {
    name: "schema list",
    description: "Which schemas there are.",
    members: &[&[
        required(
            "root",
            NOT_EMPTY,
            "Absolute path of the folder that they are in.",
        ),
        required("schemas", Shape::List(&NAMES), "Their names, sorted."),
    ]],
};

static NAMES: List = List {
    items: ANY_TEXT,
    min: 0,
    unique: true,
};

/// Where a schema is.
pub(super) static SCHEMA_FILE: Object = Object {
    name: "schema file",
    description: "Where a schema is.",
    members: &[&[
        required("name", NOT_EMPTY, "Name of the schema."),
        required("path", NOT_EMPTY, "Absolute path of its file."),
    ]],
};

/// A schema itself.
pub(super) static SCHEMA_SHOW: Object = Object {
    name: "schema",
    description: "A schema.",
    members: &[&[
        required("name", NOT_EMPTY, "Name of the schema."),
        required("schema", Shape::AnyObject, "The schema."),
    ]],
};

/// What a shell completes.
pub(super) static COMPLETIONS: Object = Object {
    name: "completions",
    description: "What a shell completes for this program.",
    members: &[&[required("script", NOT_EMPTY, "Script for the shell.")]],
};

/// The manual page.
pub(super) static MAN: Object = Object {
    name: "manual",
    description: "The manual page of this program.",
    members: &[&[required("page", NOT_EMPTY, "Its text, for `man`.")]],
};
