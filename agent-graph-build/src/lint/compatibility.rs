//! `compatibility.agentGraph`: a range that excludes the version of the protocol that is implemented here.

use agent_graph_runtime::protocol;

use super::Found;
use super::range::Range;
use super::registry::Lint;
use super::subject::{Subject, found};

pub(crate) fn check<'l>(subject: &Subject<'l>, out: &mut Found<'_, 'l>) {
    let Some(authored) = &subject.definition.manifest.agent_graph else {
        return;
    };
    let range = &authored.value;
    let message = match Range::parse(range) {
        Some(parsed) if parsed.contains(protocol::VERSION) => return,
        Some(_) => {
            let [major, minor, patch] = protocol::VERSION;
            format!(
                "`{range}` excludes {major}.{minor}.{patch}, the version of the protocol that is used"
            )
        }
        None => format!("`{range}` is no range of versions"),
    };
    let finding = found(Lint::CompatibilityRange, authored.place.clone(), message);
    out.add(Lint::CompatibilityRange, finding, None);
}
