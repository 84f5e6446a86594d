//! The words that descriptions are put together from: members, and the shapes that many objects share.
//! Knows no object.

use super::{Member, Shape, Text, Words};
use crate::protocol::{self, CodeKind, Effect, Join, NodeKind, Runner};

/// A member that has to be there.
pub const fn required(name: &'static str, shape: Shape, description: &'static str) -> Member {
    Member {
        name,
        required: true,
        shape,
        description,
        default: None,
    }
}

/// A member that may be absent.
pub const fn optional(name: &'static str, shape: Shape, description: &'static str) -> Member {
    Member {
        required: false,
        ..required(name, shape, description)
    }
}

/// An id.
pub const ID: Shape = Shape::Text(Text::Id);
/// Why a route is offered.
pub const REASON_CODE: Shape = Shape::Text(Text::ReasonCode);
/// A path below the provider.
pub const PATH: Shape = Shape::Text(Text::RelativePath);
/// A text with something in it.
pub const NOT_EMPTY: Shape = Shape::Text(Text::Length(1, u32::MAX));
/// Any text.
pub const ANY_TEXT: Shape = Shape::Text(Text::Length(0, u32::MAX));
/// What an author says about a definition.
pub const DESCRIPTION: Shape = Shape::Text(Text::Length(0, 1000));
/// A count.
pub const COUNT: Shape = Shape::Integer(0, i64::MAX);
/// A digest.
pub const DIGEST: Shape = Shape::Text(Text::Digest);
/// A date and time with a zone.
pub const DATE_TIME: Shape = Shape::Text(Text::DateTime);

/// The wire strings of an enumeration of the protocol as [`Words`].
macro_rules! words {
    ($name:literal, $enumeration:ty) => {
        $crate::load::shape::Words {
            name: $name,
            all: || {
                const WORDS: [&str; <$enumeration>::ALL.len()] = {
                    let mut words = [""; <$enumeration>::ALL.len()];
                    let mut index = 0;
                    while index < words.len() {
                        words[index] = <$enumeration>::ALL[index].as_str();
                        index += 1;
                    }
                    words
                };
                &WORDS
            },
        }
    };
}
pub(super) use words;

/// The kinds a file may have (StaticKind of spec 1.1).
pub const STATIC_KIND: Shape = Shape::Word(Words {
    name: "static resource kind",
    all: || &["procedure", "diagnostic", "template", "schema", "skill"],
});
/// What a resource is for.
pub const RESOURCE_KIND: Shape = Shape::Word(words!("resource kind", protocol::ResourceKind));
/// How a node or a graph ends.
pub const OUTCOME: Shape = Shape::Word(words!("outcome", protocol::Outcome));
/// How much a diagnostic matters.
pub const SEVERITY: Shape = Shape::Word(words!("severity", protocol::Severity));
/// What an evaluation says as a whole.
pub const STATUS: Shape = Shape::Word(words!("status", protocol::Status));
/// Who can take a route.
pub const AVAILABILITY: Shape = Shape::Word(words!("availability", protocol::Availability));
/// What a node is.
pub const NODE_KIND: Shape = Shape::Word(words!("node kind", NodeKind));
/// How many of the edges that lead to a node have to hit.
pub const JOIN: Shape = Shape::Word(words!("join", Join));
/// Who runs an action.
pub const RUNNER: Shape = Shape::Word(words!("runner", Runner));
/// What running an action does to the world.
pub const EFFECT: Shape = Shape::Word(words!("effect", Effect));
/// What a code stands for.
pub const CODE_KIND: Shape = Shape::Word(words!("code kind", CodeKind));
