//! What the host is asked to make, and what it answers (spec 1.6, 1.16, 2.8, 6.6). Runs nothing.
//!
//! A result is validated against the location that asked for it: the same handler, the same input, the
//! schema that was asked for. Whether the content satisfies that schema is not seen here, because neither
//! the provider nor the referenced bytes are: the host checks it before it shows the content to anyone,
//! with [`Installed::host_action_schemas`](crate::Installed::host_action_schemas) at hand, or with
//! `Installed::check_host_action_result` (feature `user-schemas`).

use alloc::format;
use alloc::string::String;

use serde_core::de::{DeserializeOwned, Error as _};
use serde_core::ser::{SerializeStruct, SerializeStructVariant};
use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

use super::closed::{Closed, DIGEST, ID};
use super::location::HostActionLocation;
use super::receipts::ReadReceipt;
use crate::code::Code;
use crate::digest::Digest;
use crate::error::Error;
use crate::json::{Object, Value};
use crate::scalar::{is_id, is_version};
use crate::wire::wire_struct;

const LOCATION_IDENTITY: &str = "agent-graph.resource-location.host-action.v1";
const RESULT_IDENTITY: &str = "agent-graph.host-action-result.v1";

/// What the host is asked to do.
#[derive(Clone, Debug, PartialEq)]
pub struct HostActionCall {
    /// The handler.
    pub handler: String,
    /// What it is given.
    pub input: HostActionInput,
    /// Protocol identity of the schema that its output follows.
    pub output_schema: String,
}

wire_struct!(HostActionCall {
    "handler": handler,
    "input": input,
    "output_schema": output_schema,
});

/// What a handler is given.
#[derive(Clone, Debug, PartialEq)]
pub struct HostActionInput {
    /// Protocol identity of the schema that the value follows.
    pub schema: String,
    /// The value.
    pub value: Value,
}

wire_struct!(HostActionInput {
    "schema": schema,
    "value": value,
});

impl HostActionCall {
    /// The digest of what the handler is asked (spec 2.8). The one place that says what it covers: that is
    /// inferred, and whoever makes a location and whoever validates its result have to agree.
    ///
    /// # Errors
    ///
    /// Those of [`Value::canonical`].
    pub fn input_digest(&self) -> Result<Digest, Error> {
        let input = Object::from_iter([
            ("schema", Value::from(self.input.schema.as_str())),
            ("value", self.input.value.clone()),
        ]);
        let asked = Object::from_iter([
            ("handler", Value::from(self.handler.as_str())),
            ("input", Value::Object(input)),
        ]);
        Digest::of_value(&Value::Object(asked))
    }
}

impl HostActionLocation {
    /// Reads a location from JSON text.
    ///
    /// # Errors
    ///
    /// [`Code::JsonInvalid`]; [`Code::SchemaInvalid`] with the place of what is wrong.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        Self::from_value(&Value::from_json(text)?)
    }

    /// Reads a location from a value.
    ///
    /// # Errors
    ///
    /// [`Code::SchemaInvalid`] with the place of what is wrong.
    pub fn from_value(value: &Value) -> Result<Self, Error> {
        const MEMBERS: [&str; 7] = [
            "schema",
            "id",
            "kind",
            "mediaType",
            "revision",
            "materialize",
            "readState",
        ];
        let location = Closed::new(value, "", &MEMBERS)?;
        location.identity(LOCATION_IDENTITY)?;
        let call = location.object("materialize", &["handler", "input", "output_schema"])?;
        let input = call.object("input", &["schema", "value"])?;
        Ok(Self {
            id: location.filled("id")?,
            kind: location.parsed("kind", "a kind of resource")?,
            media_type: location.filled("mediaType")?,
            revision: location.parsed_if_any("revision", DIGEST)?,
            materialize: HostActionCall {
                handler: call.text_that("handler", is_id, ID)?,
                input: HostActionInput {
                    schema: input.filled("schema")?,
                    value: input.value("value")?.clone(),
                },
                output_schema: call.filled("output_schema")?,
            },
            read_state: location.parsed_if_any("readState", "`read-required` or `current`")?,
        })
    }

    /// A result for this location, with its content inline.
    ///
    /// ```
    /// # use agent_graph_runtime::{AdapterReceipt, Error, HostActionLocation, json::Value};
    /// # fn example(location: &HostActionLocation) -> Result<(), Error> {
    /// let text = "Write item 17.";
    /// let brief = Value::from_serialize(&[("protocol", "tide.brief/v1"), ("text", text)])?;
    /// let adapter = AdapterReceipt::new("example-host", "1.0.0")?;
    /// let result = location.answer_inline(brief, adapter)?;
    /// let receipt = location.receipt(&result)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`Value::canonical`] for the input.
    pub fn answer_inline(
        &self,
        content: Value,
        adapter: AdapterReceipt,
    ) -> Result<HostActionResult, Error> {
        self.answer(HostActionContent::Inline(content), adapter)
    }

    /// A result for this location whose content the host keeps elsewhere. `reference` says where, in a way
    /// that the host understands.
    ///
    /// # Errors
    ///
    /// [`Code::SchemaInvalid`] when `reference` is empty; those of [`Value::canonical`] for the input.
    pub fn answer_resource(
        &self,
        reference: impl Into<String>,
        digest: Digest,
        adapter: AdapterReceipt,
    ) -> Result<HostActionResult, Error> {
        let reference = reference.into();
        if reference.is_empty() {
            let message = "a reference to content has at least one character";
            return Err(Error::new(Code::SchemaInvalid, message));
        }
        self.answer(HostActionContent::Resource { reference, digest }, adapter)
    }

    fn answer(
        &self,
        content: HostActionContent<Value>,
        receipt: AdapterReceipt,
    ) -> Result<HostActionResult, Error> {
        Ok(HostActionResult {
            handler: self.materialize.handler.clone(),
            input_digest: self.materialize.input_digest()?,
            output: HostActionOutput {
                schema: self.materialize.output_schema.clone(),
                content,
            },
            receipt,
        })
    }

    /// The receipt for what a result holds, once the content has been read: validates the result first.
    ///
    /// # Errors
    ///
    /// Those of [`validate_host_action_result`]; [`Code::SchemaInvalid`] when the location has no
    /// revision or an id that no receipt can carry.
    pub fn receipt(&self, result: &HostActionResult) -> Result<ReadReceipt, Error> {
        validate_host_action_result(self, result)?;
        let Some(revision) = self.revision else {
            let message = format!(
                "the location of `{}` has no revision, so there is no receipt for it",
                self.id
            );
            return Err(Error::new(Code::SchemaInvalid, message));
        };
        ReadReceipt::new(self.id.as_str(), result.output_digest()?, Some(revision))
    }
}

impl<'de> Deserialize<'de> for HostActionLocation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_value(&Value::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// What a handler of the host answers: `agent-graph.host-action-result.v1`. `T` is the type of content
/// that is inline; [`HostActionResult::typed`] reads it into one of the host.
#[derive(Clone, Debug, PartialEq)]
pub struct HostActionResult<T = Value> {
    /// The handler that answers.
    pub handler: String,
    /// The digest of what it was asked.
    pub input_digest: Digest,
    /// What it made.
    pub output: HostActionOutput<T>,
    /// Who made it.
    pub receipt: AdapterReceipt,
}

/// What a handler made.
#[derive(Clone, Debug, PartialEq)]
pub struct HostActionOutput<T = Value> {
    /// Protocol identity of the schema that the content follows.
    pub schema: String,
    /// The content.
    pub content: HostActionContent<T>,
}

/// The content that a handler made.
#[derive(Clone, Debug, PartialEq)]
pub enum HostActionContent<T = Value> {
    /// The content itself.
    Inline(T),
    /// Where the host keeps the content.
    Resource {
        /// A reference that the host understands.
        reference: String,
        /// Digest of the content.
        digest: Digest,
    },
}

/// Who made a result.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AdapterReceipt {
    /// Id of the adapter.
    pub adapter: String,
    /// Its version.
    pub adapter_version: String,
}

wire_struct!(AdapterReceipt {
    "adapter": adapter,
    "adapter_version": adapter_version,
});

const VERSION: &str = "a version such as `1.0.0`";

impl AdapterReceipt {
    /// The receipt of an adapter.
    ///
    /// # Errors
    ///
    /// [`Code::SchemaInvalid`] when `adapter` is no id or `version` no version.
    pub fn new(adapter: impl Into<String>, version: impl Into<String>) -> Result<Self, Error> {
        let (adapter, adapter_version) = (adapter.into(), version.into());
        let problem = if !is_id(&adapter) {
            format!("{adapter:?} has to be {ID}")
        } else if !is_version(&adapter_version) {
            format!("{adapter_version:?} has to be {VERSION}")
        } else {
            return Ok(Self {
                adapter,
                adapter_version,
            });
        };
        Err(Error::new(Code::SchemaInvalid, problem))
    }
}

impl HostActionResult {
    /// Reads a result from JSON text.
    ///
    /// # Errors
    ///
    /// [`Code::JsonInvalid`]; [`Code::SchemaInvalid`] with the place of what is wrong.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        Self::from_value(&Value::from_json(text)?)
    }

    /// Reads a result from a value.
    ///
    /// # Errors
    ///
    /// [`Code::SchemaInvalid`] with the place of what is wrong.
    pub fn from_value(value: &Value) -> Result<Self, Error> {
        const MEMBERS: [&str; 5] = ["schema", "handler", "input_digest", "output", "receipt"];
        let result = Closed::new(value, "", &MEMBERS)?;
        result.identity(RESULT_IDENTITY)?;
        let output = result.object("output", &["schema", "inline", "resource"])?;
        let receipt = result.object("receipt", &["adapter", "adapter_version"])?;
        Ok(Self {
            handler: result.filled("handler")?,
            input_digest: result.parsed("input_digest", DIGEST)?,
            output: HostActionOutput {
                schema: output.filled("schema")?,
                content: content(&output)?,
            },
            receipt: AdapterReceipt {
                adapter: receipt.text_that("adapter", is_id, ID)?,
                adapter_version: receipt.text_that("adapter_version", is_version, VERSION)?,
            },
        })
    }

    /// The digest of the content (spec 2.8): of the value that is inline, or the one that is declared.
    ///
    /// # Errors
    ///
    /// Those of [`Value::canonical`].
    pub fn output_digest(&self) -> Result<Digest, Error> {
        match &self.output.content {
            HostActionContent::Inline(value) => Digest::of_value(value),
            HostActionContent::Resource { digest, .. } => Ok(*digest),
        }
    }

    /// The same result with content of a type of the host. Digests are those of the value: take receipts
    /// before.
    ///
    /// # Errors
    ///
    /// [`Code::SchemaInvalid`] when content that is inline does not have the shape of the type.
    pub fn typed<T: DeserializeOwned>(&self) -> Result<HostActionResult<T>, Error> {
        let content = match &self.output.content {
            HostActionContent::Inline(value) => HostActionContent::Inline(value.to_typed()?),
            HostActionContent::Resource { reference, digest } => HostActionContent::Resource {
                reference: reference.clone(),
                digest: *digest,
            },
        };
        Ok(HostActionResult {
            handler: self.handler.clone(),
            input_digest: self.input_digest,
            output: HostActionOutput {
                schema: self.output.schema.clone(),
                content,
            },
            receipt: self.receipt.clone(),
        })
    }
}

fn content(output: &Closed<'_>) -> Result<HostActionContent<Value>, Error> {
    match (output.has("inline"), output.has("resource")) {
        (true, false) => Ok(HostActionContent::Inline(output.value("inline")?.clone())),
        (false, true) => {
            let resource = output.object("resource", &["ref", "digest"])?;
            Ok(HostActionContent::Resource {
                reference: resource.filled("ref")?,
                digest: resource.parsed("digest", DIGEST)?,
            })
        }
        (true, true) => Err(output.refuse("resource", "excludes `inline`")),
        (false, false) => Err(output.refuse("inline", "or `resource` has to be there")),
    }
}

impl<T: Serialize> Serialize for HostActionResult<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("HostActionResult", 5)?;
        object.serialize_field("schema", "agent-graph.host-action-result.v1")?;
        object.serialize_field("handler", &self.handler)?;
        object.serialize_field("input_digest", &self.input_digest)?;
        object.serialize_field("output", &self.output)?;
        object.serialize_field("receipt", &self.receipt)?;
        object.end()
    }
}

impl<T: Serialize> Serialize for HostActionOutput<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("HostActionOutput", 2)?;
        object.serialize_field("schema", &self.schema)?;
        match &self.content {
            HostActionContent::Inline(value) => object.serialize_field("inline", value)?,
            HostActionContent::Resource { reference, digest } => {
                object.serialize_field(
                    "resource",
                    &StoredContent {
                        reference,
                        digest: *digest,
                    },
                )?;
            }
        }
        object.end()
    }
}

impl<T: Serialize> Serialize for HostActionContent<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Inline(value) => {
                serializer.serialize_newtype_variant("HostActionContent", 0, "inline", value)
            }
            Self::Resource { reference, digest } => {
                let mut object =
                    serializer.serialize_struct_variant("HostActionContent", 1, "resource", 2)?;
                object.serialize_field("ref", reference)?;
                object.serialize_field("digest", digest)?;
                object.end()
            }
        }
    }
}

/// Content that the host keeps, as a member of an output.
struct StoredContent<'c> {
    reference: &'c str,
    digest: Digest,
}

impl Serialize for StoredContent<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("StoredContent", 2)?;
        object.serialize_field("ref", self.reference)?;
        object.serialize_field("digest", &self.digest)?;
        object.end()
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for HostActionResult<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let result = HostActionResult::from_value(&Value::deserialize(deserializer)?);
        result
            .and_then(|result| result.typed())
            .map_err(D::Error::custom)
    }
}

/// Whether a result answers the call of a location: the same handler, the same input, the schema that was
/// asked for. It sees neither the provider nor referenced bytes, so it does not validate content.
///
/// # Errors
///
/// In this order [`Code::HostActionHandlerMismatch`], [`Code::HostActionInputMismatch`],
/// [`Code::HostActionOutputMismatch`]; [`Code::SchemaInvalid`] for what has no wire form.
pub fn validate_host_action_result(
    location: &HostActionLocation,
    result: &HostActionResult,
) -> Result<(), Error> {
    let call = &location.materialize;
    if result.handler != call.handler {
        let message = format!(
            "`{}` answers what `{}` was asked",
            result.handler, call.handler
        );
        return Err(Error::new(Code::HostActionHandlerMismatch, message));
    }
    let asked = call.input_digest()?;
    if result.input_digest != asked {
        let message = format!(
            "the input had the digest {asked}, the result is for {}",
            result.input_digest
        );
        return Err(Error::new(Code::HostActionInputMismatch, message));
    }
    if result.output.schema != call.output_schema {
        let message = format!(
            "the output follows `{}`, `{}` was asked for",
            result.output.schema, call.output_schema
        );
        return Err(Error::new(Code::HostActionOutputMismatch, message));
    }
    // Content that has no canonical form has no digest, and so no receipt.
    result.output_digest().map(drop)
}
