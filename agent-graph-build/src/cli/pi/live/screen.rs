//! A terminal on which lines stay and one line changes: what is at work, below what has happened. While somebody is
//! asked, nothing else is written. Knows a stream, nothing about runs.

use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use agent_graph_runtime::terminal;

/// Takes the changing line away.
const CLEARED: &str = "\r\x1b[2K";

/// A screen that several threads write to.
#[derive(Clone)]
pub(in crate::cli::pi) struct Screen(Arc<Mutex<Content>>);

struct Content {
    stream: Box<dyn Write + Send>,
    /// Whether a line can be taken back: not in a file.
    is_terminal: bool,
    status: String,
    is_asking: bool,
}

impl Screen {
    pub(in crate::cli::pi) fn new(stream: impl Write + Send + 'static, is_terminal: bool) -> Self {
        Self(Arc::new(Mutex::new(Content {
            stream: Box::new(stream),
            is_terminal,
            status: String::new(),
            is_asking: false,
        })))
    }

    fn content(&self) -> MutexGuard<'_, Content> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a line that stays.
    pub(in crate::cli::pi) fn line(&self, text: &str) {
        let content = &mut *self.content();
        content.clear();
        let line = terminal::line(text);
        // Who watches is gone or not; the run goes on either way.
        let _ = writeln!(content.stream, "{line}");
        content.draw();
    }

    /// Shows this in the line that changes.
    pub(in crate::cli::pi) fn status(&self, text: &str) {
        let content = &mut *self.content();
        content.clear();
        content.status = terminal::line(text).into_owned();
        content.draw();
    }

    /// Puts a question; the changing line is gone until [`Screen::answered`].
    pub(in crate::cli::pi) fn ask(&self, text: &str) {
        let content = &mut *self.content();
        content.clear();
        content.is_asking = true;
        let _ = write!(content.stream, "{}", terminal::lines(text))
            .and_then(|()| content.stream.flush());
    }

    pub(in crate::cli::pi) fn answered(&self) {
        self.content().is_asking = false;
    }
}

impl Content {
    fn clear(&mut self) {
        if self.is_terminal && !self.is_asking && !self.status.is_empty() {
            let _ = write!(self.stream, "{CLEARED}");
        }
    }

    fn draw(&mut self) {
        if self.is_terminal && !self.is_asking {
            let _ = write!(self.stream, "{}", self.status).and_then(|()| self.stream.flush());
        }
    }
}
