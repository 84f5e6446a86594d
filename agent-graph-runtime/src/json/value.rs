//! The JSON value. Own type, so that no feature another crate switches on in a shared JSON library
//! can change what is hashed.

use alloc::string::String;
use alloc::vec::Vec;

/// A JSON value. Numbers are doubles; objects keep the order of their source.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A finite number.
    Number(f64),
    /// A string.
    String(String),
    /// An array.
    Array(Vec<Value>),
    /// An object.
    Object(Object),
}

/// The members of a JSON object in source order, each name once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Object {
    members: Vec<(String, Value)>,
}
