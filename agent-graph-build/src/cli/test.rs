//! `test`: runs graph tests.

use std::path::PathBuf;

use agent_graph_runtime::json::Value;
use clap::{Arg, ArgMatches, Command, value_parser};

use super::answer::{Answer, Lines, object};
use super::context::Context;
use super::failure::Failure;
use crate::graph_test;

pub(super) fn command() -> Command {
    Command::new("test").about("Run graph tests").arg(
        Arg::new("path")
            .default_value("tests")
            .value_parser(value_parser!(PathBuf))
            .help("A test case, or a folder of them"),
    )
}

pub(super) fn run(matches: &ArgMatches, context: &Context) -> Result<Answer, Failure> {
    let path = matches
        .get_one::<PathBuf>("path")
        .cloned()
        .unwrap_or_default();
    let results = graph_test::run_watched(&context.installed()?, path, &mut context.watch())?;
    let total = results.len();
    let passed = results.iter().filter(|result| result.passed).count();
    let failed = total - passed;
    let state = if failed == 0 { "passed" } else { "failed" };
    let json = object([
        ("state", state.into()),
        ("total", Value::Number(total as f64)),
        ("failed", Value::Number(failed as f64)),
        ("results", Value::from_serialize(&results)?),
    ]);
    let mut human = Lines::new();
    for result in results.iter().filter(|result| !result.passed) {
        human = human.label("Failed", format!("{} ({})", result.name, result.path));
        for failure in &result.failures {
            human = human.line(format!("  {failure}"));
        }
    }
    Ok(Answer {
        success: failed == 0,
        ..Answer::new(json, human.line(format!("{passed}/{total}")))
    })
}
