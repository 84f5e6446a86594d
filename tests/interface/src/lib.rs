//! What a crate offers, as text: its public items without bodies and documentation, at the paths by which they are
//! reached. Read from the source with a stable compiler, so a macro stands for what it makes. Moving an item between
//! private modules changes nothing here; renaming, removing and changing it does.

mod files;
mod outline;
mod strip;

use std::path::Path;

/// The interface of the crate whose first file this is.
///
/// # Errors
/// When a file of it cannot be read, or is not Rust.
pub fn interface(first_file: &Path) -> Result<String, String> {
    let root = files::read(first_file)?;
    Ok(prettyplease::unparse(&outline::outline(&root)))
}
