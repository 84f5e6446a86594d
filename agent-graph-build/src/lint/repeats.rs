//! Repeat edges into another node: they stay in force as long as their source stays what it is, and so
//! long nothing that is recorded for the target counts.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::Found;
use super::draft::Shown;
use super::registry::Lint;
use super::subject::{Subject, found};
use super::survey::Survey;
use super::witness::Shows;

pub(crate) fn lasting<'l>(
    subject: &Subject<'l>,
    surveys: &[Vec<Survey<'l>>],
    out: &mut Found<'_, 'l>,
) {
    let mut shown = BTreeSet::new();
    for survey in surveys.iter().flatten() {
        for (&edge, (trail, recorded)) in &survey.lasting {
            if !shown.insert(edge) {
                continue;
            }
            let row = subject.tables.row(subject.tables.edges, edge);
            let (target, source) = (subject.node_id(row.to), subject.node_id(row.from));
            let message = format!(
                "the repeat edge can keep `{target}` pending whatever is recorded for `{target}`, as long \
                 as `{source}` stays what it is"
            );
            let hint = format!(
                "unless facts change that, the host has to record something else for `{source}`, such as \
                 `pending`, when `{target}` is done"
            );
            let place = subject.edge_place(survey.at.graph, edge);
            let finding = found(Lint::LastingRepeat, place, message).with_hint(hint);
            let key = subject.key(row.to);
            let witness = Shown::Way {
                at: survey.at,
                trail: Rc::clone(trail),
                completed: (!recorded).then(|| key.clone()),
                shows: Shows::StillPending(key),
            };
            out.add(Lint::LastingRepeat, finding, Some(witness));
        }
    }
}
