//! `validate`: whether the provider loads.

use agent_graph_runtime::Installed;
use agent_graph_runtime::json::{Object, Value};
use clap::{ArgMatches, Command};

use super::answer::{Answer, Lines};
use super::context::Context;
use super::failure::Failure;
use super::inspect::summary;

pub(super) fn command() -> Command {
    Command::new("validate").about("Check a provider or a bundle")
}

pub(super) fn run(_: &ArgMatches, context: &Context) -> Result<Answer, Failure> {
    let loaded = context.loaded()?;
    let (warnings, texts) = context.named(&loaded, &loaded.findings, &loaded.texts);
    let inspection = Installed::of_loaded(loaded)?.inspect()?;
    let mut json = Object::new();
    json.insert("state", "valid");
    if let Value::Object(members) = Value::from_serialize(&inspection)? {
        json.extend(members);
    }
    let human = Lines::new()
        .label("Valid", summary(&inspection))
        .warnings(warnings, texts);
    Ok(Answer::new(json, human))
}
