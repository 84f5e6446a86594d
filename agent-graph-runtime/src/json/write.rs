//! JSON text with members in source order, compact or indented as ECMAScript's writer does it. What is
//! hashed is written elsewhere, in canonical order.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write};

use super::{Object, Value};
use crate::canonical;
use crate::ordered;
#[cfg(any(feature = "runs", feature = "materialize"))]
use crate::{Code, Error};

/// Compact JSON text, members in source order. A number that is not finite is written as `null`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(self, Style::COMPACT, f)
    }
}

/// Compact JSON text, members in source order.
impl fmt::Display for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let style = Style::COMPACT;
        write_container(Open::object(self, style), style, f)
    }
}

impl Value {
    /// JSON text indented by two blanks a level, without a final line feed.
    ///
    /// ```
    /// use agent_graph_runtime::json::Value;
    /// let value = Value::from_json(r#"{"b":[1,{}],"a":[]}"#)?;
    /// assert_eq!(
    ///     value.to_json_indented(),
    ///     "{\n  \"b\": [\n    1,\n    {}\n  ],\n  \"a\": []\n}",
    /// );
    /// # Ok::<(), agent_graph_runtime::Error>(())
    /// ```
    pub fn to_json_indented(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = write(self, Style::INDENTED, &mut text);
        text
    }
}

/// The text of `JSON.stringify(value)`: on one line, array indices in numeric order before the other
/// members, as ECMAScript keeps objects.
///
/// # Errors
/// `json-invalid` when a number is not finite.
#[cfg(feature = "materialize")]
pub(crate) fn stringify(value: &Value) -> Result<String, Error> {
    let style = Style {
        ecmascript: true,
        ..Style::COMPACT
    };
    let mut text = String::new();
    write(value, style, &mut text).map_err(not_finite)?;
    Ok(text)
}

/// The text of `JSON.stringify(object, null, 2)`, and a final line end.
///
/// # Errors
/// `json-invalid` when a number is not finite.
#[cfg(any(feature = "runs", feature = "materialize"))]
pub(crate) fn stringify_file(object: &Object) -> Result<String, Error> {
    let style = Style {
        ecmascript: true,
        ..Style::INDENTED
    };
    let mut text = String::new();
    write_container(Open::object(object, style), style, &mut text).map_err(not_finite)?;
    text.push('\n');
    Ok(text)
}

/// Writing to a string fails for no other reason.
#[cfg(any(feature = "runs", feature = "materialize"))]
fn not_finite(_: fmt::Error) -> Error {
    Error::new(Code::JsonInvalid, "a number is not finite")
}

/// How the text looks.
#[derive(Clone, Copy)]
struct Style {
    indent: Option<&'static str>,
    /// Members in the order of ECMAScript objects instead of source order, and numbers that are not
    /// finite refused instead of written as `null`.
    ecmascript: bool,
}

impl Style {
    const COMPACT: Self = Self {
        indent: None,
        ecmascript: false,
    };
    const INDENTED: Self = Self {
        indent: Some("  "),
        ecmascript: false,
    };
}

/// A container that is being written. An explicit stack of these, because a value that a host has built
/// can be nested deeper than the thread's stack.
struct Open<'v> {
    brackets: (char, char),
    rest: Rest<'v>,
    empty: bool,
}

enum Rest<'v> {
    Items(core::slice::Iter<'v, Value>),
    Members(Box<dyn Iterator<Item = (&'v str, &'v Value)> + 'v>),
}

impl<'v> Open<'v> {
    fn object(object: &'v Object, style: Style) -> Self {
        let rest = Rest::Members(if style.ecmascript {
            Box::new(ecmascript_order(object).into_iter())
        } else {
            Box::new(object.iter())
        });
        Self {
            brackets: ('{', '}'),
            rest,
            empty: object.is_empty(),
        }
    }

    fn array(items: &'v [Value]) -> Self {
        Self {
            brackets: ('[', ']'),
            rest: Rest::Items(items.iter()),
            empty: items.is_empty(),
        }
    }

    fn next(&mut self) -> Option<(Option<&'v str>, &'v Value)> {
        match &mut self.rest {
            Rest::Items(items) => items.next().map(|value| (None, value)),
            Rest::Members(members) => members.next().map(|(name, value)| (Some(name), value)),
        }
    }
}

fn write(value: &Value, style: Style, out: &mut impl Write) -> fmt::Result {
    match container(value, style) {
        Some(open) => write_container(open, style, out),
        None => write_scalar(value, style, out),
    }
}

fn write_container<'v>(open: Open<'v>, style: Style, out: &mut impl Write) -> fmt::Result {
    let mut stack: Vec<Open<'v>> = Vec::new();
    let mut opened = Some(open);
    loop {
        let first = opened.is_some();
        if let Some(open) = opened.take() {
            out.write_char(open.brackets.0)?;
            stack.push(open);
        }
        let depth = stack.len();
        let Some(top) = stack.last_mut() else {
            return Ok(());
        };
        match top.next() {
            Some((name, value)) => {
                if !first {
                    out.write_char(',')?;
                }
                new_line(style.indent, depth, out)?;
                if let Some(name) = name {
                    canonical::write_string(name, out)?;
                    out.write_str(if style.indent.is_some() { ": " } else { ":" })?;
                }
                match container(value, style) {
                    Some(open) => opened = Some(open),
                    None => write_scalar(value, style, out)?,
                }
            }
            None => {
                if !top.empty {
                    new_line(style.indent, depth - 1, out)?;
                }
                out.write_char(top.brackets.1)?;
                stack.pop();
            }
        }
    }
}

fn container(value: &Value, style: Style) -> Option<Open<'_>> {
    match value {
        Value::Array(items) => Some(Open::array(items)),
        Value::Object(object) => Some(Open::object(object, style)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

fn write_scalar(value: &Value, style: Style, out: &mut impl Write) -> fmt::Result {
    match value {
        Value::Bool(value) => out.write_str(if *value { "true" } else { "false" }),
        Value::Number(number) if number.is_finite() => canonical::write_number(*number, out),
        Value::Number(_) if style.ecmascript => Err(fmt::Error),
        Value::String(text) => canonical::write_string(text, out),
        _ => out.write_str("null"),
    }
}

/// Array indices in numeric order, then the other members in source order.
fn ecmascript_order(object: &Object) -> Vec<(&str, &Value)> {
    let index = |name: &str| canonical::array_index(name);
    let mut members: Vec<(&str, &Value)> = object
        .iter()
        .filter(|(name, _)| index(name).is_some())
        .collect();
    ordered::sort_by(&mut members, |(a, _), (b, _)| index(a).cmp(&index(b)));
    members.extend(object.iter().filter(|(name, _)| index(name).is_none()));
    members
}

fn new_line(indent: Option<&str>, depth: usize, out: &mut impl Write) -> fmt::Result {
    let Some(indent) = indent else { return Ok(()) };
    out.write_char('\n')?;
    (0..depth).try_for_each(|_| out.write_str(indent))
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn members_keep_their_order_and_numbers_print_as_in_ecmascript() {
        let text = r#"{"b":[1,-0,1e21,true,null],"a":{"":"\u0001é"}}"#;
        let value = Value::from_json(text).expect("it is JSON");
        assert_eq!(
            value.to_string(),
            r#"{"b":[1,0,1e+21,true,null],"a":{"":"\u0001é"}}"#
        );
    }

    #[cfg(feature = "materialize")]
    #[test]
    fn ecmascript_puts_indices_first_and_the_others_in_their_own_order() {
        let text = r#"{"b":1,"10":{"z":0,"2":[]},"a":-0,"9":1e21,"01":"\u001f/\u007f\u2028é"}"#;
        let value = Value::from_json(text).expect("it is JSON");
        assert_eq!(
            stringify(&value).as_deref(),
            Ok(
                "{\"9\":1e+21,\"10\":{\"2\":[],\"z\":0},\"b\":1,\"a\":0,\"01\":\"\\u001f/\u{7f}\u{2028}é\"}"
            )
        );
    }

    #[cfg(feature = "runs")]
    #[test]
    fn a_file_has_two_spaces_a_level_and_a_final_line_end() {
        let value = Value::from_json(r#"{"b":[],"10":{},"c":[1,{"d":null}]}"#).expect("it is JSON");
        let object = value.as_object().expect("it is an object");
        assert_eq!(
            stringify_file(object).as_deref(),
            Ok(
                "{\n  \"10\": {},\n  \"b\": [],\n  \"c\": [\n    1,\n    {\n      \"d\": null\n    }\n  ]\n}\n"
            )
        );
        let mut object = Object::new();
        object.insert("a", f64::NAN);
        let refused = stringify_file(&object).expect_err("it is not finite");
        assert_eq!(refused.code(), Code::JsonInvalid);
    }

    #[test]
    fn a_value_nested_deeper_than_any_stack_is_written() {
        let mut value = Value::Null;
        for _ in 0..20_000 {
            value = Value::Array(alloc::vec![value]);
        }
        let text = value.to_string();
        assert_eq!(text.len(), 40_004);
        // Dropping it recursively is the concern of whoever built it.
        while let Value::Array(mut items) = value {
            value = items.pop().unwrap_or(Value::Null);
        }
    }
}
