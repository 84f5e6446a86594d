//! What each command prints as JSON, described as the objects of the protocol are, so that what a command prints can
//! be held against `schemas/`. Knows the commands by name and nothing of how they come to their results.

mod check;
mod explain;
mod inspect;
mod make;
mod pi;
mod pi_run;
mod run;

use agent_graph_runtime::load::shape::{Shape, json_schema_of, shape_of};

/// What a command prints as JSON when it succeeds.
#[derive(Clone, Copy, Debug)]
pub struct Output {
    /// The command, such as `inspect provider`.
    pub command: &'static str,
    /// The identity of what it prints: of an object of the protocol, or `agent-graph.output.…` for what has none.
    pub identity: &'static str,
}

const fn output(command: &'static str, identity: &'static str) -> Output {
    Output { command, identity }
}

const RUN: &str = "agent-graph.run.v1";

/// Every command that prints JSON, in the order in which the help names them.
pub const OUTPUTS: &[Output] = &[
    output("init", "agent-graph.output.init.v1"),
    output("import skill", "agent-graph.output.import.v1"),
    output("import scripts", "agent-graph.output.import.v1"),
    output("import workflow", "agent-graph.output.import.v1"),
    output("validate", "agent-graph.output.validate.v1"),
    output("inspect provider", "agent-graph.inspect.v1"),
    output("inspect skill", "agent-graph.output.inspect-skill.v1"),
    output("evaluate", "agent-graph.evaluation.v1"),
    output("route", "agent-graph.route.v1"),
    output("explain", "agent-graph.output.explain.v1"),
    output("graph", "agent-graph.output.graph.v1"),
    output("run start", RUN),
    output("run status", "agent-graph.output.run-status.v1"),
    output("run record", RUN),
    output("run facts", RUN),
    output("run authority", RUN),
    output("run checkpoint", "agent-graph.output.run-checkpoint.v1"),
    output("run resume", RUN),
    output("run events", "agent-graph.output.run-events.v1"),
    output("resource locate", "agent-graph.resource-location"),
    output("resource materialize", "agent-graph.resource-location"),
    output("code list", "agent-graph.output.code-list.v1"),
    output("code locate", "agent-graph.code-location.v1"),
    output("test", "agent-graph.output.test.v1"),
    output("lint", "agent-graph.output.lint.v1"),
    output("build", "agent-graph.bundle.v1"),
    output("diff", "agent-graph.output.diff.v1"),
    output("generate", "agent-graph.output.generate.v1"),
    output("schema list", "agent-graph.output.schema-list.v1"),
    output("schema path", "agent-graph.output.schema-file.v1"),
    output("schema extract", "agent-graph.output.schema-file.v1"),
    output("schema show", "agent-graph.output.schema-show.v1"),
    output("pi validate", "agent-graph.output.pi-validate.v1"),
    output("pi inspect", "agent-graph.output.pi-inspect.v1"),
    output("pi graph", "agent-graph.output.graph.v1"),
    output("pi run", "agent-graph.output.pi-line.v1"),
    output("pi resume", "agent-graph.output.pi-line.v1"),
    output("pi status", "agent-graph.output.pi-status.v1"),
    output("completions", "agent-graph.output.completions.v1"),
    output("man", "agent-graph.output.man.v1"),
];

/// The objects that only this program prints, with their shapes, in the order of their identities.
pub(super) const OBJECTS: &[(&str, Shape)] = &[
    (
        "agent-graph.inspect.v1",
        Shape::Object(&inspect::INSPECTION),
    ),
    (
        "agent-graph.output.code-list.v1",
        Shape::Object(&inspect::CODE_LIST),
    ),
    (
        "agent-graph.output.completions.v1",
        Shape::Object(&make::COMPLETIONS),
    ),
    ("agent-graph.output.diff.v1", Shape::Object(&check::DIFF)),
    (
        "agent-graph.output.explain.v1",
        Shape::Object(&explain::EXPLANATION),
    ),
    (
        "agent-graph.output.generate.v1",
        Shape::Object(&make::GENERATE),
    ),
    ("agent-graph.output.graph.v1", Shape::Variants(&make::GRAPH)),
    ("agent-graph.output.import.v1", Shape::Object(&make::IMPORT)),
    ("agent-graph.output.init.v1", Shape::Object(&make::INIT)),
    (
        "agent-graph.output.inspect-skill.v1",
        Shape::Object(&inspect::SKILL),
    ),
    ("agent-graph.output.lint.v1", Shape::Object(&check::LINT)),
    ("agent-graph.output.man.v1", Shape::Object(&make::MAN)),
    (
        "agent-graph.output.pi-inspect.v1",
        Shape::Variants(&pi::INSPECT),
    ),
    (
        "agent-graph.output.pi-line.v1",
        Shape::Variants(&pi_run::LINE),
    ),
    (
        "agent-graph.output.pi-status.v1",
        Shape::Variants(&pi_run::SHOWN),
    ),
    (
        "agent-graph.output.pi-validate.v1",
        Shape::Object(&pi::VALIDATE),
    ),
    (
        "agent-graph.output.run-checkpoint.v1",
        Shape::Object(&run::CHECKPOINT),
    ),
    (
        "agent-graph.output.run-events.v1",
        Shape::Object(&run::EVENTS),
    ),
    (
        "agent-graph.output.run-status.v1",
        Shape::Object(&run::STATUS),
    ),
    (
        "agent-graph.output.schema-file.v1",
        Shape::Object(&make::SCHEMA_FILE),
    ),
    (
        "agent-graph.output.schema-list.v1",
        Shape::Object(&make::SCHEMA_LIST),
    ),
    (
        "agent-graph.output.schema-show.v1",
        Shape::Object(&make::SCHEMA_SHOW),
    ),
    ("agent-graph.output.test.v1", Shape::Object(&check::TEST)),
    (
        "agent-graph.output.validate.v1",
        Shape::Object(&inspect::VALIDATE),
    ),
];

/// The shape with this identity, of the protocol or of what only this program prints.
pub fn shape(identity: &str) -> Option<Shape> {
    let own = OBJECTS.iter().find(|(known, _)| *known == identity);
    own.map(|(_, shape)| *shape).or_else(|| shape_of(identity))
}

/// The JSON Schema with this identity, as text with a final line end.
pub fn schema(identity: &str) -> Option<String> {
    Some(json_schema_of(identity, shape(identity)?))
}
