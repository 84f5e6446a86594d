//! Ends: none that can be reached, several that disagree, states from which none can be reached any more.

use agent_graph_runtime::Status;
use agent_graph_runtime::protocol::NodeKind;

use super::Found;
use super::draft::Shown;
use super::registry::Lint;
use super::subject::{Subject, found};
use super::survey::Survey;
use super::witness::Shows;

pub(crate) fn conflicting<'l>(
    subject: &Subject<'l>,
    surveys: &[Vec<Survey<'l>>],
    out: &mut Found<'_, 'l>,
) {
    for survey in surveys.iter().flatten() {
        let Some((trail, terminals)) = &survey.conflict else {
            continue;
        };
        let names: Vec<&str> = terminals
            .iter()
            .map(|&node| subject.node_id(node))
            .collect();
        let message = format!(
            "terminals `{}` can be reached together from entry `{}` with different outcomes, which is an error",
            names.join("`, `"),
            subject.entry_name(survey.at),
        );
        let mut places = terminals.iter().map(|&node| subject.node_place(node));
        let Some(place) = places.next() else { continue };
        let finding = places.fold(
            found(Lint::ConflictingTerminals, place, message),
            |finding, place| finding.with_related(place, "together with this one"),
        );
        let witness = Shown::way(survey.at, trail, Shows::Status(Status::Error));
        out.add(Lint::ConflictingTerminals, finding, Some(witness));
    }
}

pub(crate) fn missing_and_stuck<'l>(
    subject: &Subject<'l>,
    surveys: &[Vec<Survey<'l>>],
    out: &mut Found<'_, 'l>,
) {
    for own in surveys {
        let mut terminals: Option<Vec<u32>> = None;
        for survey in own {
            let terminals = terminals.get_or_insert_with(|| terminals_of(subject, survey.at.graph));
            let (entry, graph) = (subject.entry_name(survey.at), survey.at.graph);
            let place = subject.entry_place(survey.at);
            // Where nothing was gone, nothing is ruled out, and the first terminal ends the search.
            let never = !survey.completes && terminals.iter().all(|&node| survey.rules_out(node));
            let first = survey.first.as_ref();
            if let Some(first) = first.filter(|_| never || (survey.exhausted && !survey.completes))
            {
                let message = format!(
                    "entry `{entry}` of graph `{}` never completes: no terminal can be reached alone",
                    subject.graph_id(graph)
                );
                let finding = found(Lint::NoTerminal, place, message);
                let witness = Shown::way(survey.at, first, Shows::NeverCompletes);
                out.add(Lint::NoTerminal, finding, Some(witness));
            } else if let Some(Some(stuck)) = &survey.stuck {
                let message = format!(
                    "from entry `{entry}` a state can be come to from which no terminal can be reached \
                     without taking back what is recorded, though only `completed` and outcomes that edges \
                     name were recorded: {}",
                    stuck.recorded
                );
                let finding = found(Lint::StuckState, place, message)
                    .with_hint("lead every branch to a terminal, or back with a repeat edge");
                let shows = Shows::Status(stuck.status);
                let witness = Shown::way(survey.at, &stuck.trail, shows);
                out.add(Lint::StuckState, finding, Some(witness));
            }
        }
    }
}

fn terminals_of(subject: &Subject<'_>, graph: u32) -> Vec<u32> {
    let nodes = subject.graph_row(graph).nodes.indices();
    let terminal = |node: &u32| subject.node_row(*node).kind == NodeKind::Terminal;
    nodes.filter(terminal).collect()
}
