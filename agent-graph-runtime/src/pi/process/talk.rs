//! Following one process to its end: its prompt in, its events and complaints out, and out with it when it has
//! to stop. One thread watches all pipes and the clock; nothing that the process or its children do keeps it
//! waiting for longer than was allowed. Knows nothing about files.

use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::time::Duration;
use std::io::{ErrorKind, Write};
use std::os::fd::AsFd;
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, Stdio};

use rustix::event::PollFlags;
use rustix::io::ioctl_fionbio;
use rustix::process::Signal;

use crate::child::{self, CHUNK, Deadline, Group};
use crate::pi::agent::{Attempt, Ended};
use crate::pi::executor::Watch;
use crate::pi::run::{RunCode, Usage, Work};

/// How long nobody looks at whether the run is ended.
const TICK: Duration = Duration::from_millis(20);

/// How long others may hold the pipes of a process that has exited, and how long pipes may stay open after
/// everybody was killed.
const LINGER: Duration = Duration::from_millis(1000);

/// When the time of an attempt is up, and what its failure is then.
pub(super) struct Limit {
    deadline: Option<Deadline>,
    code: RunCode,
}

impl Limit {
    /// The limit of an attempt that begins now.
    pub(super) fn of(work: &Work) -> Self {
        let begins = work.started_at.unix_milliseconds();
        let milliseconds = work.deadline.map(|deadline| {
            let left = deadline.at.unix_milliseconds().saturating_sub(begins);
            u64::try_from(left).unwrap_or(0)
        });
        Self {
            deadline: milliseconds.map(|left| Deadline::after(Duration::from_millis(left))),
            code: work
                .deadline
                .map_or(RunCode::NodeTimeout, |deadline| deadline.code),
        }
    }
}

/// How a process is followed.
pub(super) struct Talk<'t> {
    pub(super) limit: Limit,
    /// How long it may take to end once it is asked to.
    pub(super) patience: Duration,
    pub(super) watch: &'t dyn Watch,
}

/// Where a process is on the way to its end.
#[derive(Clone, Copy)]
enum Phase {
    /// It does its work.
    AtWork,
    /// It has exited, and others still hold its pipes.
    Lingering(Deadline),
    /// It was asked to end.
    Asked(Deadline),
    /// It was killed.
    Killed(Deadline),
}

impl Talk<'_> {
    /// Runs the process to its end.
    pub(super) fn follow(&self, command: &mut Command, attempt: &mut Attempt<'_>) -> Ended {
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // From here on, dropping kills and reaps.
        let mut group = match Group::start(command) {
            Ok(group) => group,
            Err(error) => {
                let program = command.get_program().to_string_lossy();
                return Ended::Broken(format!("{program} cannot be started: {error}"));
            }
        };
        let mut pipes = match Pipes::of(&mut group, attempt.prompt().user.as_bytes()) {
            Ok(pipes) => pipes,
            Err(error) => return Ended::Broken(format!("it cannot be talked to: {error}")),
        };
        let mut phase = Phase::AtWork;
        loop {
            let has_exited = group.has_exited();
            if has_exited && pipes.are_closed() {
                break;
            }
            self.judge(attempt);
            let Some(next) = self.step(phase, has_exited, attempt, &group) else {
                break;
            };
            phase = next;
            if let Err(error) = pipes.exchange(attempt, self.watch) {
                return Ended::Broken(format!("its pipes cannot be watched: {error}"));
            }
        }
        match group.try_wait() {
            Ok(status) => Ended::Exited(status.and_then(|status| status.code())),
            Err(error) => Ended::Broken(format!("it cannot be waited for: {error}")),
        }
    }

    /// Tells the attempt what ends it, the first thing only.
    fn judge(&self, attempt: &mut Attempt<'_>) {
        if attempt.must_stop() {
            return;
        }
        match self.watch.stop() {
            Some(RunCode::Aborted) => attempt.abort(),
            Some(code) => attempt.time_is_up(code),
            None if self
                .limit
                .deadline
                .is_some_and(|deadline| deadline.left().is_err()) =>
            {
                attempt.time_is_up(self.limit.code);
            }
            None => {}
        }
    }

    /// Takes the next step towards the end, if it is time for one; nothing when there is no more to be done.
    fn step(
        &self,
        phase: Phase,
        has_exited: bool,
        attempt: &Attempt<'_>,
        group: &Group,
    ) -> Option<Phase> {
        let is_over = |deadline: Deadline| deadline.left().is_err();
        let kill = || {
            group.signal(Signal::KILL);
            Some(Phase::Killed(Deadline::after(LINGER)))
        };
        match phase {
            Phase::AtWork if attempt.must_stop() => {
                group.signal(Signal::TERM);
                Some(Phase::Asked(Deadline::after(self.patience)))
            }
            Phase::AtWork if has_exited => Some(Phase::Lingering(Deadline::after(LINGER))),
            Phase::Lingering(deadline) | Phase::Asked(deadline) if is_over(deadline) => kill(),
            Phase::Killed(deadline) if is_over(deadline) => None,
            _ => Some(phase),
        }
    }
}

/// The pipes of a process; each is `None` once it is closed.
struct Pipes {
    input: Option<ChildStdin>,
    output: Option<ChildStdout>,
    error: Option<ChildStderr>,
    prompt: Vec<u8>,
    written: usize,
    chunk: Vec<u8>,
}

impl Pipes {
    fn of(group: &mut Group, prompt: &[u8]) -> std::io::Result<Self> {
        let child = &mut group.child;
        let input = child.stdin.take();
        if let Some(input) = &input {
            // A process that does not read is no reason to wait.
            ioctl_fionbio(input, true)?;
        }
        Ok(Self {
            input,
            output: child.stdout.take(),
            error: child.stderr.take(),
            prompt: prompt.into(),
            written: 0,
            chunk: vec![0; CHUNK],
        })
    }

    /// Whether nothing more can come.
    fn are_closed(&self) -> bool {
        self.output.is_none() && self.error.is_none()
    }

    /// Waits a little for something to happen, and takes it in.
    fn exchange(&mut self, attempt: &mut Attempt<'_>, watch: &dyn Watch) -> std::io::Result<()> {
        let pipes = [
            self.input
                .as_ref()
                .map(|input| (input.as_fd(), PollFlags::OUT)),
            child::readable(self.output.as_ref()),
            child::readable(self.error.as_ref()),
        ];
        let [input, output, error] = child::ready(pipes, Some(TICK))?;
        if input {
            self.write();
        }
        if output {
            match child::read(&mut self.output, &mut self.chunk) {
                Ok(read) => attempt.output(read, &mut |used: &Usage| watch.turn(used)),
                Err(_) => self.output = None,
            }
        }
        if error {
            match child::read(&mut self.error, &mut self.chunk) {
                Ok(read) => attempt.error_output(read),
                Err(_) => self.error = None,
            }
        }
        Ok(())
    }

    /// Writes as much of the prompt as there is room for; closes the pipe behind its end, or when nobody reads.
    fn write(&mut self) {
        let rest = self.prompt.get(self.written..).unwrap_or_default();
        let Some(input) = &mut self.input else { return };
        match input.write(rest) {
            Ok(count) => self.written += count,
            Err(error) => match error.kind() {
                ErrorKind::Interrupted | ErrorKind::WouldBlock => {}
                _ => self.input = None,
            },
        }
        if self.written >= self.prompt.len() {
            self.input = None;
        }
    }
}
