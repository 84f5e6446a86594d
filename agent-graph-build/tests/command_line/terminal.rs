//! What people see who sit at a terminal and wait, and that nobody else sees it.
#![cfg(target_os = "linux")]

use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::*;

/// A terminal: what is read from it, and the end that a program writes to.
fn terminal() -> (File, File) {
    let reader: OwnedFd = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&reader).unwrap();
    unlockpt(&reader).unwrap();
    let name = ptsname(&reader, Vec::new()).unwrap().into_string().unwrap();
    let writer = File::options().read(true).write(true).open(name).unwrap();
    (reader.into(), writer)
}

/// What a program writes to a terminal as standard error, and its standard output.
fn on_a_terminal(folder: &Path, arguments: &[&str]) -> (String, String) {
    let (mut reader, writer) = terminal();
    let mut child = program(folder, arguments)
        .stdout(Stdio::piped())
        .stderr(writer)
        .spawn()
        .unwrap();
    let shown = std::thread::spawn(move || {
        let mut shown = Vec::new();
        // A terminal whose other end is gone ends in an error.
        let _ = reader.read_to_end(&mut shown);
        String::from_utf8(shown).unwrap()
    });
    let mut results = String::new();
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_to_string(&mut results).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{results}");
    (shown.join().unwrap(), results)
}

/// A provider with a resource that takes a second and a half to make.
fn slow() -> (Scratch, Vec<String>) {
    let scratch = Scratch::with(&example("host-batch"));
    let script = "#!/bin/sh\nsleep 1.5\nprintf '{\"open\":2}'\n";
    scratch.write("scripts/show-queue.sh", script);
    let evaluation = result(&scratch.root(), &["evaluate", "batch"]);
    let revision = evaluation["revision"].as_str().unwrap().to_owned();
    let make = [
        "resource",
        "materialize",
        "queue.current",
        "--cache",
        "cache",
    ];
    let make = make.map(str::to_owned).into_iter();
    let make = make.chain(["--revision".to_owned(), revision]).collect();
    (scratch, make)
}

#[test]
fn work_that_takes_long_is_told_on_a_terminal_and_the_line_is_gone_at_the_end() {
    let (scratch, make) = slow();
    let make: Vec<&str> = make.iter().map(String::as_str).collect();
    let (shown, results) = on_a_terminal(&scratch.root(), &make);
    let line = "\r\x1b[2Kagent-graph resource: making queue.current, 1 s";
    assert!(shown.starts_with(line), "{shown:?}");
    assert!(shown.ends_with("\r\x1b[2K"), "{shown:?}");
    assert!(
        results.starts_with("Resource: queue.current\n"),
        "{results}"
    );
}

#[test]
fn work_that_takes_long_is_not_told_where_nobody_sits() {
    let (scratch, make) = slow();
    let make: Vec<&str> = make.iter().map(String::as_str).collect();
    let output = play(&scratch.root(), &make);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn work_that_is_done_soon_leaves_a_terminal_alone() {
    let (shown, results) = on_a_terminal(&example("release-gate"), &["test"]);
    assert_eq!(shown, "");
    assert!(!results.contains('\x1b'), "{results}");
}
