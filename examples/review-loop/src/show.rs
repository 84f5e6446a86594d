//! Showing what happens, a line for each thing that matters.

use agent_graph_runtime::json::Value;
use agent_graph_runtime::pi;
use agent_graph_runtime::pi::run::{Event, Happening, Run};
use agent_graph_runtime::terminal;

use crate::review::{Kind, Node};

pub(crate) fn event(event: &Event) {
    match &event.what {
        Happening::StepStart { scheduled } => {
            let names: Vec<&str> = scheduled.iter().map(AsRef::as_ref).collect();
            println!("step {}: {}", event.step, names.join(", "));
        }
        Happening::NodeSettled {
            node,
            status,
            failure,
            usage,
            ..
        } => {
            let what = match node.parse::<Node>().map(Node::kind) {
                Ok(Kind::Agent(_)) => format!(" with {} tokens", usage.tokens()),
                _ => String::new(),
            };
            let why = failure
                .as_ref()
                .map(|failure| format!(": {}", failure.message));
            let why = why.unwrap_or_default();
            println!(
                "{}",
                terminal::line(&format!("  {node} {status}{what}{why}"))
            );
        }
        Happening::NodeRetry { node, failure, .. } => {
            println!("  {node} again: {}", terminal::line(&failure.message))
        }
        _ => {}
    }
}

pub(crate) fn end(run: &Run) {
    println!(
        "\n{} after {} steps, {} tokens",
        run.status(),
        run.step(),
        run.usage().tokens()
    );
    if let Some(error) = run.error() {
        println!("{}", terminal::line(&error.to_string()));
    }
    if let Some(result) = run.result() {
        let result = pi::pretty(&Value::Object(result));
        println!("{}", terminal::lines(&result));
    }
}
