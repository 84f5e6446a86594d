//! Which outcomes recorded for a node make a difference: one of each kind that the edges from the node tell
//! apart. Knows edges, nothing about ways.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use crate::protocol::{Outcome, OutcomeSet};
use crate::tables::{NodeRow, Tables};

/// Which outcomes hosts are taken to record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// Any.
    Any,
    /// `completed`, what work comes to when nothing goes wrong, and those that an edge from the node names.
    Expected,
}

/// The answers that were found, by node.
#[derive(Default)]
pub(super) struct Answers {
    any: Vec<OutcomeSet>,
    expected: Vec<OutcomeSet>,
}

impl Answers {
    /// One outcome of each kind. A node with a proof is only asked when the proof does not hold, and is not
    /// completed then.
    pub(super) fn of(
        &mut self,
        tables: &Tables<'_>,
        node: u32,
        row: &NodeRow,
        recorded: Recorded,
    ) -> OutcomeSet {
        let list = match recorded {
            Recorded::Any => &mut self.any,
            Recorded::Expected => &mut self.expected,
        };
        if list.is_empty() {
            list.resize(tables.nodes.len(), OutcomeSet::EMPTY);
        }
        let Some(known) = list.get_mut(node as usize) else {
            return OutcomeSet::EMPTY.with(Outcome::Pending);
        };
        if known.is_empty() {
            *known = answers(tables, row, recorded);
        }
        *known
    }
}

/// The edges from a node, by rows, repeat edges last.
pub(crate) fn edges_from<'t>(
    tables: &Tables<'t>,
    row: &NodeRow,
) -> impl Iterator<Item = u32> + use<'t> {
    let lists = [row.outgoing, row.repeats];
    let rows = lists.map(|list| tables.rows(tables.lists, list));
    rows.into_iter().flatten().copied()
}

fn answers(tables: &Tables<'_>, row: &NodeRow, recorded: Recorded) -> OutcomeSet {
    let edges = edges_from(tables, row).map(|edge| tables.row(tables.edges, edge).outcomes.bits());
    let edges: BTreeSet<u8> = edges.collect();
    let edges = || edges.iter().copied().map(OutcomeSet::from_bits);
    let proof = tables.row(tables.steps, row.detail).satisfied;
    let expected = |outcome| {
        matches!(outcome, Outcome::Completed | Outcome::Pending)
            || edges().any(|outcomes| outcomes.contains(outcome))
    };
    let comes_to = |outcome| match outcome {
        Outcome::Completed if proof.1 > 0 => Outcome::Unverified,
        outcome => outcome,
    };
    let alike = |a: Outcome, b: Outcome| {
        let (a, b) = (comes_to(a), comes_to(b));
        is_open(a) == is_open(b)
            && edges().all(|outcomes| outcomes.contains(a) == outcomes.contains(b))
    };
    let mut answers = OutcomeSet::EMPTY;
    // Pending first: to record nothing is what stands for its kind.
    for outcome in [Outcome::Pending].iter().chain(Outcome::ALL).copied() {
        let wanted = recorded == Recorded::Any || expected(outcome);
        if wanted && !answers.iter().any(|own| alike(own, outcome)) {
            answers = answers.with(outcome);
        }
    }
    answers
}

/// Whether a node of this value can be next.
pub fn is_open(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::Pending | Outcome::WaitingUser)
}

/// Whether an outcome is recorded for good: the node is done, neither it nor what it came to is open, and no
/// repeat edge from it is in force. To record another one would take back what was done. That is a
/// correction, which a host may make; it is no way on.
pub fn is_settled(tables: &Tables<'_>, node: &NodeRow, recorded: Outcome, value: Outcome) -> bool {
    let repeats = tables.rows(tables.lists, node.repeats).iter();
    let mut repeats = repeats.map(|&edge| tables.row(tables.edges, edge));
    !is_open(recorded) && !is_open(value) && !repeats.any(|edge| edge.outcomes.contains(value))
}
