//! Where the content of a resource is, or how it is made (spec 1.6). Knows the wire form; what a location
//! says is decided by whoever makes it.

use alloc::string::String;

use serde_core::ser::{Serialize, SerializeStruct, Serializer};

use super::host_action::HostActionCall;
use crate::digest::Digest;
use crate::protocol::{ReadState, ResourceKind};
use crate::wire::wire_struct;

/// The location of a resource. It serializes to one of the three `agent-graph.resource-location.*.v1`
/// objects.
#[derive(Clone, Debug, PartialEq)]
pub enum ResourceLocation {
    /// The content is a file.
    File(FileLocation),
    /// The content is the output of a command or script of the provider.
    GraphAction(GraphActionLocation),
    /// The content is made by the host.
    HostAction(HostActionLocation),
}

impl ResourceLocation {
    /// The id of the resource.
    pub fn id(&self) -> &str {
        match self {
            Self::File(location) => &location.id,
            Self::GraphAction(location) => &location.id,
            Self::HostAction(location) => &location.id,
        }
    }

    /// The kind of the resource.
    pub fn kind(&self) -> ResourceKind {
        match self {
            Self::File(location) => location.kind,
            Self::GraphAction(location) => location.kind,
            Self::HostAction(location) => location.kind,
        }
    }

    /// The media type of the content.
    pub fn media_type(&self) -> &str {
        match self {
            Self::File(location) => &location.media_type,
            Self::GraphAction(location) => &location.media_type,
            Self::HostAction(location) => &location.media_type,
        }
    }

    /// Whether it still has to be read; only locations on a route say so.
    pub fn read_state(&self) -> Option<ReadState> {
        match self {
            Self::File(location) => location.read_state,
            Self::GraphAction(location) => location.read_state,
            Self::HostAction(location) => location.read_state,
        }
    }

    /// The location of the file, if the content is one.
    pub fn as_file(&self) -> Option<&FileLocation> {
        match self {
            Self::File(location) => Some(location),
            _ => None,
        }
    }

    /// The call of the host, if it makes the content.
    pub fn as_host_action(&self) -> Option<&HostActionLocation> {
        match self {
            Self::HostAction(location) => Some(location),
            _ => None,
        }
    }
}

impl Serialize for ResourceLocation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::File(location) => location.serialize(serializer),
            Self::GraphAction(location) => location.serialize(serializer),
            Self::HostAction(location) => location.serialize(serializer),
        }
    }
}

/// The location of a file: `agent-graph.resource-location.file.v1`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileLocation {
    /// Id of the resource.
    pub id: String,
    /// Its kind.
    pub kind: ResourceKind,
    /// Its media type.
    pub media_type: String,
    /// Digest of the content, which was compared with the file.
    pub digest: Digest,
    /// Absolute path of the file.
    pub file_path: String,
    /// Whether it still has to be read; present on routes.
    pub read_state: Option<ReadState>,
}

wire_struct!(FileLocation "agent-graph.resource-location.file.v1" {
    "id": id,
    "kind": kind,
    "mediaType": media_type,
    "digest": digest,
    "filePath": file_path,
    "readState"? read_state,
});

/// The location of what a command or script of the provider makes:
/// `agent-graph.resource-location.graph-action.v1`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GraphActionLocation {
    /// Id of the resource.
    pub id: String,
    /// Its kind, which is `context-view`.
    pub kind: ResourceKind,
    /// Its media type.
    pub media_type: String,
    /// The content, made already or not.
    pub content: GraphActionContent,
    /// Whether it still has to be read; present on routes.
    pub read_state: Option<ReadState>,
}

impl Serialize for GraphActionLocation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let len = 4 + self.content.members() + usize::from(self.read_state.is_some());
        let mut object = serializer.serialize_struct("GraphActionLocation", len)?;
        object.serialize_field("schema", "agent-graph.resource-location.graph-action.v1")?;
        object.serialize_field("id", &self.id)?;
        object.serialize_field("kind", &self.kind)?;
        object.serialize_field("mediaType", &self.media_type)?;
        self.content.serialize_into(&mut object)?;
        if let Some(read_state) = &self.read_state {
            object.serialize_field("readState", read_state)?;
        }
        object.end()
    }
}

/// The content behind a [`GraphActionLocation`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GraphActionContent {
    /// It has to be made.
    Unresolved {
        /// Revision of the route, where there is one.
        revision: Option<Digest>,
        /// What to make.
        materialize: ResourceReference,
    },
    /// It has been made.
    Materialized {
        /// The revision it was made for.
        revision: Digest,
        /// Digest of the content.
        digest: Digest,
        /// Absolute path of the file.
        file_path: String,
    },
}

impl Serialize for GraphActionContent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("GraphActionContent", self.members())?;
        self.serialize_into(&mut object)?;
        object.end()
    }
}

impl GraphActionContent {
    /// How many members it has.
    fn members(&self) -> usize {
        match self {
            Self::Unresolved { revision, .. } => 1 + usize::from(revision.is_some()),
            Self::Materialized { .. } => 3,
        }
    }

    fn serialize_into<S: SerializeStruct>(&self, object: &mut S) -> Result<(), S::Error> {
        match self {
            Self::Unresolved {
                revision,
                materialize,
            } => {
                if let Some(revision) = revision {
                    object.serialize_field("revision", revision)?;
                }
                object.serialize_field("materialize", materialize)
            }
            Self::Materialized {
                revision,
                digest,
                file_path,
            } => {
                object.serialize_field("revision", revision)?;
                object.serialize_field("digest", digest)?;
                object.serialize_field("filePath", file_path)
            }
        }
    }

    /// The revision, where there is one.
    pub fn revision(&self) -> Option<Digest> {
        match self {
            Self::Unresolved { revision, .. } => *revision,
            Self::Materialized { revision, .. } => Some(*revision),
        }
    }
}

/// Names a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceReference {
    /// Its id.
    pub resource_id: String,
}

wire_struct!(ResourceReference {
    "resourceId": resource_id,
});

/// The location of what the host makes: `agent-graph.resource-location.host-action.v1`. It can be read
/// from JSON, so that a host hands it to another process.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct HostActionLocation {
    /// Id of the resource.
    pub id: String,
    /// Its kind.
    pub kind: ResourceKind,
    /// Its media type.
    pub media_type: String,
    /// Revision of the route, where there is one.
    pub revision: Option<Digest>,
    /// What the host does.
    pub materialize: HostActionCall,
    /// Whether it still has to be read; present on routes.
    pub read_state: Option<ReadState>,
}

wire_struct!(HostActionLocation "agent-graph.resource-location.host-action.v1" {
    "id": id,
    "kind": kind,
    "mediaType": media_type,
    "revision"? revision,
    "materialize": materialize,
    "readState"? read_state,
});
