//! Child processes that are not left behind: a process group that dies with its handle, deadlines, waiting
//! on pipes. Knows nothing about what the processes do and how much they may say.

use alloc::vec::Vec;
use core::time::Duration;
use std::io::{self, ErrorKind, Read};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process_group};
#[cfg(feature = "pi-process")]
use rustix::process::{WaitId, WaitIdOptions, waitid};

/// Bytes that are read at a time.
pub(crate) const CHUNK: usize = 64 << 10;

/// When the time is up; `None` is never.
#[derive(Clone, Copy)]
pub(crate) struct Deadline(Option<Instant>);

/// The time is up.
pub(crate) struct TimeIsUp;

impl Deadline {
    pub(crate) fn after(timeout: Duration) -> Self {
        Self(Instant::now().checked_add(timeout))
    }

    /// How much time is left; `None` is without end.
    pub(crate) fn left(self) -> Result<Option<Duration>, TimeIsUp> {
        let Some(end) = self.0 else { return Ok(None) };
        match end.checked_duration_since(Instant::now()) {
            Some(left) if !left.is_zero() => Ok(Some(left)),
            _ => Err(TimeIsUp),
        }
    }
}

/// A process and all it has started. Its process group carries its id, which cannot be taken by another
/// process as long as it has not been reaped. Dropped before that, all of it is killed.
pub(crate) struct Group {
    pub(crate) child: Child,
    reaped: bool,
}

impl Group {
    pub(crate) fn start(command: &mut Command) -> io::Result<Self> {
        let child = command.process_group(0).spawn()?;
        Ok(Self {
            child,
            reaped: false,
        })
    }

    /// How the process ended, if it did. From then on the group is no longer watched over.
    pub(crate) fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        let status = self.child.try_wait()?;
        self.reaped = status.is_some();
        Ok(status)
    }

    /// Whether the process has exited. It is not reaped, so the group can still be killed.
    #[cfg(feature = "pi-process")]
    pub(crate) fn has_exited(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        // An error means that there is nothing to wait for.
        !matches!(
            waitid(WaitId::Pid(Pid::from_child(&self.child)), options),
            Ok(None)
        )
    }

    pub(crate) fn signal(&self, signal: Signal) {
        if !self.reaped {
            let _ = kill_process_group(Pid::from_child(&self.child), signal);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if self.reaped {
            return;
        }
        self.signal(Signal::KILL);
        // It dies at once, unless the kernel is busy for it; then it stays a zombie.
        let deadline = Deadline::after(Duration::from_secs(5));
        let mut pause = Pause::default();
        while matches!(self.try_wait(), Ok(None)) {
            match deadline.left() {
                Ok(left) => pause.take(left),
                Err(TimeIsUp) => return,
            }
        }
    }
}

/// Pauses that grow from one millisecond to sixteen.
#[derive(Default)]
pub(crate) struct Pause(u32);

impl Pause {
    pub(crate) fn take(&mut self, at_most: Option<Duration>) {
        let pause = Duration::from_millis(1 << self.0);
        self.0 = (self.0 + 1).min(4);
        thread::sleep(at_most.map_or(pause, |left| left.min(pause)));
    }
}

/// Waits until one of the pipes is ready, or the time is over; says of each whether it is. Without any, it
/// only waits.
pub(crate) fn ready<const N: usize>(
    pipes: [Option<(BorrowedFd<'_>, PollFlags)>; N],
    timeout: Option<Duration>,
) -> io::Result<[bool; N]> {
    let timeout = timeout.and_then(|timeout| Timespec::try_from(timeout).ok());
    let given = pipes.iter().flatten();
    let mut watched: Vec<PollFd<'_>> = given
        .map(|&(pipe, flags)| PollFd::from_borrowed_fd(pipe, flags))
        .collect();
    match poll(&mut watched, timeout.as_ref()) {
        Ok(_) => {}
        // A signal; the caller looks at the clock and comes again.
        Err(rustix::io::Errno::INTR) => return Ok([false; N]),
        Err(error) => return Err(error.into()),
    }
    let mut watched = watched.iter();
    Ok(pipes.map(|pipe| {
        let watched = pipe.and_then(|_| watched.next());
        watched.is_some_and(|pipe| !pipe.revents().is_empty())
    }))
}

/// The reading end of a pipe.
pub(crate) trait Source: Read + AsFd {}
impl<T: Read + AsFd> Source for T {}

/// A pipe to be read, for [`ready`].
pub(crate) fn readable<S: Source>(source: Option<&S>) -> Option<(BorrowedFd<'_>, PollFlags)> {
    source.map(|source| (source.as_fd(), PollFlags::IN))
}

/// Reads what is there, without waiting when the pipe is ready. A pipe that is closed becomes `None`.
pub(crate) fn read<'b, S: Source>(
    source: &mut Option<S>,
    buffer: &'b mut [u8],
) -> io::Result<&'b [u8]> {
    let Some(open) = source else { return Ok(&[]) };
    match open.read(buffer) {
        Ok(0) => {
            *source = None;
            Ok(&[])
        }
        Ok(count) => Ok(buffer.get(..count).unwrap_or_default()),
        Err(error) if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => {
            Ok(&[])
        }
        Err(error) => Err(error),
    }
}
