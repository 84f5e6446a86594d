//! A line that says what is still at work, for people who wait: on a terminal only, and gone when the work is done.
//! Knows time and a stream, nothing about the work.

use std::io::Write;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Who waits less than this needs no line.
const PATIENCE: Duration = Duration::from_secs(1);
/// Takes the line away.
const CLEARED: &str = "\r\x1b[2K";

/// A line that is shown while this lives.
pub(super) struct Progress {
    done: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    /// Says after a second, and each second from then on, that `what` is at work.
    pub(super) fn start(what: String, stream: impl Write + Send + 'static) -> Self {
        Self::every(PATIENCE, what, stream)
    }

    /// Nothing is shown.
    pub(super) fn none() -> Self {
        Self {
            done: None,
            thread: None,
        }
    }

    fn every(patience: Duration, what: String, mut stream: impl Write + Send + 'static) -> Self {
        let (done, waiting) = mpsc::channel::<()>();
        let thread = thread::spawn(move || {
            let mut waited = 0_u32;
            while waiting.recv_timeout(patience) == Err(RecvTimeoutError::Timeout) {
                waited = waited.saturating_add(1);
                let seconds = patience.saturating_mul(waited).as_secs();
                // A terminal that is gone is told nothing.
                let _ =
                    write!(stream, "{CLEARED}{what}: {seconds} s").and_then(|()| stream.flush());
            }
            if waited > 0 {
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
    }

    #[test]
    fn work_that_is_done_soon_is_not_mentioned() {
        let screen = Screen::default();
        drop(Progress::every(
            Duration::from_secs(600),
            "test".into(),
            screen.clone(),
        ));
        assert_eq!(screen.text(), "");
    }

    #[test]
    fn work_that_takes_long_is_named_and_the_line_is_gone_at_the_end() {
        let screen = Screen::default();
        let progress = Progress::every(Duration::from_millis(1), "test".into(), screen.clone());
        while !screen.text().contains("test: ") {
            thread::yield_now();
        }
        drop(progress);
        assert!(screen.text().ends_with(CLEARED));
    }
}
