//! A host that keeps its runs in a database instead of files: see `store.rs` for the whole of it.

mod store;

use std::error::Error;

use agent_graph_runtime::Outcome;
use agent_graph_runtime::runs::{NewRun, Runs};
use store::SqliteStore;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::temp_dir().join(format!("sqlite-runs-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let runs = Runs::new(SqliteStore::open(&folder.join("runs.db"))?);
    runs.create("monday", NewRun::new("shop", "release"))?;
    runs.record("monday", "release/inspect", Outcome::Completed, None)?;
    runs.checkpoint("monday", "monday-evening")?;
    let run = runs.resume("monday-evening", "tuesday")?;
    for event in run.events() {
        println!("{} {} {}", event.sequence(), event.at(), event.kind());
    }
    std::fs::remove_dir_all(folder)?;
    Ok(())
}
