//! Which definition a command is about: a file, or a name that is looked for.

use std::path::{Path, PathBuf};

use agent_graph_runtime::json::Object;
use agent_graph_runtime::pi::discover::{
    Discovery, GraphFolders, Scope, discover, project_graphs, user_graphs,
};
use agent_graph_runtime::pi::{self, Diagnostic, Loaded, PiFindings};
use agent_graph_runtime::{Code, Finding};
use clap::ArgMatches;

use super::report;
use crate::cli::answer::object;
use crate::cli::context::absolute;
use crate::cli::environment;
use crate::cli::failure::Failure;

/// Where to look for graphs.
pub(super) struct Where(GraphFolders);

/// A definition, and where it comes from.
pub(super) struct Selected {
    pub(super) path: PathBuf,
    /// Whose it is, if it was looked for.
    pub(super) scope: Option<Scope>,
    /// Whether a project graph of the same name stands before it.
    pub(super) hidden: bool,
    pub(super) loaded: Loaded,
}

impl Where {
    pub(super) fn of(matches: &ArgMatches) -> Result<Self, Failure> {
        let (user, project) = match matches.get_one::<String>("scope").map(String::as_str) {
            Some("user") => (true, false),
            Some("project") => (false, true),
            Some("both") | None => (true, true),
            Some(other) => {
                let message = format!("`{other}` is no scope: there are user, project and both");
                return Err(Failure::new(Code::OptionInvalid, message));
            }
        };
        let path = |name: &str| matches.get_one::<PathBuf>(name).cloned();
        let agent_directory = || path("agent-dir").or_else(environment::agent_directory);
        let configuration = path("config-dir").unwrap_or_else(|| ".pi".into());
        let here = environment::current_directory();
        Ok(Self(GraphFolders {
            user: user
                .then(agent_directory)
                .flatten()
                .map(|it| user_graphs(&it)),
            project: project
                .then(|| project_graphs(&here, &configuration.to_string_lossy()))
                .flatten(),
            trust_project: matches.get_flag("trust-project"),
        }))
    }

    pub(super) fn discover(&self) -> Discovery {
        discover(&self.0)
    }

    /// The definition in this file, or with this name.
    pub(super) fn select(&self, graph: &str) -> Result<Selected, Failure> {
        match self.look(graph) {
            Looked::Right(selected) => Ok(*selected),
            Looked::Wrong(path, findings) => Err(report::failure(&findings, &path)),
            Looked::Missing(failure) => Err(failure),
        }
    }

    /// Looks for the definition in this file, or with this name: what has a separator or ends in `.json` is a file.
    pub(super) fn look(&self, graph: &str) -> Looked {
        let path = Path::new(graph);
        let is_json = path
            .extension()
            .is_some_and(|extension| extension == "json");
        if is_json || graph.contains(std::path::is_separator) {
            return match pi::load(path) {
                Ok(loaded) => Looked::Right(Box::new(Selected {
                    path: path.to_owned(),
                    scope: None,
                    hidden: false,
                    loaded,
                })),
                Err(findings) => Looked::Wrong(path.to_owned(), findings),
            };
        }
        let found = self.discover();
        match found.get(graph) {
            Some(found) => Looked::Right(Box::new(Selected::of(found.clone()))),
            None => Looked::Missing(missing(graph, &found)),
        }
    }
}

/// What became of looking for a definition.
pub(super) enum Looked {
    /// There it is.
    Right(Box<Selected>),
    /// The file is there, or not, and what is wrong with it.
    Wrong(PathBuf, PiFindings),
    /// Nothing has this name.
    Missing(Failure),
}

fn missing(graph: &str, found: &Discovery) -> Failure {
    let names = found.graphs.iter().filter(|graph| !graph.hidden);
    let names = names.map(|graph| format!("`{}`", graph.loaded.definition.name));
    let names = names.take(20).collect::<Vec<_>>().join(", ");
    let there = if names.is_empty() {
        "there are none".to_owned()
    } else {
        format!("there are {names}")
    };
    let more = match (
        found.problems.iter().any(|it| !it.is_error()),
        found.problems.len(),
    ) {
        (_, 0) => "",
        (true, _) => "; those of the project are read with --trust-project",
        (false, _) => "; some files cannot be used, see `agent-graph pi validate`",
    };
    let message = format!("no pi-graph is called `{graph}`: {there}{more}");
    Failure {
        cure: Some("Name one of them, or a file.".to_owned()),
        ..Failure::new(Code::GraphMissing, message)
    }
}

impl Selected {
    /// What the protocol and our lints warn about.
    pub(super) fn warnings(&self) -> Vec<Finding> {
        let diagnostics = self.loaded.diagnostics.iter().map(Diagnostic::to_finding);
        diagnostics
            .chain(self.loaded.warnings.iter().cloned())
            .collect()
    }

    /// The graph in one line.
    pub(super) fn line(&self) -> String {
        let definition = &self.loaded.definition;
        let scope = self
            .scope
            .map_or(String::new(), |scope| format!("{scope}, "));
        let hidden = if self.hidden {
            ", hidden by the one of the project"
        } else {
            ""
        };
        format!(
            "{} ({scope}{}), {} nodes{hidden}",
            definition.name,
            self.path.display(),
            definition.nodes.len()
        )
    }

    /// Where it comes from and what it is called.
    pub(super) fn json(&self) -> Object {
        let definition = &self.loaded.definition;
        let path = absolute(&self.path).unwrap_or_else(|_| self.path.display().to_string());
        let mut json = object([
            ("name", definition.name.as_str().into()),
            ("path", path.as_str().into()),
            ("hash", definition.hash.to_string().as_str().into()),
        ]);
        if let Some(scope) = self.scope {
            json.insert("scope", scope.as_str());
            json.insert("hidden", self.hidden);
        }
        json
    }
}
