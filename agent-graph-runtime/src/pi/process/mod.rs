//! Agents as processes of `pi`: each attempt starts one, tells it its prompt, reads its events and stops it
//! when it has to (spec 8, 9.4, 9.6). Nothing of an attempt outlives it but its thread and its artifacts.
//! Knows nothing about supersteps.

mod files;
mod talk;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::agent::{AgentNode, Artifact, Attempt, Wording};
use super::executor::{Executor, Watch};
use super::run::{AttemptResult, Failure, RunCode, Usage, Work};
use talk::{Limit, Talk};

/// Runs agents as processes of `pi`.
///
/// A process gets the environment of the host, a process group of its own, and the base directory or the
/// node's own as its working directory; there is no shell between. Its system prompt is a private temporary
/// file, its prompt comes through its standard input. When it has used too much, its time is up, or the run is
/// ended, the group is asked to end (`SIGTERM`), and killed five seconds later.
///
/// ```no_run
/// use agent_graph_runtime::pi::process::PiProcess;
/// let executor = PiProcess::new("/home/me/project")?
///     .threads_in("/home/me/.state/threads")
///     .artifacts_in("/home/me/.state/artifacts");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PiProcess {
    program: OsString,
    arguments: Vec<OsString>,
    variables: Vec<(OsString, OsString)>,
    base: PathBuf,
    threads: Option<PathBuf>,
    artifacts: Option<PathBuf>,
    temporary: PathBuf,
    wording: Wording,
    patience: Duration,
}

impl PiProcess {
    /// Runs `pi`, found on the search path, with this base directory. There are no threads and no artifacts
    /// until they are given folders.
    ///
    /// # Errors
    /// When the base directory is relative and there is no current one to see it from.
    pub fn new(base: impl AsRef<Path>) -> io::Result<Self> {
        Ok(Self {
            program: "pi".into(),
            arguments: Vec::new(),
            variables: Vec::new(),
            base: std::path::absolute(base)?,
            threads: None,
            artifacts: None,
            temporary: std::env::temp_dir(),
            wording: Wording::default(),
            patience: Duration::from_millis(5000),
        })
    }

    /// Runs this program in place of `pi`.
    #[must_use]
    pub fn program(mut self, program: impl Into<OsString>) -> Self {
        self.program = program.into();
        self
    }

    /// Adds an argument in front of all others: for programs that are run by another one.
    #[must_use]
    pub fn argument(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Sets a variable of the environment, over what the host has.
    #[must_use]
    pub fn variable(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// Keeps the sessions of threads below this folder.
    #[must_use]
    pub fn threads_in(mut self, folder: impl Into<PathBuf>) -> Self {
        self.threads = Some(folder.into());
        self
    }

    /// Keeps artifacts below this folder.
    #[must_use]
    pub fn artifacts_in(mut self, folder: impl Into<PathBuf>) -> Self {
        self.artifacts = Some(folder.into());
        self
    }

    /// Puts temporary files into this folder, in place of the one for the system's.
    #[must_use]
    pub fn temporary_files_in(mut self, folder: impl Into<PathBuf>) -> Self {
        self.temporary = folder.into();
        self
    }

    /// Replaces the words that the engine puts into prompts.
    #[must_use]
    pub fn wording(mut self, wording: Wording) -> Self {
        self.wording = wording;
        self
    }

    /// Kills a process that was asked to end after this time, in place of five seconds.
    #[must_use]
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    fn attempt(&self, work: &Work, watch: &dyn Watch) -> Result<AttemptResult, Failure> {
        let node = AgentNode::of_work(work, &self.wording)
            .ok_or_else(|| Failure::new(RunCode::ExecutionError, "only agents are processes"))?;
        let mut attempt = Attempt::begin(node, &work.state, work.started_at)?;
        let threads = self.threads.as_deref().map(in_unicode).transpose()?;
        let session = node.session(threads.as_deref(), &work.run_id, work.thread.as_ref())?;
        if let Some(session) = &session {
            files::open_session(session, self.threads.as_deref(), &work.run_id)?;
        }
        let system = files::Temporary::write(&self.temporary, &attempt.prompt().system)
            .map_err(|error| unprepared(&format!("the system prompt cannot be stored: {error}")))?;
        let session = session.as_ref().map(|session| session.path.as_str());
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .args(node.arguments(session, &in_unicode(system.path())?))
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .current_dir(node.working_directory(&in_unicode(&self.base)?));
        let talk = Talk {
            limit: Limit::of(work),
            patience: self.patience,
            watch,
        };
        let ended = talk.follow(&mut command, &mut attempt);
        let artifacts = self.artifacts.as_deref();
        let mut report = |used: &Usage| watch.turn(used);
        let mut store = |artifact: Artifact<'_>| files::store(artifacts, &work.run_id, artifact);
        Ok(attempt.end(ended, &mut report, &mut store))
    }
}

impl Executor for PiProcess {
    fn execute(&self, work: &Work, watch: &dyn Watch) -> AttemptResult {
        self.attempt(work, watch)
            .unwrap_or_else(AttemptResult::from)
    }
}

/// A failure before anything is started that another attempt may mend.
fn unprepared(message: &str) -> Failure {
    Failure::new(RunCode::AgentExecutionError, message).retryable()
}

/// Arguments of `pi` and URIs in the state are Unicode.
fn in_unicode(path: &Path) -> Result<String, Failure> {
    let text = path.to_str().map(String::from);
    text.ok_or_else(|| unprepared(&format!("the path {} is not Unicode", path.display())))
}
