//! A gate on a route (spec 1.8). Knows the wire form, which lists the members as they were authored.

use alloc::string::String;
use alloc::vec::Vec;

use serde_core::ser::SerializeMap;
use serde_core::{Serialize, Serializer};

use super::RouteAction;
use super::plan::CommandItem;
use crate::protocol::Resolution;
use crate::wire::wire_struct;

/// The gate of a gate node.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RouteGate {
    /// Id of the gate.
    pub id: String,
    /// What to ask.
    pub prompt: String,
    /// The authority that may resolve it, if one was authored.
    pub authority: Option<String>,
    /// Whether a session with the authority may resolve it, if that was authored.
    pub delegatable: Option<bool>,
    /// Who resolves it now.
    pub resolution: Resolution,
    /// Shows what is to be decided. It only reads, so it is safe before the decision.
    pub inspection_action: Option<GateAction>,
    /// Carries the decision out. Not to be run while a person has to resolve the gate.
    pub resolution_action: Option<GateAction>,
    /// The authored members in authored order, see `GateRow::members`.
    pub(super) members: [u8; 4],
}

/// An action of a gate.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GateAction {
    /// The action.
    pub action: RouteAction,
    /// What to run for it; nothing for an agent.
    pub command_plan: Vec<CommandItem>,
}

wire_struct!(GateAction {
    "action": action,
    "commandPlan": command_plan,
});

impl Serialize for RouteGate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for member in self.members {
            match member {
                1 => map.serialize_entry("id", &self.id)?,
                2 => map.serialize_entry("prompt", &self.prompt)?,
                3 => entry_if_any(&mut map, "authority", self.authority.as_ref())?,
                4 => entry_if_any(&mut map, "delegatable", self.delegatable.as_ref())?,
                _ => {}
            }
        }
        map.serialize_entry("resolution", &self.resolution)?;
        entry_if_any(
            &mut map,
            "inspectionAction",
            self.inspection_action.as_ref(),
        )?;
        entry_if_any(
            &mut map,
            "resolutionAction",
            self.resolution_action.as_ref(),
        )?;
        map.end()
    }
}

fn entry_if_any<M: SerializeMap>(
    map: &mut M,
    name: &str,
    value: Option<&impl Serialize>,
) -> Result<(), M::Error> {
    match value {
        Some(value) => map.serialize_entry(name, value),
        None => Ok(()),
    }
}
