//! What a node still needs, typed and as JSON. Knows how needs look, not how they are found.

use alloc::string::String;
use alloc::vec::Vec;

use crate::json::Value;
use crate::protocol::{Join, Outcome, Status};

/// One thing that keeps a node from being next, or from being done.
#[derive(Clone, Debug, PartialEq)]
pub enum Need {
    /// An outcome has to be recorded for the node itself.
    Record {
        /// What was recorded last, if anything.
        recorded: Option<Outcome>,
    },
    /// An edge leads to the node.
    Edge {
        /// State key of the source.
        from: String,
        /// Outcomes of the source that make the edge hit.
        needed: Vec<Outcome>,
        /// The value of the source; `None` when it is not reached.
        seen: Option<Outcome>,
        /// Whether the edge hits.
        met: bool,
    },
    /// An edge leads on from the node.
    Onward {
        /// State key of the target.
        to: String,
        /// Outcomes of the node that make the edge hit.
        needed: Vec<Outcome>,
        /// The value of the node.
        seen: Outcome,
    },
    /// No edge leads on from the node, whatever it comes to: it is a dead end.
    DeadEnd,
    /// The edges that lead to the node have to hit together, or one of them.
    Join {
        /// How many have to.
        join: Join,
        /// How many do.
        met: u32,
        /// How many there are.
        of: u32,
    },
    /// A fact has to be otherwise.
    Fact(FactNeed),
    /// A gate wants a person, or a session that holds an authority.
    Authority {
        /// The authority that the gate names.
        authority: Option<String>,
        /// Whether a session that holds it may resolve the gate.
        delegatable: bool,
        /// Whether the session holds it.
        held: bool,
    },
    /// A repeat edge keeps the node pending, whatever is recorded for it.
    Repeat {
        /// State key of the source.
        from: String,
        /// The value of the source that keeps the edge in force.
        seen: Outcome,
    },
    /// A called graph has not ended.
    Call {
        /// The called graph.
        graph: String,
        /// What it stands at.
        status: Status,
    },
    /// A terminal disagrees with another one.
    Conflict {
        /// The outcome of the terminal.
        outcome: Outcome,
        /// State keys of the terminals with other outcomes.
        against: Vec<String>,
    },
}

/// A check that does not hold.
#[derive(Clone, Debug, PartialEq)]
pub struct FactNeed {
    /// What it is checked for.
    pub purpose: Purpose,
    /// Path of the fact.
    pub path: String,
    /// What there has to be.
    pub expected: Expected,
    /// What there is.
    pub found: FactType,
    /// The value that there is, where it is a scalar.
    pub value: Option<Value>,
}

/// What facts are checked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The node requires them.
    Required,
    /// They prove the node done.
    Proof,
}

/// What a check expects.
#[derive(Clone, Debug, PartialEq)]
pub enum Expected {
    /// Any value.
    Present,
    /// No value.
    Absent,
    /// This scalar.
    Equals(Value),
}

/// The type of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactType {
    /// There is no value.
    Absent,
    /// Null.
    Null,
    /// A boolean.
    Boolean,
    /// A number.
    Number,
    /// A text.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl FactType {
    pub(crate) fn of(value: Option<&Value>) -> Self {
        match value {
            None => Self::Absent,
            Some(Value::Null) => Self::Null,
            Some(Value::Bool(_)) => Self::Boolean,
            Some(Value::Number(_)) => Self::Number,
            Some(Value::String(_)) => Self::String,
            Some(Value::Array(_)) => Self::Array,
            Some(Value::Object(_)) => Self::Object,
        }
    }
}
