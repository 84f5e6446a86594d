//! Running a process within limits. One thread watches both pipes and the clock, so that nothing is left
//! behind whatever the process does. Knows nothing about resources.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::time::Duration;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus, Stdio};

use crate::child::{self, CHUNK, Deadline, Group, Pause, Source, TimeIsUp};
use crate::code::Code;
use crate::error::Error;

/// What a process may use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) timeout: Duration,
    /// Bytes of output.
    pub(super) output: u64,
    /// Bytes of error output.
    pub(super) error: u64,
}

impl Limits {
    /// Refuses limits that nothing can keep.
    pub(super) fn check(self) -> Result<(), Error> {
        let refuse = |name: &str| {
            let message = format!("the limit of {name} has to be positive");
            Err(Error::new(Code::MaterializerOptionInvalid, message))
        };
        match self {
            _ if self.timeout.is_zero() => refuse("time"),
            _ if self.output == 0 => refuse("output"),
            _ if self.error == 0 => refuse("error output"),
            _ => Ok(()),
        }
    }
}

/// Why there is no output.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) code: Code,
    pub(super) message: String,
}

impl From<TimeIsUp> for Failure {
    fn from(_: TimeIsUp) -> Self {
        Self {
            code: Code::MaterializerTimeout,
            message: "the process did not finish in time".into(),
        }
    }
}

fn failed(message: impl Into<String>) -> Failure {
    Failure {
        code: Code::MaterializerFailed,
        message: message.into(),
    }
}

/// Runs the process to its end, which is when it has exited and both its pipes are closed, and gives its
/// output.
pub(super) fn run(mut command: Command, limits: Limits) -> Result<Vec<u8>, Failure> {
    let deadline = Deadline::after(limits.timeout);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    // From here on, dropping kills and reaps.
    let mut group = Group::start(&mut command)
        .map_err(|error| failed(format!("the process cannot be started: {error}")))?;
    let output = group.child.stdout.take();
    let error = group.child.stderr.take();
    let mut output = Pipe::new(output, limits.output, Code::MaterializerOutputLimit);
    let mut error = Pipe::new(error, limits.error, Code::MaterializerErrorLimit);
    drain(&mut output, &mut error, deadline)?;
    let status = exited(&mut group, deadline)?;
    if status.success() {
        return Ok(output.bytes);
    }
    Err(failed(ended(status, &error.bytes)))
}

/// Reads both pipes until they are closed.
fn drain<O: Source, E: Source>(
    output: &mut Pipe<O>,
    error: &mut Pipe<E>,
    deadline: Deadline,
) -> Result<(), Failure> {
    while output.source.is_some() || error.source.is_some() {
        let (output_ready, error_ready) = ready(output, error, deadline)?;
        if output_ready {
            output.read()?;
        }
        if error_ready {
            error.read()?;
        }
    }
    Ok(())
}

/// Waits until one of the pipes has something to say.
fn ready<O: Source, E: Source>(
    output: &Pipe<O>,
    error: &Pipe<E>,
    deadline: Deadline,
) -> Result<(bool, bool), Failure> {
    let pipes = [
        child::readable(output.source.as_ref()),
        child::readable(error.source.as_ref()),
    ];
    let [output, error] = child::ready(pipes, deadline.left()?)
        .map_err(|error| failed(format!("its pipes cannot be watched: {error}")))?;
    Ok((output, error))
}

/// The reading end of a pipe and what came out of it.
struct Pipe<S> {
    /// `None` once it is closed.
    source: Option<S>,
    bytes: Vec<u8>,
    limit: u64,
    beyond: Code,
}

impl<S: Source> Pipe<S> {
    fn new(source: Option<S>, limit: u64, beyond: Code) -> Self {
        Self {
            source,
            bytes: Vec::new(),
            limit,
            beyond,
        }
    }

    /// Reads what is there, without waiting when the pipe is ready.
    fn read(&mut self) -> Result<(), Failure> {
        let mut chunk = vec![0; CHUNK];
        let read = child::read(&mut self.source, &mut chunk)
            .map_err(|error| failed(format!("its output cannot be read: {error}")))?;
        self.bytes.extend_from_slice(read);
        if u64::try_from(self.bytes.len()).is_ok_and(|count| count <= self.limit) {
            return Ok(());
        }
        Err(Failure {
            code: self.beyond,
            message: format!("more than {} bytes were written", self.limit),
        })
    }
}

/// Waits for the process, which has closed its pipes, to exit.
fn exited(group: &mut Group, deadline: Deadline) -> Result<ExitStatus, Failure> {
    let mut pause = Pause::default();
    loop {
        match group.try_wait() {
            Ok(Some(status)) => return Ok(status),
            Ok(None) => pause.take(deadline.left()?),
            Err(error) => return Err(failed(format!("it cannot be waited for: {error}"))),
        }
    }
}

/// How the process ended, and the beginning of what it had to say about it.
fn ended(status: ExitStatus, error: &[u8]) -> String {
    const LONGEST: usize = 200;
    let how = match (status.code(), status.signal()) {
        (Some(code), _) => format!("the process exited with status {code}"),
        (None, Some(signal)) => format!("the process was ended by signal {signal}"),
        (None, None) => status.to_string(),
    };
    let said = String::from_utf8_lossy(error);
    let said: String = said.trim().chars().take(LONGEST).collect();
    if said.is_empty() {
        return how;
    }
    format!("{how}: {}", said.escape_debug())
}
