//! What is refused before there are diagnostics: forbidden names, numbers that are not finite, documents that
//! are no object (spec 4.1). Knows nothing about shapes.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::structure::members;
use crate::finding::Place;
use crate::json::read::{self, Reason, Sink};
use crate::load::document::{Kind, Member, Node};
use crate::pi::text;
use crate::span::Span;

/// The first forbidden name, depth first: its path, and its place.
pub(super) fn forbidden_name(root: Node<'_>) -> Option<(String, Place)> {
    let mut steps = Vec::new();
    let member = search(root, &mut steps)?;
    Some((bracketed(&steps), member.name_place()))
}

/// Recursion ends with the document, whose depth is limited.
fn search<'d>(node: Node<'d>, steps: &mut Vec<Step<'d>>) -> Option<Member<'d>> {
    if node.kind() == Kind::Mapping {
        for member in members(node) {
            steps.push(Step::Name(Cow::Borrowed(member.name)));
            if text::is_forbidden(member.name) {
                return Some(member);
            }
            if let Some(found) = search(member.value, steps) {
                return Some(found);
            }
            steps.pop();
        }
    }
    for (index, item) in node.items().enumerate() {
        steps.push(Step::Index(index));
        if let Some(found) = search(item, steps) {
            return Some(found);
        }
        steps.pop();
    }
    None
}

/// The path of the first number beyond the double range. The reader stops there, so the way to it is what is
/// open then.
pub(super) fn non_finite_number(text: &str, depth: u32) -> Option<String> {
    let mut way = Way { steps: Vec::new() };
    match read::read(text, depth, &mut way) {
        Err(error) if error.reason == Reason::NumberRange => Some(bracketed(&way.steps)),
        _ => None,
    }
}

/// One step of a path.
enum Step<'t> {
    Name(Cow<'t, str>),
    Index(usize),
}

/// Indices in brackets, unlike the paths of diagnostics.
fn bracketed(steps: &[Step<'_>]) -> String {
    let mut path = String::new();
    for step in steps {
        match step {
            Step::Name(name) => {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(name);
            }
            Step::Index(index) => path.push_str(&format!("[{index}]")),
        }
    }
    path
}

/// The way from the document to the value that is read next.
struct Way {
    steps: Vec<Step<'static>>,
}

impl Way {
    /// A value has been read: the next item has the next index, and a name is used up.
    fn read(&mut self) -> Result<(), Reason> {
        match self.steps.last_mut() {
            Some(Step::Index(index)) => *index += 1,
            Some(Step::Name(_)) => drop(self.steps.pop()),
            None => {}
        }
        Ok(())
    }
}

impl Sink for Way {
    fn null(&mut self, _: Span) -> Result<(), Reason> {
        self.read()
    }

    fn bool(&mut self, _: bool, _: Span) -> Result<(), Reason> {
        self.read()
    }

    fn number(&mut self, _: f64, _: Span) -> Result<(), Reason> {
        self.read()
    }

    fn string(&mut self, _: Cow<'_, str>, _: Span) -> Result<(), Reason> {
        self.read()
    }

    fn key(&mut self, name: Cow<'_, str>, _: Span) -> Result<(), Reason> {
        self.steps.push(Step::Name(Cow::Owned(name.into_owned())));
        Ok(())
    }

    fn begin_array(&mut self, _: Span) -> Result<(), Reason> {
        self.steps.push(Step::Index(0));
        Ok(())
    }

    fn end_array(&mut self, _: Span) -> Result<(), Reason> {
        self.steps.pop();
        self.read()
    }

    fn begin_object(&mut self, _: Span) -> Result<(), Reason> {
        Ok(())
    }

    fn end_object(&mut self, _: Span) -> Result<(), Reason> {
        self.read()
    }
}
