//! The provider that something is imported into: its manifest and its catalog are extended, new files are
//! added, nothing is overwritten. Knows nothing about where an import comes from.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use agent_graph_runtime::json::{Object, Value};
use agent_graph_runtime::load::{self, Loaded, read_value};
use agent_graph_runtime::{Code, order};

use super::super::changes::Changes;
use super::super::context::{Context, absolute};
use super::super::failure::Failure;
use crate::yaml;

/// What is imported.
pub(super) struct Import {
    /// What it was: skill, scripts or workflow.
    pub(super) kind: &'static str,
    /// Id of the graph that is made.
    pub(super) graph: String,
    /// Nodes and edges of the graph.
    pub(super) definition: Object,
    /// Actions by id.
    pub(super) actions: Vec<(String, Object)>,
    /// Reasons of routes and what they stand for.
    pub(super) reasons: Vec<(String, String)>,
    /// Files that are copied, by their path in the provider.
    pub(super) files: Vec<(String, Vec<u8>)>,
    /// Where it comes from, for the report.
    pub(super) source: String,
}

impl Import {
    /// Where an action is defined in the provider.
    fn action_path(id: &str) -> String {
        format!("actions/{id}.yaml")
    }

    fn graph_path(&self) -> String {
        format!("graphs/{}.yaml", self.graph)
    }
}

/// The provider that it is imported into.
pub(super) struct Target {
    loaded: Loaded,
}

impl Target {
    /// The provider in a folder, which has to be a valid one.
    pub(super) fn load(root: &Path, context: &Context) -> Result<Self, Failure> {
        let loaded = context
            .load(&root.join("provider.yaml"))
            .map_err(|findings| Failure::of_findings(&findings, root))?;
        Ok(Self { loaded })
    }

    /// Imports; gives the absolute path of the graph.
    pub(super) fn take_in(&self, import: &Import, context: &Context) -> Result<String, Failure> {
        let root = &self.loaded.root;
        let mut changes = Changes::in_folder(root);
        for (path, bytes) in &import.files {
            changes.create(path, bytes.clone());
        }
        for (id, action) in &import.actions {
            self.refuse_known_action(id)?;
            changes.create(Import::action_path(id), yaml::print(action));
        }
        let graphs = &self.loaded.definition.graphs;
        if graphs.iter().any(|graph| graph.id.value == import.graph) {
            let message = format!("the provider has a graph `{}` already", import.graph);
            return Err(Failure::new(Code::ImportTargetExists, message));
        }
        changes.create(import.graph_path(), yaml::print(&import.definition));
        self.extend_catalog(import, &mut changes)?;
        changes.replace("IMPORT_REPORT.md", self.report(import));
        // Last, because it makes the provider see everything else.
        changes.replace("provider.yaml", self.manifest(import)?);
        let manifest = root.join("provider.yaml");
        changes.write(Code::ImportTargetExists, &mut context.watch(), || {
            let loaded = load::load(&manifest);
            loaded
                .map(drop)
                .map_err(|findings| Failure::of_findings(&findings, root))
        })?;
        absolute(&root.join(import.graph_path()))
    }

    fn refuse_known_action(&self, id: &str) -> Result<(), Failure> {
        let actions = &self.loaded.definition.actions;
        if actions.iter().any(|action| action.id.value == *id) {
            let message = format!("the provider has an action `{id}` already");
            return Err(Failure::new(Code::ImportTargetExists, message));
        }
        Ok(())
    }

    /// The manifest with the graph among its graphs, which are sorted.
    fn manifest(&self, import: &Import) -> Result<String, Failure> {
        let manifest = self.loaded.definition.manifest.value.as_object();
        let mut manifest = manifest.cloned().unwrap_or_default();
        let paths = self.loaded.definition.manifest.graphs.iter();
        let mut paths: Vec<String> = paths.map(|path| path.value.clone()).collect();
        paths.push(import.graph_path());
        paths.sort_by(|a, b| order::by_code_units(a, b));
        let paths = paths.into_iter().map(Value::from).collect();
        manifest.insert("graphs", Value::Array(paths));
        Ok(yaml::print(&manifest))
    }

    /// Adds the reasons that are missing to the catalog, if the provider has one.
    fn extend_catalog(&self, import: &Import, changes: &mut Changes) -> Result<(), Failure> {
        let Some(catalog) = &self.loaded.definition.catalog else {
            return Ok(());
        };
        let path = self.loaded.root.join(&*catalog.file);
        let (value, _) = read_value(&path)?;
        let mut object = value.as_object().cloned().unwrap_or_default();
        let entries = object.get("codes").and_then(Value::as_array).unwrap_or(&[]);
        let mut entries = entries.to_vec();
        let mut known = BTreeSet::new();
        for code in &catalog.codes {
            known.insert(code.code.value.as_str());
            let used = import
                .reasons
                .iter()
                .any(|(reason, _)| *reason == code.code.value);
            if used && code.kind.as_str() != "route-reason" {
                let message = format!("`{}` is a diagnostic in the catalog", code.code.value);
                return Err(Failure::new(Code::RouteReasonCodeKindInvalid, message));
            }
        }
        for (reason, summary) in &import.reasons {
            if !known.contains(reason.as_str()) {
                let mut entry = Object::new();
                entry.insert("code", reason.as_str());
                entry.insert("kind", "route-reason");
                entry.insert("summary", summary.chars().take(160).collect::<String>());
                entries.push(entry.into());
            }
        }
        let code = |entry: &Value| {
            let code = entry.as_object().and_then(|entry| entry.get("code"));
            code.and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        entries.sort_by(|a, b| order::by_code_units(&code(a), &code(b)));
        object.insert("codes", Value::Array(entries));
        let is_json = catalog.file.to_ascii_lowercase().ends_with(".json");
        let text = if is_json {
            format!("{}\n", Value::Object(object).to_json_indented())
        } else {
            yaml::print(&object)
        };
        changes.replace(&*catalog.file, text);
        Ok(())
    }

    /// The report with a section about this import at its end.
    fn report(&self, import: &Import) -> String {
        let old = fs::read_to_string(self.loaded.root.join("IMPORT_REPORT.md"));
        let mut text = old.unwrap_or_else(|_| "# Imports\n".to_owned());
        if !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(&format!("\n## {}: {}\n\n", import.graph, import.kind));
        text.push_str(&format!("Source: {}\n\n", import.source));
        let actions = import.actions.iter().map(|(id, _)| Import::action_path(id));
        let files = import.files.iter().map(|(path, _)| path.clone());
        for path in std::iter::once(import.graph_path())
            .chain(actions)
            .chain(files)
        {
            text.push_str(&format!("- `{path}`\n"));
        }
        text.push_str(
            "\nEvery step is taken for one that writes unless its source says otherwise.\n",
        );
        text
    }
}
