//! What to run for an action, and where (spec 5.3). Runs nothing.

use alloc::string::String;

use serde_core::ser::{Serialize, SerializeStruct, Serializer};

use crate::protocol::{Effect, Runtime, WorkingDirectory};

/// One thing to run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CommandItem {
    /// What to run.
    pub run: Run,
    /// What running it does.
    pub effect: Effect,
    /// Where it runs.
    pub cwd: WorkingDirectory,
    /// The same as an absolute path.
    pub working_directory: String,
}

/// What to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Run {
    /// A command line for a POSIX shell.
    Command(String),
    /// A handler of the host.
    Handler(String),
}

impl Serialize for CommandItem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("CommandItem", 4)?;
        match &self.run {
            Run::Command(command) => object.serialize_field("command", command)?,
            Run::Handler(handler) => object.serialize_field("handler", handler)?,
        }
        object.serialize_field("effect", &self.effect)?;
        object.serialize_field("cwd", &self.cwd)?;
        object.serialize_field("workingDirectory", &self.working_directory)?;
        object.end()
    }
}

impl Serialize for Run {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Command(command) => {
                serializer.serialize_newtype_variant("Run", 0, "command", command)
            }
            Self::Handler(handler) => {
                serializer.serialize_newtype_variant("Run", 1, "handler", handler)
            }
        }
    }
}

impl Run {
    /// The command line, if it is one.
    pub fn command(&self) -> Option<&str> {
        match self {
            Self::Command(command) => Some(command),
            Self::Handler(_) => None,
        }
    }

    /// The handler, if it is one.
    pub fn handler(&self) -> Option<&str> {
        match self {
            Self::Handler(handler) => Some(handler),
            Self::Command(_) => None,
        }
    }
}

/// The command line of a script: program, script and arguments.
pub(super) fn script_command<'a>(
    runtime: Runtime,
    entry: &'a str,
    args: impl Iterator<Item = &'a str>,
) -> String {
    let mut command = String::from(runtime.program());
    for word in core::iter::once(entry).chain(args) {
        command.push(' ');
        push_quoted(word, &mut command);
    }
    command
}

/// Quotes a word for a shell: in single quotes, each inner single quote as `'"'"'`.
fn push_quoted(word: &str, command: &mut String) {
    command.push('\'');
    for (index, piece) in word.split('\'').enumerate() {
        if index > 0 {
            command.push_str("'\"'\"'");
        }
        command.push_str(piece);
    }
    command.push('\'');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(entry: &str, args: &[&str]) -> String {
        script_command(Runtime::Python, entry, args.iter().copied())
    }

    #[test]
    fn a_script_without_arguments_has_no_space_at_its_end() {
        assert_eq!(command("/p/run.py", &[]), "python3 '/p/run.py'");
    }

    #[test]
    fn quotes_spaces_and_empty_arguments_reach_the_script_as_they_are() {
        assert_eq!(
            command("/it's/run.py", &["", "a b", "'", "$x\n"]),
            "python3 '/it'\"'\"'s/run.py' '' 'a b' ''\"'\"'' '$x\n'"
        );
    }
}
