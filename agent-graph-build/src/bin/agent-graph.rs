//! The command line of Agent Graph. Everything is in the library, where it can be tested.

use std::io::{IsTerminal, stderr, stdout};
use std::process::ExitCode;

use agent_graph_build::cli::{self, Streams};

fn main() -> ExitCode {
    // Standard error is not locked: while people wait, another thread tells them so.
    let (results, mut errors) = (stdout(), stderr());
    let mut streams = Streams {
        results_on_terminal: results.is_terminal(),
        errors_on_terminal: errors.is_terminal(),
        results: &mut results.lock(),
        errors: &mut errors,
    };
    ExitCode::from(cli::run(std::env::args_os(), &mut streams))
}
