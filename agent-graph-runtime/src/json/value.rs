//! The JSON value. Own type, so that no feature another crate switches on in a shared JSON library
//! can change what is hashed.

use alloc::string::String;
use alloc::vec::Vec;

use super::build::Builder;
use super::object::Object;
use super::read::{DEPTH_LIMIT, read};
use crate::error::Error;

/// A JSON value. Numbers are doubles; objects keep the order of their source.
///
/// Values are equal when they are the same JSON: the order of members does not matter, and `-0`
/// equals `0`.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value {
    /// `null`.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number. What is read is finite; other numbers are refused where a value is written.
    Number(f64),
    /// A string.
    String(String),
    /// An array.
    Array(Vec<Value>),
    /// An object.
    Object(Object),
}

impl Value {
    /// Reads JSON text, strictly: RFC 8259, no number beyond the double range, no half surrogate
    /// pair, at most [`DEPTH_LIMIT`] levels. Where a name is repeated, the last value stands in the
    /// first one's place.
    ///
    /// ```
    /// use agent_graph_runtime::{Code, json::Value};
    /// assert_eq!(Value::from_json(" [1.0, 1] ")?, Value::from_json("[1,1]")?);
    /// let error = Value::from_json("[1,\n  2,]").unwrap_err();
    /// assert_eq!(error.code(), Code::JsonInvalid);
    /// assert!(error.message().starts_with("2:5: "));
    /// # Ok::<(), agent_graph_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    /// `json-invalid` names line and column; `input-limit` when the text nests too deeply.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        let mut builder = Builder::default();
        read(text, DEPTH_LIMIT, &mut builder).map_err(|error| error.into_error(text))?;
        // A text that was read to its end has a value.
        Ok(builder.into_value().unwrap_or_default())
    }

    /// The boolean, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The number, if it is one.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Self::Number(value) => Some(*value),
            _ => None,
        }
    }

    /// The string, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(value) => Some(value),
            _ => None,
        }
    }

    /// The items, if it is an array.
    pub fn as_array(&self) -> Option<&[Value]> {
        match self {
            Self::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The members, if it is an object.
    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    /// Whether it is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }
}

macro_rules! value_from {
    ( $( $source:ty => $variant:ident, )+ ) => {
        $(
            impl From<$source> for Value {
                fn from(value: $source) -> Self {
                    Self::$variant(value.into())
                }
            }
        )+
    };
}

value_from! {
    bool => Bool,
    f64 => Number,
    i32 => Number,
    u32 => Number,
    &str => String,
    String => String,
    Vec<Value> => Array,
    Object => Object,
}
