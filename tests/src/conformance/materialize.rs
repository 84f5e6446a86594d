//! `materialize/`: resources made by running their actions. The whole cache is compared byte for byte.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

use agent_graph_runtime::json::Value as OurValue;
use agent_graph_runtime::materialize::Materialization;
use agent_graph_runtime::{Error, Provider};
use serde_json::{Value, json};

use super::report::{Report, Verdict};
use super::texts::list;
use crate::compare::difference;
use crate::sources::read_json;

pub(super) fn run(directory: &Path, scratch: &Path, report: &mut Report) -> io::Result<()> {
    let directory = directory.join("materialize");
    if !directory.exists() {
        return Ok(());
    }
    let intended = match directory.join("deliberate.json") {
        path if path.exists() => read_json(&path)?,
        _ => json!([]),
    };
    for (index, case) in list(&read_json(&directory.join("cases.json"))?)
        .iter()
        .enumerate()
    {
        let entry = list(&intended).iter().find(|entry| entry["case"] == index);
        let folder = scratch.join("materialize").join(index.to_string());
        let manifest = directory.join("provider/provider.yaml");
        report.case(&format!("materialize {index}"), || {
            judge(case, entry, &manifest, &folder).on_purpose(entry.is_some())
        });
    }
    Ok(())
}

/// Makes a resource that cannot be made, and gives the code.
pub(super) fn failing(operation: &Value, root: &Path, scratch: &Path) -> Result<String, String> {
    let manifest = root.join(operation["manifest"].as_str().unwrap_or("provider.yaml"));
    let stage = Stage::new(scratch).map_err(|error| error.to_string())?;
    match stage.play(operation, &manifest)? {
        Ok(_) => Err("it works".into()),
        Err(error) if stage.cache.exists() => Err(format!("{error}, and the cache is there")),
        Err(error) => Ok(error.code().as_str().to_owned()),
    }
}

fn judge(case: &Value, entry: Option<&Value>, manifest: &Path, folder: &Path) -> Verdict {
    let played = Stage::new(folder)
        .map_err(|error| error.to_string())
        .and_then(|stage| {
            let location = stage
                .play(case, manifest)?
                .map_err(|error| error.to_string())?;
            let files = files(&stage.cache).map_err(|error| error.to_string())?;
            Ok((stage, location, files))
        });
    let (stage, location, files) = match played {
        Ok(played) => played,
        Err(why) => return Verdict::Failed(why),
    };
    let expected = entry.unwrap_or(case);
    let cache = stage.cache.to_string_lossy().into_owned();
    if let Some(difference) = difference(&filled(&expected["location"], &cache), &location) {
        return Verdict::Failed(difference.to_string());
    }
    let mut wanted = BTreeMap::new();
    for (name, text) in expected["files"].as_object().into_iter().flatten() {
        let text = text.as_str().unwrap_or_default().replace("<cache>", &cache);
        wanted.insert(name.clone(), text.into_bytes());
    }
    for (name, text) in expected["filesBase64"].as_object().into_iter().flatten() {
        wanted.insert(name.clone(), base64(text.as_str().unwrap_or_default()));
    }
    Verdict::on(wanted, files)
}

/// Cache and workspace of one call.
struct Stage {
    cache: PathBuf,
    workspace: PathBuf,
}

impl Stage {
    fn new(folder: &Path) -> io::Result<Self> {
        let stage = Self {
            cache: folder.join("cache"),
            workspace: folder.join("workspace"),
        };
        fs::create_dir_all(&stage.workspace)?;
        fs::write(stage.workspace.join("ws.txt"), "in the workspace\n")?;
        Ok(stage)
    }

    fn play(&self, case: &Value, manifest: &Path) -> Result<Result<Value, Error>, String> {
        let provider = Provider::load(manifest).map_err(|findings| findings.to_string())?;
        let root = manifest.parent().unwrap_or(manifest);
        let installed = provider
            .installed_at(root)
            .map_err(|error| error.to_string())?;
        let revision = case["revision"].as_str().unwrap_or_default();
        let mut how = Materialization::new(&self.cache, &self.workspace, revision);
        if let Some(text) = case["inputText"].as_str() {
            let input = OurValue::from_json(text).map_err(|error| error.to_string())?;
            how = how.input(input);
        }
        for (name, value) in case["env"].as_object().into_iter().flatten() {
            how = how.env(name, value.as_str().unwrap_or_default());
        }
        // What is negative cannot be said; nothing is as little.
        let limit = |name: &str| Some(case.get(name)?.as_u64().unwrap_or(0));
        if let Some(bytes) = limit("maxOutputBytes") {
            how = how.max_output_bytes(bytes);
        }
        if let Some(bytes) = limit("maxErrorBytes") {
            how = how.max_error_bytes(bytes);
        }
        if let Some(milliseconds) = limit("timeoutMs") {
            how = how.timeout(Duration::from_millis(milliseconds));
        }
        let resource = case["resource"].as_str().unwrap_or_default();
        Ok(installed.materialize(resource, &how).map(|made| {
            serde_json::to_value(made).unwrap_or_else(|error| json!(error.to_string()))
        }))
    }
}

fn filled(location: &Value, cache: &str) -> Value {
    let mut location = location.clone();
    if let Some(path) = location.get_mut("filePath")
        && let Some(text) = path.as_str()
    {
        *path = json!(text.replace("<cache>", cache));
    }
    location
}

fn files(folder: &Path) -> io::Result<BTreeMap<String, Vec<u8>>> {
    let entries = fs::read_dir(folder)?;
    entries
        .map(|entry| {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            Ok((name, fs::read(entry.path())?))
        })
        .collect()
}

/// The bytes of a base64 text.
fn base64(text: &str) -> Vec<u8> {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bits, mut count, mut bytes) = (0_u32, 0, Vec::new());
    for character in text.bytes() {
        let Some(value) = ALPHABET.iter().position(|&own| own == character) else {
            continue;
        };
        bits = bits << 6 | value as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count & 0xff) as u8);
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    #[test]
    fn base64_gives_the_bytes() {
        assert_eq!(super::base64("gHjD"), b"\x80x\xc3");
        assert_eq!(super::base64("YQ=="), b"a");
    }
}
