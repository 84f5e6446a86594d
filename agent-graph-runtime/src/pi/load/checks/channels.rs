//! What agents share across a graph: channels of messages and threads (spec 4.3 H, I).

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::pi::definition::Definition;
use crate::pi::diagnostic::DiagnosticCode;
use crate::pi::load::report::{Report, quoted, steps};
use crate::pi::text;
use crate::pi::words::Reducer;

pub(super) fn retention_and_reducers(definition: &Definition, report: &mut Report) {
    let written = definition.reducers.iter();
    let reducers: BTreeMap<&str, Reducer> = written
        .map(|(path, reducer)| (path.as_str(), *reducer))
        .collect();
    let mut kept: BTreeMap<&str, u64> = BTreeMap::new();
    for node in &definition.nodes {
        let (Some(path), Some(agent)) = (node.captured_messages(), node.agent()) else {
            continue;
        };
        if let Some(count) = agent.context.max_stored_messages
            && *kept.entry(path).or_insert(count) != count
        {
            report.warning(
                DiagnosticCode::SharedRetentionMismatch,
                steps!["nodes", node.id.as_str(), "context", "maxStoredMessages"],
                format!(
                    "an earlier node keeps another number of messages at {}",
                    quoted(path)
                ),
            );
        }
        if reducers
            .get(path)
            .is_some_and(|reducer| *reducer != Reducer::Concat)
        {
            report.error(
                DiagnosticCode::SharedMessagesReducer,
                steps!["reducers", path],
                "messages are put one behind the other; the reducer has to be `concat`",
            );
        }
    }
}

pub(super) fn thread_folders(definition: &Definition, report: &mut Report) {
    let mut folders: BTreeMap<&str, String> = BTreeMap::new();
    for node in &definition.nodes {
        let (Some(key), Some(agent)) = (node.thread_key(), node.agent()) else {
            continue;
        };
        let folder = normalized(agent.cwd.as_deref().unwrap_or(""));
        if *folders.entry(key).or_insert_with(|| folder.clone()) != folder {
            report.error(
                DiagnosticCode::ThreadCwdMismatch,
                steps!["nodes", node.id.as_str(), "cwd"],
                format!(
                    "an earlier node runs the thread {} in another folder",
                    quoted(key)
                ),
            );
        }
    }
}

/// The folder with its steps resolved; a slash at the end is kept.
fn normalized(folder: &str) -> String {
    let folder = text::trim(folder).replace('\\', "/");
    if folder.is_empty() {
        return ".".into();
    }
    let is_absolute = folder.starts_with('/');
    let mut steps: Vec<&str> = Vec::new();
    for step in folder.split('/') {
        match step {
            "" | "." => {}
            ".." if steps.last().is_some_and(|last| *last != "..") => drop(steps.pop()),
            ".." if is_absolute => {}
            _ => steps.push(step),
        }
    }
    let mut path = steps.join("/");
    if path.is_empty() && !is_absolute {
        path.push('.');
    }
    if folder.ends_with('/') && !(path.is_empty() && is_absolute) {
        path.push('/');
    }
    if is_absolute {
        format!("/{path}")
    } else {
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_compared_after_their_steps_are_resolved() {
        for (folder, expected) in [
            ("", "."),
            ("  ", "."),
            (".", "."),
            ("./", "./"),
            ("a/../b//c/.", "b/c"),
            ("a\\b\\", "a/b/"),
            ("../..", "../.."),
            ("a/../..", ".."),
            ("/..", "/"),
            ("/", "/"),
            ("/a/", "/a/"),
            ("//a", "/a"),
        ] {
            assert_eq!(normalized(folder), expected, "{folder}");
        }
    }
}
