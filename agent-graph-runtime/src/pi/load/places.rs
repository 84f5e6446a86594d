//! From the path of a diagnostic to its place in the document. Knows nothing about diagnostics.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::finding::Place;
use crate::load::document::{Kind, Member, Node};
use crate::pi::diagnostic::Step;

/// Objects with more members than this are indexed when they are first searched.
const SEARCHED: usize = 16;

/// Finds places; remembers the members of large objects.
pub(super) struct Places<'d> {
    root: Node<'d>,
    indexed: BTreeMap<u32, BTreeMap<&'d str, Member<'d>>>,
}

impl<'d> Places<'d> {
    pub(super) fn of(root: Node<'d>) -> Self {
        Self {
            root,
            indexed: BTreeMap::new(),
        }
    }

    /// The place of the value at this path; of what is absent, that of the last value on the way.
    pub(super) fn value(&mut self, steps: &[Step]) -> Place {
        self.walk(steps).0.place()
    }

    /// The place of the name at the end of this path; of what is absent, that of the last value.
    pub(super) fn name(&mut self, steps: &[Step]) -> Place {
        match self.walk(steps) {
            (_, Some(member)) => member.name_place(),
            (node, None) => node.place(),
        }
    }

    /// The value at the path, or the last one on the way; and the member it is, if the whole path was
    /// walked and ends with a name.
    fn walk(&mut self, steps: &[Step]) -> (Node<'d>, Option<Member<'d>>) {
        let mut at = self.root;
        let mut last = None;
        for step in steps {
            match step {
                Step::Name(name) => match self.member(at, name) {
                    Some(member) => {
                        at = member.value;
                        last = Some(member);
                    }
                    None => return (at, None),
                },
                Step::Index(index) => match at.items().nth(*index) {
                    Some(item) => {
                        at = item;
                        last = None;
                    }
                    None => return (at, None),
                },
            }
        }
        (at, last)
    }

    fn member(&mut self, object: Node<'d>, name: &str) -> Option<Member<'d>> {
        if object.kind() != Kind::Mapping || object.members().len() <= SEARCHED {
            return object.get_member(name);
        }
        let members = || object.members().map(|member| (member.name, member));
        let index = self.indexed.entry(object.span().start);
        let index = index.or_insert_with(|| members().collect::<Vec<_>>().into_iter().collect());
        index.get(name).copied()
    }
}
