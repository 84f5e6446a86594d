//! Digests of graphs (spec 2.4), from the files of a drawn provider.

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};

use super::canonical::{canonical, compare_names};
use crate::json::{Json, Members};
use crate::model::{Action, Kind, Provider, Step};

/// Digest of a text.
pub fn digest_of_text(text: &str) -> String {
    let hex: String = Sha256::digest(text.as_bytes())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("sha256:{hex}")
}

/// Digest of a graph and all it needs; `files` are all files of the provider.
pub fn graph_digest(provider: &Provider, graph: usize, files: &[(String, String)]) -> String {
    let mut paths = BTreeSet::new();
    collect(provider, graph, &mut paths);
    let mut paths: Vec<String> = paths.into_iter().collect();
    paths.sort_by(|a, b| compare_names(a, b));
    let entries = paths.into_iter().map(|path| {
        let text = files
            .iter()
            .find(|(name, _)| *name == path)
            .map(|(_, text)| text.as_str());
        let digest = digest_of_text(text.unwrap_or_default());
        Json::texts([path, digest])
    });
    let identity = Members::default()
        .text("id", &provider.id)
        .text("version", &provider.version)
        .object();
    let value = Members::default()
        .with("provider", identity)
        .text("graph", &provider.graphs[graph].id)
        .with("files", Json::List(entries.collect()))
        .object();
    digest_of_text(&canonical(&value))
}

fn collect(provider: &Provider, graph: usize, paths: &mut BTreeSet<String>) {
    let graph = &provider.graphs[graph];
    paths.insert(graph.file.clone());
    for node in &graph.nodes {
        match &node.kind {
            Kind::Action(step, action) => {
                step_files(provider, step, paths);
                action_files(&provider.actions[*action], paths);
            }
            Kind::Gate(step, gate) => {
                step_files(provider, step, paths);
                let delegated = gate.delegated.and_then(|(_, resolution)| resolution);
                for action in [gate.inspection, gate.resolution, delegated]
                    .into_iter()
                    .flatten()
                {
                    action_files(&provider.actions[action], paths);
                }
            }
            Kind::Subgraph(child, _) => collect(provider, *child, paths),
            Kind::Terminal(_) => {}
        }
    }
}

fn action_files(action: &Action, paths: &mut BTreeSet<String>) {
    paths.insert(action.file.clone());
    paths.extend(action.files.iter().map(|(path, _)| path.clone()));
}

fn step_files(provider: &Provider, step: &Step, paths: &mut BTreeSet<String>) {
    for &resource in step.required.iter().chain(&step.recommended) {
        paths.insert(provider.resources[resource].1.clone());
    }
}
