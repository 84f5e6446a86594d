//! Where the times of runs come from. Knows nothing about runs.

use std::time::SystemTime;

pub use crate::timestamp::Timestamp;

/// Where the store takes the time from.
pub trait Clock: Send + Sync {
    /// The time now.
    fn now(&self) -> Timestamp;
}

/// The clock of the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::from(SystemTime::now())
    }
}
