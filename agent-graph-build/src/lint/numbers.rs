//! Numbers in checks that are not what they seem: `-0`, which is compared as `0`, and whole numbers beyond
//! 2^53, which not every double is.

use agent_graph_runtime::load::definition::FactTest;

use super::Found;
use super::registry::Lint;
use super::subject::{Subject, found};

/// Beyond this, neighbouring whole numbers are one and the same double.
const LARGEST_EXACT: f64 = 9_007_199_254_740_991.0;

pub(crate) fn check(subject: &Subject<'_>, out: &mut Found<'_>) {
    for (_, node) in subject.nodes() {
        let proof = node.step().map_or(&[][..], |step| &step.satisfied);
        for check in node.requires.iter().chain(proof) {
            let FactTest::Number(number) = check.test else {
                continue;
            };
            let path = &check.path;
            let message = if number == 0.0 && number.is_sign_negative() {
                format!("fact `{path}` is compared with `-0`, which equals `0`")
            } else if number.abs() > LARGEST_EXACT && number.fract() == 0.0 {
                format!(
                    "fact `{path}` is compared with {number}, which is too large to be exact: other \
                     numbers equal it"
                )
            } else {
                continue;
            };
            let finding = found(Lint::InexactNumber, node.id.place.clone(), message);
            out.add(Lint::InexactNumber, finding, None);
        }
    }
}
