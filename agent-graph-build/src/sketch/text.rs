//! Names in a text that is not well-formed, found line by line. Knows how definitions are usually written.

use super::{Graph, Node};

/// The paths that the text lists under `graphs`.
pub(super) fn graph_paths(text: &str) -> Vec<String> {
    let mut below = text.lines().skip_while(|line| !opens(line, "graphs"));
    let first = below.next().unwrap_or_default();
    let rest = below.take_while(|line| !is_top(line));
    std::iter::once(first)
        .chain(rest)
        .flat_map(|line| line.split(is_separator))
        .filter(|word| {
            let extension = word.rsplit_once('.').map_or("", |(_, extension)| extension);
            matches!(extension, "yaml" | "yml" | "json") && super::is_inside(word)
        })
        .map(str::to_owned)
        .collect()
}

/// The graph that the text describes.
pub(super) fn graph(text: &str) -> Graph {
    let mut graph = Graph::default();
    let mut section = "";
    // The lines of the node at hand.
    let mut node = String::new();
    for line in text.lines() {
        if is_top(line) {
            section = line
                .split(':')
                .next()
                .unwrap_or_default()
                .trim_matches(is_quote);
            if section == "id" {
                graph.id = value(line, "id").unwrap_or_default();
            }
        }
        match section {
            "entrypoints" => graph.entries.extend(entries(line)),
            "nodes" if line.trim_start().starts_with("- ") => {
                graph.nodes.extend(self::node(&std::mem::take(&mut node)));
                node.push_str(line);
            }
            "nodes" => {
                node.push('\n');
                node.push_str(line);
            }
            _ => {}
        }
    }
    graph.nodes.extend(self::node(&node));
    graph
}

/// The names before the colons of a line.
fn entries(line: &str) -> Vec<String> {
    let line = line.trim_start();
    let line = line.strip_prefix("entrypoints:").unwrap_or(line);
    let pairs = line.split([',', '{', '}']);
    pairs
        .filter_map(|pair| pair.split_once(':'))
        .map(|(name, _)| name.trim().trim_matches(is_quote).to_owned())
        .filter(|name| !name.is_empty() && !name.starts_with('#'))
        .collect()
}

fn node(text: &str) -> Option<Node> {
    Some(Node {
        id: value(text, "id")?,
        kind: value(text, "kind").unwrap_or_default(),
        graph: value(text, "graph"),
        reason: value(text, "reasonCode"),
        authority: value(text, "authority"),
        action: value(text, "action"),
    })
}

/// The first text behind this key.
fn value(text: &str, key: &str) -> Option<String> {
    text.match_indices(key).find_map(|(at, _)| {
        let before = text.get(..at)?.chars().next_back();
        let behind = text
            .get(at + key.len()..)?
            .trim_start_matches(is_quote)
            .strip_prefix(':')?;
        let is_key = before.is_none_or(|before| is_separator(before) || before == '-');
        let value = behind.trim_start().split(['\n', ',', '}', '#']).next()?;
        let value = value.trim().trim_matches(is_quote);
        (is_key && !value.is_empty()).then(|| value.to_owned())
    })
}

/// Whether the line begins at the margin with a key.
fn is_top(line: &str) -> bool {
    line.starts_with(|first: char| first.is_alphabetic() || is_quote(first))
}

fn opens(line: &str, key: &str) -> bool {
    let line = line.trim_start_matches(is_quote);
    line.strip_prefix(key)
        .is_some_and(|rest| rest.trim_start_matches(is_quote).starts_with(':'))
}

fn is_quote(character: char) -> bool {
    matches!(character, '"' | '\'')
}

fn is_separator(character: char) -> bool {
    character.is_whitespace() || matches!(character, '"' | '\'' | ',' | '[' | ']' | '{' | '}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_though_a_bracket_is_missing() {
        let graph = graph(
            "schema: agent-graph.graph.v1\nid: release\nentrypoints: { default: a, 2nd: b }\nnodes:\n  \
             - { id: a, kind: action, reasonCode: route.a, action: [actions/a.yaml }\n  \
             - id: b\n    kind: gate\n    gate: { id: g, authority: boss }\n  \
             - { id: c, kind: subgraph, graph: other, entry: e }\nedges:\n  - { from: a, to: b }\n",
        );
        assert_eq!(graph.id, "release");
        assert_eq!(graph.entries, ["default", "2nd"]);
        let nodes: Vec<_> = graph
            .nodes
            .iter()
            .map(|node| (&*node.id, &*node.kind))
            .collect();
        assert_eq!(nodes, [("a", "action"), ("b", "gate"), ("c", "subgraph")]);
        assert_eq!(graph.nodes[2].graph.as_deref(), Some("other"));
        assert_eq!(graph.nodes[1].authority.as_deref(), Some("boss"));
    }

    #[test]
    fn entries_stand_on_lines_of_their_own_as_well() {
        let graph = graph("id: a\nentrypoints:\n  default: x\n  # later\n  'again': y\nnodes: [\n");
        assert_eq!(graph.entries, ["default", "again"]);
    }

    #[test]
    fn the_graphs_of_a_manifest_are_found_by_their_names() {
        assert_eq!(
            graph_paths("id: x\ngraphs: [graphs/a.yaml, 'b.json'\nversion 1\n"),
            ["graphs/a.yaml", "b.json"]
        );
        assert_eq!(
            graph_paths("graphs:\n  - a.yml\n  - ../b.yml\ncodes: c.yaml\n"),
            ["a.yml"]
        );
        assert_eq!(graph_paths(""), [] as [&str; 0]);
    }
}
