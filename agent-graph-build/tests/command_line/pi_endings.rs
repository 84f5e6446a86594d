//! Runs of pi-graph that are killed, ended, no longer read, or watched by a person at a terminal.
#![cfg(unix)]

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::Child;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::pi_stage::{ALONE, PATIENCE, Stage, agent, edge};
use crate::*;

/// Waits for the end of a process that has to end.
#[track_caller]
fn ended(mut child: Child) -> i32 {
    let since = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code().unwrap_or(-1);
        }
        if since.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("the process does not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[track_caller]
fn is_gone(process: Pid) {
    let since = Instant::now();
    while test_kill_process(process).is_ok() {
        assert!(since.elapsed() < PATIENCE, "the agent is still there");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_run_that_is_killed_goes_on_where_it_was_and_does_nothing_twice() {
    let nodes = [
        agent("first", "say one"),
        agent("fast", "say two"),
        agent("slow", "hang here"),
        agent("last", "say end"),
    ]
    .join(",");
    let edges = r#"{"from":"first","to":["fast","slow"]},{"from":["fast","slow"],"to":"last"}"#;
    let stage = Stage::new(ALONE, &nodes, edges, "\"first\"");
    let mut child = stage
        .drive(&["run", "g.json", "--run-id", "r1"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut events = BufReader::new(child.stdout.take().unwrap()).lines();
    let is_fast = |line: &str| line.contains("node_settled") && line.contains("\"fast\"");
    while !is_fast(&events.next().unwrap().unwrap()) {}
    let orphan = stage.hanging("here");
    // What was told is not stored yet at that very moment.
    let since = Instant::now();
    while stage.status(&["r1"])["nodeRuns"] != 3 {
        assert!(since.elapsed() < PATIENCE);
    }
    child.kill().unwrap();
    child.wait().unwrap();
    kill_process(orphan, Signal::KILL).unwrap();
    assert_eq!(stage.status(&["r1"])["status"], "running");
    // The right of the process that is gone is over after a second.
    let (lines, code) = stage.lines(&["resume", "r1"]);
    assert_eq!(code, 0, "{lines:?}");
    let outputs = &lines.last().unwrap()["result"]["outputs"];
    assert_eq!(
        (&outputs["fast"], &outputs["slow"], &outputs["last"]),
        (&"two".into(), &"awake".into(), &"end".into())
    );
    assert_eq!(
        (
            stage.count("say one"),
            stage.count("say two"),
            stage.count("hang here")
        ),
        (1, 1, 2)
    );
}

#[test]
fn ctrl_c_ends_the_agents_and_leaves_a_run_that_can_go_on() {
    for signal in [Signal::INT, Signal::TERM] {
        let stage = Stage::new(ALONE, &agent("slow", "hang here"), "", "\"slow\"");
        let child = stage
            .drive(&["run", "g.json", "--run-id", "r1"])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let agent = stage.hanging("here");
        kill_process(Pid::from_child(&child), signal).unwrap();
        assert_eq!(ended(child), 130);
        is_gone(agent);
        assert_eq!(stage.status(&["r1"])["status"], "cancelled");
        assert_eq!(stage.lines(&["resume", "r1"]).1, 0);
    }
}

#[test]
fn a_run_that_nobody_reads_any_more_ends_with_its_agents() {
    let nodes = [
        agent("a", "say hi"),
        agent("b", "say ho"),
        agent("c", "hang here"),
    ]
    .join(",");
    let edges = [edge("a", "b"), edge("b", "c")].join(",");
    let stage = Stage::new(ALONE, &nodes, &edges, "\"a\"");
    let mut child = stage
        .drive(&["run", "g.json", "--run-id", "r1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    reader.read_line(&mut String::new()).unwrap();
    drop(reader);
    let mut errors = child.stderr.take().unwrap();
    assert_eq!(ended(child), 130);
    let mut said = String::new();
    errors.read_to_string(&mut said).unwrap();
    assert_eq!(said, "");
    assert_eq!(stage.status(&["r1"])["status"], "cancelled");
}

/// A terminal: what the program has on its side, and what a person has on theirs.
fn terminal() -> (File, File) {
    let person = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&person).unwrap();
    unlockpt(&person).unwrap();
    let name = ptsname(&person, Vec::new()).unwrap();
    let path = PathBuf::from(name.to_str().unwrap());
    let mut options = std::fs::OpenOptions::new();
    let theirs = options.read(true).write(true).open(path).unwrap();
    (theirs, File::from(person))
}

#[test]
fn a_person_at_a_terminal_sees_what_is_at_work_confirms_and_answers() {
    let writes = r#""a":{"type":"agent","prompt":"say hi"}"#;
    let human = r#""ok":{"type":"human","kind":"confirm","prompt":"Is \u202e\u001b[2J{{ outputs.a }} good?"}"#;
    let nodes = [writes, human].join(",");
    let stage = Stage::new("", &nodes, &edge("a", "ok"), "\"a\"");
    let (theirs, mut person) = terminal();
    let mut command = stage.drive(&["run", "g.json", "--run-id", "r1"]);
    command
        .stdin(theirs.try_clone().unwrap())
        .stdout(theirs.try_clone().unwrap())
        .stderr(theirs);
    let child = command.spawn().unwrap();
    // The program has its side alone: when it ends, there is nothing more to read.
    drop(command);
    let mut screen = String::new();
    let mut answers = vec![
        ("Run it? [yes or no] ", "yes\n"),
        ("good?\r\n[yes or no] ", "maybe\n"),
        ("no answer here. ", "YES\n"),
    ]
    .into_iter();
    let mut next = answers.next();
    let mut chunk = [0; 1024];
    while let Ok(count @ 1..) = person.read(&mut chunk) {
        screen.push_str(&String::from_utf8_lossy(&chunk[..count]));
        if let Some((question, answer)) = next
            && screen.ends_with(question)
        {
            person.write_all(answer.as_bytes()).unwrap();
            next = answers.next();
        }
    }
    assert_eq!(ended(child), 0, "{screen}");
    assert_eq!(next, None, "{screen}");
    assert!(
        screen.contains("step 1: a\r\n") && screen.contains("a completed, 5 tokens, $0.001"),
        "{screen}"
    );
    assert!(screen.contains("\"ok\": true"), "{screen}");
    assert!(
        !screen.contains('\u{202e}') && !screen.contains("\u{1b}[2J"),
        "{screen:?}"
    );
}
