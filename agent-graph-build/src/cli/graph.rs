//! `graph`: a picture of a graph, and of how a run stands in it.

use std::path::PathBuf;

use agent_graph_runtime::json::Object;
use agent_graph_runtime::{Code, durable};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use super::answer::{Answer, Lines, object};
use super::context::{Context, absolute};
use super::evaluate::{entry_option, graph_argument};
use super::failure::Failure;
use super::selection::Selection;
use super::state::{Input, is_given, options};
use crate::picture::{Diagram, Picture, mermaid};

pub(super) fn command() -> Command {
    let command = Command::new("graph")
        .about("Draw a graph; with a state, what is done, next, waiting and blocked in it")
        .arg(graph_argument())
        .arg(entry_option())
        .arg(as_option())
        .arg(output_option())
        .arg(
            Arg::new("calls")
                .long("calls")
                .action(ArgAction::SetTrue)
                .help("Also draw the graphs that it calls, one below the other"),
        );
    options(command)
}

/// `--as svg|mermaid`.
pub(super) fn as_option() -> Arg {
    Arg::new("as")
        .long("as")
        .value_name("svg|mermaid")
        .default_value("svg")
        .help("What to draw it as")
}

/// `--output <file>`.
pub(super) fn output_option() -> Arg {
    Arg::new("output")
        .long("output")
        .short('o')
        .value_name("file")
        .value_parser(value_parser!(PathBuf))
        .help("Write the picture to this file instead of standard output")
}

pub(super) fn run(matches: &ArgMatches, context: &Context) -> Result<Answer, Failure> {
    let form = Form::of(matches)?;
    let selection = Selection::of(context, matches.get_one("graph"), matches.get_one("entry"))?;
    context.at("looking how things stand");
    let diagrams = diagrams(matches, &selection)?;
    let graph = object([("graph", selection.graph.as_str().into())]);
    form.answer(matches, context, graph, &diagrams)
}

fn diagrams(matches: &ArgMatches, selection: &Selection) -> Result<Vec<Diagram>, Failure> {
    let provider = selection.installed.provider();
    let (graph, entry) = (selection.graph.as_str(), selection.entry.as_str());
    let calls = matches.get_flag("calls");
    if is_given(matches) {
        let state = Input::of(matches, provider)?.state;
        return Ok(match calls {
            true => Diagram::of_run_with_calls(provider, graph, entry, &state)?,
            false => vec![Diagram::of_run(provider, graph, entry, &state)?],
        });
    }
    let tables = provider.tables();
    Ok(match calls {
        true => Diagram::of_graph_with_calls(&tables, graph)?,
        false => vec![Diagram::of_graph(&tables, graph)?],
    })
}

/// What to draw it as.
#[derive(Clone, Copy)]
pub(super) enum Form {
    Svg,
    Mermaid,
}

impl Form {
    pub(super) fn of(matches: &ArgMatches) -> Result<Self, Failure> {
        match matches.get_one::<String>("as").map(String::as_str) {
            Some("mermaid") => Ok(Self::Mermaid),
            Some("svg") | None => Ok(Self::Svg),
            Some(other) => {
                let message = format!("`{other}` is no kind of picture: there are svg and mermaid");
                Err(Failure::new(Code::OptionInvalid, message))
            }
        }
    }

    /// Draws the diagrams and writes them where the options say.
    pub(super) fn answer(
        self,
        matches: &ArgMatches,
        context: &Context,
        mut json: Object,
        diagrams: &[Diagram],
    ) -> Result<Answer, Failure> {
        let (name, text) = match self {
            Self::Svg => {
                let picture = Picture::of_watched(diagrams, &mut context.watch())?;
                ("svg", picture.svg())
            }
            Self::Mermaid => ("mermaid", mermaid(diagrams)),
        };
        json.insert("as", name);
        let Some(file) = matches.get_one::<PathBuf>("output") else {
            json.insert("picture", text.as_str());
            return Ok(Answer::new(json, Lines::new().verbatim(text)));
        };
        durable::replace(file, text.as_bytes()).map_err(|error| {
            let message = format!("{} cannot be written: {error}", file.display());
            Failure::new(Code::FileWriteFailed, message)
        })?;
        let path = absolute(file)?;
        json.insert("path", path.as_str());
        Ok(Answer::new(json, Lines::new().label("Picture", path)))
    }
}
