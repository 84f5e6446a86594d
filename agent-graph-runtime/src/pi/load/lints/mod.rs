//! What deserves a look in a definition that the protocol accepts. These findings are ours and have codes of
//! their own: the diagnostics of the protocol stay as they are. Knows the order; each lint lives in a module
//! of its own.

mod conditions;
mod flow;
mod writes;

#[cfg(test)]
mod tests;

use alloc::vec::Vec;

use super::places::Places;
use super::report::group_steps;
use crate::code::Code;
use crate::finding::Finding;
use crate::pi::definition::{Definition, GroupPlace};
use crate::pi::diagnostic::Step;
use crate::pi::network::Network;

/// Steps of work after which a lint gives up: it is a lint, and a definition that asks for more is hostile.
const WORK: usize = 2_000_000;

/// How many findings there are at most.
const FINDINGS: usize = 1_000;

/// All lints of a definition.
pub(super) fn lint(definition: &Definition, places: &mut Places<'_>) -> Vec<Finding> {
    let network = Network::of(definition);
    let mut lints = Lints {
        definition,
        found: Vec::new(),
        work: 0,
    };
    let dead = conditions::lint(&mut lints);
    flow::lint(&mut lints, &network, &dead);
    writes::lint(&mut lints, &network);
    let found = lints.found.into_iter();
    found
        .map(|lint| {
            let finding = Finding::warning(lint.code, places.value(&lint.steps), lint.message);
            match lint.hint {
                Some(hint) => finding.with_hint(hint),
                None => finding,
            }
        })
        .collect()
}

/// What the lints share.
struct Lints<'d> {
    definition: &'d Definition,
    found: Vec<Lint>,
    work: usize,
}

struct Lint {
    code: Code,
    steps: Vec<Step>,
    message: alloc::string::String,
    hint: Option<&'static str>,
}

impl Lints<'_> {
    fn add(
        &mut self,
        code: Code,
        steps: Vec<Step>,
        message: alloc::string::String,
        hint: Option<&'static str>,
    ) {
        if self.found.len() < FINDINGS {
            self.found.push(Lint {
                code,
                steps,
                message,
                hint,
            });
        }
    }

    fn at(&self, place: GroupPlace) -> Vec<Step> {
        group_steps(self.definition, place)
    }

    /// Counts work; says whether there may be more.
    fn may_work(&mut self, steps: usize) -> bool {
        self.work = self.work.saturating_add(steps);
        self.work <= WORK
    }
}
