//! Numbers in checks that are not what they seem: `-0`, which is compared as `0`, and whole numbers beyond
//! 2^53, which not every double is.

use std::collections::BTreeSet;

use agent_graph_runtime::SourceTexts;
use agent_graph_runtime::load::definition::{FactCheck, FactTest};

use super::Found;
use super::registry::Lint;
use super::subject::{Subject, found};
use super::texts::texts;

/// Beyond this, neighbouring whole numbers are one and the same double.
const LARGEST_EXACT: f64 = 9_007_199_254_740_991.0;

/// From here on numbers are told with an exponent, as in canonical JSON.
const LONGEST: f64 = 1e21;

pub(crate) fn check<'l>(subject: &Subject<'l>, out: &mut Found<'_, 'l>) {
    let checks = subject.nodes().flat_map(|(_, node)| {
        let proof = node.step().map_or(&[][..], |step| &step.satisfied);
        node.requires.iter().chain(proof)
    });
    let mut files = SourceTexts::new();
    let mut read_files = BTreeSet::new();
    for check in checks {
        let FactTest::Number(number) = check.test else {
            continue;
        };
        let cause = if number == 0.0 && number.is_sign_negative() {
            "`0` has no sign here"
        } else if number.abs() > LARGEST_EXACT && number.fract() == 0.0 {
            "numbers of this size are not exact, so that others equal it"
        } else {
            continue;
        };
        let read = match number + 0.0 {
            large if large.abs() >= LONGEST => format!("{large:e}"),
            number => number.to_string(),
        };
        let path = &check.path;
        let message = |written: &str| {
            format!(
                "fact `{path}` is compared with `{written}`, which is read as `{read}`: {cause}"
            )
        };
        let mut finding = found(Lint::InexactNumber, check.place.clone(), String::new());
        if read_files.insert(&check.place.file) {
            files.add_all(texts(subject.loaded, [&finding]));
        }
        finding.message = message(written(&files, check).unwrap_or(&read));
        out.add(Lint::InexactNumber, finding, None);
    }
}

/// The number as it stands in its file, if that is still the one that was loaded.
fn written<'f>(files: &'f SourceTexts, check: &FactCheck) -> Option<&'f str> {
    let span = check.place.span;
    let text = files
        .get(&check.place.file)?
        .get(span.start as usize..span.end as usize)?;
    std::str::from_utf8(text).ok()
}
