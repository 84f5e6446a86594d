//! The environment of a process that makes a resource: nothing of the host's but what programs need to
//! run at all. Knows nothing about what the process does.

use alloc::format;
use alloc::string::ToString;
use core::fmt::Display;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::process::Command;

use crate::code::Code;
use crate::digest::Digest;
use crate::error::Error;
use crate::json::{Value, write};

/// The variables that a process inherits, where they are set.
pub const INHERITED: [&str; 12] = [
    "PATH",
    "PATHEXT",
    "SYSTEMROOT",
    "WINDIR",
    "COMSPEC",
    "TMPDIR",
    "TMP",
    "TEMP",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
];

/// What the process is told.
pub(super) struct Own<'a> {
    pub(super) root: &'a OsStr,
    pub(super) workspace: &'a OsStr,
    pub(super) revision: &'a Digest,
    pub(super) input: &'a Value,
}

/// Gives the process its environment: inherited variables, over them those of the caller, over both
/// our own.
pub(super) fn set(
    command: &mut Command,
    callers: &[(OsString, OsString)],
    own: &Own<'_>,
) -> Result<(), Error> {
    let input = write::stringify(own.input)
        .map_err(|error| invalid(&format_args!("the input is no JSON: {}", error.message())))?;
    command.env_clear();
    for name in INHERITED {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    for (name, value) in callers {
        if !can_be_set(name, value) {
            let name = name.to_string_lossy();
            return Err(invalid(&format_args!(
                "the variable `{name}` cannot be set"
            )));
        }
        command.env(name, value);
    }
    command.env("AGENT_GRAPH_PROVIDER_ROOT", own.root);
    command.env("AGENT_GRAPH_WORKSPACE", own.workspace);
    command.env("AGENT_GRAPH_REVISION", own.revision.to_string());
    // A NUL in a text of the input is written as an escape.
    command.env("AGENT_GRAPH_INPUT", input);
    Ok(())
}

fn can_be_set(name: &OsStr, value: &OsStr) -> bool {
    let (name, value) = (name.as_bytes(), value.as_bytes());
    !name.is_empty() && !name.iter().any(|byte| matches!(byte, b'=' | 0)) && !value.contains(&0)
}

fn invalid(message: &dyn Display) -> Error {
    Error::new(Code::MaterializerOptionInvalid, format!("{message}"))
}
