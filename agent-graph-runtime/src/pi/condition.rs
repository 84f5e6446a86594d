//! Conditions of routes, parsed once (spec 5.3). A condition never fails because of the type of a value: what
//! cannot be compared does not hold. Knows nothing about routes.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cmp::Ordering;

use super::path::StatePath;
use super::pattern::Pattern;
use super::state;
use super::state_error::StateError;
use super::text;
use super::words::Operator;
use crate::json::{DEPTH_LIMIT, Object, Value};

/// A condition on the state.
///
/// ```
/// use agent_graph_runtime::{json::Value, pi::Condition};
/// let condition = Value::from_json(r#"{"path":"review.score","op":"gte","value":8}"#)?;
/// let condition = Condition::from_value(&condition).unwrap();
/// let state = Value::from_json(r#"{"review":{"score":9}}"#)?;
/// assert_eq!(condition.holds(state.as_object().unwrap()), Ok(true));
/// # Ok::<(), agent_graph_runtime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// All of these hold.
    All(Vec<Condition>),
    /// At least one of these holds.
    Any(Vec<Condition>),
    /// This does not hold.
    Not(Box<Condition>),
    /// The value at a path passes a test.
    Leaf {
        /// Where the value is.
        path: StatePath,
        /// What is asked of it.
        test: Test,
    },
}

/// What a leaf asks of the value at its path.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// There is a value; `null` is one.
    Exists,
    /// There is one that is neither `false`, `0`, `""` nor `null`.
    Truthy,
    /// The comparison, membership or search that the operator names, with this operand. An operand that is
    /// left out is equal to nothing.
    Operand(Operator, Option<Value>),
    /// The value is a string in which the pattern is found.
    Matches(Pattern),
}

impl Test {
    /// The test that an operator and an operand make. A pattern is compiled here.
    pub fn new(operator: Operator, operand: Option<Value>) -> Self {
        match (operator, operand) {
            (Operator::Exists, _) => Self::Exists,
            (Operator::Truthy, _) => Self::Truthy,
            (Operator::Matches, Some(Value::String(source))) => {
                Self::Matches(Pattern::new(&source))
            }
            (operator, operand) => Self::Operand(operator, operand),
        }
    }

    fn passes(&self, actual: Option<&Value>) -> Result<bool, StateError> {
        let Some(actual) = actual else {
            return Ok(matches!(self, Self::Operand(Operator::Ne, _)));
        };
        Ok(match self {
            Self::Exists => true,
            Self::Truthy => is_truthy(actual),
            Self::Matches(pattern) => match actual {
                Value::String(text) => pattern.is_match(text)?,
                _ => false,
            },
            Self::Operand(operator, operand) => compare(*operator, actual, operand.as_ref()),
        })
    }
}

impl Condition {
    /// Reads a condition: exactly one of `all`, `any`, `not`, or `path` with `op`.
    ///
    /// # Errors
    /// What is wrong with a path. `None` when the value is no condition.
    pub fn from_value(value: &Value) -> Result<Self, Option<StateError>> {
        Self::at_level(value, DEPTH_LIMIT)
    }

    fn at_level(value: &Value, levels: u32) -> Result<Self, Option<StateError>> {
        let object = value.as_object().ok_or(None)?;
        let levels = levels.checked_sub(1).ok_or(Some(StateError::StateDepth))?;
        let list = |name| {
            let items = object.get(name)?.as_array()?.iter();
            let parts = items.map(|item| Self::at_level(item, levels));
            Some(parts.collect::<Result<Vec<_>, _>>())
        };
        if let Some(all) = list("all") {
            return all.map(Self::All);
        }
        if let Some(any) = list("any") {
            return any.map(Self::Any);
        }
        if let Some(inner) = object.get("not") {
            return Ok(Self::Not(Box::new(Self::at_level(inner, levels)?)));
        }
        let text = |name| object.get(name).and_then(Value::as_str);
        let (Some(path), Some(operator)) = (text("path"), text("op")) else {
            return Err(None);
        };
        let operator: Operator = operator.parse().map_err(|_| None)?;
        Ok(Self::Leaf {
            path: StatePath::parse(path).map_err(Some)?,
            test: Test::new(operator, object.get("value").cloned()),
        })
    }

    /// Whether the condition holds for this state; parts are looked at from left to right, no more than
    /// needed.
    ///
    /// # Errors
    /// `PATTERN_LIMIT`, see [`Pattern::is_match`].
    pub fn holds(&self, state: &Object) -> Result<bool, StateError> {
        match self {
            Self::All(parts) => {
                for part in parts {
                    if !part.holds(state)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Self::Any(parts) => {
                for part in parts {
                    if part.holds(state)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Self::Not(inner) => Ok(!inner.holds(state)?),
            Self::Leaf { path, test } => test.passes(state::get(state, path.segments())),
        }
    }

    /// Calls `visit` for this condition and all within it, outermost first.
    pub fn visit<'c>(&'c self, visit: &mut impl FnMut(&'c Condition)) {
        visit(self);
        match self {
            Self::All(parts) | Self::Any(parts) => {
                parts.iter().for_each(|part| part.visit(visit));
            }
            Self::Not(inner) => inner.visit(visit),
            Self::Leaf { .. } => {}
        }
    }
}

fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(number) => *number != 0.0 && !number.is_nan(),
        Value::String(text) => !text.is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}

fn compare(operator: Operator, actual: &Value, operand: Option<&Value>) -> bool {
    match operator {
        Operator::Eq => Some(actual) == operand,
        Operator::Ne => Some(actual) != operand,
        Operator::Includes => operand.is_some_and(|operand| includes(actual, operand)),
        Operator::Gt => is_ordered(actual, operand, |order| order == Ordering::Greater),
        Operator::Gte => is_ordered(actual, operand, |order| order != Ordering::Less),
        Operator::Lt => is_ordered(actual, operand, |order| order == Ordering::Less),
        Operator::Lte => is_ordered(actual, operand, |order| order != Ordering::Greater),
        // Their operands are kept apart, see `Test::new`; a pattern that is no string matches nothing.
        Operator::Exists | Operator::Truthy | Operator::Matches => false,
    }
}

fn is_ordered(a: &Value, b: Option<&Value>, test: impl Fn(Ordering) -> bool) -> bool {
    let order = match (a, b) {
        (Value::Number(a), Some(Value::Number(b))) => a.partial_cmp(b),
        (Value::String(a), Some(Value::String(b))) => Some(text::compare(a, b)),
        _ => None,
    };
    order.is_some_and(test)
}

fn includes(container: &Value, value: &Value) -> bool {
    match (container, value) {
        (Value::String(text), Value::String(part)) => text.contains(part.as_str()),
        (Value::Array(items), value) => items.contains(value),
        (Value::Object(object), Value::String(name)) => object.contains(name),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(condition: &str, state: &str) -> bool {
        let condition = Condition::from_value(&Value::from_json(condition).unwrap()).unwrap();
        let state = Value::from_json(state).unwrap();
        condition.holds(state.as_object().unwrap()).unwrap()
    }

    #[test]
    fn a_missing_value_is_not_null_and_equals_nothing() {
        assert!(!holds(r#"{"path":"a","op":"eq","value":null}"#, "{}"));
        assert!(holds(r#"{"path":"a","op":"ne","value":null}"#, "{}"));
        assert!(holds(
            r#"{"path":"a","op":"eq","value":null}"#,
            r#"{"a":null}"#
        ));
        assert!(!holds(r#"{"path":"a.b","op":"exists"}"#, r#"{"a":null}"#));
    }

    #[test]
    fn containers_are_equal_whatever_the_order_of_their_names() {
        assert!(holds(
            r#"{"path":"a","op":"eq","value":{"x":-0,"y":[1]}}"#,
            r#"{"a":{"y":[1.0],"x":0}}"#
        ));
        assert!(!holds(
            r#"{"path":"a","op":"eq","value":"1"}"#,
            r#"{"a":1}"#
        ));
    }

    #[test]
    fn strings_are_ordered_by_code_units_and_never_by_collation() {
        assert!(holds(
            r#"{"path":"a","op":"lt","value":"a"}"#,
            r#"{"a":"B"}"#
        ));
        assert!(holds(
            r#"{"path":"a","op":"lt","value":"\uff00"}"#,
            r#"{"a":"\ud83d\ude00"}"#
        ));
    }

    #[test]
    fn inherited_names_are_in_no_object() {
        for condition in [
            r#"{"path":"toString","op":"exists"}"#,
            r#"{"path":"valueOf","op":"truthy"}"#,
            r#"{"path":"obj","op":"includes","value":"toString"}"#,
        ] {
            assert!(!holds(condition, r#"{"obj":{}}"#), "{condition}");
        }
    }

    #[test]
    fn a_search_that_takes_too_long_is_an_error_and_not_an_answer() {
        let slow = Test::new(
            Operator::Matches,
            Some(Value::from("^(?=(a+)+$)(?:(a|aa)+)+\\2b$")),
        );
        let text = Value::String("a".repeat(200));
        assert_eq!(slow.passes(Some(&text)), Err(StateError::PatternLimit));
    }
}
