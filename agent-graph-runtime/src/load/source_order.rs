//! JSON text with members in the order of their source, for what is handed on and not hashed.
//! Knows values only.

use alloc::string::String;

use crate::canonical::{write_number, write_string};
use crate::json::Value;

/// The value as JSON text without white space.
pub(super) fn source_order(value: &Value) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write(value, &mut text);
    text
}

/// The recursion ends: documents are not deeper than their limit.
fn write(value: &Value, out: &mut String) -> core::fmt::Result {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => write_number(*number, out)?,
        Value::String(text) => write_string(text, out)?,
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write(item, out)?;
            }
            out.push(']');
        }
        Value::Object(object) => {
            out.push('{');
            for (index, (name, value)) in object.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_string(name, out)?;
                out.push(':');
                write(value, out)?;
            }
            out.push('}');
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_keep_the_order_in_which_they_were_written() {
        let text = r#"{"b":[1,null,true],"10":"x\n","9":{}}"#;
        let value = Value::from_json(text).unwrap();
        assert_eq!(source_order(&value), text);
    }
}
