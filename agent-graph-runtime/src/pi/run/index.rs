//! What a run looks up in its graph again and again, made once. Knows nothing about runs.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use crate::pi::condition::Condition;
use crate::pi::graph::{self, Graph};
use crate::pi::state_error::StateError;
use crate::pi::tables::Tables;
use crate::pi::words::Reducer;

/// The look-ups of a graph.
#[derive(Clone, Debug)]
pub(super) struct Index {
    ids: Vec<Arc<str>>,
    rows: BTreeMap<Arc<str>, u32>,
    reducers: BTreeMap<String, Reducer>,
    /// The barriers each node is a source of, in document order.
    barriers: Vec<Vec<u32>>,
    /// Conditions that were asked before, their patterns compiled.
    conditions: BTreeMap<u32, Condition>,
}

impl Index {
    pub(super) fn of(graph: &Graph) -> Self {
        let tables = graph.tables();
        let ids: Vec<Arc<str>> = graph.nodes().map(Arc::from).collect();
        let rows = ids.iter().cloned().zip(0..).collect();
        let reducers = tables.reducers.iter();
        let reducers = reducers.map(|row| (String::from(tables.text(row.path)), row.reducer));
        Self {
            barriers: barriers(&tables),
            // The first row of a path counts.
            reducers: reducers.rev().collect(),
            rows,
            ids,
            conditions: BTreeMap::new(),
        }
    }

    /// The id of a node by its row.
    pub(super) fn id(&self, row: u32) -> Option<&Arc<str>> {
        self.ids.get(row as usize)
    }

    /// The row of a node by its id.
    pub(super) fn row(&self, id: &str) -> Option<u32> {
        self.rows.get(id).copied()
    }

    pub(super) fn reducer(&self, written: &str) -> Option<Reducer> {
        self.reducers.get(written).copied()
    }

    /// The barriers that a node is a source of.
    pub(super) fn barriers(&self, row: u32) -> &[u32] {
        self.barriers.get(row as usize).map_or(&[], Vec::as_slice)
    }

    pub(super) fn condition(
        &mut self,
        tables: &Tables<'_>,
        row: u32,
    ) -> Result<&Condition, StateError> {
        use alloc::collections::btree_map::Entry;
        match self.conditions.entry(row) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(unknown) => Ok(unknown.insert(graph::condition(tables, row)?)),
        }
    }
}

fn barriers(tables: &Tables<'_>) -> Vec<Vec<u32>> {
    let mut barriers = vec![Vec::new(); tables.nodes.len()];
    for (edge, row) in (0..).zip(tables.edges) {
        let sources = tables.rows(tables.lists, row.from);
        if sources.len() < 2 {
            continue;
        }
        for &source in sources {
            if let Some(list) = barriers.get_mut(source as usize) {
                list.push(edge);
            }
        }
    }
    barriers
}
