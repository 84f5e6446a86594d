//! `pi status`: where a run is, or which runs there are.

use agent_graph_runtime::Code;
use agent_graph_runtime::json::Value;
use agent_graph_runtime::pi::checkpoint::{CheckpointStore, LISTED};
use clap::{Arg, ArgMatches, Command};

use super::folders::Folders;
use super::live::{LEASE, refused_by_store};
use super::told::{Told, View, brief};
use crate::cli::answer::{Answer, Lines, object};
use crate::cli::failure::Failure;

pub(super) fn command() -> Command {
    Command::new("status")
        .about("Say where a run is, or which runs there are")
        .arg(
            Arg::new("run")
                .value_name("run id")
                .help("The run; the last 50 that were changed, if not given"),
        )
        .arg(
            Arg::new("view")
                .long("view")
                .value_name("summary|inventory|full")
                .default_value("summary")
                .help("What to show of its state: what it answers with, paths and sizes, or all of it"),
        )
        .arg(
            Arg::new("path")
                .long("path")
                .value_name("path")
                .help("Show the value at this path of its state"),
        )
}

pub(super) fn run(matches: &ArgMatches) -> Result<Answer, Failure> {
    let folders = Folders::of(matches)?;
    let store = folders.checkpoints(LEASE);
    let Some(run_id) = matches.get_one::<String>("run") else {
        return list(&store);
    };
    let view = view(matches)?;
    let stored = store.load(run_id).map_err(refused_by_store)?;
    let about = folders.recall(run_id);
    let graph = about.and_then(|about| about.graph());
    let told = Told {
        snapshot: &stored.snapshot,
        graph: graph.as_ref(),
        error: None,
        options: folders.options(),
    };
    Ok(told.answer(view))
}

fn view(matches: &ArgMatches) -> Result<View<'_>, Failure> {
    if let Some(path) = matches.get_one::<String>("path") {
        return Ok(View::Path(path));
    }
    match matches.get_one::<String>("view").map(String::as_str) {
        Some("summary") | None => Ok(View::Summary),
        Some("inventory") => Ok(View::Inventory),
        Some("full") => Ok(View::Full),
        Some(other) => {
            let message = format!("`{other}` is no view: there are summary, inventory and full");
            Err(Failure::new(Code::OptionInvalid, message))
        }
    }
}

fn list(store: &dyn CheckpointStore) -> Result<Answer, Failure> {
    let listing = store.list(LISTED).map_err(refused_by_store)?;
    let mut human = Lines::new();
    let mut runs = Vec::new();
    for run in &listing.runs {
        let (json, line) = brief(&run.snapshot);
        human = human.label(&run.snapshot.run_id, line);
        runs.push(Value::Object(json));
    }
    if runs.is_empty() {
        human = human.line("There are no runs.");
    }
    let mut unreadable = Vec::new();
    for (run_id, error) in &listing.unreadable {
        human = human.label("Unreadable", format!("{run_id}: {error}"));
        unreadable.push(Value::Object(object([
            ("runId", run_id.as_str().into()),
            ("code", error.code().into()),
            ("message", error.to_string().as_str().into()),
        ])));
    }
    let json = object([
        ("runs", Value::Array(runs)),
        ("unreadable", Value::Array(unreadable)),
    ]);
    Ok(Answer::new(json, human))
}
