//! The objects of the protocol that have a schema, by identity.

use super::location::{FILE_LOCATION, GRAPH_ACTION_LOCATION, HOST_ACTION_LOCATION};
use super::{
    ACTION, BUNDLE, CODE_CATALOG, CODE_LOCATION, ERROR, EVALUATION, GRAPH, HOST_ACTION_RESULT,
    LOCATION, PROVIDER, READ_RECEIPTS, RESOURCE, ROUTE, RUN, SKILL_BINDING, Shape, TEST_CASE,
    resource,
};

/// Every object of the protocol with its identity, in the order of the identities.
pub const OBJECTS: &[(&str, Shape)] = &[
    ("agent-graph.action.v1", Shape::Variants(&ACTION)),
    ("agent-graph.bundle.v1", Shape::Object(&BUNDLE)),
    ("agent-graph.code-catalog.v1", Shape::Object(&CODE_CATALOG)),
    (
        "agent-graph.code-location.v1",
        Shape::Object(&CODE_LOCATION),
    ),
    ("agent-graph.error.v1", Shape::Object(&ERROR)),
    ("agent-graph.evaluation.v1", Shape::Object(&EVALUATION)),
    ("agent-graph.graph.v1", Shape::Object(&GRAPH)),
    (
        "agent-graph.host-action-result.v1",
        Shape::Object(&HOST_ACTION_RESULT),
    ),
    ("agent-graph.provider.v1", Shape::Object(&PROVIDER)),
    // The two that go by no version are unions: whatever says where content is, or where it comes from.
    ("agent-graph.resource", Shape::Variants(&RESOURCE)),
    ("agent-graph.resource-location", Shape::Variants(&LOCATION)),
    ("agent-graph.resource-location.file.v1", FILE_LOCATION),
    (
        "agent-graph.resource-location.graph-action.v1",
        GRAPH_ACTION_LOCATION,
    ),
    (
        "agent-graph.resource-location.host-action.v1",
        HOST_ACTION_LOCATION,
    ),
    (
        "agent-graph.resource-read-receipts.v1",
        Shape::Object(&READ_RECEIPTS),
    ),
    (
        "agent-graph.resource.file.v1",
        Shape::Object(&resource::FILE),
    ),
    (
        "agent-graph.resource.graph-action.v1",
        Shape::Object(&resource::GRAPH_ACTION),
    ),
    (
        "agent-graph.resource.host-action.v1",
        Shape::Object(&resource::HOST_ACTION),
    ),
    ("agent-graph.route.v1", Shape::Object(&ROUTE)),
    ("agent-graph.run.v1", Shape::Object(&RUN)),
    (
        "agent-graph.skill-binding.v1",
        Shape::Object(&SKILL_BINDING),
    ),
    ("agent-graph.test.v1", Shape::Object(&TEST_CASE)),
];

/// The shape of the object with this identity.
pub fn shape_of(identity: &str) -> Option<Shape> {
    let found = OBJECTS.iter().find(|(known, _)| *known == identity);
    found.map(|(_, shape)| *shape)
}
