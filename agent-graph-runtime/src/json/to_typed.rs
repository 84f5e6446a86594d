//! Values as a `serde` source, so that a host reads them into types of its own. Knows nothing about what
//! the types mean.

use alloc::string::{String, ToString};
use core::fmt;

use serde_core::de::value::{MapAccessDeserializer, MapDeserializer, SeqDeserializer};
use serde_core::de::{self, DeserializeOwned, Deserializer, IntoDeserializer, Visitor};
use serde_core::forward_to_deserialize_any;

use super::object::Object;
use super::read::DEPTH_LIMIT;
use super::serialize::exact_integer;
use super::value::Value;
use crate::canonical::too_deep;
use crate::code::Code;
use crate::error::Error;

impl Value {
    /// The value as a type of the host. Numbers without a fraction are offered as integers.
    ///
    /// ```
    /// use agent_graph_runtime::json::Value;
    /// #[derive(serde::Deserialize)]
    /// struct Brief { words: u32, sections: Vec<String> }
    /// let brief: Brief = Value::from_json(r#"{"words": 400, "sections": ["summary"]}"#)?.to_typed()?;
    /// assert_eq!(brief.words, 400);
    /// # Ok::<(), agent_graph_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    /// `schema-invalid` when the value does not have the shape of the type, or nests too deeply.
    pub fn to_typed<T: DeserializeOwned>(&self) -> Result<T, Error> {
        T::deserialize(Nested(self, DEPTH_LIMIT * CALLS_A_LEVEL))
            .map_err(|unfit| Error::new(Code::SchemaInvalid, unfit.0))
    }
}

/// Why a value does not fit a type.
#[derive(Debug)]
pub(super) struct Unfit(String);

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for Unfit {}

impl de::Error for Unfit {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

/// How many calls may nest for each level of a value: one for itself, others for options and newtypes.
const CALLS_A_LEVEL: u32 = 4;

/// A value, and how many more calls may nest.
#[derive(Clone, Copy)]
struct Nested<'v>(&'v Value, u32);

impl<'v> Nested<'v> {
    fn levels(self) -> Result<u32, Unfit> {
        let levels = self.1.checked_sub(1);
        levels.ok_or_else(|| de::Error::custom(too_deep().message()))
    }

    fn inside(self) -> Result<Self, Unfit> {
        Ok(Self(self.0, self.levels()?))
    }
}

impl<'de> IntoDeserializer<'de, Unfit> for Nested<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Nested<'de> {
    type Error = Unfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Number(number) => match exact_integer(*number) {
                Some(integer) => match u64::try_from(integer) {
                    Ok(integer) => visitor.visit_u64(integer),
                    Err(_) => visitor.visit_i64(integer),
                },
                None => visitor.visit_f64(*number),
            },
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Array(items) => {
                let levels = self.levels()?;
                let items = items.iter().map(|item| Nested(item, levels));
                let mut sequence = SeqDeserializer::new(items);
                let value = visitor.visit_seq(&mut sequence)?;
                sequence.end()?;
                Ok(value)
            }
            Value::Object(object) => {
                let mut members = MapDeserializer::new(members(object, self.levels()?));
                let value = visitor.visit_map(&mut members)?;
                members.end()?;
                Ok(value)
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        match self.0 {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self.inside()?),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Unfit> {
        visitor.visit_newtype_struct(self.inside()?)
    }

    /// The name of a variant, or an object with the name and the content of one.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unfit> {
        match self.0 {
            Value::String(name) => visitor.visit_enum(name.as_str().into_deserializer()),
            Value::Object(object) if object.len() == 1 => {
                let members = MapDeserializer::new(members(object, self.levels()?));
                visitor.visit_enum(MapAccessDeserializer::new(members))
            }
            _ => Err(de::Error::custom(
                "an enumeration is a string, or an object with one member",
            )),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

fn members(object: &Object, levels: u32) -> impl Iterator<Item = (&str, Nested<'_>)> {
    object
        .iter()
        .map(move |(name, value)| (name, Nested(value, levels)))
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeMap;
    use alloc::vec;
    use alloc::vec::Vec;

    use serde::Deserialize;

    use super::*;

    fn typed<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
        Value::from_json(text).unwrap().to_typed()
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Task {
        id: u8,
        share: f64,
        note: Option<String>,
        kind: Kind,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Kind {
        Plain,
        Sized(u32),
        Named { name: String },
    }

    #[test]
    fn structs_options_and_enumerations_are_read_as_from_json_text() {
        let task: Task =
            typed(r#"{"id":7,"share":1,"note":null,"kind":{"named":{"name":"x"}}}"#).unwrap();
        assert_eq!(
            task,
            Task {
                id: 7,
                share: 1.0,
                note: None,
                kind: Kind::Named { name: "x".into() }
            }
        );
        let kinds: Vec<Kind> = typed(r#"["plain",{"sized":3}]"#).unwrap();
        assert_eq!(kinds, [Kind::Plain, Kind::Sized(3)]);
        let map: BTreeMap<String, i64> = typed(r#"{"a":-1,"b":2}"#).unwrap();
        assert_eq!(map["a"], -1);
    }

    #[test]
    fn what_does_not_fit_is_schema_invalid() {
        for text in [
            r#"{"id":300,"share":1,"kind":"plain"}"#,
            r#"{"id":1.5,"share":1,"kind":"plain"}"#,
            r#"{"id":1,"share":1,"kind":"plain","more":1}"#,
            r#"{"id":1,"share":1,"kind":"other"}"#,
            r#"{"id":1,"share":1,"kind":{"sized":1,"plain":2}}"#,
            r#"{"id":1,"share":1,"kind":7}"#,
        ] {
            assert_eq!(
                typed::<Task>(text).unwrap_err().code(),
                Code::SchemaInvalid,
                "{text}"
            );
        }
        assert!(typed::<(u8,)>("[1,2]").is_err());
    }

    #[test]
    fn values_that_nest_too_deeply_are_refused() {
        #[derive(Debug, Deserialize)]
        struct Tower(#[allow(dead_code)] Option<alloc::boxed::Box<Tower>>);

        let deep = (0..1000).fold(Value::Null, |value, _| Value::Array(vec![value]));
        assert!(deep.to_typed::<Value>().is_err());
        assert!(typed::<Tower>("1").is_err());
        assert!(typed::<Tower>("null").is_ok());
    }
}
