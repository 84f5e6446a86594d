//! JSON into the arena, with the runtime's own reader. Knows nothing about files.

use alloc::borrow::Cow;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::super::limits::DOCUMENT_DEPTH;
use super::arena::{Builder, Ceiling, NameKind, Repeat, RowValue};
use super::{Parsed, Problem};
use crate::code::Code;
use crate::json::read::{self, Reason, Sink};
use crate::span::Span;

/// Reads one JSON text of at most so many values and names.
pub(super) fn parse(text: &str, ceiling: usize) -> Result<Parsed, Problem> {
    let mut sink = ArenaSink {
        builder: Builder::new(ceiling),
        repeats: Vec::new(),
    };
    match read::read(text, DOCUMENT_DEPTH, &mut sink) {
        Ok(()) => Ok(Parsed {
            arena: sink.builder.finish(),
            repeats: sink.repeats,
        }),
        Err(error) => {
            let code = match error.reason {
                Reason::Malformed(_) | Reason::LoneSurrogate => Code::ParseFailed,
                Reason::NumberRange => Code::SchemaInvalid,
                Reason::Depth(_) | Reason::Limit(_) => Code::InputLimit,
            };
            let span = Span::new(error.offset, error.offset);
            Err(Problem::new(code, span, error.reason.to_string()))
        }
    }
}

struct ArenaSink {
    builder: Builder,
    repeats: Vec<Repeat>,
}

impl ArenaSink {
    fn scalar(&mut self, value: RowValue, span: Span) -> Result<(), Reason> {
        self.builder.scalar(value, span).map_err(reason)?;
        Ok(())
    }
}

impl Sink for ArenaSink {
    fn null(&mut self, span: Span) -> Result<(), Reason> {
        self.scalar(RowValue::Null, span)
    }

    fn bool(&mut self, value: bool, span: Span) -> Result<(), Reason> {
        self.scalar(RowValue::Bool(value), span)
    }

    fn number(&mut self, value: f64, span: Span) -> Result<(), Reason> {
        self.scalar(RowValue::Number(value), span)
    }

    fn string(&mut self, value: Cow<'_, str>, span: Span) -> Result<(), Reason> {
        let text = self.builder.text(&value);
        self.scalar(RowValue::String(text), span)
    }

    fn key(&mut self, name: Cow<'_, str>, span: Span) -> Result<(), Reason> {
        let text = self.builder.text(&name);
        self.builder
            .name(text, NameKind::String, span)
            .map_err(reason)
    }

    fn begin_array(&mut self, bracket: Span) -> Result<(), Reason> {
        self.builder.begin_sequence(bracket).map_err(reason)?;
        Ok(())
    }

    fn end_array(&mut self, array: Span) -> Result<(), Reason> {
        self.builder.end(Some(array.end));
        Ok(())
    }

    fn begin_object(&mut self, brace: Span) -> Result<(), Reason> {
        self.builder.begin_mapping(brace).map_err(reason)?;
        Ok(())
    }

    fn end_object(&mut self, object: Span) -> Result<(), Reason> {
        // The last value of a repeated name wins, in the place of the first one (difference D14).
        self.repeats.extend(self.builder.end(Some(object.end)));
        Ok(())
    }
}

fn reason(ceiling: Ceiling) -> Reason {
    match ceiling {
        Ceiling::Depth => Reason::Depth(DOCUMENT_DEPTH),
        Ceiling::Nodes => Reason::Limit(super::TOO_MANY_NODES),
    }
}
