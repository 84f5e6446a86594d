//! Scripts: each becomes an action, and one runs after the other.

use std::fs;
use std::path::{Path, PathBuf};

use agent_graph_runtime::Code;

use super::super::answer::counted;
use super::super::failure::Failure;
use super::super::slug::slug;
use super::graph::{Graph, action};
use super::provider::Import;

/// The import of these files.
pub(super) fn read<'f>(
    files: impl Iterator<Item = &'f PathBuf>,
    graph: Option<&str>,
) -> Result<Import, Failure> {
    let id = slug(graph.unwrap_or("imported-scripts"))?;
    let files: Vec<&PathBuf> = files.collect();
    if files.is_empty() {
        return Err(Failure::new(Code::ImportEmpty, "no script was named"));
    }
    let mut graph = Graph::new(&id, "step-1");
    let mut import = Import {
        kind: "scripts",
        graph: id.clone(),
        definition: Default::default(),
        actions: Vec::new(),
        reasons: Vec::new(),
        files: Vec::new(),
        source: counted(files.len(), "script"),
    };
    for (index, file) in files.iter().enumerate() {
        let number = index + 1;
        let node = format!("step-{number}");
        let name = name(file)?;
        let path = format!("scripts/{id}/{number:02}-{name}");
        let action_id = format!("{id}.{node}");
        let mut action = action(&action_id, "script", "write");
        action.insert("entry", path.as_str());
        action.insert("runtime", runtime(&name));
        let reason = graph.step(&node, Some(&format!("Run {name}")), &action_id);
        let next = match number == files.len() {
            true => "done".to_owned(),
            false => format!("step-{}", number + 1),
        };
        graph.edge(&node, &next);
        import
            .reasons
            .push((reason, format!("{name} has not run yet.")));
        import.actions.push((action_id, action));
        import.files.push((path, bytes(file)?));
    }
    import.definition = graph.finish();
    Ok(import)
}

fn name(file: &Path) -> Result<String, Failure> {
    let name = file.file_name().and_then(|name| name.to_str());
    name.map(str::to_owned).ok_or_else(|| {
        let message = format!("{} has no name that is Unicode", file.display());
        Failure::new(Code::FileNameInvalid, message)
    })
}

pub(super) fn bytes(file: &Path) -> Result<Vec<u8>, Failure> {
    if !file.is_file() {
        let message = format!("{} is not a regular file", file.display());
        return Err(Failure::new(Code::FileMissing, message));
    }
    fs::read(file).map_err(|error| {
        let message = format!("{} cannot be read: {error}", file.display());
        Failure::new(Code::FileReadFailed, message)
    })
}

/// What runs a script, by its extension.
fn runtime(name: &str) -> &'static str {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    match extension.to_ascii_lowercase().as_str() {
        "js" | "mjs" | "cjs" => "node",
        "ts" | "mts" | "cts" => "bun",
        "py" => "python",
        _ => "shell",
    }
}
