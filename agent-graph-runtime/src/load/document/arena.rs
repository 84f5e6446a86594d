//! The values of one document in flat pools, with parent links, and the builder that fills them.
//! Knows nothing about formats, files or messages.

use alloc::string::String;
use alloc::vec::Vec;

use super::super::limits::DOCUMENT_DEPTH;
use crate::ordered;
use crate::span::Span;

/// Index of a row of the arena.
pub(super) type RowIndex = u32;

/// A piece of the arena's text pool. Copies of an aliased string share it, so that a long string
/// that is referred to often is stored once.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Text {
    start: u32,
    length: u32,
}

/// Consecutive entries of a pool.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Entries {
    start: u32,
    length: u32,
}

impl Entries {
    fn range(self) -> core::ops::Range<usize> {
        let start = self.start as usize;
        start..start + self.length as usize
    }
}

/// What a row is.
#[derive(Clone, Copy, Debug)]
pub(super) enum RowValue {
    Null,
    Bool(bool),
    Number(f64),
    String(Text),
    /// Entries of `Arena::items`.
    Sequence(Entries),
    /// Entries of `Arena::members`.
    Mapping(Entries),
}

/// One value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) value: RowValue,
    pub(super) span: Span,
    /// The sequence or mapping around it; the root is its own parent.
    pub(super) parent: RowIndex,
    /// Its place among the items or members of the parent.
    pub(super) position: u32,
}

/// One member of a mapping.
#[derive(Clone, Copy, Debug)]
pub(super) struct MemberRow {
    pub(super) name: Text,
    pub(super) name_span: Span,
    pub(super) value: RowIndex,
}

/// All values of a document. Row 0 is the root.
#[derive(Debug, Default)]
pub(super) struct Arena {
    rows: Vec<Row>,
    items: Vec<RowIndex>,
    members: Vec<MemberRow>,
    text: String,
}

impl Arena {
    pub(super) fn row(&self, index: RowIndex) -> Option<&Row> {
        self.rows.get(index as usize)
    }

    pub(super) fn text(&self, text: Text) -> &str {
        let start = text.start as usize;
        self.text
            .get(start..start + text.length as usize)
            .unwrap_or("")
    }

    pub(super) fn items(&self, entries: Entries) -> &[RowIndex] {
        self.items.get(entries.range()).unwrap_or(&[])
    }

    pub(super) fn members(&self, entries: Entries) -> &[MemberRow] {
        self.members.get(entries.range()).unwrap_or(&[])
    }
}

/// Which ceiling was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ceiling {
    Nodes,
    Depth,
}

/// What a member name was before it became a string: `1` and `"1"` are different keys of one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NameKind {
    Null,
    Bool,
    Number,
    String,
}

/// A name that occurs twice in one mapping.
#[derive(Clone, Copy, Debug)]
pub(super) struct Repeat {
    pub(super) name: Text,
    pub(super) first: Span,
    pub(super) again: Span,
    /// Whether the keys are equal as resolved values, not only as names.
    pub(super) same_key: bool,
}

#[derive(Clone, Copy)]
struct PendingMember {
    row: MemberRow,
    kind: NameKind,
}

enum Content {
    Sequence(Vec<RowIndex>),
    Mapping {
        members: Vec<PendingMember>,
        name: Option<(Text, NameKind, Span)>,
    },
}

struct Open {
    row: RowIndex,
    content: Content,
}

/// Texts beyond this length make room while they are read: a long one may be a single value.
const ROOM: usize = 64 * 1024;

/// How many bytes of a definition hold one value.
const BYTES_A_VALUE: usize = 20;

/// Fills an arena from calls in the order of the text.
pub(super) struct Builder {
    arena: Arena,
    open: Vec<Open>,
    names: usize,
    /// How many values and names there may be.
    ceiling: usize,
}

impl Builder {
    pub(super) fn new(ceiling: usize) -> Self {
        Self {
            arena: Arena::default(),
            open: Vec::new(),
            names: 0,
            ceiling,
        }
    }

    /// A builder with room for what a text of this length usually holds.
    pub(super) fn for_text(ceiling: usize, text: &str) -> Self {
        let mut builder = Self::new(ceiling);
        let values = text.len().min(ROOM) / BYTES_A_VALUE;
        builder.arena.rows.reserve(values);
        builder.arena.members.reserve(values);
        builder
    }

    pub(super) fn finish(self) -> Arena {
        self.arena
    }

    pub(super) fn arena(&self) -> &Arena {
        &self.arena
    }

    /// Whether a container is open whose next call has to be a name.
    pub(super) fn expects_name(&self) -> bool {
        matches!(
            self.open.last(),
            Some(Open {
                content: Content::Mapping { name: None, .. },
                ..
            })
        )
    }

    /// Whether the end of the container at `row` has not been reached.
    pub(super) fn is_open(&self, row: RowIndex) -> bool {
        self.open.iter().any(|open| open.row == row)
    }

    /// Stores a text.
    pub(super) fn text(&mut self, text: &str) -> Text {
        // Documents are shorter than 4 MiB and texts at most a few times longer than their source.
        let start = u32::try_from(self.arena.text.len()).unwrap_or(u32::MAX);
        self.arena.text.push_str(text);
        Text {
            start,
            length: u32::try_from(text.len()).unwrap_or(u32::MAX),
        }
    }

    /// Adds a value without members.
    pub(super) fn scalar(&mut self, value: RowValue, span: Span) -> Result<RowIndex, Ceiling> {
        let row = self.push_row(value, span)?;
        self.attach(row);
        Ok(row)
    }

    /// Adds a value that nothing contains.
    pub(super) fn detached(&mut self, value: RowValue, span: Span) -> Result<RowIndex, Ceiling> {
        self.push_row(value, span)
    }

    pub(super) fn begin_sequence(&mut self, span: Span) -> Result<RowIndex, Ceiling> {
        self.begin(
            RowValue::Sequence(Entries::default()),
            Content::Sequence(Vec::new()),
            span,
        )
    }

    pub(super) fn begin_mapping(&mut self, span: Span) -> Result<RowIndex, Ceiling> {
        let content = Content::Mapping {
            // Most mappings have a few members.
            members: Vec::with_capacity(8),
            name: None,
        };
        self.begin(RowValue::Mapping(Entries::default()), content, span)
    }

    /// The name of the member whose value comes next.
    pub(super) fn name(&mut self, text: Text, kind: NameKind, span: Span) -> Result<(), Ceiling> {
        self.names += 1;
        self.check_nodes()?;
        if let Some(Open {
            content: Content::Mapping { name, .. },
            ..
        }) = self.open.last_mut()
        {
            *name = Some((text, kind, span));
        }
        Ok(())
    }

    /// Ends the innermost container. `end` is the end of its span where the text has a closing
    /// bracket; otherwise the container ends with its last value. Names that occur twice keep the
    /// first place and the last value; they are returned.
    pub(super) fn end(&mut self, end: Option<u32>) -> Vec<Repeat> {
        let Some(Open { row, content }) = self.open.pop() else {
            return Vec::new();
        };
        let (value, repeats, last) = match content {
            Content::Sequence(items) => {
                let entries = Entries {
                    start: u32::try_from(self.arena.items.len()).unwrap_or(u32::MAX),
                    length: u32::try_from(items.len()).unwrap_or(u32::MAX),
                };
                for (&item, position) in items.iter().zip(0..) {
                    self.place_in_parent(item, position);
                }
                let last = items.last().copied();
                self.arena.items.extend(items);
                (RowValue::Sequence(entries), Vec::new(), last)
            }
            Content::Mapping { members, .. } => {
                let last = members.last().map(|member| member.row.value);
                let (members, repeats) = self.merge_repeats(members);
                let entries = Entries {
                    start: u32::try_from(self.arena.members.len()).unwrap_or(u32::MAX),
                    length: u32::try_from(members.len()).unwrap_or(u32::MAX),
                };
                for (member, position) in members.iter().zip(0..) {
                    self.place_in_parent(member.row.value, position);
                }
                let rows = members.iter().map(|member| member.row);
                self.arena.members.extend(rows);
                (RowValue::Mapping(entries), repeats, last)
            }
        };
        let last_end = last
            .and_then(|last| self.arena.row(last))
            .map(|row| row.span.end);
        if let Some(row) = self.arena.rows.get_mut(row as usize) {
            row.value = value;
            row.span.end = end.or(last_end).unwrap_or(0).max(row.span.end);
        }
        repeats
    }

    /// Copies the value at `source`, which is complete, to where the next value belongs.
    pub(super) fn copy(&mut self, source: RowIndex) -> Result<RowIndex, Ceiling> {
        let Some(&row) = self.arena.row(source) else {
            return Ok(source);
        };
        let copy = self.push_row(row.value, row.span)?;
        self.attach(copy);
        let mut pending = Vec::from([(copy, self.open.len())]);
        while let Some((container, depth)) = pending.pop() {
            let Some(&Row { value, .. }) = self.arena.row(container) else {
                continue;
            };
            let value = match value {
                RowValue::Sequence(entries) => {
                    let items = self.arena.items(entries).to_vec();
                    check_depth(depth + 1)?;
                    let start = u32::try_from(self.arena.items.len()).unwrap_or(u32::MAX);
                    for (item, position) in items.into_iter().zip(0..) {
                        let child = self.copy_row(item, container, position)?;
                        self.arena.items.push(child);
                        pending.push((child, depth + 1));
                    }
                    RowValue::Sequence(Entries { start, ..entries })
                }
                RowValue::Mapping(entries) => {
                    let members = self.arena.members(entries).to_vec();
                    check_depth(depth + 1)?;
                    let start = u32::try_from(self.arena.members.len()).unwrap_or(u32::MAX);
                    for (member, position) in members.into_iter().zip(0..) {
                        let value = self.copy_row(member.value, container, position)?;
                        self.names += 1;
                        self.arena.members.push(MemberRow { value, ..member });
                        pending.push((value, depth + 1));
                    }
                    RowValue::Mapping(Entries { start, ..entries })
                }
                _ => continue,
            };
            if let Some(row) = self.arena.rows.get_mut(container as usize) {
                row.value = value;
            }
        }
        self.check_nodes()?;
        Ok(copy)
    }

    fn copy_row(
        &mut self,
        source: RowIndex,
        parent: RowIndex,
        position: u32,
    ) -> Result<RowIndex, Ceiling> {
        // Rows never go away, so the source exists; an absent one would read as null.
        let (value, span) = self
            .arena
            .row(source)
            .map_or((RowValue::Null, Span::default()), |row| {
                (row.value, row.span)
            });
        let row = self.push_row(value, span)?;
        if let Some(row) = self.arena.rows.get_mut(row as usize) {
            row.parent = parent;
            row.position = position;
        }
        Ok(row)
    }

    fn begin(
        &mut self,
        value: RowValue,
        content: Content,
        span: Span,
    ) -> Result<RowIndex, Ceiling> {
        check_depth(self.open.len() + 1)?;
        let row = self.push_row(value, span)?;
        self.attach(row);
        self.open.push(Open { row, content });
        Ok(row)
    }

    fn push_row(&mut self, value: RowValue, span: Span) -> Result<RowIndex, Ceiling> {
        let index = u32::try_from(self.arena.rows.len()).map_err(|_| Ceiling::Nodes)?;
        self.arena.rows.push(Row {
            value,
            span,
            parent: self.open.last().map_or(0, |open| open.row),
            position: 0,
        });
        self.check_nodes()?;
        Ok(index)
    }

    /// Hands a row to the container around it.
    fn attach(&mut self, row: RowIndex) {
        match self.open.last_mut().map(|open| &mut open.content) {
            Some(Content::Sequence(items)) => items.push(row),
            Some(Content::Mapping { members, name }) => {
                if let Some((text, kind, name_span)) = name.take() {
                    members.push(PendingMember {
                        row: MemberRow {
                            name: text,
                            name_span,
                            value: row,
                        },
                        kind,
                    });
                }
            }
            None => {}
        }
    }

    fn place_in_parent(&mut self, row: RowIndex, position: u32) {
        if let Some(row) = self.arena.rows.get_mut(row as usize) {
            row.position = position;
        }
    }

    fn check_nodes(&self) -> Result<(), Ceiling> {
        if self.arena.rows.len() + self.names > self.ceiling {
            return Err(Ceiling::Nodes);
        }
        Ok(())
    }

    /// Whether no name occurs twice, told only of mappings in which comparing all names is quick.
    fn are_few_and_different(&self, members: &[PendingMember]) -> bool {
        let name = |member: &PendingMember| self.arena.text(member.row.name);
        let is_new = |nth: usize, member| {
            let mut earlier = members.iter().take(nth);
            earlier.all(|other| name(other) != name(member))
        };
        let mut members = members.iter().enumerate();
        members.len() <= 16 && members.all(|(nth, member)| is_new(nth, member))
    }

    /// Finds repeated names by sorting, so that a hostile mapping costs no more than an honest one.
    fn merge_repeats(&self, mut members: Vec<PendingMember>) -> (Vec<PendingMember>, Vec<Repeat>) {
        if self.are_few_and_different(&members) {
            return (members, Vec::new());
        }
        let mut order: Vec<usize> = (0..members.len()).collect();
        let name_of = |members: &[PendingMember], index: usize| {
            members
                .get(index)
                .map_or("", |member| self.arena.text(member.row.name))
        };
        // Stable: among equal names the first one of the text stays first.
        ordered::sort_by(&mut order, |&a, &b| {
            name_of(&members, a).cmp(name_of(&members, b))
        });
        let mut repeats = Vec::new();
        let mut dropped = Vec::new();
        let groups = order.chunk_by(|&a, &b| name_of(&members, a) == name_of(&members, b));
        let mut survivors = Vec::new();
        for group in groups {
            let &[first, .., last] = group else { continue };
            survivors.push((first, last));
            dropped.extend(group.iter().copied().skip(1));
            for (nth, &again) in group.iter().enumerate().skip(1) {
                let earlier = group.get(..nth).unwrap_or(&[]);
                repeats.extend(repeat_of(&members, earlier, again));
            }
        }
        for (first, last) in survivors {
            let last = members.get(last).copied();
            if let (Some(first), Some(last)) = (members.get_mut(first), last) {
                *first = last;
            }
        }
        ordered::sort_by(&mut repeats, |a: &Repeat, b| a.again.cmp(&b.again));
        dropped.sort_unstable();
        let kept = members
            .iter()
            .enumerate()
            .filter(|(index, _)| dropped.binary_search(index).is_err())
            .map(|(_, member)| *member)
            .collect();
        (kept, repeats)
    }
}

/// `again` repeats the name of the `earlier` members: the first one of the same key, else the first.
fn repeat_of(members: &[PendingMember], earlier: &[usize], again: usize) -> Option<Repeat> {
    let again = members.get(again)?;
    let mut earlier = earlier.iter().filter_map(|&index| members.get(index));
    let first = earlier.next()?;
    let same = core::iter::once(first)
        .chain(earlier)
        .find(|member| member.kind == again.kind);
    Some(Repeat {
        name: again.row.name,
        first: same.unwrap_or(first).row.name_span,
        again: again.row.name_span,
        same_key: same.is_some(),
    })
}

fn check_depth(depth: usize) -> Result<(), Ceiling> {
    if depth > DOCUMENT_DEPTH as usize {
        return Err(Ceiling::Depth);
    }
    Ok(())
}
