//! From a manifest to a module: the one function that the macro and the build script both call, with
//! the very loader that the runtime has. Knows the order of the work, and which files shaped the result.

use std::path::{Path, PathBuf};

use agent_graph_runtime::load;
use agent_graph_runtime::{Finding, Findings};
use proc_macro2::TokenStream;
use quote::quote;

use crate::bake::{self, Baked};
use crate::settings::Settings;

/// A provider as a module.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// The module.
    pub baked: Baked,
    /// What deserves a look.
    pub warnings: Vec<Finding>,
    /// Folder of the manifest.
    pub root: PathBuf,
    /// Every file that shaped the module, sorted.
    pub watched: Vec<PathBuf>,
    /// Every directory whose list of files did.
    pub watched_directories: Vec<PathBuf>,
}

/// Loads the provider with this manifest and prints it as a module.
///
/// # Errors
///
/// All that is wrong with the definition, or with the names its ids would get.
pub fn expand(manifest: &Path, settings: &Settings) -> Result<Expansion, Findings> {
    let loaded = load::load_with(manifest, settings.load)?;
    Ok(Expansion {
        baked: bake::module(&loaded.tables.as_tables(), settings)?,
        warnings: loaded.findings,
        root: loaded.root,
        watched: loaded.watched,
        watched_directories: loaded.watched_directories,
    })
}

impl Expansion {
    /// Items that make the compiler watch the files: each is included once more, as bytes because not
    /// all are text, and by a path that holds no directory of this machine. `folder` is the folder of
    /// the manifest, relative to the package, as the author wrote it.
    pub fn tracked(&self, folder: &str) -> TokenStream {
        self.watched
            .iter()
            .filter_map(|file| relative(file, &self.root))
            .map(|file| {
                let path = format!("/{}", join(folder, &file));
                quote! {
                    const _: &[u8] = ::core::include_bytes!(::core::concat!(
                        ::core::env!("CARGO_MANIFEST_DIR"),
                        #path
                    ));
                }
            })
            .collect()
    }
}

/// The folder of a path with forward slashes; empty when the path is a file name only.
pub fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// `folder/file`, or the file alone when the folder is empty.
pub(crate) fn join(folder: &str, file: &str) -> String {
    if folder.is_empty() {
        file.to_owned()
    } else {
        format!("{folder}/{file}")
    }
}

/// The path of `file` below `root` with forward slashes.
fn relative(file: &Path, root: &Path) -> Option<String> {
    let parts: Option<Vec<&str>> = file
        .strip_prefix(root)
        .ok()?
        .components()
        .map(|part| part.as_os_str().to_str())
        .collect();
    Some(parts?.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expansion(watched: &[&str]) -> Expansion {
        let tables = agent_graph_runtime::tables::OwnedTables::default();
        let settings = Settings::new(crate::names::identifier("release"));
        Expansion {
            baked: bake::module(&tables.as_tables(), &settings).unwrap(),
            warnings: Vec::new(),
            root: PathBuf::from("/package/flow"),
            watched: watched.iter().map(PathBuf::from).collect(),
            watched_directories: Vec::new(),
        }
    }

    #[test]
    fn files_are_tracked_relative_to_the_package() {
        let tracked = expansion(&["/package/flow/a.yaml", "/package/flow/b/c.md"]).tracked("flow");
        assert_eq!(
            tracked.to_string(),
            quote! {
                const _: &[u8] = ::core::include_bytes!(::core::concat!(
                    ::core::env!("CARGO_MANIFEST_DIR"),
                    "/flow/a.yaml"
                ));
                const _: &[u8] = ::core::include_bytes!(::core::concat!(
                    ::core::env!("CARGO_MANIFEST_DIR"),
                    "/flow/b/c.md"
                ));
            }
            .to_string()
        );
    }

    #[test]
    fn a_manifest_beside_the_package_has_no_folder() {
        assert_eq!(folder_of("provider.yaml"), "");
        assert_eq!(folder_of("../a/provider.yaml"), "../a");
        let tracked = expansion(&["/package/flow/a.yaml"]).tracked("");
        assert!(tracked.to_string().contains("\"/a.yaml\""));
    }

    #[test]
    fn no_directory_of_the_machine_is_named() {
        let tracked = expansion(&["/elsewhere/a.yaml", "/package/flow/b.yaml"]).tracked("flow");
        let tracked = tracked.to_string();
        assert!(!tracked.contains("elsewhere") && !tracked.contains("/package"));
    }
}
