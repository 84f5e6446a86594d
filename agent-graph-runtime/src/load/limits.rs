//! The ceilings of loading, all in one place. Reaching one is `input-limit`, never a crash or a wait.
//! Knows nothing about who counts.

/// Bytes of one definition file; of a text with frontmatter, the bytes of the header.
pub const DOCUMENT_BYTES: usize = 4 << 20;

/// How deeply sequences and mappings nest in one document, aliases expanded.
pub const DOCUMENT_DEPTH: u32 = crate::json::DEPTH_LIMIT;

/// Values and member names of one document, aliases expanded.
pub const DOCUMENT_NODES: usize = 250_000;

/// Bytes of a run in JSON.
#[cfg(feature = "runs")]
pub const RUN_BYTES: usize = 64 << 20;

/// Values and member names of a run in JSON.
#[cfg(feature = "runs")]
pub const RUN_NODES: usize = 4_000_000;

/// How often an anchored YAML value may occur, its anchor included. A value that contains aliases
/// counts with the product: this is how alias bombs are told from honest reuse.
pub const ALIAS_COUNT: u64 = 100;

/// Characters of a YAML key that is not marked with `?`.
pub const KEY_CHARACTERS: usize = 1024;

/// Repeated names that one document warns about; further ones are not listed.
pub const DUPLICATE_KEY_WARNINGS: usize = 100;

/// Files of one provider that are read.
pub const PROVIDER_FILES: usize = 20_000;

/// Bytes of all files of one provider that are read.
pub const PROVIDER_BYTES: u64 = 256 << 20;

/// How deeply directories nest below the directory of a skill.
pub const DIRECTORY_DEPTH: usize = 64;

/// Files and nodes that graphs reach, counted for each graph by itself: what is hashed.
pub const CLOSURE_ENTRIES: usize = 10_000_000;

/// Nodes of one provider.
pub const PROVIDER_GRAPH_NODES: usize = 65_535;
