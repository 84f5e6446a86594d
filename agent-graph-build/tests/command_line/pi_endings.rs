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

#[test]
fn a_run_that_another_process_has_is_left_to_it() {
    let stage = Stage::new(ALONE, &agent("slow", "hang here"), "", "\"slow\"");
    let child = stage
        .drive(&["run", "g.json", "--run-id", "r1"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    stage.hanging("here");
    // It is waited for as long as the right of a process lasts that is gone; this one renews it.
    let since = Instant::now();
    assert_eq!(stage.refusal(&["resume", "r1"])["code"], "RUN_LEASE_HELD");
    assert!(since.elapsed() >= Duration::from_secs(1));
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(ended(child), 130);
    assert_eq!(stage.lines(&["resume", "r1"]).1, 0);
    assert_eq!(stage.count("hang here"), 2);
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

/// What a person does when they are asked.
#[derive(Clone, Copy)]
enum Reaction {
    Types(&'static str),
    Interrupts,
}

/// Plays a command with a person at its terminal, who reacts to one question after the other. Gives what they saw,
/// and the exit status.
fn with_person(mut command: Command, reactions: &[(&str, Reaction)]) -> (String, i32) {
    let (theirs, mut person) = terminal();
    command
        .stdin(theirs.try_clone().unwrap())
        .stdout(theirs.try_clone().unwrap())
        .stderr(theirs);
    let child = command.spawn().unwrap();
    // The program has its side alone: when it ends, there is nothing more to read.
    drop(command);
    let mut screen = String::new();
    let mut reactions = reactions.iter();
    let mut next = reactions.next();
    let mut chunk = [0; 1024];
    while let Ok(count @ 1..) = person.read(&mut chunk) {
        screen.push_str(&String::from_utf8_lossy(&chunk[..count]));
        if let Some((question, reaction)) = next
            && screen.ends_with(question)
        {
            match reaction {
                Reaction::Types(text) => person.write_all(text.as_bytes()).unwrap(),
                Reaction::Interrupts => {
                    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
                }
            }
            next = reactions.next();
        }
    }
    let code = ended(child);
    assert!(next.is_none(), "{screen}");
    (screen, code)
}

#[test]
fn a_person_at_a_terminal_sees_what_is_at_work_confirms_and_answers() {
    let writes = r#""a":{"type":"agent","prompt":"say hi"}"#;
    let human = r#""ok":{"type":"human","kind":"confirm","prompt":"Is \u202e\u001b[2J{{ outputs.a }} good?"}"#;
    let nodes = [writes, human].join(",");
    let stage = Stage::new("", &nodes, &edge("a", "ok"), "\"a\"");
    let reactions = [
        ("Run it? [yes or no] ", Reaction::Types("yes\n")),
        ("good?\r\n[yes or no] ", Reaction::Types("maybe\n")),
        ("no answer here. ", Reaction::Types("YES\n")),
    ];
    let command = stage.drive(&["run", "g.json", "--run-id", "r1"]);
    let (screen, code) = with_person(command, &reactions);
    assert_eq!(code, 0, "{screen}");
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

#[test]
fn a_question_can_be_left_with_ctrl_c_or_the_end_of_input_and_answered_later() {
    let human = r#""ok":{"type":"human","kind":"input","prompt":"What?"}"#;
    let stage = Stage::new("", human, "", "\"ok\"");
    let start = |id| stage.drive(&["run", "g.json", "--run-id", id]);
    let (screen, code) = with_person(start("r1"), &[("> ", Reaction::Interrupts)]);
    assert_eq!(code, 130, "{screen}");
    let (screen, code) = with_person(start("r2"), &[("> ", Reaction::Types("\u{4}"))]);
    assert_eq!(code, 3, "{screen}");
    for id in ["r1", "r2"] {
        let command = stage.drive(&["resume", id]);
        let (screen, code) = with_person(command, &[("> ", Reaction::Types("that\n"))]);
        assert_eq!(code, 0, "{screen}");
        assert!(screen.contains("\"ok\": \"that\""), "{screen}");
    }
}

#[test]
fn what_a_person_does_not_confirm_is_not_run() {
    let writes = r#""a":{"type":"agent","prompt":"say hi"}"#;
    let stage = Stage::new("", writes, "", "\"a\"");
    let command = stage.drive(&["run", "g.json"]);
    let (screen, code) = with_person(command, &[("[yes or no] ", Reaction::Types("no\n"))]);
    assert_eq!(code, 1);
    assert!(screen.contains("pi-graph-refused"), "{screen}");
    assert_eq!(stage.count("say hi"), 0);
}
