//! Facts that cannot hold: those that a node requires, those that prove it done.

use agent_graph_runtime::explore::{can_all_hold, contradiction};
use agent_graph_runtime::protocol::NodeKind;
use agent_graph_runtime::tables::CheckRow;

use super::Found;
use super::draft::Shown;
use super::reach::Together;
use super::registry::Lint;
use super::subject::{Subject, found};
use super::survey::Survey;
use super::witness::{Clash, Shows};

pub(crate) fn contradictory<'l>(
    subject: &Subject<'l>,
    surveys: &[Vec<Survey<'l>>],
    out: &mut Found<'_, 'l>,
) {
    for ((graph, _), own) in subject.graphs().zip(surveys) {
        let together = Together::of(own);
        for node in subject.graph_row(graph).nodes.indices() {
            let tables = &subject.tables;
            let alone = contradiction(
                tables,
                tables.rows(tables.checks, subject.node_row(node).requires),
            );
            let never = together.rules_out(node) && together.reached.contains(&node);
            if alone.is_none() && !never {
                continue;
            }
            let missed = own
                .iter()
                .find_map(|survey| Some((survey.at, survey.misses.get(&node)?)));
            let shows = Shows::FactsMissing(subject.key(node));
            let witness = match (missed, alone) {
                (Some((at, trail)), _) => Shown::way(at, trail, shows),
                (None, Some((one, other))) => Shown::Clash {
                    node,
                    clash: Clash::Checks(one, other),
                },
                (None, None) => continue,
            };
            let cause = if alone.is_some() {
                "contradict each other"
            } else {
                "contradict those on every way to it"
            };
            let message = format!(
                "the facts that node `{}` requires {cause}: it is always blocked",
                subject.node_id(node)
            );
            let finding = found(Lint::ContradictoryFacts, subject.node_place(node), message);
            out.add(Lint::ContradictoryFacts, finding, Some(witness));
        }
    }
}

pub(crate) fn unprovable<'l>(
    subject: &Subject<'l>,
    surveys: &[Vec<Survey<'l>>],
    out: &mut Found<'_, 'l>,
) {
    for ((graph, _), own) in subject.graphs().zip(surveys) {
        let all_gone = own.iter().all(|survey| survey.exhausted);
        for node in subject.graph_row(graph).nodes.indices() {
            let row = subject.node_row(node);
            let lint = match row.kind {
                NodeKind::Action => Lint::UnprovableAction,
                NodeKind::Gate => Lint::UnresolvableGate,
                NodeKind::Subgraph | NodeKind::Terminal => continue,
            };
            let tables = &subject.tables;
            let proof = tables.rows(
                tables.checks,
                tables.row(tables.steps, row.detail).satisfied,
            );
            let required = tables.rows(tables.checks, row.requires);
            if proof.is_empty() || !can_all_hold(tables, required) {
                continue;
            }
            let checks: Vec<CheckRow> = required.iter().chain(proof).copied().collect();
            let clash = contradiction(tables, &checks);
            let proven = own.iter().any(|survey| survey.proven.contains(&node));
            if clash.is_none() && (!all_gone || proven) {
                continue;
            }
            let Some(witness) = unproven(subject, own, node).or_else(|| {
                let (one, other) = clash?;
                let clash = Clash::Checks(one, other);
                Some(Shown::Clash { node, clash })
            }) else {
                continue;
            };
            let message = format!(
                "the facts that prove node `{}` done cannot hold when it is reached: recorded as \
                 completed, it comes to `unverified`",
                subject.node_id(node)
            );
            let finding = found(lint, subject.node_place(node), message);
            out.add(lint, finding, Some(witness));
        }
    }
}

/// A way on which a node is recorded completed in vain, or at least open without its proof.
fn unproven<'l>(subject: &Subject<'l>, own: &[Survey<'l>], node: u32) -> Option<Shown<'l>> {
    let in_vain = own.iter().find_map(|survey| {
        let trail = survey.unverified.get(&node)?;
        let shows = Shows::Unverified(subject.key(node));
        Some(Shown::way(survey.at, trail, shows))
    });
    in_vain.or_else(|| {
        own.iter().find_map(|survey| {
            let trail = survey.open.get(&node)?;
            let shows = Shows::Unproven(subject.key(node));
            Some(Shown::way(survey.at, trail, shows))
        })
    })
}
