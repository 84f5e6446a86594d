//! A line that says what is at work and how far it is, for people who wait: on a terminal only, and gone when the work
//! is done. Knows time and a stream, nothing about the work.

use std::io::Write;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use agent_graph_runtime::{Step, terminal};

/// Who waits less than this needs no line.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the line is looked after.
const PACE: Duration = Duration::from_millis(200);
/// Takes the line away.
const CLEARED: &str = "\r\x1b[2K";
/// Columns of the narrowest usual terminal, less one: a line that wraps would not go away as a whole.
pub(super) const COLUMNS: usize = 79;

/// What is at work, as whoever does it says. Clones are about the same work.
#[derive(Clone, Default)]
pub(super) struct Stage(Option<Arc<Mutex<String>>>);

impl Stage {
    /// A stage that somebody looks at.
    pub(super) fn watched() -> Self {
        Self(Some(Arc::default()))
    }

    /// Says what is being done now, and how far it is.
    pub(super) fn at(&self, step: Step<'_>) {
        if let Some(now) = &self.0 {
            let mut now = now.lock().unwrap_or_else(PoisonError::into_inner);
            *now = step.to_string();
        }
    }

    fn text(now: &Mutex<String>) -> String {
        now.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// A line that is shown while this lives.
pub(super) struct Progress {
    done: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    /// Shows the stage of `command` after a second and from then on, if somebody looks at it.
    pub(super) fn start(
        command: String,
        stage: &Stage,
        stream: impl Write + Send + 'static,
    ) -> Self {
        Self::with(PATIENCE, PACE, command, stage, stream)
    }

    fn with(
        patience: Duration,
        pace: Duration,
        command: String,
        stage: &Stage,
        mut stream: impl Write + Send + 'static,
    ) -> Self {
        let Some(now) = stage.0.clone() else {
            return Self {
                done: None,
                thread: None,
            };
        };
        let (done, waiting) = mpsc::channel::<()>();
        let thread = thread::spawn(move || {
            let begun = Instant::now();
            let mut shown = String::new();
            let mut pause = patience;
            while waiting.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                pause = pace;
                let line = line(&command, &Stage::text(&now), begun.elapsed());
                if line != shown {
                    // A terminal that is gone is told nothing.
                    let _ = write!(stream, "{CLEARED}{line}").and_then(|()| stream.flush());
                    shown = line;
                }
            }
            if !shown.is_empty() {
                let _ = write!(stream, "{CLEARED}").and_then(|()| stream.flush());
            }
        });
        Self {
            done: Some(done),
            thread: Some(thread),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        // Without a sender the thread clears its line and ends; what is printed next comes after that.
        self.done = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// What is shown: never more than a line.
fn line(command: &str, stage: &str, waited: Duration) -> String {
    let seconds = format!(", {} s", waited.as_secs());
    let what = match stage {
        "" => command.to_owned(),
        stage => format!("{command}: {stage}"),
    };
    format!("{}{seconds}", shortened(&what, COLUMNS - seconds.len()))
}

/// As much of the text as has room in so many columns. Characters beyond ASCII may be two columns wide.
pub(super) fn shortened(text: &str, columns: usize) -> String {
    let text = terminal::line(text);
    let wide = |character: char| if character.is_ascii() { 1 } else { 2 };
    if text.chars().map(wide).sum::<usize>() <= columns {
        return text.into_owned();
    }
    let mut room = columns.saturating_sub(wide('…'));
    let kept = text.chars().take_while(|character| {
        let fits = room >= wide(*character);
        room = room.saturating_sub(wide(*character));
        fits
    });
    kept.chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    #[derive(Clone, Default)]
    struct Screen(Arc<Mutex<String>>);

    impl Write for Screen {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0
                .lock()
                .unwrap()
                .push_str(&String::from_utf8_lossy(bytes));
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    impl Screen {
        fn text(&self) -> String {
            self.0.lock().unwrap().clone()
        }

        fn wait_for(&self, text: &str) {
            while !self.text().contains(text) {
                thread::yield_now();
            }
        }
    }

    const SOON: Duration = Duration::from_millis(1);

    #[test]
    fn work_that_is_done_soon_is_not_mentioned() {
        let screen = Screen::default();
        let stage = Stage::watched();
        let never = Duration::from_secs(600);
        let progress = Progress::with(never, never, "test".into(), &stage, screen.clone());
        stage.at(Step::new("reading"));
        drop(progress);
        assert_eq!(screen.text(), "");
    }

    #[test]
    fn work_that_takes_long_says_how_far_it_is_and_the_line_is_gone_at_the_end() {
        let screen = Screen::default();
        let stage = Stage::watched();
        let progress = Progress::with(SOON, SOON, "test".into(), &stage, screen.clone());
        screen.wait_for("\r\x1b[2Ktest, 0 s");
        for number in [3, 4] {
            stage.clone().at(Step::counted("running case", number, 12));
            screen.wait_for(&format!("\r\x1b[2Ktest: running case {number} of 12, 0 s"));
        }
        drop(progress);
        assert!(screen.text().ends_with(CLEARED));
    }

    #[test]
    fn nobody_who_looks_is_told_nothing() {
        let screen = Screen::default();
        let stage = Stage::default();
        let progress = Progress::with(SOON, SOON, "test".into(), &stage, screen.clone());
        stage.at(Step::new("reading"));
        thread::sleep(Duration::from_millis(20));
        drop(progress);
        assert_eq!(screen.text(), "");
    }

    #[test]
    fn what_is_shown_is_one_line_whatever_it_names() {
        for stage in ["graph ".repeat(40), "図".repeat(80), "a\nb\x1b[2J".into()] {
            let line = line("agent-graph lint", &stage, Duration::from_secs(3));
            let columns = line.chars().map(|it| if it.is_ascii() { 1 } else { 2 });
            assert!(columns.sum::<usize>() <= COLUMNS, "{line}");
            assert!(line.ends_with(", 3 s"), "{line}");
            assert!(!line.contains(char::is_control), "{line:?}");
        }
    }
}
