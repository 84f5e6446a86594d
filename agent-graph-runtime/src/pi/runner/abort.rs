//! A handle by which anybody can end a run, and the bell that wakes whoever drives it. Knows nothing about
//! runs.

use alloc::sync::Arc;
use core::fmt;
use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;
use std::sync::{Condvar, Mutex, PoisonError};

/// Ends the runs it is given to, from any thread. Cheap to clone; all clones are one handle.
#[derive(Clone, Default)]
pub struct Abort(Arc<Bell>);

#[derive(Default)]
struct Bell {
    is_aborted: AtomicBool,
    rings: Mutex<u64>,
    changed: Condvar,
}

impl Abort {
    /// A handle that has ended nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends the runs, those that begin later included. Attempts at work are stopped.
    pub fn abort(&self) {
        self.0.is_aborted.store(true, Ordering::SeqCst);
        self.ring();
    }

    /// Whether the runs are ended.
    pub fn is_aborted(&self) -> bool {
        self.0.is_aborted.load(Ordering::SeqCst)
    }

    /// Wakes everybody who waits.
    pub(super) fn ring(&self) {
        let mut rings = self.0.rings.lock().unwrap_or_else(PoisonError::into_inner);
        *rings = rings.wrapping_add(1);
        self.0.changed.notify_all();
    }

    pub(super) fn rings(&self) -> u64 {
        *self.0.rings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the bell has rung since `seen`, or the time is over.
    pub(super) fn wait(&self, seen: u64, timeout: Option<Duration>) {
        let rings = self.0.rings.lock().unwrap_or_else(PoisonError::into_inner);
        let is_quiet = |rings: &mut u64| *rings == seen;
        match timeout {
            Some(timeout) => drop(self.0.changed.wait_timeout_while(rings, timeout, is_quiet)),
            None => drop(self.0.changed.wait_while(rings, is_quiet)),
        }
    }
}

impl fmt::Debug for Abort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Abort");
        shown.field("is_aborted", &self.is_aborted()).finish()
    }
}
