//! The words of the protocol: every closed enumeration with its wire strings (spec 1.1).
//! Knows nothing about documents, tables or evaluation.

use core::fmt;
use core::str::FromStr;

/// The version of the protocol that is implemented: major, minor, patch.
pub const VERSION: [u64; 3] = [0, 3, 1];

/// The text names no member of the enumeration it was read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownName {
    /// What was expected, for example `outcome`.
    pub expected: &'static str,
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a known {}", self.expected)
    }
}

impl core::error::Error for UnknownName {}

/// Defines an enumeration together with its wire strings, so that the two cannot drift apart.
macro_rules! wire_enum {
    (
        $(#[$meta:meta])*
        $name:ident ($what:literal) { $( $(#[$doc:meta])* $variant:ident = $wire:literal, )+ }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum $name { $( $(#[$doc])* $variant, )+ }

        impl $name {
            /// All members, in the order of the specification.
            pub const ALL: &'static [Self] = &[ $( Self::$variant, )+ ];

            /// The wire string.
            pub const fn as_str(self) -> &'static str {
                match self { $( Self::$variant => $wire, )+ }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl FromStr for $name {
            type Err = UnknownName;

            fn from_str(text: &str) -> Result<Self, UnknownName> {
                match text {
                    $( $wire => Ok(Self::$variant), )+
                    _ => Err(UnknownName { expected: $what }),
                }
            }
        }

        impl serde_core::Serialize for $name {
            fn serialize<S: serde_core::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde_core::Deserialize<'de> for $name {
            fn deserialize<D: serde_core::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Names;
                impl serde_core::de::Visitor<'_> for Names {
                    type Value = $name;
                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($what)
                    }
                    fn visit_str<E: serde_core::de::Error>(self, text: &str) -> Result<$name, E> {
                        text.parse().map_err(|_| E::unknown_variant(text, &[ $( $wire, )+ ]))
                    }
                }
                deserializer.deserialize_str(Names)
            }
        }
    };
}

#[cfg(feature = "pi")]
pub(crate) use wire_enum;

wire_enum! {
    /// What a node came to: recorded by the host, declared by a terminal, or derived by the evaluator.
    Outcome ("outcome") {
        /// Done.
        Completed = "completed",
        /// Done in part.
        Partial = "partial",
        /// Tried and not done.
        Failed = "failed",
        /// Recorded as completed, but the facts do not show it.
        Unverified = "unverified",
        /// Left out on purpose.
        Skipped = "skipped",
        /// Not done yet; also what a repeat edge sets.
        Pending = "pending",
        /// Cannot be done now.
        Blocked = "blocked",
        /// Waits for a person.
        WaitingUser = "waiting-user",
    }
}

wire_enum! {
    /// What an evaluation says as a whole.
    Status ("status") {
        /// At least one route can be taken now.
        Actionable = "actionable",
        /// All that could be next waits for a person.
        WaitingUser = "waiting-user",
        /// Nothing can be next.
        Blocked = "blocked",
        /// A terminal was reached.
        Complete = "complete",
        /// The question itself has no answer, for example an unknown entry.
        Error = "error",
    }
}

wire_enum! {
    /// Who can take a route now.
    Availability ("availability") {
        /// The agent or host, at once.
        Immediate = "immediate",
        /// A person.
        RequiresUser = "requires-user",
        /// Reserved by the protocol, never produced.
        Blocked = "blocked",
    }
}

wire_enum! {
    /// What running an action does to the world.
    Effect ("effect") {
        /// Looks only.
        Read = "read",
        /// Changes the workspace.
        Write = "write",
        /// Changes something outside the workspace.
        External = "external",
    }
}

wire_enum! {
    /// Who runs an action.
    Runner ("runner") {
        /// A shell.
        Command = "command",
        /// An interpreter with a packaged script.
        Script = "script",
        /// An agent with a skill.
        Agent = "agent",
        /// The host itself, by handler name.
        Host = "host",
    }
}

wire_enum! {
    /// The interpreter of a script action.
    Runtime ("runtime") {
        /// Node.js.
        Node = "node",
        /// Bun.
        Bun = "bun",
        /// Python 3.
        Python = "python",
        /// `sh`.
        Shell = "shell",
    }
}

impl Runtime {
    /// The program that is started (spec 5.3).
    pub const fn program(self) -> &'static str {
        match self {
            Self::Node => "node",
            Self::Bun => "bun",
            Self::Python => "python3",
            Self::Shell => "sh",
        }
    }
}

wire_enum! {
    /// Where an action runs.
    WorkingDirectory ("working directory") {
        /// In the workspace of the host.
        Workspace = "workspace",
        /// In the folder of the provider manifest.
        Provider = "provider",
    }
}

wire_enum! {
    /// How much a diagnostic matters.
    Severity ("severity") {
        /// Good to know.
        Info = "info",
        /// Probably a mistake.
        Warning = "warning",
        /// Something does not work.
        Error = "error",
    }
}

wire_enum! {
    /// The kind of a graph node.
    NodeKind ("node kind") {
        /// Work for a runner.
        Action = "action",
        /// A decision of a person, or of a session that holds the authority.
        Gate = "gate",
        /// A call of another graph.
        Subgraph = "subgraph",
        /// An end of the graph.
        Terminal = "terminal",
    }
}

wire_enum! {
    /// How many incoming edges have to hit before a node is reached.
    Join ("join") {
        /// Every one.
        All = "all",
        /// One.
        Any = "any",
    }
}

wire_enum! {
    /// The kind of an edge. Only `repeat` changes evaluation.
    EdgeKind ("edge kind") {
        /// Order of work.
        Flow = "flow",
        /// The target uses what the source made.
        Consumes = "consumes",
        /// The target needs the source.
        Requires = "requires",
        /// The source is a gate.
        GatedBy = "gatedBy",
        /// The target is pending again while the source has a matching value.
        Repeat = "repeat",
    }
}

wire_enum! {
    /// The kind of a resource.
    ResourceKind ("resource kind") {
        /// How to do something.
        Procedure = "procedure",
        /// How to find out what is wrong.
        Diagnostic = "diagnostic",
        /// Something to fill in.
        Template = "template",
        /// A JSON Schema.
        Schema = "schema",
        /// A skill.
        Skill = "skill",
        /// Content that is made when it is needed.
        ContextView = "context-view",
    }
}

impl ResourceKind {
    /// Whether the kind may be given to a file (the protocol's StaticKind).
    pub const fn is_static(self) -> bool {
        !matches!(self, Self::ContextView)
    }
}

wire_enum! {
    /// What a code of the catalog stands for.
    CodeKind ("code kind") {
        /// Why a route is offered.
        RouteReason = "route-reason",
        /// What is wrong.
        Diagnostic = "diagnostic",
    }
}

wire_enum! {
    /// Who resolves a gate.
    Resolution ("gate resolution") {
        /// A person.
        User = "user",
        /// The session, by an authority it holds.
        SessionAuthority = "session-authority",
    }
}

wire_enum! {
    /// Whether a session with the authority looks before it resolves a gate.
    Inspection ("inspection") {
        /// The inspection action stays on the route.
        Required = "required",
        /// It is left out.
        Skip = "skip",
    }
}

wire_enum! {
    /// Whether what a location points to still has to be read.
    ReadState ("read state") {
        /// It has to be read.
        ReadRequired = "read-required",
        /// A receipt shows that it was read as it is now.
        Current = "current",
    }
}

/// A set of outcomes, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct OutcomeSet(u8);

impl OutcomeSet {
    /// The set without members.
    pub const EMPTY: Self = Self(0);

    /// The set whose members are the bits of `bits`, bit *n* standing for the *n*th outcome of
    /// [`Outcome::ALL`].
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    /// The inverse of [`OutcomeSet::from_bits`].
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// This set and `outcome`.
    #[must_use]
    pub const fn with(self, outcome: Outcome) -> Self {
        Self(self.0 | 1 << outcome as u8)
    }

    /// Whether `outcome` is a member.
    pub const fn contains(self, outcome: Outcome) -> bool {
        self.0 & (1 << outcome as u8) != 0
    }

    /// How many members there are.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is no member.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The members in the order of [`Outcome::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Outcome> {
        Outcome::ALL
            .iter()
            .copied()
            .filter(move |&outcome| self.contains(outcome))
    }
}

impl FromIterator<Outcome> for OutcomeSet {
    fn from_iter<I: IntoIterator<Item = Outcome>>(outcomes: I) -> Self {
        outcomes.into_iter().fold(Self::EMPTY, Self::with)
    }
}
