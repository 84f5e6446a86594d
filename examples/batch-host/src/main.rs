//! A host that answers a queue of letters with host actions: the workflow names handlers, the host has them.
//!
//! Everything is in the one executable: the tables of the workflow and its files. `cargo run -p batch-host`
//! plays one batch in a temporary folder; `cargo run -p batch-host -- FOLDER` plays it there, and again from
//! where it stands.

mod batch;
mod office;
mod reading;

use std::path::Path;
use std::process::ExitCode;

/// What anything in this example can end with.
type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

agent_graph_macros::include_provider! {
    /// The workflow, checked while this program is compiled, with the bytes of its files.
    pub mod letters = "workflow/provider.yaml", embed = true;
}

#[cfg(test)]
agent_graph_macros::graph_tests!("workflow/provider.yaml", "workflow/tests");

fn main() -> ExitCode {
    let folder = std::env::args_os().nth(1);
    let result = match folder {
        Some(folder) => batch::run(Path::new(&folder)),
        None => {
            let name = format!("batch-host-{}", std::process::id());
            let folder = std::env::temp_dir().join(name);
            let result = batch::run(&folder);
            // A folder that stays behind in the temporary directory harms nobody.
            let _ = std::fs::remove_dir_all(folder);
            result
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("batch-host: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::letters;

    #[test]
    fn the_embedded_files_are_those_the_workflow_was_compiled_from() {
        assert_eq!(letters::EMBEDDED.verify(), Ok(()));
    }

    #[test]
    fn files_are_lent_without_a_folder() {
        let style = letters::EMBEDDED.resource("style");
        assert_eq!(style, letters::EMBEDDED.bytes("resources/style.md"));
        assert!(style.is_some_and(|text| text.ends_with(b"No promises.\n")));
        // What the host makes has no bytes before it is made.
        assert_eq!(letters::EMBEDDED.resource("brief"), None);
    }
}
