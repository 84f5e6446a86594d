//! Work, typed: what a host is asked to do. Knows the definition behind a candidate; does nothing.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::candidate::Candidate;
use crate::digest::Digest;
use crate::evaluation::Evaluation;
use crate::protocol::Runner as RunnerKind;
use crate::protocol::{Effect, Inspection, Resolution, Runtime, WorkingDirectory};
use crate::tables::{ActionRow, DelegatedRow, GateRow, Row, StepRow, Tables};
use crate::typed::{Graph, Untyped};

/// One piece of work: the best candidate of an evaluation, and what it takes.
///
/// `G` gives steps compiled-in names, `H` handlers; without them steps are numbered and handlers are
/// texts.
pub struct Work<G: Graph = Untyped, H = String> {
    evaluation: Evaluation<G>,
    key: String,
    task: Task<H>,
}

impl<G: Graph, H> Work<G, H> {
    /// The work that the best candidate of an evaluation is; `None` when it has no candidate, or when a
    /// handler has no name in `H`.
    pub(super) fn of(evaluation: &Evaluation<G>) -> Option<Self>
    where
        H: FromStr,
    {
        let route = evaluation.primary()?;
        Some(Self {
            key: route.record_node(),
            task: Task::of(&route)?,
            evaluation: evaluation.clone(),
        })
    }

    /// The route to take. It is stale as soon as the state changes.
    pub fn route(&self) -> Option<Candidate<'_, G>> {
        self.evaluation.primary()
    }

    /// The step, by its compiled-in name.
    pub fn step(&self) -> Option<G::Step> {
        self.route().map(|route| route.step())
    }

    /// The state key under which the outcome is recorded.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The revision of the evaluation that the work belongs to.
    pub fn revision(&self) -> Digest {
        self.evaluation.revision()
    }

    /// What there is to do.
    pub fn task(&self) -> &Task<H> {
        &self.task
    }
}

impl<G: Graph, H: Clone> Clone for Work<G, H> {
    fn clone(&self) -> Self {
        Self {
            evaluation: self.evaluation.clone(),
            key: self.key.clone(),
            task: self.task.clone(),
        }
    }
}

impl<G: Graph, H: fmt::Debug> fmt::Debug for Work<G, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Work")
            .field("key", &self.key)
            .field("task", &self.task)
            .finish_non_exhaustive()
    }
}

/// What there is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task<H = String> {
    /// Run an action.
    Run(Run<H>),
    /// Resolve a gate.
    Gate(GateTask<H>),
}

/// An action to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run<H = String> {
    /// Id of the action.
    pub action: String,
    /// What running it does to the world.
    pub effect: Effect,
    /// Where it runs.
    pub directory: WorkingDirectory,
    /// Who runs it, and what.
    pub runner: Runner<H>,
}

/// Who runs an action, and what. Paths are relative to the folder of the provider; a resolved route has
/// the absolute ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Runner<H = String> {
    /// The host: one of its handlers.
    Handler(H),
    /// A shell.
    Command(String),
    /// An interpreter.
    Script {
        /// Which one.
        runtime: Runtime,
        /// The script.
        entry: String,
        /// Its arguments.
        arguments: Vec<String>,
    },
    /// An agent that follows a skill.
    Agent {
        /// The skill.
        skill: String,
    },
}

/// A gate to resolve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateTask<H = String> {
    /// Id of the gate.
    pub gate: String,
    /// What to ask.
    pub prompt: String,
    /// The authority that it names.
    pub authority: Option<String>,
    /// Who resolves it: for a person, running the resolution is not up to the host before the answer.
    pub resolution: Resolution,
    /// Shows what is to be decided.
    pub inspect: Option<Run<H>>,
    /// Carries the decision out.
    pub resolve: Option<Run<H>>,
}

impl<H: FromStr> Task<H> {
    fn of<G: Graph>(route: &Candidate<'_, G>) -> Option<Self> {
        let tables = route.tables();
        let step = route.step_row();
        match route.resolution() {
            None => Some(Self::Run(Run::of(&tables, step.action)?)),
            Some(resolution) => GateTask::of(&tables, step, resolution).map(Self::Gate),
        }
    }
}

impl<H: FromStr> GateTask<H> {
    fn of(tables: &Tables<'_>, step: &StepRow, resolution: Resolution) -> Option<Self> {
        let gate: &GateRow = tables.row(tables.gates, step.gate);
        let delegated: &DelegatedRow = match resolution {
            Resolution::SessionAuthority => tables.row(tables.delegations, gate.delegated),
            Resolution::User => DelegatedRow::ABSENT,
        };
        let inspect = match delegated.inspection {
            Inspection::Required => gate.inspection,
            Inspection::Skip => crate::tables::NONE,
        };
        let resolve = match tables.actions.get(delegated.resolution as usize) {
            Some(_) => delegated.resolution,
            None => gate.resolution,
        };
        Some(Self {
            gate: tables.text(gate.id).to_string(),
            prompt: tables.text(gate.prompt).to_string(),
            authority: tables.text_or_none(gate.authority).map(ToString::to_string),
            resolution,
            inspect: Run::if_any(tables, inspect)?,
            resolve: Run::if_any(tables, resolve)?,
        })
    }
}

impl<H: FromStr> Run<H> {
    /// The action at an index, if there is one; `None` outside when its handler has no name.
    fn if_any(tables: &Tables<'_>, action: u32) -> Option<Option<Self>> {
        match tables.actions.get(action as usize) {
            Some(_) => Self::of(tables, action).map(Some),
            None => Some(None),
        }
    }

    fn of(tables: &Tables<'_>, action: u32) -> Option<Self> {
        let row: &ActionRow = tables.row(tables.actions, action);
        let runner = match row.runner {
            RunnerKind::Host => Runner::Handler(tables.text(row.handler).parse().ok()?),
            RunnerKind::Command => Runner::Command(tables.text(row.command).to_string()),
            RunnerKind::Script => Runner::Script {
                runtime: row.runtime,
                entry: tables.file_path(row.entry).to_string(),
                arguments: tables
                    .rows(tables.texts, row.args)
                    .iter()
                    .map(|&text| tables.text(text).to_string())
                    .collect(),
            },
            RunnerKind::Agent => Runner::Agent {
                skill: tables.file_path(row.skill).to_string(),
            },
        };
        Some(Self {
            action: tables.text(row.id).to_string(),
            effect: row.effect,
            directory: row.cwd,
            runner,
        })
    }
}
