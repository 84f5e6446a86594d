//! The two JSON texts of this family and the hash (spec 1.2, 1.3, 4.4). Sizes are counted on the compact
//! text without making it. Knows nothing about paths.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write};

use super::order;
use crate::canonical::{write_number, write_string};
use crate::digest::{Digest, Hasher};
use crate::json::{Object, Value};

/// The compact text.
///
/// ```
/// use agent_graph_runtime::{json::Value, pi};
/// let value = Value::from_json(r#"{"b": 1.0, "10": -0, "9": 1e-7}"#)?;
/// assert_eq!(pi::compact(&value), r#"{"9":1e-7,"10":0,"b":1}"#);
/// # Ok::<(), agent_graph_runtime::Error>(())
/// ```
pub fn compact(value: &Value) -> String {
    let mut text = String::new();
    // A string takes all text.
    let _ = Printer::new(&mut text, Style::Compact).value(value, 0);
    text
}

/// The bytes of the compact text.
pub fn compact_size(value: &Value) -> u64 {
    let mut count = Count(0);
    let _ = Printer::new(&mut count, Style::Compact).value(value, 0);
    count.0
}

/// The bytes of the compact text of an object.
pub(crate) fn compact_size_of(object: &Object) -> u64 {
    let mut count = Count(0);
    let _ = Printer::new(&mut count, Style::Compact).object(object, 0);
    count.0
}

/// The bytes of the compact text of a string.
pub(crate) fn compact_size_of_text(text: &str) -> u64 {
    let mut count = Count(0);
    let _ = write_string(text, &mut count);
    count.0
}

/// The text with two spaces of indentation, as templates and prompts show it.
pub fn pretty(value: &Value) -> String {
    let mut text = String::new();
    let _ = Printer::new(&mut text, Style::Pretty).value(value, 0);
    text
}

/// The hash of a value: of its compact text with the names of every object sorted.
///
/// ```
/// use agent_graph_runtime::{json::Value, pi};
/// let one = Value::from_json(r#"{"b":1,"a":2}"#)?;
/// let other = Value::from_json(r#"{"a":2,"b":1}"#)?;
/// assert_eq!(pi::hash(&one), pi::hash(&other));
/// # Ok::<(), agent_graph_runtime::Error>(())
/// ```
pub fn hash(value: &Value) -> Digest {
    let mut hasher = Hasher::new();
    let _ = Printer::new(&mut hasher, Style::Sorted).value(value, 0);
    hasher.finish()
}

struct Count(u64);

impl Write for Count {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len() as u64;
        Ok(())
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Compact,
    Sorted,
    Pretty,
}

struct Printer<'w, W> {
    out: &'w mut W,
    style: Style,
}

impl<'w, W: Write> Printer<'w, W> {
    fn new(out: &'w mut W, style: Style) -> Self {
        Self { out, style }
    }

    /// Recursion is bounded: the state refuses values that nest too deeply, and so does the JSON reader.
    fn value(&mut self, value: &Value, level: usize) -> fmt::Result {
        match value {
            Value::Null => self.out.write_str("null"),
            Value::Bool(true) => self.out.write_str("true"),
            Value::Bool(false) => self.out.write_str("false"),
            Value::Number(number) if number.is_finite() => write_number(*number, self.out),
            // As ECMAScript prints it; the state never holds such a number.
            Value::Number(_) => self.out.write_str("null"),
            Value::String(text) => write_string(text, self.out),
            Value::Array(items) => {
                self.out.write_char('[')?;
                for (index, item) in items.iter().enumerate() {
                    self.separate(index, level + 1)?;
                    self.value(item, level + 1)?;
                }
                self.close(items.len(), level, ']')
            }
            Value::Object(object) => self.object(object, level),
        }
    }

    fn object(&mut self, object: &Object, level: usize) -> fmt::Result {
        self.out.write_char('{')?;
        let members: Vec<(&str, &Value)> = match self.style {
            Style::Sorted => order::sorted_members(object),
            Style::Compact | Style::Pretty => order::members(object),
        };
        let colon = if self.style == Style::Pretty {
            ": "
        } else {
            ":"
        };
        for (index, (name, value)) in members.into_iter().enumerate() {
            self.separate(index, level + 1)?;
            write_string(name, self.out)?;
            self.out.write_str(colon)?;
            self.value(value, level + 1)?;
        }
        self.close(object.len(), level, '}')
    }

    fn separate(&mut self, index: usize, level: usize) -> fmt::Result {
        if index > 0 {
            self.out.write_char(',')?;
        }
        self.line(level)
    }

    fn close(&mut self, count: usize, level: usize, bracket: char) -> fmt::Result {
        if count > 0 {
            self.line(level)?;
        }
        self.out.write_char(bracket)
    }

    fn line(&mut self, level: usize) -> fmt::Result {
        if self.style == Style::Pretty {
            self.out.write_char('\n')?;
            for _ in 0..level {
                self.out.write_str("  ")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_hashed_by_code_units_and_never_by_collation() {
        let value = Value::from_json(r#"{"a":1,"B":2,"_":3}"#).unwrap();
        assert_eq!(
            value.canonical().unwrap(),
            r#"{"_":3,"a":1,"B":2}"#,
            "the provider family sorts by collation"
        );
        let sorted = r#"{"B":2,"_":3,"a":1}"#;
        assert_eq!(hash(&value), Digest::of_bytes(sorted.as_bytes()));
    }

    #[test]
    fn empty_containers_stay_on_one_line() {
        let value = Value::from_json(r#"{"a":[],"b":{},"c":[1,{"d":null}]}"#).unwrap();
        assert_eq!(
            pretty(&value),
            "{\n  \"a\": [],\n  \"b\": {},\n  \"c\": [\n    1,\n    {\n      \"d\": null\n    }\n  ]\n}"
        );
    }

    #[test]
    fn sizes_are_those_of_the_compact_text() {
        let value =
            Value::from_json(r#"{"é":[1e21,0.1,"\u2028\n😀"],"2":true,"1":false}"#).unwrap();
        assert_eq!(compact_size(&value), compact(&value).len() as u64);
        assert!(compact(&value).starts_with(r#"{"1":false,"2":true,"é""#));
    }
}
