//! A test case as it is read from its file, `agent-graph.test.v1` (spec 1.12). Knows the shape of the file,
//! nothing about what the expectations mean.

use std::path::Path;

use agent_graph_runtime::json::{Object, Value};
use agent_graph_runtime::load::{read_shaped, shape};
use agent_graph_runtime::{Code, Finding, Findings, Place, State, paths};

/// A test case.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Case {
    /// Its name.
    pub name: String,
    /// The absolute path of its file.
    pub path: String,
    /// Id of the graph.
    pub graph: String,
    /// Name of the entry.
    pub entry: String,
    /// The state that is evaluated.
    pub state: State,
    /// What is expected.
    #[cfg_attr(not(feature = "graph-tests"), allow(dead_code))]
    pub(super) expected: Object,
}

impl Case {
    /// Reads a case from its file, JSON or YAML.
    ///
    /// # Errors
    ///
    /// `file-read-failed`, `parse-failed`, `schema-invalid`, `input-limit`; those of [`State::from_value`].
    pub fn read(file: impl AsRef<Path>) -> Result<Self, Findings> {
        let file = file.as_ref();
        let place = || Place::start_of(file.to_string_lossy().into());
        let absolute = paths::absolute(file).map_err(|error| {
            Finding::error(Code::FileReadFailed, place(), error.kind().to_string())
        })?;
        let shape = shape::Shape::Object(&shape::TEST_CASE);
        let (value, _) = read_shaped(file, shape)?;
        let member = |name: &str| value.as_object().and_then(|case| case.get(name));
        let text = |name: &str| {
            let text = member(name).and_then(Value::as_str);
            text.unwrap_or_default().to_owned()
        };
        let state = member("state")
            .cloned()
            .unwrap_or_else(|| Object::new().into());
        let state = State::from_value(state)
            .map_err(|error| Finding::error(error.code(), place(), error.message()))?;
        let expected = member("expect").and_then(Value::as_object);
        Ok(Self {
            name: text("name"),
            path: absolute.to_string_lossy().into_owned(),
            graph: text("graph"),
            entry: text("entry"),
            state,
            expected: expected.cloned().unwrap_or_default(),
        })
    }
}
