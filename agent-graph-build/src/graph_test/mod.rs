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
//! By hand:
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

mod assertions;
mod case;
mod discover;
mod expand;

use std::path::Path;

use agent_graph_runtime::{Error, Finding, Findings, Installed, Place, RouteInput, Step};
use serde_core::ser::{Serialize, SerializeStruct, Serializer};

pub use case::Case;
pub use discover::discover;
pub use expand::expand;

/// What came of a test case.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CaseResult {
    /// The name of the case.
    pub name: String,
    /// The absolute path of its file.
    pub path: String,
    /// Whether everything was as expected.
    pub passed: bool,
    /// What was not, one line each.
    pub failures: Vec<String>,
}

impl Serialize for CaseResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("CaseResult", 4)?;
        object.serialize_field("name", &self.name)?;
        object.serialize_field("path", &self.path)?;
        object.serialize_field("passed", &self.passed)?;
        object.serialize_field("failures", &self.failures)?;
        object.end()
    }
}

/// Runs the case in a file, or every case below a directory, in the order of their names.
///
/// # Errors
///
/// Those of [`discover`], [`Case::read`] and [`Case::run`]: a malformed case ends the run.
pub fn run(provider: &Installed, path: impl AsRef<Path>) -> Result<Vec<CaseResult>, Findings> {
    run_watched(provider, path, &mut |_| ())
}

/// The same, and tells `watch` how far it is.
///
/// # Errors
///
/// As [`run`].
pub fn run_watched(
    provider: &Installed,
    path: impl AsRef<Path>,
    watch: &mut dyn FnMut(Step<'_>),
) -> Result<Vec<CaseResult>, Findings> {
    watch(Step::new("looking for cases"));
    let files = discover(path)?;
    let results = (1..).zip(&files).map(|(number, file)| {
        watch(Step::counted("running case", number, files.len()));
        Case::read(file)?.run(provider)
    });
    results.collect()
}

/// Runs the case in a file and panics unless everything is as expected: what stands in each test that
/// `graph_tests!` makes.
///
/// # Panics
///
/// With the lines that say what differs, or with what is wrong with the provider or the case.
#[track_caller]
pub fn assert_case(manifest: impl AsRef<Path>, file: impl AsRef<Path>) {
    let result = Installed::load(manifest).and_then(|provider| Case::read(file)?.run(&provider));
    match result {
        Ok(result) if result.passed => {}
        Ok(CaseResult { path, failures, .. }) => panic!("{path}\n  {}", failures.join("\n  ")),
        Err(findings) => panic!("{findings}"),
    }
}

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

impl Case {
    /// Evaluates the case and says what differs from what is expected.
    ///
    /// # Errors
    ///
    /// `graph-missing`, and those of resolving the primary route where something is expected of it.
    pub fn run(&self, provider: &Installed) -> Result<CaseResult, Findings> {
        let failures = self
            .failures(provider)
            .map_err(|error| self.finding(&error))?;
        Ok(CaseResult {
            name: self.name.clone(),
            path: self.path.clone(),
            passed: failures.is_empty(),
            failures,
        })
    }

    fn failures(&self, provider: &Installed) -> Result<Vec<String>, Error> {
        let evaluation = provider.evaluate(&self.graph, &self.entry, &self.state)?;
        let mut failures = assertions::of_evaluation(&self.expected, &evaluation);
        if assertions::need_route(&self.expected) {
            match evaluation.primary() {
                None => failures.push("route assertions require a primary route".to_owned()),
                Some(primary) => {
                    // No assertion is about a workspace; any absolute folder will do.
                    let input = RouteInput::new().in_workspace(provider.root())?;
                    let route = provider.resolve(&primary, &input)?;
                    failures.extend(assertions::of_route(&self.expected, &route));
                }
            }
        }
        Ok(failures)
    }

    fn finding(&self, error: &Error) -> Findings {
        let place = Place::start_of(self.path.as_str().into());
        Finding::error(error.code(), place, error.message()).into()
    }
}
