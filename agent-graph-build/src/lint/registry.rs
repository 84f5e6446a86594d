//! The lints: names, default levels, how they are decided. Knows nothing about how one is checked.

use agent_graph_runtime::Code;

/// How much a lint matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LintLevel {
    /// It is not looked at.
    Allow,
    /// It is shown.
    Warn,
    /// It fails the build.
    Deny,
}

impl LintLevel {
    /// All levels.
    pub const ALL: &'static [Self] = &[Self::Allow, Self::Warn, Self::Deny];

    /// The name of the level.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Warn => "warn",
            Self::Deny => "deny",
        }
    }
}

macro_rules! lints {
    ( $( $(#[$doc:meta])* $lint:ident: $level:ident, explored: $explored:literal; )+ ) => {
        /// A lint. Certain breakage denies, likely mistakes warn, matters of style are allowed.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Lint { $( $(#[$doc])* $lint, )+ }

        impl Lint {
            /// All lints.
            pub const ALL: &'static [Self] = &[ $( Self::$lint, )+ ];

            /// The code its findings carry.
            pub const fn code(self) -> Code {
                match self { $( Self::$lint => Code::$lint, )+ }
            }

            /// The level it has unless it is set.
            pub const fn default_level(self) -> LintLevel {
                match self { $( Self::$lint => LintLevel::$level, )+ }
            }

            /// Whether it is decided by exploring what can happen, within a bound.
            pub const fn is_explored(self) -> bool {
                match self { $( Self::$lint => $explored, )+ }
            }
        }
    };
}

lints! {
    /// A range in `compatibility` that excludes this version of the protocol.
    CompatibilityRange: Warn, explored: false;
    /// Terminals with different outcomes that can be reached together.
    ConflictingTerminals: Warn, explored: true;
    /// Required facts that cannot hold when the node is reached, if it is.
    ContradictoryFacts: Deny, explored: true;
    /// An authority of a gate that no session can use.
    IdleAuthority: Allow, explored: false;
    /// A number in a check that is not what it seems: `-0`, or too large to be exact.
    InexactNumber: Warn, explored: false;
    /// A repeat edge that keeps another node pending whatever is recorded for that node.
    LastingRepeat: Warn, explored: true;
    /// One fact compared with values of two types.
    MixedFactTypes: Warn, explored: false;
    /// An entry from which no terminal can be reached.
    NoTerminal: Deny, explored: true;
    /// Two nodes whose outcomes are recorded under one state key.
    StateKeyCollision: Warn, explored: false;
    /// A state, come to by expected outcomes, from which no terminal can be reached without taking one back.
    StuckState: Warn, explored: true;
    /// A question that the bound of the exploration left open.
    Undecided: Allow, explored: true;
    /// A gate that may be delegated, to an authority it does not name.
    UndelegatableGate: Warn, explored: false;
    /// An outcome of an action or gate that no edge handles.
    UnhandledOutcome: Allow, explored: true;
    /// A resource whose id no read receipt can carry.
    UnmatchableReceipt: Warn, explored: false;
    /// A node whose incoming edges cannot all hit at once, though it asks for that.
    UnmeetableJoin: Deny, explored: true;
    /// An action whose proof cannot hold, so that it is never completed.
    UnprovableAction: Deny, explored: true;
    /// A node that is never reached.
    UnreachableNode: Warn, explored: true;
    /// A gate whose proof cannot hold, so that nobody can resolve it.
    UnresolvableGate: Deny, explored: true;
    /// A route reason in the catalog that no node gives.
    UnusedCode: Warn, explored: false;
}

impl Lint {
    /// The stable name.
    pub fn name(self) -> &'static str {
        self.code().as_str()
    }

    /// The lint with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|lint| lint.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct_and_sorted_and_lead_back() {
        let names: Vec<&str> = Lint::ALL.iter().map(|lint| lint.name()).collect();
        assert!(names.windows(2).all(|pair| pair[0] < pair[1]), "{names:?}");
        for &lint in Lint::ALL {
            assert_eq!(Lint::named(lint.name()), Some(lint));
        }
        assert_eq!(Lint::named("unknown"), None);
    }
}
