//! The provider manifest (spec 1.2).

use super::{DESCRIPTION, ID, List, NOT_EMPTY, Object, PATH, Shape, Text, optional, required};

/// A provider manifest.
pub static PROVIDER: Object = Object {
    name: "provider manifest",
    description: "Names a provider, its graphs and its code catalog.",
    members: &[&[
        required(
            "schema",
            Shape::Constant("agent-graph.provider.v1"),
            "Says that this is a provider manifest.",
        ),
        required(
            "id",
            ID,
            "Identity of the provider; runs and receipts are kept under it.",
        ),
        required(
            "version",
            Shape::Text(Text::Version),
            "The provider's own version; part of every graph digest.",
        ),
        optional(
            "name",
            Shape::Text(Text::Length(1, 120)),
            "Name for people.",
        ),
        optional("description", DESCRIPTION, "What the provider is for."),
        required(
            "graphs",
            Shape::List(&List {
                items: PATH,
                min: 1,
                unique: true,
            }),
            "Paths of the graph files; graphs are never found by scanning.",
        ),
        optional(
            "catalogs",
            Shape::Object(&CATALOGS),
            "Catalogs that explain the codes of this provider.",
        ),
        optional(
            "compatibility",
            Shape::Object(&COMPATIBILITY),
            "Versions of tools the provider was made for; informational.",
        ),
    ]],
};

static CATALOGS: Object = Object {
    name: "list of catalogs",
    description: "Catalogs that explain the codes of a provider.",
    members: &[&[optional("codes", PATH, "Path of the code catalog.")]],
};

static COMPATIBILITY: Object = Object {
    name: "compatibility statement",
    description: "Versions of tools a provider was made for.",
    members: &[&[
        optional("agentGraph", NOT_EMPTY, "Range of toolchain versions."),
        optional("node", NOT_EMPTY, "Range of Node.js versions."),
    ]],
};
