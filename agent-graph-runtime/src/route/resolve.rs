//! Resolves routes (spec section 5): the checks in their order, and which definitions apply. Evaluates
//! only when it is asked by id; a candidate has been evaluated already.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::gate::{GateAction, RouteGate};
use super::input::RouteInput;
use super::locate::{HostInputs, Locator, not_made_by_the_host, resource_by_id};
use super::plan::{CommandItem, Run, script_command};
use super::receipts::ReadReceipts;
use super::{AfterAction, Route, RouteAction, RouteResources};
use crate::candidate::Candidate;
use crate::code::Code;
use crate::digest::{Digest, RouteId};
use crate::error::Error;
use crate::evaluation::{Evaluation, EvaluationRef};
use crate::installed::Installed;
#[cfg(not(feature = "user-schemas"))]
use crate::json::Value;
use crate::protocol::{Inspection, Resolution, Runner, WorkingDirectory};
use crate::state::State;
use crate::tables::{
    ActionRow, DelegatedRow, GateRow, ResourceClass, ResourceRow, StepRow, Tables,
};
use crate::typed::Graph;

/// What locations on a route depend on.
#[derive(Clone, Copy)]
pub(super) struct RouteContext<'i> {
    pub(super) revision: Digest,
    pub(super) receipts: Option<&'i ReadReceipts>,
    pub(super) host_inputs: &'i HostInputs,
}

impl<G: Graph> Evaluation<G> {
    /// Like [`EvaluationRef::select`].
    ///
    /// # Errors
    ///
    /// Those of [`EvaluationRef::select`].
    pub fn select(
        &self,
        route: Option<&RouteId>,
        expected_revision: Option<&Digest>,
    ) -> Result<Candidate<'_, G>, Error> {
        self.lend().select(route, expected_revision)
    }
}

impl<'e, G: Graph> EvaluationRef<'e, G> {
    /// The candidate with this id, any of them and not just the listed ones; without an id, the best one.
    ///
    /// # Errors
    ///
    /// In this order: [`Code::RouteRevisionStale`] when the evaluation has another revision than the
    /// expected one; [`Code::RouteStale`] when no candidate has the id; [`Code::RouteUnavailable`] when
    /// there is no candidate.
    pub fn select(
        &self,
        route: Option<&RouteId>,
        expected_revision: Option<&Digest>,
    ) -> Result<Candidate<'e, G>, Error> {
        let revision = self.revision();
        if let Some(expected) = expected_revision.filter(|expected| **expected != revision) {
            let message = format!("the revision is {revision}, {expected} was expected");
            return Err(Error::new(Code::RouteRevisionStale, message));
        }
        match route {
            Some(id) => self
                .candidates()
                .find(|candidate| candidate.route_id() == *id)
                .ok_or_else(|| {
                    let message = format!("{id} is no route of the evaluation");
                    Error::new(Code::RouteStale, message)
                }),
            None => self.primary().ok_or_else(|| {
                let message = format!("the status is {}, there is no route", self.status());
                Error::new(Code::RouteUnavailable, message)
            }),
        }
    }
}

impl Installed {
    /// Evaluates and resolves a route by its id; without one, the best route.
    ///
    /// # Errors
    ///
    /// In the order of spec 5.1: [`Code::GraphMissing`]; those of [`Evaluation::select`]; those of
    /// [`Installed::resolve`].
    pub fn route(
        &self,
        graph: &str,
        entry: &str,
        route: Option<&RouteId>,
        state: &State,
        expected_revision: Option<&Digest>,
        input: &RouteInput,
    ) -> Result<Route, Error> {
        let evaluation = self.evaluate(graph, entry, state)?;
        let candidate = evaluation.select(route, expected_revision)?;
        self.resolve(&candidate, input)
    }

    /// Everything a host needs to take the route of a candidate. Nothing is evaluated again: the candidate
    /// stands for the state it was evaluated with.
    ///
    /// Every file of the provider is read and compared with what was loaded or compiled in, so a route
    /// never reports new content under an old revision, nor does it hand out a script that was changed.
    ///
    /// # Errors
    ///
    /// In this order: [`Code::RouteProviderMismatch`] when the candidate is none of this provider;
    /// [`Code::ResourceReceiptsProviderMismatch`]; [`Code::ResourceMissing`] when the host supplies an
    /// input for something else than a host-action resource; those of [`Installed::verify`];
    /// [`Code::ResourceInputInvalid`] when that input does not satisfy its schema;
    /// [`Code::FrontmatterMissing`] or [`Code::FrontmatterInvalid`] for a skill; [`Code::OptionInvalid`]
    /// when an action runs in the workspace and there is none.
    pub fn resolve<G: Graph>(
        &self,
        candidate: &Candidate<'_, G>,
        input: &RouteInput,
    ) -> Result<Route, Error> {
        self.accept(candidate.evaluation(), input)?;
        Resolver::new(self, candidate.evaluation().revision(), input).route(candidate)
    }

    /// Resolves every candidate of an evaluation, best first, and reads the files once for all of them.
    ///
    /// # Errors
    ///
    /// Those of [`Installed::resolve`].
    pub fn resolve_all<G: Graph>(
        &self,
        evaluation: &Evaluation<G>,
        input: &RouteInput,
    ) -> Result<Vec<Route>, Error> {
        self.accept(evaluation.lend(), input)?;
        let resolver = Resolver::new(self, evaluation.revision(), input);
        let candidates = evaluation.candidates();
        candidates
            .map(|candidate| resolver.route(&candidate))
            .collect()
    }

    /// What has to hold whichever candidate is resolved.
    fn accept<G: Graph>(
        &self,
        evaluation: EvaluationRef<'_, G>,
        input: &RouteInput,
    ) -> Result<(), Error> {
        // The provider digest covers every definition, and so every row.
        if evaluation.provider().digest() != self.provider().digest() {
            let message = format!(
                "the route is one of provider `{}` {}, `{}` {} is installed",
                evaluation.provider().id(),
                evaluation.provider().version(),
                self.provider().id(),
                self.provider().version()
            );
            return Err(Error::new(Code::RouteProviderMismatch, message));
        }
        if let Some(receipts) = &input.receipts {
            receipts.belong_to(self.provider().id())?;
        }
        let mut supplied = Vec::new();
        for (id, value) in input.host_inputs.iter() {
            supplied.push((id, self.host_action_row(id)?, value));
        }
        self.verify()?;
        for (id, resource, value) in supplied {
            self.check_host_input(id, resource, value)?;
        }
        Ok(())
    }

    fn host_action_row(&self, id: &str) -> Result<&ResourceRow, Error> {
        let tables = self.tables();
        let row = resource_by_id(&tables, id);
        let resource = row.map(|row| tables.row(tables.resources, row));
        resource
            .filter(|resource| resource.class == ResourceClass::HostAction)
            .ok_or_else(|| not_made_by_the_host(id))
    }

    #[cfg(not(feature = "user-schemas"))]
    fn check_host_input(&self, id: &str, _: &ResourceRow, _: &Value) -> Result<(), Error> {
        let message = format!(
            "the input for `{id}` cannot be held against its schema: switch on the feature \
             `user-schemas` of agent-graph-runtime"
        );
        Err(Error::new(Code::FeatureRequired, message))
    }
}

/// Resolves candidates of one evaluation, once the files have been verified.
struct Resolver<'i> {
    installed: &'i Installed,
    tables: Tables<'i>,
    locator: Locator<'i>,
    workspace: Option<&'i str>,
}

/// What a gate comes to, once it is decided who resolves it (spec 5.2).
struct Policy {
    inspection: u32,
    resolution: u32,
}

impl<'i> Resolver<'i> {
    fn new(installed: &'i Installed, revision: Digest, input: &'i RouteInput) -> Self {
        let context = RouteContext {
            revision,
            receipts: input.receipts.as_ref(),
            host_inputs: &input.host_inputs,
        };
        Self {
            installed,
            tables: installed.tables(),
            locator: Locator::new(installed, Some(context)),
            workspace: input.workspace(),
        }
    }

    fn route<G: Graph>(&self, candidate: &Candidate<'_, G>) -> Result<Route, Error> {
        let step = self.tables.row(self.tables.steps, candidate.step_index());
        let action = self.tables.actions.get(step.action as usize);
        let gate = self.tables.gates.get(step.gate as usize);
        let delegated = gate.and_then(|gate| self.delegation(candidate.resolution(), gate));
        // Resources first, then actions: which problem comes first is part of the protocol.
        let resources = self.resources(step, action, delegated)?;
        let gate = match (gate, candidate.resolution()) {
            (Some(gate), Some(resolution)) => Some(self.gate(gate, resolution, delegated)?),
            _ => None,
        };
        let action = match action {
            Some(action) => Some(self.gate_action(action)?),
            None => None,
        };
        let (action, command_plan) = match action {
            Some(own) => (Some(own.action), own.command_plan),
            None => (None, Vec::new()),
        };
        Ok(Route {
            provider: self.installed.provider().id().into(),
            revision: candidate.evaluation().revision(),
            route_id: candidate.route_id(),
            graph: candidate.graph().into(),
            node: candidate.node().into(),
            status: candidate.status(),
            reason_code: candidate.reason_code().into(),
            hint: candidate.hint().map(Into::into),
            availability: candidate.availability(),
            call_path: candidate.call_path().collect(),
            action,
            command_plan,
            resources,
            gate,
            diagnostics: [],
            after_action: AfterAction {
                evaluate: true,
                record_node: candidate.record_node(),
            },
        })
    }

    /// What a session gets instead, if it resolves the gate.
    fn delegation(&self, resolution: Option<Resolution>, gate: &GateRow) -> Option<&DelegatedRow> {
        if resolution != Some(Resolution::SessionAuthority) {
            return None;
        }
        self.tables.delegations.get(gate.delegated as usize)
    }

    fn resources(
        &self,
        step: &StepRow,
        action: Option<&ActionRow>,
        delegated: Option<&DelegatedRow>,
    ) -> Result<RouteResources, Error> {
        let (required, recommended) = match delegated {
            Some(policy) if policy.replaces_resources => (policy.required, policy.recommended),
            _ => (step.required, step.recommended),
        };
        let mut resources = RouteResources::default();
        if let Some(agent) = action.filter(|action| action.runner == Runner::Agent) {
            let skill = self.locator.skill(agent)?;
            resources
                .required
                .push(super::ResourceLocation::File(skill));
        }
        let listed = |rows| self.tables.rows(self.tables.lists, rows);
        let required = self.locator.resources(listed(required))?;
        resources.required.extend(required);
        resources.recommended = self.locator.resources(listed(recommended))?;
        Ok(resources)
    }

    fn gate(
        &self,
        gate: &GateRow,
        resolution: Resolution,
        delegated: Option<&DelegatedRow>,
    ) -> Result<RouteGate, Error> {
        let policy = self.policy(gate, delegated);
        let action = |row: u32| match self.tables.actions.get(row as usize) {
            Some(action) => self.gate_action(action).map(Some),
            None => Ok(None),
        };
        let authored = |member: u8| gate.members.contains(&member);
        Ok(RouteGate {
            id: self.tables.text(gate.id).into(),
            prompt: self.tables.text(gate.prompt).into(),
            authority: self.tables.text_or_none(gate.authority).map(Into::into),
            delegatable: authored(4).then_some(gate.delegatable),
            resolution,
            inspection_action: action(policy.inspection)?,
            resolution_action: action(policy.resolution)?,
            members: gate.members,
        })
    }

    fn policy(&self, gate: &GateRow, delegated: Option<&DelegatedRow>) -> Policy {
        let normal = Policy {
            inspection: gate.inspection,
            resolution: gate.resolution,
        };
        let Some(delegated) = delegated else {
            return normal;
        };
        let authored = self.tables.actions.get(delegated.resolution as usize);
        Policy {
            inspection: match delegated.inspection {
                Inspection::Skip => crate::tables::NONE,
                Inspection::Required => normal.inspection,
            },
            resolution: authored.map_or(normal.resolution, |_| delegated.resolution),
        }
    }

    /// An action and its plan.
    fn gate_action(&self, action: &ActionRow) -> Result<GateAction, Error> {
        let schema = |side, file: u32| {
            let known = (file as usize) < self.tables.files.len();
            known.then(|| self.locator.schema(action, side, file))
        };
        Ok(GateAction {
            action: RouteAction {
                id: self.tables.text(action.id).into(),
                runner: action.runner,
                effect: action.effect,
                skill: match action.runner {
                    Runner::Agent => Some(self.locator.skill(action)?),
                    _ => None,
                },
                input_schema: schema("input", action.input_schema),
                output_schema: schema("output", action.output_schema),
            },
            command_plan: self.command_plan(action)?,
        })
    }

    fn command_plan(&self, action: &ActionRow) -> Result<Vec<CommandItem>, Error> {
        let run = match action.runner {
            Runner::Agent => return Ok(Vec::new()),
            Runner::Command => Run::Command(self.tables.text(action.command).into()),
            Runner::Host => Run::Handler(self.tables.text(action.handler).into()),
            Runner::Script => {
                let entry = self.installed.path_of(action.entry);
                let args = self.tables.rows(self.tables.texts, action.args);
                let args = args.iter().map(|arg| self.tables.text(*arg));
                Run::Command(script_command(action.runtime, &entry, args))
            }
        };
        Ok(Vec::from([CommandItem {
            run,
            effect: action.effect,
            cwd: action.cwd,
            working_directory: self.working_directory(action)?,
        }]))
    }

    fn working_directory(&self, action: &ActionRow) -> Result<String, Error> {
        match (action.cwd, self.workspace) {
            (WorkingDirectory::Provider, _) => Ok(self.installed.folder_text().to_string()),
            (WorkingDirectory::Workspace, Some(workspace)) => Ok(workspace.to_string()),
            (WorkingDirectory::Workspace, None) => {
                let message = format!(
                    "action `{}` runs in the workspace, and none was given",
                    self.tables.text(action.id)
                );
                Err(Error::new(Code::OptionInvalid, message))
            }
        }
    }
}

#[cfg(all(test, not(feature = "user-schemas")))]
mod tests {
    use super::*;
    use crate::provider::Provider;
    use crate::tables::{OwnedTables, Row};

    #[test]
    fn without_the_feature_an_input_of_the_host_is_refused_with_an_error_that_names_it() {
        let provider = Provider::from_tables(OwnedTables::default());
        let installed = Installed::unverified(provider, std::path::Path::new("/")).unwrap();
        let refused = installed.check_host_input("brief", ResourceRow::ABSENT, &Value::Null);
        let refused = refused.unwrap_err();
        assert_eq!(refused.code(), Code::FeatureRequired);
        assert!(refused.message().contains("`user-schemas`"));
    }
}
