//! Builds a [`Value`] from what the reader calls. Knows nothing about text.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::object::Object;
use super::read::{Reason, Sink};
use super::value::Value;
use crate::span::Span;

/// A container whose end has not been reached.
enum Open {
    Array(Vec<Value>),
    Object(Vec<(String, Value)>),
}

/// The sink behind [`Value::from_json`].
#[derive(Default)]
pub(super) struct Builder {
    open: Vec<Open>,
    names: Vec<String>,
    finished: Option<Value>,
}

impl Builder {
    /// What has been read; `None` before the end of the outermost value.
    pub(super) fn into_value(self) -> Option<Value> {
        self.finished
    }

    fn add(&mut self, value: Value) {
        match self.open.last_mut() {
            Some(Open::Array(items)) => items.push(value),
            Some(Open::Object(members)) => {
                // The reader gives every member its name before its value.
                members.push((self.names.pop().unwrap_or_default(), value));
            }
            None => self.finished = Some(value),
        }
    }

    fn end(&mut self) {
        match self.open.pop() {
            Some(Open::Array(items)) => self.add(Value::Array(items)),
            Some(Open::Object(members)) => {
                self.add(Value::Object(Object::from_members(members)));
            }
            None => {}
        }
    }
}

impl Sink for Builder {
    fn null(&mut self, _: Span) -> Result<(), Reason> {
        self.add(Value::Null);
        Ok(())
    }

    fn bool(&mut self, value: bool, _: Span) -> Result<(), Reason> {
        self.add(Value::Bool(value));
        Ok(())
    }

    fn number(&mut self, value: f64, _: Span) -> Result<(), Reason> {
        self.add(Value::Number(value));
        Ok(())
    }

    fn string(&mut self, value: Cow<'_, str>, _: Span) -> Result<(), Reason> {
        self.add(Value::String(value.into_owned()));
        Ok(())
    }

    fn key(&mut self, name: Cow<'_, str>, _: Span) -> Result<(), Reason> {
        self.names.push(name.into_owned());
        Ok(())
    }

    fn begin_array(&mut self, _: Span) -> Result<(), Reason> {
        self.open.push(Open::Array(Vec::new()));
        Ok(())
    }

    fn end_array(&mut self, _: Span) -> Result<(), Reason> {
        self.end();
        Ok(())
    }

    fn begin_object(&mut self, _: Span) -> Result<(), Reason> {
        self.open.push(Open::Object(Vec::new()));
        Ok(())
    }

    fn end_object(&mut self, _: Span) -> Result<(), Reason> {
        self.end();
        Ok(())
    }
}
