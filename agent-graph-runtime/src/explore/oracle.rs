//! Answers the questions of an evaluation by choice, and remembers which choices are left. Knows the
//! questions; what the answers are for is up to the caller.

use alloc::vec::Vec;

use super::literal::Literal;
use super::trace::Trace;
use crate::evaluate::{self, Frame, FrameEnd, Input, Key, Scratch};
use crate::protocol::{NodeKind, Outcome, OutcomeSet};
use crate::tables::{NodeRow, Rows, Tables};

/// Which nodes of a frame matter. What is asked about the others is answered in the same way always.
#[derive(Clone, Debug)]
pub(super) enum Scope {
    /// All of them.
    All,
    /// Those whose place in the tables is marked, counted from the first node of the graph.
    Marked(Vec<bool>),
    /// None of them.
    None,
}

impl Scope {
    fn matters(&self, position: u32) -> bool {
        match self {
            Self::All => true,
            Self::Marked(marked) => marked.get(position as usize).copied().unwrap_or(false),
            Self::None => false,
        }
    }
}

/// Chooses the scope of a frame when it begins.
pub(super) trait Choose {
    /// The scope of the next frame.
    fn scope(&mut self, frame: u32, row: Frame) -> Scope;

    /// Told that a node is reached and its required facts hold.
    fn active(&mut self, _frame: u32, _node: u32) {}
}

/// A question that had more than one answer.
#[derive(Clone, Copy, Debug)]
enum Decision {
    /// Whether a check holds: now taken to hold or not, and whether that was the last answer.
    Fact { holds: bool, last: bool },
    /// What is recorded: now the first of these.
    Record(OutcomeSet),
}

/// The search.
pub(super) struct Oracle<'t> {
    tables: Tables<'t>,
    graph: u32,
    entry: u32,
    /// Whether only outcomes that an edge names are recorded, beside `completed`.
    handled_only: bool,
    scratch: Scratch,
    decisions: Vec<Decision>,
    started: bool,
    pub(super) trace: Trace,
    /// What the last run assumed about facts.
    pub(super) literals: Vec<Literal<'t>>,
    /// What the last run asked for and found recorded: frame, node, outcome; `pending` for nothing.
    pub(super) records: Vec<(u32, u32, Outcome)>,
}

impl<'t> Oracle<'t> {
    pub(super) fn new(tables: Tables<'t>, graph: u32, entry: u32, handled_only: bool) -> Self {
        Self {
            scratch: Scratch::for_tables(&tables),
            tables,
            graph,
            entry,
            handled_only,
            decisions: Vec::new(),
            started: false,
            trace: Trace::default(),
            literals: Vec::new(),
            records: Vec::new(),
        }
    }

    pub(super) fn tables(&self) -> &Tables<'t> {
        &self.tables
    }

    /// Goes the next way; `false` when all have been gone.
    pub(super) fn go(&mut self, choose: &mut impl Choose) -> bool {
        if self.started && !self.turn() {
            return false;
        }
        self.started = true;
        self.literals.clear();
        self.records.clear();
        self.trace.clear();
        let mut found = core::mem::take(&mut self.trace.found);
        let mut scratch = core::mem::take(&mut self.scratch);
        let tables = self.tables;
        let (graph, entry) = (self.graph, Some(self.entry));
        let run = Run {
            choose,
            scopes: Vec::new(),
            next: 0,
            oracle: self,
        };
        evaluate::evaluate(&tables, run, graph, entry, &mut scratch, &mut found);
        self.scratch = scratch;
        self.trace.found = found;
        true
    }

    /// Turns to the next answer of the last question that has one left.
    fn turn(&mut self) -> bool {
        while let Some(last) = self.decisions.pop() {
            let next = match last {
                Decision::Fact { last: true, .. } => None,
                Decision::Fact { holds, .. } => Some(Decision::Fact {
                    holds: !holds,
                    last: true,
                }),
                Decision::Record(outcomes) => {
                    let rest: OutcomeSet = outcomes.iter().skip(1).collect();
                    (!rest.is_empty()).then_some(Decision::Record(rest))
                }
            };
            if let Some(next) = next {
                self.decisions.push(next);
                return true;
            }
        }
        false
    }
}

struct Run<'o, 't, C> {
    oracle: &'o mut Oracle<'t>,
    choose: &'o mut C,
    scopes: Vec<Scope>,
    /// The next decision.
    next: usize,
}

impl<C: Choose> Run<'_, '_, C> {
    fn matters(&self, tables: &Tables<'_>, frame: u32, node: u32) -> bool {
        let graph = tables.row(tables.nodes, node).graph;
        let first = tables.row(tables.graphs, graph).nodes.0;
        self.scopes
            .get(frame as usize)
            .is_some_and(|scope| scope.matters(node.saturating_sub(first)))
    }

    /// The decision at hand: the one of the run before, or else a new one.
    fn decide(&mut self, new: Decision) -> Decision {
        let decision = match self.oracle.decisions.get(self.next) {
            Some(&decision) => decision,
            None => {
                self.oracle.decisions.push(new);
                new
            }
        };
        self.next += 1;
        decision
    }

    /// Whether a check holds, assuming it where nothing says otherwise.
    fn assume(&mut self, check: u32) -> bool {
        let tables = self.oracle.tables;
        let check = tables.row(tables.checks, check);
        let literal = |holds| Literal::new(&tables, check, holds);
        let can = |literal: &Literal<'_>| {
            let assumed = self.oracle.literals.iter();
            assumed.into_iter().all(|own| own.agrees_with(literal))
        };
        let holds = match (can(&literal(true)), can(&literal(false))) {
            (true, true) => {
                let new = Decision::Fact {
                    holds: true,
                    last: false,
                };
                matches!(self.decide(new), Decision::Fact { holds: true, .. })
            }
            (holds, _) => holds,
        };
        self.oracle.literals.push(literal(holds));
        holds
    }
}

impl<C: Choose> Input for Run<'_, '_, C> {
    fn holds(&mut self, tables: &Tables<'_>, frame: u32, node: u32, checks: Rows) -> bool {
        let holds =
            !self.matters(tables, frame, node) || checks.indices().all(|check| self.assume(check));
        if holds {
            self.choose.active(frame, node);
        }
        holds
    }

    fn recorded(&mut self, key: Key<'_>) -> Option<Outcome> {
        if key.row.kind == NodeKind::Terminal {
            return None;
        }
        if !self.matters(key.tables, key.frame, key.node) {
            return Some(Outcome::Completed);
        }
        let answers = answers(key.tables, key.row, self.oracle.handled_only);
        let outcome = match self.decide(Decision::Record(answers)) {
            Decision::Record(outcomes) => outcomes.iter().next(),
            Decision::Fact { .. } => None,
        };
        let answer = outcome.unwrap_or(Outcome::Pending);
        self.oracle.records.push((key.frame, key.node, answer));
        // Nothing recorded is as good as `pending`.
        outcome.filter(|&outcome| outcome != Outcome::Pending)
    }

    fn has_authority(&mut self, _: &str) -> bool {
        false
    }

    fn frame_begun(&mut self, frame: u32, row: Frame) {
        let scope = self.choose.scope(frame, row);
        self.scopes.push(scope);
    }

    fn frame_ended(&mut self, ended: FrameEnd<'_>) {
        self.oracle.trace.keep(ended);
    }
}

/// One outcome of each kind that the edges from a node tell apart. A node with a proof is only asked when
/// the proof does not hold, and is not completed then.
fn answers(tables: &Tables<'_>, row: &NodeRow, handled_only: bool) -> OutcomeSet {
    let lists = [row.outgoing, row.repeats];
    let edges = || {
        lists
            .into_iter()
            .flat_map(|list| tables.rows(tables.lists, list))
            .map(|&edge| tables.row(tables.edges, edge).outcomes)
    };
    let proof = tables.row(tables.steps, row.detail).satisfied;
    let open = |outcome| matches!(outcome, Outcome::Pending | Outcome::WaitingUser);
    let named = |outcome| {
        matches!(outcome, Outcome::Completed | Outcome::Pending)
            || edges().any(|outcomes| outcomes.contains(outcome))
    };
    let comes_to = |outcome| match outcome {
        Outcome::Completed if proof.1 > 0 => Outcome::Unverified,
        outcome => outcome,
    };
    let alike = |a: Outcome, b: Outcome| {
        let (a, b) = (comes_to(a), comes_to(b));
        open(a) == open(b) && edges().all(|outcomes| outcomes.contains(a) == outcomes.contains(b))
    };
    let mut answers = OutcomeSet::EMPTY;
    // Pending first: to record nothing is what stands for its kind.
    for outcome in [Outcome::Pending].iter().chain(Outcome::ALL).copied() {
        let wanted = !handled_only || named(outcome);
        if wanted && !answers.iter().any(|own| alike(own, outcome)) {
            answers = answers.with(outcome);
        }
    }
    answers
}
