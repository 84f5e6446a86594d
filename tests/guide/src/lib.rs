//! The guide and the README as tests. Each page is the documentation of a module here, so that its Rust blocks
//! are documentation tests of this package, whose folders hold the providers that the pages show. The tests in
//! `tests/` do the rest: files, links, commands. Knows the pages as text and nothing of what they say.

pub mod markdown;
pub mod shell;

use std::path::{Path, PathBuf};

macro_rules! pages {
    ( $( $name:ident = $path:literal, )+ ) => {
        /// Every page, relative to the workspace.
        pub const PAGES: &[&str] = &[ $( $path, )+ ];
        $(
            #[cfg(doctest)]
            #[doc = include_str!(concat!("../../../", $path))]
            pub mod $name {}
        )+
    };
}

pages! {
    readme = "README.md",
    contributing = "CONTRIBUTING.md",
    architecture = "docs/architecture.md",
    reliability = "docs/reliability.md",
    protocol = "docs/protocol.md",
    guide = "docs/guide/README.md",
    first_workflow = "docs/guide/first-workflow.md",
    facts = "docs/guide/facts.md",
    gates = "docs/guide/gates.md",
    resources = "docs/guide/resources.md",
    batches = "docs/guide/batches.md",
    bundles = "docs/guide/bundles.md",
    testing = "docs/guide/testing.md",
    dynamic = "docs/guide/dynamic.md",
    runs = "docs/guide/runs.md",
    pi_graph = "docs/guide/pi-graph.md",
    from_node = "docs/guide/from-node.md",
    troubleshooting = "docs/guide/troubleshooting.md",
}

/// The folder of the workspace.
pub fn workspace() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = package.ancestors().nth(2);
    folder.map(Path::to_path_buf).unwrap_or_default()
}

/// The text of a page.
///
/// # Panics
/// When there is no such page.
pub fn read(page: &str) -> String {
    let text = std::fs::read_to_string(workspace().join(page));
    text.unwrap_or_else(|error| panic!("{page}: {error}"))
        .replace("\r\n", "\n")
}

/// Whether files and pages are to be written anew instead of compared: `AGENT_GRAPH_BLESS=1`.
pub fn blesses() -> bool {
    std::env::var_os("AGENT_GRAPH_BLESS").is_some()
}
