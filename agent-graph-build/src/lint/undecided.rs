//! Says where the bound was met. Knows surveys, not how they are made.

use super::Found;
use super::registry::Lint;
use super::subject::{Subject, found};
use super::survey::Survey;

pub(crate) fn check<'l>(
    subject: &Subject<'l>,
    surveys: &[Vec<Survey<'l>>],
    out: &mut Found<'_, 'l>,
) {
    for survey in surveys.iter().flatten() {
        let mut open = Vec::new();
        if !survey.exhausted {
            open.push("which outcomes and terminals meet");
        }
        if !survey.decides_all_nodes(subject) {
            open.push("which nodes can be reached");
        }
        if survey.stuck.is_none() {
            open.push("which states are stuck");
        }
        if open.is_empty() {
            continue;
        }
        let message = format!(
            "from entry `{}` of graph `{}` it was not decided within the bound {}",
            subject.entry_name(survey.at),
            subject.graph_id(survey.at.graph),
            open.join(", nor "),
        );
        let place = subject.entry_place(survey.at);
        let finding = found(Lint::Undecided, place, message);
        out.add(Lint::Undecided, finding, None);
    }
}
