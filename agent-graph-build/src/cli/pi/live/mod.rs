//! `pi run` and `pi resume`: runs that are driven here and now, with what happens told while it happens: to people as
//! lines above one that changes, to programs as lines of JSON. Knows a run that may begin, nothing about which rules
//! allow it.

pub(super) mod board;
mod people;
mod report;
mod screen;
mod start;

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use agent_graph_runtime::json::Value;
use agent_graph_runtime::pi::checkpoint::{CheckpointError, CheckpointFiles};
use agent_graph_runtime::pi::executor::Executor;
use agent_graph_runtime::pi::run::{Resume, Run, RunStatus};
use agent_graph_runtime::pi::runner::{Abort, KeptRunError, Runner};
use agent_graph_runtime::pi::{Definition, Graph};
use agent_graph_runtime::{Code, Timestamp};
use clap::ArgMatches;

use super::folders::Folders;
use super::told::{Told, View};
use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::streams::Streams;
use board::{Board, Counted};
use people::Person;
use report::Report;
pub(super) use start::{resume_command, run_command};

/// How long the right to write a run outlasts a process that is gone, where nothing is said.
pub(super) const LEASE: Duration = Duration::from_secs(30);
/// How often it is tried to get the right to a run that another process has.
const RETRY: Duration = Duration::from_millis(100);

/// Exit status of a run that waits for a person.
const WAITS: u8 = 3;
/// Exit status of a run that was ended by a signal, or because nobody reads any more.
const CANCELLED: u8 = 130;

/// Carries out `pi run` or `pi resume`, whichever of the two this is. Gives the exit status.
pub(in crate::cli) fn conduct(
    name: &str,
    matches: &ArgMatches,
    context: &Context,
    streams: &mut Streams<'_>,
) -> u8 {
    let done = match name {
        "run" => start::run(matches, context, streams),
        _ => start::resume(matches, context, streams),
    };
    match done {
        Ok(status) => status,
        Err(failure) => streams.failure(&failure, context.json()),
    }
}

/// A run that may begin or go on.
struct Performance<'p> {
    graph: &'p Graph,
    definition: &'p Definition,
    base: PathBuf,
    program: PathBuf,
    folders: &'p Folders,
    /// Where checkpoints go, if they go anywhere.
    store: Option<CheckpointFiles>,
    lease: Duration,
    abort: Abort,
    person: Option<Person>,
    report: Report,
}

/// A run from its beginning, or one that was left.
enum Opening<'o> {
    Begin(Box<Run>),
    Resume(&'o str, Box<Resume>),
}

impl Performance<'_> {
    /// Drives the run until this call of it ends, says what came of it, and gives the exit status.
    fn play(mut self, opening: Opening<'_>, streams: &mut Streams<'_>) -> Result<u8, Failure> {
        let executor = executor(&self.base, &self.program, self.folders)?;
        let board = match &opening {
            Opening::Begin(run) => Board::new(self.limits(), 0, run.usage()),
            Opening::Resume(..) => self.board_of_stored(&opening),
        };
        let counted = Counted {
            executor: &*executor,
            board: board.clone(),
        };
        let status_line = self.report.keep_status(&board);
        let run_id = match &opening {
            Opening::Begin(run) => run.run_id().to_owned(),
            Opening::Resume(run_id, _) => (*run_id).to_owned(),
        };
        let (report, abort) = (&self.report, &self.abort);
        let results = &mut *streams.results;
        let mut runner = Runner::new(&counted)
            .ended_by(&self.abort)
            .observing(|event| {
                board.happened(event);
                if report.event(&run_id, event, results).is_err() {
                    // Nobody reads any more what agents are paid for.
                    abort.abort();
                }
            });
        if let Some(mut person) = self.person.take() {
            runner = runner.asking(move |asked| person.answers(&asked.node, &asked.interrupt));
        }
        let ended = match (opening, &self.store) {
            (Opening::Begin(mut run), Some(store)) => runner.begin(store, &mut run).map(|_| *run),
            (Opening::Begin(mut run), None) => {
                // Nothing is stored, so nothing can fail to be.
                let _ = runner.drive(&mut run);
                Ok(*run)
            }
            (Opening::Resume(run_id, resume), Some(store)) => {
                let again = || runner.resume(store, self.graph, run_id, (*resume).clone());
                patiently(self.lease, report, abort, again)
            }
            (Opening::Resume(..), None) => {
                let message = "a run goes on from checkpoints, and there are none";
                return Err(Failure::new(Code::OptionInvalid, message));
            }
        };
        drop(runner);
        drop(status_line);
        let run = ended.map_err(refused)?;
        Ok(self.end(&run, streams))
    }

    fn limits(&self) -> Option<&agent_graph_runtime::pi::definition::Limits> {
        self.definition.limits.as_ref()
    }

    /// A board that counts on from what was stored.
    fn board_of_stored(&self, opening: &Opening<'_>) -> Board {
        use agent_graph_runtime::pi::checkpoint::CheckpointStore;
        let stored = match (opening, &self.store) {
            (Opening::Resume(run_id, _), Some(store)) => store.load(run_id).ok(),
            _ => None,
        };
        match stored {
            Some(stored) => Board::new(
                self.limits(),
                stored.snapshot.node_runs,
                &stored.snapshot.usage,
            ),
            None => Board::new(self.limits(), 0, &Default::default()),
        }
    }

    fn end(&self, run: &Run, streams: &mut Streams<'_>) -> u8 {
        let snapshot = run.snapshot();
        let told = Told {
            snapshot: &snapshot,
            graph: Some(self.graph),
            error: run.error(),
            options: self.folders.options(),
        };
        let printed = self.report.end(&told.answer(View::Summary), streams);
        if printed != 0 {
            return printed;
        }
        match run.status() {
            RunStatus::Completed => 0,
            RunStatus::Interrupted => WAITS,
            RunStatus::Cancelled => CANCELLED,
            RunStatus::Running | RunStatus::Failed => 1,
        }
    }
}

/// Tries again while another process has the right to the run: it may be gone, and then the right is over soon.
fn patiently(
    lease: Duration,
    report: &Report,
    abort: &Abort,
    mut resume: impl FnMut() -> Result<Run, KeptRunError>,
) -> Result<Run, KeptRunError> {
    let since = Instant::now();
    let mut has_told = false;
    loop {
        match resume() {
            Err(KeptRunError::Checkpoint(CheckpointError::LeaseHeld))
                if !abort.is_aborted() && since.elapsed() <= lease + RETRY =>
            {
                if !has_told {
                    report.note(
                        "another process has the run, or is gone: waiting for its right to end",
                    );
                    has_told = true;
                }
                thread::sleep(RETRY);
            }
            done => return done,
        }
    }
}

#[cfg(unix)]
fn executor(base: &Path, program: &Path, folders: &Folders) -> Result<Box<dyn Executor>, Failure> {
    use agent_graph_runtime::pi::process::PiProcess;
    let executor = PiProcess::new(base).map_err(|error| {
        let message = format!("{} cannot be worked in: {error}", base.display());
        Failure::new(Code::OptionInvalid, message)
    })?;
    let executor = executor
        .program(program)
        .threads_in(folders.threads())
        .artifacts_in(folders.artifacts());
    Ok(Box::new(executor))
}

#[cfg(not(unix))]
fn executor(_: &Path, _: &Path, _: &Folders) -> Result<Box<dyn Executor>, Failure> {
    let message = "agents are run as processes of `pi` on Unix only";
    Err(Failure::new(Code::PiGraphRefused, message))
}

/// A failure with the code of the store.
pub(super) fn refused_by_store(error: CheckpointError) -> Failure {
    refused(KeptRunError::Checkpoint(error))
}

fn refused(error: KeptRunError) -> Failure {
    let cure = match &error {
        KeptRunError::Checkpoint(CheckpointError::NotFound) => {
            "See `agent-graph pi status` for the runs that there are; --store says where."
        }
        KeptRunError::Checkpoint(CheckpointError::LeaseHeld) => {
            "Wait until the process that has the run is done, or end it."
        }
        KeptRunError::Checkpoint(CheckpointError::Conflict) => {
            "Take another id: there is or was a run with this one."
        }
        KeptRunError::Checkpoint(CheckpointError::LeaseLost | CheckpointError::LeaseExpired) => {
            "Another process may have gone on with the run; see `agent-graph pi status`."
        }
        KeptRunError::Checkpoint(_) => "Look at the folder of the run; --store says where.",
        KeptRunError::Resume(_) => {
            "Go on with the definition as it is now with --force, or with that of the beginning with --original."
        }
        _ => "See `agent-graph pi status`.",
    };
    Failure {
        code: error.code(),
        cure: Some(cure.to_owned()),
        ..Failure::unexpected(message(&error))
    }
}

/// What the error says behind its code.
fn message(error: &KeptRunError) -> String {
    let text = error.to_string();
    match text.strip_prefix(error.code()) {
        Some(rest) if !rest.is_empty() => rest.trim_start_matches([':', ' ']).to_owned(),
        _ => match error {
            KeptRunError::Checkpoint(CheckpointError::NotFound) => "there is no such run".into(),
            KeptRunError::Checkpoint(CheckpointError::LeaseHeld) => {
                "another process has the run".into()
            }
            KeptRunError::Checkpoint(CheckpointError::LeaseLost) => {
                "another process has taken the run over".into()
            }
            KeptRunError::Checkpoint(CheckpointError::LeaseExpired) => {
                "the right to write the run was not renewed in time".into()
            }
            KeptRunError::Checkpoint(CheckpointError::Conflict) => {
                "there is or was such a run already".into()
            }
            _ => text,
        },
    }
}

fn now() -> Timestamp {
    SystemTime::now().into()
}

/// An id that no other run has.
fn new_run_id(graph: &str) -> String {
    use std::hash::{BuildHasher, Hasher, RandomState};
    let name: String = graph
        .chars()
        .map(|character| match character {
            letter if letter.is_ascii_alphanumeric() => letter.to_ascii_lowercase(),
            _ => '-',
        })
        .take(40)
        .collect();
    let name = name.trim_matches('-');
    let name = if name.is_empty() { "run" } else { name };
    // Different in each process and for each call.
    let random = RandomState::new().build_hasher().finish();
    let time: String = now()
        .to_string()
        .chars()
        .filter(char::is_ascii_digit)
        .take(14)
        .collect();
    format!("{name}-{time}-{:08x}", random >> 32)
}

/// The answer that the options stand for.
fn answer(matches: &ArgMatches) -> Result<Option<Value>, Failure> {
    let text = |name: &str| matches.get_one::<String>(name);
    match (text("answer"), text("answer-json")) {
        (Some(text), _) => Ok(Some(text.as_str().into())),
        (None, Some(json)) => Ok(Some(crate::cli::json_argument::value(json)?)),
        (None, None) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_that_is_made_can_be_one_whatever_the_graph_is_called() {
        for name in ["review-loop", "🔧", "", "-_-", &"long".repeat(100), "Ünï x"] {
            let id = new_run_id(name);
            assert!(agent_graph_runtime::pi::run::is_run_id(&id), "{id}");
            assert_ne!(id, new_run_id(name));
        }
    }
}
