//! Prints a shape as JSON Schema of draft 2020-12: closed objects, every property described. Knows
//! shapes only; the printed schemas and the check say the same because both read them.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{By, List, Map, Member, Object, Shape, Text, Variants, shape_of};
use crate::canonical::{write_number, write_string};
use crate::json::{Object as Json, Value};

/// The JSON Schema of the object of the protocol with this identity, as text with a final line end.
pub fn json_schema(identity: &str) -> Option<String> {
    Some(json_schema_of(identity, shape_of(identity)?))
}

/// The JSON Schema of what has this identity and this shape, as text with a final line end.
pub fn json_schema_of(identity: &str, shape: Shape) -> String {
    let mut schema = Json::new();
    schema.insert("$schema", "https://json-schema.org/draft/2020-12/schema");
    schema.insert("$id", identity);
    schema.extend(value(shape));
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write(&Value::Object(schema), 0, &mut text);
    text.push('\n');
    text
}

/// The members of a schema. The recursion ends: shapes refer to each other without cycles.
fn value(shape: Shape) -> Json {
    match shape {
        Shape::Constant(text) => [("const", Value::from(text))].into_iter().collect(),
        Shape::Text(constraint) => text(constraint),
        Shape::Word(words) => {
            let words = (words.all)().iter().map(|word| Value::from(*word));
            [("enum", Value::Array(words.collect()))]
                .into_iter()
                .collect()
        }
        Shape::Integer(min, max) => {
            let mut schema = typed("integer");
            schema.insert("minimum", min as f64);
            if max < i64::MAX {
                schema.insert("maximum", max as f64);
            }
            schema
        }
        Shape::Boolean => typed("boolean"),
        Shape::True => [("const", Value::Bool(true))].into_iter().collect(),
        Shape::Null => typed("null"),
        Shape::Scalar => {
            let types = ["string", "number", "boolean", "null"].map(Value::from);
            [("type", Value::Array(types.into()))].into_iter().collect()
        }
        Shape::Any => Json::new(),
        Shape::AnyObject => typed("object"),
        Shape::List(list) => array(list),
        Shape::Map(map) => free_names(map),
        Shape::Object(object) => closed(object),
        Shape::Variants(variants) => one_of(variants),
        Shape::Either(shapes) => {
            let shapes = shapes.iter().map(|shape| Value::Object(value(*shape)));
            [("anyOf", Value::Array(shapes.collect()))]
                .into_iter()
                .collect()
        }
    }
}

fn typed(name: &str) -> Json {
    [("type", name)].into_iter().collect()
}

fn text(constraint: Text) -> Json {
    let mut schema = typed("string");
    match constraint {
        Text::Length(min, max) => {
            if min > 0 {
                schema.insert("minLength", min);
            }
            if max < u32::MAX {
                schema.insert("maxLength", max);
            }
        }
        Text::RelativePath => {
            schema.insert("minLength", 1);
            let parent = [("pattern", Text::PARENT_PATTERN)].into_iter();
            schema.insert("not", parent.collect::<Json>());
        }
        Text::DateTime => {
            schema.insert("format", "date-time");
        }
        Text::Id | Text::ReasonCode | Text::RouteCode => {
            schema.insert("pattern", constraint.pattern());
            schema.insert("maxLength", 160);
        }
        Text::Version | Text::FactPath | Text::Digest | Text::RouteId | Text::Locator => {
            schema.insert("pattern", constraint.pattern());
        }
    }
    schema
}

fn array(list: &List) -> Json {
    let mut schema = typed("array");
    schema.insert("items", value(list.items));
    if list.min > 0 {
        schema.insert("minItems", list.min as f64);
    }
    if list.unique {
        schema.insert("uniqueItems", true);
    }
    schema
}

fn free_names(map: &Map) -> Json {
    let mut schema = typed("object");
    if map.names != Text::Length(0, u32::MAX) {
        schema.insert("propertyNames", text(map.names));
    }
    schema.insert("additionalProperties", value(map.values));
    if map.min > 0 {
        schema.insert("minProperties", map.min as f64);
    }
    schema
}

fn closed(object: &'static Object) -> Json {
    let mut schema = Json::new();
    schema.insert("description", object.description);
    schema.insert("type", "object");
    schema.insert("additionalProperties", false);
    let required = object.all().filter(|member| member.required);
    let required: Vec<Value> = required.map(|member| Value::from(member.name)).collect();
    if !required.is_empty() {
        schema.insert("required", required);
    }
    let properties = object.all().map(|member| (member.name, property(member)));
    schema.insert("properties", properties.collect::<Json>());
    schema
}

/// The schema of a member; what the member is for comes first, before what its value is.
fn property(member: &Member) -> Json {
    let mut schema = Json::new();
    schema.insert("description", member.description);
    for (name, part) in value(member.shape) {
        if name != "description" {
            schema.insert(name, part);
        }
    }
    let default = member.default.map(Value::from_json);
    if let Some(Ok(default)) = default {
        schema.insert("default", default);
    }
    schema
}

fn one_of(variants: &'static Variants) -> Json {
    let mut schema = Json::new();
    schema.insert("description", variants.description);
    let told_by = match variants.by {
        By::Value(tag) => format!("Told by `{tag}`."),
        By::Presence => "Told by which member is there.".to_owned(),
    };
    schema.insert("$comment", told_by);
    let cases = variants.cases.iter();
    let cases = cases.map(|(_, shape)| Value::Object(value(*shape)));
    schema.insert("oneOf", cases.collect::<Vec<Value>>());
    schema
}

/// JSON with an indentation of two spaces; scalars and short lists of them on one line.
fn write(value: &Value, depth: usize, out: &mut String) -> core::fmt::Result {
    let is_plain = |value: &Value| !matches!(value, Value::Array(_) | Value::Object(_));
    match value {
        Value::Array(items) if items.iter().all(is_plain) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write(item, depth, out)?;
            }
            out.push(']');
        }
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                line(index > 0, depth + 1, out);
                write(item, depth + 1, out)?;
            }
            line(false, depth, out);
            out.push(']');
        }
        Value::Object(object) if object.is_empty() => out.push_str("{}"),
        Value::Object(object) => {
            out.push('{');
            for (index, (name, value)) in object.iter().enumerate() {
                line(index > 0, depth + 1, out);
                write_string(name, out)?;
                out.push_str(": ");
                write(value, depth + 1, out)?;
            }
            line(false, depth, out);
            out.push('}');
        }
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Number(number) => write_number(*number, out)?,
        Value::String(text) => write_string(text, out)?,
    }
    Ok(())
}

fn line(comma: bool, depth: usize, out: &mut String) {
    if comma {
        out.push(',');
    }
    out.push('\n');
    for _ in 0..depth {
        out.push_str("  ");
    }
}
