//! What a host says about a run that it starts. Knows nothing about where runs are kept.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use std::path::{Path, PathBuf};

use super::change::{authority_list, event};
use super::clock::Timestamp;
use super::ids::RunIds;
use super::run::Run;
use crate::code::Code;
use crate::error::Error;
use crate::facts::Facts;
use crate::json::{Object, Value};
use crate::paths;

/// A run that is about to be started.
///
/// ```
/// use agent_graph_runtime::runs::NewRun;
/// let new = NewRun::new("shop", "release").entry("hotfix").workspace("/home/ann/shop");
/// # let _ = new;
/// ```
#[derive(Clone, Debug)]
pub struct NewRun {
    id: Option<String>,
    provider: String,
    graph: String,
    entry: String,
    workspace: Option<PathBuf>,
    facts: Facts,
    authorities: Vec<String>,
}

impl NewRun {
    /// A run of a graph of a provider, at the entry `default`, with an id that the store makes.
    pub fn new(provider: impl Into<String>, graph: impl Into<String>) -> Self {
        Self {
            id: None,
            provider: provider.into(),
            graph: graph.into(),
            entry: "default".into(),
            workspace: None,
            facts: Facts::default(),
            authorities: Vec::new(),
        }
    }

    /// The id of the run.
    #[must_use]
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// The entry of the graph.
    #[must_use]
    pub fn entry(mut self, entry: impl Into<String>) -> Self {
        self.entry = entry.into();
        self
    }

    /// The folder that is worked on. It is made absolute; an empty path counts as none.
    #[must_use]
    pub fn workspace(mut self, workspace: impl AsRef<Path>) -> Self {
        let workspace = workspace.as_ref();
        self.workspace = (!workspace.as_os_str().is_empty()).then(|| workspace.into());
        self
    }

    /// What is known from the beginning.
    #[must_use]
    pub fn facts(mut self, facts: Facts) -> Self {
        self.facts = facts;
        self
    }

    /// The authorities that the session holds.
    #[must_use]
    pub fn authorities(mut self, authorities: impl IntoIterator<Item: Into<String>>) -> Self {
        self.authorities = authorities.into_iter().map(Into::into).collect();
        self
    }

    /// The run as it is at its start.
    pub(super) fn start(self, now: Timestamp, ids: &dyn RunIds) -> Result<Run, Error> {
        let id = match self.id {
            Some(id) => id,
            None => ids.next_id()?,
        };
        let time = now.to_string();
        let mut run = Object::new();
        run.insert("schema", "agent-graph.run.v1");
        run.insert("id", id);
        run.insert("provider", self.provider);
        run.insert("graph", self.graph);
        run.insert("entry", self.entry);
        if let Some(workspace) = &self.workspace {
            run.insert("workspace", absolute_text(workspace)?);
        }
        run.insert("createdAt", time.as_str());
        run.insert("updatedAt", time);
        run.insert("facts", self.facts.as_object().clone());
        run.insert("outcomes", Object::new());
        run.insert("authorities", authority_list(self.authorities));
        let started = event(1, now, "run.started");
        run.insert("events", Vec::from([Value::Object(started)]));
        Run::checked(run)
    }
}

fn absolute_text(workspace: &Path) -> Result<String, Error> {
    let refuse = |problem: &str| {
        let message = format!("the workspace {} {problem}", workspace.display());
        Error::new(Code::SchemaInvalid, message)
    };
    let absolute = paths::absolute(workspace)
        .map_err(|error| refuse(&format!("cannot be made absolute: {error}")))?;
    let text = absolute.to_str().map(ToString::to_string);
    text.ok_or_else(|| refuse("has a name that is not Unicode"))
}

#[cfg(test)]
mod tests {
    use super::super::ids::RandomIds;
    use super::*;

    fn start(new: NewRun) -> Result<Run, Error> {
        new.start(Timestamp::from_unix_milliseconds(0), &RandomIds)
    }

    #[test]
    fn a_new_run_has_its_members_in_the_order_of_the_protocol() {
        let new = NewRun::new("p", "g").id("i").workspace("/w/../w/./x/");
        let run = start(new.authorities(["b", "a", "b"])).unwrap();
        let names: Vec<&str> = run.as_object().names().collect();
        assert_eq!(
            names,
            [
                "schema",
                "id",
                "provider",
                "graph",
                "entry",
                "workspace",
                "createdAt",
                "updatedAt",
                "facts",
                "outcomes",
                "authorities",
                "events"
            ]
        );
        assert_eq!(run.workspace(), Some("/w/x"));
        assert_eq!(run.entry(), "default");
        assert_eq!(run.created_at(), "1970-01-01T00:00:00.000Z");
        assert_eq!(run.updated_at(), run.created_at());
        assert_eq!(run.authorities().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(run.last_sequence(), 1);
    }

    #[test]
    fn what_the_shape_refuses_is_no_run() {
        for new in [
            NewRun::new("", "g"),
            NewRun::new("p", ""),
            NewRun::new("p", "g").entry(""),
            NewRun::new("p", "g").id(""),
        ] {
            assert_eq!(start(new).unwrap_err().code(), Code::SchemaInvalid);
        }
    }

    #[test]
    fn an_empty_workspace_is_none() {
        let run = start(NewRun::new("p", "g").workspace("")).unwrap();
        assert_eq!(run.workspace(), None);
    }
}
