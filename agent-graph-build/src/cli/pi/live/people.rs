//! The person at the terminal: asked for a yes, a choice or a text, one question at a time. Knows a screen and lines
//! that are typed, nothing about runs.

use std::io::BufRead;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use agent_graph_runtime::json::Value;
use agent_graph_runtime::pi::run::Interrupt;
use agent_graph_runtime::pi::runner::Abort;
use agent_graph_runtime::pi::words::HumanKind;

use super::screen::Screen;

/// How long nobody looks whether the run was ended meanwhile.
const TICK: Duration = Duration::from_millis(50);

/// Somebody at a terminal.
pub(in crate::cli::pi) struct Person {
    screen: Screen,
    abort: Abort,
    /// What is typed; made with the first question.
    typed: Option<Receiver<String>>,
}

impl Person {
    pub(in crate::cli::pi) fn new(screen: Screen, abort: Abort) -> Self {
        Self {
            screen,
            abort,
            typed: None,
        }
    }

    /// Whether they say yes.
    pub(in crate::cli::pi) fn confirms(&mut self, question: &str) -> bool {
        let answer = self.put(&format!("{question} [yes or no] "), yes_or_no);
        answer == Some(Value::Bool(true))
    }

    /// What they answer to a node; nothing if they end their input instead, or the run is ended.
    pub(in crate::cli::pi) fn answers(&mut self, node: &str, asked: &Interrupt) -> Option<Value> {
        let question = format!("\n{node} asks:\n{}\n", asked.prompt);
        let options = asked.options.as_deref().unwrap_or(&[]);
        match asked.kind {
            HumanKind::Confirm => self.put(&format!("{question}[yes or no] "), yes_or_no),
            HumanKind::Select => {
                let lines = (1..).zip(options);
                let lines: String = lines
                    .map(|(number, option)| format!("  {number}. {option}\n"))
                    .collect();
                self.put(&format!("{question}{lines}[a number] "), |typed| {
                    chosen(options, typed)
                })
            }
            HumanKind::Input => self.put(&format!("{question}> "), |typed| Some(typed.into())),
        }
    }

    /// Asks until there is an answer that is one.
    fn put(&mut self, text: &str, read: impl Fn(&str) -> Option<Value>) -> Option<Value> {
        let mut text = text;
        let answer = loop {
            self.screen.ask(text);
            let Some(typed) = self.line() else {
                break None;
            };
            if let Some(answer) = read(typed.trim_end_matches(['\n', '\r'])) {
                break Some(answer);
            }
            text = "That is no answer here. ";
        };
        self.screen.answered(answer.is_some());
        answer
    }

    /// The next line that is typed, with its end.
    fn line(&mut self) -> Option<String> {
        let typed = self.typed.get_or_insert_with(listen);
        while !self.abort.is_aborted() {
            match typed.recv_timeout(TICK) {
                Ok(line) => return Some(line),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
        None
    }
}

fn yes_or_no(typed: &str) -> Option<Value> {
    match typed.trim().to_lowercase().as_str() {
        "y" | "yes" => Some(true.into()),
        "n" | "no" => Some(false.into()),
        _ => None,
    }
}

/// The option with this number, or with this text.
fn chosen(options: &[String], typed: &str) -> Option<Value> {
    let typed = typed.trim();
    let number = typed.parse::<usize>().ok();
    let numbered = number.and_then(|number| options.get(number.checked_sub(1)?));
    let named = || options.iter().find(|option| option.trim() == typed);
    let option = numbered.or_else(named)?;
    Some(option.as_str().into())
}

/// Reads lines in a thread of its own: a question is given up when the run ends, whether or not anybody types. The
/// thread ends with the process.
fn listen() -> Receiver<String> {
    // One line at a time: what is typed ahead waits in the terminal.
    let (tell, typed) = mpsc::sync_channel(0);
    let read = move || {
        for line in std::io::stdin().lock().lines() {
            let Ok(line) = line else { return };
            if tell.send(line).is_err() {
                return;
            }
        }
    };
    let _ = thread::Builder::new().spawn(read);
    typed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_is_chosen_by_its_number_or_its_text() {
        let options = ["red".to_owned(), "2".to_owned()];
        assert_eq!(chosen(&options, " 1 "), Some("red".into()));
        assert_eq!(chosen(&options, "red"), Some("red".into()));
        assert_eq!(chosen(&options, "2"), Some("2".into()));
        for wrong in ["0", "3", "", "re", "18446744073709551616"] {
            assert_eq!(chosen(&options, wrong), None, "{wrong}");
        }
    }

    #[test]
    fn yes_and_no_are_words_of_any_case() {
        assert_eq!(yes_or_no(" YES"), Some(true.into()));
        assert_eq!(yes_or_no("n"), Some(false.into()));
        assert_eq!(yes_or_no(""), None);
    }
}
