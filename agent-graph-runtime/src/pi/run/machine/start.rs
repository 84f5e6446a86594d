//! How a run begins. Knows nothing about supersteps.

use alloc::collections::{BTreeSet, VecDeque};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use super::{Node, Run, Stage, limits};
use crate::json::{DEPTH_LIMIT, Object, Value};
use crate::pi::graph::Graph;
use crate::pi::run::index::Index;
use crate::pi::run::named::Named;
use crate::pi::run::record::RunStatus;
use crate::pi::run::snapshot::is_run_id;
use crate::pi::run::usage::Usage;
use crate::pi::state;
use crate::pi::state_error::StateError;
use crate::pi::text;
use crate::timestamp::Timestamp;

/// The levels that are left for what a checkpoint has around the values of a run.
const CHECKPOINT_LEVELS: usize = 8;

/// Why a run cannot begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartError {
    /// The id is none: see [`is_run_id`].
    RunId,
    /// The input has a forbidden name in it, or nests too deeply.
    Input(StateError),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RunId => f.write_str(
                "a run id is 1 to 128 letters, digits, dots, underscores and hyphens, a letter or digit first",
            ),
            Self::Input(error) => write!(f, "the run cannot begin with this input: {error}"),
        }
    }
}

impl core::error::Error for StartError {}

impl Run {
    /// A new run. `input` is merged over the initial state as its member `input`. The host chooses the id;
    /// sessions of threads get names that follow from it, so it must be one that no other run has.
    ///
    /// # Errors
    /// The id is none, or the input cannot be part of a state.
    pub fn start(
        graph: &Graph,
        run_id: &str,
        input: Object,
        now: Timestamp,
    ) -> Result<Self, StartError> {
        if !is_run_id(run_id) {
            return Err(StartError::RunId);
        }
        let overlay: Object = [("input", input)].into_iter().collect();
        let overlay = Value::Object(overlay);
        is_sound(&overlay, 0).map_err(StartError::Input)?;
        let mut state = graph.initial_state();
        if let Value::Object(overlay) = &overlay {
            state::merge(&mut state, overlay);
        }
        let state = Value::Object(state);
        is_sound(&state, 0).map_err(StartError::Input)?;
        let state = match state {
            Value::Object(state) => state,
            _ => Object::new(),
        };
        let index = Index::of(graph);
        let tables = graph.tables();
        let entry = tables.rows(tables.lists, tables.graph.entry).iter();
        let pending = entry.filter_map(|&row| node(&index, row)).collect();
        Ok(Self {
            graph_hash: graph.hash(),
            graph: graph.clone(),
            index,
            run_id: run_id.into(),
            graph_source: None,
            status: RunStatus::Running,
            created_at: now,
            started_at: now,
            ended_at: None,
            now,
            call_started: now,
            active_before: 0,
            step: 0,
            node_runs: 0,
            bytes: limits::state_bytes(&state),
            state: Arc::new(state),
            pending,
            counts: Named::default(),
            consumed: Named::default(),
            hot_barriers: Vec::new(),
            usage: Usage::default(),
            history: Vec::new(),
            threads: Named::default(),
            thread_nodes: BTreeSet::new(),
            limited: Vec::new(),
            flight: None,
            interrupt: None,
            error: None,
            resumed: None,
            is_aborted: false,
            is_save_due: true,
            stage: Stage::Opening,
            last_ticket: 0,
            recording: None,
            events: VecDeque::new(),
        })
    }

    /// The same run, with a note where its graph came from. It belongs to every checkpoint, so it is set
    /// before the first one; a blank one is none.
    #[must_use]
    pub fn from_source(mut self, source: &str) -> Self {
        let is_note = !text::trim(source).is_empty();
        self.graph_source = is_note.then(|| String::from(source));
        self
    }
}

/// The node with this row.
pub(super) fn node(index: &Index, row: u32) -> Option<Node> {
    let id = index.id(row)?.clone();
    Some(Node { id, row: Some(row) })
}

/// Whether a value that lies so many levels deep in the state can be stored: no forbidden names, and not so
/// deep that a checkpoint with it could not be read.
pub(super) fn is_sound(value: &Value, levels: usize) -> Result<(), StateError> {
    let room = (DEPTH_LIMIT as usize).saturating_sub(CHECKPOINT_LEVELS + levels);
    if state::depth(value) > room {
        return Err(StateError::StateDepth);
    }
    if state::has_forbidden_names(value) {
        return Err(StateError::ForbiddenSegment);
    }
    Ok(())
}
