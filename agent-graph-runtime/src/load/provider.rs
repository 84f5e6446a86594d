//! Loads a provider, check by check in the order of spec 3.3. Knows the order and what one step hands to
//! the next, nothing about the checks themselves.
//!
//! A step that fails does not stop the ones that do not build on it: all that can be found out in one
//! pass is reported together, and a mistake that follows from one already reported is not.

use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;
use std::path::{Path, PathBuf};

use super::actions::Actions;
use super::bundle::{self, Bundle};
use super::definition::{Catalog, Definition, Graph, Manifest, Placed, Reference};
use super::digests::{self, FileDigest};
use super::document::Document;
use super::files::Files;
use super::flatten::flatten;
use super::limits::PROVIDER_GRAPH_NODES;
use super::reach::reachable_files;
use super::references::Loading;
use super::report::Report;
use super::resources::Resources;
use super::shape::{self, Shape};
use super::sources::Sources;
use super::{calls, catalog, decode, graph, materializers, references, state_keys};
use crate::ordered::Map;
use crate::tables::OwnedTables;
use crate::{Code, Digest, Finding, Findings, Place, SourceTexts, Step};
use alloc::string::String;

/// A provider that has been loaded.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// What was authored.
    pub definition: Definition,
    /// The same in the form that is evaluated.
    pub tables: OwnedTables,
    /// The folder of the manifest, absolute.
    pub root: PathBuf,
    /// The digest of the bundle, if it was loaded from one.
    pub bundle_digest: Option<Digest>,
    /// The path of the provider manifest in that folder.
    pub manifest: String,
    /// What deserves a look though the provider loads, sorted by file and position.
    pub findings: Vec<Finding>,
    /// The texts that those findings point into.
    pub texts: SourceTexts,
    /// Every file that was read, absolute and sorted.
    pub watched: Vec<PathBuf>,
    /// The directories whose list of files matters, absolute and sorted: those of skills, where a file that
    /// appears belongs to the provider, and the folder of a bundle.
    pub watched_directories: Vec<PathBuf>,
}

/// Loads the provider of a manifest: a provider manifest, or the `manifest.json` of a built bundle.
///
/// ```no_run
/// use agent_graph_runtime::load::load;
/// match load("workflow/provider.yaml".as_ref()) {
///     Ok(loaded) => println!("{} graphs", loaded.definition.graphs.len()),
///     Err(findings) => eprintln!("{findings}"),
/// }
/// ```
///
/// # Errors
/// All that is wrong with it, as far as it can be found out in one pass. The code of the findings is that
/// of the error which the order of the checks puts first.
pub fn load(manifest: &Path) -> Result<Loaded, Findings> {
    load_with(manifest, LoadOptions::new())
}

/// How a provider is loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoadOptions {
    strict: bool,
}

impl LoadOptions {
    /// What [`load`] does.
    pub const fn new() -> Self {
        Self { strict: false }
    }

    /// Whether to refuse what is never meant and does no harm otherwise: a member that is written twice
    /// (`duplicate-key`), a file in the folder of a bundle that the bundle does not list
    /// (`file-unlisted`).
    #[must_use]
    pub const fn strict(self, strict: bool) -> Self {
        Self { strict }
    }

    /// Whether that is refused.
    pub const fn is_strict(self) -> bool {
        self.strict
    }
}

/// Like [`load`], with options.
///
/// # Errors
/// As [`load`].
pub fn load_with(manifest: &Path, options: LoadOptions) -> Result<Loaded, Findings> {
    load_watched(manifest, options, &mut |_| ())
}

/// Like [`load_with`], and tells `watch` how far it is.
///
/// # Errors
/// As [`load`].
pub fn load_watched(
    manifest: &Path,
    options: LoadOptions,
    watch: &mut dyn FnMut(Step<'_>),
) -> Result<Loaded, Findings> {
    let (files, path) = Files::of_manifest(manifest)?;
    let mut loader = Loader {
        sources: Sources::new(files),
        report: Report::new(options),
        actions: Actions::default(),
        resources: Resources::default(),
        bundle_digest: None,
        watch,
    };
    let file = loader.sources.know(&path);
    let loaded = loader.load(&file);
    loader.report.add_all(loader.sources.skipped_links());
    let concluded = loader.report.conclude();
    let texts = |findings: &[Finding]| SourceTexts::of(findings, |file| loader.sources.text(file));
    let findings = concluded.map_err(|findings| {
        let texts = texts(findings.list());
        findings.with_texts(texts)
    })?;
    // Whatever ends a load early reports an error, so findings have been given back above.
    let Some((definition, tables)) = loaded else {
        let place = Place::start_of(file);
        return Err(
            Finding::error(Code::SchemaInvalid, place, "the provider is incomplete").into(),
        );
    };
    Ok(Loaded {
        manifest: (&*definition.manifest.file).into(),
        definition,
        tables,
        bundle_digest: loader.bundle_digest,
        root: loader.sources.root().into(),
        texts: texts(&findings),
        findings,
        watched: loader.sources.watched(),
        watched_directories: loader.sources.watched_directories(),
    })
}

struct Loader<'w> {
    sources: Sources,
    report: Report,
    actions: Actions,
    resources: Resources,
    bundle_digest: Option<Digest>,
    /// Who is told how far it is.
    watch: &'w mut dyn FnMut(Step<'_>),
}

impl Loader<'_> {
    fn load(&mut self, file: &Arc<str>) -> Option<(Definition, OwnedTables)> {
        (self.watch)(Step::new("reading the manifest"));
        let (manifest, bundle) = self.manifest(file)?;
        let catalog = manifest.codes.as_ref().and_then(|path| self.catalog(path));
        let (mut graphs, complete) = self.graphs(&manifest);
        self.count_nodes(&manifest, &graphs);
        (self.watch)(Step::new("reading what graphs refer to"));
        references::follow(
            &mut graphs,
            complete,
            Loading {
                actions: &mut self.actions,
                resources: &mut self.resources,
                sources: &mut self.sources,
                report: &mut self.report,
            },
        );
        self.check_calls(&graphs);
        if let Some(catalog) = &catalog {
            self.report.add_all(catalog::reason_codes(catalog, &graphs));
        }
        materializers::follow(
            &mut self.resources,
            &mut self.actions,
            &mut self.sources,
            &mut self.report,
        );
        if self.report.has_errors() {
            return None;
        }
        let definition = Definition {
            manifest,
            catalog,
            graphs,
            actions: core::mem::take(&mut self.actions.list),
            resources: core::mem::take(&mut self.resources.list),
        };
        self.finish(definition, bundle.as_ref())
    }

    /// Steps 2 to 4: the manifest; that of a bundle leads to the one of the provider.
    fn manifest(&mut self, file: &Arc<str>) -> Option<(Manifest, Option<Bundle>)> {
        let place = Place::start_of(file.clone());
        let document = self.sources.document(file, &place, &mut self.report)?;
        if !bundle::is_bundle(document.root()) {
            return Some((self.provider_manifest(file, &document)?, None));
        }
        let bundle = Bundle::verify(document.root(), &mut self.sources, &mut self.report)?;
        self.bundle_digest = bundle.digest;
        let packaged = bundle.provider_manifest(&mut self.sources, &mut self.report)?;
        let place = Place::start_of(packaged.clone());
        let document = self.sources.document(&packaged, &place, &mut self.report)?;
        let manifest = self.provider_manifest(&packaged, &document)?;
        self.report.add_all(bundle.other_provider(&manifest));
        Some((manifest, Some(bundle)))
    }

    fn provider_manifest(&mut self, file: &Arc<str>, document: &Document) -> Option<Manifest> {
        let root = document.root();
        let shape = Shape::Object(&shape::PROVIDER);
        let fits = self.report.add_all(shape::check(root, shape));
        fits.then(|| decode::manifest(root, file.clone()))
    }

    /// Step 5: the code catalog and its documents.
    fn catalog(&mut self, path: &Placed<String>) -> Option<Catalog> {
        let Placed { value, place } = path;
        let file = self
            .sources
            .find(value, place, "code catalog", &mut self.report)?;
        let document = self.sources.document(&file, place, &mut self.report)?;
        let root = document.root();
        let shape = Shape::Object(&shape::CODE_CATALOG);
        if !self.report.add_shape(shape::check(root, shape), place) {
            return None;
        }
        let mut catalog = decode::catalog(root, file);
        self.report.add_all(catalog::duplicates(&catalog));
        for entry in &mut catalog.codes {
            let Some(Reference {
                path,
                place,
                target,
            }) = &mut entry.document
            else {
                continue;
            };
            *target = self
                .resources
                .load(path, place, &mut self.sources, &mut self.report);
            let resource = target.and_then(|index| self.resources.list.get(index));
            let finding = resource
                .and_then(|resource| catalog::dynamic_document(&entry.code.value, place, resource));
            self.report.add_all(finding);
        }
        Some(catalog)
    }

    /// Step 6: the graphs, each for itself; and whether each of them has been loaded and has an id of its
    /// own, so that a name that leads to none is a mistake.
    fn graphs(&mut self, manifest: &Manifest) -> (Vec<Graph>, bool) {
        let mut graphs: Vec<Graph> = Vec::new();
        let mut by_id: Map<String, usize> = Map::new();
        let count = manifest.graphs.len();
        for (number, path) in (1..).zip(&manifest.graphs) {
            (self.watch)(Step::counted("checking graph", number, count));
            let Some(graph) = self.graph(path) else {
                continue;
            };
            self.report.add_all(graph::check(&graph));
            let first = by_id
                .get(&graph.id.value)
                .and_then(|index| graphs.get(*index));
            if let Some(first) = first {
                self.report.add(duplicate_graph(first, &graph, &path.place));
            } else {
                by_id.insert(graph.id.value.clone(), graphs.len());
            }
            graphs.push(graph);
        }
        let complete = by_id.len() == manifest.graphs.len();
        (graphs, complete)
    }

    fn graph(&mut self, path: &Placed<String>) -> Option<Graph> {
        let Placed { value, place } = path;
        let file = self.sources.find(value, place, "graph", &mut self.report)?;
        let document = self.sources.document(&file, place, &mut self.report)?;
        let root = document.root();
        let shape = Shape::Object(&shape::GRAPH);
        if !self.report.add_shape(shape::check(root, shape), place) {
            return None;
        }
        Some(decode::graph(root, file))
    }

    fn count_nodes(&mut self, manifest: &Manifest, graphs: &[Graph]) {
        let count: usize = graphs.iter().map(|graph| graph.nodes.len()).sum();
        if count > PROVIDER_GRAPH_NODES {
            let message =
                format!("the graphs have {count} nodes together, more than {PROVIDER_GRAPH_NODES}");
            let place = manifest.id.place.clone();
            self.report
                .add(Finding::error(Code::InputLimit, place, message));
        }
    }

    /// Step 8: circles of calls, and how far calls multiply.
    fn check_calls(&mut self, graphs: &[Graph]) {
        let calls = calls::call_graph(graphs);
        self.report.add_all(state_keys::ambiguous(graphs));
        if self.report.add_all(calls::recursion(graphs, &calls)) {
            self.report.add_all(calls::too_many_frames(graphs, &calls));
        }
    }

    /// Steps 11 and 12: digests, a bundle against the definitions, and the tables.
    fn finish(
        &mut self,
        definition: Definition,
        bundle: Option<&Bundle>,
    ) -> Option<(Definition, OwnedTables)> {
        let mut files: Vec<FileDigest> = Vec::new();
        for file in reachable_files(&definition) {
            let place = Place::start_of(file.clone());
            if let Some(source) = self.sources.read(&file, &place, &mut self.report) {
                files.push((file, source.digest));
            }
        }
        if self.report.has_errors() {
            return None;
        }
        (self.watch)(Step::new("making tables"));
        match digests::compute(&definition, &files) {
            Ok(digests) => {
                if let Some(bundle) = bundle {
                    self.report
                        .add_all(bundle.check_contents(&definition, &files));
                    self.report
                        .add_all(bundle.strays(self.sources.everything(), &files));
                }
                let tables = flatten(&definition, &files, &digests);
                Some((definition, tables))
            }
            Err(error) => {
                let place = definition.manifest.id.place.clone();
                self.report
                    .add(Finding::error(error.code(), place, error.message()));
                None
            }
        }
    }
}

/// Two graphs with one id.
fn duplicate_graph(first: &Graph, second: &Graph, listed_at: &Place) -> Finding {
    if first.file == second.file {
        let message = format!("graph file `{}` is listed twice", second.file);
        return Finding::error(Code::GraphIdDuplicate, listed_at.clone(), message)
            .with_hint("remove one of the two");
    }
    let message = format!("two graphs have the id `{}`", second.id.value);
    Finding::error(Code::GraphIdDuplicate, second.id.place.clone(), message)
        .with_related(first.id.place.clone(), "first declared here")
        .with_related(listed_at.clone(), "the second one is listed here")
}
