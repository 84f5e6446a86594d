//! Code catalogs (spec 1.9).

use super::{
    By, ID, List, Member, Object, PATH, SEVERITY, Shape, Text, Variants, optional, required,
};

/// A code catalog.
pub static CODE_CATALOG: Object = Object {
    name: "code catalog",
    description: "Explains the codes of a provider.",
    members: &[&[
        required(
            "schema",
            Shape::Constant("agent-graph.code-catalog.v1"),
            "Says that this is a code catalog.",
        ),
        required(
            "codes",
            Shape::List(&List {
                items: Shape::Variants(&CODE),
                min: 0,
                unique: false,
            }),
            "The codes.",
        ),
    ]],
};

static CODE: Variants = Variants {
    name: "catalog entry",
    description: "Explains a code.",
    by: By::Value("kind"),
    cases: &[
        ("route-reason", Shape::Object(&ROUTE_REASON)),
        ("diagnostic", Shape::Object(&DIAGNOSTIC)),
    ],
};

const KIND: &str = "What the code stands for.";

static ROUTE_REASON: Object = Object {
    name: "route reason",
    description: "Explains why a route is offered.",
    members: &[
        &[
            required(
                "code",
                Shape::Text(Text::RouteCode),
                "The code; begins with `route.`.",
            ),
            required("kind", Shape::Constant("route-reason"), KIND),
        ],
        CODE_MEMBERS,
    ],
};

static DIAGNOSTIC: Object = Object {
    name: "diagnostic code",
    description: "Explains what is wrong.",
    members: &[
        &[
            required("code", ID, "The code."),
            required("kind", Shape::Constant("diagnostic"), KIND),
            optional("severity", SEVERITY, "How much it matters."),
        ],
        CODE_MEMBERS,
    ],
};

const CODE_MEMBERS: &[Member] = &[
    required(
        "summary",
        Shape::Text(Text::Length(1, 160)),
        "The explanation in one sentence.",
    ),
    optional(
        "document",
        PATH,
        "Path of a static resource that explains more.",
    ),
];
