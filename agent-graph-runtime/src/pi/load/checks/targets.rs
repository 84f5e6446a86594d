//! Whether what leads somewhere leads to a node, and whether something leads to every node
//! (spec 4.3 C, D, E, G).

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::vec::Vec;

use crate::pi::condition::{Condition, Test};
use crate::pi::definition::Definition;
use crate::pi::diagnostic::{DiagnosticCode, Step};
use crate::pi::load::report::{Report, group_steps, quoted, steps};
use crate::pi::network::Network;
use crate::pi::words::END;

pub(super) fn unknown_targets(definition: &Definition, network: &Network<'_>, report: &mut Report) {
    for group in definition.target_groups() {
        for target in group.targets {
            if target != END && network.position(target).is_none() {
                report.error(
                    DiagnosticCode::UnknownTarget,
                    || group_steps(definition, group.place),
                    format!("{} is no node", quoted(target)),
                );
            }
        }
    }
}

pub(super) fn edge_sources(definition: &Definition, network: &Network<'_>, report: &mut Report) {
    for (index, edge) in definition.edges.iter().enumerate() {
        for source in edge.distinct_sources() {
            if network.position(source).is_none() {
                report.error(
                    DiagnosticCode::EdgeSource,
                    steps!["edges", index, "from"],
                    format!("{} is no node", quoted(source)),
                );
            }
        }
    }
}

pub(super) fn routes(definition: &Definition, network: &Network<'_>, report: &mut Report) {
    let mut sources = BTreeSet::new();
    for (index, route) in definition.routes.iter().enumerate() {
        if !sources.insert(route.from.as_str()) {
            report.error(
                DiagnosticCode::DuplicateRoute,
                steps!["routes", index, "from"],
                format!("{} has a route already", quoted(&route.from)),
            );
        }
        if network.position(&route.from).is_none() {
            report.error(
                DiagnosticCode::RouteSource,
                steps!["routes", index, "from"],
                format!("{} is no node", quoted(&route.from)),
            );
        }
        for (case_index, case) in route.cases.iter().enumerate() {
            let mut place = steps!["routes", index, "cases", case_index, "when"]();
            operands(&case.when, &mut place, report);
        }
    }
}

/// Reports the comparisons without an operand, depth first.
fn operands(condition: &Condition, place: &mut Vec<Step>, report: &mut Report) {
    let mut inner = |names: &[Step], condition: &Condition, report: &mut Report| {
        place.extend(names.iter().cloned());
        operands(condition, place, report);
        place.truncate(place.len() - names.len());
    };
    match condition {
        Condition::All(parts) => {
            for (index, part) in parts.iter().enumerate() {
                inner(&["all".into(), index.into()], part, report);
            }
        }
        Condition::Any(parts) => {
            for (index, part) in parts.iter().enumerate() {
                inner(&["any".into(), index.into()], part, report);
            }
        }
        Condition::Not(part) => inner(&["not".into()], part, report),
        Condition::Leaf {
            test: Test::Operand(operator, None),
            ..
        } => {
            let steps = || place.iter().cloned().chain(["value".into()]).collect();
            let message = format!("`{operator}` compares with a value");
            report.error(DiagnosticCode::ConditionValue, steps, message);
        }
        Condition::Leaf { .. } => {}
    }
}

pub(super) fn unreachable(definition: &Definition, network: &Network<'_>, report: &mut Report) {
    for (node, is_reached) in definition.nodes.iter().zip(network.reached()) {
        if !is_reached {
            report.warning(
                DiagnosticCode::UnreachableNode,
                steps!["nodes", node.id.as_str()],
                "nothing leads to the node",
            );
        }
    }
}
