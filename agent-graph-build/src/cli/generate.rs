//! `generate`: prints the Rust module that a host would get.

use clap::{Arg, ArgMatches, Command};

use super::answer::{Answer, Lines, object};
use super::context::{Context, absolute};
use super::failure::Failure;
use crate::Builder;
use crate::lint::LintLevel;

pub(super) fn command() -> Command {
    Command::new("generate")
        .about("Print the Rust module that include_provider! and build scripts make")
        .arg(
            Arg::new("module")
                .long("module")
                .value_name("name")
                .default_value("provider")
                .help("Name of the module"),
        )
        .arg(
            Arg::new("crate")
                .long("crate")
                .value_name("path")
                .help("Where the generated code finds the runtime"),
        )
}

pub(super) fn run(matches: &ArgMatches, context: &Context) -> Result<Answer, Failure> {
    let text = |name: &str| matches.get_one::<String>(name);
    // What deserves a look is what `lint` says.
    let mut builder =
        Builder::new(absolute(&context.manifest_of_selection()?)?).lints(LintLevel::Allow, ["all"]);
    if let Some(module) = text("module") {
        builder = builder.module(module);
    }
    if let Some(path) = text("crate") {
        builder = builder.crate_path(path);
    }
    context.at("loading the provider and printing Rust");
    let generated = builder
        .generate()
        .map_err(|findings| context.located(&findings))?;
    let json = object([
        ("module", generated.module.as_str().into()),
        ("source", generated.source.as_str().into()),
    ]);
    Ok(Answer::new(json, Lines::new().verbatim(generated.source)))
}
