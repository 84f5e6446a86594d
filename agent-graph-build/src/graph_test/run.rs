//! Runs test cases. Knows the order of the work, nothing about files and what is compared.

use std::path::Path;

use agent_graph_runtime::{Error, Finding, Findings, Installed, Place, RouteInput, Step};
use serde_core::ser::{Serialize, SerializeStruct, Serializer};

use super::{Case, assertions, discover};

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
