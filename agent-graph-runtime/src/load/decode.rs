//! Documents that fit their shape become plain structs. Expects a clean walk of `shape::check`: what is
//! missing or of another type here cannot be, and becomes an empty value instead of a panic.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::str::FromStr;

use super::definition::{
    Action, Catalog, CodeEntry, Content, Delegated, Detail, Edge, Entrypoint, FactCheck, FactTest,
    FileReference, GateDetail, Graph, Manifest, Node, Placed, Reference, Resource, Resources, Step,
};
use super::document::{Kind, Node as Source};
use crate::protocol::{
    CodeKind, EdgeKind, Effect, Inspection, Join, Outcome, ResourceKind, Runner, WorkingDirectory,
};

/// A provider manifest.
pub(super) fn manifest(root: Source<'_>, file: Arc<str>) -> Manifest {
    let inside = |outer: &str, name: &str| root.get(outer).and_then(|object| object.get(name));
    Manifest {
        file,
        id: placed_text(root, "id"),
        version: placed_text(root, "version"),
        name: text(root, "name"),
        description: text(root, "description"),
        graphs: items(root, "graphs").map(placed).collect(),
        codes: inside("catalogs", "codes").map(placed),
        agent_graph: inside("compatibility", "agentGraph").map(placed),
        value: root.to_value(),
    }
}

/// A code catalog.
pub(super) fn catalog(root: Source<'_>, file: Arc<str>) -> Catalog {
    let codes = items(root, "codes").map(|entry| CodeEntry {
        code: placed_text(entry, "code"),
        kind: word(entry, "kind").unwrap_or(CodeKind::RouteReason),
        summary: text(entry, "summary").unwrap_or_default(),
        severity: word(entry, "severity"),
        document: entry.get("document").map(reference),
    });
    Catalog {
        file,
        codes: codes.collect(),
    }
}

/// A graph.
pub(super) fn graph(root: Source<'_>, file: Arc<str>) -> Graph {
    let entrypoints = root.get("entrypoints").into_iter();
    let entrypoints = entrypoints.flat_map(|object| object.members());
    Graph {
        file,
        id: placed_text(root, "id"),
        description: text(root, "description"),
        entrypoints: entrypoints
            .map(|member| Entrypoint {
                name: member.name.to_owned(),
                node: placed(member.value),
            })
            .collect(),
        nodes: items(root, "nodes").map(node).collect(),
        edges: items(root, "edges").map(edge).collect(),
    }
}

fn node(source: Source<'_>) -> Node {
    Node {
        id: placed_text(source, "id"),
        description: text(source, "description"),
        priority: priority(source),
        join: word(source, "join").unwrap_or(Join::All),
        requires: fact_checks(source, "requiresFacts"),
        detail: detail(source),
    }
}

/// The shape has bounded the number and refused fractions.
fn priority(source: Source<'_>) -> i16 {
    let number = source.get("priority").and_then(|value| value.as_number());
    number.map_or(0, |number| number as i16)
}

fn detail(source: Source<'_>) -> Detail {
    match source.get("kind").and_then(|kind| kind.as_str()) {
        Some("action") => Detail::Action(step(source), required_reference(source, "action")),
        Some("gate") => Detail::Gate(step(source), Box::new(gate(source))),
        Some("subgraph") => Detail::Subgraph {
            graph: placed_text(source, "graph"),
            entry: placed_text(source, "entry"),
        },
        _ => Detail::Terminal(word(source, "terminalOutcome").unwrap_or(Outcome::Completed)),
    }
}

fn step(source: Source<'_>) -> Step {
    Step {
        reason: placed_text(source, "reasonCode"),
        satisfied: fact_checks(source, "satisfiedBy"),
        resources: source.get("resources").map(resources).unwrap_or_default(),
    }
}

fn resources(source: Source<'_>) -> Resources {
    Resources {
        required: items(source, "required").map(reference).collect(),
        recommended: items(source, "recommended").map(reference).collect(),
    }
}

fn gate(source: Source<'_>) -> GateDetail {
    let gate = source.get("gate");
    let own = |name: &str| gate.and_then(|gate| text(gate, name));
    let delegatable = gate.and_then(|gate| gate.get("delegatable"));
    GateDetail {
        id: own("id").unwrap_or_default(),
        prompt: own("prompt").unwrap_or_default(),
        authority: own("authority"),
        delegatable: delegatable.and_then(|value| value.as_bool()) == Some(true),
        members: gate.map(member_order).unwrap_or_default(),
        inspection: source.get("inspectionAction").map(reference),
        resolution: source.get("resolutionAction").map(reference),
        delegated: source.get("delegated").map(delegated),
    }
}

/// The members of a gate in authored order, as numbers.
fn member_order(gate: Source<'_>) -> [u8; 4] {
    let numbers = gate.members().filter_map(|member| match member.name {
        "id" => Some(1),
        "prompt" => Some(2),
        "authority" => Some(3),
        "delegatable" => Some(4),
        _ => None,
    });
    let mut order = [0; 4];
    for (slot, number) in order.iter_mut().zip(numbers) {
        *slot = number;
    }
    order
}

fn delegated(source: Source<'_>) -> Delegated {
    Delegated {
        place: source.place(),
        inspection: word(source, "inspection").unwrap_or(Inspection::Required),
        inspection_place: source.get("inspection").unwrap_or(source).place(),
        resolution: source.get("resolutionAction").map(reference),
        resources: source.get("resources").map(resources),
    }
}

fn fact_checks(source: Source<'_>, name: &str) -> Vec<FactCheck> {
    let checks = items(source, name).map(|check| FactCheck {
        path: text(check, "path").unwrap_or_default(),
        test: fact_test(check),
        place: {
            let asked = check.get("equals").or_else(|| check.get("exists"));
            asked.unwrap_or(check).place()
        },
    });
    checks.collect()
}

fn fact_test(check: Source<'_>) -> FactTest {
    let Some(expected) = check.get("equals") else {
        let exists = check.get("exists").and_then(|value| value.as_bool());
        return FactTest::Exists(exists.unwrap_or(false));
    };
    match expected.kind() {
        Kind::Bool => FactTest::Bool(expected.as_bool().unwrap_or(false)),
        Kind::Number => FactTest::Number(expected.as_number().unwrap_or(0.0)),
        Kind::String => FactTest::Text(expected.as_str().unwrap_or("").to_owned()),
        Kind::Null | Kind::Sequence | Kind::Mapping => FactTest::Null,
    }
}

fn edge(source: Source<'_>) -> Edge {
    let outcomes: Vec<Outcome> = items(source, "outcomes").filter_map(parsed).collect();
    Edge {
        place: source.place(),
        from: placed_text(source, "from"),
        to: placed_text(source, "to"),
        outcomes: if outcomes.is_empty() {
            [Outcome::Completed].into()
        } else {
            outcomes
        },
        kind: word(source, "kind").unwrap_or(EdgeKind::Flow),
    }
}

/// An action; which files belong to it is found out later.
pub(super) fn action(root: Source<'_>, file: Arc<str>) -> Action {
    let named = |name: &str| root.get(name).map(file_reference);
    Action {
        file,
        id: placed_text(root, "id"),
        description: text(root, "description"),
        runner: placed_word(root, "runner", Runner::Host),
        effect: placed_word(root, "effect", Effect::External),
        cwd: word(root, "cwd").unwrap_or(WorkingDirectory::Workspace),
        command: text(root, "command"),
        entry: named("entry"),
        runtime: word(root, "runtime"),
        args: items(root, "args")
            .map(|item| item.as_str().unwrap_or("").to_owned())
            .collect(),
        skill: named("skill"),
        skill_header: false,
        skill_name: None,
        handler: text(root, "handler"),
        input_schema: named("inputSchema"),
        output_schema: named("outputSchema"),
        files: items(root, "files").map(file_reference).collect(),
        own_files: Vec::new(),
        skill_files: Arc::default(),
        input_identity: None,
        output_identity: None,
    }
}

/// A resource descriptor.
pub(super) fn resource(root: Source<'_>, file: Arc<str>) -> Resource {
    let content = match root.get("schema").and_then(|schema| schema.as_str()) {
        Some("agent-graph.resource.graph-action.v1") => {
            Content::GraphAction(required_reference(root, "materializer"))
        }
        Some("agent-graph.resource.host-action.v1") => Content::HostAction {
            materializer: required_reference(root, "materializer"),
            input: Placed {
                value: root
                    .get("input")
                    .map(|input| input.to_value())
                    .unwrap_or_default(),
                place: root.get("input").unwrap_or(root).place(),
            },
        },
        _ => Content::File(file_reference(root.get("path").unwrap_or(root))),
    };
    Resource {
        file,
        id: placed_text(root, "id"),
        kind: word(root, "kind").unwrap_or(ResourceKind::Procedure),
        media_type: text(root, "mediaType").unwrap_or_default(),
        description: text(root, "description"),
        content,
    }
}

fn text(object: Source<'_>, name: &str) -> Option<String> {
    Some(object.get(name)?.as_str()?.to_owned())
}

fn items<'d>(object: Source<'d>, name: &str) -> impl Iterator<Item = Source<'d>> + use<'d> {
    object.get(name).into_iter().flat_map(|list| list.items())
}

pub(super) fn placed(source: Source<'_>) -> Placed<String> {
    Placed {
        value: source.as_str().unwrap_or("").to_owned(),
        place: source.place(),
    }
}

fn placed_text(object: Source<'_>, name: &str) -> Placed<String> {
    placed(object.get(name).unwrap_or(object))
}

fn parsed<T: FromStr>(source: Source<'_>) -> Option<T> {
    source.as_str()?.parse().ok()
}

fn word<T: FromStr>(object: Source<'_>, name: &str) -> Option<T> {
    parsed(object.get(name)?)
}

fn placed_word<T: FromStr>(object: Source<'_>, name: &str, fallback: T) -> Placed<T> {
    Placed {
        value: word(object, name).unwrap_or(fallback),
        place: object.get(name).unwrap_or(object).place(),
    }
}

fn reference(source: Source<'_>) -> Reference {
    Reference {
        path: source.as_str().unwrap_or("").to_owned(),
        place: source.place(),
        target: None,
    }
}

fn required_reference(object: Source<'_>, name: &str) -> Reference {
    reference(object.get(name).unwrap_or(object))
}

fn file_reference(source: Source<'_>) -> FileReference {
    let path = source.as_str().unwrap_or("").to_owned();
    FileReference {
        file: path.as_str().into(),
        path,
        place: source.place(),
    }
}
