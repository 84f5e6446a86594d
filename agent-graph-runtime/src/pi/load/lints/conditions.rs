//! Cases that never count, routes that lead nowhere, patterns that cannot be used. A condition is looked at
//! without a state: what holds or fails for every state there can be.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::vec::Vec;

use super::Lints;
use crate::code::Code;
use crate::json::Value;
use crate::pi::condition::{Condition, Test};
use crate::pi::definition::{Definition, Route};
use crate::pi::load::checks::written_paths;
use crate::pi::load::report::{quoted, steps};
use crate::pi::path;
use crate::pi::path_set::PathSet;
use crate::pi::pattern::PatternProblem;
use crate::pi::state;
use crate::pi::words::{ErrorStrategy, Operator};

/// The alternatives of routes that are never taken: route, and case or (one behind the last) default.
pub(super) type Dead = BTreeSet<(usize, usize)>;

pub(super) fn lint(lints: &mut Lints<'_>) -> Dead {
    let definition = lints.definition;
    let written = Written::of(definition);
    let mut places = PathSet::default();
    for path in &written.paths {
        places.insert(path::segments(path).unwrap_or_default());
    }
    let known = Known {
        definition,
        places: &places,
    };
    let mut dead = Dead::new();
    for (index, route) in definition.routes.iter().enumerate() {
        patterns(lints, index, route);
        alternatives(lints, &known, index, route, &mut dead);
    }
    dead
}

/// Every path that some node may write.
struct Written {
    paths: Vec<alloc::string::String>,
}

impl Written {
    fn of(definition: &Definition) -> Self {
        let mut paths = Vec::new();
        for node in &definition.nodes {
            paths.extend(written_paths(node));
            let on_error = node.on_error.as_ref();
            let goes_on = |strategy| strategy != ErrorStrategy::Fail;
            if let Some(on_error) = on_error.filter(|it| it.strategy.is_some_and(goes_on)) {
                let default = || format!("errors.{}", node.id);
                paths.push(on_error.output.clone().unwrap_or_else(default));
            }
        }
        Self { paths }
    }
}

/// What is known of the state before a run.
struct Known<'d> {
    definition: &'d Definition,
    places: &'d PathSet<'d>,
}

impl Known<'_> {
    /// Whether the condition holds for every state (`true`), for none (`false`), or for some.
    fn constant(&self, condition: &Condition) -> Option<bool> {
        match condition {
            Condition::All(parts) => {
                let parts: Vec<Option<bool>> =
                    parts.iter().map(|part| self.constant(part)).collect();
                if parts.contains(&Some(false)) {
                    return Some(false);
                }
                parts.iter().all(|part| *part == Some(true)).then_some(true)
            }
            Condition::Any(parts) => {
                let parts: Vec<Option<bool>> =
                    parts.iter().map(|part| self.constant(part)).collect();
                if parts.contains(&Some(true)) {
                    return Some(true);
                }
                parts
                    .iter()
                    .all(|part| *part == Some(false))
                    .then_some(false)
            }
            Condition::Not(part) => self.constant(part).map(|holds| !holds),
            Condition::Leaf { path, test } => {
                if !self.can_be_present(path.segments()) {
                    return Some(matches!(test, Test::Operand(Operator::Ne, _)));
                }
                never(test).then_some(false)
            }
        }
    }

    fn can_be_present(&self, segments: &[alloc::string::String]) -> bool {
        segments.first().is_some_and(|first| first == "input")
            || self
                .places
                .overlaps(segments.iter().map(|segment| segment.as_str()))
            || state::get(&self.definition.initial_state, segments).is_some()
    }
}

/// Whether no value passes the test.
fn never(test: &Test) -> bool {
    match test {
        Test::Exists | Test::Truthy => false,
        Test::Matches(pattern) => matches!(pattern.problem(), Some(PatternProblem::Invalid(_))),
        Test::Operand(Operator::Matches, _) => true,
        Test::Operand(Operator::Gt | Operator::Gte | Operator::Lt | Operator::Lte, operand) => {
            !matches!(operand, Some(Value::Number(_) | Value::String(_)))
        }
        Test::Operand(_, _) => false,
    }
}

fn alternatives(
    lints: &mut Lints<'_>,
    known: &Known<'_>,
    index: usize,
    route: &Route,
    dead: &mut Dead,
) {
    let mut always = false;
    for (case_index, case) in route.cases.iter().enumerate() {
        let constant = known.constant(&case.when);
        if always || constant == Some(false) {
            dead.insert((index, case_index));
            let reason = if always {
                "an earlier case always counts"
            } else {
                "its condition holds for no state that the graph can reach"
            };
            lints.add(
                Code::PiCaseNeverCounts,
                steps!["routes", index, "cases", case_index](),
                format!("the case never counts: {reason}"),
                None,
            );
        }
        always |= constant == Some(true);
    }
    let default = route.cases.len();
    if always || route.default.is_none() {
        dead.insert((index, default));
    }
    if (0..=default).all(|alternative| dead.contains(&(index, alternative))) {
        lints.add(
            Code::PiRouteWithoutDestination,
            steps!["routes", index](),
            format!(
                "the route of {} leads nowhere: no case counts, and there is no default",
                quoted(&route.from)
            ),
            Some("add a `default`"),
        );
    } else if always && route.default.is_some() {
        lints.add(
            Code::PiCaseNeverCounts,
            steps!["routes", index, "default"](),
            "the default never counts: an earlier case always does".into(),
            None,
        );
    }
}

fn patterns(lints: &mut Lints<'_>, index: usize, route: &Route) {
    for (case_index, case) in route.cases.iter().enumerate() {
        let mut problems = Vec::new();
        case.when.visit(&mut |condition| {
            if let Condition::Leaf {
                test: Test::Matches(pattern),
                ..
            } = condition
            {
                problems.extend(pattern.problem().map(|problem| (pattern.source(), problem)));
            }
        });
        for (source, problem) in problems {
            let code = match problem {
                PatternProblem::Invalid(_) => Code::PiPatternInvalid,
                PatternProblem::Unsupported(_) => Code::PiPatternUnsupported,
            };
            lints.add(
                code,
                steps!["routes", index, "cases", case_index, "when"](),
                format!("the pattern {}: {problem}", quoted(source)),
                None,
            );
        }
    }
}
