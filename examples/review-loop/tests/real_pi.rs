//! The example with the real `pi`, which asks a model that is a part of this test. Where `pi` or Node 22 is not
//! installed, a line on standard error says so.
#![cfg(unix)]

// Shared with the tests of the runtime, by path alone.
#[allow(dead_code)]
#[path = "../../../agent-graph-runtime/tests/support/model_server.rs"]
mod model_server;
#[path = "../../../agent-graph-runtime/tests/support/real_pi.rs"]
mod real_pi;

use std::io::Write;
use std::process::{Command, Stdio};

use model_server::{ModelServer, Reply, last_instruction};
use serde_json::Value;

/// Writes, reviews and refines; is satisfied with what was refined once.
fn model(request: &Value) -> Reply {
    let instruction = last_instruction(request);
    let answer = if instruction.starts_with("Review ") {
        let score = if instruction.contains("either side") {
            9
        } else {
            6
        };
        format!("```json\n{{\"score\": {score}, \"advice\": \"Say who is on either side.\"}}\n```")
    } else if instruction.starts_with("Write a better version") {
        "There may be somebody on either side of a door.".to_owned()
    } else {
        "Doors have two sides.".to_owned()
    };
    Reply::Text(answer, "stop")
}

#[test]
fn the_loop_with_the_real_pi_is_refined_until_the_scores_pass_and_a_person_approves() {
    let Some(pi) = real_pi::find("the review loop with the real pi") else {
        return;
    };
    let server = ModelServer::start(model);
    let home = std::env::temp_dir().join(format!("agent-graph-review-{}", std::process::id()));
    std::fs::create_dir_all(&home).unwrap();
    std::fs::write(home.join("models.json"), server.models()).unwrap();
    let settings = r#"{"defaultProvider":"local","defaultModel":"scripted"}"#;
    std::fs::write(home.join("settings.json"), settings).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_review-loop"))
        .args(["--pi", "doors"])
        .current_dir(&home)
        .env("PATH", &pi.search_path)
        .env("PI_CODING_AGENT_DIR", &home)
        .env("PI_OFFLINE", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"yes\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let _ = std::fs::remove_dir_all(&home);
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{errors}");
    assert!(
        said.contains("\"rounds\": 2") && said.contains("\"approved\": true"),
        "{said}"
    );
    assert!(said.contains("on either side of a door."), "{said}");
    // A draft, three reviews, a refinement, three reviews.
    assert_eq!(server.requests().len(), 8, "{said}");
}
