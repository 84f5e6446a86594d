//! Whether facts pass the checks of a definition (spec 4.2). Knows check rows and facts, nothing
//! about nodes.

use crate::facts::Facts;
use crate::json::Value;
use crate::tables::{CheckRow, NONE, Rows, SegmentRow, Tables, Test};

/// Whether all of the checks hold; no checks hold always. Allocates nothing.
pub(crate) fn holds(tables: &Tables<'_>, checks: Rows, facts: &Facts) -> bool {
    let checks = tables.rows(tables.checks, checks);
    checks.iter().all(|check| passes(tables, check, facts))
}

/// Whether one check holds.
pub(crate) fn passes(tables: &Tables<'_>, check: &CheckRow, facts: &Facts) -> bool {
    let segments = tables.rows(tables.segments, check.segments);
    let path = segments.iter().map(|segment| step(tables, segment));
    match (check.test, facts.find(path)) {
        (Test::Exists(expected), value) => value.is_some() == expected,
        (Test::Null, Some(Value::Null)) => true,
        (Test::Bool(expected), Some(Value::Bool(value))) => *value == expected,
        // As doubles: `-0` equals `0` (difference D2).
        (Test::Number(bits), Some(Value::Number(value))) => *value == f64::from_bits(bits),
        (Test::Text(expected), Some(Value::String(value))) => value == tables.text(expected),
        _ => false,
    }
}

fn step<'t>(tables: &Tables<'t>, segment: &SegmentRow) -> (&'t str, Option<usize>) {
    let position = if segment.index == NONE {
        None
    } else {
        usize::try_from(segment.index).ok()
    };
    (tables.text(segment.name), position)
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::*;
    use crate::tables::{OwnedTables, Text};

    fn add_text(tables: &mut OwnedTables, text: &str) -> Text {
        let start = u32::try_from(tables.text.len()).unwrap();
        tables.text.push_str(text);
        Text(start, u32::try_from(text.len()).unwrap())
    }

    /// Whether the facts pass one check of `path`, whose last member of the text pool is `expected`.
    fn check(facts: &str, path: &str, test: Test) -> bool {
        check_text(facts, path, |_| test)
    }

    fn check_text(facts: &str, path: &str, test: impl Fn(&mut OwnedTables) -> Test) -> bool {
        let mut tables = OwnedTables {
            text: String::from("padding"),
            ..OwnedTables::default()
        };
        for name in path.split('.') {
            let index = name.parse().unwrap_or(NONE);
            let name = add_text(&mut tables, name);
            tables.segments.push(SegmentRow { name, index });
        }
        let test = test(&mut tables);
        let segments = Rows(0, u32::try_from(tables.segments.len()).unwrap());
        tables.checks.push(CheckRow {
            path: Text::NONE,
            segments,
            test,
        });
        let facts = Facts::from_json(facts).unwrap();
        holds(&tables.as_tables(), Rows(0, 1), &facts)
    }

    #[test]
    fn exists_asks_for_a_value_and_null_is_one() {
        assert!(check(r#"{"a":{"b":null}}"#, "a.b", Test::Exists(true)));
        assert!(!check(r#"{"a":{"b":null}}"#, "a.b", Test::Exists(false)));
        assert!(check(r#"{"a":{}}"#, "a.b", Test::Exists(false)));
        assert!(check(r#"{"a":[7]}"#, "a.0", Test::Exists(true)));
        assert!(!check(r#"{"a":[7]}"#, "a.1", Test::Exists(true)));
        assert!(check(r#"{"0":{"1":7}}"#, "0.1", Test::Exists(true)));
    }

    #[test]
    fn equals_asks_for_the_same_type_and_value() {
        let number = |n: f64| Test::Number(n.to_bits());
        assert!(check(r#"{"a":1.0}"#, "a", number(1.0)));
        assert!(!check(r#"{"a":"1"}"#, "a", number(1.0)));
        assert!(!check(r#"{"a":true}"#, "a", number(1.0)));
        assert!(check(r#"{"a":true}"#, "a", Test::Bool(true)));
        assert!(!check(r#"{"a":0}"#, "a", Test::Bool(false)));
        assert!(check(r#"{"a":null}"#, "a", Test::Null));
        assert!(!check(r"{}", "a", Test::Null));
        assert!(!check(r#"{"a":[]}"#, "a", Test::Null));
        let text = |tables: &mut OwnedTables| Test::Text(add_text(tables, "x"));
        assert!(check_text(r#"{"a":"x"}"#, "a", text));
        assert!(!check_text(r#"{"a":"y"}"#, "a", text));
    }

    #[test]
    fn negative_zero_equals_zero_on_both_sides() {
        for facts in [r#"{"a":0}"#, r#"{"a":-0}"#] {
            for number in [0.0_f64, -0.0] {
                assert!(check(facts, "a", Test::Number(number.to_bits())));
            }
        }
    }

    #[test]
    fn no_checks_hold() {
        let tables = OwnedTables::default();
        assert!(holds(&tables.as_tables(), Rows::EMPTY, &Facts::default()));
    }
}
