//! What shows that a lint is right, so that anybody can see it: with the evaluator, or in the definition.

use agent_graph_runtime::{Outcome, State, Status};

/// What shows that a finding is right.
#[derive(Clone, Debug)]
pub enum Witness {
    /// A state, and what an evaluation of it shows.
    State {
        /// The graph to evaluate.
        graph: String,
        /// The entry to evaluate it at.
        entry: String,
        /// The state to evaluate it in.
        state: Box<State>,
        /// What can be seen.
        shows: Shows,
    },
    /// Two things in the definition of a node that cannot be together, whatever the state.
    Clash {
        /// The graph.
        graph: String,
        /// Ids of nodes, from the node of an entry along edges to the last one. Where no edges lead there
        /// from any entry, that one alone.
        path: Vec<String>,
        /// What cannot be together.
        clash: Clash,
    },
}

/// What a state shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shows {
    /// The evaluation has this status.
    Status(Status),
    /// The evaluation is not complete, though all facts hold and all work is completed, as far as that can be.
    NeverCompletes,
    /// The node with this state key is not reached.
    NotReached(String),
    /// The node with this state key is reached, and facts that it requires are missing.
    FactsMissing(String),
    /// The node with this state key comes to a value that no edge handles.
    Unhandled(String, Outcome),
    /// The node with this state key is pending, though an outcome is recorded for it.
    StillPending(String),
    /// `completed` is recorded under this state key and comes to `unverified`.
    Unverified(String),
    /// The node with this state key is reached and has the facts that it requires, but not those that prove
    /// it done: recording `completed` does not complete it, nor does any authority.
    Unproven(String),
}

/// What cannot be together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clash {
    /// Two checks of the last node of the path, by position among those of `requiresFacts` followed by those
    /// of `satisfiedBy`, that hold in no facts together. The same one twice holds in none alone.
    Checks(usize, usize),
    /// Two edges from the last node of the path that another one joins, by position in the graph. No outcome
    /// makes both hit.
    Edges(usize, usize),
}
