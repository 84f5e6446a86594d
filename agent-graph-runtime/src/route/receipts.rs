//! What has been read, and whether that is still so (spec 1.15, 5.5). Receipts decide read states and
//! nothing else: neither evaluation nor routes know them.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde_core::de::Error as _;
use serde_core::{Deserialize, Deserializer};

use super::Route;
use super::closed::{Closed, DIGEST, ID};
use super::location::{GraphActionContent, ResourceLocation};
use crate::code::Code;
use crate::digest::Digest;
use crate::error::Error;
use crate::json::Value;
use crate::protocol::ReadState;
use crate::provider::Provider;
use crate::scalar::is_id;
use crate::wire::wire_struct;

const IDENTITY: &str = "agent-graph.resource-read-receipts.v1";

/// Receipts for resources that were read, kept by the host for each provider. They serialize to
/// `agent-graph.resource-read-receipts.v1`.
///
/// ```
/// use agent_graph_runtime::ReadReceipts;
/// let receipts = ReadReceipts::from_json(
///     r#"{"schema":"agent-graph.resource-read-receipts.v1","provider":"tea/house","receipts":[]}"#,
/// )?;
/// assert_eq!(receipts.provider(), "tea/house");
/// # Ok::<(), agent_graph_runtime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadReceipts {
    provider: String,
    receipts: Vec<ReadReceipt>,
}

wire_struct!(ReadReceipts "agent-graph.resource-read-receipts.v1" {
    "provider": provider,
    "receipts": receipts,
});

/// The receipt for one resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadReceipt {
    id: String,
    digest: Digest,
    revision: Option<Digest>,
}

wire_struct!(ReadReceipt {
    "id": id,
    "digest": digest,
    "revision"? revision,
});

/// What makes a receipt one for the content as it is now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// The content is known: the receipt has to be for this digest. Files are judged so.
    Content(Digest),
    /// The content is made anew for every revision: the receipt has to be for this one, whatever its
    /// digest. What graph actions and host actions make is judged so, as long as it has not been made.
    Revision(Digest),
}

impl ReadReceipt {
    /// A receipt for the resource with this id.
    ///
    /// # Errors
    ///
    /// [`Code::SchemaInvalid`] when no receipt can carry the id: that of a skill may have any name in it.
    pub fn new(
        id: impl Into<String>,
        digest: Digest,
        revision: Option<Digest>,
    ) -> Result<Self, Error> {
        let id = id.into();
        if !is_id(&id) {
            let message = format!("no receipt can carry {id:?}, which is no id");
            return Err(Error::new(Code::SchemaInvalid, message));
        }
        Ok(Self {
            id,
            digest,
            revision,
        })
    }

    /// The receipt for a location whose content is there: a file, or the output of a graph action that has
    /// been made. None for the others, and for ids that no receipt can carry.
    pub fn of(location: &ResourceLocation) -> Option<Self> {
        let (digest, revision) = match location {
            ResourceLocation::File(file) => (file.digest, None),
            ResourceLocation::GraphAction(made) => match made.content {
                GraphActionContent::Materialized {
                    revision, digest, ..
                } => (digest, Some(revision)),
                GraphActionContent::Unresolved { .. } => return None,
            },
            ResourceLocation::HostAction(_) => return None,
        };
        Self::new(location.id(), digest, revision).ok()
    }

    /// The id of the resource.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The digest of what was read.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// The revision it was read for.
    pub fn revision(&self) -> Option<Digest> {
        self.revision
    }

    fn read(value: &Value, pointer: String) -> Result<Self, Error> {
        let receipt = Closed::new(value, pointer, &["id", "digest", "revision"])?;
        Ok(Self {
            id: receipt.text_that("id", is_id, ID)?,
            digest: receipt.parsed("digest", DIGEST)?,
            revision: receipt.parsed_if_any("revision", DIGEST)?,
        })
    }

    fn shows(&self, freshness: Freshness) -> bool {
        match freshness {
            Freshness::Content(digest) => self.digest == digest,
            Freshness::Revision(revision) => self.revision == Some(revision),
        }
    }
}

impl ReadReceipts {
    /// No receipts yet.
    pub fn new(provider: &Provider) -> Self {
        Self {
            provider: provider.id().into(),
            receipts: Vec::new(),
        }
    }

    /// Reads receipts from JSON text.
    ///
    /// # Errors
    ///
    /// [`Code::JsonInvalid`]; [`Code::SchemaInvalid`] with the place of what is wrong.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        Self::from_value(&Value::from_json(text)?)
    }

    /// Reads receipts from a value.
    ///
    /// # Errors
    ///
    /// [`Code::SchemaInvalid`] with the place of what is wrong.
    pub fn from_value(value: &Value) -> Result<Self, Error> {
        let object = Closed::new(value, "", &["schema", "provider", "receipts"])?;
        object.identity(IDENTITY)?;
        let receipts = object.items("receipts")?;
        Ok(Self {
            provider: object.text_that("provider", is_id, ID)?,
            receipts: receipts
                .map(|(receipt, pointer)| ReadReceipt::read(receipt, pointer))
                .collect::<Result<_, _>>()?,
        })
    }

    /// The id of the provider whose resources were read.
    pub fn provider(&self) -> &str {
        &self.provider
    }

    /// The receipts.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &ReadReceipt> {
        self.receipts.iter()
    }

    /// Adds a receipt, in the place of the one that the resource had.
    pub fn acknowledge(&mut self, receipt: ReadReceipt) {
        let place = self.receipts.iter().position(|own| own.id == receipt.id);
        let Some(place) = place else {
            self.receipts.push(receipt);
            return;
        };
        // Receipts that were read from elsewhere may name a resource more than once.
        let mut seen = 0;
        self.receipts.retain(|own| {
            seen += 1;
            seen <= place + 1 || own.id != receipt.id
        });
        if let Some(own) = self.receipts.get_mut(place) {
            *own = receipt;
        }
    }

    /// Adds receipts, those of the same resource in the place of the ones here.
    ///
    /// # Errors
    ///
    /// [`Code::ResourceReceiptsProviderMismatch`] when they are those of another provider.
    pub fn merge(&mut self, receipts: Self) -> Result<(), Error> {
        self.belong_to(&receipts.provider)?;
        for receipt in receipts.receipts {
            self.acknowledge(receipt);
        }
        Ok(())
    }

    /// Adds receipts for the direct resources of a route, required and recommended ones: they have been
    /// read. Gives back those that are left, because their content has to be made first or because no
    /// receipt can carry their id.
    ///
    /// # Errors
    ///
    /// [`Code::ResourceReceiptsProviderMismatch`] when the route is one of another provider.
    pub fn acknowledge_route<'r>(
        &mut self,
        route: &'r Route,
    ) -> Result<Vec<&'r ResourceLocation>, Error> {
        self.belong_to(&route.provider)?;
        let mut left = Vec::new();
        for location in route.resources.all() {
            match ReadReceipt::of(location) {
                Some(receipt) => self.acknowledge(receipt),
                None => left.push(location),
            }
        }
        Ok(left)
    }

    /// Whether a receipt shows that the resource was read as it is now.
    ///
    /// The protocol judges what is made on demand by revision. A host that has made it knows its digest
    /// and can ask for [`Freshness::Content`] instead: the same content need not be read again.
    pub fn read_state(&self, id: &str, freshness: Freshness) -> ReadState {
        let mut receipts = self.receipts.iter().filter(|receipt| receipt.id == id);
        if receipts.any(|receipt| receipt.shows(freshness)) {
            ReadState::Current
        } else {
            ReadState::ReadRequired
        }
    }

    /// Checks that these are the receipts of the provider.
    pub(super) fn belong_to(&self, provider: &str) -> Result<(), Error> {
        if self.provider == provider {
            return Ok(());
        }
        let message = format!(
            "the receipts are those of provider `{}`, not of `{provider}`",
            self.provider
        );
        Err(Error::new(Code::ResourceReceiptsProviderMismatch, message))
    }
}

impl<'de> Deserialize<'de> for ReadReceipts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_value(&Value::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}
