//! Running a process within limits. One thread watches both pipes and the clock, so that nothing is left
//! behind whatever the process does. Knows nothing about resources.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::time::Duration;
use std::io::{self, ErrorKind, Read};
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process_group};

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
        .stderr(Stdio::piped())
        .process_group(0);
    let child = command
        .spawn()
        .map_err(|error| failed(format!("the process cannot be started: {error}")))?;
    // From here on, dropping kills and reaps.
    let mut group = Group {
        child,
        reaped: false,
    };
    let output = group.child.stdout.take();
    let error = group.child.stderr.take();
    let mut output = Pipe::new(output, limits.output, Code::MaterializerOutputLimit);
    let mut error = Pipe::new(error, limits.error, Code::MaterializerErrorLimit);
    drain(&mut output, &mut error, deadline)?;
    let status = group.exited(deadline)?;
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
    let left = deadline.left()?;
    let timeout = left.and_then(|left| Timespec::try_from(left).ok());
    let mut watched = Vec::with_capacity(2);
    watched.extend(output.source.iter().map(watch));
    let outputs = watched.len();
    watched.extend(error.source.iter().map(watch));
    match poll(&mut watched, timeout.as_ref()) {
        Ok(_) => {}
        // A signal; the caller looks at the clock and comes again.
        Err(rustix::io::Errno::INTR) => return Ok((false, false)),
        Err(error) => return Err(failed(format!("its pipes cannot be watched: {error}"))),
    }
    let (outputs, errors) = watched.split_at(outputs.min(watched.len()));
    let speaks = |pipes: &[PollFd<'_>]| pipes.iter().any(|pipe| !pipe.revents().is_empty());
    Ok((speaks(outputs), speaks(errors)))
}

fn watch<S: Source>(source: &S) -> PollFd<'_> {
    PollFd::new(source, PollFlags::IN)
}

trait Source: Read + AsFd {}
impl<T: Read + AsFd> Source for T {}

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
        const CHUNK: usize = 64 << 10;
        let Some(source) = &mut self.source else {
            return Ok(());
        };
        let mut chunk = vec![0; CHUNK];
        match source.read(&mut chunk) {
            Ok(0) => self.source = None,
            Ok(count) => self.bytes.extend(chunk.iter().take(count)),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(failed(format!("its output cannot be read: {error}"))),
        }
        if u64::try_from(self.bytes.len()).is_ok_and(|count| count <= self.limit) {
            return Ok(());
        }
        Err(Failure {
            code: self.beyond,
            message: format!("more than {} bytes were written", self.limit),
        })
    }
}

/// When the time is up; `None` is never.
#[derive(Clone, Copy)]
struct Deadline(Option<Instant>);

impl Deadline {
    fn after(timeout: Duration) -> Self {
        Self(Instant::now().checked_add(timeout))
    }

    /// How much time is left.
    fn left(self) -> Result<Option<Duration>, Failure> {
        let Some(end) = self.0 else { return Ok(None) };
        match end.checked_duration_since(Instant::now()) {
            Some(left) if !left.is_zero() => Ok(Some(left)),
            _ => Err(Failure {
                code: Code::MaterializerTimeout,
                message: "the process did not finish in time".into(),
            }),
        }
    }
}

/// A process and all it has started. Its process group carries its id, which cannot be taken by another
/// process as long as it has not been reaped.
struct Group {
    child: Child,
    reaped: bool,
}

impl Group {
    /// Waits for the process, which has closed its pipes, to exit.
    fn exited(&mut self, deadline: Deadline) -> Result<ExitStatus, Failure> {
        let mut pause = Pause::default();
        loop {
            match self.try_wait() {
                Ok(Some(status)) => return Ok(status),
                Ok(None) => deadline.left().map(|left| pause.take(left))?,
                Err(error) => return Err(failed(format!("it cannot be waited for: {error}"))),
            }
        }
    }

    fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        let status = self.child.try_wait()?;
        self.reaped = status.is_some();
        Ok(status)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if self.reaped {
            return;
        }
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        // It dies at once, unless the kernel is busy for it; then it stays a zombie.
        let deadline = Deadline::after(Duration::from_secs(5));
        let mut pause = Pause::default();
        while matches!(self.try_wait(), Ok(None)) {
            match deadline.left() {
                Ok(left) => pause.take(left),
                Err(_) => return,
            }
        }
    }
}

/// Pauses that grow from one millisecond to sixteen.
#[derive(Default)]
struct Pause(u32);

impl Pause {
    fn take(&mut self, at_most: Option<Duration>) {
        let pause = Duration::from_millis(1 << self.0);
        self.0 = (self.0 + 1).min(4);
        thread::sleep(at_most.map_or(pause, |left| left.min(pause)));
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
