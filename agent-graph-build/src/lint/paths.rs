//! Ways through the edges of graphs, whatever makes them hit. Knows edges alone.

use std::collections::VecDeque;
use std::collections::btree_map::{BTreeMap, Entry};

use super::subject::Subject;

/// Shortest ways from entries, found once for each graph.
#[derive(Default)]
pub(crate) struct Paths {
    /// By graph and node: the node before, and how many there are up to here.
    trees: BTreeMap<u32, BTreeMap<u32, (Option<u32>, u64)>>,
}

impl Paths {
    /// How many nodes the path to a node has.
    pub(crate) fn length(&mut self, subject: &Subject<'_>, node: u32) -> u64 {
        let known = self.tree(subject, subject.node_row(node).graph).get(&node);
        known.map_or(1, |&(_, length)| length)
    }

    /// Ids of nodes from the node of an entry along edges to a node, as few as can be; that one alone where
    /// no edges lead there.
    pub(crate) fn to(&mut self, subject: &Subject<'_>, node: u32) -> Vec<String> {
        let tree = self.tree(subject, subject.node_row(node).graph);
        let mut path = vec![subject.node_id(node).to_owned()];
        let mut at = node;
        while let Some(&(Some(before), _)) = tree.get(&at) {
            path.push(subject.node_id(before).to_owned());
            at = before;
        }
        path.reverse();
        path
    }

    fn tree(&mut self, subject: &Subject<'_>, graph: u32) -> &BTreeMap<u32, (Option<u32>, u64)> {
        self.trees
            .entry(graph)
            .or_insert_with(|| tree(subject, graph))
    }
}

fn tree(subject: &Subject<'_>, graph: u32) -> BTreeMap<u32, (Option<u32>, u64)> {
    let entries = subject.entries_of(graph);
    let first = entries.map(|at| subject.tables.row(subject.tables.entries, at.entry).node);
    let mut left: VecDeque<(u32, u64)> = first.map(|node| (node, 1)).collect();
    let mut tree: BTreeMap<u32, (Option<u32>, u64)> = left
        .iter()
        .map(|&(node, length)| (node, (None, length)))
        .collect();
    while let Some((node, length)) = left.pop_front() {
        for edge in subject.edges_from(node) {
            let to = subject.tables.row(subject.tables.edges, edge).to;
            if let Entry::Vacant(place) = tree.entry(to) {
                place.insert((Some(node), length + 1));
                left.push_back((to, length + 1));
            }
        }
    }
    tree
}
