//! How much work all explorations of a provider may be together, and how it is divided. Counts work, not
//! time: the same definition gives the same findings on every machine.

use agent_graph_runtime::explore::Work;

/// The work of all explorations of a provider: nodes, edges and checks that evaluations look at, and outcomes
/// that are held against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bound(pub(crate) u64);

impl Bound {
    /// For whoever asked for lints and nothing else.
    pub(crate) const PATIENT: Self = Self(2_000_000);

    /// For builds, which have other things to do.
    pub(crate) const BUILDING: Self = Self(200_000);
}

/// Divides what is left among the questions that are left: each may take an equal share, and leaves what it
/// does not need to those that come after it.
pub(crate) struct Shares {
    work: Work,
    questions: u64,
}

impl Shares {
    /// The work within the bound, for so many questions.
    pub(crate) fn new(bound: Bound, questions: usize) -> Self {
        Self {
            work: Work::new(bound.0),
            questions: questions as u64,
        }
    }

    /// The next question, which takes one step of at most `largest` at a time; it is not asked when that is
    /// more than all that is left.
    pub(crate) fn ask<T>(
        &mut self,
        largest: u64,
        question: impl FnOnce(&mut Work) -> T,
    ) -> Option<T> {
        let share = self.work.left().div_ceil(self.questions.max(1));
        self.questions = self.questions.saturating_sub(1);
        let can = share > 0 && largest <= self.work.left();
        can.then(|| self.work.lend(share, question))
    }

    /// What was spent.
    pub(crate) fn spent(&self) -> u64 {
        self.work.spent()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_question_leaves_is_for_those_after_it_and_too_large_steps_are_not_begun() {
        let mut shares = Shares::new(Bound(100), 4);
        let spend = |amount| {
            move |work: &mut Work| {
                work.spend(amount);
                work.left()
            }
        };
        assert_eq!(shares.ask(1, spend(1)), Some(24));
        assert_eq!(shares.ask(1, spend(0)), Some(33));
        assert_eq!(shares.ask(100, spend(0)), None);
        // A step that has begun is finished, at the cost of those after it.
        assert_eq!(shares.ask(99, spend(99)), Some(0));
        assert_eq!(shares.spent(), 100);
        assert_eq!(shares.ask(1, spend(0)), None);
    }
}
