//! Providers that are small enough for every state to be tried, and the trying: the rules of evaluation
//! once more, written down with what a frame reached. Shares no line with the crates under test.

#![allow(dead_code, reason = "each suite uses a part")]

pub(crate) mod draw;
pub(crate) mod states;
pub(crate) mod walk;

use std::path::Path;

use agent_graph_runtime::load::{Loaded, load};
use agent_graph_tests::{model, sources, written};

/// Writes a provider below the scratch folder of the suites and loads it.
pub(crate) fn loaded(folder: &str, seed: u64, provider: &model::Provider) -> Loaded {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(folder)
        .join(seed.to_string());
    sources::write_files(&folder, &written::files(provider))
        .expect("the scratch folder takes files");
    load(&folder.join(written::MANIFEST)).unwrap_or_else(|findings| panic!("{seed}: {findings}"))
}
