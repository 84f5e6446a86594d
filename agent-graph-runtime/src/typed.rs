//! Compiled-in names: what generated code implements, and how a step is found from a candidate.

use crate::tables::NodeRow;

/// A graph with compiled-in names. Generated code implements it; [`Untyped`] stands for a graph that has
/// none.
pub trait Graph: Copy + Send + Sync + 'static {
    /// The steps a host can be asked to take: action and gate nodes of the graph and of all it calls.
    type Step: Copy;
    /// The graph id.
    const ID: &'static str;
    /// Digest of the names and the structure that the types stand for.
    const SHAPE: [u8; 32];
    /// The step at the end of a call path; `None` when the path leads to none.
    #[doc(hidden)]
    fn step(path: StepPath<'_>) -> Option<Self::Step>;
    /// Whether the types fit a graph with this id and shape.
    #[doc(hidden)]
    fn fits(id: &str, shape: &[u8; 32]) -> bool {
        id == Self::ID && *shape == Self::SHAPE
    }
}

/// The graph of an evaluation whose names are not compiled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Untyped;

/// A step without a compiled-in name; [`Candidate::node`](crate::Candidate::node) has its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeRef(u32);

impl Graph for Untyped {
    type Step = NodeRef;
    const ID: &'static str = "";
    const SHAPE: [u8; 32] = [0; 32];

    fn step(path: StepPath<'_>) -> Option<NodeRef> {
        Some(NodeRef(path.node))
    }

    fn fits(_: &str, _: &[u8; 32]) -> bool {
        true
    }
}

/// The way from the evaluated graph to a node: the ranks of the calling subgraph nodes, outermost first,
/// then the rank of the node itself.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct StepPath<'e> {
    pub(crate) nodes: &'e [NodeRow],
    /// Calls still to follow.
    pub(crate) calls: &'e [u32],
    pub(crate) node: u32,
    pub(crate) done: bool,
}

impl Iterator for StepPath<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let node = match self.calls.split_first() {
            Some((&call, rest)) => {
                self.calls = rest;
                call
            }
            None if self.done => return None,
            None => {
                self.done = true;
                self.node
            }
        };
        self.nodes.get(node as usize).map(|row| row.rank)
    }
}
