//! Whether a node can be reached with its required facts holding. Only what leads to the node matters to
//! that: in each frame on the way to it, the nodes from which the next step can be got to over edges. All
//! the rest is left aside, which keeps the search short without making it less exact.

use alloc::rc::Rc;
use alloc::vec::Vec;

use super::Possibility;
use super::answers::Recorded;
use super::explorer::Explorer;
use super::oracle::{Choose, Gone, Oracle, Scope};
use super::work::Work;
use crate::evaluate::Frame;
use crate::tables::NONE;

impl Explorer<'_> {
    /// Whether there is a way on which `node` is reached and its required facts hold, in the frame that
    /// the calls lead to. Lowers `work` by what it was to find that out.
    pub fn possible(
        &mut self,
        graph: u32,
        entry: u32,
        calls: &[u32],
        node: u32,
        work: &mut Work,
    ) -> Possibility {
        if work.left() == 0 {
            return Possibility::NotDecided;
        }
        let mut steps: Vec<u32> = calls.to_vec();
        steps.push(node);
        let cones = steps.iter().map(|&step| self.cone(step, work)).collect();
        let mut target = Target {
            cones,
            steps,
            levels: Vec::new(),
            hit: false,
        };
        let mut oracle = Oracle::new(self.tables, graph, entry, Recorded::Any);
        loop {
            match oracle.go(self, &mut target, work) {
                Gone::One if target.hit => return Possibility::Possible,
                Gone::One => {}
                Gone::All if oracle.incomplete => return Possibility::NotDecided,
                Gone::All => return Possibility::Impossible,
                Gone::Stopped => return Possibility::NotDecided,
            }
        }
    }

    /// The nodes of a graph from which `node` can be got to over edges of any kind, itself included.
    fn cone(&mut self, node: u32, work: &mut Work) -> Rc<[bool]> {
        let own = self.tables.row(self.tables.nodes, node).graph;
        let (incoming, read) = self.incoming(own);
        let (first, count) = {
            let nodes = self.tables.row(self.tables.graphs, own).nodes;
            (nodes.0, nodes.1)
        };
        let position = |node: u32| node.saturating_sub(first) as usize;
        let mut marked = alloc::vec![false; count as usize];
        // Marks are bytes side by side, and many of them are little work.
        let mut done = u64::from(read) + u64::from(count / 64);
        let mut left = Vec::from([node]);
        while let Some(node) = left.pop() {
            let Some(mark) = marked.get_mut(position(node)) else {
                continue;
            };
            if core::mem::replace(mark, true) {
                continue;
            }
            let start = incoming.partition_point(|&(to, _)| to < node);
            let own = incoming.get(start..).unwrap_or(&[]).iter();
            let before = left.len();
            left.extend(own.take_while(|(to, _)| *to == node).map(|&(_, from)| from));
            done += 1 + (left.len() - before) as u64;
        }
        work.spend(done);
        marked.into()
    }
}

struct Target {
    /// The calls to follow, then the node.
    steps: Vec<u32>,
    /// What matters to each step.
    cones: Vec<Rc<[bool]>>,
    /// How far along the steps each frame is; `None` for frames beside the way.
    levels: Vec<Option<usize>>,
    hit: bool,
}

impl Target {
    fn level(&self, frame: u32) -> Option<usize> {
        self.levels.get(frame as usize).copied().flatten()
    }
}

impl Choose for Target {
    fn begin(&mut self) {
        self.levels.clear();
        self.hit = false;
    }

    /// Graphs whose calling node does not matter are not evaluated, so beside the way everything matters.
    fn scope(&mut self, _: u32, row: Frame) -> Scope {
        let level = match (row.parent, self.level(row.parent)) {
            (NONE, _) => Some(0),
            (_, Some(level)) if self.steps.get(level) == Some(&row.caller) => Some(level + 1),
            _ => None,
        };
        self.levels.push(level);
        match level.and_then(|level| self.cones.get(level)) {
            Some(cone) => Scope::Marked(Rc::clone(cone)),
            None => Scope::All,
        }
    }

    fn enters(&mut self, frame: u32, node: u32) -> bool {
        let next = self.level(frame).and_then(|level| self.steps.get(level));
        next == Some(&node)
    }

    fn active(&mut self, frame: u32, node: u32) {
        self.hit |= self.level(frame).map(|level| level + 1) == Some(self.steps.len())
            && self.steps.last() == Some(&node);
    }
}
