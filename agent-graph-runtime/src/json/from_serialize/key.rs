//! Turns the key of a map into a member name. Knows which keys have a text that is a name.

use alloc::string::{String, ToString};

use serde_core::ser::{Error as _, Impossible, Serialize, Serializer};

use super::Refused;

/// The serializer of keys.
pub(super) struct ToName;

fn no_name<T>() -> Result<T, Refused> {
    Err(Refused::custom(
        "the key of a map has to be a string, a character, an integer or a boolean",
    ))
}

macro_rules! as_text {
    ( $( $method:ident: $type:ty, )+ ) => {
        $(
            fn $method(self, value: $type) -> Result<String, Refused> {
                Ok(value.to_string())
            }
        )+
    };
}

macro_rules! refused {
    ( $( $method:ident( $( $argument:ty ),* ) -> $result:ty, )+ ) => {
        $(
            fn $method(self, $( _: $argument ),* ) -> Result<$result, Refused> {
                no_name()
            }
        )+
    };
}

impl Serializer for ToName {
    type Ok = String;
    type Error = Refused;
    type SerializeSeq = Impossible<String, Refused>;
    type SerializeTuple = Impossible<String, Refused>;
    type SerializeTupleStruct = Impossible<String, Refused>;
    type SerializeTupleVariant = Impossible<String, Refused>;
    type SerializeMap = Impossible<String, Refused>;
    type SerializeStruct = Impossible<String, Refused>;
    type SerializeStructVariant = Impossible<String, Refused>;

    as_text! {
        serialize_bool: bool,
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
        serialize_char: char,
        serialize_str: &str,
    }

    refused! {
        serialize_f32(f32) -> String,
        serialize_f64(f64) -> String,
        serialize_bytes(&[u8]) -> String,
        serialize_none() -> String,
        serialize_unit() -> String,
        serialize_unit_struct(&'static str) -> String,
        serialize_seq(Option<usize>) -> Self::SerializeSeq,
        serialize_tuple(usize) -> Self::SerializeTuple,
        serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct,
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Self::SerializeTupleVariant,
        serialize_map(Option<usize>) -> Self::SerializeMap,
        serialize_struct(&'static str, usize) -> Self::SerializeStruct,
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Self::SerializeStructVariant,
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
    ) -> Result<String, Refused> {
        Ok(String::from(name))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        key: &T,
    ) -> Result<String, Refused> {
        key.serialize(self)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<String, Refused> {
        no_name()
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<String, Refused> {
        no_name()
    }
}
