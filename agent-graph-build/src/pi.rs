//! From the file of a pi-graph to a module: the one function that the macro and the build script both call, with
//! the very loader that the runtime has.

use std::path::Path;
use std::sync::Arc;

use agent_graph_runtime::{Code, Finding, Findings, Place, SourceTexts, pi};

use crate::bake;
use crate::expand::{self, Expansion};
use crate::lint::LintLevels;
use crate::settings::Settings;

/// Why a setting means nothing for a pi-graph.
fn without_meaning(settings: &Settings) -> Option<&'static str> {
    if !settings.skills.is_empty() {
        Some("a pi-graph has no skills that are bound to it")
    } else if settings.override_env.is_some() {
        Some("a pi-graph cannot be overridden by an environment variable")
    } else if settings.lints != LintLevels::default() {
        Some("the lints of providers do not look at a pi-graph, so there is no level to set")
    } else if settings.embedded.is_some() {
        Some("a pi-graph is one file, which is not embedded")
    } else {
        None
    }
}

/// Loads the definition in this file and prints it as a module.
///
/// # Errors
///
/// All that is wrong with the definition, or with the names its nodes would get.
pub fn expand(file: &Path, settings: &Settings) -> Result<Expansion, Findings> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    if let Some(message) = without_meaning(settings) {
        let place = Place::start_of(name.as_ref().into());
        return Err(Finding::error(Code::SettingInvalid, place, message).into());
    }
    let name: Arc<str> = name.into();
    let bytes = pi::read(file, &name).map_err(|findings| findings.to_findings())?;
    let mut texts = SourceTexts::new();
    texts.add(name.clone(), bytes.as_slice());
    let loaded = pi::parse(name.clone(), &bytes)
        .map_err(|findings| findings.to_findings().with_texts(texts.clone()))?;
    let diagnostics = loaded.diagnostics.iter();
    let warnings = diagnostics.map(pi::Diagnostic::to_finding);
    let graph = loaded.graph();
    if let Some(pinned) = settings.digest {
        let place = Place::start_of(name.clone());
        expand::check_pin(graph.hash(), pinned, place)
            .map_err(|findings| findings.with_texts(texts.clone()))?;
    }
    // Made absolute without looking at the file: what is watched has to be found from anywhere.
    let absolute = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let places = |ids: &[String]| pi::node_places(name.clone(), &bytes, ids);
    let baked = bake::pi::module_at(&graph.tables(), settings, &places);
    Ok(Expansion {
        baked: baked.map_err(|findings| findings.with_texts(texts.clone()))?,
        texts,
        warnings: warnings.chain(loaded.warnings.iter().cloned()).collect(),
        root: absolute.parent().unwrap_or(&absolute).to_owned(),
        watched: vec![absolute],
        watched_directories: Vec::new(),
        skills: Vec::new(),
    })
}
