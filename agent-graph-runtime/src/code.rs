//! The registry of error codes: every code this workspace can give, with cause and cure.
//! One place, so that documentation and messages cannot disagree. Knows nothing about where a code is raised.

use core::fmt;

macro_rules! codes {
    ( $( $(#[$meta:meta])* $variant:ident = $wire:literal { cause: $cause:literal, cure: $cure:literal, } )+ ) => {
        /// What went wrong, as a stable code.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $( #[doc = $cause] $(#[$meta])* $variant, )+
        }

        impl Code {
            /// Every code.
            pub const ALL: &'static [Self] = &[ $( Self::$variant, )+ ];

            /// The code as it appears on the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $( Self::$variant => $wire, )+ }
            }

            /// Why it is raised.
            pub const fn cause(self) -> &'static str {
                match self { $( Self::$variant => $cause, )+ }
            }

            /// What to do about it.
            pub const fn cure(self) -> &'static str {
                match self { $( Self::$variant => $cure, )+ }
            }
        }
    };
}

codes! {
    GraphMissing = "graph-missing" {
        cause: "The provider has no graph with this id.",
        cure: "Name one of the graphs the provider manifest lists.",
    }
    JsonInvalid = "json-invalid" {
        cause: "The text is not JSON, or holds what the protocol refuses: a number beyond the double range, half a surrogate pair.",
        cure: "Correct the text at the position named.",
    }
    JsonObjectRequired = "json-object-required" {
        cause: "Facts and outcomes have to be JSON objects.",
        cure: "Wrap the value in an object.",
    }
    OutcomeInvalid = "outcome-invalid" {
        cause: "The text is none of the eight outcomes.",
        cure: "Use completed, partial, failed, unverified, skipped, pending, blocked or waiting-user.",
    }
    InputLimit = "input-limit" {
        cause: "The input exceeds a documented ceiling of bytes, depth, nodes, aliases or files.",
        cure: "Make the input smaller or flatter; the message names the ceiling.",
    }
    FeatureRequired = "feature-required" {
        cause: "The definition or input needs a feature that is switched off.",
        cure: "Switch on the feature that the message names.",
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl serde::Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
