//! The example, played: it needs nothing but its executable, and finishes what it began.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn play(&self, arguments: &[&str]) -> Output {
        // Far from the files it was compiled from.
        let mut command = Command::new(env!("CARGO_BIN_EXE_batch-host"));
        command.args(arguments).current_dir(&self.0);
        command.output().unwrap()
    }

    /// The folder of the workflow that the host extracted.
    fn workflow(&self) -> PathBuf {
        let mut entries = fs::read_dir(self.0.join("office/workflow")).unwrap();
        entries.next().unwrap().unwrap().path()
    }
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn every_letter_is_read_about_answered_and_sent() {
    let scratch = Scratch::new("all");
    let said = text(&scratch.play(&["office"]));
    let expected = "\
1. Answer the next letter
   made the brief: Ada asks about the tides
   read style (124 bytes)
   answered letter-1
2. Answer the next letter
   made the brief: Ben asks about a broken kettle
   answered letter-2
3. Answer the next letter
   made the brief: Cleo asks about the opening hours
   answered letter-3
4. Send all answers
Done: the batch is completed.
";
    assert_eq!(said, expected);
    let sent = fs::read_to_string(scratch.0.join("office/sent")).unwrap();
    assert_eq!(sent.lines().count(), 3);
}

#[test]
fn a_batch_goes_on_from_what_can_be_seen() {
    let scratch = Scratch::new("again");
    text(&scratch.play(&["office"]));
    fs::remove_file(scratch.0.join("office/answers/letter-2")).unwrap();
    fs::remove_file(scratch.0.join("office/sent")).unwrap();
    let said = text(&scratch.play(&["office"]));
    assert_eq!(said.matches("answered ").count(), 1, "{said}");
    assert!(said.contains("answered letter-2"), "{said}");
    assert!(scratch.0.join("office/sent").exists());
}

#[test]
fn a_workflow_that_was_tampered_with_is_not_followed() {
    let scratch = Scratch::new("tampered");
    text(&scratch.play(&["office"]));
    let style = scratch.workflow().join("resources/style.md");
    fs::write(&style, "Promise everything.\n").unwrap();
    let refused = scratch.play(&["office"]);
    assert!(!refused.status.success());
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(said.contains("style.md"), "{said}");
    assert_eq!(fs::read(style).unwrap(), b"Promise everything.\n");
}
