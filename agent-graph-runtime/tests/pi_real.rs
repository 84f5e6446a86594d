//! Agents as processes of the real `pi`, which asks a model that is a part of this test. Where `pi` or Node 22 is not
//! installed, a line on standard error says so.
#![cfg(all(feature = "dynamic", feature = "pi-process", unix))]

#[path = "support/model_server.rs"]
mod model_server;
#[path = "support/real_pi.rs"]
mod real_pi;

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use agent_graph_runtime::json::Object;
use agent_graph_runtime::pi::process::PiProcess;
use agent_graph_runtime::pi::run::{Run, RunCode, RunError, RunStatus};
use agent_graph_runtime::pi::runner::{Abort, Runner};
use agent_graph_runtime::pi::{self, Graph};
use model_server::{ModelServer, Reply, last_instruction, text_of};
use real_pi::RealPi;
use serde_json::{Value, json};

/// What the model does is what it is told.
fn model(request: &Value) -> Reply {
    let messages = request["messages"].as_array().unwrap();
    let instruction = last_instruction(request);
    let stop = |text: String| Reply::Text(text, "stop");
    // What a tool said is the answer.
    if let Some(last) = messages.last().filter(|last| last["role"] == "tool") {
        return stop(text_of(&last["content"]).trim().to_owned());
    }
    // What the engine adds stands in paragraphs of its own.
    let instruction = instruction.split("\n\n").next().unwrap_or_default();
    match instruction.split_once(':').unwrap_or((instruction, "")) {
        ("say", text) => stop(text.to_owned()),
        ("count", _) => {
            let said = messages.iter().filter(|it| it["role"] == "user").count();
            stop(format!("{said} instructions"))
        }
        ("read", path) => Reply::Tool("read", json!({ "path": path })),
        ("cut", text) => Reply::Text(text.to_owned(), "length"),
        ("refuse", _) => Reply::Refusal(400, "no such thing"),
        ("go on", _) => Reply::Endless,
        _ => stop("what?".to_owned()),
    }
}

/// A home for `pi`, and a folder in which it works.
struct Place {
    root: PathBuf,
    server: ModelServer,
}

impl Place {
    fn new(name: &str) -> Self {
        let root = std::env::temp_dir().join(format!("agent-graph-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&root);
        std::fs::create_dir_all(root.join("home")).unwrap();
        std::fs::create_dir_all(root.join("work")).unwrap();
        let server = ModelServer::start(model);
        std::fs::write(root.join("home/models.json"), server.models()).unwrap();
        Self { root, server }
    }

    fn executor(&self, pi: &RealPi) -> PiProcess {
        PiProcess::new(self.root.join("work"))
            .unwrap()
            .program(&pi.program)
            .variable("PATH", &pi.search_path)
            .variable("PI_CODING_AGENT_DIR", self.root.join("home"))
            .variable("PI_OFFLINE", "1")
            .threads_in(self.root.join("threads"))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.root);
    }
}

/// A graph with an agent for each line: its id, its instruction, and more members. All begin that no edge leads to.
fn graph(agents: &[(&str, &str, &str)], edges: &str) -> Graph {
    let nodes = agents.iter().map(|(id, prompt, more)| {
        format!(
            r#""{id}":{{"type":"agent","model":"local/scripted","readOnly":true,"prompt":"{prompt}"{more}}}"#
        )
    });
    let nodes = nodes.collect::<Vec<_>>().join(",");
    let first = agents.iter().map(|(id, ..)| format!("\"{id}\""));
    let first = first.filter(|id| !edges.contains(&format!("\"to\":{id}")));
    let entry = format!("[{}]", first.collect::<Vec<_>>().join(","));
    let text = format!(
        r#"{{"schemaVersion":2,"name":"g","limits":{{}},"entry":{entry},"nodes":{{{nodes}}},"edges":[{edges}]}}"#
    );
    pi::parse("g.json".into(), text.as_bytes()).unwrap().graph()
}

fn start(graph: &Graph) -> Run {
    Run::start(graph, "run-1", Object::new(), SystemTime::now().into()).unwrap()
}

fn outputs(run: &Run) -> Value {
    let state = pi::compact(&run.state().get("outputs").cloned().unwrap_or_default());
    serde_json::from_str(&state).unwrap()
}

fn edge(from: &str, to: &str) -> String {
    format!(r#"{{"from":"{from}","to":"{to}"}}"#)
}

#[test]
fn the_real_pi_answers_with_its_output_its_usage_and_the_context_of_its_thread() {
    let Some(pi) = real_pi::find("the real pi in a graph") else {
        return;
    };
    let place = Place::new("real-pi");
    std::fs::write(place.root.join("work/notes.txt"), "Doors open.").unwrap();
    let thread = r#","context":{"mode":"thread","threadKey":"t"}"#;
    let graph = graph(
        &[
            ("text", "say:Hello ✓", r#","systemPrompt":"Be polite.""#),
            (
                "data",
                "say:```json\\n{\\\"score\\\": 8}\\n```",
                r#","response":{"format":"json"}"#,
            ),
            ("tool", "read:notes.txt", ""),
            ("cut", "cut:Half a sent", ""),
            ("one", "count", thread),
            ("two", "count", thread),
            ("alone", "count", ""),
        ],
        &edge("one", "two"),
    );
    let mut run = start(&graph);
    let executor = place.executor(&pi);
    let status = Runner::new(&executor).drive(&mut run).unwrap();
    assert_eq!(status, RunStatus::Completed, "{:?}", run.error());
    let outputs = outputs(&run);
    assert_eq!(outputs["text"], "Hello ✓");
    assert_eq!(outputs["data"]["score"], 8.0);
    assert_eq!(outputs["tool"], "Doors open.");
    assert_eq!(outputs["cut"], "Half a sent");
    assert_eq!(
        (&outputs["one"], &outputs["two"], &outputs["alone"]),
        (
            &"1 instructions".into(),
            &"2 instructions".into(),
            &"1 instructions".into()
        )
    );

    // 100 tokens in, 40 of them from a cache, 10 out, at the prices of the model.
    let used = |node: &str| {
        let mut entries = run.history().iter();
        let entry = entries.rfind(|entry| entry.node == node).unwrap();
        assert_eq!(entry.usage.model.as_deref(), Some("scripted"));
        entry.usage.clone()
    };
    let once = used("text");
    assert_eq!((once.turns, once.tokens()), (1, 110));
    assert_eq!(
        (
            once.input_tokens,
            once.cache_read_tokens,
            once.output_tokens
        ),
        (60, 40, 10)
    );
    assert!((once.cost_usd - 0.0001).abs() < 1e-9, "{once:?}");
    let twice = used("tool");
    assert_eq!((twice.turns, twice.tokens()), (2, 220));
    assert_eq!(run.usage().turns, 8);

    let requests = place.server.requests();
    assert_eq!(requests.len(), 8);
    let system = |request: &Value| text_of(&request["messages"][0]["content"]);
    let mut polite = requests
        .iter()
        .filter(|request| system(request).contains("Be polite."));
    let polite = polite
        .next()
        .expect("one agent has a system prompt of its own");
    assert!(
        system(polite).contains("step \"text\""),
        "{}",
        system(polite)
    );
    let offered: Vec<&str> = tools(polite);
    assert_eq!(offered, ["read", "grep", "find", "ls"]);
    // One session for the thread, for its owner alone; none for the others.
    let sessions = std::fs::read_dir(place.root.join("threads/run-1")).unwrap();
    let sessions: Vec<PathBuf> = sessions.map(|entry| entry.unwrap().path()).collect();
    assert_eq!(sessions.len(), 1);
    let mode = std::fs::metadata(&sessions[0])
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    assert!(!place.root.join("home/sessions").exists());
}

/// The names of the tools that a model may call.
fn tools(request: &Value) -> Vec<&str> {
    let tools = request["tools"].as_array().into_iter().flatten();
    tools
        .filter_map(|tool| tool["function"]["name"].as_str())
        .collect()
}

#[test]
fn a_model_that_nobody_knows_fails_with_what_pi_says_about_it() {
    let Some(pi) = real_pi::find("the real pi without its model") else {
        return;
    };
    let place = Place::new("real-pi-unknown");
    let mut run = start(&graph(&[("a", "say:x", "")], ""));
    std::fs::write(place.root.join("home/models.json"), "{\"providers\":{}}").unwrap();
    let executor = place.executor(&pi);
    Runner::new(&executor).drive(&mut run).unwrap();
    let Some(RunError::Nodes(failures)) = run.error() else {
        panic!("{:?}", run.error());
    };
    assert_eq!(failures[0].code, RunCode::AgentFailed);
    assert!(
        failures[0].message.contains("local/scripted"),
        "{failures:?}"
    );
}

#[test]
fn what_the_model_refuses_fails_with_its_words_though_pi_exits_with_0() {
    let Some(pi) = real_pi::find("the real pi with a model that refuses") else {
        return;
    };
    let place = Place::new("real-pi-refused");
    let mut run = start(&graph(&[("a", "refuse", "")], ""));
    let executor = place.executor(&pi);
    Runner::new(&executor).drive(&mut run).unwrap();
    let Some(RunError::Nodes(failures)) = run.error() else {
        panic!("{:?}", run.error());
    };
    assert_eq!(failures[0].code, RunCode::AgentFailed);
    assert!(
        failures[0].message.contains("no such thing"),
        "{failures:?}"
    );
    assert_eq!(run.usage().turns, 1);
}

#[test]
fn the_real_pi_ends_in_the_middle_of_an_answer_when_the_run_is_ended() {
    let Some(pi) = real_pi::find("the real pi that is ended") else {
        return;
    };
    let place = Place::new("real-pi-ended");
    let mut run = start(&graph(&[("a", "go on", "")], ""));
    let executor = place.executor(&pi);
    let abort = Abort::new();
    let status = std::thread::scope(|scope| {
        scope.spawn(|| {
            let since = Instant::now();
            while place.server.requests().is_empty() && since.elapsed() < Duration::from_secs(60) {
                std::thread::sleep(Duration::from_millis(10));
            }
            abort.abort();
        });
        Runner::new(&executor)
            .ended_by(&abort)
            .drive(&mut run)
            .unwrap()
    });
    assert_eq!(status, RunStatus::Cancelled);
    assert_eq!(place.server.requests().len(), 1);
}
