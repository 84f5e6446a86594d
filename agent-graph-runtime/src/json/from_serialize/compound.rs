//! Arrays and objects in the making. Knows how items and members arrive, nothing about scalars.

use alloc::string::String;
use alloc::vec::Vec;

use serde_core::ser::{self, Error as _, Serialize};

use super::key::ToName;
use super::{Refused, ToValue, number_from_text, variant};
use crate::json::object::Object;
use crate::json::value::Value;

/// An array in the making.
pub(super) struct Items {
    items: Vec<Value>,
    inside: ToValue,
    variant: Option<&'static str>,
}

impl Items {
    pub(super) fn new(outside: ToValue, variant: Option<&'static str>) -> Result<Self, Refused> {
        Ok(Self {
            items: Vec::new(),
            inside: outside.inside()?,
            variant,
        })
    }

    fn add<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), Refused> {
        self.items.push(item.serialize(self.inside)?);
        Ok(())
    }

    fn finish(self) -> Result<Value, Refused> {
        let array = Value::Array(self.items);
        Ok(match self.variant {
            Some(name) => variant(name, array),
            None => array,
        })
    }
}

/// A struct that is none, but stands for text of `serde_json`.
#[derive(Clone, Copy)]
pub(super) enum Token {
    Number,
    RawValue,
}

/// An object in the making.
pub(super) struct Members {
    members: Vec<(String, Value)>,
    /// The key whose value has not arrived.
    name: Option<String>,
    inside: ToValue,
    kind: Kind,
}

enum Kind {
    Object,
    Variant(&'static str),
    Token(Token),
}

impl Members {
    pub(super) fn new(outside: ToValue, variant: Option<&'static str>) -> Result<Self, Refused> {
        let kind = variant.map_or(Kind::Object, Kind::Variant);
        Ok(Self::of_kind(kind, outside.inside()?))
    }

    /// The levels stay those of the place where the token stands: it is replaced by what it says.
    pub(super) fn of_token(outside: ToValue, token: Token) -> Self {
        Self::of_kind(Kind::Token(token), outside)
    }

    fn of_kind(kind: Kind, inside: ToValue) -> Self {
        Self {
            members: Vec::new(),
            name: None,
            inside,
            kind,
        }
    }

    fn add<T: Serialize + ?Sized>(&mut self, name: String, value: &T) -> Result<(), Refused> {
        self.members.push((name, value.serialize(self.inside)?));
        Ok(())
    }

    fn finish(self) -> Result<Value, Refused> {
        match self.kind {
            Kind::Object => Ok(Value::Object(Object::from_members(self.members))),
            Kind::Variant(name) => Ok(variant(name, Object::from_members(self.members))),
            Kind::Token(token) => {
                let text = self.members.first().and_then(|(_, value)| value.as_str());
                let text =
                    text.ok_or_else(|| Refused::custom("a number or raw JSON has no text"))?;
                match token {
                    Token::Number => number_from_text(text).map_err(Refused),
                    Token::RawValue => self.inside.raw(text),
                }
            }
        }
    }
}

macro_rules! items {
    ( $( $trait:ident: $method:ident, )+ ) => {
        $(
            impl ser::$trait for Items {
                type Ok = Value;
                type Error = Refused;

                fn $method<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), Refused> {
                    self.add(item)
                }

                fn end(self) -> Result<Value, Refused> {
                    self.finish()
                }
            }
        )+
    };
}

items! {
    SerializeSeq: serialize_element,
    SerializeTuple: serialize_element,
    SerializeTupleStruct: serialize_field,
    SerializeTupleVariant: serialize_field,
}

macro_rules! fields {
    ( $( $trait:ident, )+ ) => {
        $(
            impl ser::$trait for Members {
                type Ok = Value;
                type Error = Refused;

                fn serialize_field<T: Serialize + ?Sized>(
                    &mut self,
                    name: &'static str,
                    value: &T,
                ) -> Result<(), Refused> {
                    self.add(String::from(name), value)
                }

                fn end(self) -> Result<Value, Refused> {
                    self.finish()
                }
            }
        )+
    };
}

fields! {
    SerializeStruct,
    SerializeStructVariant,
}

impl ser::SerializeMap for Members {
    type Ok = Value;
    type Error = Refused;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Refused> {
        self.name = Some(key.serialize(ToName)?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Refused> {
        let name = self.name.take();
        let name = name.ok_or_else(|| Refused::custom("a map gave a value before its key"))?;
        self.add(name, value)
    }

    fn end(self) -> Result<Value, Refused> {
        self.finish()
    }
}
