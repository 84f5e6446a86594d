//! The options that every command has, and the provider they lead to. Knows nothing about commands.

use std::path::{Path, PathBuf};

use agent_graph_runtime::load::{self, Bound, LoadOptions, Loaded, Registry};
use agent_graph_runtime::{Code, Finding, Findings, Installed, SourceTexts, Step, paths};
use clap::ArgMatches;

use super::failure::{Failure, in_folder};
use super::progress::Stage;

/// The options that every command has.
pub(super) struct Context {
    manifest: PathBuf,
    skill: Option<PathBuf>,
    registry: Option<PathBuf>,
    json: bool,
    stage: Stage,
    human_is_asked_for: bool,
}

impl Context {
    pub(super) fn of(matches: &ArgMatches, stage: Stage) -> Result<Self, Failure> {
        let path = |name: &str| matches.get_one::<PathBuf>(name).cloned();
        let is_default =
            matches.value_source("format") == Some(clap::parser::ValueSource::DefaultValue);
        let format = matches.get_one::<String>("format").map(String::as_str);
        let json = match format {
            Some("json") => true,
            Some("human") | None => false,
            Some(other) => {
                let message = format!("`{other}` is no format: there are human and json");
                return Err(Failure::new(Code::FormatInvalid, message));
            }
        };
        Ok(Self {
            manifest: path("manifest").unwrap_or_else(|| "provider.yaml".into()),
            skill: path("skill"),
            registry: path("registry"),
            json,
            stage,
            human_is_asked_for: format.is_some() && !json && !is_default,
        })
    }

    /// Whether results and errors are printed as JSON.
    pub(super) fn json(&self) -> bool {
        self.json
    }

    /// Whether text for people was asked for with these words.
    pub(super) fn human_is_asked_for(&self) -> bool {
        self.human_is_asked_for
    }

    /// Whether a skill chooses provider, graph and entry.
    pub(super) fn has_skill(&self) -> bool {
        self.skill.is_some()
    }

    /// The manifest that was given, or to which the skill is bound.
    pub(super) fn manifest_of_selection(&self) -> Result<PathBuf, Failure> {
        match self.bound()? {
            Some(bound) => Ok(bound.binding.manifest_path.into()),
            None => Ok(self.manifest.clone()),
        }
    }

    /// The skill whose binding chooses provider, graph and entry.
    pub(super) fn bound(&self) -> Result<Option<Bound>, Failure> {
        self.skill
            .as_deref()
            .map(|skill| self.bind(skill))
            .transpose()
    }

    /// The binding of a skill, resolved.
    pub(super) fn bind(&self, skill: &Path) -> Result<Bound, Failure> {
        let registry = match &self.registry {
            Some(file) => Registry::read(file)?,
            None => Registry::new(),
        };
        let provider = |id: &str| registry.manifest(id).map(Path::to_owned);
        Ok(load::bind_watched(skill, provider, &mut self.watch())?)
    }

    /// The provider, as it was loaded.
    pub(super) fn loaded(&self) -> Result<Loaded, Failure> {
        match self.bound()? {
            Some(bound) => Ok(bound.provider),
            None => self
                .load(&self.manifest)
                .map_err(|findings| self.located(&findings)),
        }
    }

    /// The provider of a manifest.
    pub(super) fn load(&self, manifest: &Path) -> Result<Loaded, Findings> {
        load::load_watched(manifest, LoadOptions::new(), &mut self.watch())
    }

    /// Who is told what is being done, and how far it is.
    pub(super) fn watch(&self) -> impl FnMut(Step<'_>) + use<'_> {
        |step| self.stage.at(step)
    }

    /// Says what is being done.
    pub(super) fn at(&self, what: &str) {
        self.stage.at(Step::new(what));
    }

    /// The provider and its folder.
    pub(super) fn installed(&self) -> Result<Installed, Failure> {
        Ok(Installed::of_loaded(self.loaded()?)?)
    }

    /// Findings about a provider that was loaded, with its files as the user would write them.
    pub(super) fn named(
        &self,
        loaded: &Loaded,
        findings: &[Finding],
        texts: &SourceTexts,
    ) -> (Vec<Finding>, SourceTexts) {
        let folder = match self.skill {
            Some(_) => loaded.root.as_path(),
            None => self.manifest.parent().unwrap_or(Path::new("")),
        };
        let name = |file: &str| in_folder(file, folder);
        let findings = findings.iter().map(|finding| finding.with_files(name));
        (findings.collect(), texts.with_files(name))
    }

    /// What is wrong with the provider of the manifest.
    pub(super) fn located(&self, findings: &Findings) -> Failure {
        Failure::of_findings(findings, self.manifest.parent().unwrap_or(Path::new("")))
    }
}

/// The absolute path of what an argument names, as text.
pub(super) fn absolute(path: &Path) -> Result<String, Failure> {
    let absolute = paths::absolute(path).map_err(|error| {
        Failure::unexpected(format!("{} has no absolute path: {error}", path.display()))
    })?;
    let text = absolute.into_os_string().into_string();
    text.map_err(|path| {
        let message = format!("the path {} is not Unicode", path.display());
        Failure::new(Code::FileNameInvalid, message)
    })
}
