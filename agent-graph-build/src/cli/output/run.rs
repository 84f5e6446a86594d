//! What `run` prints where it is not the run itself.

use agent_graph_runtime::load::shape::vocabulary::{DATE_TIME, NOT_EMPTY, required};
use agent_graph_runtime::load::shape::{EVALUATION, EVENTS as EVENT_LIST, Object, Shape};

/// Where a run stands.
pub(super) static STATUS: Object = Object {
    name: "run status",
    description: "Where a run stands, and what comes next.",
    members: &[&[
        required("run", Shape::Object(&WHICH), "The run."),
        required("evaluation", Shape::Object(&EVALUATION), "Its evaluation."),
    ]],
};

static WHICH: Object = Object {
    name: "run",
    description: "Which run it is.",
    members: &[&[
        required("id", NOT_EMPTY, "Identity of the run."),
        required("state", NOT_EMPTY, "Absolute path of its file."),
        required("updatedAt", DATE_TIME, "When it last changed."),
    ]],
};

/// Where a copy was saved.
pub(super) static CHECKPOINT: Object = Object {
    name: "checkpoint",
    description: "A copy of a run was saved.",
    members: &[&[
        required("run", NOT_EMPTY, "Absolute path of the file of the run."),
        required(
            "checkpoint",
            NOT_EMPTY,
            "Absolute path of the file of the copy.",
        ),
    ]],
};

/// What happened in a run.
pub(super) static EVENTS: Object = Object {
    name: "run events",
    description: "What happened in a run.",
    members: &[&[
        required("run", NOT_EMPTY, "Identity of the run."),
        required("events", EVENT_LIST, "What happened, in order."),
    ]],
};
