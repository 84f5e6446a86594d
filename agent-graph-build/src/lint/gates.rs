//! Gates and authorities that have nothing to do with each other.

use agent_graph_runtime::load::definition::Detail;

use super::Found;
use super::registry::Lint;
use super::subject::{Subject, found};

/// A gate that may be delegated, but names no authority to delegate it to.
pub(crate) fn undelegatable<'l>(subject: &Subject<'l>, out: &mut Found<'_, 'l>) {
    for (_, node) in subject.nodes() {
        let Detail::Gate(_, gate) = &node.detail else {
            continue;
        };
        if gate.delegatable && gate.authority.is_none() {
            let message = format!(
                "gate `{}` may be delegated, but names no `authority` to delegate it to",
                node.id.value
            );
            let finding = found(Lint::UndelegatableGate, node.id.place.clone(), message);
            out.add(Lint::UndelegatableGate, finding, None);
        }
    }
}

/// An authority on a gate that is never delegated.
pub(crate) fn idle_authorities<'l>(subject: &Subject<'l>, out: &mut Found<'_, 'l>) {
    for (_, node) in subject.nodes() {
        let Detail::Gate(_, gate) = &node.detail else {
            continue;
        };
        if let Some(authority) = gate.authority.as_ref().filter(|_| !gate.delegatable) {
            let message = format!(
                "authority `{authority}` never resolves gate `{}`, which is not `delegatable`",
                node.id.value
            );
            let finding = found(Lint::IdleAuthority, node.id.place.clone(), message);
            out.add(Lint::IdleAuthority, finding, None);
        }
    }
}
