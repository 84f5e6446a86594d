//! `schema.json`: objects that have the shape of the protocol or not, and schemas that do not exist.

use std::io;
use std::path::Path;

use agent_graph_runtime::Code;
use agent_graph_runtime::load::shape::{RESOURCE, Shape, check_json, shape_of};
use serde_json::Value;

use super::report::{Report, Verdict};
use super::texts::list;
use crate::sources::read_json;

pub(super) fn run(directory: &Path, report: &mut Report) -> io::Result<()> {
    let path = directory.join("schema.json");
    if path.exists() {
        for (index, vector) in list(&read_json(&path)?).iter().enumerate() {
            report.case(&format!("schema.json {index}"), || judge(vector));
        }
    }
    Ok(())
}

fn judge(vector: &Value) -> Verdict {
    let text = |name: &str| vector[name].as_str().unwrap_or_default();
    let Some(shape) = named(text("schema")) else {
        return Verdict::Failed(format!("there is no schema `{}`", text("schema")));
    };
    let findings = check_json(shape, "vector.json", text("text"));
    match (vector["valid"] == true, findings.first()) {
        (true, None) | (false, Some(_)) => Verdict::Passed,
        (true, Some(finding)) => Verdict::Failed(format!("{} is refused: {finding}", text("text"))),
        (false, None) => Verdict::Failed(format!("{} is accepted", text("text"))),
    }
}

/// The code with which an operation of kind `schema` fails.
pub(super) fn failing(operation: &Value) -> Result<String, String> {
    let text = |name: &str| operation[name].as_str().unwrap_or_default();
    let code = match named(text("name")) {
        None => Code::SchemaTypeUnknown,
        Some(shape) => match check_json(shape, "vector.json", text("valueText")).first() {
            Some(finding) => finding.code,
            None => return Err("it is valid".to_owned()),
        },
    };
    Ok(code.to_string())
}

/// The shape that a name of the reference's command line stands for.
fn named(name: &str) -> Option<Shape> {
    match name {
        "resource" => Some(Shape::Variants(&RESOURCE)),
        "test-case" => shape_of("agent-graph.test.v1"),
        name => shape_of(&format!("agent-graph.{name}.v1")),
    }
}
