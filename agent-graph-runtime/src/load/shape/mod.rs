//! What each protocol object looks like, described once (spec section 1). The description drives the
//! check of a parsed document and prints the JSON Schemas. Knows nothing about what objects mean
//! together: references, graphs and files are checked elsewhere.
//!
//! Shapes are static and refer to each other without cycles, so a walk over one is as deep as the
//! description and not as deep as the input.

mod action;
mod bundle;
mod catalog;
mod check;
mod codes;
mod date_time;
mod evaluation;
mod graph;
mod home;
mod location;
mod phrase;
mod print;
mod provider;
mod receipts;
mod resource;
mod route;
mod run;
pub mod scalar;
pub mod vocabulary;

pub use action::ACTION;
pub use bundle::BUNDLE;
pub use catalog::{OBJECTS, shape_of};
pub use check::check_json;
pub use codes::CODE_CATALOG;
pub use evaluation::{DIAGNOSTIC_MEMBERS, DIAGNOSTICS, ERROR, EVALUATION};
pub use graph::GRAPH;
pub use location::LOCATION;
pub use print::{json_schema, json_schema_of};
pub use provider::PROVIDER;
pub use receipts::{HOST_ACTION_RESULT, READ_RECEIPTS, SKILL_BINDING};
pub use resource::RESOURCE;
pub use route::{CODE_LOCATION, ROUTE};
pub use run::{EVENTS, RUN, TEST_CASE};
pub use scalar::Text;

pub(crate) use check::{FINDINGS_LIMIT, check, with_end};
pub(crate) use phrase::excerpt;
use vocabulary::{
    ANY_TEXT, DESCRIPTION, ID, NOT_EMPTY, OUTCOME, PATH, REASON_CODE, RESOURCE_KIND, SEVERITY,
    STATIC_KIND, optional, required, words,
};

/// The description of a JSON value.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// Exactly this string.
    Constant(&'static str),
    /// A string under a constraint.
    Text(Text),
    /// One of the words of an enumeration.
    Word(Words),
    /// A number without fraction within bounds, both included; `i64::MAX` is no bound.
    Integer(i64, i64),
    /// `true` or `false`.
    Boolean,
    /// `true`.
    True,
    /// `null`.
    Null,
    /// A string, a number, a boolean or null.
    Scalar,
    /// Any JSON value.
    Any,
    /// An object with any members.
    AnyObject,
    /// An array.
    List(&'static List),
    /// An object whose member names are free.
    Map(&'static Map),
    /// A closed object.
    Object(&'static Object),
    /// A closed object of one of several kinds.
    Variants(&'static Variants),
    /// The first shape whose JSON type is that of the value.
    Either(&'static [Shape]),
}

/// The words of an enumeration.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// What one of them is, for example `outcome`.
    pub name: &'static str,
    /// The words, as a function because the enumerations keep them as one.
    pub all: fn() -> &'static [&'static str],
}

/// An array.
#[derive(Debug)]
pub struct List {
    /// What each item has to be.
    pub items: Shape,
    /// How many there are at least.
    pub min: usize,
    /// Whether no string may repeat.
    pub unique: bool,
}

/// An object whose member names are free.
#[derive(Debug)]
pub struct Map {
    /// What each name has to be.
    pub names: Text,
    /// What each value has to be.
    pub values: Shape,
    /// How many members there are at least.
    pub min: usize,
}

/// A closed object.
#[derive(Debug)]
pub struct Object {
    /// What a message calls it, for example `action node`.
    pub name: &'static str,
    /// What it is, in one sentence.
    pub description: &'static str,
    /// Its members, in groups so that kindred objects share some.
    pub members: &'static [&'static [Member]],
}

/// A member of a closed object.
#[derive(Debug)]
pub struct Member {
    /// Its name.
    pub name: &'static str,
    /// Whether it has to be there.
    pub required: bool,
    /// What its value has to be.
    pub shape: Shape,
    /// What it is for, in one sentence.
    pub description: &'static str,
    /// The value it has when it is absent, as JSON text.
    pub default: Option<&'static str>,
}

/// A closed object of one of several kinds.
#[derive(Debug)]
pub struct Variants {
    /// What a message calls it, for example `node`.
    pub name: &'static str,
    /// What it is, in one sentence.
    pub description: &'static str,
    /// How the kind is told.
    pub by: By,
    /// What the kind is told by (a value of the member, or the name of a member) and the object, which
    /// may have variants itself.
    pub cases: &'static [(&'static str, Shape)],
}

/// How the kind of an object is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// By the value of the member of this name.
    Value(&'static str),
    /// By which one of several members is there.
    Presence,
}

impl Shape {
    /// The member of this name, of an object or of any of its variants.
    pub fn member(&self, name: &str) -> Option<&'static Member> {
        match self {
            Self::Object(object) => object.member(name),
            Self::Variants(variants) => {
                let mut cases = variants.cases.iter();
                cases.find_map(|(_, shape)| shape.member(name))
            }
            _ => None,
        }
    }
}

impl Object {
    /// All members.
    pub fn all(&self) -> impl Iterator<Item = &'static Member> + Clone + use<> {
        let groups: &'static [&'static [Member]] = self.members;
        groups.iter().flat_map(|group| group.iter())
    }

    /// The member of this name.
    pub fn member(&self, name: &str) -> Option<&'static Member> {
        self.all().find(|member| member.name == name)
    }
}

impl Member {
    /// The same member with the value it has when it is absent.
    const fn or(self, default: &'static str) -> Self {
        Self {
            default: Some(default),
            ..self
        }
    }
}
