//! `completions` and `man`: what shells and readers of manuals know about the commands. Knows the command line as a
//! value, nothing about what commands do.

use agent_graph_runtime::Code;
use clap::{Arg, ArgMatches, Command, ValueEnum};
use clap_complete::Shell;

use super::answer::{Answer, Lines, object};
use super::context::Context;
use super::failure::Failure;

pub(super) fn command() -> Command {
    Command::new("completions")
        .about("Print what a shell completes for this program")
        .arg(
            Arg::new("shell")
                .required(true)
                .help("bash, elvish, fish, powershell or zsh"),
        )
}

pub(super) fn run(matches: &ArgMatches, _: &Context) -> Result<Answer, Failure> {
    let name = matches.get_one::<String>("shell");
    let name = name.map_or("", String::as_str);
    let shell = Shell::from_str(name, false).map_err(|_| {
        let message = format!("`{name}` is none of bash, elvish, fish, powershell and zsh");
        Failure::new(Code::OptionInvalid, message)
    })?;
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut super::command(), "agent-graph", &mut script);
    printed("script", &script)
}

pub(super) fn man_command() -> Command {
    Command::new("man").about("Print the manual page, with every command")
}

pub(super) fn man(_: &ArgMatches, _: &Context) -> Result<Answer, Failure> {
    let mut page = Vec::new();
    let command = super::command();
    let failed = |error: std::io::Error| Failure::unexpected(error.to_string());
    let manual = clap_mangen::Man::new(command.clone());
    manual.render(&mut page).map_err(failed)?;
    // One page is found with one word; the commands follow with their options.
    let mut built = command;
    built.build();
    for command in built.get_subcommands() {
        sections(command, &mut page).map_err(failed)?;
    }
    printed("page", &page)
}

/// What one command has to say, and those below it.
fn sections(command: &Command, page: &mut Vec<u8>) -> std::io::Result<()> {
    let manual = clap_mangen::Man::new(command.clone());
    let name = command.get_bin_name().unwrap_or(command.get_name());
    page.extend(format!(".SH {}\n", name.to_uppercase()).bytes());
    manual.render_synopsis_section(page)?;
    manual.render_description_section(page)?;
    manual.render_options_section(page)?;
    for below in command.get_subcommands() {
        sections(below, page)?;
    }
    Ok(())
}

fn printed(name: &str, bytes: &[u8]) -> Result<Answer, Failure> {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let json = object([(name, text.as_str().into())]);
    Ok(Answer::new(json, Lines::new().verbatim(text)))
}
