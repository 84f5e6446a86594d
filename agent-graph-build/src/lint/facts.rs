//! Facts that cannot hold: those that a node requires, those that prove it done.

use agent_graph_runtime::explore::can_all_hold;
use agent_graph_runtime::protocol::NodeKind;
use agent_graph_runtime::tables::CheckRow;

use super::Found;
use super::registry::Lint;
use super::subject::{Subject, found};
use super::survey::Survey;
use super::witness::{Shows, Witness};

pub(crate) fn contradictory(subject: &Subject<'_>, surveys: &[Survey], out: &mut Found<'_>) {
    for (graph, _) in subject.graphs() {
        let own: Vec<&Survey> = surveys.iter().filter(|own| own.at.graph == graph).collect();
        for node in subject.graph_row(graph).nodes.indices() {
            let checks = subject
                .tables
                .rows(subject.tables.checks, subject.node_row(node).requires);
            let alone = !can_all_hold(&subject.tables, checks);
            let never = own.iter().all(|survey| survey.impossible.contains(&node));
            let missed = own
                .iter()
                .find_map(|survey| Some((survey, survey.misses.get(&node)?)));
            let blocked_everywhere = never && missed.is_some();
            if !alone && !blocked_everywhere {
                continue;
            }
            let cause = if alone {
                "contradict each other"
            } else {
                "contradict those on every way to it"
            };
            let message = format!(
                "the facts that node `{}` requires {cause}: it is always blocked",
                subject.node_id(node)
            );
            let finding = found(Lint::ContradictoryFacts, subject.node_place(node), message);
            let witness = missed.map(|(survey, state)| Witness {
                graph: subject.graph_id(graph).to_owned(),
                entry: subject.entry_name(survey.at).to_owned(),
                state: state.clone(),
                shows: Shows::FactsMissing(subject.key(node)),
            });
            out.add(Lint::ContradictoryFacts, finding, witness);
        }
    }
}

pub(crate) fn unprovable(subject: &Subject<'_>, surveys: &[Survey], out: &mut Found<'_>) {
    for (graph, _) in subject.graphs() {
        let own: Vec<&Survey> = surveys.iter().filter(|own| own.at.graph == graph).collect();
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
            let alone = !can_all_hold(tables, &checks);
            let active = own.iter().any(|survey| survey.active.contains(&node));
            let never = active
                && own
                    .iter()
                    .all(|survey| survey.exhausted && !survey.proven.contains(&node));
            if !alone && !never {
                continue;
            }
            let message = format!(
                "the facts that prove node `{}` done cannot hold when it is reached: recorded as \
                 completed, it comes to `unverified`",
                subject.node_id(node)
            );
            let finding = found(lint, subject.node_place(node), message);
            let witness = own.iter().find_map(|survey| {
                Some(Witness {
                    graph: subject.graph_id(graph).to_owned(),
                    entry: subject.entry_name(survey.at).to_owned(),
                    state: survey.unverified.get(&node)?.clone(),
                    shows: Shows::Unverified(subject.key(node)),
                })
            });
            out.add(lint, finding, witness);
        }
    }
}
