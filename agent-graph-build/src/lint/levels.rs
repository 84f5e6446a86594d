//! The levels that lints are looked at with. Knows names, defaults, and which of two settings counts: one
//! rule, whoever sets them.

use std::collections::BTreeMap;

use agent_graph_runtime::did_you_mean;

use super::registry::{Lint, LintLevel};

/// The level of each lint. A level set by name counts more than one set for all, wherever they stand; of two
/// that are set for one name, or for all, the one that is written later counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LintLevels {
    set: BTreeMap<Lint, LintLevel>,
    every: Option<LintLevel>,
}

impl LintLevels {
    /// Sets the level of the lint with this name; `all` stands for every lint that is not set by name.
    ///
    /// # Errors
    ///
    /// When there is no such lint; the message names the nearest, or those that there are.
    pub fn set(&mut self, name: &str, level: LintLevel) -> Result<(), String> {
        if name == "all" {
            self.every = Some(level);
            return Ok(());
        }
        let Some(lint) = Lint::named(name) else {
            let known = || Lint::ALL.iter().map(|lint| lint.name()).chain(["all"]);
            return Err(match did_you_mean(name, known()) {
                Some(hint) => format!("there is no lint `{name}`: {hint}"),
                None => {
                    let known: Vec<&str> = known().collect();
                    let known = known.join("`, `");
                    format!("there is no lint `{name}`; the names are `{known}`")
                }
            });
        };
        self.set.insert(lint, level);
        Ok(())
    }

    /// The level of a lint.
    pub fn of(&self, lint: Lint) -> LintLevel {
        let set = self.set.get(&lint).copied();
        set.or(self.every).unwrap_or(lint.default_level())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_set_by_name_wins_over_one_set_for_all() {
        let mut levels = LintLevels::default();
        assert_eq!(levels.of(Lint::UnusedCode), LintLevel::Warn);
        assert_eq!(levels.set("unused-code", LintLevel::Deny), Ok(()));
        assert_eq!(levels.set("all", LintLevel::Allow), Ok(()));
        assert_eq!(levels.of(Lint::UnusedCode), LintLevel::Deny);
        assert_eq!(levels.of(Lint::NoTerminal), LintLevel::Allow);
    }

    #[test]
    fn of_two_levels_for_one_name_the_later_one_counts() {
        let mut levels = LintLevels::default();
        for level in [LintLevel::Deny, LintLevel::Allow] {
            assert_eq!(levels.set("unused-code", level), Ok(()));
            assert_eq!(levels.set("all", level), Ok(()));
            assert_eq!(levels.of(Lint::UnusedCode), level);
            assert_eq!(levels.of(Lint::NoTerminal), level);
        }
    }

    #[test]
    fn an_unknown_lint_is_refused_with_the_nearest_one_or_all_that_are_known() {
        let refused = |name: &str| {
            LintLevels::default()
                .set(name, LintLevel::Warn)
                .unwrap_err()
        };
        assert_eq!(
            refused("unused-codes"),
            "there is no lint `unused-codes`: did you mean `unused-code`?"
        );
        assert_eq!(refused("al"), "there is no lint `al`: did you mean `all`?");
        assert!(refused("tabs").contains("`unused-code`, `all`"));
    }
}
