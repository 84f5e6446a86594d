//! Facts: what the host knows about the world, as one JSON object (spec 4.1, 4.2). Knows how a path
//! finds a value, nothing about the checks of a definition.

use alloc::format;
use alloc::string::String;
use core::fmt;
use core::str;

use serde_core::de::Error as _;
use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

use crate::code::Code;
use crate::error::Error;
use crate::json::{Object, Value};

/// The facts of an evaluation: a JSON object and its canonical text, which is made once, here.
///
/// `-0` is taken as `0` (it has the same canonical text, and no check tells them apart). Facts are
/// equal when they have the same canonical text.
///
/// ```
/// use agent_graph_runtime::{Facts, json::Value};
/// let facts = Facts::from_json(r#"{"tests": [{"passed": true}], "branch": "main"}"#)?;
/// assert_eq!(facts.get("tests.0.passed"), Some(&Value::Bool(true)));
/// assert_eq!(facts.canonical(), r#"{"branch":"main","tests":[{"passed":true}]}"#);
/// # Ok::<(), agent_graph_runtime::Error>(())
/// ```
#[derive(Clone)]
pub struct Facts {
    object: Object,
    canonical: String,
}

impl Facts {
    /// Reads facts from JSON text, strictly, see [`Value::from_json`].
    ///
    /// # Errors
    /// `json-invalid` with line and column; `json-object-required` when it is another value than an
    /// object; and the errors of [`Facts::from_object`].
    pub fn from_json(text: &str) -> Result<Self, Error> {
        Self::from_value(Value::from_json(text)?)
    }

    /// Reads facts from the bytes of JSON text in UTF-8, as [`Facts::from_json`].
    ///
    /// # Errors
    /// As [`Facts::from_json`]; `json-invalid` when the bytes are not UTF-8.
    pub fn from_slice(bytes: &[u8]) -> Result<Self, Error> {
        let text = str::from_utf8(bytes).map_err(|error| {
            let message = format!("the text is not UTF-8 from byte {} on", error.valid_up_to());
            Error::new(Code::JsonInvalid, message)
        })?;
        Self::from_json(text)
    }

    /// The facts that `source` serializes to, see [`Value::from_serialize`].
    ///
    /// ```
    /// use agent_graph_runtime::Facts;
    /// #[derive(serde::Serialize)]
    /// struct Observed<'a> { branch: &'a str, commits: u32 }
    /// let facts = Facts::from_serialize(&Observed { branch: "main", commits: 3 })?;
    /// assert_eq!(facts, Facts::from_json(r#"{"branch": "main", "commits": 3}"#)?);
    /// # Ok::<(), agent_graph_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Value::from_serialize`] and [`Facts::from_value`].
    pub fn from_serialize<T: Serialize + ?Sized>(source: &T) -> Result<Self, Error> {
        Self::from_value(Value::from_serialize(source)?)
    }

    /// The facts in this value.
    ///
    /// # Errors
    /// `json-object-required` when it is another value than an object; and the errors of
    /// [`Facts::from_object`].
    pub fn from_value(value: Value) -> Result<Self, Error> {
        match value {
            Value::Object(object) => Self::from_object(object),
            _ => Err(Error::new(
                Code::JsonObjectRequired,
                "facts have to be a JSON object",
            )),
        }
    }

    /// The facts with these members.
    ///
    /// # Errors
    /// Those of [`Value::canonical`]: facts without canonical text are none.
    pub fn from_object(mut object: Object) -> Result<Self, Error> {
        // First, because it refuses what nests too deeply for the recursion below.
        let canonical = object.canonical()?;
        object.values_mut().for_each(drop_negative_zero);
        Ok(Self { object, canonical })
    }

    /// The canonical text (spec 2.1).
    pub fn canonical(&self) -> &str {
        &self.canonical
    }

    /// The members, in the order of their source.
    pub fn as_object(&self) -> &Object {
        &self.object
    }

    /// The value at a path of names and array indices with dots between them (spec 4.2). Absent
    /// values are `None`, JSON null is not.
    pub fn get(&self, path: &str) -> Option<&Value> {
        self.find(path.split('.').map(|name| (name, array_position(name))))
    }

    /// The value at a path whose segments are names with the array position they spell, if any.
    pub(crate) fn find<'p>(
        &self,
        mut path: impl Iterator<Item = (&'p str, Option<usize>)>,
    ) -> Option<&Value> {
        let (name, _) = path.next()?;
        path.try_fold(
            self.object.get(name)?,
            |value, (name, position)| match value {
                Value::Object(object) => object.get(name),
                Value::Array(items) => items.get(position?),
                _ => None,
            },
        )
    }
}

/// The array position that the segment spells: digits without a needless zero in front.
fn array_position(segment: &str) -> Option<usize> {
    let digits = segment.bytes().all(|byte| byte.is_ascii_digit());
    let canonical = segment == "0" || !segment.starts_with('0');
    if digits && canonical {
        segment.parse().ok()
    } else {
        None
    }
}

/// A check does not tell `-0` from `0`, so nobody who reads the facts should (difference D2).
fn drop_negative_zero(value: &mut Value) {
    match value {
        Value::Number(number) if *number == 0.0 => *number = 0.0,
        Value::Array(items) => items.iter_mut().for_each(drop_negative_zero),
        Value::Object(object) => object.values_mut().for_each(drop_negative_zero),
        _ => {}
    }
}

/// No facts: the empty object.
impl Default for Facts {
    fn default() -> Self {
        Self {
            object: Object::new(),
            canonical: String::from("{}"),
        }
    }
}

impl PartialEq for Facts {
    fn eq(&self, other: &Self) -> bool {
        self.canonical == other.canonical
    }
}

impl Eq for Facts {}

/// The canonical text.
impl fmt::Display for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.canonical)
    }
}

impl fmt::Debug for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Facts({})", self.canonical)
    }
}

/// The object, members in source order.
impl Serialize for Facts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.object.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Facts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_value(Value::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl TryFrom<Object> for Facts {
    type Error = Error;

    fn try_from(object: Object) -> Result<Self, Error> {
        Self::from_object(object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn get(facts: &str, path: &str) -> Option<Value> {
        Facts::from_json(facts).unwrap().get(path).cloned()
    }

    #[test]
    fn a_path_leads_through_members_and_array_positions() {
        let facts = r#"{"a":[1,{"b":null}],"":{"":2},"s":"text","0":"zero","x":{"01":3}}"#;
        assert_eq!(get(facts, "a.0"), Some(Value::Number(1.0)));
        assert_eq!(get(facts, "a.1.b"), Some(Value::Null));
        assert_eq!(get(facts, ""), get(r#"{"r":{"":2}}"#, "r"));
        assert_eq!(get(facts, "."), Some(Value::Number(2.0)));
        assert_eq!(get(facts, "0"), Some(Value::from("zero")));
        assert_eq!(get(facts, "x.01"), Some(Value::Number(3.0)));
    }

    #[test]
    fn what_is_not_there_is_absent() {
        let facts = r#"{"a":[1],"s":"text","n":null}"#;
        for path in [
            "b",
            "a.1",
            "a.00",
            "a.+0",
            "a.-1",
            "a.",
            "a.99999999999999999999999",
            "a.length",
            "s.0",
            "s.length",
            "n.x",
            "constructor",
            "a.constructor",
        ] {
            assert_eq!(get(facts, path), None, "{path}");
        }
    }

    #[test]
    fn negative_zero_is_zero_wherever_it_stands() {
        let facts = Facts::from_json(r#"{"a":-0,"b":[{"c":-0.0}]}"#).unwrap();
        for path in ["a", "b.0.c"] {
            let number = facts.get(path).and_then(Value::as_number).unwrap();
            assert!(number.is_sign_positive(), "{path}");
        }
    }

    #[test]
    fn facts_have_to_be_a_json_object_in_utf_8() {
        let code = |bytes: &[u8]| Facts::from_slice(bytes).unwrap_err().code();
        assert_eq!(code(b"[]"), Code::JsonObjectRequired);
        assert_eq!(code(b"{"), Code::JsonInvalid);
        assert_eq!(code(b"{\"a\":\"\xff\"}"), Code::JsonInvalid);
        assert_eq!(code(b"{\"a\":1e999}"), Code::JsonInvalid);
    }

    #[test]
    fn without_facts_there_is_the_empty_object() {
        assert_eq!(Facts::default(), Facts::from_json(" {} ").unwrap());
    }

    #[cfg(not(feature = "unicode-collation"))]
    #[test]
    fn names_that_cannot_be_ordered_are_refused_where_facts_are_made() {
        let error = Facts::from_json(r#"{"a":[{"é":1,"b":2}]}"#).unwrap_err();
        assert_eq!(error.code(), Code::FeatureRequired);
        assert!(error.message().contains("unicode-collation"));
    }
}
