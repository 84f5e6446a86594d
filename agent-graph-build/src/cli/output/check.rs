//! What `test`, `lint` and `diff` print.

use agent_graph_runtime::load::shape::vocabulary::{
    ANY_TEXT, COUNT, ID, NOT_EMPTY, OUTCOME, optional, required,
};
use agent_graph_runtime::load::shape::{DIAGNOSTIC_MEMBERS, List, Map, Object, Shape, Text, Words};

const STATE: Shape = Shape::Word(Words {
    name: "state",
    all: || &["passed", "failed"],
});

const fn of(items: Shape) -> List {
    List {
        items,
        min: 0,
        unique: false,
    }
}

static TEXTS: List = of(ANY_TEXT);

/// What came of graph tests.
pub(super) static TEST: Object = Object {
    name: "test results",
    description: "What came of graph tests.",
    members: &[&[
        required("state", STATE, "Whether all of them passed."),
        required("total", COUNT, "How many there are."),
        required("failed", COUNT, "How many of them failed."),
        required(
            "results",
            Shape::List(&CASES),
            "What came of each, in the order in which they ran.",
        ),
    ]],
};

static CASES: List = of(Shape::Object(&CASE));

static CASE: Object = Object {
    name: "test result",
    description: "What came of a graph test.",
    members: &[&[
        required("name", NOT_EMPTY, "Name of the test."),
        required("path", NOT_EMPTY, "Absolute path of its file."),
        required(
            "passed",
            Shape::Boolean,
            "Whether everything was as expected.",
        ),
        required(
            "failures",
            Shape::List(&TEXTS),
            "What was not, one line each.",
        ),
    ]],
};

/// What lints found.
pub(super) static LINT: Object = Object {
    name: "lint results",
    description: "What cannot work, or is likely a mistake.",
    members: &[&[
        required("state", STATE, "Whether nothing was found that is denied."),
        required("total", COUNT, "How much was found."),
        required("denied", COUNT, "How much of it is denied."),
        required(
            "leftOut",
            COUNT,
            "How much of it is not among the findings.",
        ),
        required("findings", Shape::List(&FINDINGS), "What was found."),
    ]],
};

static FINDINGS: List = of(Shape::Object(&FINDING));

static FINDING: Object = Object {
    name: "lint finding",
    description: "Something that a lint found.",
    members: &[
        &[
            required("lint", NOT_EMPTY, "Name of the lint."),
            required("level", LEVEL, "What is done about what the lint finds."),
        ],
        DIAGNOSTIC_MEMBERS,
        &[
            optional(
                "witness",
                Shape::Object(&WITNESS),
                "What to evaluate to see it.",
            ),
            optional(
                "clash",
                Shape::Object(&CLASH),
                "What cannot be together, where no evaluation shows it.",
            ),
        ],
    ],
};

const LEVEL: Shape = Shape::Word(Words {
    name: "lint level",
    all: || &["allow", "warn", "deny"],
});

static WITNESS: Object = Object {
    name: "witness",
    description: "An evaluation that shows what was found.",
    members: &[&[
        required("graph", ID, "Id of the graph."),
        required("entry", NOT_EMPTY, "Name of the entry."),
        required("facts", Shape::AnyObject, "What is known."),
        required(
            "outcomes",
            Shape::Map(&OUTCOMES),
            "What is recorded, by state key.",
        ),
        required(
            "authorities",
            Shape::List(&TEXTS),
            "The authorities of the session.",
        ),
    ]],
};

static CLASH: Object = Object {
    name: "clash",
    description: "Two things in the definition of a node that cannot be together.",
    members: &[&[
        required("graph", ID, "Id of the graph."),
        required(
            "path",
            Shape::List(&TEXTS),
            "Ids of nodes, from an entry along edges to the node.",
        ),
        optional(
            "checks",
            Shape::List(&POSITIONS),
            "Two of its fact checks, those of its proof counted after those it requires.",
        ),
        optional(
            "edges",
            Shape::List(&POSITIONS),
            "Two of the edges of the graph, which lead from it.",
        ),
    ]],
};

static POSITIONS: List = of(COUNT);

static OUTCOMES: Map = Map {
    names: Text::Length(0, u32::MAX),
    values: OUTCOME,
    min: 0,
};

/// What changes between two versions.
pub(super) static DIFF: Object = Object {
    name: "difference",
    description: "What changes between two versions of a provider.",
    members: &[&[
        required("class", CLASS, "The class of the change that matters most."),
        required("old", Shape::Object(&VERSION), "The old version."),
        required("new", Shape::Object(&VERSION), "The new version."),
        required(
            "changes",
            Shape::List(&CHANGES),
            "The changes, those that matter most first.",
        ),
    ]],
};

const CLASS: Shape = Shape::Word(Words {
    name: "class of a change",
    all: || {
        &[
            "identical",
            "wording",
            "additive",
            "route-changing",
            "breaks-stored-runs",
        ]
    },
});

static VERSION: Object = Object {
    name: "version",
    description: "Which provider, and which version of it.",
    members: &[&[
        required("id", ID, "Id of the provider."),
        required("version", NOT_EMPTY, "Its version."),
    ]],
};

static CHANGES: List = of(Shape::Object(&CHANGE));

static CHANGE: Object = Object {
    name: "change",
    description: "One thing that changes.",
    members: &[&[
        required("class", CLASS, "How much it matters."),
        required("subject", NOT_EMPTY, "What changes."),
        optional("before", ANY_TEXT, "What it was; absent for something new."),
        optional(
            "after",
            ANY_TEXT,
            "What it becomes; absent for something that goes.",
        ),
    ]],
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::Class;
    use crate::lint::LintLevel;

    fn words(shape: Shape) -> &'static [&'static str] {
        match shape {
            Shape::Word(words) => (words.all)(),
            _ => &[],
        }
    }

    #[test]
    fn classes_and_levels_are_those_that_there_are() {
        let classes: Vec<_> = Class::ALL.iter().map(|class| class.as_str()).collect();
        assert_eq!(words(CLASS), classes);
        let levels: Vec<_> = LintLevel::ALL.iter().map(|level| level.as_str()).collect();
        assert_eq!(words(LEVEL), levels);
    }
}
