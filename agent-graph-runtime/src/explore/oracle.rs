//! Answers the questions of an evaluation by choice, and remembers which choices are left. Knows the
//! questions; what the answers are for is up to the caller.

use alloc::rc::Rc;
use alloc::vec::Vec;

use super::answers::Recorded;
use super::assumed::Assumed;
use super::explorer::Explorer;
use super::literal::Literal;
use super::trace::Trace;
use super::trail::{self, Taken, Trail};
use super::work::Work;
use crate::evaluate::{self, Ending, Frame, FrameEnd, Input, Key};
use crate::protocol::{NodeKind, Outcome, OutcomeSet, Status};
use crate::tables::{Rows, Tables};

/// Which nodes of a frame matter. What is asked about the others is answered in the same way always.
#[derive(Clone, Debug)]
pub(super) enum Scope {
    /// All of them.
    All,
    /// Those whose place in the tables is marked, counted from the first node of the graph.
    Marked(Rc<[bool]>),
}

impl Scope {
    fn matters(&self, position: u32) -> bool {
        match self {
            Self::All => true,
            Self::Marked(marked) => marked.get(position as usize).copied().unwrap_or(false),
        }
    }
}

/// Chooses what is looked at.
pub(super) trait Choose {
    /// Told that a way begins.
    fn begin(&mut self) {}

    /// The scope of the next frame.
    fn scope(&mut self, frame: u32, row: Frame) -> Scope;

    /// Whether the graph that a node calls has to be evaluated, however well it is known.
    fn enters(&mut self, _frame: u32, _node: u32) -> bool {
        false
    }

    /// Told that a node is reached and its required facts hold.
    fn active(&mut self, _frame: u32, _node: u32) {}
}

/// A question that had more than one answer.
#[derive(Clone, Debug)]
enum Decision {
    /// Whether a check holds: now taken to hold or not, and whether that was the last answer.
    Fact { holds: bool, last: bool },
    /// What is recorded: now the first of these.
    Record(OutcomeSet),
    /// How a called graph ends: now the last of these.
    Call(Vec<u32>),
}

/// The search.
pub(super) struct Oracle<'t> {
    tables: Tables<'t>,
    graph: u32,
    entry: u32,
    recorded: Recorded,
    decisions: Vec<Decision>,
    started: bool,
    pub(super) trace: Trace,
    /// What the last run assumed about facts.
    pub(super) assumed: Assumed<'t>,
    /// What the last run asked for and found recorded: frame, node, outcome; `pending` for nothing.
    pub(super) records: Vec<(u32, u32, Outcome)>,
    /// The called graphs whose endings the last run took as known.
    pub(super) calls: Vec<Taken>,
    /// Whether nothing is known that the last run could have gone on with.
    void: bool,
    /// Whether some run relied on a called graph that can end in more ways than are known.
    pub(super) incomplete: bool,
    /// How much work the last run was: what it asked, reached and looked at.
    work: u64,
}

impl<'t> Oracle<'t> {
    pub(super) fn new(tables: Tables<'t>, graph: u32, entry: u32, recorded: Recorded) -> Self {
        Self {
            tables,
            graph,
            entry,
            recorded,
            decisions: Vec::new(),
            started: false,
            trace: Trace::default(),
            assumed: Assumed::default(),
            records: Vec::new(),
            calls: Vec::new(),
            void: false,
            incomplete: false,
            work: 0,
        }
    }

    pub(super) fn tables(&self) -> &Tables<'t> {
        &self.tables
    }

    /// Goes the next way, and lowers `work` by what it was; `None` when all have been gone, or no work
    /// is left.
    pub(super) fn go(
        &mut self,
        explorer: &mut Explorer<'t>,
        choose: &mut impl Choose,
        work: &mut Work,
    ) -> Gone {
        loop {
            if work.left() == 0 {
                return Gone::Stopped;
            }
            if self.started && !self.turn() {
                return Gone::All;
            }
            self.started = true;
            self.run(explorer, choose);
            work.spend(self.work);
            if !self.void {
                return Gone::One;
            }
        }
    }

    fn run(&mut self, explorer: &mut Explorer<'t>, choose: &mut impl Choose) {
        self.assumed.clear();
        self.records.clear();
        self.calls.clear();
        self.void = false;
        self.work = WAY;
        self.trace.clear();
        choose.begin();
        let mut found = core::mem::take(&mut self.trace.found);
        let mut scratch = core::mem::take(&mut explorer.scratch);
        let tables = self.tables;
        let (graph, entry) = (self.graph, Some(self.entry));
        let run = Run {
            choose,
            scopes: Vec::new(),
            next: 0,
            explorer,
            oracle: self,
        };
        evaluate::evaluate(&tables, run, graph, entry, &mut scratch, &mut found);
        explorer.scratch = scratch;
        self.trace.found = found;
    }

    /// The way that was gone last.
    pub(super) fn trail(&self, explorer: &Explorer<'t>) -> Rc<Trail<'t>> {
        Rc::new(Trail {
            frames: self.trace.found.frames.clone(),
            records: self.records.clone(),
            calls: self.calls.clone(),
            assumed: self.assumed.list().to_vec(),
            size: trail::size(&explorer.known, self.records.len(), &self.calls),
        })
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
                Decision::Call(mut endings) => {
                    endings.pop();
                    (!endings.is_empty()).then_some(Decision::Call(endings))
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

/// The work of a way, however short it is, and of a check: some times that of looking at a node.
const WAY: u64 = 16;
const CHECK: usize = 8;

/// Whether a way was gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gone {
    /// One was.
    One,
    /// All have been.
    All,
    /// No work is left.
    Stopped,
}

struct Run<'o, 't, C> {
    oracle: &'o mut Oracle<'t>,
    explorer: &'o mut Explorer<'t>,
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

    fn worked(&mut self, work: usize) {
        self.oracle.work = self.oracle.work.saturating_add(work as u64);
    }

    /// The decision at hand: the one of the run before, or else a new one.
    fn decide(&mut self, new: Decision) -> &Decision {
        let decisions = &mut self.oracle.decisions;
        if self.next >= decisions.len() {
            decisions.push(new);
        }
        self.next += 1;
        // There is one: it was pushed where there was none.
        decisions
            .get(self.next - 1)
            .unwrap_or(&Decision::Record(OutcomeSet::EMPTY))
    }

    /// Whether a check holds, assuming it where nothing says otherwise.
    fn assume(&mut self, check: u32) -> bool {
        self.worked(CHECK);
        let tables = self.oracle.tables;
        let check = tables.row(tables.checks, check);
        let literal = |holds| Literal::new(&tables, check, holds);
        let can = |holds| self.oracle.assumed.allows(literal(holds));
        // What follows from the assumptions made is none of its own.
        match (can(true), can(false)) {
            (true, true) => {
                let new = Decision::Fact {
                    holds: true,
                    last: false,
                };
                let holds = matches!(self.decide(new), Decision::Fact { holds: true, .. });
                self.oracle.assumed.add(literal(holds));
                holds
            }
            (holds, _) => holds,
        }
    }

    /// How a called graph ends, among the ways that are known and go with what is assumed.
    fn choose_ending(&mut self, frame: u32, node: u32, entry: u32) -> Option<Ending> {
        let endings = self.explorer.known.get(&entry)?;
        self.oracle.incomplete |= !endings.complete;
        let mut work: usize = 1;
        let assumed = &self.oracle.assumed;
        let mut possible: Vec<u32> = (0..)
            .zip(&endings.list)
            .filter(|(_, (_, trail))| {
                work += 1 + trail.assumed.len();
                trail.assumed.iter().all(|&own| assumed.allows(own))
            })
            .map(|(at, _)| at)
            .collect();
        possible.reverse();
        self.worked(work);
        let chosen = match possible.as_slice() {
            [] => None,
            &[only] => Some(only),
            _ => match self.decide(Decision::Call(possible)) {
                Decision::Call(endings) => endings.last().copied(),
                Decision::Fact { .. } | Decision::Record(_) => None,
            },
        };
        let endings = self.explorer.known.get(&entry)?;
        let Some((ending, (chosen, trail))) =
            chosen.and_then(|at| Some((at, endings.list.get(at as usize)?)))
        else {
            self.oracle.void = true;
            return Some(BLOCKED);
        };
        for &literal in &trail.assumed {
            // What follows from the assumptions made is none of its own.
            if self.oracle.assumed.allows(literal.opposite()) {
                self.oracle.assumed.add(literal);
            }
        }
        self.oracle.calls.push(Taken {
            frame,
            node,
            entry,
            ending,
        });
        Some(*chosen)
    }
}

/// What a called graph comes to that does not matter, or on a way that does not count.
const BLOCKED: Ending = Ending {
    status: Status::Blocked,
    outcome: None,
};

impl<C: Choose> Input for Run<'_, '_, C> {
    fn holds(&mut self, tables: &Tables<'_>, frame: u32, node: u32, checks: Rows) -> bool {
        let counts = !self.oracle.void && self.matters(tables, frame, node);
        let holds = !counts || checks.indices().all(|check| self.assume(check));
        if holds && !self.oracle.void {
            self.choose.active(frame, node);
        }
        holds
    }

    fn recorded(&mut self, key: Key<'_>) -> Option<Outcome> {
        if key.row.kind == NodeKind::Terminal {
            return None;
        }
        if self.oracle.void || !self.matters(key.tables, key.frame, key.node) {
            return Some(Outcome::Completed);
        }
        let kind = self.oracle.recorded;
        let answers = self
            .explorer
            .answers
            .of(key.tables, key.node, key.row, kind);
        let outcome = match self.decide(Decision::Record(answers)) {
            Decision::Record(outcomes) => outcomes.iter().next(),
            Decision::Fact { .. } | Decision::Call(_) => None,
        };
        let answer = outcome.unwrap_or(Outcome::Pending);
        self.oracle.records.push((key.frame, key.node, answer));
        // Nothing recorded is as good as `pending`.
        outcome.filter(|&outcome| outcome != Outcome::Pending)
    }

    fn has_authority(&mut self, _: &str) -> bool {
        false
    }

    fn called(&mut self, tables: &Tables<'_>, frame: u32, node: u32, entry: u32) -> Option<Ending> {
        if self.oracle.void || !self.matters(tables, frame, node) {
            return Some(BLOCKED);
        }
        if self.oracle.recorded != Recorded::Any || self.choose.enters(frame, node) {
            return None;
        }
        self.choose_ending(frame, node, entry)
    }

    fn frame_begun(&mut self, frame: u32, row: Frame) {
        let scope = self.choose.scope(frame, row);
        self.scopes.push(scope);
    }

    fn frame_ended(&mut self, ended: FrameEnd<'_>) {
        let tables = self.oracle.tables;
        let reached = ended.reached.iter().map(|&node| {
            let row = tables.row(tables.nodes, node);
            1 + (row.outgoing.1 + row.repeats.1) as usize
        });
        self.worked(1 + reached.sum::<usize>());
        self.oracle.trace.keep(ended);
    }
}
