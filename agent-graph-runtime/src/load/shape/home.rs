//! Where a member that an object does not have was meant to go: another kind of object, one level deeper
//! or higher, or under another spelling. Knows shapes and names, no documents.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::phrase::{a, listed};
use super::{By, Member, Object, Shape, Variants};
use crate::load::nearest::nearest;

/// What is known around an object: where a member that is unknown in it may belong instead.
#[derive(Clone, Copy, Default)]
pub(super) struct Surroundings<'s> {
    /// The enclosing object and what surrounds it.
    pub(super) outer: Option<(&'static Object, &'s Surroundings<'s>)>,
    /// Members that stand in the enclosing object by mistake and belong here.
    pub(super) supplied: &'s [&'static str],
    /// The other kinds of this object, with what tells them.
    pub(super) kinds: Option<&'static Variants>,
}

/// Where an unknown member should have gone.
pub(super) enum Home {
    /// To an object of another kind.
    Kind(String),
    /// Into this member of the same object.
    Inside(&'static Member, &'static str),
    /// To the enclosing object.
    Outside(&'static Object, &'static str),
    /// It is a misspelling of this member.
    Spelled(&'static str),
    /// Nobody knows.
    Unknown,
}

/// Where the unknown member `name` of `object` was meant to go.
pub(super) fn home_of(
    name: &str,
    present: &[&'static str],
    object: &'static Object,
    around: &Surroundings<'_>,
) -> Home {
    if let Some(hint) = around.kinds.and_then(|kinds| kind_with(name, kinds)) {
        return Home::Kind(hint);
    }
    for holder in object.all() {
        if let Shape::Object(inner) = holder.shape
            && let Some(member) = inner.member(name)
        {
            return Home::Inside(holder, member.name);
        }
    }
    if let Some((outer, _)) = around.outer
        && let Some(member) = outer.member(name)
    {
        return Home::Outside(outer, member.name);
    }
    let absent = object
        .all()
        .map(|member| member.name)
        .filter(|legal| !present.contains(legal));
    let all = object.all().map(|member| member.name);
    match nearest(name, absent).or_else(|| nearest(name, all)) {
        Some(meant) => Home::Spelled(meant),
        None => Home::Unknown,
    }
}

/// Which other kinds have a member of this name, as a hint.
fn kind_with(name: &str, kinds: &'static Variants) -> Option<String> {
    let having: Vec<&str> = kinds
        .cases
        .iter()
        .filter(|(_, shape)| shape.member(name).is_some())
        .map(|(word, _)| *word)
        .collect();
    match kinds.by {
        By::Value(tag) if !having.is_empty() => Some(format!(
            "`{name}` belongs to {} whose {tag} is {}",
            a(kinds.name),
            listed(&having)
        )),
        _ => None,
    }
}

impl Home {
    pub(super) fn hint(&self, name: &str) -> Option<String> {
        match self {
            Self::Kind(hint) => Some(hint.clone()),
            Self::Inside(holder, _) => Some(format!("`{name}` belongs in `{}`", holder.name)),
            Self::Outside(outer, _) => Some(format!(
                "`{name}` belongs to the {} around it, one level up",
                outer.name
            )),
            Self::Spelled(meant) => Some(format!("did you mean `{meant}`?")),
            Self::Unknown => None,
        }
    }
}
