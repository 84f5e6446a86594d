//! Route reasons that the catalog explains and no node gives. Codes of diagnostics are the host's to use.

use std::collections::BTreeSet;

use agent_graph_runtime::protocol::CodeKind;

use super::Found;
use super::registry::Lint;
use super::subject::{Subject, found};

pub(crate) fn check<'l>(subject: &Subject<'l>, out: &mut Found<'_, 'l>) {
    let used: BTreeSet<&str> = subject
        .nodes()
        .filter_map(|(_, node)| node.step())
        .map(|step| step.reason.value.as_str())
        .collect();
    let codes = subject
        .definition
        .catalog
        .iter()
        .flat_map(|catalog| &catalog.codes);
    for entry in codes.filter(|entry| entry.kind == CodeKind::RouteReason) {
        if used.contains(entry.code.value.as_str()) {
            continue;
        }
        let message = format!("no node gives the route reason `{}`", entry.code.value);
        let finding = found(Lint::UnusedCode, entry.code.place.clone(), message);
        out.add(Lint::UnusedCode, finding, None);
    }
}
