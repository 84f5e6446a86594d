//! How what happens is told: as lines of JSON, or to people as lines above one that changes. Knows events, nothing
//! about how they come about.

use std::io::{self, Write};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use agent_graph_runtime::json::{Object, Value};
use agent_graph_runtime::pi::run::{Event, Happening};

use super::board::{Board, dollars};
use super::screen::Screen;
use crate::cli::answer::Answer;
use crate::cli::context::Context;
use crate::cli::streams::Streams;

/// How often the line that changes does.
const TICK: Duration = Duration::from_secs(1);

/// Whom what happens is told.
pub(super) enum Report {
    /// A program that reads lines of JSON.
    Program,
    /// People; the answer follows as everywhere.
    People(Screen),
}

impl Report {
    /// People on a terminal and whoever asks for that read text, everybody else lines of JSON.
    pub(super) fn of(context: &Context, streams: &Streams<'_>) -> Self {
        let for_people = streams.results_on_terminal || context.human_is_asked_for();
        if context.json() || !for_people {
            Self::Program
        } else {
            Self::People(Screen::new(io::stderr(), streams.errors_on_terminal))
        }
    }

    /// The screen that people are asked on, wherever events go.
    pub(super) fn screen(&self, streams: &Streams<'_>) -> Screen {
        match self {
            Self::Program => Screen::new(io::stderr(), streams.errors_on_terminal),
            Self::People(screen) => screen.clone(),
        }
    }

    /// Tells an event.
    ///
    /// # Errors
    /// Nobody reads any more.
    pub(super) fn event(
        &self,
        run_id: &str,
        event: &Event,
        results: &mut dyn Write,
    ) -> io::Result<()> {
        match self {
            Self::Program => {
                let line = event.to_value(run_id);
                writeln!(results, "{line}").and_then(|()| results.flush())
            }
            Self::People(screen) => {
                if let Some(line) = line(event) {
                    screen.line(&line);
                }
                Ok(())
            }
        }
    }

    /// Tells people something; programs see it in the events.
    pub(super) fn note(&self, text: &str) {
        if let Self::People(screen) = self {
            screen.line(text);
        }
    }

    /// Tells what came of the run. Gives the exit status of that.
    pub(super) fn end(&self, answer: &Answer, streams: &mut Streams<'_>) -> u8 {
        match (self, &answer.json) {
            (Self::Program, Value::Object(told)) => {
                let mut line: Object = [("type", "run")].into_iter().collect();
                line.extend(
                    told.iter()
                        .map(|(name, value)| (name.to_owned(), value.clone())),
                );
                let answer = Answer::new(line, crate::cli::answer::Lines::new());
                streams.answer(&answer, true)
            }
            _ => streams.answer(answer, false),
        }
    }

    /// Keeps the line that changes up to date while this lives.
    pub(super) fn keep_status(&self, board: &Board) -> Option<Status> {
        match self {
            Self::Program => None,
            Self::People(screen) => Some(Status::keep(screen.clone(), board.clone())),
        }
    }
}

/// The line about an event, if it is worth one.
fn line(event: &Event) -> Option<String> {
    match &event.what {
        Happening::StepStart { scheduled } => {
            let names: Vec<&str> = scheduled.iter().map(AsRef::as_ref).collect();
            Some(format!("step {}: {}", event.step, names.join(", ")))
        }
        Happening::NodeSettled {
            node,
            status,
            failure,
            usage,
            ..
        } => {
            let used = match usage.turns {
                0 => String::new(),
                _ => format!(", {} tokens, ${}", usage.tokens(), dollars(usage.cost_usd)),
            };
            let why = failure.as_ref();
            let why = why.map(|why| format!(": {}: {}", why.code, why.message));
            Some(format!(
                "  {node} {status}{used}{}",
                why.unwrap_or_default()
            ))
        }
        Happening::NodeRetry {
            node,
            attempt,
            failure,
            ..
        } => Some(format!(
            "  {node} failed: {}: {}; attempt {attempt} follows",
            failure.code, failure.message
        )),
        _ => None,
    }
}

/// A thread that draws the line that changes.
pub(super) struct Status {
    done: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
    screen: Screen,
}

impl Status {
    fn keep(screen: Screen, board: Board) -> Self {
        let (done, waiting) = mpsc::channel::<()>();
        let shown = screen.clone();
        let draw = move || {
            while waiting.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                shown.status(&board.line());
            }
        };
        Self {
            done: Some(done),
            thread: thread::Builder::new().spawn(draw).ok(),
            screen,
        }
    }
}

impl Drop for Status {
    fn drop(&mut self) {
        self.done = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        self.screen.status("");
    }
}
