//! Outcomes of actions and gates that no edge handles: a run that records one stands still there.

use std::collections::BTreeMap;

use agent_graph_runtime::Outcome;
use agent_graph_runtime::explore::is_open;
use agent_graph_runtime::protocol::OutcomeSet;

use super::Found;
use super::draft::Shown;
use super::registry::Lint;
use super::subject::{Subject, found};
use super::survey::Survey;
use super::witness::Shows;

pub(crate) fn unhandled<'l>(
    subject: &Subject<'l>,
    surveys: &[Vec<Survey<'l>>],
    out: &mut Found<'_, 'l>,
) {
    for own in surveys {
        let mut seen: BTreeMap<u32, Vec<(&Survey<'l>, Outcome)>> = BTreeMap::new();
        for survey in own {
            for &(node, value) in survey.unhandled.keys() {
                seen.entry(node).or_default().push((survey, value));
            }
        }
        for (node, seen) in seen {
            let values: OutcomeSet = seen.iter().map(|&(_, value)| value).collect();
            let message = format!(
                "no edge handles the outcomes `{}` of node `{}`",
                named(subject, node, values).join("`, `"),
                subject.node_id(node)
            );
            let witness = seen.first().and_then(|&(survey, value)| {
                let trail = survey.unhandled.get(&(node, value))?;
                let shows = Shows::Unhandled(subject.key(node), value);
                Some(Shown::way(survey.at, trail, shows))
            });
            let finding = found(Lint::UnhandledOutcome, subject.node_place(node), message);
            out.add(Lint::UnhandledOutcome, finding, witness);
        }
    }
}

/// The outcomes that the values seen stand for: those that no edge names are all taken alike, and only a
/// proof tells `completed` from the others.
fn named(subject: &Subject<'_>, node: u32, seen: OutcomeSet) -> Vec<&'static str> {
    let tables = &subject.tables;
    let edges = subject.edges_from(node);
    let handled: OutcomeSet = edges
        .flat_map(|edge| tables.row(tables.edges, edge).outcomes.iter())
        .collect();
    let detail = subject.node_row(node).detail;
    let has_proof = tables.row(tables.steps, detail).satisfied.1 > 0;
    let others = seen.iter().any(|own| own != Outcome::Completed);
    let outcomes = Outcome::ALL.iter().copied().filter(|&outcome| {
        let stood_for = match outcome {
            _ if !has_proof => true,
            Outcome::Completed => seen.contains(Outcome::Completed),
            _ => others,
        };
        stood_for && !is_open(outcome) && !handled.contains(outcome)
    });
    outcomes.map(Outcome::as_str).collect()
}
