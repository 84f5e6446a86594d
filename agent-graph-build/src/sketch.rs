//! What can be known of the names of a provider that does not load: graphs, entries, nodes, calls. A module of
//! them is left behind where the definition is wrong, so that the compiler complains about the definition and
//! not about names that the host uses. Guesses rather than refuses; nothing of it is ever evaluated.

mod pool;
mod text;

use std::fs;
use std::path::Path;

use agent_graph_runtime::json::{Object, Value};
use agent_graph_runtime::load::read_value;
use agent_graph_runtime::ordered::{Map, Set};
use agent_graph_runtime::protocol::NodeKind;
use agent_graph_runtime::tables::{OwnedTables, Rows};

/// More graphs, nodes or files than this are not looked at.
const MOST: usize = 1000;

/// The largest file that is read as text.
const TEXT_BYTES: u64 = 1024 * 1024;

/// What is known of a graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Graph {
    id: String,
    entries: Vec<String>,
    nodes: Vec<Node>,
}

/// What is known of a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Node {
    id: String,
    kind: String,
    /// The graph it calls.
    graph: Option<String>,
    reason: Option<String>,
    authority: Option<String>,
    /// The file of its action.
    action: Option<String>,
}

/// The tables of what is known; empty ones in the worst case.
pub(crate) fn tables(manifest: &Path) -> OwnedTables {
    let folder = manifest.parent().unwrap_or(Path::new(""));
    let mut graphs = Vec::new();
    let mut ids = Set::new();
    for path in graph_paths(manifest).iter().take(MOST) {
        let graph = graph(folder, path);
        if is_id(&graph.id) && ids.insert(graph.id.clone()) {
            graphs.push(graph);
        }
    }
    pool::tables(&graphs, &handlers(folder, &graphs))
}

/// The same graphs without what is in them.
pub(crate) fn graphs_alone(mut tables: OwnedTables) -> OwnedTables {
    for graph in &mut tables.graphs {
        graph.nodes = Rows::EMPTY;
        graph.entries = Rows::EMPTY;
        graph.dependencies = Rows::EMPTY;
    }
    OwnedTables {
        text: tables.text,
        graphs: tables.graphs,
        ..OwnedTables::default()
    }
}

/// The paths of the graphs that the manifest lists, or the manifest of the provider in a bundle.
fn graph_paths(manifest: &Path) -> Vec<String> {
    let value = read_value(manifest).map(|(value, _)| value);
    match value.as_ref().map(Value::as_object) {
        Ok(Some(object)) => match member(object, "providerManifest") {
            Some(packaged) if is_inside(packaged) => {
                let folder = manifest.parent().unwrap_or(Path::new(""));
                let packaged = read_value(folder.join(packaged));
                let packaged = packaged.map(|(value, _)| value).unwrap_or_default();
                packaged.as_object().map(listed).unwrap_or_default()
            }
            _ => listed(object),
        },
        _ => read_text(manifest).map_or_else(Vec::new, |text| text::graph_paths(&text)),
    }
}

fn listed(manifest: &Object) -> Vec<String> {
    let graphs = manifest.get("graphs").and_then(Value::as_array);
    let paths = graphs.into_iter().flatten().filter_map(Value::as_str);
    paths
        .filter(|path| is_inside(path))
        .map(str::to_owned)
        .collect()
}

/// Whether nothing outside of the folder would be read.
fn is_inside(path: &str) -> bool {
    let mut parts = path.split(['/', '\\']);
    !path.starts_with(['/', '\\']) && !path.contains(':') && parts.all(|part| part != "..")
}

fn graph(folder: &Path, path: &str) -> Graph {
    let file = folder.join(path);
    let known = match read_value(&file) {
        Ok((value, _)) => value.as_object().map(of_object),
        Err(_) => read_text(&file).map(|text| text::graph(&text)),
    };
    let mut graph = known.unwrap_or_default();
    if graph.id.is_empty() {
        // Most graphs are called like their file.
        let stem = Path::new(path).file_stem().unwrap_or_default();
        graph.id = stem.to_string_lossy().into_owned();
    }
    if graph.entries.is_empty() {
        graph.entries.push("default".to_owned());
    }
    let mut seen = Set::new();
    graph.nodes.truncate(MOST);
    graph
        .nodes
        .retain(|node| is_id(&node.id) && seen.insert(node.id.clone()));
    for node in &mut graph.nodes {
        node.reason.take_if(|reason| !is_id(reason));
        node.authority.take_if(|authority| !is_id(authority));
    }
    let mut seen = Set::new();
    graph.entries.truncate(MOST);
    graph
        .entries
        .retain(|entry| is_id(entry) && seen.insert(entry.clone()));
    graph
}

/// Whether the text is near enough to an id that a name can be made of it.
fn is_id(text: &str) -> bool {
    let is_part = |character: char| character.is_ascii_alphanumeric() || "._/-".contains(character);
    text.len() <= 160
        && text.chars().all(is_part)
        && text.contains(|character: char| character.is_ascii_alphanumeric())
}

fn of_object(graph: &Object) -> Graph {
    let entries = graph.get("entrypoints").and_then(Value::as_object);
    let nodes = graph.get("nodes").and_then(Value::as_array);
    let nodes = nodes.into_iter().flatten().filter_map(Value::as_object);
    Graph {
        id: member(graph, "id").unwrap_or_default().to_owned(),
        entries: entries
            .into_iter()
            .flat_map(|entries| entries.iter().map(|(name, _)| name.to_owned()))
            .collect(),
        nodes: nodes.filter_map(node).collect(),
    }
}

fn node(node: &Object) -> Option<Node> {
    let text = |name| member(node, name).map(str::to_owned);
    let gate = node.get("gate").and_then(Value::as_object);
    Some(Node {
        id: text("id")?,
        kind: text("kind").unwrap_or_default(),
        graph: text("graph"),
        reason: text("reasonCode"),
        authority: gate
            .and_then(|gate| member(gate, "authority"))
            .map(str::to_owned),
        action: text("action"),
    })
}

fn member<'o>(object: &'o Object, name: &str) -> Option<&'o str> {
    object.get(name).and_then(Value::as_str)
}

/// The kind of a node. What is none, or a call of nothing, is most likely a step.
fn kind(node: &Node) -> NodeKind {
    match node.kind.as_str() {
        "terminal" => NodeKind::Terminal,
        "subgraph" => NodeKind::Subgraph,
        "gate" => NodeKind::Gate,
        _ => NodeKind::Action,
    }
}

/// The handlers that the actions of the nodes name.
fn handlers(folder: &Path, graphs: &[Graph]) -> Set<String> {
    let nodes = graphs.iter().flat_map(|graph| &graph.nodes);
    let actions: Set<&str> = nodes.filter_map(|node| node.action.as_deref()).collect();
    let actions = actions
        .into_iter()
        .filter(|path| is_inside(path))
        .take(MOST);
    let values = actions.filter_map(|path| read_value(folder.join(path)).ok());
    values
        .filter_map(|(value, _)| member(value.as_object()?, "handler").map(str::to_owned))
        .filter(|handler| is_id(handler))
        .collect()
}

fn read_text(file: &Path) -> Option<String> {
    let length = fs::metadata(file).ok()?;
    if !length.is_file() || length.len() > TEXT_BYTES {
        return None;
    }
    let bytes = fs::read(file).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// For each graph, which of its calls lead to a graph that does not lead back: those are the ones that types can
/// follow.
fn calls(graphs: &[Graph]) -> Vec<Map<usize, usize>> {
    let by_id: Map<&str, usize> = graphs
        .iter()
        .enumerate()
        .map(|(index, graph)| (graph.id.as_str(), index))
        .collect();
    let mut calls: Vec<Map<usize, usize>> = vec![Map::new(); graphs.len()];
    for (caller, graph) in graphs.iter().enumerate() {
        for (position, node) in graph.nodes.iter().enumerate() {
            let called = node.graph.as_deref().and_then(|id| by_id.get(id).copied());
            if let (NodeKind::Subgraph, Some(called)) = (kind(node), called)
                && !leads_to(&calls, called, caller)
                && let Some(calls) = calls.get_mut(caller)
            {
                calls.insert(position, called);
            }
        }
    }
    calls
}

fn leads_to(calls: &[Map<usize, usize>], from: usize, to: usize) -> bool {
    let mut seen = Set::from_iter([from]);
    let mut pending = vec![from];
    while let Some(graph) = pending.pop() {
        if graph == to {
            return true;
        }
        for &called in calls.get(graph).into_iter().flat_map(Map::values) {
            if seen.insert(called) {
                pending.push(called);
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_circle_of_calls_is_cut() {
        let graph = |id: &str, called: &str| Graph {
            id: id.to_owned(),
            entries: vec!["default".to_owned()],
            nodes: vec![Node {
                id: "call".to_owned(),
                kind: "subgraph".to_owned(),
                graph: Some(called.to_owned()),
                ..Node::default()
            }],
        };
        let calls = calls(&[
            graph("a", "b"),
            graph("b", "c"),
            graph("c", "a"),
            graph("d", "d"),
        ]);
        let counts: Vec<usize> = calls.iter().map(Map::len).collect();
        assert_eq!(counts, [1, 1, 0, 0]);
    }

    #[test]
    fn of_any_text_a_module_is_made() {
        let folder =
            std::env::temp_dir().join(format!("agent-graph-sketch-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let manifest = folder.join("provider.yaml");
        let settings = crate::Settings::new(crate::names::identifier("release"));
        for graph in [
            "id: ''\nentrypoints: { '': a }\nnodes:\n  - { id: '', kind: x }\n",
            "id: \u{1f527}\nnodes:\n  - { id: 'a b', kind: action }\n  - { id: -, kind: gate }\n",
            "id: A\nnodes:\n  - { id: A-B, kind: action, reasonCode: ä }\n  - { id: AB, kind: action }\n  - { id: ABC",
            "id: self\nnodes:\n  - { id: self, kind: subgraph, graph: self }\n  - { id: 9, kind: [] }\n",
            "[1, 2]",
            "\u{0}",
        ] {
            fs::write(
                &manifest,
                "graphs: [a.yaml, a.yaml, ../b.yaml, none.yaml, 7]\n",
            )
            .unwrap();
            fs::write(folder.join("a.yaml"), graph).unwrap();
            let module = crate::bake::skeleton(&manifest, &settings).unwrap();
            let tokens = module.to_tokens(&proc_macro2::TokenStream::new()).unwrap();
            assert!(tokens.to_string().contains("mod none"), "{graph}");
            assert!(
                crate::bake::bare(&manifest, &settings)
                    .to_string()
                    .contains("mod none")
            );
        }
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn nothing_outside_of_the_folder_is_read() {
        assert!(is_inside("graphs/a.yaml") && is_inside("./a..b.yaml"));
        for path in [
            "../a.yaml",
            "/etc/passwd",
            "a/../../b",
            "C:\\a",
            "a\\..\\..\\b",
        ] {
            assert!(!is_inside(path), "{path}");
        }
    }
}
