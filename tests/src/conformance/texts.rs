//! The vectors that are texts: `canonical.json`, `facts.json`, `fact-checks.json`, `yaml.json`.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use agent_graph_runtime::json::Value as OurValue;
use agent_graph_runtime::{Digest, Facts, Provider, State};
use serde_json::{Value, json};

use super::report::{Report, Verdict};
use crate::compare::difference;
use crate::sources::{read_json, write_files};

pub(super) fn run(directory: &Path, scratch: &Path, report: &mut Report) -> io::Result<()> {
    let intended = Intended::read(directory)?;
    let mut file = |name: &str, judge: &dyn Fn(&Value, &Value) -> Verdict| -> io::Result<()> {
        let path = directory.join(name);
        if path.exists() {
            for (index, vector) in list(&read_json(&path)?).iter().enumerate() {
                let entry = intended.of(name, index);
                report.case(&format!("{name} {index}"), || judge(vector, entry));
            }
        }
        Ok(())
    };
    file("canonical.json", &|vector, entry| {
        let apart = text(vector, "canonical").chars().any(is_ordered_otherwise);
        match canonical(vector, "text", entry) {
            Verdict::Failed(_) if apart => Verdict::Apart,
            verdict => verdict,
        }
    })?;
    file("facts.json", &facts)?;
    file("fact-checks.json", &|vector, entry| {
        fact_check(vector, entry, scratch)
    })?;
    file("yaml.json", &yaml)
}

/// Whether the pinned collation data is known to order the character unlike the reference's: Han
/// ideographs, and (as far as the vectors use them) characters that Unicode does not assign.
fn is_ordered_otherwise(character: char) -> bool {
    matches!(
        u32::from(character),
        0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x20000..=0x323af | 0x208f | 0x209d..=0x209f
    )
}

/// What the top `deliberate.json` says, by file and position.
struct Intended(HashMap<(String, usize), Value>);

impl Intended {
    fn read(directory: &Path) -> io::Result<Self> {
        let path = directory.join("deliberate.json");
        let entries = if path.exists() {
            read_json(&path)?
        } else {
            json!([])
        };
        Ok(Self(
            list(&entries)
                .iter()
                .map(|entry| {
                    let file = entry["file"].as_str().unwrap_or_default().to_owned();
                    let case = entry["case"].as_u64().unwrap_or(u64::MAX) as usize;
                    ((file, case), entry.clone())
                })
                .collect(),
        ))
    }

    fn of(&self, file: &str, case: usize) -> &Value {
        self.0.get(&(file.to_owned(), case)).unwrap_or(&Value::Null)
    }
}

pub(super) fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_default()
}

/// A value of ours as the comparison wants it.
fn compared(value: &OurValue) -> Value {
    serde_json::to_value(value).unwrap_or_else(|error| json!({ "not JSON": error.to_string() }))
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| json!({ "no JSON number": text }))
}

fn refused(entry: &Value, accepted: bool) -> Option<Verdict> {
    if entry["rejected"] == true {
        return Some(if accepted {
            Verdict::Failed(format!("has to be refused, see {}", entry["ids"]))
        } else {
            Verdict::Differs
        });
    }
    None
}

/// Judges a canonical text and its digest; `source` names the member with the JSON text.
pub(super) fn canonical(vector: &Value, source: &str, entry: &Value) -> Verdict {
    let read = OurValue::from_json(text(vector, source));
    if let Some(verdict) = refused(entry, read.is_ok()) {
        return verdict;
    }
    let result = read.and_then(|value| Ok((value.canonical()?, Digest::of_value(&value)?)));
    match result {
        Ok((canonical, digest)) => {
            let received = (canonical, digest.to_string());
            Verdict::on(
                (
                    text(vector, "canonical").into(),
                    text(vector, "digest").into(),
                ),
                received,
            )
        }
        Err(error) => Verdict::Failed(format!("{}: {error}", text(vector, source))),
    }
}

fn facts(vector: &Value, entry: &Value) -> Verdict {
    let facts = match Facts::from_json(text(vector, "factsText")) {
        Ok(facts) => facts,
        Err(error) => return Verdict::Failed(error.to_string()),
    };
    let intended = |name: &str| entry.get(name).or_else(|| vector.get(name));
    let exists = intended("exists") == Some(&json!(true));
    let wanted = exists.then(|| intended("valueText")).flatten();
    let found = facts.get(text(vector, "path"));
    let verdict = match (wanted.and_then(Value::as_str), found) {
        (None, None) => Verdict::Passed,
        (Some(wanted), Some(found)) => match difference(&parsed(wanted), &compared(found)) {
            None => Verdict::Passed,
            Some(difference) => Verdict::Failed(difference.to_string()),
        },
        (wanted, found) => Verdict::Failed(format!("expected {wanted:?}, received {found:?}")),
    };
    verdict.on_purpose(!entry.is_null())
}

/// A fact check has no life of its own: it is asked through a provider whose only step requires it.
fn fact_check(vector: &Value, entry: &Value, scratch: &Path) -> Verdict {
    match asked(vector, scratch) {
        Ok(matches) => {
            let wanted = entry.get("matches").unwrap_or(&vector["matches"]);
            Verdict::on(wanted, &json!(matches)).on_purpose(!entry.is_null())
        }
        Err(why) => Verdict::Failed(why),
    }
}

fn asked(vector: &Value, scratch: &Path) -> Result<bool, String> {
    let graph = format!(
        r#"{{"schema":"agent-graph.graph.v1","id":"g","entrypoints":{{"default":"asked"}},"nodes":[
        {{"id":"asked","kind":"action","reasonCode":"route.asked","action":"a.yaml","requiresFacts":[{}]}},
        {{"id":"end","kind":"terminal","terminalOutcome":"completed"}}],"edges":[]}}"#,
        text(vector, "checkText")
    );
    let manifest = "schema: agent-graph.provider.v1\nid: p\nversion: 1.0.0\ngraphs: [g.json]\n";
    let action =
        "schema: agent-graph.action.v1\nid: a\nrunner: command\neffect: read\ncommand: a\n";
    let files = [
        ("provider.yaml", manifest),
        ("g.json", &graph),
        ("a.yaml", action),
    ]
    .map(|(path, text)| (path.to_owned(), text.to_owned()));
    let folder = scratch.join("fact-check");
    write_files(&folder, &files).map_err(|error| error.to_string())?;
    let provider =
        Provider::load(folder.join("provider.yaml")).map_err(|found| found.to_string())?;
    let mut state = State::new();
    let facts = Facts::from_json(text(vector, "factsText")).map_err(|error| error.to_string())?;
    state.set_facts(facts);
    let evaluation = provider
        .evaluate("g", "default", &state)
        .map_err(|error| error.to_string())?;
    match evaluation.status().as_str() {
        "actionable" => Ok(true),
        "blocked" => Ok(false),
        other => Err(format!("unexpected status {other}")),
    }
}

fn yaml(vector: &Value, entry: &Value) -> Verdict {
    let source = text(vector, "text");
    let read = agent_graph_runtime::load::value_of_document("vector.yaml", source.as_bytes());
    if let Some(verdict) = refused(entry, read.is_ok()) {
        return verdict;
    }
    let recorded = vector["ok"] == true;
    let allowed = |name: &str| entry[name] == true;
    match (recorded, read) {
        (true, Ok(value)) => {
            let received = compared(&value);
            let differs = |name: &Value| difference(&parsed(name.as_str()?), &received);
            match (differs(&vector["valueText"]), entry["mayBe"].is_string()) {
                (None, _) => Verdict::Passed,
                (Some(_), true) if differs(&entry["mayBe"]).is_none() => Verdict::Differs,
                (Some(difference), _) => Verdict::Failed(format!("{source:?} {difference}")),
            }
        }
        (false, Err(_)) => Verdict::Passed,
        (true, Err(_)) if allowed("mayRefuse") => Verdict::Differs,
        (false, Ok(_)) if allowed("mayAccept") => Verdict::Differs,
        (true, Err(finding)) => Verdict::Failed(format!("{source:?} is refused: {finding}")),
        (false, Ok(value)) => Verdict::Failed(format!("{source:?} is read as {value:?}")),
    }
}
