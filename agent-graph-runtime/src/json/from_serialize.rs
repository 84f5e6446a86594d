//! Turns anything that serializes into a [`Value`], as a JSON writer would and a reader then read it.
//! Knows the private marks that `serde_json` leaves on numbers and raw text, so that no feature
//! another crate switches on there changes what is hashed.

mod compound;
mod key;

use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;

use serde_core::ser::{self, Serialize, Serializer};

use self::compound::{Items, Members, Token};
use super::build::Builder;
use super::object::Object;
use super::read::{DEPTH_LIMIT, read};
use super::value::Value;
use crate::canonical::too_deep;
use crate::code::Code;
use crate::error::Error;

/// What `serde_json` calls a number with feature `arbitrary_precision`: a struct of this name with
/// one field of this name, which is the text of the number.
pub(super) const NUMBER_TOKEN: &str = "$serde_json::private::Number";

/// The same for text that is already JSON.
const RAW_VALUE_TOKEN: &str = "$serde_json::private::RawValue";

impl Value {
    /// The value that `source` serializes to, as if written to JSON text and read again: `None` and
    /// `()` are null, bytes an array of numbers, enums as `serde_json` has them. An `f32` is the
    /// number that its shortest text spells, integers are rounded to the nearest double, keys of
    /// maps are strings, characters, integers, booleans or names of unit variants.
    ///
    /// ```
    /// use agent_graph_runtime::json::Value;
    /// #[derive(serde::Serialize)]
    /// struct Build { passed: bool, share: f32, log: Option<String> }
    /// let value = Value::from_serialize(&Build { passed: true, share: 0.1, log: None })?;
    /// assert_eq!(value.canonical()?, r#"{"log":null,"passed":true,"share":0.1}"#);
    /// # Ok::<(), agent_graph_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    /// `json-invalid` for what is no JSON: NaN, infinities, other keys, an error of `source`;
    /// `input-limit` when the value nests too deeply.
    pub fn from_serialize<T: Serialize + ?Sized>(source: &T) -> Result<Self, Error> {
        source.serialize(ToValue::NEW).map_err(|error| error.0)
    }
}

/// Why a source has no value.
#[derive(Debug)]
struct Refused(Error);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.message())
    }
}

impl core::error::Error for Refused {}

impl ser::Error for Refused {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(Error::new(Code::JsonInvalid, message.to_string()))
    }
}

/// The serializer; says how much deeper it may go.
#[derive(Clone, Copy)]
struct ToValue {
    /// How many more arrays and objects may open.
    levels: u32,
    /// How many more calls may nest, those included that add nothing to the text.
    calls: u32,
}

impl ToValue {
    /// Twice the calls, because every level may be wrapped in an `Option` or a newtype.
    const NEW: Self = Self {
        levels: DEPTH_LIMIT,
        calls: DEPTH_LIMIT * 2,
    };

    /// The serializer of the items or members of an array or object.
    fn inside(self) -> Result<Self, Refused> {
        let levels = self.levels.checked_sub(1);
        let levels = levels.ok_or_else(|| Refused(too_deep()))?;
        Self { levels, ..self }.wrapped()
    }

    /// The serializer of what is wrapped without any text of its own.
    fn wrapped(self) -> Result<Self, Refused> {
        let calls = self.calls.checked_sub(1);
        let calls = calls.ok_or_else(|| Refused(too_deep()))?;
        Ok(Self { calls, ..self })
    }

    /// Text that is already JSON.
    fn raw(self, text: &str) -> Result<Value, Refused> {
        let mut builder = Builder::default();
        read(text, self.levels, &mut builder).map_err(|error| Refused(error.into_error(text)))?;
        Ok(builder.into_value().unwrap_or_default())
    }
}

/// Text of a number, as `serde_json` keeps it with feature `arbitrary_precision`.
pub(super) fn number_from_text(text: &str) -> Result<Value, Error> {
    match Value::from_json(text)? {
        number @ Value::Number(_) => Ok(number),
        _ => Err(Error::new(
            Code::JsonInvalid,
            format!("{text:?} is not a number"),
        )),
    }
}

/// The number that the shortest text of `number` spells; `f64::from` would show digits that nobody
/// wrote.
pub(super) fn widen(number: f32) -> f64 {
    // The text of every `f32` is the text of an `f64`.
    number
        .to_string()
        .parse()
        .unwrap_or_else(|_| f64::from(number))
}

fn finite(number: f64) -> Result<Value, Refused> {
    if number.is_finite() {
        Ok(Value::Number(number))
    } else {
        Err(ser::Error::custom("JSON has no NaN and no infinities"))
    }
}

/// The object of one member that stands for an enum variant with content.
fn variant(name: &str, content: impl Into<Value>) -> Value {
    let mut object = Object::new();
    object.insert(name, content);
    Value::Object(object)
}

macro_rules! integers {
    ( $( $method:ident: $type:ty, )+ ) => {
        $(
            fn $method(self, number: $type) -> Result<Value, Refused> {
                // `as` rounds to the nearest double.
                Ok(Value::Number(number as f64))
            }
        )+
    };
}

impl Serializer for ToValue {
    type Ok = Value;
    type Error = Refused;
    type SerializeSeq = Items;
    type SerializeTuple = Items;
    type SerializeTupleStruct = Items;
    type SerializeTupleVariant = Items;
    type SerializeMap = Members;
    type SerializeStruct = Members;
    type SerializeStructVariant = Members;

    integers! {
        serialize_i8: i8,
        serialize_i16: i16,
        serialize_i32: i32,
        serialize_i64: i64,
        serialize_i128: i128,
        serialize_u8: u8,
        serialize_u16: u16,
        serialize_u32: u32,
        serialize_u64: u64,
        serialize_u128: u128,
    }

    fn serialize_bool(self, value: bool) -> Result<Value, Refused> {
        Ok(Value::Bool(value))
    }

    fn serialize_f32(self, number: f32) -> Result<Value, Refused> {
        finite(widen(number))
    }

    fn serialize_f64(self, number: f64) -> Result<Value, Refused> {
        finite(number)
    }

    fn serialize_char(self, character: char) -> Result<Value, Refused> {
        Ok(Value::String(String::from(character)))
    }

    fn serialize_str(self, text: &str) -> Result<Value, Refused> {
        Ok(Value::from(text))
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<Value, Refused> {
        let numbers = bytes.iter().map(|&byte| Value::Number(f64::from(byte)));
        self.inside()?;
        Ok(Value::Array(numbers.collect()))
    }

    fn serialize_none(self) -> Result<Value, Refused> {
        Ok(Value::Null)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Value, Refused> {
        value.serialize(self.wrapped()?)
    }

    fn serialize_unit(self) -> Result<Value, Refused> {
        Ok(Value::Null)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Value, Refused> {
        Ok(Value::Null)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
    ) -> Result<Value, Refused> {
        Ok(Value::from(name))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<Value, Refused> {
        value.serialize(self.wrapped()?)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        value: &T,
    ) -> Result<Value, Refused> {
        Ok(variant(name, value.serialize(self.inside()?)?))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items, Refused> {
        // The length is a hint, and may be wrong: nothing is reserved for it.
        Items::new(self, None)
    }

    fn serialize_tuple(self, _: usize) -> Result<Items, Refused> {
        Items::new(self, None)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Items, Refused> {
        Items::new(self, None)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Items, Refused> {
        Items::new(self.inside()?, Some(name))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Members, Refused> {
        Members::new(self, None)
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Members, Refused> {
        let token = match name {
            NUMBER_TOKEN => Token::Number,
            RAW_VALUE_TOKEN => Token::RawValue,
            _ => return Members::new(self, None),
        };
        Ok(Members::of_token(self, token))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Members, Refused> {
        Members::new(self.inside()?, Some(name))
    }
}

#[cfg(test)]
mod tests {
    use alloc::boxed::Box;
    use alloc::collections::BTreeMap;
    use alloc::vec;
    use alloc::vec::Vec;

    use serde::Serialize;

    use super::*;

    fn canonical<T: Serialize + ?Sized>(source: &T) -> String {
        Value::from_serialize(source).unwrap().canonical().unwrap()
    }

    fn code<T: Serialize + ?Sized>(source: &T) -> Code {
        Value::from_serialize(source).unwrap_err().code()
    }

    /// A map as given, order and repetitions included.
    struct Pairs<K, V>(Vec<(K, V)>);

    impl<K: Serialize, V: Serialize> Serialize for Pairs<K, V> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
        }
    }

    struct Bytes;

    impl Serialize for Bytes {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_bytes(&[0, 255])
        }
    }

    #[derive(Serialize)]
    #[serde(rename = "$serde_json::private::Number")]
    struct NumberToken {
        #[serde(rename = "$serde_json::private::Number")]
        text: &'static str,
    }

    #[derive(Serialize)]
    #[serde(rename = "$serde_json::private::RawValue")]
    struct RawValueToken {
        #[serde(rename = "$serde_json::private::RawValue")]
        text: &'static str,
    }

    #[derive(Serialize)]
    enum Enum {
        Unit,
        Newtype(u8),
        Tuple(u8, u8),
        Struct { a: u8 },
    }

    #[derive(Serialize)]
    struct UnitStruct;

    #[derive(Serialize)]
    struct Chain(Option<Box<Chain>>);

    fn chain(length: u32) -> Chain {
        (0..length).fold(Chain(None), |inner, _| Chain(Some(Box::new(inner))))
    }

    #[test]
    fn the_result_is_what_a_json_writer_would_have_written() {
        let source = (
            (1_u8, -2_i64, 2.5_f64, 'c', "text", true),
            (Some(1), None::<u8>, (), UnitStruct, Bytes),
            [
                Enum::Unit,
                Enum::Newtype(1),
                Enum::Tuple(1, 2),
                Enum::Struct { a: 1 },
            ],
            BTreeMap::from([("b", vec![1]), ("a", vec![])]),
        );
        let written = serde_json::to_string(&source).unwrap();
        assert_eq!(Value::from_serialize(&source), Value::from_json(&written));
    }

    #[test]
    fn an_f32_is_the_number_its_shortest_text_spells() {
        assert_eq!(
            canonical(&[0.1_f32, 16_777_216.0, 1e-40, f32::MAX]),
            "[0.1,16777216,1e-40,3.4028235e+38]"
        );
    }

    #[test]
    fn integers_are_rounded_to_the_nearest_double() {
        assert_eq!(canonical(&9_007_199_254_740_993_u64), "9007199254740992");
        assert_eq!(canonical(&u64::MAX), "18446744073709552000");
        assert_eq!(canonical(&i64::MIN), "-9223372036854776000");
        assert_eq!(canonical(&u128::MAX), "3.402823669209385e+38");
        assert_eq!(canonical(&i128::MIN), "-1.7014118346046923e+38");
    }

    #[test]
    fn what_is_no_json_is_refused() {
        for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(code(&number), Code::JsonInvalid);
            assert_eq!(code(&[number as f32]), Code::JsonInvalid);
        }
        assert_eq!(code(&Pairs(vec![(vec![1], 1)])), Code::JsonInvalid);
        assert_eq!(code(&Pairs(vec![(1.5, 1)])), Code::JsonInvalid);
        assert_eq!(code(&Pairs(vec![(Some("a"), 1)])), Code::JsonInvalid);
        assert_eq!(code(&Pairs(vec![((), 1)])), Code::JsonInvalid);
    }

    #[test]
    fn map_keys_are_the_text_of_what_has_one() {
        assert_eq!(
            canonical(&Pairs(vec![(1_i128, 1), (-7, 2)])),
            r#"{"1":1,"-7":2}"#
        );
        assert_eq!(canonical(&Pairs(vec![(true, 1)])), r#"{"true":1}"#);
        assert_eq!(canonical(&Pairs(vec![('c', 1)])), r#"{"c":1}"#);
        assert_eq!(canonical(&Pairs(vec![(Enum::Unit, 1)])), r#"{"Unit":1}"#);
    }

    #[test]
    fn of_repeated_keys_the_last_value_stands_in_the_first_ones_place() {
        let value = Value::from_serialize(&Pairs(vec![("b", 1), ("a", 2), ("b", 3)])).unwrap();
        let members: Vec<_> = value.as_object().unwrap().iter().collect();
        assert_eq!(
            members,
            [("b", &Value::Number(3.0)), ("a", &Value::Number(2.0))]
        );
    }

    #[test]
    fn numbers_kept_as_text_are_numbers() {
        let number = |text| NumberToken { text };
        assert_eq!(canonical(&number("9007199254740993")), "9007199254740992");
        assert_eq!(canonical(&[number("-0"), number("1E2")]), "[0,100]");
        for text in ["1e999", "true", "", "[1]", "NaN"] {
            assert_eq!(code(&number(text)), Code::JsonInvalid, "{text}");
        }
    }

    #[test]
    fn raw_json_is_read_within_the_levels_that_are_left() {
        let raw = |text| RawValueToken { text };
        assert_eq!(
            canonical(&[raw(r#" {"b":1,"a":[1.0]} "#)]),
            r#"[{"a":[1],"b":1}]"#
        );
        assert_eq!(code(&raw("{")), Code::JsonInvalid);
        let deep: &'static str = Box::leak("[".repeat(128).into_boxed_str());
        assert_eq!(code(&raw(deep)), Code::JsonInvalid);
        assert_eq!(code(&[raw(deep)]), Code::InputLimit);
    }

    #[test]
    fn nesting_is_bounded_with_and_without_brackets() {
        let nested = |levels| (0..levels).fold(Value::Null, |value, _| Value::Array(vec![value]));
        assert!(Value::from_serialize(&nested(DEPTH_LIMIT)).is_ok());
        // `Value` itself refuses to go deeper, with an error of its own.
        assert!(Value::from_serialize(&nested(DEPTH_LIMIT + 1)).is_err());
        assert_eq!(canonical(&chain(100)), "null");
        assert_eq!(code(&chain(1000)), Code::InputLimit);
    }
}
