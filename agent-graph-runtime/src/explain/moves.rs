//! What would make progress: single changes of the input, each tried out with the evaluator itself. A change
//! that is listed has been seen to work; a change that is not listed has been seen not to, unless the
//! list says that there were too many to try. Knows traces, not how needs are shown.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::frontier::missing_facts;
use super::need::Purpose;
use super::trial::Trial;
use super::{Change, Move};
use crate::evaluate::{Scratch, state_key};
use crate::explore::{Literal, Trace, can_all_hold, establish, is_settled};
use crate::fact_check;
use crate::facts::Facts;
use crate::ordered::Map;
use crate::protocol::{Availability, EdgeKind, NodeKind, Outcome, Status};
use crate::state::State;
use crate::tables::{NONE, NodeRow, Rows, Tables};

/// The question that was asked.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) tables: &'a Tables<'a>,
    pub(super) state: &'a State,
    pub(super) graph: u32,
    pub(super) entry: Option<u32>,
}

/// The moves, and whether all single changes were tried.
pub(super) fn moves(
    asked: Asked<'_>,
    before: &Trace,
    scratch: &mut Scratch,
    work: u32,
) -> (Vec<Move>, bool) {
    let mut search = Search {
        asked,
        before,
        scratch,
        after: Trace::default(),
        left: work,
        moves: Vec::new(),
    };
    let complete = search.run().is_some();
    (search.moves, complete)
}

/// What a change leads to.
#[derive(Clone, PartialEq, Eq)]
struct Effect {
    status: Status,
    outcome: Option<Outcome>,
    opens: Vec<String>,
}

struct Search<'a, 's> {
    asked: Asked<'a>,
    before: &'a Trace,
    scratch: &'s mut Scratch,
    after: Trace,
    left: u32,
    moves: Vec<Move>,
}

impl<'a> Search<'a, '_> {
    /// Every change of one thing that an evaluation looked at; `None` when there are too many.
    fn run(&mut self) -> Option<()> {
        for frame in (0..).take(self.before.found.frames.len()) {
            for &(node, _) in self.before.reached(frame) {
                let row = self.asked.tables.row(self.asked.tables.nodes, node);
                self.change_facts(frame, node, row.requires, Purpose::Required)?;
                if !matches!(row.kind, NodeKind::Action | NodeKind::Gate) {
                    continue;
                }
                let step = self.asked.tables.row(self.asked.tables.steps, row.detail);
                self.change_facts(frame, node, step.satisfied, Purpose::Proof)?;
                self.change_record(frame, node, row)?;
                let gate = self.asked.tables.row(self.asked.tables.gates, step.gate);
                if row.kind == NodeKind::Gate && gate.delegatable {
                    self.change_authority(self.asked.tables.text(gate.authority))?;
                }
            }
        }
        Some(())
    }

    fn change_facts(
        &mut self,
        frame: u32,
        node: u32,
        checks: Rows,
        purpose: Purpose,
    ) -> Option<()> {
        let tables = self.asked.tables;
        let missing = missing_facts(tables, self.asked.state, checks, purpose);
        let checks = tables.rows(tables.checks, checks);
        if missing.is_empty() || !can_all_hold(tables, checks) {
            return Some(());
        }
        let literals: Vec<Literal<'_>> = checks
            .iter()
            .map(|check| Literal::new(tables, check, true))
            .collect();
        let mut object = self.asked.state.facts().as_object().clone();
        establish(&mut object, &literals);
        // Facts that nest too deeply are none.
        let Ok(facts) = Facts::from_object(object) else {
            return Some(());
        };
        // To put large facts together is work as well.
        let written = u32::try_from(facts.canonical().len() / 64).unwrap_or(u32::MAX);
        self.left = self.left.saturating_sub(written).max(1);
        let effect = self.attempt(Trial {
            facts: &facts,
            ..Trial::unchanged(self.asked.state)
        })?;
        if let Some(effect) = effect {
            let node = state_key(tables, &self.before.found.frames, frame, node);
            self.keep(
                Change::Facts {
                    node,
                    facts: missing,
                },
                effect,
            );
        }
        Some(())
    }

    fn change_authority(&mut self, authority: &str) -> Option<()> {
        let known = |own: &Move| matches!(&own.change, Change::Authority { authority: known } if known == authority);
        if authority.is_empty()
            || self.asked.state.has_authority(authority)
            || self.moves.iter().any(known)
        {
            return Some(());
        }
        let effect = self.attempt(Trial {
            authority: Some(authority),
            ..Trial::unchanged(self.asked.state)
        })?;
        if let Some(effect) = effect {
            let authority = authority.to_string();
            self.keep(Change::Authority { authority }, effect);
        }
        Some(())
    }

    /// Outcomes that no edge tells apart are tried once.
    fn change_record(&mut self, frame: u32, node: u32, row: &NodeRow) -> Option<()> {
        let Asked { tables, state, .. } = self.asked;
        let proof = tables.row(tables.steps, row.detail).satisfied;
        if proof.1 > 0 && fact_check::holds(tables, proof, state.facts()) {
            // Proven: what is recorded does not matter.
            return Some(());
        }
        let key = state_key(tables, &self.before.found.frames, frame, node);
        let now = state.outcome(&key).unwrap_or(Outcome::Pending);
        let mut tried: Vec<(Signature, Option<Effect>)> = Vec::new();
        let mut effects: Vec<(Effect, Vec<Outcome>)> = Vec::new();
        for &outcome in Outcome::ALL.iter().filter(|&&outcome| outcome != now) {
            let comes_to = match outcome {
                Outcome::Completed if proof.1 > 0 => Outcome::Unverified,
                outcome => outcome,
            };
            let signature = Signature::of(tables, row, comes_to);
            let known = tried.iter().find(|(own, _)| *own == signature);
            let effect = match known {
                Some((_, effect)) => effect.clone(),
                None => {
                    let effect = self.attempt(Trial {
                        record: Some((&key, outcome)),
                        ..Trial::unchanged(self.asked.state)
                    })?;
                    tried.push((signature, effect.clone()));
                    effect
                }
            };
            let Some(effect) = effect else { continue };
            match effects.iter_mut().find(|(own, _)| *own == effect) {
                Some((_, outcomes)) => outcomes.push(outcome),
                None => effects.push((effect, Vec::from([outcome]))),
            }
        }
        let recorded = state.outcome(&key);
        let value = self.before.value(frame, node);
        let takes_back = recorded
            .zip(value)
            .filter(|&(recorded, value)| is_settled(tables, row, recorded, value))
            .map(|(recorded, _)| recorded);
        for (effect, outcomes) in effects {
            let node = key.clone();
            let change = Change::Record {
                node,
                outcomes,
                takes_back,
            };
            self.keep(change, effect);
        }
        Some(())
    }

    /// The effect of a change if it makes progress; `None` outside when there is nothing left to try with.
    fn attempt(&mut self, trial: Trial<'_>) -> Option<Option<Effect>> {
        if self.left == 0 {
            return None;
        }
        let Asked {
            tables,
            graph,
            entry,
            ..
        } = self.asked;
        trial.run(tables, graph, entry, self.scratch, &mut self.after);
        self.left = self.left.saturating_sub(self.after.size());
        Some(effect(self.asked, self.before, &trial, &self.after))
    }

    fn keep(&mut self, change: Change, effect: Effect) {
        self.moves.push(Move {
            change,
            status: effect.status,
            outcome: effect.outcome,
            opens: effect.opens,
        });
    }
}

/// How the graph takes an outcome.
#[derive(PartialEq, Eq)]
struct Signature {
    /// Whether the edges from the node hit, repeat edges last.
    edges: Vec<bool>,
    open: bool,
}

impl Signature {
    fn of(tables: &Tables<'_>, row: &NodeRow, outcome: Outcome) -> Self {
        let lists = [row.outgoing, row.repeats];
        let edges = lists
            .into_iter()
            .flat_map(|list| tables.rows(tables.lists, list))
            .map(|&edge| tables.row(tables.edges, edge).outcomes.contains(outcome))
            .collect();
        Self {
            edges,
            open: matches!(outcome, Outcome::Pending | Outcome::WaitingUser),
        }
    }
}

/// What `after` has ahead of `before`, if that is progress: the graph completes; a node is reached whose
/// required facts hold; an edge hits that leads to a node which is out of reach; a gate no longer waits
/// for a person. An evaluation that comes to an error is no progress.
fn effect(asked: Asked<'_>, before: &Trace, trial: &Trial<'_>, after: &Trace) -> Option<Effect> {
    let tables = asked.tables;
    if after.found.status == Status::Error {
        return None;
    }
    let mut opens = Vec::new();
    let mut twins = Twins::new(before);
    for (frame, row) in (0..).zip(&after.found.frames) {
        let twin = twins.of(row.parent, row.caller);
        let key = |node| state_key(tables, &after.found.frames, frame, node);
        for &(node, _) in after.reached(frame) {
            let requires = tables.row(tables.nodes, node).requires;
            let active = fact_check::holds(tables, requires, trial.facts);
            let was_active = twin.is_some_and(|twin| before.value(twin, node).is_some())
                && fact_check::holds(tables, requires, asked.state.facts());
            let freed = trial.authority.is_some()
                && waits(before, twin, node) == Some(true)
                && waits(after, Some(frame), node) == Some(false);
            if (active && !was_active) || freed {
                opens.push(key(node));
            }
        }
        let edges = tables.rows(tables.edges, tables.row(tables.graphs, row.graph).edges);
        let nearer = edges.iter().filter(|edge| {
            edge.kind != EdgeKind::Repeat
                && after.value(frame, edge.to).is_none()
                && after.hits(frame, edge.from, edge.outcomes)
                && !twin.is_some_and(|twin| {
                    before.value(twin, edge.to).is_some()
                        || before.hits(twin, edge.from, edge.outcomes)
                })
        });
        let mut nearer: Vec<u32> = nearer.map(|edge| edge.to).collect();
        nearer.sort_unstable();
        nearer.dedup();
        opens.extend(nearer.into_iter().map(key));
    }
    let status = after.found.status;
    let completes = status == Status::Complete && before.found.status != Status::Complete;
    (completes || !opens.is_empty()).then_some(Effect {
        status,
        outcome: after.found.outcome,
        opens,
    })
}

/// Whether a gate waits for a person; `None` when it is not open.
fn waits(trace: &Trace, frame: Option<u32>, node: u32) -> Option<bool> {
    let mut open = trace.found.open.iter();
    let own = open.find(|open| Some(open.frame) == frame && open.node == node)?;
    Some(own.availability == Availability::RequiresUser)
}

/// The frames of the evaluation before that are the same activations as those after.
struct Twins {
    /// By calling frame and node.
    before: Map<(u32, u32), u32>,
    /// By frame after.
    found: Vec<Option<u32>>,
}

impl Twins {
    fn new(before: &Trace) -> Self {
        let frames = (0..).zip(&before.found.frames);
        Self {
            before: frames
                .map(|(frame, row)| ((row.parent, row.caller), frame))
                .collect(),
            found: Vec::new(),
        }
    }

    /// The twin of the next frame; callers come first.
    fn of(&mut self, parent: u32, caller: u32) -> Option<u32> {
        let parent = match parent {
            NONE => Some(NONE),
            parent => self.found.get(parent as usize).copied().flatten(),
        };
        let twin = parent.and_then(|parent| self.before.get(&(parent, caller)).copied());
        self.found.push(twin);
        twin
    }
}
