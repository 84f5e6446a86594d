//! Runs that are kept in a store of checkpoints, from their beginning or from where they were left. Knows
//! stores and the runner, nothing about files.

use super::Runner;
use super::desk::Clock;
use super::keeping::{InStore, KeptRunError};
use crate::pi::checkpoint::{Checkpoint, CheckpointStore};
use crate::pi::graph::Graph;
use crate::pi::run::{Resume, ResumeError, Run, RunStatus};

impl Runner<'_> {
    /// Drives a new run that is kept in a store, until this call of it ends: makes its entry there, stores
    /// every checkpoint, keeps the right to do so for as long as that takes, and gives it back.
    ///
    /// A function that [stores](Runner::storing) is not asked.
    ///
    /// ```
    /// # let folder = std::env::temp_dir().join(format!("agent-graph-kept-{}", std::process::id()));
    /// use agent_graph_runtime::pi::checkpoint::CheckpointFiles;
    /// use agent_graph_runtime::pi::executor::Scripted;
    /// use agent_graph_runtime::pi::run::{Resume, Run, RunStatus};
    /// use agent_graph_runtime::pi::runner::Runner;
    /// use agent_graph_runtime::{Timestamp, json::Object, pi};
    ///
    /// let text = r#"{"schemaVersion": 2, "name": "ask", "limits": {}, "entry": "approve",
    ///   "nodes": {"approve": {"type": "human", "kind": "confirm", "prompt": "Is this good?", "output": "good"}}}"#;
    /// let graph = pi::parse("ask.json".into(), text.as_bytes()).unwrap().graph();
    /// let store = CheckpointFiles::new(&folder);
    /// let executor = Scripted::new();
    ///
    /// let mut run = Run::start(&graph, "run-1", Object::new(), Timestamp::from(std::time::SystemTime::now()))?;
    /// assert_eq!(Runner::new(&executor).begin(&store, &mut run)?, RunStatus::Interrupted);
    ///
    /// // Perhaps a day later, in another process:
    /// let resume = Resume { value: Some(true.into()), ..Resume::default() };
    /// let run = Runner::new(&executor).resume(&store, &graph, "run-1", resume)?;
    /// assert_eq!(run.status(), RunStatus::Completed);
    /// # std::fs::remove_dir_all(folder)?;
    /// # Ok::<(), Box<dyn std::error::Error + Send + Sync>>(())
    /// ```
    ///
    /// # Errors
    /// Those of the store. Attempts at work are ended then, and the run goes on no further than it was stored:
    /// another call that has the right to it can resume it.
    pub fn begin(
        &mut self,
        store: &dyn CheckpointStore,
        run: &mut Run,
    ) -> Result<RunStatus, KeptRunError> {
        let clock = Clock::start(self.time);
        let mut keeping = InStore::new(store);
        let ended = self.call(run, clock, &mut keeping);
        keeping.end(ended, clock.now())
    }

    /// Goes on with a run that is kept in a store, until this call of it ends, and gives the run as it is then.
    /// A run that is completed, or that waits for a person while there is no answer, is only read.
    ///
    /// # Errors
    /// The run is not there, another has the right to it, or its graph is another one; otherwise as
    /// [`Runner::begin`].
    pub fn resume(
        &mut self,
        store: &dyn CheckpointStore,
        graph: &Graph,
        run_id: &str,
        resume: Resume,
    ) -> Result<Run, KeptRunError> {
        let clock = Clock::start(self.time);
        let run = resumed(graph, store.load(run_id)?, resume.clone(), clock)?;
        if run.has_ended() {
            return Ok(run);
        }
        let mut keeping = InStore::new(store);
        // Others may have gone on with it meanwhile.
        let ended = match keeping.open(run_id, clock.now()) {
            Ok(stored) => match resumed(graph, stored, resume, clock) {
                Ok(mut run) => {
                    run.begin_recording();
                    self.call(&mut run, clock, &mut keeping).map(|_| run)
                }
                Err(error) => Err(error.into()),
            },
            Err(error) => Err(error.into()),
        };
        keeping.end(ended, clock.now())
    }
}

/// The run as it is stored, to go on; a refusal says how far the graph has changed.
fn resumed(
    graph: &Graph,
    stored: Checkpoint,
    mut resume: Resume,
    clock: Clock,
) -> Result<Run, ResumeError> {
    resume.started_with = resume.started_with.or(stored.outline);
    Run::resume(graph, stored.snapshot, resume, clock.now())
}
