//! `diff`: what changes between two versions of a provider.

use std::path::PathBuf;

use agent_graph_runtime::Digest;
use agent_graph_runtime::json::Value;
use agent_graph_runtime::load::Loaded;
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command, value_parser};

use super::answer::{Answer, Lines, object};
use super::context::Context;
use super::failure::Failure;
use crate::diff::{Change, Class, diff};

pub(super) fn command() -> Command {
    let classes = Class::ALL.iter().skip(1).map(|class| class.as_str());
    Command::new("diff")
        .about("Say what changes between two versions of a provider, and how much it matters")
        .arg(
            Arg::new("old")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("Manifest of the old version, or of its bundle"),
        )
        .arg(
            Arg::new("new")
                .value_parser(value_parser!(PathBuf))
                .help("Manifest of the new version; that of --manifest if it is left away"),
        )
        .arg(
            Arg::new("fail-on")
                .long("fail-on")
                .value_name("class")
                .default_value(Class::BreaksStoredRuns.as_str())
                .value_parser(PossibleValuesParser::new(classes))
                .help("Exit with status 1 when a change is of this class or a greater one"),
        )
}

pub(super) fn run(matches: &ArgMatches, context: &Context) -> Result<Answer, Failure> {
    let loaded = |path: &PathBuf| {
        let folder = path.parent().unwrap_or(path);
        context
            .load(path)
            .map_err(|findings| Failure::of_findings(&findings, folder))
    };
    let path = |name: &str| matches.get_one::<PathBuf>(name);
    let old = loaded(path("old").ok_or_else(|| Failure::unexpected("no version was named"))?)?;
    let new = match path("new") {
        Some(new) => loaded(new)?,
        None => context.loaded()?,
    };
    context.at("comparing");
    let difference = diff(&old, &new);
    let limit = matches.get_one::<String>("fail-on");
    let limit = Class::ALL
        .iter()
        .find(|class| Some(class.as_str()) == limit.map(String::as_str));
    let fails = limit.is_some_and(|limit| difference.class >= *limit);
    let json = object([
        ("class", difference.class.as_str().into()),
        ("old", version(&old)),
        ("new", version(&new)),
        ("changes", Value::from_serialize(&difference.changes)?),
    ]);
    let mut human = Lines::new();
    for change in &difference.changes {
        human = human.label(change.class.as_str(), shown(change));
    }
    let human = human.line(summary(difference.class));
    let human = match limit.filter(|_| fails) {
        Some(limit) => human.line(format!("That fails: the limit is {limit} (--fail-on).")),
        None => human,
    };
    Ok(Answer {
        success: !fails,
        ..Answer::new(json, human)
    })
}

fn version(loaded: &Loaded) -> Value {
    let manifest = &loaded.definition.manifest;
    object([
        ("id", manifest.id.value.as_str().into()),
        ("version", manifest.version.value.as_str().into()),
    ])
    .into()
}

/// The change as people read it. No verb goes by the subject: that may be one thing or many.
fn shown(change: &Change) -> String {
    let subject = &change.subject;
    match (change.before.as_deref(), change.after.as_deref()) {
        (None, after) => format!("{subject}: added{}", aside(after)),
        (before, None) => format!("{subject}: removed{}", aside(before)),
        (Some(before), Some(after)) if is_digest(before) && is_digest(after) => {
            format!("{subject}: other content")
        }
        (Some(before), Some(after)) => {
            format!("{subject}: {}, now {}", quoted(before), quoted(after))
        }
    }
}

/// What something is, behind what is said about it; nothing where its name says it all.
fn aside(value: Option<&str>) -> String {
    match value {
        None | Some("") => String::new(),
        Some(value) if is_digest(value) => String::new(),
        Some(value) => format!(", {}", quoted(value)),
    }
}

fn quoted(value: &str) -> String {
    match value {
        "" => "nothing".to_owned(),
        value => format!("`{value}`"),
    }
}

fn is_digest(value: &str) -> bool {
    value.parse::<Digest>().is_ok()
}

fn summary(class: Class) -> &'static str {
    match class {
        Class::Identical => "Nothing changes.",
        Class::Wording => "Only what people read changes.",
        Class::Additive => "Hosts and stored runs go on as before.",
        Class::RouteChanging => "Stored runs can go on; other routes are offered.",
        Class::BreaksStoredRuns => {
            "Stored runs cannot simply go on: what they recorded is lost in part."
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentence(subject: &str, before: Option<&str>, after: Option<&str>) -> String {
        shown(&Change {
            class: Class::RouteChanging,
            subject: subject.to_owned(),
            before: before.map(str::to_owned),
            after: after.map(str::to_owned),
        })
    }

    #[test]
    fn sentences_fit_one_thing_and_many() {
        let digest = Digest::of_bytes(b"").to_string();
        let digest = Some(digest.as_str());
        for (subject, before, after, expected) in [
            ("graph a", None, Some(""), "graph a: added"),
            ("graph a", Some(""), None, "graph a: removed"),
            ("node b", None, Some("action"), "node b: added, `action`"),
            (
                "required facts",
                Some("c is 1"),
                None,
                "required facts: removed, `c is 1`",
            ),
            ("priority", Some("1"), Some("2"), "priority: `1`, now `2`"),
            (
                "prompt",
                Some(""),
                Some("Ship?"),
                "prompt: nothing, now `Ship?`",
            ),
            ("file d", digest, None, "file d: removed"),
            ("file d", digest, digest, "file d: other content"),
        ] {
            assert_eq!(sentence(subject, before, after), expected);
        }
    }
}
