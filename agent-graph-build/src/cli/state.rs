//! The state that a command evaluates: a run, overlaid with what the arguments say (spec 10.3).

use std::path::PathBuf;

use agent_graph_runtime::runs::{Run, Runs};
use agent_graph_runtime::{Facts, Provider, State};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use super::failure::Failure;
use super::json_argument;

/// The options that make up a state.
pub(super) fn options(command: Command) -> Command {
    command
        .arg(run_option(
            "Run whose state is taken; what the other options say goes before it",
        ))
        .arg(
            Arg::new("facts")
                .long("facts")
                .value_name("json|@file")
                .allow_hyphen_values(true)
                .help("Facts, an object"),
        )
        .arg(
            Arg::new("outcomes")
                .long("outcomes")
                .value_name("json|@file")
                .allow_hyphen_values(true)
                .help("Outcomes by state key, an object"),
        )
        .arg(authority_option())
}

/// Whether any of the options is there.
pub(super) fn is_given(matches: &ArgMatches) -> bool {
    let options = ["state", "facts", "outcomes", "authority"];
    options.iter().any(|option| matches.contains_id(option))
}

/// `--state <run>`.
pub(super) fn run_option(help: &'static str) -> Arg {
    Arg::new("state")
        .long("state")
        .value_name("run")
        .value_parser(value_parser!(PathBuf))
        .help(help)
}

/// `--authority <id...>`.
pub(super) fn authority_option() -> Arg {
    Arg::new("authority")
        .long("authority")
        .value_name("id")
        .num_args(1..)
        .action(ArgAction::Append)
        .help("Authorities that the session holds")
}

/// The authorities that were given.
pub(super) fn authorities(matches: &ArgMatches) -> impl Iterator<Item = &str> {
    let authorities = matches.get_many::<String>("authority");
    authorities.into_iter().flatten().map(String::as_str)
}

/// A state, and the run it comes from.
pub(super) struct Input {
    pub(super) state: State,
    pub(super) run: Option<Run>,
}

impl Input {
    /// The state that the options describe, for this provider.
    pub(super) fn of(matches: &ArgMatches, provider: &Provider) -> Result<Self, Failure> {
        let text = |name: &str| matches.get_one::<String>(name).map(String::as_str);
        let facts = text("facts").map(json_argument::facts).transpose()?;
        let outcomes = text("outcomes").map(json_argument::outcomes).transpose()?;
        let run = matches.get_one::<PathBuf>("state");
        let run = run.map(|path| Runs::in_files().load(path)).transpose()?;
        let mut state = match &run {
            Some(run) => run.state(provider)?,
            None => State::new(),
        };
        if let Some(facts) = facts {
            let mut all = state.facts().as_object().clone();
            for (name, value) in facts.as_object().iter() {
                all.insert(name, value.clone());
            }
            state.set_facts(Facts::from_object(all)?);
        }
        for (key, outcome) in outcomes.into_iter().flatten() {
            state.set_outcome(key, outcome)?;
        }
        let held = state.authorities().to_vec();
        let given = authorities(matches).map(str::to_owned);
        state.set_authorities(held.into_iter().chain(given));
        Ok(Self { state, run })
    }
}
