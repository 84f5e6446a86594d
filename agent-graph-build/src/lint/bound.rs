//! How much work an exploration may be. Counts work, not time: the same definition gives the same findings
//! on every machine.

/// The bound of the explorations of one entry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound {
    /// Work for one exploration, in nodes and frames of evaluations.
    pub(crate) work: u32,
    /// Ways that are held against each other to find stuck states.
    pub(crate) compared_ways: usize,
}

impl Bound {
    /// For whoever asked for lints and nothing else.
    pub(crate) const PATIENT: Self = Self {
        work: 200_000,
        compared_ways: 1500,
    };

    /// For builds: a tenth for an entry, and no more for all entries than a patient one has.
    pub(crate) fn while_building(entries: usize) -> Self {
        let share = Self::PATIENT.work / u32::try_from(entries.max(10)).unwrap_or(u32::MAX);
        Self {
            work: share.max(100),
            compared_ways: 300,
        }
    }
}
