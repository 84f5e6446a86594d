//! From rows of resources and files to locations (spec 5.4, 5.5). Reads no file by itself but the header
//! of a skill that is known to be broken, to say in which way.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::host_action::{HostActionCall, HostActionInput};
use super::location::{
    FileLocation, GraphActionContent, GraphActionLocation, HostActionLocation, ResourceLocation,
    ResourceReference,
};
use super::receipts::{Freshness, ReadReceipts};
use super::resolve::RouteContext;
use crate::code::Code;
use crate::contained::{Refused, relative_to};
use crate::digest::Digest;
use crate::error::Error;
use crate::installed::Installed;
use crate::json::Value;
use crate::ordered::Map;
use crate::protocol::{ReadState, ResourceKind};
use crate::tables::{ActionRow, ResourceClass, ResourceRow, Tables};

/// The schemas that a host-action resource works with, as files. A host that validates content reads them
/// from here.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HostActionSchemas {
    /// What the input follows.
    pub input: FileLocation,
    /// What the content follows.
    pub output: FileLocation,
}

impl Installed {
    /// The location of a resource: by id first, then by the path of its descriptor or text. Without
    /// revision and read state, which only routes have.
    ///
    /// # Errors
    ///
    /// [`Code::AbsolutePathForbidden`] and [`Code::PathOutsideProvider`] for paths that can be none of the
    /// provider's, [`Code::ResourceMissing`]; those of [`Installed::verify`] for the content.
    pub fn locate_resource(&self, query: &str) -> Result<ResourceLocation, Error> {
        let row = self.resource_row(query)?;
        let resource = self.tables().row(self.tables().resources, row);
        if resource.class == ResourceClass::File {
            self.read(resource.content)?;
        }
        Locator::new(self, None).resource(row)
    }

    /// The schemas of a host-action resource, by id or path.
    ///
    /// # Errors
    ///
    /// [`Code::ResourceMissing`] when there is no such resource or the host does not make it; else as
    /// [`Installed::locate_resource`].
    pub fn host_action_schemas(&self, query: &str) -> Result<HostActionSchemas, Error> {
        let tables = self.tables();
        let resource = tables.row(tables.resources, self.resource_row(query)?);
        if resource.class != ResourceClass::HostAction {
            return Err(not_made_by_the_host(query));
        }
        let action = tables.row(tables.actions, resource.materializer);
        self.read(action.input_schema)?;
        self.read(action.output_schema)?;
        let locator = Locator::new(self, None);
        Ok(HostActionSchemas {
            input: locator.schema(action, "input", action.input_schema),
            output: locator.schema(action, "output", action.output_schema),
        })
    }

    pub(super) fn tables(&self) -> Tables<'_> {
        self.provider().tables()
    }

    /// The row of a resource, by id first, then by path.
    pub(crate) fn resource_row(&self, query: &str) -> Result<u32, Error> {
        let tables = self.tables();
        if let Some(row) = resource_by_id(&tables, query) {
            return Ok(row);
        }
        let refuse = |code, problem: &str| Error::new(code, format!("{query:?} {problem}"));
        let path = relative_to(self.root(), query).map_err(|refused| match refused {
            Refused::Absolute => refuse(Code::AbsolutePathForbidden, "is an absolute path"),
            _ => refuse(
                Code::PathOutsideProvider,
                "leads out of the folder of the provider",
            ),
        })?;
        let mut rows = (0..).zip(tables.resources);
        rows.find(|(_, resource)| tables.file_path(resource.file) == path)
            .map(|(row, _)| row)
            .ok_or_else(|| refuse(Code::ResourceMissing, "is no resource of the provider"))
    }
}

/// The resource with this id.
pub(super) fn resource_by_id(tables: &Tables<'_>, id: &str) -> Option<u32> {
    (0..)
        .zip(tables.resources)
        .find(|(_, resource)| tables.text(resource.id) == id)
        .map(|(row, _)| row)
}

pub(super) fn not_made_by_the_host(id: &str) -> Error {
    let message = format!("{id:?} is no resource that the host makes");
    Error::new(Code::ResourceMissing, message)
}

/// Makes locations.
#[derive(Clone, Copy)]
pub(super) struct Locator<'i> {
    installed: &'i Installed,
    tables: Tables<'i>,
    route: Option<RouteContext<'i>>,
}

impl<'i> Locator<'i> {
    /// For locations on a route, or elsewhere.
    pub(super) fn new(installed: &'i Installed, route: Option<RouteContext<'i>>) -> Self {
        Self {
            installed,
            tables: installed.tables(),
            route,
        }
    }

    /// The locations of a list of resources, in its order.
    pub(super) fn resources(&self, rows: &[u32]) -> Result<Vec<ResourceLocation>, Error> {
        rows.iter().map(|&row| self.resource(row)).collect()
    }

    /// The location of a resource.
    pub(super) fn resource(&self, row: u32) -> Result<ResourceLocation, Error> {
        let resource = self.tables.row(self.tables.resources, row);
        let id: String = self.tables.text(resource.id).into();
        let kind = resource.kind;
        let media_type: String = self.tables.text(resource.media_type).into();
        let revision = self.route.map(|route| route.revision);
        Ok(match resource.class {
            ResourceClass::File => ResourceLocation::File(self.file_resource(row)),
            ResourceClass::GraphAction => ResourceLocation::GraphAction(GraphActionLocation {
                read_state: self.state_of_made(&id),
                content: GraphActionContent::Unresolved {
                    revision,
                    materialize: ResourceReference {
                        resource_id: id.clone(),
                    },
                },
                id,
                kind,
                media_type,
            }),
            ResourceClass::HostAction => ResourceLocation::HostAction(HostActionLocation {
                read_state: self.state_of_made(&id),
                materialize: self.call(&id, resource)?,
                id,
                kind,
                media_type,
                revision,
            }),
        })
    }

    /// The location of a resource whose content is a file.
    pub(super) fn file_resource(&self, row: u32) -> FileLocation {
        let resource = self.tables.row(self.tables.resources, row);
        self.file(
            self.tables.text(resource.id).into(),
            resource.kind,
            self.tables.text(resource.media_type),
            resource.content,
        )
    }

    /// The location of the skill of an agent action.
    pub(super) fn skill(&self, action: &ActionRow) -> Result<FileLocation, Error> {
        if !action.skill_header {
            return Err(self.broken_skill(action));
        }
        let name = self.tables.text_or_none(action.skill_name);
        let id = format!("skill.{}", name.unwrap_or("agent-skill"));
        Ok(self.file(id, ResourceKind::Skill, "text/markdown", action.skill))
    }

    /// The location of the input or output schema of an action.
    pub(super) fn schema(&self, action: &ActionRow, side: &str, file: u32) -> FileLocation {
        let id = format!("schema.{}.{side}", self.tables.text(action.id));
        self.file(id, ResourceKind::Schema, "application/schema+json", file)
    }

    /// The location of a file. Its digest is the loaded one, which the caller has compared with the bytes.
    fn file(&self, id: String, kind: ResourceKind, media_type: &str, file: u32) -> FileLocation {
        let digest = Digest::from_bytes(self.tables.row(self.tables.files, file).digest);
        FileLocation {
            read_state: self.state(&id, |_| Freshness::Content(digest)),
            id,
            kind,
            media_type: media_type.into(),
            digest,
            file_path: self.installed.path_of(file),
        }
    }

    /// What the host is asked to do for a resource, with the input it supplied or the authored one.
    fn call(&self, id: &str, resource: &ResourceRow) -> Result<HostActionCall, Error> {
        let action = self.tables.row(self.tables.actions, resource.materializer);
        let supplied = self.route.and_then(|route| route.host_inputs.get(id));
        Ok(HostActionCall {
            handler: self.tables.text(action.handler).into(),
            input: HostActionInput {
                schema: self.tables.text(action.input_identity).into(),
                value: match supplied {
                    Some(value) => value.clone(),
                    None => Value::from_json(self.tables.text(resource.input))?,
                },
            },
            output_schema: self.tables.text(action.output_identity).into(),
        })
    }

    fn state_of_made(&self, id: &str) -> Option<ReadState> {
        self.state(id, |route| Freshness::Revision(route.revision))
    }

    fn state(
        &self,
        id: &str,
        freshness: impl Fn(RouteContext<'i>) -> Freshness,
    ) -> Option<ReadState> {
        let route = self.route?;
        let shown = |receipts: &ReadReceipts| receipts.read_state(id, freshness(route));
        Some(route.receipts.map_or(ReadState::ReadRequired, shown))
    }

    fn broken_skill(&self, action: &ActionRow) -> Error {
        let bytes = match self.installed.read(action.skill) {
            Ok(bytes) => bytes,
            Err(error) => return error,
        };
        let begins = bytes.starts_with(b"---\n") || bytes.starts_with(b"---\r\n");
        let (code, problem) = if begins {
            (Code::FrontmatterInvalid, "has no readable frontmatter")
        } else {
            (Code::FrontmatterMissing, "does not begin with frontmatter")
        };
        let path = self.installed.path_of(action.skill);
        Error::new(code, format!("the skill {path} {problem}"))
    }
}

/// Inputs that the host supplies, by the id of the resource.
pub(super) type HostInputs = Map<String, Value>;
