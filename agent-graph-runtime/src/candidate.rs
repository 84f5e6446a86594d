//! An action or gate that can be next, with everything the tables say about it.

use alloc::string::String;
use core::fmt;

use crate::digest::RouteId;
use crate::evaluation::EvaluationRef;
use crate::evaluator::{self, Ranked};
use crate::protocol::{Availability, Resolution, Status};
use crate::tables::{NodeRow, StepRow, Tables};
use crate::typed::{Graph, StepPath, Untyped};

/// An action or gate that can be next. It serializes to the route summary of spec 1.7.
pub struct Candidate<'e, G: Graph = Untyped> {
    evaluation: EvaluationRef<'e, G>,
    ranked: &'e Ranked,
    step: G::Step,
}

impl<G: Graph> Clone for Candidate<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Graph> Copy for Candidate<'_, G> {}

impl<'e, G: Graph> Candidate<'e, G> {
    pub(crate) fn new(evaluation: EvaluationRef<'e, G>, ranked: &'e Ranked) -> Option<Self> {
        let step = G::step(StepPath {
            nodes: evaluation.provider().tables().nodes,
            calls: evaluation.answer().call_path(ranked),
            node: ranked.open.node,
            done: false,
        })?;
        Some(Self {
            evaluation,
            ranked,
            step,
        })
    }

    /// The step to take, by its compiled-in name: an exhaustive match covers every action and gate of the
    /// graph and of all it calls.
    pub fn step(&self) -> G::Step {
        self.step
    }

    /// The id of the route (spec 2.6). It changes with the revision.
    pub fn route_id(&self) -> RouteId {
        self.ranked.route_id
    }

    /// The evaluation it belongs to.
    pub fn evaluation(&self) -> EvaluationRef<'e, G> {
        self.evaluation
    }

    /// The id of the graph that owns the node; it may be a called one.
    pub fn graph(&self) -> &'e str {
        let tables = self.tables();
        tables.text(tables.row(tables.graphs, self.node_row().graph).id)
    }

    /// The id of the node.
    pub fn node(&self) -> &'e str {
        self.tables().text(self.node_row().id)
    }

    /// Status of this candidate: `actionable` or `waiting-user`.
    pub fn status(&self) -> Status {
        match self.availability() {
            Availability::Immediate => Status::Actionable,
            Availability::RequiresUser => Status::WaitingUser,
            Availability::Blocked => Status::Blocked,
        }
    }

    /// Who can take it now.
    pub fn availability(&self) -> Availability {
        self.ranked.open.availability
    }

    /// Who resolves the gate; `None` for an action.
    pub fn resolution(&self) -> Option<Resolution> {
        self.ranked.open.resolution
    }

    /// Priority of the node.
    pub fn priority(&self) -> i16 {
        self.ranked.open.priority
    }

    /// Why it is offered.
    pub fn reason_code(&self) -> &'e str {
        self.tables().text(self.step_row().reason)
    }

    /// The catalog's summary of the reason.
    pub fn hint(&self) -> Option<&'e str> {
        let tables = self.tables();
        let code = tables.codes.get(self.step_row().code as usize)?;
        tables.text_or_none(code.summary)
    }

    /// What to call it: the description of the node, else its id.
    pub fn label(&self) -> &'e str {
        let tables = self.tables();
        match tables.text(self.node_row().description) {
            "" => self.node(),
            description => description,
        }
    }

    /// `graph/node` of every calling subgraph node, outermost first.
    pub fn call_path(&self) -> impl Iterator<Item = String> + use<'e, G> {
        let tables = self.tables();
        self.evaluation
            .answer()
            .call_path(self.ranked)
            .iter()
            .map(move |&call| {
                let (graph, node) = evaluator::node_name(&tables, call);
                alloc::format!("{graph}/{node}")
            })
    }

    /// The state key under which the outcome of the node is recorded (spec 4.3).
    pub fn record_node(&self) -> String {
        let mut key = String::new();
        for call in self.call_path() {
            key.push_str(&call);
            key.push('>');
        }
        key.push_str(self.graph());
        key.push('/');
        key.push_str(self.node());
        key
    }

    pub(crate) fn tables(&self) -> Tables<'e> {
        self.evaluation.provider().tables()
    }

    fn node_row(&self) -> &'e NodeRow {
        let tables = self.tables();
        tables.row(tables.nodes, self.ranked.open.node)
    }

    /// The row of the step, in `steps`.
    #[cfg(feature = "routes")]
    pub(crate) fn step_index(&self) -> u32 {
        self.node_row().detail
    }

    pub(crate) fn step_row(&self) -> &'e StepRow {
        let tables = self.tables();
        tables.row(tables.steps, self.node_row().detail)
    }
}

impl<G: Graph> fmt::Debug for Candidate<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Candidate")
            .field("route_id", &self.route_id())
            .field("record_node", &self.record_node())
            .field("availability", &self.availability())
            .finish()
    }
}
