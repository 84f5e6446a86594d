//! `route`: everything that is needed to do what comes next.

use std::path::Path;

use agent_graph_runtime::{
    Code, Digest, Evaluation, ReadReceipts, ResourceLocation, Route, RouteId, RouteInput, Run,
};
use clap::{Arg, ArgMatches, Command};

use super::answer::{Answer, Lines};
use super::context::{Context, absolute};
use super::evaluate::entry_option;
use super::failure::Failure;
use super::json_argument;
use super::selection::Selection;
use super::state::{Input, options};

pub(super) fn command() -> Command {
    let command = Command::new("route")
        .about("Say everything that is needed to do what comes next")
        .arg(
            Arg::new("targets")
                .value_name("graph] [route-id")
                .num_args(0..)
                .help("Id of the graph, unless a skill is given, and of the route"),
        )
        .arg(entry_option())
        .arg(
            Arg::new("revision")
                .long("revision")
                .value_name("digest")
                .help("Refuse any other revision than this one"),
        )
        .arg(
            Arg::new("resource-receipts")
                .long("resource-receipts")
                .value_name("json|@file")
                .help("What has been read already"),
        );
    options(command)
}

pub(super) fn run(matches: &ArgMatches, context: &Context) -> Result<Answer, Failure> {
    let targets = matches.get_many::<String>("targets");
    let targets: Vec<&String> = targets.into_iter().flatten().collect();
    let bound = context.has_skill();
    let (graph, route) = match (targets.as_slice(), bound) {
        ([], _) => (None, None),
        ([route], true) => (None, Some(*route)),
        ([graph], false) => (Some(*graph), None),
        ([graph, route], false) => (Some(*graph), Some(*route)),
        _ => {
            let message =
                "there are too many arguments: a graph and a route, or with a skill a route";
            return Err(Failure::new(Code::RouteArgumentsInvalid, message));
        }
    };
    let receipts = matches.get_one::<String>("resource-receipts");
    let receipts = receipts
        .map(|text| json_argument::value(text))
        .transpose()?;
    let selection = Selection::of(context, graph, matches.get_one("entry"))?;
    let installed = &selection.installed;
    let Input { state, run } = Input::of(matches, installed.provider())?;
    let evaluation = installed
        .evaluate(&selection.graph, &selection.entry, &state)
        .map_err(|error| selection.failure(error))?;
    let revision = matches.get_one::<String>("revision");
    let revision = revision.map(|text| expected_revision(text)).transpose()?;
    let candidate = match route.map(|text| text.parse::<RouteId>()) {
        None => evaluation.select(None, revision.as_ref())?,
        Some(Ok(route)) => evaluation.select(Some(&route), revision.as_ref())?,
        Some(Err(_)) => return Err(no_such_route(&evaluation, revision.as_ref())),
    };
    let workspace = run.as_ref().and_then(|run| run.workspace());
    let workspace = match workspace {
        Some(workspace) => workspace.to_owned(),
        None => absolute(Path::new("."))?,
    };
    let mut input = RouteInput::new().in_workspace(workspace)?;
    if let Some(receipts) = &receipts {
        input = input.with_receipts(ReadReceipts::from_value(receipts)?);
    }
    let route = installed.resolve(&candidate, &input)?;
    let human = lines(&route);
    Answer::of(&route, human)
}

/// A malformed id is no route of any evaluation; that the revision is another one goes first.
fn no_such_route(evaluation: &Evaluation, revision: Option<&Digest>) -> Failure {
    match evaluation.select(None, revision) {
        Err(error) if error.code() == Code::RouteRevisionStale => error.into(),
        _ => Failure::new(Code::RouteStale, "there is no such route"),
    }
}

/// A malformed revision is another one than that of any evaluation.
fn expected_revision(text: &str) -> Result<Digest, Failure> {
    text.parse().map_err(|_| {
        let message = format!("`{text}` is the revision of no evaluation");
        Failure::new(Code::RouteRevisionStale, message)
    })
}

/// The route for people.
fn lines(route: &Route) -> Lines {
    let reason = match &route.hint {
        Some(hint) => format!("{} ({hint})", route.reason_code),
        None => route.reason_code.clone(),
    };
    let mut lines = Lines::new()
        .label("Next", &route.after_action.record_node)
        .label("Reason", reason);
    for item in &route.command_plan {
        lines = match &item.run {
            Run::Command(command) => lines.label("Command", command),
            Run::Handler(handler) => lines.label("Host handler", handler),
        };
        lines = lines.label("Working directory", &item.working_directory);
    }
    for location in &route.resources.required {
        lines = lines.label("Required", shown(location));
    }
    for location in &route.resources.recommended {
        lines = lines.label("Recommended", shown(location));
    }
    if let Some(gate) = &route.gate {
        lines = lines.label("Gate", &gate.prompt);
        let actions = [
            ("Inspect", &gate.inspection_action),
            ("Resolve", &gate.resolution_action),
        ];
        for (label, action) in actions {
            let items = action.iter().flat_map(|action| &action.command_plan);
            for item in items {
                lines = match &item.run {
                    Run::Command(command) => lines.label(label, command),
                    Run::Handler(handler) => lines.label(label, format!("host handler {handler}")),
                };
            }
        }
    }
    lines.line(format!(
        "Afterwards record the outcome of {} and evaluate again.",
        route.after_action.record_node
    ))
}

fn shown(location: &ResourceLocation) -> String {
    let state = location.read_state().map_or("", |state| state.as_str());
    match location.as_file() {
        Some(file) => format!("{} [{state}] {}", location.id(), file.file_path),
        None => format!("{0} [{state}] materialize {0}", location.id()),
    }
}
