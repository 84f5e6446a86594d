//! `explain`: why a run stands where it stands, and what would make progress.

use agent_graph_runtime::explain::{
    Change, Expected, Explanation, FactNeed, FrontierNode, Move, Need, Possibility,
};
use agent_graph_runtime::{Outcome, Status};
use clap::{ArgMatches, Command};

use super::answer::{Answer, Lines};
use super::context::Context;
use super::evaluate::{entry_option, graph_argument};
use super::failure::Failure;
use super::selection::Selection;
use super::state::{Input, options};

pub(super) fn command() -> Command {
    let command =
        Command::new("explain").about("Say why things stand as they do, and what would help");
    options(command.arg(graph_argument()).arg(entry_option()))
}

pub(super) fn run(matches: &ArgMatches, context: &Context) -> Result<Answer, Failure> {
    let selection = Selection::of(context, matches.get_one("graph"), matches.get_one("entry"))?;
    let provider = selection.installed.provider();
    let input = Input::of(matches, provider)?;
    context.at("trying what would help");
    let explanation = provider
        .explain(&selection.graph, &selection.entry, &input.state)
        .map_err(|error| selection.failure(error))?;
    Answer::of(&explanation, lines(&explanation))
}

fn lines(explanation: &Explanation) -> Lines {
    let mut lines = Lines::new().label("State", explanation.status);
    for node in &explanation.frontier {
        lines = lines.label(&node.key, standing(node));
        for need in &node.needs {
            if let Some(need) = shown(need) {
                lines = lines.line(format!("  {need}"));
            }
        }
    }
    for change in &explanation.moves {
        lines = lines.label("Would help", help(change));
    }
    let stands = matches!(explanation.status, Status::Blocked | Status::WaitingUser);
    if stands && explanation.moves.is_empty() {
        lines = lines.line(if explanation.moves_complete {
            "No single change would help."
        } else {
            "No single change that was tried would help."
        });
    }
    for unknown in &explanation.unknown_keys {
        let why = match (unknown.ignored, &unknown.nearest) {
            (true, _) => "is ignored: the node calls a graph".to_owned(),
            (false, Some(nearest)) => format!("is unknown: did you mean {nearest}?"),
            (false, None) => "is unknown".to_owned(),
        };
        lines = lines.label("Outcome", format!("{} {why}", unknown.key));
    }
    for unknown in &explanation.unknown_authorities {
        let authority = &unknown.authority;
        lines = lines.label(
            "Authority",
            match &unknown.nearest {
                Some(nearest) => format!("{authority} is unknown: did you mean {nearest}?"),
                None => format!("{authority} is unknown"),
            },
        );
    }
    lines
}

/// The word of a value as it stands in JSON.
fn word(value: &impl serde_core::Serialize) -> String {
    let value = agent_graph_runtime::json::Value::from_serialize(value).unwrap_or_default();
    match value.as_object().and_then(|object| object.iter().next()) {
        Some((name, value)) => format!("{name} {}", value.as_str().unwrap_or_default()),
        None => value.as_str().unwrap_or_default().to_owned(),
    }
}

fn standing(node: &FrontierNode) -> String {
    let standing = word(&node.standing);
    let possible = match node.possibility {
        Possibility::Impossible => ", and can never be reached with the facts it requires",
        Possibility::Possible | Possibility::NotDecided => "",
    };
    match node.value {
        Some(value) => format!("{standing}, {value}{possible}"),
        None => format!("{standing}{possible}"),
    }
}

fn shown(need: &Need) -> Option<String> {
    Some(match need {
        Need::Record { recorded: None } => "needs an outcome".to_owned(),
        Need::Record {
            recorded: Some(outcome),
        } => format!("needs another outcome than {outcome}"),
        Need::Edge { met: true, .. } | Need::Join { .. } => return None,
        Need::Edge {
            from, needed, seen, ..
        } => {
            let seen = seen.map_or("is not reached".to_owned(), |seen| format!("is {seen}"));
            format!("needs {from} to be {}, which {seen}", words(needed))
        }
        Need::Onward { to, needed, seen } => {
            format!("is {seen}; {to} would need {}", words(needed))
        }
        Need::DeadEnd => "no edge leads on from here".to_owned(),
        Need::Fact(fact) => expected(fact),
        Need::Authority {
            authority,
            delegatable,
            held,
        } => match (authority, delegatable, held) {
            (Some(authority), true, false) => {
                format!("needs a person, or a session that holds {authority}")
            }
            (_, _, true) => return None,
            _ => "needs a person".to_owned(),
        },
        Need::Repeat { from, seen } => format!("is repeated while {from} is {seen}"),
        Need::Call { graph, status } => format!("waits for {graph}, which is {status}"),
        Need::Conflict { outcome, against } => {
            format!("says {outcome} against {}", against.join(", "))
        }
    })
}

fn words(outcomes: &[Outcome]) -> String {
    let words: Vec<&str> = outcomes.iter().map(|outcome| outcome.as_str()).collect();
    words.join(" or ")
}

fn expected(fact: &FactNeed) -> String {
    let path = &fact.path;
    let found = match &fact.value {
        Some(value) => format!("it is {value}"),
        None => format!("it is {}", word(&fact.found)),
    };
    match &fact.expected {
        Expected::Present => format!("needs fact {path}; {found}"),
        Expected::Absent => format!("needs fact {path} to be absent; {found}"),
        Expected::Equals(value) => format!("needs fact {path} to be {value}; {found}"),
    }
}

fn help(change: &Move) -> String {
    let what = match &change.change {
        Change::Record {
            node,
            outcomes,
            takes_back,
        } => {
            let what = format!("record {} for {node}", words(outcomes));
            match takes_back {
                Some(done) => format!("{what}, taking back {done}"),
                None => what,
            }
        }
        Change::Facts { node, facts } => {
            let paths: Vec<&str> = facts.iter().map(|fact| fact.path.as_str()).collect();
            format!("the facts that {node} checks: {}", paths.join(", "))
        }
        Change::Authority { authority } => format!("authority {authority}"),
    };
    match (change.outcome, change.opens.is_empty()) {
        (Some(outcome), _) => format!("{what}; that ends it, {outcome}"),
        (None, false) => format!("{what}; that opens {}", change.opens.join(", ")),
        (None, true) => what,
    }
}
