//! The levels that lints are looked at with. Knows names and defaults.

use std::collections::BTreeMap;

use super::registry::{Lint, LintLevel};

/// The level of each lint.
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
    /// When there is no such lint; the message names those that there are.
    pub fn set(&mut self, name: &str, level: LintLevel) -> Result<(), String> {
        if name == "all" {
            self.every = Some(level);
            return Ok(());
        }
        let Some(lint) = Lint::named(name) else {
            let known: Vec<&str> = Lint::ALL.iter().map(|lint| lint.name()).collect();
            let known = known.join("`, `");
            return Err(format!(
                "there is no lint `{name}`; the lints are `{known}`, and `all` for every one"
            ));
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
    fn an_unknown_lint_is_refused_with_the_known_ones() {
        let refused = LintLevels::default().set("unused", LintLevel::Warn);
        assert!(refused.is_err_and(|message| message.contains("`unused-code`")));
    }
}
