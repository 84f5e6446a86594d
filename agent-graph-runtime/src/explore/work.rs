//! How much may be done to find something out. Counts what is looked at, never time, so that the same
//! question gets the same answer on every machine.

/// What is left to spend, and what was spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    left: u64,
    spent: u64,
}

impl Work {
    /// So much and no more. What has begun is finished, so that a little more may be spent.
    pub const fn new(left: u64) -> Self {
        Self { left, spent: 0 }
    }

    /// Spends some.
    pub fn spend(&mut self, amount: u64) {
        self.left = self.left.saturating_sub(amount);
        self.spent = self.spent.saturating_add(amount);
    }

    /// What is left.
    pub const fn left(&self) -> u64 {
        self.left
    }

    /// What was spent, as it was: it may be more than there was.
    pub const fn spent(&self) -> u64 {
        self.spent
    }

    /// Does something with a part of what is left, and takes what it spent from the whole.
    pub fn lend<T>(&mut self, part: u64, task: impl FnOnce(&mut Self) -> T) -> T {
        let mut lent = Self::new(part.min(self.left));
        let result = task(&mut lent);
        self.spend(lent.spent);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_lent_and_overspent_is_missing_from_the_whole() {
        let mut work = Work::new(100);
        let left = work.lend(30, |part| {
            part.spend(20);
            part.spend(20);
            part.left()
        });
        assert_eq!((left, work.left(), work.spent()), (0, 60, 40));
        work.lend(1000, |part| part.spend(part.left()));
        assert_eq!((work.left(), work.spent()), (0, 100));
    }
}
