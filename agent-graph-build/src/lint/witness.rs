//! States that show what a lint claims, so that anybody can see it with the evaluator.

use agent_graph_runtime::{Outcome, State, Status};

/// A state and what an evaluation of it shows.
#[derive(Clone, Debug)]
pub struct Witness {
    /// The graph to evaluate.
    pub graph: String,
    /// The entry to evaluate it at.
    pub entry: String,
    /// The state to evaluate it in.
    pub state: State,
    /// What can be seen.
    pub shows: Shows,
}

/// What a witness shows.
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
}
