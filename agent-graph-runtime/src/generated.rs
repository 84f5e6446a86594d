//! What generated code uses, and nothing else does: rows, names that are looked up in the tables, and
//! the check that both sides mean the same table format. Not part of the public interface.

use core::fmt;
use core::marker::PhantomData;

use crate::error::Error;
use crate::evaluation::Evaluation;
use crate::evaluator;
use crate::protocol::UnknownName;
use crate::provider::Provider;
use crate::state::State;
use crate::tables::{Tables, Text};

#[cfg(feature = "dynamic")]
pub use crate::provider_override::Override;
pub use crate::typed::{Graph, StepPath};
pub use crate::{__impl_name as impl_name, __table_format as table_format};
pub use alloc::string::String;
pub use serde_core as serde;

/// Everything that the rows of generated tables are written with.
pub mod rows {
    pub use crate::protocol::{
        CodeKind, EdgeKind, Effect, Inspection, Join, NodeKind, Outcome, OutcomeSet, ResourceKind,
        Runner, Runtime, Severity, WorkingDirectory,
    };
    pub use crate::tables::{
        ActionRow, CallRow, CheckRow, CodeRow, DelegatedRow, EdgeRow, EntryRow, FileRow, GateRow,
        GraphRow, NONE, NodeRow, ProviderRow, ResourceClass, ResourceRow, Rows, SegmentRow,
        StepRow, Tables, Test, Text,
    };
}

/// A generated enumeration of names.
pub trait Name: Copy + 'static {
    /// Every variant.
    const ALL: &'static [Self];
    /// What a name is, for the error that a text is none.
    const EXPECTED: &'static str;

    /// The name as it is written in the definition.
    fn as_str(self) -> &'static str;
}

/// The name of an entry, `offset` rows after `first`.
pub fn entry_name(tables: &'static Tables<'static>, first: u32, offset: u16) -> &'static str {
    tables.text(tables.row(tables.entries, row(first, offset)).name)
}

/// The id of a node, `offset` rows after `first`.
pub fn node_id(tables: &'static Tables<'static>, first: u32, offset: u16) -> &'static str {
    tables.text(tables.row(tables.nodes, row(first, offset)).id)
}

/// The row `offset` rows after `first`.
fn row(first: u32, offset: u16) -> u32 {
    first.saturating_add(u32::from(offset))
}

/// The name at `index` of a list beside the tables.
pub fn listed_name(
    tables: &'static Tables<'static>,
    list: &'static [Text],
    index: u16,
) -> &'static str {
    let text = list.get(usize::from(index)).copied();
    tables.text(text.unwrap_or(Text::NONE))
}

/// The variant with this name.
pub fn parse<N: Name>(text: &str) -> Result<N, UnknownName> {
    N::ALL
        .iter()
        .copied()
        .find(|name| name.as_str() == text)
        .ok_or(UnknownName {
            expected: N::EXPECTED,
        })
}

/// Reads a name from its text.
pub fn deserialize<'de, N: Name, D: serde_core::Deserializer<'de>>(
    deserializer: D,
) -> Result<N, D::Error> {
    struct Names<N>(PhantomData<N>);

    impl<N: Name> serde_core::de::Visitor<'_> for Names<N> {
        type Value = N;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(N::EXPECTED)
        }

        fn visit_str<E: serde_core::de::Error>(self, text: &str) -> Result<N, E> {
            parse(text).map_err(|_| E::invalid_value(serde_core::de::Unexpected::Str(text), &self))
        }
    }

    deserializer.deserialize_str(Names(PhantomData))
}

/// Evaluates a provider that is compiled in, from the entry `offset` rows after `first`.
pub fn evaluate<G: Graph>(
    provider: Provider,
    first: u32,
    offset: u16,
    state: &State,
) -> Evaluation<G> {
    evaluator::evaluate_at(&provider, row(first, offset), state)
}

/// Evaluates the provider that is served in place of `compiled`, from the entry `offset` rows after `first` of
/// that one. Where it cannot be served the evaluation has no answer and says why.
pub fn evaluate_served<G: Graph>(
    served: Result<Provider, Error>,
    compiled: &Provider,
    first: u32,
    offset: u16,
    state: &State,
) -> Evaluation<G> {
    let tables = compiled.tables();
    let entry = row(first, offset);
    let name = tables.text(tables.row(tables.entries, entry).name);
    let evaluation = served.and_then(|served| served.evaluate(G::ID, name, state));
    match evaluation {
        Ok(evaluation) => evaluation.assume_typed(),
        Err(error) => evaluator::refused(compiled, entry, state, error),
    }
}

/// The impls that make an enumeration of names feel like one of the protocol's.
#[doc(hidden)]
#[macro_export]
macro_rules! __impl_name {
    ($name:ident) => {
        impl ::core::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(self, f)
            }
        }

        impl ::core::fmt::Display for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad($crate::generated::Name::as_str(*self))
            }
        }

        impl ::core::str::FromStr for $name {
            type Err = $crate::protocol::UnknownName;

            fn from_str(text: &str) -> ::core::result::Result<Self, Self::Err> {
                $crate::generated::parse(text)
            }
        }

        impl ::core::convert::From<$name> for $crate::generated::String {
            fn from(name: $name) -> Self {
                <Self as ::core::convert::From<&str>>::from($crate::generated::Name::as_str(name))
            }
        }

        impl $crate::generated::serde::Serialize for $name {
            fn serialize<S: $crate::generated::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                serializer.serialize_str($crate::generated::Name::as_str(*self))
            }
        }

        impl<'de> $crate::generated::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::generated::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                $crate::generated::deserialize(deserializer)
            }
        }
    };
}

/// Refuses code that was generated for another table format. A macro, so that this is the first thing
/// the compiler says, before it comes to rows whose fields it does not know.
#[doc(hidden)]
#[macro_export]
macro_rules! __table_format {
    (1, $generator:literal) => {};
    ($format:literal, $generator:literal) => {
        ::core::compile_error!(::core::concat!(
            "this code was generated by ",
            $generator,
            " for table format ",
            $format,
            ", but the agent-graph-runtime it is compiled with reads table format 1: use the same \
             version of agent-graph-runtime, agent-graph-build and agent-graph-macros"
        ));
    };
}

/// Includes the module that a build script generated with `agent_graph_build::Builder`.
///
/// ```text
/// // build.rs: agent_graph_build::Builder::new("workflow/provider.yaml").module("release").emit();
/// agent_graph_runtime::include_generated!(release);
/// ```
#[macro_export]
macro_rules! include_generated {
    ($module:ident) => {
        ::core::include!(::core::concat!(
            ::core::env!(
                "OUT_DIR",
                "include_generated! needs a build script that calls agent_graph_build::Builder"
            ),
            "/",
            ::core::stringify!($module),
            ".rs"
        ));
    };
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_table_format_that_is_accepted_is_that_of_the_tables() {
        crate::__table_format!(1, "agent-graph-build");
        assert_eq!(crate::tables::TABLE_FORMAT, 1);
    }
}
