//! Canonical JSON text (spec 2.1): what digests are taken of. Knows values and their order, nothing
//! about who hashes them.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write};

use crate::code::Code;
use crate::collation;
use crate::digest::{Digest, Hasher};
use crate::error::Error;
use crate::json::{DEPTH_LIMIT, Object, Value};

impl Value {
    /// The canonical text (spec 2.1).
    ///
    /// ```
    /// use agent_graph_runtime::json::Value;
    /// let value = Value::from_json(r#"{"b": 1.0, "10": -0, "a": [1e21], "9": "é\u002f"}"#)?;
    /// assert_eq!(value.canonical()?, r#"{"9":"é/","10":0,"a":[1e+21],"b":1}"#);
    /// # Ok::<(), agent_graph_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    /// `input-limit` when the value nests more than [`DEPTH_LIMIT`] levels, `json-invalid` when it
    /// holds a number that is not finite, `feature-required` when names beyond ASCII have to be put
    /// in order and feature `unicode-collation` is off.
    pub fn canonical(&self) -> Result<String, Error> {
        let mut text = String::new();
        write_value(self, &mut text)?;
        Ok(text)
    }
}

impl Object {
    /// The canonical text (spec 2.1).
    ///
    /// # Errors
    /// As [`Value::canonical`].
    pub fn canonical(&self) -> Result<String, Error> {
        let mut text = String::new();
        write_object(self, &mut text)?;
        Ok(text)
    }
}

impl Digest {
    /// The digest of the value's canonical text (spec 2.2).
    ///
    /// ```
    /// use agent_graph_runtime::{Digest, json::Value};
    /// assert_eq!(Digest::of_value(&Value::from_json("{ }")?)?, Digest::of_bytes(b"{}"));
    /// # Ok::<(), agent_graph_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Value::canonical`].
    pub fn of_value(value: &Value) -> Result<Self, Error> {
        let mut hasher = Hasher::new();
        write_value(value, &mut hasher)?;
        Ok(hasher.finish())
    }
}

/// Writes the canonical text of a value.
pub(crate) fn write_value(value: &Value, out: &mut impl Write) -> Result<(), Error> {
    Writer {
        out,
        levels: DEPTH_LIMIT,
    }
    .value(value)
}

/// Writes the canonical text of an object.
pub(crate) fn write_object(object: &Object, out: &mut impl Write) -> Result<(), Error> {
    Writer {
        out,
        levels: DEPTH_LIMIT,
    }
    .object(object)
}

/// Writes a finite number as ECMAScript prints it; `-0` is `0`.
pub(crate) fn write_number(number: f64, out: &mut impl Write) -> fmt::Result {
    out.write_str(ryu_js::Buffer::new().format_finite(number))
}

/// Writes a string in quotes.
pub(crate) fn write_string(text: &str, out: &mut impl Write) -> fmt::Result {
    out.write_char('"')?;
    let mut rest = text;
    while let Some(at) = rest.bytes().position(has_to_be_escaped) {
        // Only ASCII is escaped, so neither cut is inside a character.
        let (plain, tail) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.write_str(plain)?;
        let mut tail = tail.chars();
        write_escape(tail.next().unwrap_or_default(), out)?;
        rest = tail.as_str();
    }
    out.write_str(rest)?;
    out.write_char('"')
}

fn has_to_be_escaped(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\' | 0..=0x1f)
}

fn write_escape(character: char, out: &mut impl Write) -> fmt::Result {
    match character {
        '"' => out.write_str("\\\""),
        '\\' => out.write_str("\\\\"),
        '\u{8}' => out.write_str("\\b"),
        '\u{c}' => out.write_str("\\f"),
        '\n' => out.write_str("\\n"),
        '\r' => out.write_str("\\r"),
        '\t' => out.write_str("\\t"),
        other => write!(out, "\\u{:04x}", u32::from(other)),
    }
}

struct Writer<'w, W> {
    out: &'w mut W,
    /// How many more levels may open; bounds the recursion.
    levels: u32,
}

impl<W: Write> Writer<'_, W> {
    fn value(&mut self, value: &Value) -> Result<(), Error> {
        match value {
            Value::Null => self.text("null"),
            Value::Bool(true) => self.text("true"),
            Value::Bool(false) => self.text("false"),
            Value::Number(number) if number.is_finite() => {
                write_number(*number, self.out).map_err(output_full)
            }
            Value::Number(_) => Err(Error::new(Code::JsonInvalid, "a number is not finite")),
            Value::String(text) => write_string(text, self.out).map_err(output_full),
            Value::Array(items) => self.array(items),
            Value::Object(object) => self.object(object),
        }
    }

    fn array(&mut self, items: &[Value]) -> Result<(), Error> {
        self.begin("[")?;
        let mut separator = "";
        for item in items {
            self.text(separator)?;
            self.value(item)?;
            separator = ",";
        }
        self.end("]")
    }

    fn object(&mut self, object: &Object) -> Result<(), Error> {
        self.begin("{")?;
        let mut separator = "";
        let members: Vec<(&str, &Value)> = object.iter().collect();
        let order = order(object.names())?;
        for (name, value) in order.into_iter().filter_map(|at| members.get(at).copied()) {
            self.text(separator)?;
            write_string(name, self.out).map_err(output_full)?;
            self.text(":")?;
            self.value(value)?;
            separator = ",";
        }
        self.end("}")
    }

    fn begin(&mut self, bracket: &str) -> Result<(), Error> {
        self.levels = self.levels.checked_sub(1).ok_or_else(too_deep)?;
        self.text(bracket)
    }

    fn end(&mut self, bracket: &str) -> Result<(), Error> {
        self.levels += 1;
        self.text(bracket)
    }

    fn text(&mut self, text: &str) -> Result<(), Error> {
        self.out.write_str(text).map_err(output_full)
    }
}

/// The positions of names in canonical order: array indices in numeric order, then the others in
/// collation order; names that compare equal stay in their order.
pub(crate) fn order<'n>(names: impl Iterator<Item = &'n str>) -> Result<Vec<usize>, Error> {
    let mut indices: Vec<(u32, usize)> = Vec::new();
    let mut others: Vec<(&str, usize)> = Vec::new();
    for (position, name) in names.enumerate() {
        match array_index(name) {
            Some(index) => indices.push((index, position)),
            None => others.push((name, position)),
        }
    }
    indices.sort_unstable();
    let order = collation::order(others.iter().map(|(name, _)| *name))?;
    let others = order.into_iter().filter_map(|at| others.get(at));
    let indices = indices.iter().map(|&(_, position)| position);
    Ok(indices
        .chain(others.map(|&(_, position)| position))
        .collect())
}

/// The array index that the name spells: the decimal form, without leading zeros or sign, of an
/// integer up to 4294967294.
pub(crate) fn array_index(name: &str) -> Option<u32> {
    let canonical = name == "0" || !name.starts_with('0');
    if !canonical || !name.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    name.parse().ok().filter(|&index| index != u32::MAX)
}

pub(crate) fn too_deep() -> Error {
    Error::new(
        Code::InputLimit,
        alloc::format!("arrays and objects nest more than {DEPTH_LIMIT} levels deep"),
    )
}

/// Neither a `String` nor a hasher is ever full; a writer of another kind may be.
fn output_full(_: fmt::Error) -> Error {
    Error::new(Code::InputLimit, "the output takes no more text")
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::ToString;

    use super::*;

    fn canonical(text: &str) -> String {
        Value::from_json(text).unwrap().canonical().unwrap()
    }

    #[test]
    fn members_are_ordered_by_index_then_collation() {
        for (text, expected, digest) in [
            (
                "{}",
                "{}",
                "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
            ),
            (
                r#"{"B":1,"a":2,"A":3,"b":4,"_":5,"-":6,".":7,"/":8}"#,
                r#"{"_":5,"-":6,".":7,"/":8,"a":2,"A":3,"b":4,"B":1}"#,
                "af9dd59358f066c348c1612945d3622193ff18b7eca68716ba28707d3e7e081c",
            ),
            (
                r#"{"b":1,"10":2,"9":3,"a":4,"01":5,"-1":6,"1.5":7}"#,
                r#"{"9":3,"10":2,"-1":6,"01":5,"1.5":7,"a":4,"b":1}"#,
                "44714c207b51b47aecab56b2067610c0fdefab98114425bb5105ef0ae733f231",
            ),
            (
                r#"{"4294967295":1,"4294967294":2,"a":3}"#,
                r#"{"4294967294":2,"4294967295":1,"a":3}"#,
                "70ef127592a7a67dd93045afa233e1c4301a0cc529acbaf6d70dcfbd025f4ade",
            ),
            (
                r#"{"main/work":"completed","main/sub>child/a":"failed","main.x/work":"partial","main-x/work":"skipped","Main/work":"pending"}"#,
                r#"{"main-x/work":"skipped","main.x/work":"partial","main/sub>child/a":"failed","main/work":"completed","Main/work":"pending"}"#,
                "70a634dbe22d92c5806358d11cdc611e6493199d622284136efc82feef80d15d",
            ),
        ] {
            assert_eq!(canonical(text), expected);
            let value = Value::from_json(text).unwrap();
            let computed = Digest::of_value(&value).unwrap();
            assert_eq!(computed.to_string(), format!("sha256:{digest}"));
        }
    }

    #[cfg(feature = "unicode-collation")]
    #[test]
    fn members_beyond_ascii_are_ordered_among_the_others() {
        assert_eq!(
            canonical(r#"{"é":1,"e":2,"f":3,"ä":5,"a":6,"ß":8,"ss":9,"ñ":10,"n":11,"o":12}"#),
            r#"{"a":6,"ä":5,"e":2,"é":1,"f":3,"n":11,"ñ":10,"o":12,"ss":9,"ß":8}"#
        );
    }

    #[test]
    fn numbers_are_printed_as_ecmascript_prints_them() {
        assert_eq!(
            canonical(
                "[0,-0,1,1.5,1e21,1e-7,123456789012345680000,0.30000000000000004,9007199254740993,1e20,5e-324,0.000001,-1.50e+3]"
            ),
            "[0,0,1,1.5,1e+21,1e-7,123456789012345680000,0.30000000000000004,9007199254740992,100000000000000000000,5e-324,0.000001,-1500]"
        );
    }

    #[test]
    fn only_quotes_backslashes_and_controls_are_escaped() {
        assert_eq!(
            canonical(r#""\"\\\/\b\f\n\r\t\u0000\u001F\u007f\u2028é😀""#),
            "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\u{7f}\u{2028}é😀\""
        );
    }

    #[test]
    fn names_that_compare_equal_stay_in_source_order() {
        assert_eq!(
            canonical(r#"{"b":0,"\u0001a":1,"a":2,"a\u007f":3}"#),
            "{\"\\u0001a\":1,\"a\":2,\"a\u{7f}\":3,\"b\":0}"
        );
    }

    #[test]
    fn what_canonical_text_cannot_hold_is_refused() {
        let infinite = Value::Number(f64::INFINITY).canonical().unwrap_err();
        assert_eq!(infinite.code(), Code::JsonInvalid);
        let nested =
            |levels| (0..levels).fold(Value::Null, |value, _| Value::Array(alloc::vec![value]));
        assert!(nested(DEPTH_LIMIT).canonical().is_ok());
        let deep = nested(DEPTH_LIMIT + 1).canonical().unwrap_err();
        assert_eq!(deep.code(), Code::InputLimit);
    }

    #[test]
    fn array_indices_are_integers_up_to_two_below_two_to_the_32() {
        assert_eq!(array_index("0"), Some(0));
        assert_eq!(array_index("4294967294"), Some(4_294_967_294));
        for name in [
            "",
            "00",
            "01",
            "-1",
            "+1",
            "1.0",
            "4294967295",
            "99999999999",
            "１",
        ] {
            assert_eq!(array_index(name), None, "{name}");
        }
    }
}
