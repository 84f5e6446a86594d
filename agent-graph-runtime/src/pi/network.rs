//! Nodes and what leads to what, by number: the target groups of a definition resolved, what is reached, and
//! which nodes lie on a cycle. Knows nothing about why anybody asks.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use super::definition::{Definition, GroupPlace};
use super::words::END;

/// A target group with its nodes looked up.
pub(crate) struct Group {
    pub(crate) place: GroupPlace,
    /// The sources that are nodes.
    pub(crate) sources: Vec<usize>,
    /// The targets as listed, without the end of the graph; `None` for what is no node.
    pub(crate) targets: Vec<Option<usize>>,
}

/// The nodes and groups of a definition.
pub(crate) struct Network<'d> {
    positions: BTreeMap<&'d str, usize>,
    pub(crate) groups: Vec<Group>,
    /// What each node leads to.
    successors: Vec<Vec<usize>>,
}

impl<'d> Network<'d> {
    /// The network of a definition.
    pub(crate) fn of(definition: &'d Definition) -> Self {
        let ids = definition.nodes.iter().map(|node| node.id.as_str());
        let positions: BTreeMap<&str, usize> = ids.zip(0..).collect();
        let mut groups = Vec::new();
        let mut successors = vec![Vec::new(); definition.nodes.len()];
        for group in definition.target_groups() {
            let named = group.targets.iter().filter(|target| *target != END);
            let targets: Vec<Option<usize>> = named
                .map(|target| positions.get(target.as_str()).copied())
                .collect();
            let sources: Vec<usize> = group
                .sources
                .iter()
                .filter_map(|source| positions.get(source).copied())
                .collect();
            groups.push(Group {
                place: group.place,
                sources,
                targets,
            });
        }
        // An edge links each source with each target: by a node of its own between them, so that the links
        // do not multiply.
        for group in &groups {
            let between = successors.len();
            successors.push(group.targets.iter().filter_map(|target| *target).collect());
            for &source in &group.sources {
                if let Some(list) = successors.get_mut(source) {
                    list.push(between);
                }
            }
        }
        Self {
            positions,
            groups,
            successors,
        }
    }

    /// The position of the node with this id.
    pub(crate) fn position(&self, id: &str) -> Option<usize> {
        self.positions.get(id).copied()
    }

    /// Which nodes are reached from the entry.
    pub(crate) fn reached(&self) -> Vec<bool> {
        let entry = self
            .groups
            .iter()
            .filter(|group| group.place == GroupPlace::Entry);
        let mut open: Vec<usize> = entry
            .flat_map(|group| group.targets.iter().filter_map(|target| *target))
            .collect();
        let mut reached = vec![false; self.successors.len()];
        while let Some(at) = open.pop() {
            match reached.get_mut(at) {
                Some(known) if !*known => *known = true,
                _ => continue,
            }
            open.extend(self.successors.get(at).into_iter().flatten());
        }
        reached.truncate(self.positions.len());
        reached
    }

    /// For each node, the number of its cycle, or nothing when it is on none. Nodes on one cycle have the
    /// same number, and so have those of cycles that share nodes.
    pub(crate) fn cycles(&self) -> Vec<Option<usize>> {
        let components = components(&self.successors);
        let mut sizes = vec![0_usize; self.successors.len() + 1];
        for &component in &components {
            if let Some(size) = sizes.get_mut(component) {
                *size += 1;
            }
        }
        // A node that leads to itself does so by way of the group between, so its component has two.
        components
            .iter()
            .take(self.positions.len())
            .map(|&component| {
                let size = sizes.get(component).copied().unwrap_or(0);
                (size > 1).then_some(component)
            })
            .collect()
    }
}

/// For each node the number of its strongly connected component (Tarjan, without recursion).
fn components(successors: &[Vec<usize>]) -> Vec<usize> {
    const UNSEEN: usize = usize::MAX;
    let count = successors.len();
    let mut order = vec![UNSEEN; count];
    let mut low = vec![0; count];
    let mut component = vec![UNSEEN; count];
    let mut stack = Vec::new();
    let mut next_order = 0;
    let mut next_component = 0;
    for start in 0..count {
        if order[start] != UNSEEN {
            continue;
        }
        // The path of the walk: a node, and how many of its successors have been looked at. All indices
        // are below `count`.
        let mut walk = vec![(start, 0)];
        while let Some((at, looked_at)) = walk.last_mut() {
            let at = *at;
            if *looked_at == 0 {
                order[at] = next_order;
                low[at] = next_order;
                next_order += 1;
                stack.push(at);
            }
            let next = successors[at].get(*looked_at).copied();
            *looked_at += 1;
            match next {
                Some(next) if order[next] == UNSEEN => walk.push((next, 0)),
                Some(next) if component[next] == UNSEEN => low[at] = low[at].min(order[next]),
                Some(_) => {}
                None => {
                    walk.pop();
                    if let Some(&(parent, _)) = walk.last() {
                        low[parent] = low[parent].min(low[at]);
                    }
                    if low[at] == order[at] {
                        while let Some(member) = stack.pop() {
                            component[member] = next_component;
                            if member == at {
                                break;
                            }
                        }
                        next_component += 1;
                    }
                }
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_agree_with_mutual_reachability() {
        let mut random: u64 = 0x2545_f491_4f6c_dd1d;
        for _ in 0..300 {
            let mut next = |bound: usize| {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                usize::try_from(random >> 33).unwrap() % bound
            };
            let count = 1 + next(8);
            let graph: Vec<Vec<usize>> = (0..count)
                .map(|_| (0..next(4)).map(|_| next(count)).collect())
                .collect();
            let reaches = |from: usize, to: usize| {
                let mut seen = vec![false; count];
                let mut open = vec![from];
                while let Some(at) = open.pop() {
                    if !core::mem::replace(&mut seen[at], true) {
                        open.extend(&graph[at]);
                    }
                }
                seen[to]
            };
            let components = components(&graph);
            for a in 0..count {
                for b in 0..count {
                    let together = reaches(a, b) && reaches(b, a);
                    assert_eq!(components[a] == components[b], together, "{graph:?}");
                }
            }
        }
    }

    #[test]
    fn a_long_chain_does_not_exhaust_the_stack() {
        let count = 200_000;
        let chain: Vec<Vec<usize>> = (0..count).map(|at| vec![(at + 1) % count]).collect();
        assert!(components(&chain).iter().all(|&component| component == 0));
    }
}
