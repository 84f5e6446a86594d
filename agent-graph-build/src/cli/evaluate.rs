//! `evaluate`: where things stand, and what comes next.

use agent_graph_runtime::json::Value;
use agent_graph_runtime::{Candidate, Evaluation, Status};
use clap::{Arg, ArgMatches, Command};

use super::answer::{Answer, Lines};
use super::context::Context;
use super::failure::Failure;
use super::selection::Selection;
use super::state::{Input, options};

pub(super) fn command() -> Command {
    let command = Command::new("evaluate").about("Say where things stand, and what comes next");
    options(command.arg(graph_argument()).arg(entry_option()))
}

/// `[graph]`.
pub(super) fn graph_argument() -> Arg {
    Arg::new("graph")
        .value_name("graph")
        .help("Id of the graph")
}

/// `--entry <name>`.
pub(super) fn entry_option() -> Arg {
    Arg::new("entry")
        .long("entry")
        .value_name("name")
        .help("Name of the entry, `default` if none is given")
}

pub(super) fn run(matches: &ArgMatches, context: &Context) -> Result<Answer, Failure> {
    let selection = Selection::of(context, matches.get_one("graph"), matches.get_one("entry"))?;
    let input = Input::of(matches, selection.installed.provider())?;
    context.at("evaluating");
    let evaluation = selection
        .installed
        .evaluate(&selection.graph, &selection.entry, &input.state)
        .map_err(|error| selection.failure(error))?;
    Ok(Answer::new(json(&evaluation)?, lines(&evaluation)))
}

/// The evaluation as `agent-graph.evaluation.v1`.
pub(super) fn json(evaluation: &Evaluation) -> Result<Value, Failure> {
    Ok(Value::from_serialize(evaluation)?)
}

/// The evaluation for people.
pub(super) fn lines(evaluation: &Evaluation) -> Lines {
    let outcome = evaluation.outcome();
    let state = match outcome {
        Some(outcome) => format!("{}, {outcome}", evaluation.status()),
        None => evaluation.status().to_string(),
    };
    let mut lines = Lines::new().label("State", state);
    if let Some(primary) = evaluation.primary() {
        lines = lines
            .label("Next", next(&primary))
            .label("Reason", reason(&primary))
            .label("Route", primary.route_id());
    }
    let more = evaluation.candidates().count().saturating_sub(1);
    if more > 0 {
        lines = lines.label("Also possible", more);
    }
    for diagnostic in evaluation.diagnostics() {
        let label = format!("{} {}", diagnostic.severity, diagnostic.code);
        lines = match &diagnostic.path {
            Some(path) => lines.label(label, format!("{} ({path})", diagnostic.message)),
            None => lines.label(label, diagnostic.message),
        };
    }
    match evaluation.status() {
        Status::Actionable => lines.line("Do it, record its outcome, evaluate again."),
        Status::WaitingUser => {
            lines.line("A person has to decide; then record it and evaluate again.")
        }
        Status::Blocked => {
            lines.line("Nothing can be done: see `explain`, or check facts and outcomes.")
        }
        Status::Complete | Status::Error => lines,
    }
}

fn next(candidate: &Candidate<'_>) -> String {
    let label = candidate.label();
    if label == candidate.node() {
        candidate.record_node()
    } else {
        format!("{} ({})", label, candidate.record_node())
    }
}

fn reason(candidate: &Candidate<'_>) -> String {
    match candidate.hint() {
        Some(hint) => format!("{} ({hint})", candidate.reason_code()),
        None => candidate.reason_code().to_owned(),
    }
}
