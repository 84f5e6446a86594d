//! Finds graph files (spec 14): those of a user and those of a project, which hide them. Reads the two folders
//! that it is given and knows nothing about where they come from: no environment, no current directory.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::diagnostic::PiFindings;
use super::load::{Loaded, load};
use crate::code::Code;
use crate::finding::{Finding, Findings, Place};
use crate::order::by_code_units;
use crate::protocol::{UnknownName, wire_enum};

/// The folder of graphs in an agent directory and in a configuration directory.
const GRAPHS: &str = "graphs";
/// The most graph files that are read from a folder.
const FILE_LIMIT: usize = 1000;

wire_enum! {
    /// Whose graph it is.
    Scope ("scope") {
        /// One that the user has everywhere.
        User = "user",
        /// One that a project brings along.
        Project = "project",
    }
}

/// Where to look.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GraphFolders {
    /// The folder of the user's graphs, if any.
    pub user: Option<PathBuf>,
    /// The folder of the project's graphs, if any; [`project_graphs`] finds it.
    pub project: Option<PathBuf>,
    /// Whether the project is trusted. Its graphs are not even read otherwise.
    pub trust_project: bool,
}

/// A graph that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundGraph {
    /// Whose it is.
    pub scope: Scope,
    /// Its file.
    pub path: PathBuf,
    /// What is in it.
    pub loaded: Loaded,
    /// Whether a project graph of the same name stands before it.
    pub hidden: bool,
}

/// Something that was in the way.
#[derive(Clone, Debug, PartialEq)]
pub enum DiscoveryProblem {
    /// `GRAPH_FILE`: a file that holds no graph that can be used.
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        findings: PiFindings,
    },
    /// `GRAPH_FILE`: a file whose graph has the name of another one beside it, which counts.
    SameName {
        /// The file.
        path: PathBuf,
        /// The name.
        name: String,
        /// The file that counts.
        counts: PathBuf,
    },
    /// `GRAPH_DIR_READ`: a folder that cannot be listed, or has more files than are read.
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        message: String,
    },
    /// `PROJECT_GRAPH_UNTRUSTED`: a folder of a project that is not trusted. A warning.
    Untrusted {
        /// The folder.
        path: PathBuf,
    },
}

impl DiscoveryProblem {
    /// The code of the protocol.
    pub fn code(&self) -> &'static str {
        match self {
            Self::File { .. } | Self::SameName { .. } => "GRAPH_FILE",
            Self::Folder { .. } => "GRAPH_DIR_READ",
            Self::Untrusted { .. } => "PROJECT_GRAPH_UNTRUSTED",
        }
    }

    /// Whether it is an error; else it is a warning.
    pub fn is_error(&self) -> bool {
        !matches!(self, Self::Untrusted { .. })
    }

    /// The file or folder.
    pub fn path(&self) -> &Path {
        match self {
            Self::File { path, .. }
            | Self::SameName { path, .. }
            | Self::Folder { path, .. }
            | Self::Untrusted { path } => path,
        }
    }

    /// What is in the way, in one sentence without a final period.
    pub fn message(&self) -> String {
        match self {
            Self::File { findings, .. } => match findings.to_findings().list() {
                [finding] => finding.message.clone(),
                list => format!("the file holds no valid graph: {} findings", list.len()),
            },
            Self::SameName { name, counts, .. } => format!(
                "the graph is called `{name}` like the one in {}, which counts",
                counts.display()
            ),
            Self::Folder { message, .. } => message.clone(),
            Self::Untrusted { .. } => {
                "the project is not trusted, so its graphs are left alone".to_owned()
            }
        }
    }

    /// The same as findings of the loader; a message begins with a code of the protocol.
    pub fn to_findings(&self) -> Findings {
        // Diagnostics have codes of their own.
        if let Self::File { findings, .. } = self
            && let PiFindings::Invalid { .. } = findings
        {
            return findings.to_findings();
        }
        let message = format!("{}: {}", self.code(), self.message());
        if let Self::File { findings, .. } = self
            && let [finding] = findings.to_findings().list()
        {
            let finding = finding.clone();
            return Finding { message, ..finding }.into();
        }
        let place = Place::start_of(self.path().to_string_lossy().into());
        let finding = if self.is_error() {
            Finding::error(Code::PiGraphInvalid, place, message)
        } else {
            Finding::warning(Code::PiGraphInvalid, place, message)
        };
        finding.into()
    }
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Discovery {
    /// Project graphs first, each scope in the order of its file names.
    pub graphs: Vec<FoundGraph>,
    /// What was in the way, in the same order.
    pub problems: Vec<DiscoveryProblem>,
}

impl Discovery {
    /// The graph with this name that counts.
    pub fn get(&self, name: &str) -> Option<&FoundGraph> {
        self.graphs
            .iter()
            .find(|graph| graph.loaded.definition.name == name && !graph.hidden)
    }
}

/// Reads all graphs of the folders. A project graph hides a user graph of the same name.
pub fn discover(folders: &GraphFolders) -> Discovery {
    let mut found = Discovery::default();
    match &folders.project {
        Some(folder) if folders.trust_project => read_folder(folder, Scope::Project, &mut found),
        Some(folder) if folder.is_dir() => found.problems.push(DiscoveryProblem::Untrusted {
            path: folder.clone(),
        }),
        _ => {}
    }
    let names: Vec<String> = found
        .graphs
        .iter()
        .map(|graph| graph.loaded.definition.name.clone())
        .collect();
    let of_project = found.graphs.len();
    if let Some(folder) = &folders.user {
        read_folder(folder, Scope::User, &mut found);
    }
    for graph in found.graphs.iter_mut().skip(of_project) {
        graph.hidden = names.contains(&graph.loaded.definition.name);
    }
    found
}

/// The folder of graphs in an agent directory.
pub fn user_graphs(agent_directory: &Path) -> PathBuf {
    agent_directory.join(GRAPHS)
}

/// The nearest `<configuration>/graphs`, from this folder upwards.
pub fn project_graphs(from: &Path, configuration: &str) -> Option<PathBuf> {
    let folders = from.ancestors();
    let mut graphs = folders.map(|folder| folder.join(configuration).join(GRAPHS));
    graphs.find(|folder| folder.is_dir())
}

fn read_folder(folder: &Path, scope: Scope, found: &mut Discovery) {
    let files = match files(folder) {
        Ok(files) => files,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return,
        Err(error) => {
            let message = format!("the folder cannot be listed: {error}");
            let path = folder.to_owned();
            found
                .problems
                .push(DiscoveryProblem::Folder { path, message });
            return;
        }
    };
    if files.len() > FILE_LIMIT {
        let message = format!(
            "the folder has {} graph files, and {FILE_LIMIT} are read",
            files.len()
        );
        let path = folder.to_owned();
        found
            .problems
            .push(DiscoveryProblem::Folder { path, message });
    }
    let first = found.graphs.len();
    for path in files.into_iter().take(FILE_LIMIT) {
        let loaded = match load(&path) {
            Ok(loaded) => loaded,
            Err(findings) => {
                found
                    .problems
                    .push(DiscoveryProblem::File { path, findings });
                continue;
            }
        };
        let name = &loaded.definition.name;
        let mut beside = found.graphs.iter().skip(first);
        if let Some(other) = beside.find(|other| other.loaded.definition.name == *name) {
            found.problems.push(DiscoveryProblem::SameName {
                name: name.clone(),
                counts: other.path.clone(),
                path,
            });
            continue;
        }
        found.graphs.push(FoundGraph {
            scope,
            path,
            loaded,
            hidden: false,
        });
    }
}

/// The `*.json` of a folder by name.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            files.push(path);
        }
    }
    files.sort_by(|one, other| by_code_units(&one.to_string_lossy(), &other.to_string_lossy()));
    Ok(files)
}
