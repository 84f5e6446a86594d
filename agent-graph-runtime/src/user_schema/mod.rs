//! Schemas that users write, held against values: JSON Schema of draft 2020-12, nothing fetched. Knows
//! values only, not where they are written; the one module that knows the crate that does it.

mod cost;

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{Draft, ValidationError, Validator};
use serde_json::Number;

use crate::code::Code;
use crate::error::Error;
use crate::json::{Object, Value};

/// The most violations of one value that are told; what follows is mostly repetition.
const VIOLATIONS_LIMIT: usize = 100;

/// The most references in one schema: preparing a chain of them takes time that grows with the square of its
/// length, a second for this many.
const REFERENCES_LIMIT: usize = 10_000;

/// The dialect, as `$schema` names it.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// A schema, ready to be held against values.
pub(crate) struct UserSchema {
    validator: Validator,
    schema: serde_json::Value,
}

/// What is wrong with a value, or with a schema.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Violation {
    /// JSON pointer to what is wrong.
    pub(crate) pointer: String,
    /// Whether the name of that member is what is wrong, not its value.
    pub(crate) name: bool,
    /// Part of a sentence.
    pub(crate) message: String,
    /// Pointer to the rule in the schema; it may lead through references.
    pub(crate) rule: String,
}

impl UserSchema {
    /// Prepares a schema.
    ///
    /// Its own `$id` is taken away: protocol identities such as `tide.brief/v1` would be resolved as
    /// relative addresses otherwise.
    pub(crate) fn of(schema: &Value) -> Result<Self, Violation> {
        if let Some(Value::String(dialect)) = member(schema, "$schema")
            && dialect.trim_end_matches('#') != DIALECT
        {
            return Err(Violation {
                pointer: "/$schema".to_owned(),
                name: false,
                message: format!("the schema is not one of draft 2020-12 (`{DIALECT}`)"),
                rule: String::new(),
            });
        }
        let own = member(schema, "$id").and_then(Value::as_str);
        let mut schema = converted(schema, own);
        if let Some(root) = schema.as_object_mut() {
            root.remove("$id");
        }
        if references(&schema) > REFERENCES_LIMIT {
            return Err(Violation {
                pointer: String::new(),
                name: false,
                message: format!("the schema has more than {REFERENCES_LIMIT} references"),
                rule: String::new(),
            });
        }
        let options = jsonschema::options()
            .with_draft(Draft::Draft202012)
            .offline()
            .should_validate_formats(true);
        match options.build(&schema) {
            Ok(validator) => Ok(Self { validator, schema }),
            Err(error) => Err(violation(&error)),
        }
    }

    /// What is wrong with a value, sorted; empty when nothing is.
    ///
    /// # Errors
    ///
    /// `input-limit` when finding out would take too long.
    pub(crate) fn violations(&self, value: &Value) -> Result<Vec<Violation>, Error> {
        let value = converted(value, None);
        if !cost::is_bounded(&self.schema, &value) {
            let message = "the schema calls itself too often to be held against this value";
            return Err(Error::new(Code::InputLimit, message));
        }
        let mut violations = Vec::new();
        for error in self.validator.iter_errors(&value).take(VIOLATIONS_LIMIT) {
            match error.kind() {
                ValidationErrorKind::AdditionalProperties { unexpected }
                | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
                    let names = unexpected.iter().take(VIOLATIONS_LIMIT);
                    violations.extend(names.map(|name| unexpected_member(&error, name)));
                }
                _ => violations.push(violation(&error)),
            }
        }
        // The order of the crate's errors follows the order of names in the schema, which another crate
        // of the build can change.
        violations.sort();
        violations.dedup();
        violations.truncate(VIOLATIONS_LIMIT);
        Ok(violations)
    }
}

fn member<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    value.as_object().and_then(|object| object.get(name))
}

/// How many references a schema has. The recursion ends: the depth of values is limited.
fn references(schema: &serde_json::Value) -> usize {
    match schema {
        serde_json::Value::Array(items) => items.iter().map(references).sum(),
        serde_json::Value::Object(members) => members
            .iter()
            .map(|(name, value)| usize::from(name == "$ref") + references(value))
            .sum(),
        _ => 0,
    }
}

fn violation(error: &ValidationError<'_>) -> Violation {
    Violation {
        pointer: error.instance_path().as_str().to_owned(),
        name: false,
        message: shown(&error.masked_with("the value").to_string()),
        rule: error.schema_path().as_str().to_owned(),
    }
}

fn unexpected_member(error: &ValidationError<'_>, name: &str) -> Violation {
    let escaped = name.replace('~', "~0").replace('/', "~1");
    Violation {
        pointer: format!("{}/{escaped}", error.instance_path().as_str()),
        name: true,
        message: format!("the schema has no `{}` there", shown(name)),
        rule: error.schema_path().as_str().to_owned(),
    }
}

/// A text as messages quote it: on one line, and not much longer than one.
fn shown(text: &str) -> String {
    const LONGEST: usize = 200;
    let mut shown: String = text.chars().take(LONGEST).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    shown.replace(|c: char| c.is_control(), "\u{fffd}")
}

/// The value for the crate. In a schema called `own`, references to itself by that name become local
/// ones. The recursion ends: the depth of values is limited where they are read.
fn converted(value: &Value, own: Option<&str>) -> serde_json::Value {
    match value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(value) => (*value).into(),
        Value::Number(number) => converted_number(*number),
        Value::String(text) => text.as_str().into(),
        Value::Array(items) => items.iter().map(|item| converted(item, own)).collect(),
        Value::Object(object) => converted_object(object, own),
    }
}

fn converted_object(object: &Object, own: Option<&str>) -> serde_json::Value {
    let members = object.iter().map(|(name, value)| {
        let value = match (name, value, own) {
            ("$ref" | "$dynamicRef", Value::String(target), Some(own)) => {
                local_reference(target, own).into()
            }
            // These hold data, not schemas.
            ("const" | "enum" | "default" | "examples", value, _) => converted(value, None),
            (_, value, own) => converted(value, own),
        };
        (name.to_owned(), value)
    });
    serde_json::Value::Object(members.collect())
}

fn local_reference<'t>(target: &'t str, own: &str) -> &'t str {
    match target.strip_prefix(own) {
        Some("") => "#",
        Some(fragment) if fragment.starts_with('#') => fragment,
        _ => target,
    }
}

/// Whole numbers become integers, so that `3` and `3.0` are one number whatever features the build has.
fn converted_number(number: f64) -> serde_json::Value {
    /// 2^53: every whole number up to it is a double.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if number == number.trunc() && number.abs() <= EXACT {
        return Number::from(number as i64).into();
    }
    // Values hold no other numbers than finite ones; a host may have made one by hand.
    Number::from_f64(number).map_or(serde_json::Value::Null, Into::into)
}
