//! What a host says when it resolves routes, beside which one: where the work happens, what was read,
//! what its handlers are given. None of it changes which routes there are.

use alloc::format;
use alloc::string::{String, ToString};
use std::path::Path;

use super::receipts::ReadReceipts;
use crate::code::Code;
use crate::error::Error;
use crate::json::Value;
use crate::ordered::Map;
use crate::paths::normalized;

/// What a host says when it resolves routes.
///
/// ```
/// use agent_graph_runtime::RouteInput;
/// # if cfg!(unix) {
/// let input = RouteInput::new().in_workspace("/work/shop/../shop/")?;
/// assert_eq!(input.workspace(), Some("/work/shop"));
/// # }
/// # Ok::<(), agent_graph_runtime::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct RouteInput {
    workspace: Option<String>,
    pub(super) receipts: Option<ReadReceipts>,
    pub(super) host_inputs: Map<String, Value>,
}

impl RouteInput {
    /// No workspace, no receipts.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with the folder that actions run in. It is normalized by its text alone; the current
    /// directory of the process never matters. An empty path counts as none.
    ///
    /// # Errors
    ///
    /// [`Code::OptionInvalid`] when the path is not absolute or not Unicode.
    pub fn in_workspace(mut self, workspace: impl AsRef<Path>) -> Result<Self, Error> {
        let workspace = workspace.as_ref();
        if workspace.as_os_str().is_empty() {
            self.workspace = None;
            return Ok(self);
        }
        let refuse = |problem: &str| {
            let message = format!("the workspace {} {problem}", workspace.display());
            Error::new(Code::OptionInvalid, message)
        };
        if !workspace.is_absolute() {
            return Err(refuse("is not absolute"));
        }
        let normalized = normalized(workspace);
        let text = normalized
            .to_str()
            .ok_or_else(|| refuse("is not Unicode"))?;
        self.workspace = Some(text.to_string());
        Ok(self)
    }

    /// The same with receipts for what was read.
    #[must_use]
    pub fn with_receipts(mut self, receipts: ReadReceipts) -> Self {
        self.receipts = Some(receipts);
        self
    }

    /// The same with an input for a host-action resource, in the place of the one in its descriptor: one
    /// resource serves many tasks. Resolving holds it against the input schema of the provider and refuses
    /// it with [`Code::ResourceInputInvalid`]; that takes the feature `user-schemas`, and is refused with
    /// [`Code::FeatureRequired`] without it.
    ///
    /// The revision covers the input of the descriptor, not this one. What tells the tasks apart belongs
    /// into the facts as well, so that a receipt for one task is none for another.
    ///
    /// # Errors
    ///
    /// Those of [`Value::canonical`]: a value without canonical text has no digest.
    pub fn with_host_input(
        mut self,
        resource: impl Into<String>,
        value: Value,
    ) -> Result<Self, Error> {
        value.canonical()?;
        self.host_inputs.insert(resource.into(), value);
        Ok(self)
    }

    /// The folder that actions run in: absolute and normalized.
    pub fn workspace(&self) -> Option<&str> {
        self.workspace.as_deref()
    }
}
