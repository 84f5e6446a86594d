//! `code`: what the codes of a provider stand for.

use agent_graph_runtime::json::{Object, Value};
use clap::{Arg, ArgMatches, Command};

use super::answer::{Answer, Lines};
use super::context::{Context, absolute};
use super::failure::Failure;

pub(super) fn command() -> Command {
    Command::new("code")
        .about("Say what the codes of a provider stand for")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .subcommand(Command::new("list").about("List the codes of the catalog"))
        .subcommand(
            Command::new("locate")
                .about("Say what a code stands for, and where more is said")
                .arg(Arg::new("code").required(true).help("The code")),
        )
}

pub(super) fn run(matches: &ArgMatches, context: &Context) -> Result<Answer, Failure> {
    match matches.subcommand() {
        Some(("locate", matches)) => {
            let code = matches.get_one::<String>("code").map_or("", String::as_str);
            let location = context.installed()?.locate_code(code)?;
            let human = Lines::new().label(&location.code, &location.summary).maybe(
                "Document",
                location.document.as_ref().map(|file| &file.file_path),
            );
            Answer::of(&location, human)
        }
        _ => list(context),
    }
}

fn list(context: &Context) -> Result<Answer, Failure> {
    let loaded = context.loaded()?;
    let catalog = loaded.definition.catalog.as_ref();
    let catalog = catalog.map(|catalog| loaded.root.join(&*catalog.file));
    let catalog = catalog.map(|path| absolute(&path)).transpose()?;
    let inspection = agent_graph_runtime::Installed::of_loaded(loaded)?.inspect()?;
    let mut json = Object::new();
    json.insert("provider", inspection.provider.id.as_str());
    if let Some(catalog) = &catalog {
        json.insert("catalog", catalog.as_str());
    }
    json.insert("codes", Value::from_serialize(&inspection.codes)?);
    let mut human = Lines::new();
    for code in &inspection.codes {
        human = human.label(&code.code, &code.summary);
    }
    if catalog.is_none() {
        human = human.line("The provider has no code catalog.");
    }
    Ok(Answer::new(json, human))
}
