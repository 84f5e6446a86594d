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
    /// Lines that came while somebody was asked.
    held_back: Vec<String>,
}

impl Screen {
    pub(in crate::cli::pi) fn new(stream: impl Write + Send + 'static, is_terminal: bool) -> Self {
        Self(Arc::new(Mutex::new(Content {
            stream: Box::new(stream),
            is_terminal,
            status: String::new(),
            is_asking: false,
            held_back: Vec::new(),
        })))
    }

    fn content(&self) -> MutexGuard<'_, Content> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a line that stays. The line that changes comes back when it is drawn anew.
    pub(in crate::cli::pi) fn line(&self, text: &str) {
        let content = &mut *self.content();
        content.clear();
        content.status.clear();
        let line = terminal::line(text).into_owned();
        if content.is_asking {
            content.held_back.push(line);
        } else {
            content.write(&line);
        }
    }

    /// Shows this in the line that changes.
    pub(in crate::cli::pi) fn status(&self, text: &str) {
        let content = &mut *self.content();
        if !content.is_terminal || content.is_asking {
            return;
        }
        content.clear();
        content.status = terminal::line(text).into_owned();
        // Who watches is gone or not; the run goes on either way.
        let _ = write!(content.stream, "{}", content.status).and_then(|()| content.stream.flush());
    }

    /// Puts a question; nothing else is shown until [`Screen::answered`].
    pub(in crate::cli::pi) fn ask(&self, text: &str) {
        let content = &mut *self.content();
        content.clear();
        content.status.clear();
        content.is_asking = true;
        let _ = write!(content.stream, "{}", terminal::lines(text))
            .and_then(|()| content.stream.flush());
    }

    /// Shows what has happened meanwhile. Where nobody has ended the line with the question, this does.
    pub(in crate::cli::pi) fn answered(&self, is_line_ended: bool) {
        let content = &mut *self.content();
        content.is_asking = false;
        if !is_line_ended {
            content.write("");
        }
        for line in std::mem::take(&mut content.held_back) {
            content.write(&line);
        }
    }
}

impl Content {
    fn write(&mut self, line: &str) {
        let _ = writeln!(self.stream, "{line}");
    }

    fn clear(&mut self) {
        if !self.status.is_empty() {
            let _ = write!(self.stream, "{CLEARED}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl Write for Written {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_stay_above_the_one_that_changes_and_wait_while_somebody_is_asked() {
        let written = Written::default();
        let screen = Screen::new(written.clone(), true);
        screen.line("one");
        screen.status("at work");
        screen.line("two\u{1b}");
        screen.ask("Yes?\n> ");
        screen.line("three");
        screen.status("at work");
        screen.answered(false);
        screen.line("four");
        let text = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
        assert_eq!(
            text,
            "one\nat work\r\u{1b}[2Ktwo\u{fffd}\nYes?\n> \nthree\nfour\n"
        );
    }

    #[test]
    fn a_file_gets_lines_alone() {
        let written = Written::default();
        let screen = Screen::new(written.clone(), false);
        screen.status("at work");
        screen.line("one");
        assert_eq!(*written.0.lock().unwrap(), b"one\n");
    }
}
