//! Finds cycles in a directed graph, without recursion and in time linear in its size. Knows numbers
//! only: what nodes and edges stand for is the caller's matter.

use alloc::vec::Vec;

/// The most cycles that are reported: breaking one often breaks others.
const CYCLES_LIMIT: usize = 10;

/// A directed graph: for each node the targets of its edges, each with a label.
pub(super) struct Adjacency {
    /// Where the edges of each node begin, and behind the last node where they end.
    starts: Vec<usize>,
    /// Target and label.
    edges: Vec<(usize, usize)>,
}

impl Adjacency {
    /// The graph with `count` nodes and these edges (source, target, label). The edges of a node keep
    /// their order. Edges of nodes beyond `count` are left out.
    pub(super) fn new(count: usize, edges: &[(usize, usize, usize)]) -> Self {
        let edges = edges
            .iter()
            .filter(|(from, to, _)| *from < count && *to < count);
        let mut starts = alloc::vec![0; count + 1];
        for (from, _, _) in edges.clone() {
            if let Some(start) = starts.get_mut(from + 1) {
                *start += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut next = starts.clone();
        let mut placed = alloc::vec![(0, 0); sum];
        for (from, to, label) in edges {
            if let Some(at) = next.get_mut(*from) {
                if let Some(slot) = placed.get_mut(*at) {
                    *slot = (*to, *label);
                }
                *at += 1;
            }
        }
        Self {
            starts,
            edges: placed,
        }
    }

    /// How many nodes there are.
    pub(super) fn count(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Targets and labels of the edges of a node.
    pub(super) fn from(&self, node: usize) -> &[(usize, usize)] {
        let start = self.starts.get(node).copied().unwrap_or(0);
        let end = self.starts.get(node + 1).copied().unwrap_or(start);
        self.edges.get(start..end).unwrap_or(&[])
    }
}

/// One step of a cycle: a node, and the label of the edge that leaves it along the cycle.
pub(super) type Step = (usize, usize);

/// Cycles without common nodes, in the order in which a depth-first search meets them: nodes in order,
/// successors in edge order. Each begins at the node that the closing edge leads to.
pub(super) fn cycles(graph: &Adjacency) -> Vec<Vec<Step>> {
    let mut search = Search {
        graph,
        state: alloc::vec![State::New; graph.count()],
        path: Vec::new(),
        used: alloc::vec![false; graph.count()],
        found: Vec::new(),
        attempts: 0,
    };
    for node in 0..graph.count() {
        search.visit(node);
    }
    search.found
}

/// Nodes with what they call before them, as far as there are no cycles.
pub(super) fn callees_first(graph: &Adjacency) -> Vec<usize> {
    let mut search = Search {
        graph,
        state: alloc::vec![State::New; graph.count()],
        path: Vec::new(),
        used: Vec::new(),
        found: Vec::new(),
        attempts: CYCLES_LIMIT,
    };
    let mut order = Vec::with_capacity(graph.count());
    for node in 0..graph.count() {
        order.extend(search.visit(node));
    }
    order
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    OnPath,
    Done,
}

struct Search<'g> {
    graph: &'g Adjacency,
    state: Vec<State>,
    /// The path from the start: each node with the number of its edges already followed.
    path: Vec<(usize, usize)>,
    /// Nodes of cycles already found.
    used: Vec<bool>,
    found: Vec<Vec<Step>>,
    attempts: usize,
}

impl Search<'_> {
    fn state_of(&self, node: usize) -> State {
        self.state.get(node).copied().unwrap_or(State::Done)
    }

    fn set(&mut self, node: usize, to: State) {
        if let Some(state) = self.state.get_mut(node) {
            *state = to;
        }
    }

    /// Searches from a node; gives the nodes that were finished, in that order.
    fn visit(&mut self, start: usize) -> Vec<usize> {
        let mut finished = Vec::new();
        if self.state_of(start) != State::New {
            return finished;
        }
        self.set(start, State::OnPath);
        self.path.push((start, 0));
        while let Some((node, followed)) = self.path.last_mut() {
            let node = *node;
            let Some(&(target, _)) = self.graph.from(node).get(*followed) else {
                self.set(node, State::Done);
                self.path.pop();
                finished.push(node);
                continue;
            };
            *followed += 1;
            match self.state_of(target) {
                State::New => {
                    self.set(target, State::OnPath);
                    self.path.push((target, 0));
                }
                State::OnPath => self.close(target),
                State::Done => {}
            }
        }
        finished
    }

    /// The last node of the path has an edge to `target`, which is on the path.
    fn close(&mut self, target: usize) {
        if self.attempts >= CYCLES_LIMIT || self.used.get(target).copied().unwrap_or(true) {
            return;
        }
        self.attempts += 1;
        let start = self.path.iter().rposition(|(node, _)| *node == target);
        let steps = self.path.get(start.unwrap_or(0)..).unwrap_or(&[]);
        let cycle: Vec<Step> = steps
            .iter()
            .filter_map(|&(node, followed)| {
                let (_, label) = self.graph.from(node).get(followed.checked_sub(1)?)?;
                Some((node, *label))
            })
            .collect();
        let is_used = |node: &usize| self.used.get(*node).copied().unwrap_or(true);
        if cycle.iter().any(|(node, _)| is_used(node)) {
            return;
        }
        for (node, _) in &cycle {
            if let Some(used) = self.used.get_mut(*node) {
                *used = true;
            }
        }
        self.found.push(cycle);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(count: usize, edges: &[(usize, usize)]) -> Adjacency {
        let labelled: Vec<_> = edges
            .iter()
            .enumerate()
            .map(|(label, &(from, to))| (from, to, label))
            .collect();
        Adjacency::new(count, &labelled)
    }

    #[test]
    fn a_graph_without_cycle_has_none() {
        assert_eq!(cycles(&graph(3, &[(0, 1), (1, 2), (0, 2)])), [[]; 0]);
    }

    #[test]
    fn a_self_edge_is_a_cycle() {
        assert_eq!(cycles(&graph(2, &[(0, 1), (1, 1)])), [[(1, 1)]]);
    }

    #[test]
    fn separate_cycles_are_found_together_and_overlapping_ones_once() {
        let found = cycles(&graph(5, &[(0, 1), (1, 0), (1, 1), (2, 3), (3, 4), (4, 2)]));
        assert_eq!(found.len(), 2);
        assert_eq!(found[0], [(0, 0), (1, 1)]);
        assert_eq!(found[1], [(2, 3), (3, 4), (4, 5)]);
    }

    #[test]
    fn a_long_chain_does_not_exhaust_the_stack() {
        let count = 200_000;
        let mut edges: Vec<_> = (1..count).map(|node| (node - 1, node)).collect();
        edges.push((count - 1, 0));
        let found = cycles(&graph(count, &edges));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].len(), count);
    }

    #[test]
    fn callees_come_before_their_callers() {
        let order = callees_first(&graph(4, &[(0, 2), (2, 3), (1, 3)]));
        assert_eq!(order, [3, 2, 0, 1]);
    }
}
