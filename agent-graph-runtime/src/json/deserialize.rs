//! Reads values from any `serde` source, with the rules of JSON text: finite numbers, bounded depth,
//! of repeated names the last value in the first one's place. Knows the private mark that
//! `serde_json` leaves on numbers.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde_core::de::{
    self, Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor,
};

use super::from_serialize::{NUMBER_TOKEN, number_from_text, widen};
use super::object::Object;
use super::read::DEPTH_LIMIT;
use super::value::Value;
use crate::canonical::too_deep;

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Nested::NEW.deserialize(deserializer)
    }
}

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Object(object) => Ok(object),
            _ => Err(de::Error::custom("a JSON object is expected")),
        }
    }
}

/// Reads a value; says how much deeper it may go.
#[derive(Clone, Copy)]
struct Nested {
    /// How many more arrays and objects may open.
    levels: u32,
    /// How many more calls may nest, those included that add nothing.
    calls: u32,
}

impl Nested {
    const NEW: Self = Self {
        levels: DEPTH_LIMIT,
        calls: DEPTH_LIMIT * 2,
    };

    fn inside<E: de::Error>(self) -> Result<Self, E> {
        let levels = self.levels.checked_sub(1);
        let levels = levels.ok_or_else(|| E::custom(too_deep().message()))?;
        Self { levels, ..self }.wrapped()
    }

    fn wrapped<E: de::Error>(self) -> Result<Self, E> {
        let calls = self.calls.checked_sub(1);
        let calls = calls.ok_or_else(|| E::custom(too_deep().message()))?;
        Ok(Self { calls, ..self })
    }
}

impl<'de> DeserializeSeed<'de> for Nested {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

macro_rules! integers {
    ( $( $method:ident: $type:ty, )+ ) => {
        $(
            fn $method<E: de::Error>(self, number: $type) -> Result<Value, E> {
                // `as` rounds to the nearest double.
                Ok(Value::Number(number as f64))
            }
        )+
    };
}

impl<'de> Visitor<'de> for Nested {
    type Value = Value;

    integers! {
        visit_i64: i64,
        visit_u64: u64,
        visit_i128: i128,
        visit_u128: u128,
    }

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_f32<E: de::Error>(self, number: f32) -> Result<Value, E> {
        self.visit_f64(widen(number))
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Value, E> {
        if number.is_finite() {
            Ok(Value::Number(number))
        } else {
            Err(E::custom("JSON has no NaN and no infinities"))
        }
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::from(text))
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<Value, E> {
        Ok(Value::String(text))
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Value, E> {
        self.inside::<E>()?;
        let numbers = bytes.iter().map(|&byte| Value::Number(f64::from(byte)));
        Ok(Value::Array(numbers.collect()))
    }

    fn visit_unit<E: de::Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E: de::Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.wrapped()?.deserialize(deserializer)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<Value, D::Error> {
        self.wrapped()?.deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Value, A::Error> {
        let inside = self.inside()?;
        let mut items = Vec::new();
        while let Some(item) = sequence.next_element_seed(inside)? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let first = map.next_key::<String>()?;
        if first.as_deref() == Some(NUMBER_TOKEN) {
            let text = map.next_value::<String>()?;
            return number_from_text(&text).map_err(|error| {
                de::Error::custom(format!("{text:?} is not a number: {}", error.message()))
            });
        }
        let inside = self.inside()?;
        let mut members = Vec::new();
        let mut next = first;
        while let Some(name) = next {
            members.push((name, map.next_value_seed(inside)?));
            next = map.next_key()?;
        }
        Ok(Value::Object(Object::from_members(members)))
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use serde::de::value::{Error, F32Deserializer, MapDeserializer, SeqDeserializer};

    use super::*;

    fn token(text: &'static str) -> Result<Value, Error> {
        Value::deserialize(MapDeserializer::new([(NUMBER_TOKEN, text)].into_iter()))
    }

    #[test]
    fn a_value_read_by_another_reader_is_the_one_read_by_ours() {
        let text = r#"{"b":[1,-0.5,9007199254740993,1e300,null],"a":{"x":true,"é":"\n"},"b":2}"#;
        let value: Value = serde_json::from_str(text).unwrap();
        assert_eq!(value, Value::from_json(text).unwrap());
        assert!(value.as_object().unwrap().names().eq(["b", "a"]));
    }

    #[test]
    fn numbers_kept_as_text_are_numbers() {
        assert_eq!(
            token("9007199254740993"),
            Ok(Value::Number(9_007_199_254_740_992.0))
        );
        assert!(token("1e999").is_err());
        assert!(token("null").is_err());
    }

    #[test]
    fn an_f32_is_the_number_its_shortest_text_spells() {
        let number = Value::deserialize(F32Deserializer::<Error>::new(0.1));
        assert_eq!(number, Ok(Value::Number(0.1)));
        assert!(Value::deserialize(F32Deserializer::<Error>::new(f32::NAN)).is_err());
    }

    #[test]
    fn of_repeated_names_the_last_value_stands_in_the_first_ones_place() {
        let members = vec![("b", 1), ("a", 2), ("b", 3)];
        let object = Object::deserialize(MapDeserializer::<_, Error>::new(members.into_iter()));
        let object = object.unwrap();
        assert!(object.names().eq(["b", "a"]));
        assert_eq!(object.get("b"), Some(&Value::Number(3.0)));
    }

    #[test]
    fn nesting_is_bounded_whatever_the_source_allows() {
        struct Endless;

        impl<'de> de::IntoDeserializer<'de, Error> for Endless {
            type Deserializer = SeqDeserializer<core::iter::Once<Endless>, Error>;

            fn into_deserializer(self) -> Self::Deserializer {
                SeqDeserializer::new(core::iter::once(Endless))
            }
        }

        let endless = de::IntoDeserializer::into_deserializer(Endless);
        assert!(Value::deserialize(endless).is_err());
    }
}
