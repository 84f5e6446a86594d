//! The package that uses a macro: whether it has what generated code needs.

use std::fs;
use std::path::Path;

/// What is said where the runtime is missing: once, in place of an error for each of its names.
pub(crate) const RUNTIME_MISSING: &str = "the package does not depend on `agent-graph-runtime`, which the \
    generated module is made of: add it to `[dependencies]` of Cargo.toml, or say with `crate = path` where \
    it is";

/// Whether the manifest of the package does not even mention the runtime. A manifest that cannot be read, as
/// without cargo, mentions everything.
pub(crate) fn lacks_runtime(package: &Path) -> bool {
    let Ok(manifest) = fs::read_to_string(package.join("Cargo.toml")) else {
        return false;
    };
    let names = ["agent-graph-runtime", "agent_graph_runtime"];
    !names.iter().any(|name| manifest.contains(name))
}
