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

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    /// A small random sequence (xorshift), the same on every run.
    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            usize::try_from(self.0 % 0xffff_fffb).unwrap_or(0) % bound
        }

        fn pick<T: Copy>(&mut self, from: &[T]) -> T {
            from[self.below(from.len())]
        }

        fn text(&mut self) -> String {
            let characters = ['a', 'B', '_', '/', '"', '\\', '\n', '\0', '7', '0'];
            (0..self.below(4)).map(|_| self.pick(&characters)).collect()
        }

        fn number(&mut self) -> f64 {
            let bits = (self.below(usize::MAX) as u64) << 32 | self.below(usize::MAX) as u64;
            let any = f64::from_bits(bits);
            let usual = self.pick(&[
                0.0,
                -0.0,
                1.0,
                -7.5,
                1e21,
                1e-7,
                5e-324,
                9_007_199_254_740_991.0,
            ]);
            if any.is_finite() && self.below(2) == 0 {
                any
            } else {
                usual
            }
        }

        fn value(&mut self, depth: usize) -> Value {
            match self.below(if depth == 0 { 4 } else { 6 }) {
                0 => Value::Null,
                1 => Value::Bool(self.below(2) == 0),
                2 => Value::Number(self.number()),
                3 => Value::String(self.text()),
                4 => Value::Array((0..self.below(5)).map(|_| self.value(depth - 1)).collect()),
                _ => {
                    let size = self.below(30);
                    let member = |random: &mut Self| (random.text(), random.value(depth - 1));
                    Value::Object((0..size).map(|_| member(self)).collect())
                }
            }
        }
    }

    /// The same value with the members of every object in another order.
    fn shuffled(value: &Value, random: &mut Random) -> Value {
        match value {
            Value::Array(items) => {
                Value::Array(items.iter().map(|item| shuffled(item, random)).collect())
            }
            Value::Object(object) => {
                let mut members: Vec<(&str, Value)> = Vec::new();
                for (name, value) in object.iter() {
                    let place = random.below(members.len() + 1);
                    members.insert(place, (name, shuffled(value, random)));
                }
                Value::Object(members.into_iter().collect())
            }
            other => other.clone(),
        }
    }

    fn has_tie(value: &Value) -> bool {
        match value {
            Value::Array(items) => items.iter().any(has_tie),
            Value::Object(object) => {
                let visible = |name: &str| name.replace(['\0'], "");
                let names: Vec<String> = object.names().map(visible).collect();
                let repeated = |(at, name)| names[..at].contains(name);
                names.iter().enumerate().any(repeated)
                    || object.iter().any(|(_, value)| has_tie(value))
            }
            _ => false,
        }
    }

    #[test]
    fn canonical_text_reads_back_as_the_same_value_and_is_its_own_canonical_text() {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        for _ in 0..2000 {
            let value = random.value(3);
            let text = value.canonical().unwrap();
            let read = Value::from_json(&text).unwrap();
            assert_eq!(read, value);
            assert_eq!(read.canonical().unwrap(), text);
        }
    }

    #[test]
    fn the_order_of_members_changes_canonical_text_only_where_names_tie() {
        let mut random = Random(0x2545_f491_4f6c_dd1d);
        for _ in 0..2000 {
            let value = random.value(3);
            let other = shuffled(&value, &mut random);
            assert_eq!(value, other);
            if !has_tie(&value) {
                assert_eq!(value.canonical(), other.canonical());
            }
        }
    }

    #[test]
    fn text_with_mistakes_is_read_or_refused_and_never_a_panic() {
        let mut random = Random(0x1234_5678_9abc_def1);
        let pieces = [
            "", "\"", "\\", "{", "}", "[", "]", ",", ":", "\\u", "\\ud800", "é", "e", "-", ".",
            "0", "\u{feff}",
        ];
        let mut read = 0;
        for _ in 0..5000 {
            let mut text = random.value(2).canonical().unwrap();
            for _ in 0..=random.below(3) {
                let mut at = random.below(text.len() + 1);
                while !text.is_char_boundary(at) {
                    at -= 1;
                }
                if random.below(2) == 0 {
                    text.insert_str(at, random.pick(&pieces));
                } else if at < text.len() {
                    text.remove(at);
                }
            }
            match Value::from_json(&text) {
                Ok(value) => {
                    read += 1;
                    // Names beyond ASCII have no order without the feature.
                    let ordered = cfg!(feature = "unicode-collation");
                    assert!(value.canonical().is_ok() || !ordered, "{text}");
                    assert!(serde_json::from_str::<Value>(&text).is_ok(), "{text}");
                }
                Err(_) => assert!(serde_json::from_str::<Value>(&text).is_err(), "{text}"),
            }
        }
        assert!((500..4500).contains(&read), "{read}");
    }

    #[test]
    fn many_members_and_repeated_names_are_read_in_time() {
        let members: Vec<String> = (0..100_000)
            .map(|n| format!("\"{}\":{n}", n % 1000))
            .collect();
        let value = Value::from_json(&format!("{{{}}}", members.join(","))).unwrap();
        let object = value.as_object().unwrap();
        assert_eq!(object.len(), 1000);
        assert_eq!(object.iter().next(), Some(("0", &Value::Number(99_000.0))));
    }
}
