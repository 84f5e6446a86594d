//! Whether what a handler is given and what it made satisfy the schemas that the provider declares for them
//! (spec 3.7, 6.6): what is checked before an input is asked for, or content is shown to anyone. Knows installed providers and their schemas; how the
//! content behind a reference is fetched is the host's matter.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::str;

use super::host_action::{HostActionContent, HostActionResult, validate_host_action_result};
use super::locate::not_made_by_the_host;
use super::location::HostActionLocation;
use crate::code::Code;
use crate::digest::Digest;
use crate::error::Error;
use crate::installed::Installed;
use crate::json::Value;
use crate::tables::{ResourceClass, ResourceRow};
use crate::user_schema::UserSchema;

impl Installed {
    /// Checks a result as far as it can be checked: against the location that asked for it, and its
    /// content against the output schema of the provider. Content that is not inline is asked of `fetch`,
    /// which is given the reference and answers with the bytes.
    ///
    /// ```no_run
    /// # use agent_graph_runtime::{Error, HostActionLocation, HostActionResult, Installed};
    /// # fn example(installed: &Installed, location: &HostActionLocation, result: &HostActionResult) -> Result<(), Error> {
    /// # fn read(reference: &str) -> Result<Vec<u8>, Error> { Ok(Vec::new()) }
    /// installed.check_host_action_result(location, result, |reference| read(reference))?;
    /// let receipt = location.receipt(result)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// In this order: those of [`validate_host_action_result`]; [`Code::ResourceMissing`] when the provider
    /// has no such host-action resource; those of `fetch`; [`Code::HostActionOutputMismatch`] when the
    /// bytes do not have the declared digest; [`Code::JsonInvalid`] when they are not JSON;
    /// [`Code::SchemaInvalid`] when the content does not satisfy the output schema. Those of
    /// [`Installed::verify`] for the file of the schema.
    pub fn check_host_action_result(
        &self,
        location: &HostActionLocation,
        result: &HostActionResult,
        fetch: impl FnOnce(&str) -> Result<Vec<u8>, Error>,
    ) -> Result<(), Error> {
        validate_host_action_result(location, result)?;
        let schema = self.output_schema(&location.id)?;
        match &result.output.content {
            HostActionContent::Inline(value) => content_satisfies(&schema, value),
            HostActionContent::Resource { reference, digest } => {
                content_satisfies(&schema, &declared_content(*digest, &fetch(reference)?)?)
            }
        }
    }

    fn output_schema(&self, id: &str) -> Result<UserSchema, Error> {
        let tables = self.tables();
        let resource = tables.row(tables.resources, self.resource_row(id)?);
        if resource.class != ResourceClass::HostAction {
            return Err(not_made_by_the_host(id));
        }
        let action = tables.row(tables.actions, resource.materializer);
        self.schema(id, "output", action.output_schema)
    }

    /// Whether an input that the host supplies for a host-action resource satisfies the input schema.
    pub(super) fn check_host_input(
        &self,
        id: &str,
        resource: &ResourceRow,
        value: &Value,
    ) -> Result<(), Error> {
        let tables = self.tables();
        let action = tables.row(tables.actions, resource.materializer);
        let schema = self.schema(id, "input", action.input_schema)?;
        let what = format!("the input for `{id}`");
        satisfies(&schema, value, &what, Code::ResourceInputInvalid)
    }

    fn schema(&self, id: &str, side: &str, file: u32) -> Result<UserSchema, Error> {
        let tables = self.tables();
        let bytes = self.read(file)?;
        let invalid = |problem: &str| {
            Error::new(
                Code::MaterializerSchemaInvalid,
                format!("the {side} schema of `{id}` {problem}"),
            )
        };
        let schema = crate::load::value_of_document(tables.file_path(file), &bytes)
            .map_err(|finding| invalid(&finding.to_string()))?;
        // A provider that has been loaded has schemas that are valid.
        UserSchema::of(&schema).map_err(|violation| invalid(&violation.message))
    }
}

/// The value in bytes that have the declared digest.
fn declared_content(digest: Digest, bytes: &[u8]) -> Result<Value, Error> {
    let actual = Digest::of_bytes(bytes);
    if actual != digest {
        let message = format!("the content has the digest {actual}, the result declares {digest}");
        return Err(Error::new(Code::HostActionOutputMismatch, message));
    }
    let text = str::from_utf8(bytes)
        .map_err(|_| Error::new(Code::JsonInvalid, "the content is not UTF-8"))?;
    Value::from_json(text)
}

fn content_satisfies(schema: &UserSchema, value: &Value) -> Result<(), Error> {
    satisfies(schema, value, "the content", Code::SchemaInvalid)
}

fn satisfies(schema: &UserSchema, value: &Value, what: &str, code: Code) -> Result<(), Error> {
    let violations = schema.violations(value)?;
    let Some(first) = violations.first() else {
        return Ok(());
    };
    let more = match violations.len() - 1 {
        0 => "".to_string(),
        more => format!(" (and {more} more)"),
    };
    let message = format!(
        "{what} does not satisfy its schema at `{}`: {}{more}",
        first.pointer, first.message
    );
    Err(Error::new(code, message))
}
