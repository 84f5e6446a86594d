//! What can be known of the nodes of a pi-graph that does not load: their ids and kinds, in the form of tables.
//! Guesses rather than refuses; nothing of it is ever run.

use std::path::Path;

use agent_graph_runtime::json::{Object, Value};
use agent_graph_runtime::load::read_value;
use agent_graph_runtime::pi::tables::{NodeRow, OwnedTables};
use agent_graph_runtime::pi::words::NodeType;
use agent_graph_runtime::tables::{Row, Text};

/// More nodes than this are not looked at.
const MOST: usize = 1000;

/// The tables of what is known; empty ones in the worst case.
pub(super) fn tables(file: &Path) -> OwnedTables {
    let mut tables = OwnedTables::default();
    let value = read_value(file).map(|(value, _)| value);
    let nodes = value.as_ref().ok().and_then(Value::as_object);
    let nodes = nodes.and_then(|graph| graph.get("nodes")?.as_object());
    for (id, node) in nodes.into_iter().flat_map(Object::iter).take(MOST) {
        let row = NodeRow {
            id: add(&mut tables.text, id),
            node_type: node_type(node),
            ..*NodeRow::ABSENT
        };
        tables.nodes.push(row);
    }
    tables
}

/// A node of no known kind is most likely one that runs an agent.
fn node_type(node: &Value) -> NodeType {
    let kind = node.as_object().and_then(|node| node.get("type")?.as_str());
    match kind {
        Some("set") => NodeType::Set,
        Some("human") => NodeType::Human,
        _ => NodeType::Agent,
    }
}

fn add(pool: &mut String, text: &str) -> Text {
    let (Ok(start), Ok(length)) = (u32::try_from(pool.len()), u32::try_from(text.len())) else {
        return Text::NONE;
    };
    pool.push_str(text);
    Text(start, length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_of_a_wrong_graph_keep_their_ids_and_kinds() {
        let file = std::env::temp_dir().join(format!("pi-sketch-{}.json", std::process::id()));
        let text = r#"{"nodes":{"a b":{"type":"set"},"ask":{"type":"human","promt":1},"x":{"type":"agnet"},"y":7}}"#;
        std::fs::write(&file, text).unwrap();
        let tables = tables(&file);
        let tables = tables.as_tables();
        let nodes = tables.nodes.iter();
        let nodes: Vec<_> = nodes
            .map(|row| (tables.text(row.id), row.node_type))
            .collect();
        assert_eq!(
            nodes,
            [
                ("a b", NodeType::Set),
                ("ask", NodeType::Human),
                ("x", NodeType::Agent),
                ("y", NodeType::Agent),
            ]
        );
        std::fs::write(&file, "{\"nodes\":[").unwrap();
        assert_eq!(super::tables(&file).nodes.len(), 0);
        std::fs::remove_file(&file).unwrap();
    }
}
