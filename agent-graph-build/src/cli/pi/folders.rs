//! Where runs are kept: their checkpoints, the sessions of their threads, their artifacts, what they were started
//! with, and what a person has confirmed. Knows files, nothing about how a run is driven.

use std::path::{Path, PathBuf};
use std::time::Duration;

use agent_graph_runtime::json::Value;
use agent_graph_runtime::pi::Graph;
use agent_graph_runtime::pi::checkpoint::CheckpointFiles;
use agent_graph_runtime::{Code, Digest, Timestamp, durable, pi};
use clap::{Arg, ArgMatches, value_parser};

use crate::cli::answer::object;
use crate::cli::environment;
use crate::cli::failure::Failure;

/// The folder of runs in an agent directory.
const RUNS: &str = "agent-graph";

pub(super) fn store_option() -> Arg {
    Arg::new("store")
        .long("store")
        .value_name("folder")
        .value_parser(value_parser!(PathBuf))
        .global(true)
        .help("Where runs are kept; `agent-graph` in the agent directory, if not given")
}

/// The folders of a store.
pub(super) struct Folders {
    root: PathBuf,
    /// Whether an option names it.
    is_given: bool,
}

/// What a run was started with.
pub(super) struct About {
    /// The file of its graph.
    pub(super) source: PathBuf,
    /// Where its agents work.
    pub(super) base: PathBuf,
    /// Whose graph it is, if it was found by name: asked again when it goes on.
    pub(super) of_project: bool,
    /// The text of the definition.
    pub(super) definition: String,
}

impl Folders {
    pub(super) fn of(matches: &ArgMatches) -> Result<Self, Failure> {
        let path = |name: &str| matches.get_one::<PathBuf>(name).cloned();
        let agent_directory = || path("agent-dir").or_else(environment::agent_directory);
        let folder = path("store").or_else(|| agent_directory().map(|folder| folder.join(RUNS)));
        let Some(folder) = folder else {
            let message = "there is no place to keep runs in: no agent directory, and no home";
            return Err(Failure {
                cure: Some("Name a folder with --store.".to_owned()),
                ..Failure::new(Code::OptionInvalid, message)
            });
        };
        // The store is the same wherever agents work.
        Ok(Self {
            root: std::path::absolute(&folder).unwrap_or(folder),
            is_given: path("store").is_some(),
        })
    }

    /// What a command needs to find the same store again.
    pub(super) fn options(&self) -> String {
        match self.is_given {
            true => format!(" --store {:?}", self.root.to_string_lossy()),
            false => String::new(),
        }
    }

    pub(super) fn checkpoints(&self, lease: Duration) -> CheckpointFiles {
        CheckpointFiles::new(self.root.join("checkpoints")).leases_for(lease)
    }

    pub(super) fn threads(&self) -> PathBuf {
        self.root.join("threads")
    }

    pub(super) fn artifacts(&self) -> PathBuf {
        self.root.join("artifacts")
    }

    /// Remembers what a run is started with.
    pub(super) fn remember(&self, run_id: &str, about: &About) -> Result<(), Failure> {
        let text = |path: &Path| Value::from(path.to_string_lossy().as_ref());
        let value: Value = object([
            ("source", text(&about.source)),
            ("base", text(&about.base)),
            ("ofProject", about.of_project.into()),
            ("definition", about.definition.as_str().into()),
        ])
        .into();
        self.write(&self.about(run_id), &format!("{value}\n"))
    }

    /// What a run was started with, if that is known.
    pub(super) fn recall(&self, run_id: &str) -> Option<About> {
        let text = std::fs::read_to_string(self.about(run_id)).ok()?;
        let value = Value::from_json(&text).ok()?;
        let object = value.as_object()?;
        let member = |name: &str| object.get(name).and_then(Value::as_str);
        Some(About {
            source: member("source")?.into(),
            base: member("base")?.into(),
            of_project: object.get("ofProject") == Some(&Value::Bool(true)),
            definition: member("definition")?.to_owned(),
        })
    }

    /// Whether a person has confirmed this definition in this file.
    pub(super) fn is_confirmed(&self, source: &Path, graph: &Graph) -> bool {
        self.confirmation(source, graph).is_file()
    }

    /// Remembers that a person has.
    pub(super) fn confirm(&self, source: &Path, graph: &Graph) -> Result<(), Failure> {
        let now = Timestamp::from(std::time::SystemTime::now());
        self.write(&self.confirmation(source, graph), &format!("{now}\n"))
    }

    fn confirmation(&self, source: &Path, graph: &Graph) -> PathBuf {
        let source = std::path::absolute(source).unwrap_or_else(|_| source.to_owned());
        let what = format!("{}\n{}", source.display(), graph.hash());
        let digest = Digest::of_bytes(what.as_bytes()).to_string();
        self.root.join("confirmed").join(digest)
    }

    fn about(&self, run_id: &str) -> PathBuf {
        self.root.join("started").join(format!("{run_id}.json"))
    }

    fn write(&self, path: &Path, content: &str) -> Result<(), Failure> {
        let written = durable::create_folders(durable::folder(path))
            .and_then(|()| private(path, content.as_bytes()));
        written.map_err(|error| {
            let message = format!("{} cannot be written: {error}", path.display());
            Failure::new(Code::FileWriteFailed, message)
        })
    }
}

#[cfg(unix)]
fn private(path: &Path, content: &[u8]) -> std::io::Result<()> {
    durable::Prepared::write_private(path, content)?.replace()
}

#[cfg(not(unix))]
fn private(path: &Path, content: &[u8]) -> std::io::Result<()> {
    durable::replace(path, content)
}

impl About {
    /// The graph that the run was started with.
    pub(super) fn graph(&self) -> Option<Graph> {
        let file = self.source.to_string_lossy().into();
        let loaded = pi::parse(file, self.definition.as_bytes()).ok()?;
        Some(loaded.graph())
    }
}
