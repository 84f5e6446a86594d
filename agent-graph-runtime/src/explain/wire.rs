//! The JSON forms of what an explanation says in one of several ways. Knows names and order only.

use serde_core::ser::{Serialize, SerializeStruct, SerializeStructVariant, Serializer};

use super::need::{FactType, Purpose};
use super::{Change, Expected, FactNeed, Need, Standing};
use super::{Explanation, FrontierNode, Move, UnknownAuthority, UnknownKey};
use crate::wire::{wire_struct, wire_words};

wire_struct!(Explanation {
    "provider": provider,
    "graph": graph,
    "entry": entry,
    "revision": revision,
    "status": status,
    "outcome"? outcome,
    "frontier": frontier,
    "moves": moves,
    "movesComplete": moves_complete,
    "unknownKeys": unknown_keys,
    "unknownAuthorities": unknown_authorities,
});

wire_struct!(FrontierNode {
    "key": key,
    "graph": graph,
    "node": node,
    "kind": kind,
    "value": value,
    "standing": standing,
    "needs": needs,
    "possibility": possibility,
});

wire_struct!(Move {
    "change": change,
    "status": status,
    "outcome"? outcome,
    "opens": opens,
});

wire_struct!(UnknownKey {
    "key": key,
    "ignored": ignored,
    "nearest"? nearest,
});

wire_struct!(UnknownAuthority {
    "authority": authority,
    "nearest"? nearest,
});

wire_words!(Purpose {
    Required = "required",
    Proof = "proof",
});

wire_words!(FactType {
    Absent = "absent",
    Null = "null",
    Boolean = "boolean",
    Number = "number",
    String = "string",
    Array = "array",
    Object = "object",
});

impl Serialize for Standing {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let word = match self {
            Self::Open(availability) => {
                return serializer.serialize_newtype_variant("Standing", 0, "open", availability);
            }
            Self::FactsMissing => "facts-missing",
            Self::Unfinished => "unfinished",
            Self::Unhandled => "unhandled",
            Self::NotReached => "not-reached",
            Self::Conflicting => "conflicting",
        };
        serializer.serialize_str(word)
    }
}

impl Serialize for Change {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Record {
                node,
                outcomes,
                takes_back,
            } => {
                let len = 2 + usize::from(takes_back.is_some());
                let mut object = serializer.serialize_struct_variant("Change", 0, "record", len)?;
                object.serialize_field("node", node)?;
                object.serialize_field("outcomes", outcomes)?;
                if let Some(takes_back) = takes_back {
                    object.serialize_field("takesBack", takes_back)?;
                }
                object.end()
            }
            Self::Facts { node, facts } => {
                let mut object = serializer.serialize_struct_variant("Change", 1, "facts", 2)?;
                object.serialize_field("node", node)?;
                object.serialize_field("facts", facts)?;
                object.end()
            }
            Self::Authority { authority } => {
                let mut object =
                    serializer.serialize_struct_variant("Change", 2, "authority", 1)?;
                object.serialize_field("authority", authority)?;
                object.end()
            }
        }
    }
}

impl Serialize for Expected {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Present => serializer.serialize_str("present"),
            Self::Absent => serializer.serialize_str("absent"),
            Self::Equals(value) => {
                serializer.serialize_newtype_variant("Expected", 2, "equals", value)
            }
        }
    }
}

impl Serialize for Need {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Need", 1 + members(self))?;
        object.serialize_field("need", word(self))?;
        match self {
            Self::Record { recorded } => object.serialize_field("recorded", recorded)?,
            Self::Edge {
                from,
                needed,
                seen,
                met,
            } => {
                object.serialize_field("from", from)?;
                object.serialize_field("needed", needed)?;
                object.serialize_field("seen", seen)?;
                object.serialize_field("met", met)?;
            }
            Self::Onward { to, needed, seen } => {
                object.serialize_field("to", to)?;
                object.serialize_field("needed", needed)?;
                object.serialize_field("seen", seen)?;
            }
            Self::DeadEnd => {}
            Self::Join { join, met, of } => {
                object.serialize_field("join", join)?;
                object.serialize_field("met", met)?;
                object.serialize_field("of", of)?;
            }
            Self::Fact(need) => fact_members(need, &mut object)?,
            Self::Authority {
                authority,
                delegatable,
                held,
            } => {
                object.serialize_field("authority", authority)?;
                object.serialize_field("delegatable", delegatable)?;
                object.serialize_field("held", held)?;
            }
            Self::Repeat { from, seen } => {
                object.serialize_field("from", from)?;
                object.serialize_field("seen", seen)?;
            }
            Self::Call { graph, status } => {
                object.serialize_field("graph", graph)?;
                object.serialize_field("status", status)?;
            }
            Self::Conflict { outcome, against } => {
                object.serialize_field("outcome", outcome)?;
                object.serialize_field("against", against)?;
            }
        }
        object.end()
    }
}

/// What a need is called.
fn word(need: &Need) -> &'static str {
    match need {
        Need::Record { .. } => "record",
        Need::Edge { .. } => "edge",
        Need::Onward { .. } => "onward",
        Need::DeadEnd => "dead-end",
        Need::Join { .. } => "join",
        Need::Fact(_) => "fact",
        Need::Authority { .. } => "authority",
        Need::Repeat { .. } => "repeat",
        Need::Call { .. } => "call",
        Need::Conflict { .. } => "conflict",
    }
}

/// How many members a need has beside that.
fn members(need: &Need) -> usize {
    match need {
        Need::DeadEnd => 0,
        Need::Record { .. } => 1,
        Need::Repeat { .. } | Need::Call { .. } | Need::Conflict { .. } => 2,
        Need::Onward { .. } | Need::Join { .. } | Need::Authority { .. } => 3,
        Need::Edge { .. } => 4,
        Need::Fact(need) => 4 + usize::from(need.value.is_some()),
    }
}

impl Serialize for FactNeed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let len = 4 + usize::from(self.value.is_some());
        let mut object = serializer.serialize_struct("FactNeed", len)?;
        fact_members(self, &mut object)?;
        object.end()
    }
}

fn fact_members<S: SerializeStruct>(need: &FactNeed, object: &mut S) -> Result<(), S::Error> {
    object.serialize_field("purpose", &need.purpose)?;
    object.serialize_field("path", &need.path)?;
    object.serialize_field("expected", &need.expected)?;
    object.serialize_field("found", &need.found)?;
    match &need.value {
        Some(value) => object.serialize_field("value", value),
        None => object.skip_field("value"),
    }
}
