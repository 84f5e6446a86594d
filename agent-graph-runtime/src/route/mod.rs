//! From "this is next" to everything a host needs to do it (spec 1.8, section 5): what to read, what to run
//! and where, whom to ask, what to record. Resolving reads files and compares them with what was loaded;
//! it evaluates nothing, writes nothing and runs nothing.

mod closed;
mod code_location;
mod gate;
mod host_action;
#[cfg(feature = "user-schemas")]
mod host_action_content;
mod input;
mod inspection;
mod locate;
mod location;
mod plan;
mod receipts;
mod resolve;

use alloc::string::String;
use alloc::vec::Vec;

pub use code_location::CodeLocation;
pub use gate::{GateAction, RouteGate};
pub use host_action::{
    AdapterReceipt, HostActionCall, HostActionContent, HostActionInput, HostActionOutput,
    HostActionResult, validate_host_action_result,
};
pub use input::RouteInput;
pub use inspection::{
    InspectedAction, InspectedCode, InspectedEntries, InspectedGraph, InspectedNode,
    InspectedResource, InspectionCounts, InspectionProvider, ProviderInspection,
};
pub use locate::HostActionSchemas;
pub use location::{
    FileLocation, GraphActionContent, GraphActionLocation, HostActionLocation, ResourceLocation,
    ResourceReference,
};
pub use plan::{CommandItem, Run};
pub use receipts::{Freshness, ReadReceipt, ReadReceipts};

use crate::digest::{Digest, RouteId};
use crate::protocol::{Availability, Effect, Runner, Status};
use crate::wire::wire_struct;

/// A route, resolved. It serializes to `agent-graph.route.v1`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Route {
    /// Id of the provider.
    pub provider: String,
    /// Digest of definitions and routing input.
    pub revision: Digest,
    /// Id of the route.
    pub route_id: RouteId,
    /// Id of the graph that owns the node; it may be a called one.
    pub graph: String,
    /// Id of the node.
    pub node: String,
    /// `actionable` or `waiting-user`.
    pub status: Status,
    /// Why it is offered.
    pub reason_code: String,
    /// The catalog's summary of the reason.
    pub hint: Option<String>,
    /// Who can take it now.
    pub availability: Availability,
    /// `graph/node` of every calling subgraph node, outermost first.
    pub call_path: Vec<String>,
    /// The action of an action node.
    pub action: Option<RouteAction>,
    /// What to run for it; nothing for gates and agents.
    pub command_plan: Vec<CommandItem>,
    /// What to read.
    pub resources: RouteResources,
    /// The gate of a gate node.
    pub gate: Option<RouteGate>,
    /// Reserved: a route that resolves has none.
    diagnostics: [(); 0],
    /// What to do afterwards.
    pub after_action: AfterAction,
}

wire_struct!(Route "agent-graph.route.v1" {
    "provider": provider,
    "revision": revision,
    "routeId": route_id,
    "graph": graph,
    "node": node,
    "statusCode": status,
    "reasonCode": reason_code,
    "hint"? hint,
    "availability": availability,
    "callPath": call_path,
    "action"? action,
    "commandPlan": command_plan,
    "resources": resources,
    "gate"? gate,
    "diagnostics": diagnostics,
    "afterAction": after_action,
});

/// What to read before a route is taken.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct RouteResources {
    /// What has to be read. The skill of an agent action comes first.
    pub required: Vec<ResourceLocation>,
    /// What is worth reading.
    pub recommended: Vec<ResourceLocation>,
}

wire_struct!(RouteResources {
    "required": required,
    "recommended": recommended,
});

impl RouteResources {
    /// The required ones, then the recommended ones. A resource may be listed more than once.
    pub fn all(&self) -> impl Iterator<Item = &ResourceLocation> {
        self.required.iter().chain(&self.recommended)
    }
}

/// An action on a route. The handler of a host action is in the command plan.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RouteAction {
    /// Its id.
    pub id: String,
    /// Who runs it.
    pub runner: Runner,
    /// What running it does.
    pub effect: Effect,
    /// The skill of an agent.
    pub skill: Option<FileLocation>,
    /// JSON Schema of its input.
    pub input_schema: Option<FileLocation>,
    /// JSON Schema of its output.
    pub output_schema: Option<FileLocation>,
}

wire_struct!(RouteAction {
    "id": id,
    "runner": runner,
    "effect": effect,
    "skill"? skill,
    "inputSchema"? input_schema,
    "outputSchema"? output_schema,
});

/// What to do once a route has been taken.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AfterAction {
    /// Evaluate again: always.
    pub evaluate: bool,
    /// The state key under which to record the outcome.
    pub record_node: String,
}

wire_struct!(AfterAction {
    "evaluate": evaluate,
    "recordNode": record_node,
});
