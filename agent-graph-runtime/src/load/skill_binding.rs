//! Skills that are bound to a graph (spec 1.14, 3.9): the binding in the frontmatter of a `SKILL.md`, and
//! the provider, graph and entry it leads to. Knows nothing about what the skill says.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use std::path::{Path, PathBuf};

use super::document::{Kind, Node};
use super::nearest::did_you_mean;
use super::provider::{LoadOptions, Loaded, load, load_watched};
use super::registry::{Reading, Registry, document_keeping, folder_of};
use crate::paths::{self, normalized};
use crate::tables::Tables;
use crate::wire::wire_struct;
use crate::{Code, Finding, Findings, Place, SourceTexts, Step};

/// What a skill says about the graph it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkillBinding {
    /// Where the provider is: `path:` and a way from the folder of the skill, or `provider:` and an id.
    pub locator: String,
    /// Id of the graph.
    pub graph: String,
    /// Name of the entry.
    pub entry: String,
    places: BindingPlaces,
}

/// Where the parts of a binding stand.
#[derive(Clone, Debug, PartialEq, Eq)]
struct BindingPlaces {
    locator: Place,
    graph: Place,
    entry: Place,
}

/// A skill binding that leads somewhere. It serializes to `agent-graph.skill-binding.v1`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ResolvedSkillBinding {
    /// Absolute path of the skill.
    pub skill_path: String,
    /// The locator as written.
    pub locator: String,
    /// Id of the graph.
    pub graph: String,
    /// Name of the entry.
    pub entry: String,
    /// Absolute path of the manifest.
    pub manifest_path: String,
    /// Id of the provider.
    pub provider: String,
}

wire_struct!(ResolvedSkillBinding "agent-graph.skill-binding.v1" {
    "skillPath": skill_path,
    "locator": locator,
    "graph": graph,
    "entry": entry,
    "manifestPath": manifest_path,
    "provider": provider,
});

/// A bound skill and its provider.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Bound {
    /// The binding.
    pub binding: ResolvedSkillBinding,
    /// The provider.
    pub provider: Loaded,
}

impl SkillBinding {
    /// Reads the binding of a skill file.
    ///
    /// # Errors
    /// `file-read-failed`, `frontmatter-missing`, `frontmatter-invalid`, `skill-binding-missing`.
    pub fn read(skill: impl AsRef<Path>) -> Result<Self, Finding> {
        Self::read_keeping(skill.as_ref(), &mut SourceTexts::new())
    }

    /// The same; the text of the skill is added to `texts`.
    fn read_keeping(skill: &Path, texts: &mut SourceTexts) -> Result<Self, Finding> {
        let document = document_keeping(skill, Reading::Frontmatter, texts)?;
        let header = document.root();
        let Some(metadata) = header.get("metadata") else {
            return Err(missing(header, "the frontmatter has no `metadata`"));
        };
        if metadata.kind() != Kind::Mapping {
            return Err(missing(metadata, "`metadata` has to be a mapping"));
        }
        let (locator, locator_place) = bound(metadata, "agent-graph")?;
        let (graph, graph_place) = bound(metadata, "agent-graph.graph")?;
        let (entry, entry_place) = bound(metadata, "agent-graph.entry")?;
        Ok(Self {
            locator,
            graph,
            entry,
            places: BindingPlaces {
                locator: locator_place,
                graph: graph_place,
                entry: entry_place,
            },
        })
    }

    /// The manifest that the locator leads to; `provider` says what a registered id stands for.
    fn manifest(
        &self,
        skill: &Path,
        provider: impl FnOnce(&str) -> Option<PathBuf>,
    ) -> Result<PathBuf, Finding> {
        let manifest = match self.located()? {
            Located::Path(path) => normalized(&folder_of(skill)?.join(path)),
            Located::Provider(id) => provider(id).ok_or_else(|| {
                let message = format!("no provider `{id}` is registered");
                self.refuse(Code::ProviderUnresolved, message)
            })?,
        };
        if manifest.is_file() {
            return Ok(manifest);
        }
        let message = format!("the manifest {} is no file", manifest.display());
        Err(self.refuse(Code::FileMissing, message))
    }

    fn located(&self) -> Result<Located<'_>, Finding> {
        if let Some(id) = self.locator.strip_prefix("provider:") {
            return Ok(Located::Provider(id));
        }
        match self.locator.strip_prefix("path:") {
            Some("") => Err(self.refuse(Code::SkillLocatorInvalid, "the locator has no path")),
            Some(path) if is_absolute(path) => {
                let message = format!("the locator has the absolute path `{path}`");
                Err(self.refuse(Code::SkillLocatorAbsolute, message))
            }
            Some(path) => Ok(Located::Path(path)),
            None => {
                let message = "the locator has to begin with `path:` or `provider:`";
                Err(self.refuse(Code::SkillLocatorInvalid, message))
            }
        }
    }

    /// Whether the provider is the one that is meant, and has the graph and the entry.
    fn check(&self, tables: &Tables<'_>) -> Result<(), Finding> {
        let id = tables.text(tables.provider.id);
        if let Located::Provider(meant) = self.located()?
            && meant != id
        {
            let message = format!("the provider found is `{id}`, not `{meant}`");
            return Err(self.refuse(Code::ProviderIdMismatch, message));
        }
        let Some(graph) = tables.graph(&self.graph) else {
            let message = format!("provider `{id}` has no graph `{}`", self.graph);
            let known = tables.graphs.iter().map(|row| tables.text(row.id));
            let place = self.places.graph.clone();
            let finding = Finding::error(Code::SkillGraphMissing, place, message);
            return Err(with_hint(finding, did_you_mean(&self.graph, known)));
        };
        if tables.entry(graph, &self.entry).is_none() {
            let message = format!("graph `{}` has no entry `{}`", self.graph, self.entry);
            let entries = tables.rows(tables.entries, tables.row(tables.graphs, graph).entries);
            let known = entries.iter().map(|row| tables.text(row.name));
            let place = self.places.entry.clone();
            let finding = Finding::error(Code::SkillEntryMissing, place, message);
            return Err(with_hint(finding, did_you_mean(&self.entry, known)));
        }
        Ok(())
    }

    fn refuse(&self, code: Code, message: impl Into<String>) -> Finding {
        Finding::error(code, self.places.locator.clone(), message)
    }
}

/// Where a locator leads.
enum Located<'l> {
    Path(&'l str),
    Provider(&'l str),
}

/// Resolves the binding of a skill with the providers of a registry.
///
/// # Errors
/// Those of [`SkillBinding::read`]; then, in this order, `skill-locator-invalid`,
/// `skill-locator-absolute`, `provider-unresolved`, `file-missing`, those of loading the provider,
/// `provider-id-mismatch`, `skill-graph-missing`, `skill-entry-missing`.
pub fn bind(skill: impl AsRef<Path>, registry: &Registry) -> Result<Bound, Findings> {
    bind_with(skill, |id| registry.manifest(id).map(Path::to_owned))
}

/// Resolves the binding of a skill; `provider` gives the manifest of a provider by its id.
///
/// # Errors
/// Those of [`bind`].
pub fn bind_with(
    skill: impl AsRef<Path>,
    provider: impl FnOnce(&str) -> Option<PathBuf>,
) -> Result<Bound, Findings> {
    bind_watched(skill, provider, &mut |_| ())
}

/// The same, and tells `watch` how far it is.
///
/// # Errors
/// Those of [`bind`].
pub fn bind_watched(
    skill: impl AsRef<Path>,
    provider: impl FnOnce(&str) -> Option<PathBuf>,
    watch: &mut dyn FnMut(Step<'_>),
) -> Result<Bound, Findings> {
    let mut texts = SourceTexts::new();
    bind_keeping(skill.as_ref(), provider, &mut texts, watch)
        .map_err(|findings| findings.with_texts(texts))
}

fn bind_keeping(
    skill: &Path,
    provider: impl FnOnce(&str) -> Option<PathBuf>,
    texts: &mut SourceTexts,
    watch: &mut dyn FnMut(Step<'_>),
) -> Result<Bound, Findings> {
    let binding = SkillBinding::read_keeping(skill, texts)?;
    let manifest = binding.manifest(skill, provider)?;
    let loaded = load_watched(&manifest, LoadOptions::new(), watch)?;
    let tables = loaded.tables.as_tables();
    binding.check(&tables)?;
    let resolved = ResolvedSkillBinding {
        skill_path: absolute_text(skill, &binding)?,
        manifest_path: absolute_text(&manifest, &binding)?,
        provider: tables.text(tables.provider.id).into(),
        locator: binding.locator,
        graph: binding.graph,
        entry: binding.entry,
    };
    Ok(Bound {
        binding: resolved,
        provider: loaded,
    })
}

/// Whether a skill is bound to this provider, which has been loaded from `manifest`: for hosts that compile
/// the provider in and ship the skill beside it.
///
/// # Errors
/// Those of [`bind`]; `provider-id-mismatch` also when a `path:` locator leads to another provider.
pub fn check_binding(
    skill: impl AsRef<Path>,
    manifest: impl AsRef<Path>,
    provider: &Loaded,
) -> Result<SkillBinding, Findings> {
    let mut texts = SourceTexts::new();
    check_keeping(skill.as_ref(), manifest.as_ref(), provider, &mut texts)
        .map_err(|findings| findings.with_texts(texts))
}

fn check_keeping(
    skill: &Path,
    manifest: &Path,
    provider: &Loaded,
    texts: &mut SourceTexts,
) -> Result<SkillBinding, Findings> {
    let binding = SkillBinding::read_keeping(skill, texts)?;
    let tables = provider.tables.as_tables();
    let own = tables.text(tables.provider.id);
    if let Located::Path(_) = binding.located()? {
        let found = binding.manifest(skill, |_| None)?;
        if !is_same_file(&found, manifest) {
            // Another manifest of the same provider, such as that of its bundle, is as good.
            let other = load(&found)?;
            let tables = other.tables.as_tables();
            let id = tables.text(tables.provider.id);
            if id != own {
                let message = format!("the locator leads to provider `{id}`, not to `{own}`");
                return Err(binding.refuse(Code::ProviderIdMismatch, message).into());
            }
        }
    }
    binding.check(&tables)?;
    Ok(binding)
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    match (std::fs::canonicalize(a), std::fs::canonicalize(b)) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

/// A part of the binding: text that is not blank, without the white space around it.
fn bound(metadata: Node<'_>, name: &str) -> Result<(String, Place), Finding> {
    let Some(value) = metadata.get(name) else {
        return Err(missing(metadata, &format!("`metadata` has no `{name}`")));
    };
    let text = value.as_str().map(|text| text.trim_matches(is_white_space));
    match text {
        Some(text) if !text.is_empty() => Ok((text.to_owned(), value.place())),
        _ => Err(missing(
            value,
            &format!("`{name}` has to be text that is not blank"),
        )),
    }
}

/// The white space that the reference trims.
fn is_white_space(c: char) -> bool {
    c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}')
}

fn missing(at: Node<'_>, problem: &str) -> Finding {
    let hint =
        "`metadata` needs the flat keys `agent-graph`, `agent-graph.graph` and `agent-graph.entry`";
    Finding::error(Code::SkillBindingMissing, at.place(), problem).with_hint(hint)
}

/// Absolute here or on Windows: a binding means the same everywhere.
fn is_absolute(path: &str) -> bool {
    let mut bytes = path.bytes();
    let drive = matches!(
        (bytes.next(), bytes.next(), bytes.next()),
        (Some(letter), Some(b':'), Some(b'/' | b'\\')) if letter.is_ascii_alphabetic()
    );
    drive || path.starts_with('/') || Path::new(path).is_absolute()
}

fn with_hint(finding: Finding, hint: Option<String>) -> Finding {
    match hint {
        Some(hint) => finding.with_hint(hint),
        None => finding,
    }
}

/// The path as text, absolute and normalized.
fn absolute_text(path: &Path, binding: &SkillBinding) -> Result<String, Finding> {
    let text = paths::absolute(path)
        .ok()
        .and_then(|path| path.into_os_string().into_string().ok());
    text.ok_or_else(|| {
        let message = format!("the path {} is not Unicode", path.display());
        binding.refuse(Code::FileNameInvalid, message)
    })
}
