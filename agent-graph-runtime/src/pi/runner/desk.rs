//! What the threads of a run share: the machine, what is done and not yet taken in, and whether all are to
//! stop. Knows nothing about executors.

use alloc::vec::Vec;
use core::ops::ControlFlow;
use core::time::Duration;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime};

use super::abort::Abort;
use crate::json::Value;
use crate::pi::executor::Watch;
use crate::pi::run::{AttemptResult, Event, Next, Run, RunCode, Ticket, Usage};
use crate::timestamp::Timestamp;

/// The time of day, going on evenly from when the call began whatever is done to the clock meanwhile.
#[derive(Clone, Copy)]
pub(super) struct Clock {
    began: Timestamp,
    since: Instant,
}

impl Clock {
    /// Begins now, at this time of day, or at that of the operating system.
    pub(super) fn start(time: Option<Timestamp>) -> Self {
        Self {
            began: time.unwrap_or_else(|| SystemTime::now().into()),
            since: Instant::now(),
        }
    }

    pub(super) fn now(self) -> Timestamp {
        let elapsed = i64::try_from(self.since.elapsed().as_millis()).unwrap_or(i64::MAX);
        let began = self.began.unix_milliseconds();
        Timestamp::from_unix_milliseconds(began.saturating_add(elapsed))
    }
}

/// What a thread has done.
pub(super) enum Done {
    Attempt(Ticket, AttemptResult),
    Answer(Ticket, Option<Value>),
}

pub(super) struct Desk<'r> {
    run: Mutex<&'r mut Run>,
    clock: Clock,
    abort: Abort,
    tray: Mutex<Tray>,
}

#[derive(Default)]
struct Tray {
    at_work: usize,
    done: Vec<Done>,
    stop: Option<RunCode>,
}

impl<'r> Desk<'r> {
    pub(super) fn new(run: &'r mut Run, clock: Clock, abort: &Abort) -> Self {
        Self {
            run: Mutex::new(run),
            clock,
            abort: abort.clone(),
            tray: Mutex::default(),
        }
    }

    fn run(&self) -> MutexGuard<'_, &'r mut Run> {
        self.run.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tray(&self) -> MutexGuard<'_, Tray> {
        self.tray.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How often the bell has rung; what is done from now on rings again.
    pub(super) fn rings(&self) -> u64 {
        self.abort.rings()
    }

    /// Tells the machine what was done, and whether the run is ended.
    pub(super) fn take_in(&self) {
        let done = core::mem::take(&mut self.tray().done);
        let mut run = self.run();
        for done in done {
            self.tray().at_work -= 1;
            match done {
                Done::Attempt(ticket, result) => run.complete(ticket, result, self.clock.now()),
                Done::Answer(ticket, value) => run.answer(ticket, value, self.clock.now()),
            }
        }
        if self.abort.is_aborted() {
            run.abort(self.clock.now());
        }
    }

    pub(super) fn next(&self) -> Next {
        self.run().next(self.clock.now())
    }

    pub(super) fn events(&self) -> Vec<Event> {
        self.run().take_events()
    }

    pub(super) fn with_run<T>(&self, act: impl FnOnce(&mut Run) -> T) -> T {
        act(&mut self.run())
    }

    /// Counts an attempt or a question that begins; [`Desk::put_down`] ends it.
    pub(super) fn begin(&self) {
        self.tray().at_work += 1;
    }

    pub(super) fn at_work(&self) -> usize {
        self.tray().at_work
    }

    pub(super) fn is_ending(&self) -> bool {
        self.abort.is_aborted() || self.tray().stop.is_some()
    }

    pub(super) fn put_down(&self, done: Done) {
        self.tray().done.push(done);
        self.abort.ring();
    }

    pub(super) fn stop(&self, code: RunCode) {
        self.tray().stop = Some(code);
    }

    /// Waits until the bell has rung since `seen`, or it is time for more.
    pub(super) fn wait(&self, until: Option<Timestamp>, seen: u64) {
        let timeout = until.map(|until| {
            let left = until.unix_milliseconds() - self.clock.now().unix_milliseconds();
            Duration::from_millis(u64::try_from(left).unwrap_or(0))
        });
        self.abort.wait(seen, timeout);
    }
}

/// Watches one attempt for the machine.
pub(super) struct Supervised<'d, 'r> {
    pub(super) desk: &'d Desk<'r>,
    pub(super) ticket: Ticket,
}

impl Watch for Supervised<'_, '_> {
    fn turn(&self, used: &Usage) -> ControlFlow<()> {
        let desk = self.desk;
        match desk.run().report(self.ticket, used, desk.clock.now()) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }

    fn stop(&self) -> Option<RunCode> {
        if self.desk.abort.is_aborted() {
            return Some(RunCode::Aborted);
        }
        self.desk.tray().stop
    }
}

/// What the function gives, unless it panics.
pub(super) fn guarded<T>(act: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(act)).ok()
}
