//! Repeat edges into another node: they stay in force as long as their source stays what it is, and so
//! long nothing that is recorded for the target counts.

use std::collections::BTreeSet;

use super::Found;
use super::registry::Lint;
use super::subject::{Subject, found};
use super::survey::Survey;
use super::witness::{Shows, Witness};

pub(crate) fn lasting(subject: &Subject<'_>, surveys: &[Survey], out: &mut Found<'_>) {
    let mut shown = BTreeSet::new();
    for survey in surveys {
        for (&edge, state) in &survey.lasting {
            if !shown.insert(edge) {
                continue;
            }
            let row = subject.tables.row(subject.tables.edges, edge);
            let message = format!(
                "the repeat edge can keep `{target}` pending whatever is recorded for `{target}`, as long \
                 as `{source}` stays what it is",
                target = subject.node_id(row.to),
                source = subject.node_id(row.from),
            );
            let place = subject.edge_place(survey.at.graph, edge);
            let hint = format!(
                "unless facts change that, the host has to record something else for `{source}`, such as \
                 `pending`, when `{target}` is done",
                target = subject.node_id(row.to),
                source = subject.node_id(row.from),
            );
            let finding = found(Lint::LastingRepeat, place, message).with_hint(hint);
            let witness = Witness {
                graph: subject.graph_id(survey.at.graph).to_owned(),
                entry: subject.entry_name(survey.at).to_owned(),
                state: state.clone(),
                shows: Shows::StillPending(subject.key(row.to)),
            };
            out.add(Lint::LastingRepeat, finding, Some(witness));
        }
    }
}
