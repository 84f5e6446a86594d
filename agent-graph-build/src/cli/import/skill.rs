//! A skill: its folder is copied, it gets a binding, and a graph with one step that uses it.

use std::fs;
use std::path::{Path, PathBuf};

use agent_graph_runtime::Code;
use agent_graph_runtime::json::{Object, Value};
use agent_graph_runtime::load::limits::{DIRECTORY_DEPTH, PROVIDER_FILES};
use agent_graph_runtime::load::read_frontmatter;

use super::super::failure::Failure;
use super::super::slug::slug;
use super::graph::{Graph, action};
use super::provider::Import;
use super::scripts::bytes;
use crate::yaml;

/// The import of this skill.
pub(super) fn read(skill: &Path, graph: Option<&str>) -> Result<Import, Failure> {
    let original = bytes(skill)?;
    let mut header = read_frontmatter(skill)?
        .as_object()
        .cloned()
        .unwrap_or_default();
    let name = header
        .get("name")
        .and_then(Value::as_str)
        .map(str::to_owned);
    let folder = match skill.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let id = match (graph, &name) {
        (Some(graph), _) => slug(graph)?,
        (None, Some(name)) => slug(name)?,
        (None, None) => {
            let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.into());
            slug(&folder.file_name().unwrap_or_default().to_string_lossy())?
        }
    };
    bind(&mut header, &id);
    let target = format!("skills/{id}");
    let mut files = Vec::new();
    for (path, file) in below(folder)? {
        let content = match is_same(&file, skill) {
            true => format!("---\n{}---\n", yaml::print(&header))
                .into_bytes()
                .into_iter()
                .chain(body(&original).iter().copied())
                .collect(),
            false => bytes(&file)?,
        };
        files.push((format!("{target}/{path}"), content));
    }
    let skill_name = skill.file_name().unwrap_or_default().to_string_lossy();
    let action_id = format!("skill.{id}");
    let mut action = action(&action_id, "agent", "write");
    action.insert("skill", format!("{target}/{skill_name}"));
    let mut graph = Graph::new(&id, "use-skill");
    let label = format!("Use the skill {}", name.as_deref().unwrap_or(&id));
    let reason = graph.step("use-skill", Some(&label), &action_id);
    graph.edge("use-skill", "done");
    Ok(Import {
        kind: "skill",
        graph: id,
        definition: graph.finish(),
        actions: vec![(action_id, action)],
        reasons: vec![(reason, "The skill has not been used yet.".to_owned())],
        files,
        source: format!("skill `{}`", name.as_deref().unwrap_or("without a name")),
    })
}

/// Binds the skill to the graph that is made for it.
fn bind(header: &mut Object, graph: &str) {
    let metadata = header.get("metadata").and_then(Value::as_object);
    let mut metadata = metadata.cloned().unwrap_or_default();
    metadata.insert("agent-graph", "path:../../provider.yaml");
    metadata.insert("agent-graph.graph", graph);
    metadata.insert("agent-graph.entry", "default");
    header.insert("metadata", metadata);
}

/// What stands behind the frontmatter, which is there.
fn body(skill: &[u8]) -> &[u8] {
    let mut rest = skill;
    let mut fences = 0;
    while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
        let (line, after) = rest.split_at(end + 1);
        rest = after;
        if matches!(line, b"---\n" | b"---\r\n") {
            fences += 1;
            if fences == 2 {
                return rest;
            }
        }
    }
    &[]
}

fn is_same(a: &Path, b: &Path) -> bool {
    matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
}

/// The regular files below a folder, by their paths in it, sorted. Links are skipped, as in every skill.
fn below(folder: &Path) -> Result<Vec<(String, PathBuf)>, Failure> {
    let unreadable = |error: std::io::Error| {
        let message = format!("{} cannot be read: {error}", folder.display());
        Failure::new(Code::FileReadFailed, message)
    };
    let mut found = Vec::new();
    let mut pending = vec![(folder.to_owned(), String::new(), 0)];
    while let Some((directory, prefix, depth)) = pending.pop() {
        for entry in fs::read_dir(directory).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let kind = entry.file_type().map_err(unreadable)?;
            let Ok(name) = entry.file_name().into_string() else {
                let message = format!("a name in {} is not Unicode", folder.display());
                return Err(Failure::new(Code::FileNameInvalid, message));
            };
            let path = format!("{prefix}{name}");
            if kind.is_dir() {
                pending.push((entry.path(), format!("{path}/"), depth + 1));
            } else if kind.is_file() {
                found.push((path, entry.path()));
            }
            if found.len() + pending.len() > PROVIDER_FILES || depth > DIRECTORY_DEPTH {
                let message = format!("the folder {} is too large for a skill", folder.display());
                return Err(Failure::new(Code::InputLimit, message));
            }
        }
    }
    found.sort();
    Ok(found)
}
