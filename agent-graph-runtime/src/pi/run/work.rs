//! One attempt that is to be made: everything an executor needs to know of the run. Knows nothing about how
//! attempts are made.

use alloc::string::String;
use alloc::sync::Arc;

use super::code::RunCode;
use crate::json::{Object, Value};
use crate::pi::graph::Graph;
use crate::timestamp::Timestamp;

/// Names an attempt within a call of a run: what is reported and completed says which one it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket(pub(crate) u64);

/// The thread of an attempt: which conversation it goes on with. What the run knows of a thread beside that grows with
/// the run, and stays there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkThread {
    /// The key of the thread.
    pub key: String,
    /// The name of the session, a UUID.
    pub session_id: String,
    /// How many attempts used it before this one.
    pub invocation_count: u64,
}

/// One attempt that is to be made. Cheap to clone: the state is shared.
#[derive(Clone, Debug)]
pub struct Work {
    /// Which attempt this is, for the answer.
    pub ticket: Ticket,
    /// The graph.
    pub graph: Graph,
    /// The id of the run.
    pub run_id: Arc<str>,
    /// The node.
    pub node: String,
    /// The row of the node in the tables of the graph.
    pub(crate) row: u32,
    /// The superstep.
    pub step: u64,
    /// The number of the attempt at this node in this superstep; the first is 1.
    pub attempt: u64,
    /// The state at the beginning of the superstep.
    pub state: Arc<Object>,
    /// The thread of an agent that has one, as it is before this attempt.
    pub thread: Option<WorkThread>,
    /// What a person answered, if this node had asked.
    pub resume: Option<Value>,
    /// When the attempt begins.
    pub started_at: Timestamp,
    /// When the attempt is to be ended, and what its failure is then.
    pub deadline: Option<Deadline>,
    /// What the attempt may use.
    pub attempt_budget: Budget,
    /// What is left of what the run may use. Attempts beside this one use it as well.
    pub run_budget: Budget,
}

impl Work {
    /// The first attempt at a node, outside any run and without limits: for executors that are tried on
    /// their own. Nothing where the graph has no such node.
    ///
    /// ```
    /// use agent_graph_runtime::{Timestamp, json::Object, pi};
    /// let text = r#"{"schemaVersion":2,"name":"g","entry":"a","limits":{},
    ///     "nodes":{"a":{"type":"agent","prompt":"Go on"}}}"#;
    /// let graph = pi::parse("g.json".into(), text.as_bytes()).unwrap().graph();
    /// let now = Timestamp::from_unix_milliseconds(0);
    /// let work = pi::run::Work::alone(&graph, "run-1", "a", Object::new().into(), now).unwrap();
    /// assert_eq!((work.node.as_str(), work.attempt), ("a", 1));
    /// ```
    pub fn alone(
        graph: &Graph,
        run_id: &str,
        node: &str,
        state: Arc<Object>,
        now: Timestamp,
    ) -> Option<Self> {
        Some(Self {
            ticket: Ticket(0),
            graph: graph.clone(),
            run_id: run_id.into(),
            node: node.into(),
            row: graph.tables().node(node)?,
            step: 1,
            attempt: 1,
            state,
            thread: None,
            resume: None,
            started_at: now,
            deadline: None,
            attempt_budget: Budget::default(),
            run_budget: Budget::default(),
        })
    }

    /// The row of the node in the tables of the graph.
    #[doc(hidden)]
    pub fn row(&self) -> u32 {
        self.row
    }
}

/// When an attempt is to be ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    /// The moment at which it is ended.
    pub at: Timestamp,
    /// The code of the failure: `NODE_TIMEOUT`, which another attempt may mend, or `TIMEOUT`, which none does.
    pub code: RunCode,
}

/// What may be used; what is reached exactly is in bounds. `None` is unlimited.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Budget {
    /// Tokens of all kinds.
    pub tokens: Option<u64>,
    /// US dollars.
    pub cost_usd: Option<f64>,
    /// Messages of the model.
    pub turns: Option<u64>,
}
