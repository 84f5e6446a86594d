//! Bytes of a run in, its members out, if they have the shape of a run. Knows nothing about where the
//! bytes come from.

use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;

use crate::code::Code;
use crate::error::Error;
use crate::finding::Finding;
use crate::json::{Object, Value};
use crate::load::document::{Document, Format};
use crate::load::shape::{self, Shape};

/// Reads a run and checks its shape. `name` is the name of the file: messages begin with it, and its
/// extension tells the format (spec 3.1).
pub(super) fn read(name: &str, bytes: &[u8]) -> Result<Object, Error> {
    let file: Arc<str> = name.into();
    let document = Document::parse_run(file, bytes, Format::of_path(name))
        .map_err(|finding| error(&finding, 0))?;
    let findings = shape::check(document.root(), Shape::Object(&shape::RUN));
    if let Some((first, others)) = findings.split_first() {
        return Err(error(first, others.len()));
    }
    match document.root().to_value() {
        Value::Object(object) => Ok(object),
        // The shape has refused it.
        _ => Err(Error::new(Code::SchemaInvalid, "a run has to be an object")),
    }
}

fn error(finding: &Finding, others: usize) -> Error {
    let mut message: String = format!("{}: {}", finding.place, finding.message);
    if !finding.place.pointer.is_empty() {
        message.push_str(&format!(" (at {})", finding.place.pointer));
    }
    if others > 0 {
        message.push_str(&format!("; and {others} more"));
    }
    Error::new(finding.code, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINIMAL: &str = r#"{"schema":"agent-graph.run.v1","id":"i","provider":"p","graph":"g",
        "entry":"e","createdAt":"2024-01-01T00:00:00Z","updatedAt":"2024-01-01T00:00:00Z",
        "facts":{},"outcomes":{},"authorities":[],"events":[]}"#;

    fn code(text: &str) -> Code {
        read("run.json", text.as_bytes()).unwrap_err().code()
    }

    #[test]
    fn members_keep_their_order() {
        let turned = MINIMAL.replace(r#""facts":{}"#, r#""facts":{"b":1,"a":2,"b":3}"#);
        let object = read("run.json", turned.as_bytes()).unwrap();
        let facts = object.get("facts").and_then(Value::as_object).unwrap();
        assert_eq!(facts.names().collect::<alloc::vec::Vec<_>>(), ["b", "a"]);
        assert_eq!(facts.get("b"), Some(&Value::from(3)));
    }

    #[test]
    fn every_level_is_closed() {
        let record =
            r#""outcomes":{"k":{"outcome":"failed","recordedAt":"2024-01-01T00:00:00Z","x":1}}"#;
        let event = r#""events":[{"sequence":1,"at":"2024-01-01T00:00:00Z","type":"t","x":1}]"#;
        for text in [
            MINIMAL.replace(r#""id""#, r#""x":1,"id""#),
            MINIMAL.replace(r#""outcomes":{}"#, record),
            MINIMAL.replace(r#""events":[]"#, event),
            "null".into(),
            "[]".into(),
        ] {
            assert_eq!(code(&text), Code::SchemaInvalid, "{text}");
        }
    }

    #[test]
    fn the_extension_tells_the_format() {
        let yaml = "schema: agent-graph.run.v1\nid: i\nprovider: p\ngraph: g\nentry: e\n\
            createdAt: 2024-01-01T00:00:00Z\nupdatedAt: 2024-01-01T00:00:00Z\n\
            facts: {}\noutcomes: {}\nauthorities: []\nevents: []\n";
        assert!(read("run.yaml", yaml.as_bytes()).is_ok());
        assert!(read("run", yaml.as_bytes()).is_ok());
        assert_eq!(code(yaml), Code::ParseFailed);
    }

    #[test]
    fn sequences_are_positive_integers() {
        let with = |sequence: &str| {
            let event = format!(
                r#""events":[{{"sequence":{sequence},"at":"2024-01-01T00:00:00Z","type":"t"}}]"#
            );
            read(
                "run.json",
                MINIMAL.replace(r#""events":[]"#, &event).as_bytes(),
            )
        };
        assert!(with("9007199254740991").is_ok());
        assert!(with("3.0").is_ok());
        assert!(with("1e300").is_ok());
        for sequence in ["0", "1.5", "-1", "\"1\""] {
            assert_eq!(with(sequence).unwrap_err().code(), Code::SchemaInvalid);
        }
    }

    #[test]
    fn the_message_names_the_place() {
        let error = read("run.json", MINIMAL.replace("[]", "{}").as_bytes()).unwrap_err();
        assert!(error.message().starts_with("run.json:3:"), "{error}");
        assert!(error.message().contains("/authorities"), "{error}");
        assert!(error.message().ends_with("and 1 more"), "{error}");
    }
}
