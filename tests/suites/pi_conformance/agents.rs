//! One agent node: what it is told and how it is started, and what its process came to. A process is played
//! from its script in virtual time; nothing is started and nothing waits.

use std::ops::ControlFlow;
use std::path::Path;

use agent_graph_runtime::Timestamp;
use agent_graph_runtime::json::{Object, Value};
use agent_graph_runtime::pi::agent::{
    AgentNode, Artifact, Attempt, Ended, Found, Phrase, Prompt, Wording,
};
use agent_graph_runtime::pi::run::{AttemptResult, Failure, RunCode, Success, Usage, WorkThread};
use agent_graph_runtime::pi::{self, Graph};

use crate::cases::{Case, Verdict};
use crate::{forms, quirks};

const RUN: &str = "run-1";
const BASE: &str = "/graph-host/base";
const THREADS: &str = "/graph-host/threads";
const ARTIFACTS: &str = "/graph-host/artifacts";

/// 2030-01-01T00:00:00.000Z
const EPOCH: i64 = 1_893_456_000_000;

pub(crate) fn prompt(case: &Case<'_>) -> Verdict {
    judge(case, |graph, _| {
        let wording = tokens();
        let actual = match prepared(case, graph, &wording) {
            Ok(prepared) => prepared,
            Err(failure) => {
                let failure = object([
                    ("code", failure.code.as_str().into()),
                    ("retryable", failure.retryable.into()),
                ]);
                object([("failure", failure)])
            }
        };
        case.compare(case.get("expect").unwrap_or(&Value::Null), &actual)
    })
}

pub(crate) fn output(case: &Case<'_>) -> Verdict {
    judge(case, |graph, directory| {
        let wording = tokens();
        let Some(node) = AgentNode::of(graph, case.text("nodeId"), &wording) else {
            return Verdict::Failed("there is no such node".into());
        };
        let mut reports = Vec::new();
        let result = match play(case, node, directory, &mut reports) {
            Ok(result) => result,
            Err(problem) => return Verdict::Failed(problem),
        };
        let expected = case.object("expect");
        let mut actual = told(&result, expected.contains("message"));
        actual.insert("reports", reports);
        let actual = Value::Object(actual);
        match quirks::of_usage(&expected, &actual) {
            Some(reason) => Verdict::OnPurpose(reason),
            None => case.compare(&Value::Object(expected), &actual),
        }
    })
}

/// Judges a case on the graph as it is loaded and as it is compiled in.
fn judge(case: &Case<'_>, judge: impl Fn(&Graph, &Path) -> Verdict) -> Verdict {
    let node = case.get("node").cloned().unwrap_or_default();
    let id = case.text("nodeId");
    let definition = object([
        ("schemaVersion", 2.into()),
        ("name", "case".into()),
        ("entry", id.into()),
        ("limits", case.object("graphLimits").into()),
        ("nodes", object([(id, node)])),
    ]);
    let text = definition.to_string();
    let loaded = match pi::parse("case.json".into(), text.as_bytes()) {
        Ok(loaded) => loaded.graph(),
        Err(findings) => return Verdict::Failed(findings.to_string()),
    };
    let directory = crate::directory();
    let compiled_in = match forms::compiled_in(&loaded) {
        Ok(compiled_in) => judge(&compiled_in, &directory),
        Err(difference) => return Verdict::Failed(difference),
    };
    match compiled_in {
        Verdict::Failed(difference) => Verdict::Failed(format!("compiled in: {difference}")),
        _ => judge(&loaded, &directory),
    }
}

/// The tokens that stand for the engine's own words in the vectors.
pub(crate) fn tokens() -> Wording {
    Wording::from_names(|name| {
        let token = match name {
            "reviewer" | "instruction" | "reads" | "thread" | "truncated" => format!("[[{name}]]"),
            "read_only" => "[[read-only]]".into(),
            "json_contract" => "[[json-contract]]".into(),
            "responsibility" => "[[responsibility]]{}".into(),
            "reference" => "[[ref:{}]]".into(),
            name => format!("[[{name}:{{}}]]"),
        };
        Phrase::new(token)
    })
}

fn prepared(case: &Case<'_>, graph: &Graph, wording: &Wording) -> Result<Value, Failure> {
    let unknown = || Failure::new(RunCode::UnknownNode, "there is no such node");
    let node = AgentNode::of(graph, case.text("nodeId"), wording).ok_or_else(unknown)?;
    let prompt = node.prompt(&case.object("state"))?;
    let is = |name: &str| case.get(name) == Some(&Value::Bool(true));
    let thread = case.get("thread").and_then(thread);
    let root = (!is("noThreadDir")).then_some(THREADS);
    let session = node.session(root, RUN, thread.as_ref())?;
    if let Some(session) = &session {
        session.admit(if is("sessionFileLink") {
            Found::Other
        } else if is("sessionFileExists") {
            Found::RegularFile
        } else {
            Found::Nothing
        })?;
    }
    let session = session.as_ref().map(|session| session.path.as_str());
    let arguments = node.arguments(session, "<system-prompt-file>");
    let arguments: Vec<Value> = arguments.into_iter().map(Value::from).collect();
    Ok(object([
        ("argv", arguments.into()),
        ("cwd", node.working_directory(BASE).into()),
        ("stdin", prompt.user.as_str().into()),
        ("systemPrompt", prompt.system.as_str().into()),
        ("bytes", bytes(&prompt)),
    ]))
}

fn bytes(prompt: &Prompt) -> Value {
    let bytes = &prompt.bytes;
    object([
        ("instruction", number(bytes.instruction)),
        ("shared", number(bytes.shared)),
        ("reads", number(bytes.reads)),
        ("contract", number(bytes.contract)),
        ("system", number(bytes.system)),
        ("total", number(bytes.total)),
    ])
}

fn thread(value: &Value) -> Option<WorkThread> {
    let record = value.as_object()?;
    Some(WorkThread {
        key: record.get("key")?.as_str()?.into(),
        session_id: record.get("sessionId")?.as_str()?.into(),
        invocation_count: record.get("invocationCount")?.as_number()? as u64,
    })
}

/// What happens to a process, at which millisecond, in the order in which it counts at one millisecond.
#[derive(Clone, PartialEq, PartialOrd)]
enum Happening {
    Output(Vec<u8>),
    ErrorOutput(Vec<u8>),
    Exit(i32),
    TimeIsUp,
    Abort,
}

/// Plays the script of a process.
fn play(
    case: &Case<'_>,
    node: AgentNode<'_>,
    directory: &Path,
    reports: &mut Vec<Value>,
) -> Result<AttemptResult, String> {
    let context = case.object("context");
    let refused = context.get("budgetFailOnReport").and_then(Value::as_number);
    let began = Timestamp::from_unix_milliseconds(EPOCH);
    let mut attempt = match Attempt::begin(node, &case.object("state"), began) {
        Ok(attempt) => attempt,
        Err(failure) => return Ok(failure.into()),
    };
    let mut report = |usage: &Usage| {
        reports.push(used(usage, false));
        if refused.is_some_and(|nth| reports.len() as f64 == nth) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let mut ended = None;
    for (_, happening) in happenings(case, node, directory)? {
        match happening {
            Happening::Output(chunk) => attempt.output(&chunk, &mut report),
            Happening::ErrorOutput(chunk) => attempt.error_output(&chunk),
            Happening::Exit(code) => ended = Some(Ended::Exited(Some(code))),
            Happening::TimeIsUp => attempt.time_is_up(RunCode::NodeTimeout),
            Happening::Abort => attempt.abort(),
        }
        if ended.is_some() || attempt.must_stop() {
            break;
        }
    }
    let mut ended = ended.unwrap_or(Ended::Exited(None));
    if let Some(refused) = case.object("process").get("spawnError") {
        ended = Ended::Broken(refused.as_str().unwrap_or_default().into());
    }
    let mut store = |artifact: Artifact<'_>| store(&context, artifact);
    Ok(attempt.end(ended, &mut report, &mut store))
}

fn happenings(
    case: &Case<'_>,
    node: AgentNode<'_>,
    directory: &Path,
) -> Result<Vec<(u64, Happening)>, String> {
    let process = case.object("process");
    let time = |object: &Object, name: &str| {
        object.get(name).and_then(Value::as_number).unwrap_or(0.0) as u64
    };
    let mut happenings = Vec::new();
    for chunk in process
        .get("chunks")
        .and_then(Value::as_array)
        .unwrap_or(&[])
    {
        let chunk = chunk.as_object().ok_or("a chunk is none")?;
        happenings.push((time(chunk, "atMs"), written(chunk, directory)?));
    }
    if process.get("hang") != Some(&Value::Bool(true)) {
        let code = process.get("exitCode").and_then(Value::as_number);
        let exit = Happening::Exit(code.unwrap_or(0.0) as i32);
        happenings.push((time(&process, "durationMs"), exit));
    }
    happenings.extend(node.timeout_ms().map(|at| (at, Happening::TimeIsUp)));
    let context = case.object("context");
    if context.contains("abortAtMs") {
        happenings.push((time(&context, "abortAtMs"), Happening::Abort));
    }
    happenings.sort_by_key(|(at, _)| *at);
    Ok(happenings)
}

fn written(chunk: &Object, directory: &Path) -> Result<Happening, String> {
    let text = |name: &str| chunk.get(name).and_then(Value::as_str);
    if let Some(text) = text("stdout") {
        return Ok(Happening::Output(text.into()));
    }
    if let Some(text) = text("stderr") {
        return Ok(Happening::ErrorOutput(text.into()));
    }
    if let Some(hex) = text("stdoutHex") {
        let byte = |at: usize| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok();
        let bytes: Option<Vec<u8>> = (0..hex.len()).step_by(2).map(byte).collect();
        return Ok(Happening::Output(bytes.ok_or("a byte is none")?));
    }
    if let Some(file) = text("file") {
        let bytes = std::fs::read(directory.join(file)).map_err(|error| error.to_string())?;
        return Ok(Happening::Output(bytes));
    }
    let repeat = chunk.get("repeat").and_then(Value::as_object);
    let repeated = repeat.and_then(|repeat| {
        let count = repeat.get("count")?.as_number()? as usize;
        Some(repeat.get("text")?.as_str()?.repeat(count))
    });
    Ok(Happening::Output(
        repeated.ok_or("a chunk is empty")?.into(),
    ))
}

/// A host with one folder, in which a link may be.
fn store(context: &Object, artifact: Artifact<'_>) -> Result<String, Failure> {
    if context.get("noArtifactsDir") == Some(&Value::Bool(true)) {
        return Err(Failure::new(
            RunCode::ArtifactDirectory,
            "there is no folder",
        ));
    }
    let uri = format!("{ARTIFACTS}/{RUN}/{}", artifact.name);
    if context.get("artifactLink").and_then(Value::as_str) == Some(&uri) {
        return Err(Failure::new(
            RunCode::ArtifactPathInvalid,
            "there is a link",
        ));
    }
    Ok(uri)
}

/// The result as the vectors write it.
fn told(result: &AttemptResult, with_message: bool) -> Object {
    let mut told = Object::new();
    match result {
        AttemptResult::Success(Success {
            writes,
            output,
            usage,
        }) => {
            let writes = writes.iter().map(|write| {
                object([
                    ("path", write.path.as_str().into()),
                    ("value", write.value.clone().unwrap_or_default()),
                ])
            });
            told.insert("kind", "success");
            told.insert("output", output.clone().unwrap_or_default());
            told.insert("writes", writes.collect::<Vec<_>>());
            told.insert("usage", used(usage, true));
        }
        AttemptResult::Failure(failure) => {
            told.insert("kind", "failure");
            told.insert("code", failure.code.as_str());
            told.insert("retryable", failure.retryable);
            if with_message {
                told.insert("message", failure.message.as_str());
            }
            told.insert("usage", used(&failure.usage, true));
        }
        AttemptResult::Interrupt(_) => {
            told.insert("kind", "interrupt");
        }
    }
    told
}

fn used(usage: &Usage, with_model: bool) -> Value {
    let mut used = Object::new();
    used.insert("inputTokens", number(usage.input_tokens));
    used.insert("outputTokens", number(usage.output_tokens));
    used.insert("cacheReadTokens", number(usage.cache_read_tokens));
    used.insert("cacheWriteTokens", number(usage.cache_write_tokens));
    used.insert("turns", number(usage.turns));
    used.insert("costUsd", usage.cost_usd);
    if let Some(model) = usage.model.as_ref().filter(|_| with_model) {
        used.insert("model", model.as_str());
    }
    used.into()
}

fn number(count: u64) -> Value {
    Value::Number(count as f64)
}

fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Object(members.into_iter().collect())
}
