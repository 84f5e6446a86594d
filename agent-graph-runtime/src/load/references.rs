//! Follows what the nodes of the graphs refer to: called graphs, actions, resources, and what a gate
//! asks of its actions (spec 3.3 step 7). Knows how to load neither.

use alloc::format;

use super::actions::Actions;
use super::calls::check_calls;
use super::definition::{
    Action, Delegated, Detail, GateDetail, Graph, Reference, Resources as Lists,
};
use super::report::Report;
use super::resources::Resources;
use super::sources::Sources;
use crate::protocol::{Effect, Inspection};
use crate::{Code, Finding, Place};

/// What following references needs.
pub(super) struct Loading<'l> {
    pub(super) actions: &'l mut Actions,
    pub(super) resources: &'l mut Resources,
    pub(super) sources: &'l mut Sources,
    pub(super) report: &'l mut Report,
}

/// Follows all references. `complete` says that every graph of the provider has been loaded.
pub(super) fn follow(graphs: &mut [Graph], complete: bool, mut loading: Loading<'_>) {
    // The calls look into all graphs while the references of one are filled in: two passes over the
    // nodes, put together in node order.
    let calls = check_calls(graphs, complete);
    let mut calls = calls.into_iter();
    for graph in graphs {
        for node in &mut graph.nodes {
            loading.report.add_all(calls.next().flatten());
            match &mut node.detail {
                Detail::Action(step, action) => {
                    loading.action(action);
                    loading.lists(&mut step.resources);
                }
                Detail::Gate(step, gate) => {
                    loading.gate(gate);
                    loading.lists(&mut step.resources);
                    let delegated = gate.delegated.as_mut();
                    if let Some(lists) = delegated.and_then(|policy| policy.resources.as_mut()) {
                        loading.lists(lists);
                    }
                }
                Detail::Subgraph { .. } | Detail::Terminal(_) => {}
            }
        }
    }
}

impl Loading<'_> {
    fn action(&mut self, reference: &mut Reference) -> Option<&Action> {
        let Reference {
            path,
            place,
            target,
        } = reference;
        *target = self.actions.load(path, place, self.sources, self.report);
        self.actions.list.get((*target)?)
    }

    fn lists(&mut self, lists: &mut Lists) {
        for reference in lists.required.iter_mut().chain(&mut lists.recommended) {
            let Reference {
                path,
                place,
                target,
            } = reference;
            *target = self.resources.load(path, place, self.sources, self.report);
        }
    }

    fn gate(&mut self, gate: &mut GateDetail) {
        if let Some(inspection) = &mut gate.inspection {
            let place = inspection.place.clone();
            let finding = self
                .action(inspection)
                .and_then(|action| writing_inspection(action, place));
            self.report.add_all(finding);
        }
        if let Some(delegated) = &mut gate.delegated {
            let can_be_delegated = gate.delegatable && gate.authority.is_some();
            self.report
                .add_all(unusable_policy(delegated, can_be_delegated));
            self.report
                .add_all(skipped_inspection(delegated, gate.inspection.is_some()));
            if let Some(resolution) = &mut delegated.resolution {
                self.resolution(resolution);
            }
        }
        if let Some(resolution) = &mut gate.resolution {
            self.resolution(resolution);
        }
    }

    fn resolution(&mut self, resolution: &mut Reference) {
        let place = resolution.place.clone();
        let finding = self
            .action(resolution)
            .and_then(|action| reading_resolution(action, place));
        self.report.add_all(finding);
    }
}

fn writing_inspection(action: &Action, place: Place) -> Option<Finding> {
    if action.effect.value == Effect::Read {
        return None;
    }
    let message = format!(
        "the inspection action `{}` has the effect {}, an inspection only reads",
        action.id.value, action.effect.value
    );
    let finding = Finding::error(Code::GateInspectionEffectInvalid, place, message);
    Some(finding.with_related(action.effect.place.clone(), "the effect"))
}

fn reading_resolution(action: &Action, place: Place) -> Option<Finding> {
    if action.effect.value != Effect::Read {
        return None;
    }
    let message = format!(
        "the resolution action `{}` only reads, so it cannot carry a decision out",
        action.id.value
    );
    let finding = Finding::error(Code::GateResolutionEffectInvalid, place, message);
    Some(finding.with_related(action.effect.place.clone(), "the effect"))
}

fn unusable_policy(delegated: &Delegated, can_be_delegated: bool) -> Option<Finding> {
    if can_be_delegated {
        return None;
    }
    let message = "the gate has a delegated policy and cannot be delegated";
    let place = delegated.place.clone();
    let finding = Finding::error(Code::GateDelegatedPolicyInvalid, place, message);
    Some(finding.with_hint("give the gate an `authority` and `delegatable: true`"))
}

fn skipped_inspection(delegated: &Delegated, has_inspection: bool) -> Option<Finding> {
    if delegated.inspection != Inspection::Skip || has_inspection {
        return None;
    }
    let message = "the policy skips an inspection that the gate does not have";
    let place = delegated.inspection_place.clone();
    Some(Finding::error(
        Code::GateDelegatedInspectionMissing,
        place,
        message,
    ))
}
