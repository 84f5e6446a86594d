//! `pi inspect`: what a graph consists of, and which graphs there are.

use agent_graph_runtime::json::{Object, Value};
use agent_graph_runtime::pi::definition::{Definition, NodeKind};
use agent_graph_runtime::pi::discover::Discovery;

use super::report;
use super::select::Selected;
use crate::cli::answer::{Answer, Lines, object};
use crate::cli::failure::Failure;

/// Which graphs there are, and what was in the way.
pub(super) fn all(found: &Discovery) -> Result<Answer, Failure> {
    let graphs: Vec<Selected> = found.graphs.iter().cloned().map(Selected::of).collect();
    let mut human = Lines::new();
    for graph in &graphs {
        human = human.label("Graph", graph.line());
    }
    for problem in &found.problems {
        for finding in problem.to_findings().list() {
            human = human.label("Problem", finding);
        }
    }
    if graphs.is_empty() {
        human = human.line("There are no graphs: name a file, or see `agent-graph pi --help`.");
    }
    let graphs = graphs.iter().map(|graph| Value::Object(graph.json()));
    let problems = found.problems.iter().map(report::problem);
    let json = object([
        ("graphs", Value::Array(graphs.collect())),
        ("problems", Value::Array(problems.collect())),
    ]);
    Ok(Answer::new(json, human))
}

/// What a graph consists of.
pub(super) fn one(selected: &Selected) -> Result<Answer, Failure> {
    let definition = &selected.loaded.definition;
    let mut json = selected.json();
    if let Some(description) = &definition.description {
        json.insert("description", description.as_str());
    }
    json.insert("mutating", selected.loaded.graph().is_mutating());
    json.insert("entry", texts(&definition.entry));
    json.insert("nodes", nodes(definition));
    json.insert("edges", edges(definition));
    json.insert("routes", routes(definition));
    let reducers = definition.reducers.iter();
    let reducers = reducers.map(|(path, reducer)| (path.as_str(), reducer.as_str()));
    json.insert("reducers", reducers.collect::<Object>());
    Ok(Answer::new(json, lines(selected)))
}

fn lines(selected: &Selected) -> Lines {
    let definition = &selected.loaded.definition;
    let mut human = Lines::new()
        .label("Graph", selected.line())
        .maybe("Description", definition.description.as_ref())
        .label("Hash", definition.hash)
        .label("Entry", definition.entry.join(", "));
    for node in &definition.nodes {
        let what = kind(&node.kind);
        human = match &node.description {
            Some(description) => human.label(&node.id, format!("{what}, {description}")),
            None => human.label(&node.id, what),
        };
    }
    human
}

fn kind(kind: &NodeKind) -> &'static str {
    match kind {
        NodeKind::Agent(_) => "agent",
        NodeKind::Set(_) => "set",
        NodeKind::Human(_) => "human",
    }
}

fn texts(texts: &[String]) -> Value {
    Value::Array(texts.iter().map(|text| text.as_str().into()).collect())
}

fn nodes(definition: &Definition) -> Value {
    let nodes = definition.nodes.iter().map(|node| {
        let mut json = object([
            ("id", node.id.as_str().into()),
            ("type", kind(&node.kind).into()),
        ]);
        if let Some(description) = &node.description {
            json.insert("description", description.as_str());
        }
        Value::Object(json)
    });
    Value::Array(nodes.collect())
}

fn edges(definition: &Definition) -> Value {
    let edges = definition.edges.iter();
    let edges = edges.map(|edge| object([("from", texts(&edge.from)), ("to", texts(&edge.to))]));
    Value::Array(edges.map(Value::Object).collect())
}

fn routes(definition: &Definition) -> Value {
    let routes = definition.routes.iter().map(|route| {
        let cases = route.cases.iter().map(|case| texts(&case.to));
        let mut json = object([
            ("from", route.from.as_str().into()),
            ("cases", Value::Array(cases.collect())),
        ]);
        if let Some(default) = &route.default {
            json.insert("default", texts(default));
        }
        Value::Object(json)
    });
    Value::Array(routes.collect())
}
