//! Making the content of a graph-action resource by running its action (spec 6). The only place of this
//! crate that runs anything, and only when [`Installed::materialize`] is called. On Unix.
//!
//! ```no_run
//! # fn host(provider: agent_graph_runtime::Provider) -> Result<(), agent_graph_runtime::Error> {
//! use agent_graph_runtime::State;
//! use agent_graph_runtime::materialize::Materialization;
//! let installed = provider.installed_at("/opt/shop/workflow")?;
//! let evaluation = installed.evaluate("release", "default", &State::new())?;
//! let how = Materialization::new("/var/cache/shop", "/home/ann/shop", evaluation.revision());
//! let resource = installed.materialize("open-issues", &how)?;
//! println!("{}", resource.file_path.display());
//! # Ok(())
//! # }
//! ```
//!
//! # What holds
//!
//! * The process gets the environment of [`INHERITED`] and what the caller adds, no standard input, and a
//!   process group of its own. When a limit is reached the whole group is killed, background processes
//!   that hold a pipe included; a process that has left the group (`setsid`) is not found that way.
//! * A call ends within its time limit, whatever the process does, apart from writing the result.
//! * The bytes are kept as they came. Files appear complete or not at all, and none appears when the
//!   process failed. Any number of calls may use one cache at the same time.

mod cache;
mod environment;
mod process;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Display;
use core::time::Duration;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_core::ser::{Serialize, SerializeStruct, Serializer};

use crate::code::Code;
use crate::digest::Digest;
use crate::error::Error;
use crate::installed::Installed;
use crate::json::Value;
use crate::paths;
use crate::protocol::{Effect, ResourceKind, Runner, WorkingDirectory};
use crate::route::{GraphActionContent, GraphActionLocation, ResourceLocation};
use crate::tables::{ActionRow, ResourceClass, ResourceRow, Tables};
use process::Limits;

pub use environment::INHERITED;

/// How a resource is to be made.
#[derive(Clone, Debug)]
pub struct Materialization {
    cache: PathBuf,
    workspace: PathBuf,
    revision: String,
    input: Value,
    limits: Limits,
    environment: Vec<(OsString, OsString)>,
}

impl Materialization {
    /// Into the folder `cache`, for the revision of an evaluation, working on `workspace`. Without input;
    /// at most 30 seconds, 10 MiB of output and 1 MiB of error output.
    pub fn new(
        cache: impl Into<PathBuf>,
        workspace: impl Into<PathBuf>,
        revision: impl Display,
    ) -> Self {
        Self {
            cache: cache.into(),
            workspace: workspace.into(),
            revision: revision.to_string(),
            input: Value::Null,
            limits: Limits {
                timeout: Duration::from_secs(30),
                output: 10 << 20,
                error: 1 << 20,
            },
            environment: Vec::new(),
        }
    }

    /// What the action is asked; it finds it in `AGENT_GRAPH_INPUT`.
    #[must_use]
    pub fn input(mut self, input: Value) -> Self {
        self.input = input;
        self
    }

    /// How long it may take until the process has exited and both its pipes are closed.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.limits.timeout = timeout;
        self
    }

    /// How many bytes the process may write.
    #[must_use]
    pub fn max_output_bytes(mut self, bytes: u64) -> Self {
        self.limits.output = bytes;
        self
    }

    /// How many bytes the process may write to its standard error.
    #[must_use]
    pub fn max_error_bytes(mut self, bytes: u64) -> Self {
        self.limits.error = bytes;
        self
    }

    /// Sets a variable of the environment. Those that begin with `AGENT_GRAPH_` and have a meaning are
    /// set anyway.
    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }
}

/// A resource whose content has been made. Serializes to `agent-graph.resource-location.graph-action.v1`
/// in its materialized form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Materialized {
    /// The id of the resource.
    pub id: String,
    /// Its kind.
    pub kind: ResourceKind,
    /// Its media type.
    pub media_type: String,
    /// The revision that it was made for.
    pub revision: Digest,
    /// The digest of the content.
    pub digest: Digest,
    /// Where the content is; absolute, and Unicode.
    pub file_path: PathBuf,
}

impl Serialize for Materialized {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut location = serializer.serialize_struct("Materialized", 7)?;
        let schema = "agent-graph.resource-location.graph-action.v1";
        location.serialize_field("schema", schema)?;
        location.serialize_field("id", &self.id)?;
        location.serialize_field("kind", &self.kind)?;
        location.serialize_field("mediaType", &self.media_type)?;
        location.serialize_field("revision", &self.revision)?;
        location.serialize_field("digest", &self.digest)?;
        location.serialize_field("filePath", &self.file_path)?;
        location.end()
    }
}

/// The location, for receipts.
impl From<Materialized> for ResourceLocation {
    fn from(made: Materialized) -> Self {
        Self::GraphAction(GraphActionLocation {
            id: made.id,
            kind: made.kind,
            media_type: made.media_type,
            content: GraphActionContent::Materialized {
                revision: made.revision,
                digest: made.digest,
                file_path: made.file_path.to_string_lossy().into(),
            },
            read_state: None,
        })
    }
}

impl Installed {
    /// Makes the content of a resource, named by id or else by the path of its file, and keeps it in a
    /// cache. Whether the revision is current, and whether a route asks for the resource, is not checked.
    ///
    /// # Errors
    ///
    /// In this order: `revision-invalid`; `absolute-path-forbidden`, `path-outside-provider`,
    /// `resource-missing`; `resource-static`; `materializer-host-required`; `materializer-missing`;
    /// `materializer-effect-invalid`; `materializer-runner-invalid`; `materializer-option-invalid`;
    /// those of [`Installed::verify`] when the script is not the one that was loaded or compiled in;
    /// `materializer-timeout`, `materializer-output-limit`, `materializer-error-limit`,
    /// `materializer-failed`; `file-write-failed`.
    pub fn materialize(
        &self,
        resource: &str,
        how: &Materialization,
    ) -> Result<Materialized, Error> {
        let revision: Digest = how.revision.parse().map_err(|_| {
            let message = format!("the revision `{}` is no digest", how.revision);
            Error::new(Code::RevisionInvalid, message)
        })?;
        let tables = self.provider().tables();
        let row = tables.row(tables.resources, self.resource_row(resource)?);
        let action = materializer(&tables, row)?;
        let folders = Folders::checked(self, how)?;
        let mut command = command(self, &tables, action)?;
        command.current_dir(match action.cwd {
            WorkingDirectory::Workspace => &folders.workspace,
            WorkingDirectory::Provider => &folders.root,
        });
        let own = environment::Own {
            root: folders.root.as_os_str(),
            workspace: folders.workspace.as_os_str(),
            revision: &revision,
            input: &how.input,
        };
        environment::set(&mut command, &how.environment, &own)?;
        let content = process::run(command, how.limits).map_err(|failure| {
            let id = tables.text(row.id);
            Error::new(
                failure.code,
                format!("resource `{id}`: {}", failure.message),
            )
        })?;
        cache::store(
            &folders.cache,
            self.provider().id(),
            |digest| Materialized {
                id: tables.text(row.id).into(),
                kind: row.kind,
                media_type: tables.text(row.media_type).into(),
                revision,
                digest,
                file_path: PathBuf::new(),
            },
            &content,
        )
    }
}

/// The action that makes the resource, if it is one that a process can make.
fn materializer<'t>(tables: &Tables<'t>, row: &ResourceRow) -> Result<&'t ActionRow, Error> {
    let id = tables.text(row.id);
    let refuse =
        |code: Code, problem: &str| Err(Error::new(code, format!("resource `{id}` {problem}")));
    match row.class {
        ResourceClass::GraphAction => {}
        ResourceClass::File => {
            return refuse(Code::ResourceStatic, "is a file");
        }
        ResourceClass::HostAction => {
            return refuse(Code::MaterializerHostRequired, "is made by the host");
        }
    }
    let actions = tables.actions;
    let Some(action) = actions.get(row.materializer as usize) else {
        return refuse(
            Code::MaterializerMissing,
            "names an action that is not there",
        );
    };
    if action.effect != Effect::Read {
        return refuse(
            Code::MaterializerEffectInvalid,
            "is made by an action that does not only read",
        );
    }
    if !matches!(action.runner, Runner::Command | Runner::Script) {
        return refuse(
            Code::MaterializerRunnerInvalid,
            "is made by neither command nor script",
        );
    }
    Ok(action)
}

/// The folders of a call: absolute, and Unicode, since the protocol writes them as text.
struct Folders {
    root: PathBuf,
    workspace: PathBuf,
    cache: PathBuf,
}

impl Folders {
    fn checked(installed: &Installed, how: &Materialization) -> Result<Self, Error> {
        how.limits.check()?;
        Ok(Self {
            root: absolute("provider", installed.root())?,
            workspace: absolute("workspace", &how.workspace)?,
            cache: absolute("cache", &how.cache)?,
        })
    }
}

fn absolute(what: &str, path: &Path) -> Result<PathBuf, Error> {
    let refuse = |problem: &str| {
        let message = format!("the {what} folder {} {problem}", path.display());
        Error::new(Code::MaterializerOptionInvalid, message)
    };
    let absolute = paths::absolute(path).map_err(|error| refuse(&error.to_string()))?;
    if absolute.to_str().is_none() {
        return Err(refuse("has a name that is not Unicode"));
    }
    Ok(absolute)
}

/// The process of an action, arguments apart: a script goes through no shell.
fn command(
    installed: &Installed,
    tables: &Tables<'_>,
    action: &ActionRow,
) -> Result<Command, Error> {
    if action.runner == Runner::Command {
        let mut command = Command::new("sh");
        command.arg("-c").arg(tables.text(action.command));
        return Ok(command);
    }
    let mut command = Command::new(action.runtime.program());
    // A script that is not the one the provider was made from does not run.
    installed.read(action.entry)?;
    command.arg(installed.path_of(action.entry));
    let args = tables.rows(tables.texts, action.args);
    command.args(args.iter().map(|&arg| OsStr::new(tables.text(arg))));
    Ok(command)
}
