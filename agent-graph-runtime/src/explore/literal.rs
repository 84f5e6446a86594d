//! What is assumed about facts: checks taken to hold or not to hold. Makes facts that assumptions hold in.
//! Knows checks, nothing about nodes, and not which assumptions can hold together.
//!
//! A path that has to be there gets an empty object, which equals no scalar; arrays are never needed,
//! because a member with the name of an index answers every check like the item.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::json::{Object, Value};
use crate::tables::{CheckRow, Tables, Test};

/// A check that is taken to hold, or not to hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Literal<'t> {
    pub(super) path: &'t str,
    pub(super) says: Says<'t>,
}

/// What is said about the value at a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Says<'t> {
    Present,
    Absent,
    Is(Scalar<'t>),
    IsNot(Scalar<'t>),
}

/// Numbers by the bits of the double, where zero has no sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Scalar<'t> {
    Null,
    Bool(bool),
    Number(u64),
    Text(&'t str),
}

impl<'t> Literal<'t> {
    /// The check, taken to hold or not.
    pub(crate) fn new(tables: &Tables<'t>, check: &CheckRow, holds: bool) -> Self {
        let equals = |scalar| {
            if holds {
                Says::Is(scalar)
            } else {
                Says::IsNot(scalar)
            }
        };
        Self {
            path: tables.text(check.path),
            says: match check.test {
                Test::Exists(expected) if expected == holds => Says::Present,
                Test::Exists(_) => Says::Absent,
                Test::Null => equals(Scalar::Null),
                Test::Bool(expected) => equals(Scalar::Bool(expected)),
                Test::Number(bits) => equals(Scalar::Number(unsigned_zero(bits))),
                Test::Text(text) => equals(Scalar::Text(tables.text(text))),
            },
        }
    }
}

impl Literal<'_> {
    /// What holds exactly where this does not.
    pub(super) fn opposite(self) -> Self {
        let says = match self.says {
            Says::Present => Says::Absent,
            Says::Absent => Says::Present,
            Says::Is(scalar) => Says::IsNot(scalar),
            Says::IsNot(scalar) => Says::Is(scalar),
        };
        Self { says, ..self }
    }
}

/// Facts in which the assumptions hold, which agree with each other. What stands in `object` stays as far
/// as it is not in the way.
pub(crate) fn establish(object: &mut Object, literals: &[Literal<'_>]) {
    for literal in literals {
        match literal.says {
            Says::Absent => set(object, literal.path, None),
            Says::Present if at(object, literal.path).is_none() => {
                set(object, literal.path, Some(Value::Object(Object::new())));
            }
            Says::Present => {}
            Says::Is(scalar) => set(object, literal.path, Some(scalar.value())),
            Says::IsNot(scalar) => {
                if at(object, literal.path).is_some_and(|value| *value == scalar.value()) {
                    set(object, literal.path, Some(Value::Object(Object::new())));
                }
            }
        }
    }
}

impl Scalar<'_> {
    fn value(self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(value) => Value::Bool(value),
            Self::Number(bits) => Value::Number(f64::from_bits(bits)),
            Self::Text(text) => Value::String(text.to_string()),
        }
    }
}

/// The bits of a double, those of `0` for `-0`.
fn unsigned_zero(bits: u64) -> u64 {
    if f64::from_bits(bits) == 0.0 { 0 } else { bits }
}

fn at<'o>(object: &'o Object, path: &str) -> Option<&'o Value> {
    let mut segments = path.split('.');
    let mut value = object.get(segments.next()?)?;
    for segment in segments {
        value = match value {
            Value::Object(object) => object.get(segment)?,
            Value::Array(items) => {
                let (_, item) = named_items(items).find(|(name, _)| name == segment)?;
                item
            }
            _ => return None,
        };
    }
    Some(value)
}

/// Puts a value at a path, or takes it away. What is in the way becomes an object; an array becomes one
/// with its indices as names.
fn set(object: &mut Object, path: &str, value: Option<Value>) {
    if value.is_none() && at(object, path).is_none() {
        return;
    }
    let mut above: Vec<(&str, Object)> = Vec::new();
    let mut own = core::mem::take(object);
    let mut segments = path.split('.').peekable();
    while let Some(segment) = segments.next() {
        if segments.peek().is_none() {
            match value {
                Some(value) => own.insert(segment, value),
                None => own.remove(segment),
            };
            break;
        }
        let next = match own.remove(segment) {
            Some(Value::Object(object)) => object,
            Some(Value::Array(items)) => named_items(items).collect(),
            _ => Object::new(),
        };
        above.push((segment, core::mem::replace(&mut own, next)));
    }
    while let Some((name, mut container)) = above.pop() {
        container.insert(name, Value::Object(own));
        own = container;
    }
    *object = own;
}

fn named_items<T>(items: impl IntoIterator<Item = T>) -> impl Iterator<Item = (String, T)> {
    (0_usize..).map(|index| index.to_string()).zip(items)
}

#[cfg(test)]
mod tests {
    use super::super::assumed::Assumed;
    use super::*;
    use crate::fact_check;
    use crate::facts::Facts;
    use crate::tables::{OwnedTables, Rows, SegmentRow, Text};

    /// Tables with these checks: every path with every question.
    fn tables() -> OwnedTables {
        let mut tables = OwnedTables::default();
        let add = |tables: &mut OwnedTables, text: &str| {
            let start = u32::try_from(tables.text.len()).unwrap();
            tables.text.push_str(text);
            Text(start, u32::try_from(text.len()).unwrap())
        };
        for path in ["a", "a.b", "a.0", "a.b.c", "ab", "a."] {
            let start = u32::try_from(tables.segments.len()).unwrap();
            for name in path.split('.') {
                let index = name.parse().unwrap_or(crate::tables::NONE);
                let name = add(&mut tables, name);
                tables.segments.push(SegmentRow { name, index });
            }
            let end = u32::try_from(tables.segments.len()).unwrap();
            let text = add(&mut tables, "x");
            let path = add(&mut tables, path);
            for test in [
                Test::Exists(true),
                Test::Exists(false),
                Test::Null,
                Test::Number((-0.0_f64).to_bits()),
                Test::Number(0),
                Test::Text(text),
            ] {
                let segments = Rows(start, end - start);
                tables.checks.push(CheckRow {
                    path,
                    segments,
                    test,
                });
            }
        }
        tables
    }

    const VALUES: [&str; 9] = [
        r"{}",
        r#"{"a":null}"#,
        r#"{"a":0,"ab":"x"}"#,
        r#"{"a":"x","ab":null}"#,
        r#"{"a":{"b":0}}"#,
        r#"{"a":[0,{"c":"x"}]}"#,
        r#"{"a":{"b":{"c":0},"":"x"},"ab":0}"#,
        r#"{"a":{"b":"x","0":null,"":0}}"#,
        r#"{"a":{"b":[],"0":{},"":null},"ab":{}}"#,
    ];

    #[test]
    fn assumptions_that_agree_hold_in_the_facts_made_for_them_and_no_others_hold_anywhere() {
        let tables = tables();
        let tables = tables.as_tables();
        let literals: Vec<(&CheckRow, bool)> = tables
            .checks
            .iter()
            .flat_map(|check| [(check, true), (check, false)])
            .collect();
        let holds = |facts: &Facts, chosen: &[(&CheckRow, bool)]| {
            chosen
                .iter()
                .all(|(check, holds)| fact_check::passes(&tables, check, facts) == *holds)
        };
        let standing: Vec<Object> = VALUES
            .iter()
            .map(|text| Facts::from_json(text).unwrap().as_object().clone())
            .collect();
        let mut agreeing = 0;
        for (at, &first) in literals.iter().enumerate() {
            for &second in &literals[at..] {
                for &third in [second].iter().chain(literals[..at].iter().step_by(7)) {
                    let chosen = [first, second, third];
                    let made: Vec<Literal<'_>> = chosen
                        .iter()
                        .map(|(check, holds)| Literal::new(&tables, check, *holds))
                        .collect();
                    let mut assumed = Assumed::default();
                    let agree = made.iter().all(|&own| {
                        assumed.allows(own) && {
                            assumed.add(own);
                            true
                        }
                    });
                    agreeing += usize::from(agree);
                    for object in &standing {
                        let found = Facts::from_object(object.clone()).unwrap();
                        assert!(agree || !holds(&found, &chosen), "{made:?} in {found}");
                        let mut object = object.clone();
                        establish(&mut object, &made);
                        let facts = Facts::from_object(object).unwrap();
                        assert_eq!(holds(&facts, &chosen), agree, "{made:?} in {facts}");
                    }
                }
            }
        }
        assert!(agreeing > 5000, "{agreeing}");
    }

    #[test]
    fn what_is_not_in_the_way_stays() {
        let tables = tables();
        let tables = tables.as_tables();
        let mut object = Facts::from_json(r#"{"a":[1,2],"z":[3]}"#)
            .unwrap()
            .as_object()
            .clone();
        let check = tables
            .checks
            .iter()
            .find(|check| tables.text(check.path) == "a.0" && check.test == Test::Null)
            .unwrap();
        establish(&mut object, &[Literal::new(&tables, check, true)]);
        let facts = Facts::from_object(object).unwrap();
        assert_eq!(facts.canonical(), r#"{"a":{"0":null,"1":2},"z":[3]}"#);
    }
}
