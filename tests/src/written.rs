//! Writes a drawn provider as the files an author would have written: block YAML or JSON by the
//! extension. Knows nothing about the crates under test.

use crate::json::{Json, Members, quoted};
use crate::model::{Action, Asks, Check, Edge, Gate, Graph, Kind, Node, Provider, Step};

/// Name of the manifest.
pub const MANIFEST: &str = "provider.yaml";

/// All files: path and text, the manifest first.
pub fn files(provider: &Provider) -> Vec<(String, String)> {
    let mut files = vec![definition(MANIFEST, &manifest(provider))];
    if let Some(codes) = &provider.catalog {
        files.push(definition("codes.yaml", &catalog(codes)));
    }
    for graph in &provider.graphs {
        files.push(definition(&graph.file, &graph_document(provider, graph)));
    }
    for action in &provider.actions {
        files.push(definition(&action.file, &action_document(action)));
        files.extend(action.files.iter().cloned());
    }
    for (id, file) in &provider.resources {
        let text = format!("---\nid: {id}\nkind: procedure\n---\n\nText of {id}.\n");
        files.push((file.clone(), text));
    }
    files
}

fn definition(path: &str, document: &Json) -> (String, String) {
    let text = if path.ends_with(".json") {
        document.source()
    } else {
        let mut text = String::new();
        block(document, 0, &mut text);
        text
    };
    (path.to_owned(), text)
}

fn manifest(provider: &Provider) -> Json {
    let catalogs = provider
        .catalog
        .as_ref()
        .map(|_| Members::default().text("codes", "codes.yaml").object());
    Members::default()
        .text("schema", "agent-graph.provider.v1")
        .text("id", &provider.id)
        .text("version", &provider.version)
        .with(
            "graphs",
            Json::texts(provider.graphs.iter().map(|graph| graph.file.clone())),
        )
        .maybe("catalogs", catalogs)
        .object()
}

fn catalog(codes: &[(String, String)]) -> Json {
    let codes = codes.iter().map(|(code, summary)| {
        Members::default()
            .text("code", code)
            .text("kind", "route-reason")
            .text("summary", summary)
            .object()
    });
    Members::default()
        .text("schema", "agent-graph.code-catalog.v1")
        .with("codes", Json::List(codes.collect()))
        .object()
}

fn action_document(action: &Action) -> Json {
    let (runner, own) = &action.runner;
    let member = match *runner {
        "command" => "command",
        "script" => "entry",
        "agent" => "skill",
        _ => "handler",
    };
    let runtime = (*runner == "script").then(|| Json::text("shell"));
    Members::default()
        .text("schema", "agent-graph.action.v1")
        .text("id", &action.id)
        .text("runner", runner)
        .text("effect", action.effect)
        .text(member, own)
        .maybe("runtime", runtime)
        .object()
}

fn graph_document(provider: &Provider, graph: &Graph) -> Json {
    let entries = graph
        .entries
        .iter()
        .map(|(name, node)| (name.clone(), Json::text(graph.nodes[*node].id.clone())))
        .collect();
    let nodes = graph.nodes.iter().map(|node| node_document(provider, node));
    let edges = graph.edges.iter().map(|edge| edge_document(graph, edge));
    Members::default()
        .text("schema", "agent-graph.graph.v1")
        .text("id", &graph.id)
        .with("entrypoints", Json::Object(entries))
        .with("nodes", Json::List(nodes.collect()))
        .with("edges", Json::List(edges.collect()))
        .object()
}

fn node_document(provider: &Provider, node: &Node) -> Json {
    let common = Members::default()
        .text("id", &node.id)
        .text("kind", node.kind.name())
        .maybe("description", node.description.clone().map(Json::Text))
        .maybe(
            "priority",
            node.priority.map(|value| Json::Number(value.into())),
        )
        .maybe("join", node.join.map(Json::text))
        .maybe("requiresFacts", check_documents(&node.requires));
    match &node.kind {
        Kind::Action(step, action) => step_members(provider, common, step)
            .text("action", &provider.actions[*action].file)
            .object(),
        Kind::Gate(step, gate) => {
            gate_members(provider, step_members(provider, common, step), gate).object()
        }
        Kind::Subgraph(graph, entry) => common
            .text("graph", &provider.graphs[*graph].id)
            .text("entry", entry)
            .object(),
        Kind::Terminal(outcome) => common.text("terminalOutcome", outcome).object(),
    }
}

fn step_members(provider: &Provider, members: Members, step: &Step) -> Members {
    let list = |resources: &[usize]| {
        let files = resources.iter().map(|&n| provider.resources[n].1.clone());
        (!resources.is_empty()).then(|| Json::texts(files))
    };
    let resources = Members::default()
        .maybe("required", list(&step.required))
        .maybe("recommended", list(&step.recommended))
        .object();
    let none = resources == Json::Object(Vec::new());
    members
        .text("reasonCode", &step.reason)
        .maybe("satisfiedBy", check_documents(&step.satisfied))
        .maybe("resources", (!none).then_some(resources))
}

fn gate_members(provider: &Provider, members: Members, gate: &Gate) -> Members {
    let action = |number: Option<usize>| {
        number.map(|number| Json::text(provider.actions[number].file.clone()))
    };
    let own = Members::default()
        .text("id", &gate.id)
        .text("prompt", "May it go on?")
        .maybe("authority", gate.authority.clone().map(Json::Text))
        .maybe("delegatable", gate.delegatable.map(Json::Bool));
    let delegated = gate.delegated.map(|(skip, resolution)| {
        Members::default()
            .maybe("inspection", skip.then(|| Json::text("skip")))
            .maybe("resolutionAction", action(resolution))
            .object()
    });
    members
        .with("gate", own.object())
        .maybe("inspectionAction", action(gate.inspection))
        .maybe("resolutionAction", action(gate.resolution))
        .maybe("delegated", delegated)
}

fn edge_document(graph: &Graph, edge: &Edge) -> Json {
    let outcomes = (!edge.outcomes.is_empty()).then(|| Json::texts(edge.outcomes.iter().copied()));
    Members::default()
        .text("from", &graph.nodes[edge.from].id)
        .text("to", &graph.nodes[edge.to].id)
        .maybe("outcomes", outcomes)
        .maybe("kind", edge.kind.map(Json::text))
        .object()
}

fn check_documents(checks: &[Check]) -> Option<Json> {
    let documents = checks.iter().map(|check| {
        let members = Members::default().text("path", &check.path);
        match &check.asks {
            Asks::Exists(wanted) => members.with("exists", Json::Bool(*wanted)),
            Asks::Equals(value) => members.with("equals", value.clone()),
        }
        .object()
    });
    (!checks.is_empty()).then(|| Json::List(documents.collect()))
}

/// Block style, strings always quoted as JSON quotes them.
fn block(value: &Json, indent: usize, out: &mut String) {
    match value {
        Json::Object(members) if !members.is_empty() => {
            for (name, value) in members {
                out.push_str(&format!("{:indent$}{}:", "", quoted(name)));
                nested(value, indent, out);
            }
        }
        Json::List(items) if !items.is_empty() => {
            for item in items {
                out.push_str(&format!("{:indent$}-", ""));
                nested(item, indent, out);
            }
        }
        scalar => out.push_str(&scalar.source()),
    }
}

fn nested(value: &Json, indent: usize, out: &mut String) {
    let empty = match value {
        Json::Object(members) => members.is_empty(),
        Json::List(items) => items.is_empty(),
        _ => true,
    };
    if empty {
        out.push_str(&format!(" {}\n", value.source()));
    } else {
        out.push('\n');
        block(value, indent + 2, out);
    }
}
