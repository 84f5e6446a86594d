//! Outcomes of actions and gates that no edge handles: a run that records one stands still there.

use agent_graph_runtime::Outcome;
use agent_graph_runtime::protocol::OutcomeSet;

use super::Found;
use super::registry::Lint;
use super::subject::{Subject, found};
use super::survey::Survey;
use super::witness::{Shows, Witness};

pub(crate) fn unhandled(subject: &Subject<'_>, surveys: &[Survey], out: &mut Found<'_>) {
    for (node, _) in subject.nodes() {
        let row = subject.node_row(node);
        let seen: Vec<(&Survey, Outcome)> = surveys
            .iter()
            .flat_map(|survey| {
                let own = survey.unhandled.keys().filter(|(own, _)| *own == node);
                own.map(move |&(_, value)| (survey, value))
            })
            .collect();
        let Some(&(survey, value)) = seen.first() else {
            continue;
        };
        let tables = &subject.tables;
        let lists = [row.outgoing, row.repeats];
        let edges = lists
            .into_iter()
            .flat_map(|list| tables.rows(tables.lists, list));
        let named: OutcomeSet = edges
            .flat_map(|&edge| tables.row(tables.edges, edge).outcomes.iter())
            .chain([Outcome::Pending, Outcome::WaitingUser])
            .collect();
        // Outcomes that no edge names are all taken alike; only a proof tells completed from the others.
        let proof = tables.row(tables.steps, row.detail).satisfied.1 > 0;
        let completed = seen.iter().any(|(_, own)| *own == Outcome::Completed);
        let others = seen.iter().any(|(_, own)| *own != Outcome::Completed);
        let outcomes: Vec<&str> = Outcome::ALL
            .iter()
            .copied()
            .filter(|&outcome| !named.contains(outcome))
            .filter(|&outcome| match outcome {
                _ if !proof => true,
                Outcome::Completed => completed,
                _ => others,
            })
            .map(Outcome::as_str)
            .collect();
        let message = format!(
            "no edge handles the outcomes `{}` of node `{}`",
            outcomes.join("`, `"),
            subject.node_id(node)
        );
        let witness = survey.unhandled.get(&(node, value)).map(|state| Witness {
            graph: subject.graph_id(row.graph).to_owned(),
            entry: subject.entry_name(survey.at).to_owned(),
            state: state.clone(),
            shows: Shows::Unhandled(subject.key(node), value),
        });
        let finding = found(Lint::UnhandledOutcome, subject.node_place(node), message);
        out.add(Lint::UnhandledOutcome, finding, witness);
    }
}
