//! Values and objects as `serde` sees them. Knows nothing about canonical text: members go out in
//! source order.

use serde_core::ser::{Error as _, Serialize, SerializeMap, SerializeSeq, Serializer};

use super::object::Object;
use super::read::DEPTH_LIMIT;
use super::value::Value;

/// The largest integer up to which every integer is a double of its own.
const MAX_SAFE_INTEGER: i64 = (1 << 53) - 1;

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Nested(self, DEPTH_LIMIT).serialize(serializer)
    }
}

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_object(self, DEPTH_LIMIT, serializer)
    }
}

/// A value, and how many more levels may open inside.
struct Nested<'v>(&'v Value, u32);

impl Serialize for Nested<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Number(number) => serialize_number(*number, serializer),
            Value::String(text) => serializer.serialize_str(text),
            Value::Array(items) => {
                let levels = inside::<S>(self.1)?;
                let mut array = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    array.serialize_element(&Nested(item, levels))?;
                }
                array.end()
            }
            Value::Object(object) => serialize_object(object, self.1, serializer),
        }
    }
}

fn serialize_object<S: Serializer>(
    object: &Object,
    levels: u32,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let levels = inside::<S>(levels)?;
    let mut map = serializer.serialize_map(Some(object.len()))?;
    for (name, value) in object.iter() {
        map.serialize_entry(name, &Nested(value, levels))?;
    }
    map.end()
}

/// Integers as such, so that a writer of text does not put `.0` behind them.
fn serialize_number<S: Serializer>(number: f64, serializer: S) -> Result<S::Ok, S::Error> {
    match exact_integer(number) {
        Some(integer) => serializer.serialize_i64(integer),
        None if number.is_finite() => serializer.serialize_f64(number),
        None => Err(S::Error::custom("JSON has no NaN and no infinities")),
    }
}

/// The integer that the number is, where neighbours of it are doubles too.
pub(super) fn exact_integer(number: f64) -> Option<i64> {
    // `as` saturates, so a number out of range does not come back equal.
    let integer = number as i64;
    let exact =
        integer as f64 == number && integer.unsigned_abs() <= MAX_SAFE_INTEGER.unsigned_abs();
    exact.then_some(integer)
}

fn inside<S: Serializer>(levels: u32) -> Result<u32, S::Error> {
    levels
        .checked_sub(1)
        .ok_or_else(|| S::Error::custom(crate::canonical::too_deep().message()))
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    #[test]
    fn members_go_out_in_source_order_and_integers_without_a_fraction() {
        let text = r#"{"b":[1,-0.5,9007199254740991,1e300,null],"a":{"x":true,"é":"\n"}}"#;
        let value = Value::from_json(text).unwrap();
        assert_eq!(
            serde_json::to_string(&value).unwrap(),
            text.replace("1e300", "1e+300")
        );
    }

    #[test]
    fn what_json_cannot_hold_is_an_error() {
        assert!(serde_json::to_string(&Value::Number(f64::NAN)).is_err());
        let deep = (0..=DEPTH_LIMIT).fold(Value::Null, |value, _| Value::Array(vec![value]));
        assert!(serde_json::to_string(&deep).is_err());
    }
}
