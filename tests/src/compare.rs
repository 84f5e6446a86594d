//! Compares parsed JSON as the vectors want it: order of members does not count, numbers are doubles,
//! texts of `message` members are informative. Knows nothing about what is compared.

use std::fmt;

use serde_json::Value;

/// The first place where two values differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// JSON pointer to it.
    pub pointer: String,
    /// What should be there; nothing, if nothing should.
    pub expected: Option<Value>,
    /// What is there.
    pub received: Option<Value>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |value: &Option<Value>| match value {
            Some(value) => {
                let text = value.to_string();
                match text.char_indices().nth(300) {
                    Some((end, _)) => format!("{}…", &text[..end]),
                    None => text,
                }
            }
            None => "nothing".to_owned(),
        };
        let pointer = if self.pointer.is_empty() {
            "/"
        } else {
            &self.pointer
        };
        let (expected, received) = (shown(&self.expected), shown(&self.received));
        write!(f, "at {pointer}: expected {expected}, received {received}")
    }
}

/// The first difference, if there is one.
pub fn difference(expected: &Value, received: &Value) -> Option<Difference> {
    at("", expected, received)
}

fn at(pointer: &str, expected: &Value, received: &Value) -> Option<Difference> {
    let differ = || {
        Some(Difference {
            pointer: pointer.to_owned(),
            expected: Some(expected.clone()),
            received: Some(received.clone()),
        })
    };
    match (expected, received) {
        (Value::Object(wanted), Value::Object(found)) => {
            for (name, expected) in wanted {
                let pointer = member(pointer, name);
                let Some(received) = found.get(name) else {
                    return Some(Difference {
                        pointer,
                        expected: Some(expected.clone()),
                        received: None,
                    });
                };
                let informative = name == "message" && expected.is_string() && received.is_string();
                if !informative && let Some(difference) = at(&pointer, expected, received) {
                    return Some(difference);
                }
            }
            let (name, received) = found.iter().find(|(name, _)| !wanted.contains_key(*name))?;
            Some(Difference {
                pointer: member(pointer, name),
                expected: None,
                received: Some(received.clone()),
            })
        }
        (Value::Array(wanted), Value::Array(found)) => {
            let first =
                wanted
                    .iter()
                    .zip(found)
                    .enumerate()
                    .find_map(|(index, (expected, received))| {
                        at(&format!("{pointer}/{index}"), expected, received)
                    });
            let next = wanted.len().min(found.len());
            first.or_else(|| {
                (wanted.len() != found.len()).then(|| Difference {
                    pointer: format!("{pointer}/{next}"),
                    expected: wanted.get(next).cloned(),
                    received: found.get(next).cloned(),
                })
            })
        }
        // As doubles: 1 and 1.0 are one number, and so are 0 and -0.
        (Value::Number(wanted), Value::Number(found)) if wanted.as_f64() == found.as_f64() => None,
        _ if expected == received => None,
        _ => differ(),
    }
}

fn member(pointer: &str, name: &str) -> String {
    format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// The same value with a text replaced in all strings.
#[must_use]
pub fn replaced(value: &Value, text: &str, by: &str) -> Value {
    match value {
        Value::String(string) => Value::String(string.replace(text, by)),
        Value::Array(items) => items.iter().map(|item| replaced(item, text, by)).collect(),
        Value::Object(members) => members
            .iter()
            .map(|(name, value)| (name.clone(), replaced(value, text, by)))
            .collect(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn pointer(expected: Value, received: Value) -> Option<String> {
        difference(&expected, &received).map(|difference| difference.pointer)
    }

    #[test]
    fn order_of_members_spelling_of_numbers_and_messages_do_not_count() {
        let expected = json!({"a": 1, "b": [1.0, {"message": "old"}]});
        let received = json!({"b": [1, {"message": "new"}], "a": 1.0});
        assert_eq!(pointer(expected, received), None);
    }

    #[test]
    fn the_first_difference_is_named_by_its_pointer() {
        for (expected, received, place) in [
            (
                json!({"a": {"x/y": 1}}),
                json!({"a": {"x/y": 2}}),
                "/a/x~1y",
            ),
            (json!({"a": 1}), json!({}), "/a"),
            (json!({}), json!({"a": 1}), "/a"),
            (json!([1, 2]), json!([1]), "/1"),
            (json!([1]), json!([1, 2]), "/1"),
            (
                json!({"message": "text"}),
                json!({"message": 1}),
                "/message",
            ),
            (json!({"message": "text"}), json!({}), "/message"),
            (json!(null), json!(false), ""),
        ] {
            assert_eq!(pointer(expected, received).as_deref(), Some(place));
        }
    }

    #[test]
    fn a_placeholder_is_replaced_in_every_string() {
        let value = json!({"p": ["<root>/a", {"q": "b<root>"}], "n": 1});
        let wanted = json!({"p": ["/x/a", {"q": "b/x"}], "n": 1});
        assert_eq!(replaced(&value, "<root>", "/x"), wanted);
    }
}
