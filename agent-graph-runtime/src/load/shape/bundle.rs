//! Bundle manifests (spec 1.13).

use super::{List, Map, NOT_EMPTY, Object, PATH, Shape, Text, required};

/// A bundle manifest.
pub static BUNDLE: Object = Object {
    name: "bundle manifest",
    description: "Lists the files of a built provider with their digests.",
    members: &[&[
        required(
            "schema",
            Shape::Constant("agent-graph.bundle.v1"),
            "Says that this is a bundle manifest.",
        ),
        required(
            "provider",
            Shape::Object(&PROVIDER_IDENTITY),
            "The provider that was built.",
        ),
        required(
            "providerManifest",
            PATH,
            "Path of the packaged provider manifest.",
        ),
        required("graphs", CATALOG, "The graphs."),
        required("actions", CATALOG, "The actions."),
        required("resources", CATALOG, "The resources."),
        required("schemas", CATALOG, "The schemas of actions."),
        required(
            "files",
            Shape::List(&List {
                items: Shape::Object(&FILE),
                min: 0,
                unique: false,
            }),
            "Every packaged file.",
        ),
        required(
            "graphDependencies",
            Shape::Map(&Map {
                names: Text::Length(0, u32::MAX),
                values: Shape::List(&List {
                    items: super::ANY_TEXT,
                    min: 0,
                    unique: true,
                }),
                min: 0,
            }),
            "For each graph the graphs it calls.",
        ),
        required(
            "digest",
            Shape::Text(Text::Digest),
            "Digest of this manifest without this member.",
        ),
    ]],
};

static PROVIDER_IDENTITY: Object = Object {
    name: "provider identity",
    description: "Which provider was built.",
    members: &[&[
        required("id", NOT_EMPTY, "Id of the provider."),
        required("version", NOT_EMPTY, "Version of the provider."),
    ]],
};

const CATALOG: Shape = Shape::List(&List {
    items: Shape::Object(&ENTRY),
    min: 0,
    unique: false,
});

static ENTRY: Object = Object {
    name: "catalog entry",
    description: "A definition and its file.",
    members: &[&[
        required("id", NOT_EMPTY, "Id of the definition."),
        required("path", PATH, "Path of its file."),
        required("digest", Shape::Text(Text::Digest), "Digest of the file."),
    ]],
};

static FILE: Object = Object {
    name: "file entry",
    description: "A packaged file.",
    members: &[&[
        required("path", PATH, "Path of the file."),
        required("digest", Shape::Text(Text::Digest), "Digest of the file."),
    ]],
};
