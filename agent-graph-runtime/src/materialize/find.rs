//! Finding a resource by what a host calls it. Knows the tables.

use alloc::format;
use alloc::string::String;
use std::path::{Component, Path};

use crate::code::Code;
use crate::error::Error;
use crate::paths::normalized;
use crate::tables::{ResourceRow, Tables};

/// The resource with this id, or else the one that the file at this path defines.
pub(super) fn resource<'t>(tables: &Tables<'t>, query: &str) -> Result<&'t ResourceRow, Error> {
    let with_id = |row: &&ResourceRow| tables.text(row.id) == query;
    if let Some(row) = tables.resources.iter().find(with_id) {
        return Ok(row);
    }
    let path = relative(query)?;
    let with_path = |row: &&ResourceRow| tables.file_path(row.file) == path;
    tables.resources.iter().find(with_path).ok_or_else(|| {
        let message = format!("the provider has no resource `{query}`");
        Error::new(Code::ResourceMissing, message)
    })
}

/// The path relative to the manifest, normalized by its text alone.
fn relative(query: &str) -> Result<String, Error> {
    let refuse = |code, problem: &str| Err(Error::new(code, format!("`{query}` {problem}")));
    let path = Path::new(query);
    if matches!(
        path.components().next(),
        Some(Component::Prefix(_) | Component::RootDir)
    ) {
        return refuse(Code::AbsolutePathForbidden, "is an absolute path");
    }
    let root = Path::new("/provider");
    let normalized = normalized(&root.join(path));
    match normalized.strip_prefix(root).ok().and_then(Path::to_str) {
        Some(relative) => Ok(relative.into()),
        None => refuse(Code::PathOutsideProvider, "leads out of the provider"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_normalized_and_stay_inside() {
        for (query, expected) in [
            ("./a//b.yaml", "a/b.yaml"),
            ("a/../b.yaml", "b.yaml"),
            ("a/..", ""),
            ("..a/b", "..a/b"),
        ] {
            assert_eq!(relative(query).as_deref(), Ok(expected));
        }
        for (query, expected) in [
            ("/a", Code::AbsolutePathForbidden),
            ("../a", Code::PathOutsideProvider),
            ("a/../../provider2/b", Code::PathOutsideProvider),
            ("..", Code::PathOutsideProvider),
        ] {
            assert_eq!(relative(query).unwrap_err().code(), expected, "{query}");
        }
    }
}
