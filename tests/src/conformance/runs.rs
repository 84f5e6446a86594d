//! `runs.json`: scripts for the run store. Every file that is left is compared byte for byte.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use agent_graph_runtime::json::Value as OurValue;
use agent_graph_runtime::runs::{Clock, NewRun, Run, RunIds, Runs, Timestamp};
use agent_graph_runtime::{Error, Facts, Outcome};
use serde_json::Value;

use super::report::{Report, Verdict};
use super::texts::list;
use crate::sources::read_json;

/// What stands for `<time>`: no vector holds this one.
const TIME: &str = "2031-05-06T07:08:09.010Z";
const TIME_MILLISECONDS: i64 = 1_935_817_689_010;
/// What stands for `<workspace>`.
const WORKSPACE: &str = "/conformance/workspace";

pub(super) fn run(directory: &Path, scratch: &Path, report: &mut Report) -> io::Result<()> {
    let path = directory.join("runs.json");
    if !path.exists() {
        return Ok(());
    }
    for script in list(&read_json(&path)?) {
        let id = script["id"].as_str().unwrap_or_default();
        let folder = scratch.join("runs").join(id);
        fs::create_dir_all(&folder)?;
        report.case(id, || judge(script, folder));
    }
    Ok(())
}

/// Plays a script whose last step fails, and gives the code.
pub(super) fn failing(operations: &Value, folder: PathBuf) -> Result<String, String> {
    let stage = Stage::new(folder);
    let mut code = Err("every step works".to_owned());
    for operation in list(operations) {
        code = match stage.play(operation) {
            Ok(_) => Err("the last step works".into()),
            Err(code) => Ok(code),
        };
    }
    code
}

fn judge(script: &Value, folder: PathBuf) -> Verdict {
    let stage = Stage::new(folder);
    for (operation, step) in list(&script["ops"]).iter().zip(list(&script["steps"])) {
        let expected = match step["ok"].as_bool() {
            Some(true) => Ok(step["resultText"].as_str().map(|text| stage.filled(text))),
            _ => Err(step["code"].as_str().unwrap_or_default().to_owned()),
        };
        let played = stage.play(operation).map(|result| result.map(one_line));
        let expected = expected.map(|text| text.map(one_line));
        if played != expected {
            let note = &script["note"];
            return Verdict::Failed(format!(
                "{note}, {operation}: expected {expected:?}, received {played:?}"
            ));
        }
    }
    let expected: BTreeMap<String, String> = script["files"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, text)| (name.clone(), text.as_str().unwrap_or_default().to_owned()))
        .collect();
    match stage.files() {
        Ok(files) => Verdict::on(expected, files),
        Err(error) => Verdict::Failed(error.to_string()),
    }
}

/// The text without white space between values, members in their order.
fn one_line(text: String) -> String {
    OurValue::from_json(&text).map_or(text, |value| value.to_string())
}

/// The folder a script plays in, and the store.
struct Stage {
    folder: PathBuf,
    runs: Runs,
}

struct FixedClock;

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_unix_milliseconds(TIME_MILLISECONDS)
    }
}

struct FixedIds;

impl RunIds for FixedIds {
    fn next_id(&self) -> Result<String, Error> {
        Ok("<uuid>".into())
    }
}

impl Stage {
    fn new(folder: PathBuf) -> Self {
        let runs = Runs::in_files().with_clock(FixedClock).with_ids(FixedIds);
        Self { folder, runs }
    }

    /// The text with placeholders replaced.
    fn filled(&self, text: &str) -> String {
        text.replace("<time>", TIME)
            .replace("<workspace>", WORKSPACE)
            .replace("<dir>", &self.folder.to_string_lossy())
    }

    /// What an operation gives, as JSON text, or the code of its error.
    fn play(&self, operation: &Value) -> Result<Option<String>, String> {
        let code = |error: Error| error.code().as_str().to_owned();
        let text = |name: &str| operation[name].as_str().map(|text| self.filled(text));
        let path = self.folder.join(text("path").unwrap_or_default());
        let run = |run: Result<Run, Error>| run.map(|run| Some(run.text().into())).map_err(code);
        match operation["op"].as_str().unwrap_or_default() {
            "write" => {
                let content = operation["text"].as_str().unwrap_or_default();
                let parent = path.parent().unwrap_or(&self.folder);
                fs::create_dir_all(parent)
                    .and_then(|()| fs::write(&path, content))
                    .map_err(|error| error.to_string())?;
                Ok(None)
            }
            "start" => run(self.start(operation, &path)),
            "load" => run(self.runs.load(&path)),
            "record" => self.record(operation, &path),
            "facts" => {
                let facts = Facts::from_json(&text("setText").unwrap_or_default());
                run(
                    facts.and_then(|facts| match operation["replace"].as_bool() {
                        Some(true) => self.runs.replace_facts(&path, facts),
                        _ => self.runs.update_facts(&path, facts),
                    }),
                )
            }
            "authority" => run(self.runs.set_authorities(&path, strings(&operation["set"]))),
            "checkpoint" => {
                let target = self.folder.join(text("to").unwrap_or_default());
                self.runs.checkpoint(&path, &target).map_err(code)?;
                let result = serde_json::json!({ "run": path, "checkpoint": target });
                // The members in the order of the vectors.
                Ok(Some(format!(
                    "{{\"run\":{},\"checkpoint\":{}}}",
                    result["run"], result["checkpoint"]
                )))
            }
            "resume" => {
                let from = self.folder.join(text("from").unwrap_or_default());
                run(self.runs.resume(&from, &path))
            }
            "assert-provider" => {
                let loaded = self.runs.load(&path).map_err(code)?;
                let provider = text("provider").unwrap_or_default();
                loaded.check_provider(&provider).map_err(code)?;
                Ok(None)
            }
            "evaluation-input" => {
                let loaded = self.runs.load(&path).map_err(code)?;
                Ok(Some(loaded.evaluation_input().to_string()))
            }
            other => Err(format!("unknown operation {other}")),
        }
    }

    fn start(&self, operation: &Value, path: &Path) -> Result<Run, Error> {
        let text = |name: &str| operation[name].as_str().map(|text| self.filled(text));
        let mut new = NewRun::new(
            text("provider").unwrap_or_default(),
            text("graph").unwrap_or_default(),
        );
        if let Some(id) = text("id") {
            new = new.id(id);
        }
        if let Some(entry) = text("entry") {
            new = new.entry(entry);
        }
        if let Some(workspace) = text("workspace") {
            new = new.workspace(workspace);
        }
        if let Some(facts) = text("factsText") {
            new = new.facts(Facts::from_json(&facts)?);
        }
        new = new.authorities(strings(&operation["authorities"]));
        self.runs.create(path, new)
    }

    /// An outcome that is none cannot be recorded; what has to be refused is a run that holds it.
    fn record(&self, operation: &Value, path: &Path) -> Result<Option<String>, String> {
        let code = |error: Error| error.code().as_str().to_owned();
        let node = operation["node"].as_str().unwrap_or_default();
        let word = operation["outcome"].as_str().unwrap_or_default();
        let detail = operation["detailText"].as_str().map(OurValue::from_json);
        let detail = detail.transpose().map_err(code)?;
        let Ok(outcome) = word.parse::<Outcome>() else {
            let text = self.runs.load(path).map_err(code)?.text().to_owned();
            let record = format!(r#"{{"k":{{"outcome":"{word}","recordedAt":"{TIME}"}}}}"#);
            let text = text.replace("\"outcomes\": {}", &format!("\"outcomes\": {record}"));
            let read = Run::from_json(&text).map_err(code)?;
            return Ok(Some(read.text().into()));
        };
        let recorded = self.runs.record(path, node, outcome, detail);
        recorded.map(|run| Some(run.text().into())).map_err(code)
    }

    /// Every file that is there, with placeholders.
    fn files(&self) -> io::Result<BTreeMap<String, String>> {
        let mut files = BTreeMap::new();
        collect(&self.folder, "", &mut files)?;
        for text in files.values_mut() {
            *text = text
                .replace(TIME, "<time>")
                .replace(WORKSPACE, "<workspace>");
        }
        Ok(files)
    }
}

/// The files below a folder by relative path.
fn collect(folder: &Path, prefix: &str, files: &mut BTreeMap<String, String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &format!("{name}/"), files)?;
        } else {
            files.insert(name, fs::read_to_string(entry.path())?);
        }
    }
    Ok(())
}

fn strings(value: &Value) -> Vec<String> {
    list(value)
        .iter()
        .filter_map(|item| item.as_str().map(str::to_owned))
        .collect()
}
