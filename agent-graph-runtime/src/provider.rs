//! A provider as hosts hold it: one type for compiled-in and loaded ones. Knows the tables; evaluation is
//! done elsewhere.

use alloc::sync::Arc;
use core::fmt;

use crate::code::Code;
use crate::error::Error;
use crate::evaluation::Evaluation;
use crate::evaluator;
use crate::state::State;
use crate::tables::{OwnedTables, Tables};
use crate::typed::Untyped;

/// A provider: compiled in, or loaded at run time. Cheap to clone, without a lifetime, and
/// `Send + Sync`, so that both kinds sit side by side in a host.
///
/// Evaluating reads nothing but the tables and the state: no file, clock, environment or directory.
#[derive(Clone)]
pub struct Provider(Source);

#[derive(Clone)]
enum Source {
    Static(&'static Tables<'static>),
    Owned(Arc<OwnedTables>),
}

impl Provider {
    /// A provider whose tables are compiled in. Called by generated code.
    #[doc(hidden)]
    pub const fn __from_static(tables: &'static Tables<'static>) -> Self {
        Self(Source::Static(tables))
    }

    /// A provider whose tables were made at run time.
    #[doc(hidden)]
    pub fn from_tables(tables: OwnedTables) -> Self {
        Self(Source::Owned(Arc::new(tables)))
    }

    /// The tables.
    #[doc(hidden)]
    pub fn tables(&self) -> Tables<'_> {
        match &self.0 {
            Source::Static(tables) => **tables,
            Source::Owned(tables) => tables.as_tables(),
        }
    }

    /// Loads a provider that is only known at run time; `manifest` is the provider manifest.
    ///
    /// # Errors
    ///
    /// Every finding of the pass that failed; [`Findings::code`](crate::Findings::code) is the code of
    /// the first one in the order of spec 3.3.
    #[cfg(feature = "dynamic")]
    pub fn load(manifest: impl AsRef<std::path::Path>) -> Result<Self, crate::finding::Findings> {
        crate::load::load(manifest.as_ref()).map(|loaded| Self::from_tables(loaded.tables))
    }

    /// The id of the provider.
    pub fn id(&self) -> &str {
        let tables = self.tables();
        tables.text(tables.provider.id)
    }

    /// The provider's own version.
    pub fn version(&self) -> &str {
        let tables = self.tables();
        tables.text(tables.provider.version)
    }

    /// The display name, if the manifest gives one.
    pub fn name(&self) -> Option<&str> {
        let tables = self.tables();
        tables.text_or_none(tables.provider.name)
    }

    /// The ids of the graphs in manifest order.
    pub fn graphs(&self) -> impl Iterator<Item = &str> {
        let tables = self.tables();
        tables.graphs.iter().map(move |graph| tables.text(graph.id))
    }

    /// The entry names of a graph in authored order; none if there is no such graph.
    pub fn entries(&self, graph: &str) -> impl Iterator<Item = &str> {
        let tables = self.tables();
        let entries = tables.graph(graph).map_or(&[][..], |graph| {
            tables.rows(tables.entries, tables.row(tables.graphs, graph).entries)
        });
        entries.iter().map(move |entry| tables.text(entry.name))
    }

    /// The digest of a graph's dependency closure (spec 2.4), which every revision covers.
    pub fn graph_digest(&self, graph: &str) -> Option<crate::Digest> {
        let tables = self.tables();
        let graph = tables.graph(graph)?;
        Some(crate::Digest::from_bytes(
            tables.row(tables.graphs, graph).digest,
        ))
    }

    /// The digest of the manifest and all reachable files (spec 2.7).
    pub fn digest(&self) -> crate::Digest {
        crate::Digest::from_bytes(self.tables().provider.digest)
    }

    /// Evaluates `entry` of `graph` (spec section 4). An unknown entry is no error but an evaluation
    /// with status `error`.
    ///
    /// # Errors
    ///
    /// [`Code::GraphMissing`] when the provider has no such graph.
    pub fn evaluate(
        &self,
        graph: &str,
        entry: &str,
        state: &State,
    ) -> Result<Evaluation<Untyped>, Error> {
        let graph = self.graph_index(graph)?;
        Ok(evaluator::evaluate_owned(self, graph, entry, state))
    }

    pub(crate) fn graph_index(&self, graph: &str) -> Result<u32, Error> {
        self.tables().graph(graph).ok_or_else(|| {
            let message = alloc::format!("provider `{}` has no graph `{graph}`", self.id());
            Error::new(Code::GraphMissing, message)
        })
    }
}

impl fmt::Debug for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Provider")
            .field("id", &self.id())
            .field("version", &self.version())
            .finish()
    }
}
