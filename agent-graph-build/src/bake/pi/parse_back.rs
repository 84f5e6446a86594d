//! Reads generated source back into the tables of a pi-graph: the proof that printing loses nothing. For
//! tests.

use agent_graph_runtime::pi::tables::OwnedTables;

use super::super::parse_back::Pools;

/// The tables that the source of a generated module holds.
///
/// # Errors
///
/// When the source is not what [`super::super::Baked::to_source`] writes.
pub fn tables(source: &str) -> Result<OwnedTables, String> {
    let file = syn::parse_file(source).map_err(|error| error.to_string())?;
    let pools = Pools::of(&file)?;
    Ok(OwnedTables {
        text: pools.text()?,
        graph: pools.head("graph")?,
        nodes: pools.rows("NODES")?,
        agents: pools.rows("AGENTS")?,
        humans: pools.rows("HUMANS")?,
        assignments: pools.rows("ASSIGNMENTS")?,
        edges: pools.rows("EDGES")?,
        routes: pools.rows("ROUTES")?,
        cases: pools.rows("CASES")?,
        conditions: pools.rows("CONDITIONS")?,
        paths: pools.rows("PATHS")?,
        segments: pools.rows("SEGMENTS")?,
        reducers: pools.rows("REDUCERS")?,
        path_limits: pools.rows("PATH_LIMITS")?,
        channels: pools.rows("CHANNELS")?,
        texts: pools.rows("TEXTS")?,
        lists: pools.rows("LISTS")?,
    })
}
