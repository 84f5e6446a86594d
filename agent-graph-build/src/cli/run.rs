//! `run`: run files, one for each run of a workflow.

use std::path::{Path, PathBuf};

use agent_graph_runtime::explain::ExplainLimits;
use agent_graph_runtime::json::Value;
use agent_graph_runtime::runs::{NewRun, Run, Runs};
use agent_graph_runtime::{Code, Error, Facts};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use super::answer::{Answer, Lines, object, word};
use super::context::{Context, absolute};
use super::evaluate::{self, entry_option, graph_argument};
use super::failure::Failure;
use super::json_argument;
use super::selection::Selection;
use super::state::{authorities, authority_option, run_option};

pub(super) fn command() -> Command {
    let state = || run_option("File of the run").required(true);
    Command::new("run")
        .about("Keep what is known and done in a file, one for each run")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .subcommand(start_command().arg(state()))
        .subcommand(
            Command::new("status")
                .about("Say where a run stands, and what comes next")
                .arg(state()),
        )
        .subcommand(record_command().arg(state()))
        .subcommand(facts_command().arg(state()))
        .subcommand(
            Command::new("authority")
                .about("Say which authorities the session holds; none without --set")
                .arg(state())
                .arg(authority_option().id("authority").long("set")),
        )
        .subcommand(
            Command::new("checkpoint")
                .about("Save a copy without authorities")
                .arg(state())
                .arg(path_option("to").required(true).help("File of the copy")),
        )
        .subcommand(
            Command::new("resume")
                .about("Start from a checkpoint")
                .arg(
                    Arg::new("checkpoint")
                        .required(true)
                        .value_parser(value_parser!(PathBuf))
                        .help("File of the checkpoint"),
                )
                .arg(state()),
        )
        .subcommand(
            Command::new("events")
                .about("List what happened")
                .arg(state()),
        )
}

fn path_option(name: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name("path")
        .value_parser(value_parser!(PathBuf))
}

fn start_command() -> Command {
    Command::new("start")
        .about("Start a run")
        .arg(graph_argument())
        .arg(entry_option())
        .arg(
            path_option("workspace")
                .default_value(".")
                .help("Folder that is worked on"),
        )
        .arg(
            Arg::new("facts")
                .long("facts")
                .value_name("json|@file")
                .allow_hyphen_values(true)
                .help("What is known from the beginning, an object"),
        )
        .arg(authority_option())
}

fn record_command() -> Command {
    Command::new("record")
        .about("Record how a node ended")
        .arg(
            Arg::new("node")
                .required(true)
                .help("State key of the node: recordNode of its route"),
        )
        .arg(Arg::new("outcome").required(true).help("How it ended"))
        .arg(
            Arg::new("detail")
                .long("detail")
                .value_name("json|@file")
                .allow_hyphen_values(true)
                .help("What else there is to say"),
        )
}

fn facts_command() -> Command {
    Command::new("facts")
        .about("Say what was observed")
        .arg(
            Arg::new("set")
                .long("set")
                .value_name("json|@file")
                .required(true)
                .allow_hyphen_values(true)
                .help("The facts, an object"),
        )
        .arg(
            Arg::new("replace")
                .long("replace")
                .action(ArgAction::SetTrue)
                .help("Forget all other facts"),
        )
}

pub(super) fn run(matches: &ArgMatches, context: &Context) -> Result<Answer, Failure> {
    let Some((name, matches)) = matches.subcommand() else {
        return Err(Failure::unexpected("no command was given"));
    };
    let file = matches
        .get_one::<PathBuf>("state")
        .cloned()
        .unwrap_or_default();
    match name {
        "start" => start(matches, context, &file),
        "status" => status(context, &file),
        "record" => record(matches, context, &file),
        "facts" => facts(matches, &file),
        "authority" => changed(Runs::in_files().set_authorities(&file, authorities(matches))?),
        "checkpoint" => checkpoint(matches, &file),
        "resume" => {
            let checkpoint = matches.get_one::<PathBuf>("checkpoint");
            let checkpoint = checkpoint.cloned().unwrap_or_default();
            changed(Runs::in_files().resume(&checkpoint, &file)?)
        }
        _ => events(&file),
    }
}

fn start(matches: &ArgMatches, context: &Context, file: &Path) -> Result<Answer, Failure> {
    let text = |name: &str| matches.get_one::<String>(name);
    let facts = match text("facts") {
        Some(facts) => json_argument::facts(facts)?,
        None => Facts::default(),
    };
    let selection = Selection::of(context, text("graph"), text("entry"))?;
    let provider = selection.installed.provider();
    if !provider.graphs().any(|graph| graph == selection.graph) {
        let message = format!(
            "provider `{}` has no graph `{}`",
            provider.id(),
            selection.graph
        );
        return Err(selection.failure(Error::new(Code::GraphMissing, message)));
    }
    let workspace = matches.get_one::<PathBuf>("workspace");
    let new = NewRun::new(provider.id(), &selection.graph)
        .entry(&selection.entry)
        .workspace(workspace.cloned().unwrap_or_default())
        .facts(facts)
        .authorities(authorities(matches));
    changed(Runs::in_files().create(file, new)?)
}

fn status(context: &Context, file: &Path) -> Result<Answer, Failure> {
    let run = Runs::in_files().load(file)?;
    let evaluation = run.evaluate_installed(&context.installed()?)?;
    let json = object([
        (
            "run",
            object([
                ("id", run.id().into()),
                ("state", absolute(file)?.into()),
                ("updatedAt", run.updated_at().into()),
            ])
            .into(),
        ),
        ("evaluation", evaluate::json(&evaluation)?),
    ]);
    Ok(Answer::new(json, evaluate::lines(&evaluation)))
}

fn record(matches: &ArgMatches, context: &Context, file: &Path) -> Result<Answer, Failure> {
    let text = |name: &str| matches.get_one::<String>(name).map(String::as_str);
    let outcome = json_argument::outcome(text("outcome").unwrap_or_default())?;
    let detail = text("detail").map(json_argument::value).transpose()?;
    let node = text("node").unwrap_or_default();
    let run = Runs::in_files().record(file, node, outcome, detail)?;
    let doubt = match context.json() {
        // Its result has no place for it, and nothing else needs the provider.
        true => None,
        false => doubt(context, &run, node),
    };
    let mut answer = changed(run)?;
    answer.human = answer.human.maybe("Warning", doubt);
    Ok(answer)
}

/// Why nothing may come of what was recorded, as far as the provider is at hand and is the one of the run: any key may
/// be recorded.
fn doubt(context: &Context, run: &Run, node: &str) -> Option<String> {
    let provider = context.installed().ok()?.provider().clone();
    // Only names matter here.
    let limits = ExplainLimits { moves: 0, ways: 0 };
    let state = run.state(&provider).ok()?;
    let explained = provider.explain_within(run.graph(), run.entry(), &state, limits);
    let mut unknown = explained.ok()?.unknown_keys.into_iter();
    let unknown = unknown.find(|unknown| unknown.key == node)?;
    let graph = run.graph();
    Some(match (unknown.ignored, unknown.nearest) {
        (true, _) => format!("{node} calls a graph, so what is recorded for it is ignored"),
        (false, Some(nearest)) => {
            format!("{node} is no state key of graph {graph}; did you mean {nearest}?")
        }
        (false, None) => {
            format!("{node} is no state key of graph {graph}; `route` says what to record")
        }
    })
}

fn facts(matches: &ArgMatches, file: &Path) -> Result<Answer, Failure> {
    let facts = matches.get_one::<String>("set").map_or("", String::as_str);
    let facts = json_argument::facts(facts)?;
    let runs = Runs::in_files();
    changed(match matches.get_flag("replace") {
        true => runs.replace_facts(file, facts)?,
        false => runs.update_facts(file, facts)?,
    })
}

fn checkpoint(matches: &ArgMatches, file: &Path) -> Result<Answer, Failure> {
    let target = matches
        .get_one::<PathBuf>("to")
        .cloned()
        .unwrap_or_default();
    Runs::in_files().checkpoint(file, &target)?;
    let (run, checkpoint) = (absolute(file)?, absolute(&target)?);
    let json = object([
        ("run", run.as_str().into()),
        ("checkpoint", checkpoint.as_str().into()),
    ]);
    let human = Lines::new()
        .label("Run", run)
        .label("Checkpoint", checkpoint)
        .label(
            "Next",
            format!(
                "agent-graph run resume {} --state <file>, in a new session",
                word(&target)
            ),
        );
    Ok(Answer::new(json, human))
}

fn events(file: &Path) -> Result<Answer, Failure> {
    let run = Runs::in_files().load(file)?;
    let events = run.as_object().get("events").cloned().unwrap_or_default();
    let json = object([("run", run.id().into()), ("events", events)]);
    let mut human = Lines::new();
    for event in run.events() {
        let node = event
            .node()
            .map_or(String::new(), |node| format!(" {node}"));
        let outcome = event.outcome();
        let outcome = outcome.map_or(String::new(), |outcome| format!(" {outcome}"));
        let what = format!("{} {}{node}{outcome}", event.at(), event.kind());
        human = human.label(event.sequence().to_string(), what);
    }
    Ok(Answer::new(json, human))
}

/// The answer of whatever starts or changes a run.
fn changed(run: Run) -> Result<Answer, Failure> {
    let last = run.events().next_back();
    let human = Lines::new()
        .label("Run", run.id())
        .maybe(
            "Event",
            last.map(|event| format!("{} {}", event.sequence(), event.kind())),
        )
        .line("See `run status` for what comes next.");
    Ok(Answer::new(Value::Object(run.as_object().clone()), human))
}
