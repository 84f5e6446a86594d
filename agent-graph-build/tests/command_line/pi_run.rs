//! Runs of pi-graph through the real binary: events, results, answers, rules, and how they go on.
#![cfg(unix)]

use crate::pi_stage::{ALONE, Stage, agent, edge, types};
use crate::*;

#[test]
fn a_run_without_a_terminal_tells_events_as_lines_of_json_and_its_result_last() {
    let nodes = [
        agent("a", "say {{ input.task }} {{ input.how }}"),
        agent("b", "say {{ outputs.a }}!"),
    ]
    .join(",");
    let stage = Stage::new(ALONE, &nodes, &edge("a", "b"), "\"a\"");
    let (lines, code) = stage.lines(&[
        "run",
        "g.json",
        "hello",
        "--input",
        r#"{"how":"there","task":"no"}"#,
    ]);
    assert_eq!(code, 0);
    let expected = [
        "graph_start",
        "step_start",
        "node_start",
        "node_settled",
        "node_end",
        "step_end",
        "step_start",
        "node_start",
        "node_settled",
        "node_end",
        "step_end",
        "graph_end",
        "run",
    ];
    assert_eq!(types(&lines), expected);
    let told = lines.last().unwrap();
    assert_eq!(told["status"], "completed");
    assert_eq!(told["result"]["outputs"]["b"], "hello there!");
    assert_eq!(told["usage"]["inputTokens"], 6);
    assert_eq!(
        (told["nodeRuns"].as_u64(), told["step"].as_u64()),
        (Some(2), Some(2))
    );
    let id = told["runId"].as_str().unwrap();
    assert!(lines.iter().all(|line| line["runId"] == id), "{lines:?}");
    let listed = stage.status(&[]);
    assert_eq!(listed["runs"][0]["runId"], id);
    // What is completed stays so.
    let (again, code) = stage.lines(&["resume", id]);
    assert_eq!((types(&again), code), (vec!["run"], 0));
    assert_eq!(stage.count("say hello there"), 1);
}

#[test]
fn whoever_asks_for_text_gets_readable_lines_and_a_result() {
    let stage = Stage::new(ALONE, &agent("a", "say hi"), "", "\"a\"");
    let output = stage
        .drive(&["--format", "human", "run", "g.json", "--run-id", "r1"])
        .output()
        .unwrap();
    let progress = text(&output.stderr);
    assert!(
        progress.contains("step 1: a\n") && progress.contains("a completed, 5 tokens, $0.001"),
        "{progress}"
    );
    let said = text(&output.stdout);
    assert!(
        said.contains("Run: r1\n") && said.contains("\"a\": \"hi\""),
        "{said}"
    );
    assert!(!said.contains('\u{1b}') && !progress.contains('\u{1b}'));
    let inventory = stage
        .command(&["status", "r1", "--view", "inventory"])
        .output()
        .unwrap();
    assert!(
        text(&inventory.stdout).contains("outputs.a: 4 bytes"),
        "{}",
        text(&inventory.stdout)
    );
    assert_eq!(stage.status(&["r1", "--path", "outputs.a"])["value"], "hi");
}

#[test]
fn a_run_that_waits_for_a_person_says_what_it_asks_and_goes_on_with_the_answer() {
    let human = r#""ok":{"type":"human","kind":"select","prompt":"Which of {{ outputs.a }}?","options":["x","y"]}"#;
    let nodes = [agent("a", "say them"), human.to_owned()].join(",");
    let stage = Stage::new(ALONE, &nodes, &edge("a", "ok"), "\"a\"");
    let (lines, code) = stage.lines(&["run", "g.json", "--run-id", "r1"]);
    assert_eq!(code, 3);
    let told = lines.last().unwrap();
    assert_eq!(told["status"], "interrupted");
    assert_eq!(told["interrupt"]["prompt"], "Which of them?");
    assert_eq!(told["interrupt"]["options"], serde_json::json!(["x", "y"]));
    // Nothing is answered, so nothing happens.
    assert_eq!(stage.lines(&["resume", "r1"]).1, 3);
    let human = stage.command(&["status", "r1"]).output().unwrap();
    assert!(
        text(&human.stdout).contains("store\" --answer <text>"),
        "{}",
        text(&human.stdout)
    );
    let (lines, code) = stage.lines(&["resume", "r1", "--answer", "y"]);
    assert_eq!(code, 0);
    assert_eq!(lines.last().unwrap()["result"]["outputs"]["ok"], "y");
    assert_eq!(stage.count("say them"), 1);
}

#[test]
fn an_answer_can_be_any_value() {
    let stage = Stage::new(
        ALONE,
        r#""n":{"type":"human","prompt":"How many?"}"#,
        "",
        "\"n\"",
    );
    assert_eq!(stage.lines(&["run", "g.json", "--run-id", "r1"]).1, 3);
    let (lines, code) = stage.lines(&["resume", "r1", "--answer-json", "{\"n\":[null]}"]);
    assert_eq!(code, 0);
    assert_eq!(
        lines.last().unwrap()["result"]["outputs"]["n"]["n"][0],
        Value::Null
    );
}

#[test]
fn what_the_policy_of_a_graph_forbids_is_refused_before_anything_is_started() {
    let reads = agent("a", "say hi");
    let writes = reads.replace(",\"readOnly\":true", "");
    let stage = Stage::new("", &reads, "", "\"a\"");
    assert_eq!(
        stage.refusal(&["run", "g.json"])["code"],
        "pi-graph-refused"
    );
    stage.define(ALONE, &writes, "", "\"a\"");
    let refused = stage.refusal(&["run", "g.json", "--yes"]);
    assert!(
        refused["message"]
            .as_str()
            .unwrap()
            .contains("change things"),
        "{refused}"
    );
    let both = format!("{ALONE},\"allowNonInteractiveMutations\":true");
    stage.define(&both, &writes, "", "\"a\"");
    // It may, but nobody has confirmed it; once somebody has, that is remembered for this definition.
    let refused = stage.refusal(&["run", "g.json"]);
    assert!(
        refused["message"]
            .as_str()
            .unwrap()
            .contains("not confirmed"),
        "{refused}"
    );
    stage.define(ALONE, r#""h":{"type":"human","prompt":"?"}"#, "", "\"h\"");
    assert_eq!(
        stage.refusal(&["run", "g.json", "--no-checkpoints"])["code"],
        "pi-graph-refused"
    );
    assert_eq!(stage.count("say hi"), 0);
    stage.define(&both, &writes, "", "\"a\"");
    assert_eq!(stage.lines(&["run", "g.json", "--yes"]).1, 0);
    assert_eq!(stage.lines(&["run", "g.json"]).1, 0);
    stage.define(&both, &writes.replace("hi", "ho"), "", "\"a\"");
    assert_eq!(
        stage.refusal(&["run", "g.json"])["code"],
        "pi-graph-refused"
    );
    assert_eq!(stage.count("say hi"), 2);
}

#[test]
fn a_run_that_fails_says_why_and_a_definition_that_has_changed_is_named_before_it_goes_on() {
    let stage = Stage::new(ALONE, &agent("a", "nonsense"), "", "\"a\"");
    let (lines, code) = stage.lines(&["run", "g.json", "--run-id", "r1"]);
    assert_eq!(code, 1);
    let told = lines.last().unwrap();
    assert_eq!(told["status"], "failed");
    assert_eq!(told["failures"][0]["code"], "EMPTY_OUTPUT");
    stage.define(ALONE, &agent("a", "say better"), "", "\"a\"");
    let refused = stage.refusal(&["resume", "r1"]);
    assert_eq!(refused["code"], "GRAPH_CHANGED");
    assert!(
        refused["message"].as_str().unwrap().contains("texts"),
        "{refused}"
    );
    assert_eq!(stage.lines(&["resume", "r1", "--original"]).1, 1);
    assert_eq!(stage.lines(&["resume", "r1", "--force"]).1, 0);
    assert_eq!((stage.count("nonsense"), stage.count("say better")), (2, 1));
    assert_eq!(
        stage.refusal(&["resume", "nobody"])["code"],
        "CHECKPOINT_NOT_FOUND"
    );
    assert_eq!(
        stage.refusal(&["run", "g.json", "--run-id", "r1"])["code"],
        "CHECKPOINT_CONFLICT"
    );
    assert_eq!(
        stage.refusal(&["run", "g.json", "--run-id", "../r1"])["code"],
        "option-invalid"
    );
}

#[test]
fn a_graph_of_a_project_is_confirmed_each_time_its_definition_changes() {
    let stage = Stage::new("", "", "", "[]");
    let graph = format!(
        r#"{{"schemaVersion":2,"name":"p","entry":"a","limits":{{}},"policy":{{{ALONE}}},"nodes":{{{}}}}}"#,
        agent("a", "say hi")
    );
    stage.scratch.write(".pi/graphs/p.json", &graph);
    let by_name = ["run", "p", "--trust-project"];
    assert_eq!(stage.refusal(&["run", "p"])["code"], "graph-missing");
    assert_eq!(stage.refusal(&by_name)["code"], "pi-graph-refused");
    assert_eq!(stage.lines(&[&by_name[..], &["--yes"]].concat()).1, 0);
    assert_eq!(stage.lines(&by_name).1, 0);
    stage
        .scratch
        .write(".pi/graphs/p.json", graph.replace("say hi", "say ho"));
    assert_eq!(stage.refusal(&by_name)["code"], "pi-graph-refused");
}
