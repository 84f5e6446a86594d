//! Where results and errors go. Knows formats, terminals and readers that stop reading; nothing about
//! commands.

use std::io::{self, ErrorKind, Write};

use agent_graph_runtime::{Code, terminal};

use super::answer::Answer;
use super::failure::Failure;

/// Standard output and standard error, or whatever stands for them.
pub struct Streams<'s> {
    /// Where results go.
    pub results: &'s mut dyn Write,
    /// Where errors go.
    pub errors: &'s mut dyn Write,
    /// Whether results are read by people now.
    pub results_on_terminal: bool,
    /// Whether errors are read by people now; then what takes long says so on standard error.
    pub errors_on_terminal: bool,
}

impl Streams<'_> {
    /// Prints a result and gives the exit status.
    pub(super) fn answer(&mut self, answer: &Answer, json: bool) -> u8 {
        let text = if json {
            // Warnings have no place in results that are defined to the member.
            let warnings = answer.human.beside(self.errors_on_terminal);
            let _ = print(self.errors, &warnings);
            format!("{}\n", answer.json)
        } else {
            answer.human.text(self.results_on_terminal)
        };
        match print(self.results, &text) {
            Ok(()) => u8::from(!answer.success),
            Err(error) => {
                let message = format!("the result cannot be printed: {error}");
                self.failure(&Failure::new(Code::FileWriteFailed, message), json)
            }
        }
    }

    /// Prints a failure and gives the exit status.
    pub(super) fn failure(&mut self, failure: &Failure, json: bool) -> u8 {
        let text = if json {
            format!("{}\n", failure.envelope())
        } else {
            self.human(failure)
        };
        // If errors cannot be printed either, the exit status has to do.
        let _ = print(self.errors, &text);
        1
    }

    fn human(&self, failure: &Failure) -> String {
        let (strong, weak) = match self.errors_on_terminal {
            true => ("\x1b[1;31m", "\x1b[0m"),
            false => ("", ""),
        };
        // Findings tell it themselves, with more words; telling the first one twice would look like two.
        let message = match &failure.findings {
            Some(findings) if findings.list().len() == 1 => "1 finding".to_owned(),
            Some(findings) => format!("{} findings", findings.list().len()),
            None => terminal::line(&failure.message).into_owned(),
        };
        let mut text = format!("{strong}ERROR{weak} {} {message}\n", failure.code);
        if let Some(findings) = &failure.findings {
            let rendered = findings.rendered().colored(self.errors_on_terminal);
            text.push_str(&format!("\n{rendered}\n"));
        }
        if let Some(cure) = &failure.cure {
            text.push_str("  help: ");
            text.push_str(&terminal::line(cure));
            text.push('\n');
        }
        text
    }

    /// Prints help, the version, or what is wrong with the arguments.
    pub(super) fn usage(&mut self, error: &clap::Error) -> u8 {
        // What is wrong quotes arguments, which a script may have from anywhere.
        let text = error.to_string();
        let text = terminal::lines(&text);
        if error.use_stderr() {
            let _ = print(self.errors, &text);
            1
        } else {
            let printed = print(self.results, &text);
            u8::from(printed.is_err())
        }
    }
}

/// Prints all of it, or nothing more once nobody reads it any longer: that is no error of ours.
fn print(stream: &mut dyn Write, text: &str) -> io::Result<()> {
    let printed = stream
        .write_all(text.as_bytes())
        .and_then(|()| stream.flush());
    match printed {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        printed => printed,
    }
}
