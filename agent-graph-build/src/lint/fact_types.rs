//! One fact compared with values of two types, or with a scalar here and as the way to a member there:
//! checks that can never hold for the same facts, which is seldom meant. Null goes with every type.

use std::collections::BTreeMap;

use agent_graph_runtime::Place;
use agent_graph_runtime::json::DEPTH_LIMIT;
use agent_graph_runtime::load::definition::{FactCheck, FactTest};

use super::Found;
use super::registry::Lint;
use super::subject::{Subject, found};

pub(crate) fn check<'l>(subject: &Subject<'l>, out: &mut Found<'_, 'l>) {
    let mut seen: BTreeMap<String, (&'static str, Place)> = BTreeMap::new();
    for (_, node) in subject.nodes() {
        let proof = node.step().map_or(&[][..], |step| &step.satisfied);
        for check in node.requires.iter().chain(proof) {
            for (path, kind) in types(check) {
                match seen.get(&path) {
                    Some((known, _)) if *known == kind => {}
                    Some((known, place)) => {
                        let message = format!(
                            "fact `{path}` is taken for {kind} here and for {known} elsewhere"
                        );
                        let place = place.clone();
                        let own = node.id.place.clone();
                        let finding = found(Lint::MixedFactTypes, own, message)
                            .with_related(place, format!("taken for {known} here"));
                        out.add(Lint::MixedFactTypes, finding, None);
                    }
                    None => {
                        seen.insert(path, (kind, node.id.place.clone()));
                    }
                }
            }
        }
    }
}

/// The types that a check takes facts for: the value at its path, and what the path leads through. Whether
/// a step through a container is one of an array or of an object does not show.
fn types(check: &FactCheck) -> Vec<(String, &'static str)> {
    let mut types: Vec<(String, &'static str)> = check
        .path
        .match_indices('.')
        .filter(|_| check.test != FactTest::Exists(false))
        // Nothing nests more deeply.
        .take(DEPTH_LIMIT as usize)
        .filter_map(|(end, _)| Some((check.path.get(..end)?.to_owned(), "a container")))
        .collect();
    let own = match check.test {
        FactTest::Exists(_) | FactTest::Null => None,
        FactTest::Bool(_) => Some("a boolean"),
        FactTest::Number(_) => Some("a number"),
        FactTest::Text(_) => Some("a text"),
    };
    types.extend(own.map(|own| (check.path.clone(), own)));
    types
}
