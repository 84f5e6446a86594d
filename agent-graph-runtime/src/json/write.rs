//! JSON text with members in source order, compact or indented as ECMAScript's writer does it. What is
//! hashed is written elsewhere, in canonical order.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write};

use super::{Object, Value};
use crate::canonical;

/// Compact JSON text, members in source order. A number that is not finite is written as `null`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(self, None, f)
    }
}

/// Compact JSON text, members in source order.
impl fmt::Display for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_container(Open::object(self), None, f)
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
        let _ = write(self, Some("  "), &mut text);
        text
    }
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
    fn object(object: &'v Object) -> Self {
        let rest = Rest::Members(Box::new(object.iter()));
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

fn write(value: &Value, indent: Option<&str>, out: &mut impl Write) -> fmt::Result {
    match container(value) {
        Some(open) => write_container(open, indent, out),
        None => write_scalar(value, out),
    }
}

fn write_container<'v>(open: Open<'v>, indent: Option<&str>, out: &mut impl Write) -> fmt::Result {
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
                new_line(indent, depth, out)?;
                if let Some(name) = name {
                    canonical::write_string(name, out)?;
                    out.write_str(if indent.is_some() { ": " } else { ":" })?;
                }
                match container(value) {
                    Some(open) => opened = Some(open),
                    None => write_scalar(value, out)?,
                }
            }
            None => {
                if !top.empty {
                    new_line(indent, depth - 1, out)?;
                }
                out.write_char(top.brackets.1)?;
                stack.pop();
            }
        }
    }
}

fn container(value: &Value) -> Option<Open<'_>> {
    match value {
        Value::Array(items) => Some(Open::array(items)),
        Value::Object(object) => Some(Open::object(object)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

fn write_scalar(value: &Value, out: &mut impl Write) -> fmt::Result {
    match value {
        Value::Bool(value) => out.write_str(if *value { "true" } else { "false" }),
        Value::Number(number) if number.is_finite() => canonical::write_number(*number, out),
        Value::String(text) => canonical::write_string(text, out),
        _ => out.write_str("null"),
    }
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
