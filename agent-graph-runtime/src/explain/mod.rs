//! Why a run stands where it stands: what each node of the frontier is missing, what would make progress,
//! what cannot be at all, and which names of the input nobody knows. Built on the evaluator, beside it:
//! an evaluation that nobody asks to explain pays nothing.

mod frontier;
mod moves;
mod names;
mod need;
mod stand;
mod trial;
mod wire;

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::digest::Digest;
use crate::error::Error;
use crate::evaluate::Scratch;
use crate::evaluator;
use crate::explore::{self, Trace};
use crate::protocol::{Availability, NodeKind, Outcome, Status};
use crate::provider::Provider;
use crate::state::State;

pub use crate::explore::Possibility;
pub use need::{Expected, FactNeed, FactType, Need, Purpose};
#[doc(hidden)]
pub use stand::FrameStand;

/// How much work an explanation may be, counted in what the evaluations behind it look at, so that the
/// limits mean the same for small and for large graphs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExplainLimits {
    /// For changes of the input that are tried out, see [`Explanation::moves`].
    pub moves: u32,
    /// For ways an evaluation can go that are looked at, see [`FrontierNode::possibility`].
    pub ways: u32,
}

impl Default for ExplainLimits {
    fn default() -> Self {
        Self {
            moves: 1_000_000,
            ways: 1_000_000,
        }
    }
}

/// Why a run stands where it stands. Everything in it has a stable order; it serializes to JSON.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The provider.
    pub provider: String,
    /// The evaluated graph.
    pub graph: String,
    /// The entry.
    pub entry: String,
    /// The revision of the evaluation that is explained.
    pub revision: Digest,
    /// Its status.
    pub status: Status,
    /// Its outcome, where it is complete.
    pub outcome: Option<Outcome>,
    /// Where the run stands: never empty when the status is `blocked`, `waiting-user` or `actionable`.
    /// Frames in the order in which they were called, nodes in the order in which they are written.
    pub frontier: Vec<FrontierNode>,
    /// Single changes that make progress, in the order of the nodes they are about.
    pub moves: Vec<Move>,
    /// Whether every single change was tried, so that a change which is not listed makes no progress.
    pub moves_complete: bool,
    /// Recorded outcomes that this graph does not read.
    pub unknown_keys: Vec<UnknownKey>,
    /// Authorities of the session that no gate of the provider names.
    pub unknown_authorities: Vec<UnknownAuthority>,
}

/// A node between what is done and what is out of reach.
#[derive(Clone, Debug, PartialEq)]
pub struct FrontierNode {
    /// Its state key.
    pub key: String,
    /// The graph that owns it.
    pub graph: String,
    /// Its id.
    pub node: String,
    /// Its kind.
    pub kind: NodeKind,
    /// Its value; `None` when it is not reached.
    pub value: Option<Outcome>,
    /// How it stands.
    pub standing: Standing,
    /// What it is missing, with what is there already beside it.
    pub needs: Vec<Need>,
    /// Whether there is a state at all in which it is reached and its required facts hold.
    pub possibility: Possibility,
}

/// How a node stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It can be next, for whom the availability says.
    Open(Availability),
    /// It is reached, but facts that it requires do not hold.
    FactsMissing,
    /// It calls a graph that has not ended.
    Unfinished,
    /// It came to a value that no edge handles.
    Unhandled,
    /// It is not reached, though an edge leads to it from a node that is.
    NotReached,
    /// It is a terminal that another one contradicts.
    Conflicting,
}

/// A single change that makes progress: the graph completes, a node is reached whose required facts hold,
/// an edge hits that leads to a node out of reach, or a gate no longer waits for a person.
#[derive(Clone, Debug, PartialEq)]
pub struct Move {
    /// The change.
    pub change: Change,
    /// The status after it.
    pub status: Status,
    /// The outcome after it, where it completes the graph.
    pub outcome: Option<Outcome>,
    /// State keys of the nodes that it brings nearer.
    pub opens: Vec<String>,
}

/// One thing changed.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// One of the outcomes is recorded for a node.
    Record {
        /// State key of the node.
        node: String,
        /// The outcomes, each with the same effect.
        outcomes: Vec<Outcome>,
        /// The outcome that is recorded for the node for good: it is done, what it came to is not open, and no
        /// repeat edge from it is in force. To record another one takes that back. A host may do so where
        /// it was wrong; it is no way on, and lint `stuck-state` counts it as none.
        takes_back: Option<Outcome>,
    },
    /// All of the facts become as expected.
    Facts {
        /// State key of the node that checks them.
        node: String,
        /// The checks that do not hold yet.
        facts: Vec<FactNeed>,
    },
    /// The session comes to hold an authority.
    Authority {
        /// The authority.
        authority: String,
    },
}

/// A recorded outcome that an evaluation of the graph does not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownKey {
    /// The key.
    pub key: String,
    /// Whether it names a node that calls a graph: such outcomes are ignored.
    pub ignored: bool,
    /// The nearest known key.
    pub nearest: Option<String>,
}

/// An authority of the session that no gate of the provider names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownAuthority {
    /// The authority.
    pub authority: String,
    /// The nearest known one.
    pub nearest: Option<String>,
}

impl Provider {
    /// Explains where a run stands, within the default limits.
    ///
    /// ```
    /// # use agent_graph_runtime::{Error, Provider, State};
    /// fn why(provider: &Provider, state: &State) -> Result<(), Error> {
    ///     let explanation = provider.explain("release", "default", state)?;
    ///     for change in &explanation.moves {
    ///         println!("{:?} opens {:?}", change.change, change.opens);
    ///     }
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Code::GraphMissing`](crate::Code::GraphMissing) when the provider has no such graph.
    pub fn explain(&self, graph: &str, entry: &str, state: &State) -> Result<Explanation, Error> {
        self.explain_within(graph, entry, state, ExplainLimits::default())
    }

    /// Explains where a run stands.
    ///
    /// # Errors
    ///
    /// As [`Provider::explain`].
    pub fn explain_within(
        &self,
        graph: &str,
        entry: &str,
        state: &State,
        limits: ExplainLimits,
    ) -> Result<Explanation, Error> {
        let graph = self.graph_index(graph)?;
        let tables = self.tables();
        let asked = moves::Asked {
            tables: &tables,
            state,
            graph,
            entry: tables.entry(graph, entry),
        };
        let mut scratch = Scratch::for_tables(&tables);
        let mut trace = Trace::default();
        trial::Trial::unchanged(state).run(&tables, graph, asked.entry, &mut scratch, &mut trace);
        let mut frontier = frontier::frontier(&tables, state, &trace);
        if let Some(entry) = asked.entry {
            let mut ways = explore::Work::new(limits.ways.into());
            let mut explorer = explore::Explorer::new(tables);
            for placed in &mut frontier {
                let standing = placed.shown.standing;
                if matches!(standing, Standing::NotReached | Standing::FactsMissing) {
                    let calls = explore::calls(&trace.found.frames, placed.frame);
                    let node = placed.node;
                    placed.shown.possibility =
                        explorer.possible(graph, entry, &calls, node, &mut ways);
                }
            }
        }
        let (moves, moves_complete) = moves::moves(asked, &trace, &mut scratch, limits.moves);
        Ok(Explanation {
            provider: self.id().to_string(),
            graph: tables.text(tables.row(tables.graphs, graph).id).to_string(),
            entry: entry.to_string(),
            revision: evaluator::revision(&tables, graph, entry, state),
            status: trace.found.status,
            outcome: trace.found.outcome,
            frontier: frontier.into_iter().map(|placed| placed.shown).collect(),
            moves,
            moves_complete,
            unknown_keys: names::unknown_keys(&tables, state, graph),
            unknown_authorities: names::unknown_authorities(&tables, state),
        })
    }
}
