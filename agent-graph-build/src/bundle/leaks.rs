//! Whether what is packaged names the folder it was built in: such a bundle would work on one machine and
//! be another one on every machine. Knows bytes and texts only.

use std::sync::Arc;

use agent_graph_runtime::json::Value;
use agent_graph_runtime::{Code, Finding, Findings, Place};

use super::{Bundle, MANIFEST_JSON, PROVIDER_YAML};

/// Looks for the absolute path of the provider in everything that is packaged.
pub(super) fn check(bundle: &Bundle, files: &[(Arc<str>, Vec<u8>)]) -> Result<(), Findings> {
    let root = bundle.root.as_os_str().as_encoded_bytes();
    // Every path of the machine begins with the root of its file system.
    if root.len() <= 1 {
        return Ok(());
    }
    let leaking = files.iter().filter(|(_, bytes)| contains(bytes, root));
    let mut findings = leaking.map(|(path, _)| finding(path.clone(), path));
    if let Some(first) = findings.next() {
        return Err(Findings::new(first, findings));
    }
    let root = bundle.root.to_string_lossy();
    let manifest = Value::Object(bundle.manifest.clone());
    for (file, value) in [
        (PROVIDER_YAML, &bundle.provider),
        (MANIFEST_JSON, &manifest),
    ] {
        if names(value, &root) {
            return Err(finding(bundle.source_manifest.clone(), file).into());
        }
    }
    Ok(())
}

fn finding(file: Arc<str>, packaged: &str) -> Finding {
    let message = format!("`{packaged}` would contain the absolute path of the provider");
    Finding::error(Code::BuildAbsolutePathLeak, Place::start_of(file), message)
}

fn contains(bytes: &[u8], text: &[u8]) -> bool {
    bytes.windows(text.len()).any(|window| window == text)
}

/// Whether a text in the value names the root. The recursion ends: manifests are as deep as their shape.
fn names(value: &Value, root: &str) -> bool {
    match value {
        Value::String(text) => text.contains(root),
        Value::Array(items) => items.iter().any(|item| names(item, root)),
        Value::Object(object) => object
            .iter()
            .any(|(name, value)| name.contains(root) || names(value, root)),
        _ => false,
    }
}
