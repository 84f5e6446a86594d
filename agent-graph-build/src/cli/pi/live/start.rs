//! From arguments to a run that may begin or go on: which graph, which input, where things are kept, and who is
//! asked first. Knows options and rules, nothing about how a run is driven.

use std::path::{Path, PathBuf};
use std::time::Duration;

use agent_graph_runtime::Code;
use agent_graph_runtime::json::{Object, Value};
use agent_graph_runtime::pi::checkpoint::CheckpointStore;
use agent_graph_runtime::pi::discover::Scope;
use agent_graph_runtime::pi::run::{Resume, Run, RunStatus, Snapshot, is_run_id};
use agent_graph_runtime::pi::runner::Abort;
use agent_graph_runtime::pi::{self, Loaded};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use super::people::Person;
use super::report::Report;
use super::{LEASE, Opening, Performance, answer, new_run_id, now, refused_by_store};
use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::pi::folders::{About, Folders};
use crate::cli::pi::policy::{self, Circumstances, Confirmation};
use crate::cli::pi::report;
use crate::cli::pi::select::Where;
use crate::cli::streams::Streams;
use crate::cli::{environment, json_argument, signals};

pub(in crate::cli::pi) fn run_command() -> Command {
    with_common(
        Command::new("run")
            .about("Run a graph with `pi`; exit status 3 when it waits for a person, 130 when it was ended")
            .arg(Arg::new("graph").value_name("file|name").required(true).help("What to run"))
            .arg(
                Arg::new("task")
                    .value_name("task")
                    .help("What is to be done: `input.task` of the graph"),
            )
            .arg(
                Arg::new("input")
                    .long("input")
                    .value_name("json|@file")
                    .allow_hyphen_values(true)
                    .help("The input of the graph, an object"),
            )
            .arg(
                Arg::new("run-id")
                    .long("run-id")
                    .value_name("id")
                    .help("What the run is called; an id is made, if not given"),
            )
            .arg(
                Arg::new("no-checkpoints")
                    .long("no-checkpoints")
                    .action(ArgAction::SetTrue)
                    .help("Store nothing; the run cannot go on once this call of it is over"),
            ),
    )
}

pub(in crate::cli::pi) fn resume_command() -> Command {
    with_common(
        Command::new("resume")
            .about("Go on with a run that waits, has failed, was ended, or whose process is gone")
            .arg(
                Arg::new("run")
                    .value_name("run id")
                    .required(true)
                    .help("The run"),
            )
            .arg(
                Arg::new("answer")
                    .long("answer")
                    .value_name("text")
                    .allow_hyphen_values(true)
                    .conflicts_with("answer-json")
                    .help("What the person says that the run waits for"),
            )
            .arg(
                Arg::new("answer-json")
                    .long("answer-json")
                    .value_name("json|@file")
                    .allow_hyphen_values(true)
                    .help("The same as a JSON value"),
            )
            .arg(
                Arg::new("graph")
                    .long("graph")
                    .value_name("file|name")
                    .conflicts_with("original")
                    .help("The graph; the file that the run was started with, if not given"),
            )
            .arg(
                Arg::new("original")
                    .long("original")
                    .action(ArgAction::SetTrue)
                    .help("Take the definition as it was when the run was started"),
            )
            .arg(
                Arg::new("force")
                    .long("force")
                    .action(ArgAction::SetTrue)
                    .help("Go on although the definition has changed"),
            ),
    )
}

fn with_common(command: Command) -> Command {
    command
        .arg(
            Arg::new("cwd")
                .long("cwd")
                .value_name("folder")
                .value_parser(value_parser!(PathBuf))
                .help("Where agents work; the current directory, or that of the beginning"),
        )
        .arg(
            Arg::new("pi")
                .long("pi")
                .value_name("program")
                .value_parser(value_parser!(PathBuf))
                .default_value("pi")
                .help("The program that agents are"),
        )
        .arg(
            Arg::new("yes")
                .long("yes")
                .action(ArgAction::SetTrue)
                .help("Confirm what a person would be asked to confirm before the run"),
        )
        .arg(
            Arg::new("lease")
                .long("lease")
                .value_name("seconds")
                .value_parser(value_parser!(u64).range(1..=3600))
                .help(
                    "How long the right to write the run outlasts this process; 30, if not given",
                ),
        )
}

/// A definition that is to be run.
struct Chosen {
    loaded: Loaded,
    about: About,
}

pub(super) fn run(
    matches: &ArgMatches,
    context: &Context,
    streams: &mut Streams<'_>,
) -> Result<u8, Failure> {
    let folders = Folders::of(matches)?;
    let name = matches
        .get_one::<String>("graph")
        .map_or("", String::as_str);
    let chosen = choose(matches, name, &base(matches, None))?;
    let input = input(matches)?;
    let graph = chosen.loaded.graph();
    let given = matches.get_one::<String>("run-id").cloned();
    let run_id = given.unwrap_or_else(|| new_run_id(graph.name()));
    let run = Run::start(&graph, &run_id, input, now())
        .map_err(|error| Failure::new(Code::OptionInvalid, error.to_string()))?;
    let run = run.from_source(&chosen.about.source.to_string_lossy());
    let lease = lease(matches);
    let store = (!matches.get_flag("no-checkpoints")).then(|| folders.checkpoints(lease));
    let mut stage = Stage::of(context, streams);
    let person = stage.admit(matches, &chosen, &folders, store.is_some())?;
    if store.is_some() {
        folders.remember_new(&run_id, &chosen.about)?;
    }
    let performance = Performance {
        graph: &graph,
        definition: &chosen.loaded.definition,
        base: chosen.about.base.clone(),
        program: program(matches),
        folders: &folders,
        store,
        lease,
        abort: stage.abort,
        person,
        report: stage.report,
    };
    performance.play(Opening::Begin(Box::new(run)), streams)
}

pub(super) fn resume(
    matches: &ArgMatches,
    context: &Context,
    streams: &mut Streams<'_>,
) -> Result<u8, Failure> {
    let folders = Folders::of(matches)?;
    let run_id = matches.get_one::<String>("run").map_or("", String::as_str);
    let lease = lease(matches);
    let store = folders.checkpoints(lease);
    let snapshot = store.load(run_id).map_err(refused_by_store)?.snapshot;
    let begun = folders.recall(run_id);
    let chosen = choose_again(matches, &snapshot, begun)?;
    let graph = chosen.loaded.graph();
    let mut stage = Stage::of(context, streams);
    let has_person = stage.has_person;
    let mut value = answer(matches)?;
    let waits = |value: &Option<Value>| match snapshot.status {
        RunStatus::Completed => true,
        RunStatus::Interrupted => value.is_none() && !has_person,
        _ => false,
    };
    let mut person = None;
    // A run that does not go on needs nobody's leave.
    if !waits(&value) {
        person = stage.admit(matches, &chosen, &folders, true)?;
        if let (Some(asked), Some(person), None) = (&snapshot.interrupt, &mut person, &value) {
            value = person.answers(&asked.node, &asked.interrupt);
        }
    }
    let performance = Performance {
        graph: &graph,
        definition: &chosen.loaded.definition,
        base: chosen.about.base.clone(),
        program: program(matches),
        folders: &folders,
        store: Some(store),
        lease,
        abort: stage.abort,
        person,
        report: stage.report,
    };
    let resume = Resume {
        value,
        force: matches.get_flag("force"),
        // The store knows the outline of the definition of the beginning.
        started_with: None,
    };
    performance.play(Opening::Resume(run_id, Box::new(resume)), streams)
}

/// Who is there while a run is played.
struct Stage {
    has_person: bool,
    abort: Abort,
    report: Report,
    person: Option<Person>,
}

impl Stage {
    fn of(context: &Context, streams: &Streams<'_>) -> Self {
        let report = Report::of(context, streams);
        let abort = Abort::new();
        let has_person = streams.errors_on_terminal && environment::input_is_terminal();
        let person = has_person.then(|| Person::new(report.screen(streams), abort.clone()));
        let ending = abort.clone();
        signals::when_asked_to_end(move || ending.abort());
        Self {
            has_person,
            abort,
            report,
            person,
        }
    }

    /// Holds the run against the rules of its graph; whoever has to confirm something is asked. Gives the person
    /// that the graph may ask.
    fn admit(
        &mut self,
        matches: &ArgMatches,
        chosen: &Chosen,
        folders: &Folders,
        is_stored: bool,
    ) -> Result<Option<Person>, Failure> {
        let graph = chosen.loaded.graph();
        let confirmations = policy::judge(&Circumstances {
            definition: &chosen.loaded.definition,
            is_mutating: graph.is_mutating(),
            of_project: chosen.about.of_project,
            has_person: self.has_person,
            is_stored,
        })?;
        let mut person = self.person.take();
        let source = &chosen.about.source;
        if confirmations.is_empty() || folders.is_confirmed(source, &graph) {
            return Ok(person);
        }
        let question = |confirmation: Confirmation| {
            let (name, source) = (graph.name(), source.display());
            format!("{name} ({source}): {}", confirmation.question())
        };
        for confirmation in confirmations {
            let is_confirmed = matches.get_flag("yes")
                || person
                    .as_mut()
                    .is_some_and(|person| person.confirms(&question(confirmation)));
            if !is_confirmed {
                return Err(policy::refused(
                    "the run was not confirmed",
                    "Say yes when asked, or give --yes once you have read the graph.",
                ));
            }
        }
        folders.confirm(source, &graph)?;
        Ok(person)
    }
}

fn program(matches: &ArgMatches) -> PathBuf {
    let program = matches.get_one::<PathBuf>("pi").cloned();
    let program = program.unwrap_or_else(|| "pi".into());
    // What is no bare name is a path from here, wherever agents work.
    match program.components().count() {
        0 | 1 => program,
        _ => std::path::absolute(&program).unwrap_or(program),
    }
}

fn lease(matches: &ArgMatches) -> Duration {
    let seconds = matches.get_one::<u64>("lease");
    seconds.map_or(LEASE, |seconds| Duration::from_secs(*seconds))
}

/// Where agents work.
fn base(matches: &ArgMatches, begun: Option<&About>) -> PathBuf {
    let given = matches.get_one::<PathBuf>("cwd").cloned();
    let base = given
        .or_else(|| begun.map(|about| about.base.clone()))
        .unwrap_or_else(environment::current_directory);
    std::path::absolute(&base).unwrap_or(base)
}

/// The input of the graph: that of `--input`, with the task over it.
fn input(matches: &ArgMatches) -> Result<Object, Failure> {
    let text = |name: &str| matches.get_one::<String>(name);
    let mut input = match text("input").map(|json| json_argument::value(json)) {
        None => Object::new(),
        Some(value) => match value? {
            Value::Object(input) => input,
            _ => {
                let message = "the input has to be a JSON object";
                return Err(Failure::new(Code::JsonObjectRequired, message));
            }
        },
    };
    if let Some(task) = text("task") {
        input.insert("task", task.as_str());
    }
    Ok(input)
}

/// The definition in this file, or with this name, with its text.
fn choose(matches: &ArgMatches, name: &str, base: &Path) -> Result<Chosen, Failure> {
    let selected = Where::of(matches)?.select(name)?;
    let of_project = selected.scope == Some(Scope::Project);
    let source = std::path::absolute(&selected.path).unwrap_or(selected.path);
    read(source, base.to_owned(), of_project)
}

fn read(source: PathBuf, base: PathBuf, of_project: bool) -> Result<Chosen, Failure> {
    let file = source.to_string_lossy().into();
    let bytes = pi::read(&source, &file);
    let bytes = bytes.map_err(|findings| report::failure(&findings, &source))?;
    parse(source, base, of_project, &bytes)
}

fn parse(
    source: PathBuf,
    base: PathBuf,
    of_project: bool,
    bytes: &[u8],
) -> Result<Chosen, Failure> {
    let file = source.to_string_lossy().into();
    let loaded = pi::parse(file, bytes).map_err(|findings| report::failure(&findings, &source))?;
    Ok(Chosen {
        loaded,
        about: About {
            source,
            base,
            of_project,
            definition: String::from_utf8_lossy(bytes).into_owned(),
        },
    })
}

/// The definition with which a run goes on.
fn choose_again(
    matches: &ArgMatches,
    snapshot: &Snapshot,
    begun: Option<About>,
) -> Result<Chosen, Failure> {
    let base = base(matches, begun.as_ref());
    if let Some(name) = matches.get_one::<String>("graph") {
        return choose(matches, name, &base);
    }
    match begun {
        Some(begun) if matches.get_flag("original") => parse(
            begun.source,
            base,
            begun.of_project,
            begun.definition.as_bytes(),
        ),
        Some(begun) => read(begun.source, base, begun.of_project),
        None => match &snapshot.graph_source {
            Some(source) => read(source.into(), base, false),
            None => {
                let message = "nobody knows with which file the run was started";
                Err(Failure {
                    cure: Some("Name its graph with --graph.".to_owned()),
                    ..Failure::new(Code::GraphMissing, message)
                })
            }
        },
    }
}

impl Folders {
    /// Remembers what a new run is started with; what another run was started with stays.
    fn remember_new(&self, run_id: &str, about: &About) -> Result<(), Failure> {
        // The store refuses an id that is none, or is taken.
        if is_run_id(run_id) && self.recall(run_id).is_none() {
            self.remember(run_id, about)?;
        }
        Ok(())
    }
}
