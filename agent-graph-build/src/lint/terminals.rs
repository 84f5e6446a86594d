//! Ends: none that can be reached, several that disagree, states from which none can be reached any more.

use agent_graph_runtime::Status;

use super::Found;
use super::registry::Lint;
use super::subject::{Subject, found};
use super::survey::Survey;
use super::witness::{Shows, Witness};

pub(crate) fn conflicting(subject: &Subject<'_>, surveys: &[Survey], out: &mut Found<'_>) {
    for survey in surveys {
        let Some((state, terminals)) = &survey.conflict else {
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
        let witness = witness(subject, survey, state, Status::Error);
        out.add(Lint::ConflictingTerminals, finding, Some(witness));
    }
}

pub(crate) fn missing_and_stuck(subject: &Subject<'_>, surveys: &[Survey], out: &mut Found<'_>) {
    for survey in surveys {
        let (entry, graph) = (subject.entry_name(survey.at), survey.at.graph);
        let place = subject.entry_place(survey.at);
        let some_terminal = subject.graph_row(graph).nodes.indices().any(|node| {
            subject.node_row(node).kind == agent_graph_runtime::protocol::NodeKind::Terminal
                && !survey.impossible.contains(&node)
        });
        if !survey.completes && (survey.exhausted || !some_terminal) {
            let message = format!(
                "entry `{entry}` of graph `{}` never completes: no terminal can be reached alone",
                subject.graph_id(graph)
            );
            let finding = found(Lint::NoTerminal, place, message);
            let shows = Shows::NeverCompletes;
            let witness = Witness {
                shows,
                ..witness(subject, survey, &survey.first, Status::Blocked)
            };
            out.add(Lint::NoTerminal, finding, Some(witness));
        } else if let Some((state, status)) = &survey.stuck {
            let message = format!(
                "from entry `{entry}` a state can be come to from which no terminal can be reached, \
                 though only outcomes were recorded that the graph handles: {}",
                recorded(state)
            );
            let finding = found(Lint::StuckState, place, message)
                .with_hint("lead every branch to a terminal, or back with a repeat edge");
            let witness = witness(subject, survey, state, *status);
            out.add(Lint::StuckState, finding, Some(witness));
        }
    }
}

fn recorded(state: &agent_graph_runtime::State) -> String {
    let outcomes: Vec<String> = state
        .outcomes()
        .map(|(key, outcome)| format!("`{key}` {outcome}"))
        .collect();
    if outcomes.is_empty() {
        "nothing".to_owned()
    } else {
        outcomes.join(", ")
    }
}

fn witness(
    subject: &Subject<'_>,
    survey: &Survey,
    state: &agent_graph_runtime::State,
    status: Status,
) -> Witness {
    Witness {
        graph: subject.graph_id(survey.at.graph).to_owned(),
        entry: subject.entry_name(survey.at).to_owned(),
        state: state.clone(),
        shows: Shows::Status(status),
    }
}
