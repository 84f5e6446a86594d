//! Targets with the names of a graph that is compiled in. Knows nothing about a single graph.

use core::fmt;
use core::str::FromStr;

use super::words::END;
use crate::protocol::UnknownName;

/// Where an edge or a route leads: to a node, or to the end of the graph. `N` is the generated `Node` of a
/// graph.
///
/// ```
/// use agent_graph_runtime::pi::Target;
/// # use agent_graph_runtime::pi::words::NodeType as Node;
/// assert_eq!("__end__".parse::<Target<Node>>(), Ok(Target::End));
/// assert_eq!("agent".parse(), Ok(Target::Node(Node::Agent)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target<N> {
    /// The end of the graph.
    End,
    /// A node.
    Node(N),
}

impl<N: fmt::Display> fmt::Display for Target<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::End => f.pad(END),
            Self::Node(node) => fmt::Display::fmt(node, f),
        }
    }
}

impl<N: FromStr<Err = UnknownName>> FromStr for Target<N> {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        match text {
            END => Ok(Self::End),
            other => other.parse().map(Self::Node),
        }
    }
}

impl<N> From<N> for Target<N> {
    fn from(node: N) -> Self {
        Self::Node(node)
    }
}
