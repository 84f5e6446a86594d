//! `build`: packages the provider as a bundle.

use std::path::PathBuf;

use agent_graph_runtime::Code;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use super::answer::{Answer, Lines, word};
use super::context::{Context, absolute};
use super::failure::Failure;
use crate::bundle::{self, Bundle};

pub(super) fn command() -> Command {
    Command::new("build")
        .about("Package the provider with everything it reaches, the same bytes for the same input")
        .arg(
            Arg::new("output")
                .default_value("dist/provider")
                .value_parser(value_parser!(PathBuf))
                .help("Folder of the bundle; an older bundle there is replaced"),
        )
        .arg(
            Arg::new("portable")
                .long("portable")
                .action(ArgAction::SetTrue)
                .help("Refuse file names that are the same where case does not matter"),
        )
}

pub(super) fn run(matches: &ArgMatches, context: &Context) -> Result<Answer, Failure> {
    let output = matches
        .get_one::<PathBuf>("output")
        .cloned()
        .unwrap_or_default();
    let loaded = context.loaded()?;
    if matches.get_flag("portable") {
        let bundle = Bundle::of(&loaded).map_err(|findings| context.located(&findings))?;
        if let Some(warning) = bundle.warnings().first() {
            return Err(Failure::new(
                Code::BuildPathUnportable,
                warning.message.as_str(),
            ));
        }
    }
    let bundle = bundle::build_watched(&loaded, &output, &mut context.watch())
        .map_err(|findings| context.located(&findings))?;
    let mut human = Lines::new()
        .label("Bundle", absolute(&output)?)
        .label("Files", bundle.copied_files().len() + 2)
        .label("Digest", bundle.digest());
    for warning in bundle.warnings() {
        human = human.label("Warning", &warning.message);
    }
    let manifest = word(&output.join("manifest.json"));
    human = human.label("Next", format!("agent-graph -m {manifest} validate"));
    Ok(Answer::new(bundle.manifest().clone(), human))
}
