//! Graph tests (spec section 8): a state, and what an evaluation and its primary route have to say about
//! it. Nothing is executed. Knows the order of the work; finding the files, reading one and comparing are
//! modules of their own.
//!
//! As named tests of a host, each case of a provider by itself, with one line:
//!
//! ```text
//! agent_graph_macros::graph_tests!("workflow/provider.yaml", "workflow/tests");
//! ```
//!
//! That, and what follows, needs the feature `graph-tests`. By hand:
//!
//! ```no_run
//! use agent_graph_build::graph_test;
//! use agent_graph_runtime::Installed;
//!
//! let workflow = Installed::load("workflow/provider.yaml")?;
//! for result in graph_test::run(&workflow, "workflow/tests")? {
//!     println!("{}: {}", result.name, result.failures.join("; "));
//! }
//! # Ok::<(), agent_graph_runtime::Findings>(())
//! ```

#[cfg(feature = "graph-tests")]
mod assertions;
mod case;
mod discover;
mod expand;
#[cfg(feature = "graph-tests")]
mod run;

use std::path::Path;

pub use case::Case;
pub use discover::discover;
pub use expand::expand;
#[cfg(feature = "graph-tests")]
pub use run::{CaseResult, assert_case, run, run_watched};

/// Panics unless the files of the cases below a directory are these: the compiler does not notice a new
/// file, and a case that silently does not run is worse than none.
///
/// # Panics
///
/// With the file that is new or gone, or when there are none.
#[track_caller]
pub fn assert_complete(directory: impl AsRef<Path>, known: &[&str]) {
    let directory = directory.as_ref();
    match discover::relative(directory) {
        Err(findings) => panic!("{findings}"),
        Ok(found) => {
            let new = found.iter().find(|file| !known.contains(&file.as_str()));
            assert!(
                new.is_none(),
                "{} is new: compile the tests again, for example after saving their source file",
                new.map_or("", String::as_str)
            );
        }
    }
}
