//! What the rest of the loader sees of a document: values with their places.
//! Knows nothing about formats.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write as _;

use super::Document;
use super::arena::{MemberRow, Row, RowIndex, RowValue};
use crate::finding::Place;
use crate::json;
use crate::span::Span;

/// The six kinds of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Null,
    Bool,
    Number,
    String,
    Sequence,
    Mapping,
}

/// A value of a document.
///
/// What an alias stands for is a copy: its pointer is the path by which it is reached, its span
/// that of the anchored text, where the value is written.
#[derive(Clone, Copy)]
pub(crate) struct Node<'d> {
    document: &'d Document,
    index: RowIndex,
}

/// A member of a mapping.
#[derive(Clone, Copy)]
pub(crate) struct Member<'d> {
    pub(crate) name: &'d str,
    pub(crate) value: Node<'d>,
    name_span: Span,
}

impl Member<'_> {
    /// The place of the name; the pointer is that of the value.
    pub(crate) fn name_place(&self) -> Place {
        self.value
            .document
            .place(self.name_span, self.value.pointer())
    }
}

impl<'d> Node<'d> {
    pub(super) fn root_of(document: &'d Document) -> Self {
        Self { document, index: 0 }
    }

    pub(crate) fn kind(self) -> Kind {
        match self.value() {
            RowValue::Null => Kind::Null,
            RowValue::Bool(_) => Kind::Bool,
            RowValue::Number(_) => Kind::Number,
            RowValue::String(_) => Kind::String,
            RowValue::Sequence(_) => Kind::Sequence,
            RowValue::Mapping(_) => Kind::Mapping,
        }
    }

    pub(crate) fn span(self) -> Span {
        self.row().map_or(Span::default(), |row| row.span)
    }

    pub(crate) fn place(self) -> Place {
        self.document.place(self.span(), self.pointer())
    }

    /// The JSON pointer by which the value is reached; empty for the root.
    pub(crate) fn pointer(self) -> String {
        // Most values lie a few short steps deep.
        let mut steps = Vec::with_capacity(8);
        let mut index = self.index;
        // A parent is always made before its children, so the walk ends at the root.
        while let Some(row) = self.document.arena.row(index).filter(|_| index != 0) {
            steps.push(row);
            index = row.parent;
        }
        let mut pointer = String::with_capacity(12 * steps.len());
        for row in steps.iter().rev() {
            pointer.push('/');
            self.push_step(row, &mut pointer);
        }
        pointer
    }

    pub(crate) fn as_str(self) -> Option<&'d str> {
        match self.value() {
            RowValue::String(text) => Some(self.document.arena.text(text)),
            _ => None,
        }
    }

    pub(crate) fn as_bool(self) -> Option<bool> {
        match self.value() {
            RowValue::Bool(value) => Some(value),
            _ => None,
        }
    }

    pub(crate) fn as_number(self) -> Option<f64> {
        match self.value() {
            RowValue::Number(value) => Some(value),
            _ => None,
        }
    }

    /// The items of a sequence; nothing for any other value.
    pub(crate) fn items(
        self,
    ) -> impl ExactSizeIterator<Item = Node<'d>> + DoubleEndedIterator + 'd {
        let items = match self.value() {
            RowValue::Sequence(entries) => self.document.arena.items(entries),
            _ => &[],
        };
        items.iter().map(move |&index| Node { index, ..self })
    }

    /// The members of a mapping in the order of the text; nothing for any other value.
    pub(crate) fn members(
        self,
    ) -> impl ExactSizeIterator<Item = Member<'d>> + DoubleEndedIterator + 'd {
        self.member_rows().iter().map(move |row| self.member(row))
    }

    /// The value of the member with this name.
    pub(crate) fn get(self, name: &str) -> Option<Node<'d>> {
        self.get_member(name).map(|member| member.value)
    }

    /// The member with this name.
    pub(crate) fn get_member(self, name: &str) -> Option<Member<'d>> {
        self.members().find(|member| member.name == name)
    }

    /// The place of what a JSON pointer leads to from here, or of the last step that exists; with `name`,
    /// of the name of that member.
    #[cfg(feature = "user-schemas")]
    pub(crate) fn place_at(self, pointer: &str, name: bool) -> Place {
        let mut node = self;
        let mut name_place = None;
        for step in pointer.split('/').skip(1) {
            let step = step.replace("~1", "/").replace("~0", "~");
            let member = node.get_member(&step);
            let item = || node.items().nth(step.parse().ok()?);
            let Some(next) = member.map(|member| member.value).or_else(item) else {
                break;
            };
            name_place = member.map(|member| member.name_place());
            node = next;
        }
        name_place.filter(|_| name).unwrap_or_else(|| node.place())
    }

    /// The value without places.
    pub(crate) fn to_value(self) -> json::Value {
        match self.value() {
            RowValue::Null => json::Value::Null,
            RowValue::Bool(value) => json::Value::Bool(value),
            RowValue::Number(value) => json::Value::Number(value),
            RowValue::String(text) => json::Value::String(self.document.arena.text(text).into()),
            // The recursion ends: the depth of documents is limited.
            RowValue::Sequence(_) => json::Value::Array(self.items().map(Node::to_value).collect()),
            RowValue::Mapping(_) => json::Value::Object(json::Object::from_members(
                self.members()
                    .map(|member| (member.name.to_string(), member.value.to_value()))
                    .collect(),
            )),
        }
    }

    /// Adds its place, and those of all values in it. The recursion ends: the depth of documents is limited.
    pub(crate) fn add_places(self, places: &mut Vec<Place>) {
        places.push(self.place());
        for item in self.items() {
            item.add_places(places);
        }
        for member in self.members() {
            member.value.add_places(places);
        }
    }

    fn row(self) -> Option<&'d Row> {
        self.document.arena.row(self.index)
    }

    fn value(self) -> RowValue {
        // Nodes are only made for rows that exist.
        self.row().map_or(RowValue::Null, |row| row.value)
    }

    fn member_rows(self) -> &'d [MemberRow] {
        match self.value() {
            RowValue::Mapping(entries) => self.document.arena.members(entries),
            _ => &[],
        }
    }

    fn member(self, row: &MemberRow) -> Member<'d> {
        Member {
            name: self.document.arena.text(row.name),
            value: Node {
                index: row.value,
                ..self
            },
            name_span: row.name_span,
        }
    }

    /// Appends the last step of the pointer of `row`.
    fn push_step(self, row: &Row, pointer: &mut String) {
        let parent = Node {
            index: row.parent,
            ..self
        };
        match parent.member_rows().get(row.position as usize) {
            Some(member) => {
                for part in self
                    .document
                    .arena
                    .text(member.name)
                    .split_inclusive(['~', '/'])
                {
                    match part.as_bytes().last() {
                        Some(b'~') => {
                            pointer.extend([part.strip_suffix('~').unwrap_or(part), "~0"])
                        }
                        Some(b'/') => {
                            pointer.extend([part.strip_suffix('/').unwrap_or(part), "~1"])
                        }
                        _ => pointer.push_str(part),
                    }
                }
            }
            // Writing to a string cannot fail.
            None => drop(write!(pointer, "{}", row.position)),
        }
    }
}
