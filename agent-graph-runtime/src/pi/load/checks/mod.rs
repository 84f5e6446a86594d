//! The semantic checks, in the order of the protocol (spec 4.3). Knows the order; each check lives in a
//! module of its own.

mod agents;
mod channels;
mod parallel;
mod targets;

pub(super) use parallel::written_paths;

use super::report::{Report, steps};
use crate::pi::definition::{Definition, NodeKind};
use crate::pi::diagnostic::DiagnosticCode;
use crate::pi::network::Network;
use crate::pi::words::HumanKind;

/// Checks a definition.
pub(super) fn check(definition: &Definition) -> Report {
    let mut report = Report::default();
    let network = Network::of(definition);
    size(definition, &mut report);
    nodes(definition, &mut report);
    targets::unknown_targets(definition, &network, &mut report);
    targets::edge_sources(definition, &network, &mut report);
    targets::routes(definition, &network, &mut report);
    if definition.limits.is_none() {
        let message = "no limits are given; the defaults count";
        report.warning(DiagnosticCode::DefaultLimits, steps!["limits"], message);
    }
    targets::unreachable(definition, &network, &mut report);
    channels::retention_and_reducers(definition, &mut report);
    channels::thread_folders(definition, &mut report);
    parallel::conflicts(definition, &network, &mut report);
    parallel::accumulation(definition, &network, &mut report);
    parallel::threads(definition, &network, &mut report);
    report
}

fn size(definition: &Definition, report: &mut Report) {
    match definition.nodes.len() {
        0 => report.error(
            DiagnosticCode::EmptyGraph,
            steps!["nodes"],
            "there are no nodes",
        ),
        1 => {
            let message = "there is one node only; a graph is more than that";
            report.warning(DiagnosticCode::SingleNodeGraph, steps!["nodes"], message);
        }
        _ => {}
    }
}

fn nodes(definition: &Definition, report: &mut Report) {
    for node in &definition.nodes {
        let id = node.id.as_str();
        if node.max_attempts() > 1 && node.idempotent != Some(true) {
            report.warning(
                DiagnosticCode::RetryRequiresIdempotency,
                steps!["nodes", id],
                "the node is retried and not marked as idempotent",
            );
        }
        match &node.kind {
            NodeKind::Agent(agent) => agents::agent(node, agent, report),
            NodeKind::Set(_) => {}
            NodeKind::Human(human) => {
                let has_options = human.options.as_ref().is_some_and(|list| !list.is_empty());
                if human.kind == Some(HumanKind::Select) && !has_options {
                    report.error(
                        DiagnosticCode::HumanOptions,
                        steps!["nodes", id, "options"],
                        "there is nothing to select from",
                    );
                }
            }
        }
    }
}
