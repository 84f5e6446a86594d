//! Operations of kind `cli` in `invalid/`: command lines that fail, run in the provider root. The current
//! directory is that of the whole process, so this is for a suite that does one thing at a time.

use std::env;
use std::path::Path;

use agent_graph_build::cli::{self, Streams};
use agent_graph_runtime::load::shape::{check_json, shape_of};
use serde_json::Value;

use super::texts::list;

/// The code with which an operation of kind `cli` fails.
pub(super) fn failing(operation: &Value, root: &Path) -> Result<String, String> {
    let before = env::current_dir().map_err(|error| error.to_string())?;
    env::set_current_dir(root).map_err(|error| error.to_string())?;
    let arguments = list(&operation["args"]).iter().filter_map(Value::as_str);
    let arguments = ["agent-graph"].into_iter().chain(arguments);
    let (mut results, mut errors) = (Vec::new(), Vec::new());
    let mut streams = Streams {
        results: &mut results,
        errors: &mut errors,
        results_on_terminal: false,
        errors_on_terminal: false,
    };
    let status = cli::run(arguments.map(Into::into), &mut streams);
    env::set_current_dir(before).map_err(|error| error.to_string())?;
    let errors = String::from_utf8_lossy(&errors);
    if status != 1 || !results.is_empty() {
        return Err(format!("exit status {status}, errors {errors}"));
    }
    code(&errors)
}

/// The code in an envelope, or behind `ERROR` for people.
fn code(errors: &str) -> Result<String, String> {
    if let Ok(envelope) = serde_json::from_str::<Value>(errors) {
        let shape = shape_of("agent-graph.error.v1").ok_or("there is no shape of errors")?;
        let findings = check_json(shape, "standard error", errors);
        return match (findings.first(), envelope["error"]["code"].as_str()) {
            (Some(finding), _) => Err(finding.to_string()),
            (None, code) => Ok(code.unwrap_or_default().to_owned()),
        };
    }
    let code = errors.strip_prefix("ERROR ").unwrap_or_default();
    let code = code.split_whitespace().next();
    code.map_or_else(|| Err(errors.to_owned()), |code| Ok(code.to_owned()))
}
