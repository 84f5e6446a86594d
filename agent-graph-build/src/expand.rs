//! From a manifest to a module: the one function that the macro and the build script both call, with
//! the very loader that the runtime has. Knows the order of the work, and which files shaped the result.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use agent_graph_runtime::load::{self, Loaded};
use agent_graph_runtime::ordered::Set;
use agent_graph_runtime::{Code, Digest, Finding, Findings, Level, Place, SourceTexts};
use proc_macro2::TokenStream;
use quote::quote;

use crate::bake::{self, Baked};
use crate::bundle::Bundle;
use crate::lint::{self, lint_while_building};
use crate::settings::{Settings, Skill};

/// A provider as a module.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// The module.
    pub baked: Baked,
    /// What deserves a look.
    pub warnings: Vec<Finding>,
    /// The texts that those point into.
    pub texts: SourceTexts,
    /// Folder of the manifest.
    pub root: PathBuf,
    /// Every file that shaped the module: those of the provider, sorted, then the skills.
    pub watched: Vec<PathBuf>,
    /// Every directory whose list of files did.
    pub watched_directories: Vec<PathBuf>,
    /// The skills that are bound to the provider, relative to the package.
    pub(crate) skills: Vec<String>,
}

/// Loads the provider with this manifest, checks the skills that are bound to it, and prints it as a
/// module.
///
/// # Errors
///
/// All that is wrong with the definition, with the skills, or with the names its ids would get; what lints
/// find that are denied.
pub fn expand(manifest: &Path, settings: &Settings) -> Result<Expansion, Findings> {
    let mut loaded = load::load_with(manifest, settings.load)?;
    if let Some(pinned) = settings.digest {
        check_digest(&loaded, pinned)?;
    }
    check_skills(manifest, &loaded, &settings.skills)?;
    (loaded.findings, loaded.texts) = linted(&loaded, settings)?;
    let skills = settings.skills.iter();
    let skill_files = skills.clone().map(|skill| skill.file.clone());
    Ok(Expansion {
        baked: bake::module(&loaded.tables.as_tables(), settings)?,
        warnings: loaded.findings,
        texts: loaded.texts,
        root: loaded.root,
        watched: loaded.watched.into_iter().chain(skill_files).collect(),
        watched_directories: loaded.watched_directories,
        skills: skills.map(|skill| skill.path.clone()).collect(),
    })
}

/// The findings of the loader and those of lints that warn, or all of them if one is denied.
fn linted(loaded: &Loaded, settings: &Settings) -> Result<(Vec<Finding>, SourceTexts), Findings> {
    let found = lint_while_building(loaded, &settings.lints);
    let left_out = (found.left_out > 0).then(|| {
        let place = Place::start_of(loaded.manifest.as_str().into());
        Finding::left_out(place, "", found.left_out)
    });
    let found = found.findings.into_iter().map(|found| found.finding);
    let found = loaded.findings.iter().cloned().chain(found);
    let mut findings: Vec<Finding> = found.chain(left_out).collect();
    let texts = lint::texts(loaded, &findings);
    let denied = findings.iter().position(|own| own.level == Level::Error);
    match denied {
        Some(denied) => {
            let denied = findings.remove(denied);
            Err(Findings::new(denied, findings).with_texts(texts))
        }
        None => Ok((findings, texts)),
    }
}

/// Whether the provider is the one that a digest was pinned for.
fn check_digest(loaded: &Loaded, pinned: Digest) -> Result<(), Findings> {
    let actual = match loaded.bundle_digest {
        Some(digest) => digest,
        None => Bundle::of(loaded)?.digest(),
    };
    let place = Place::start_of(loaded.manifest.as_str().into());
    check_pin(actual, pinned, place)
}

/// Whether the digest of what is in this file is the one that was pinned.
pub(crate) fn check_pin(actual: Digest, pinned: Digest, place: Place) -> Result<(), Findings> {
    if actual == pinned {
        return Ok(());
    }
    let message = format!("the digest is \"{actual}\", not the pinned one");
    let hint = format!("if the change is meant, pin \"{actual}\"");
    Err(Finding::error(Code::DigestPinMismatch, place, message)
        .with_hint(hint)
        .into())
}

/// Whether every skill is bound to a graph and an entry of the provider.
fn check_skills(manifest: &Path, loaded: &Loaded, skills: &[Skill]) -> Result<(), Findings> {
    let mut problems = Vec::new();
    let mut texts = SourceTexts::new();
    for skill in skills {
        if let Err(findings) = load::check_binding(&skill.file, manifest, loaded) {
            let findings = findings.with_files(|file| named(file, &skill.file, &loaded.root));
            problems.extend(findings.list().iter().cloned());
            texts.add_all(findings.texts().clone());
        }
    }
    let mut problems = problems.into_iter();
    match problems.next() {
        Some(first) => Err(Findings::new(first, problems).with_texts(texts)),
        None => Ok(()),
    }
}

/// The skill named as other files are: from the folder of the manifest.
fn named(file: &str, skill: &Path, root: &Path) -> Arc<str> {
    let way = (skill.to_str() == Some(file)).then(|| way(root, skill));
    way.flatten().map_or_else(|| file.into(), Arc::from)
}

/// The way from a folder to a file, with forward slashes. Both are absolute.
fn way(folder: &Path, file: &Path) -> Option<String> {
    let shared = folder
        .ancestors()
        .find(|above| file.strip_prefix(above).is_ok())?;
    let steps = folder.strip_prefix(shared).ok()?.components().count();
    Some("../".repeat(steps) + &relative(file, shared)?)
}

impl Expansion {
    /// Items that make the compiler watch the files: each is included once more, as bytes because not
    /// all are text, and by a path that holds no directory of this machine. `folder` is the folder of
    /// the manifest, relative to the package, as the author wrote it.
    pub fn tracked(&self, folder: &str) -> TokenStream {
        let files = self.watched.iter();
        let files = files.filter_map(|file| relative(file, &self.root));
        let mut paths: Set<String> = files.map(|file| join(folder, &file)).collect();
        paths.extend(self.skills.iter().cloned());
        paths
            .into_iter()
            .map(|path| {
                let bytes = included("CARGO_MANIFEST_DIR", &path);
                quote!(const _: &[u8] = #bytes;)
            })
            .collect()
    }
}

/// The bytes of a file, by a path that holds no directory of this machine: that of a folder which cargo
/// tells the compiler, then the way from there.
pub(crate) fn included(variable: &str, path: &str) -> TokenStream {
    let path = format!("/{path}");
    quote! {
        ::core::include_bytes!(::core::concat!(::core::env!(#variable), #path))
    }
}

/// The folder of a path with forward slashes; empty when the path is a file name only.
pub fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// `folder/file`, or the file alone when the folder is empty. Steps up at the beginning of `file` lead out of
/// the folder.
pub(crate) fn join(folder: &str, file: &str) -> String {
    if folder.is_empty() {
        return file.to_owned();
    }
    match file.strip_prefix("../") {
        Some(above) => join(folder_of(folder), above),
        None => format!("{folder}/{file}"),
    }
}

/// The path of `file` below `root` with forward slashes.
pub(crate) fn relative(file: &Path, root: &Path) -> Option<String> {
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
            texts: SourceTexts::new(),
            root: PathBuf::from("/package/flow"),
            watched: watched.iter().map(PathBuf::from).collect(),
            watched_directories: Vec::new(),
            skills: Vec::new(),
        }
    }

    #[test]
    fn skills_are_named_from_the_folder_of_the_manifest() {
        let file = Path::new("/package/flow/skills/a.md");
        for (folder, expected) in [
            ("flow", "skills/a.md"),
            ("flows", "../flow/skills/a.md"),
            ("flow/a/b", "../../skills/a.md"),
            ("", "flow/skills/a.md"),
        ] {
            let found = way(&Path::new("/package").join(folder), file);
            assert_eq!(found.as_deref(), Some(expected));
            // Messages name it from the folder of the package.
            assert_eq!(join(folder, expected), "flow/skills/a.md");
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
