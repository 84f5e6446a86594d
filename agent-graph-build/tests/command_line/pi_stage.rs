//! A graph, a store, and a program in the place of `pi` that does what its prompt says.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use rustix::process::Pid;

use crate::schemas::fits_schema;
use crate::*;

/// Longer than anything takes, shorter than anybody waits.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// An agent that notes each prompt and does what it says: `say` something, or `hang` the first time, after it has
/// written its process id into a file.
pub(crate) const STAND_IN: &str = r#"#!/bin/sh
prompt=$(cat)
printf '%s\n' "$prompt" >> PLACE/prompts
case "$prompt" in
  "say "*) text=${prompt#say } ;;
  "hang "*)
    mark=PLACE/${prompt#hang }
    if [ ! -e "$mark" ]; then
      echo $$ > "$mark.new" && mv "$mark.new" "$mark"
      exec sleep 600
    fi
    text="awake" ;;
esac
printf '{"type":"message_end","message":{"role":"assistant","content":"%s","model":"m","stopReason":"stop",' "$text"
printf '"usage":{"input":3,"output":2,"cost":{"total":0.001}}}}\n'
"#;

/// A folder with a graph, the stand-in, and a store.
pub(crate) struct Stage {
    pub(crate) scratch: Scratch,
}

impl Stage {
    pub(crate) fn new(policy: &str, nodes: &str, edges: &str, entry: &str) -> Self {
        let scratch = Scratch::new();
        let stage = Self { scratch };
        stage.define(policy, nodes, edges, entry);
        let program = STAND_IN.replace("PLACE", &stage.root().display().to_string());
        stage.scratch.write("agent", program);
        let executable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(stage.root().join("agent"), executable).unwrap();
        stage
    }

    pub(crate) fn define(&self, policy: &str, nodes: &str, edges: &str, entry: &str) {
        let graph = format!(
            r#"{{"schemaVersion":2,"name":"g","entry":{entry},"limits":{{}},"policy":{{{policy}}},
            "nodes":{{{nodes}}},"edges":[{edges}],"result":{{"paths":["outputs"]}}}}"#
        );
        self.scratch.write("g.json", graph);
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.scratch.root()
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let common = ["--store", "store", "--agent-dir", "nobody"];
        program(&self.root(), &[&["pi"], arguments, &common[..]].concat())
    }

    /// `pi run` or `pi resume` with the stand-in, and a lease that is over soon once the process is gone.
    pub(crate) fn drive(&self, arguments: &[&str]) -> Command {
        let own = ["--pi", "./agent", "--lease", "1"];
        self.command(&[arguments, &own[..]].concat())
    }

    /// The lines that were printed, and the exit status.
    pub(crate) fn lines(&self, arguments: &[&str]) -> (Vec<Value>, i32) {
        let output = self.drive(arguments).output().unwrap();
        assert_eq!(text(&output.stderr), "", "{arguments:?}");
        let lines = text(&output.stdout).lines();
        let lines: Vec<Value> = lines
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        for line in &lines {
            fits_schema("agent-graph.output.pi-line.v1", line);
        }
        (lines, output.status.code().unwrap())
    }

    pub(crate) fn refusal(&self, arguments: &[&str]) -> Value {
        let arguments = [&["--format", "json"], arguments].concat();
        let output = self.drive(&arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
        one_line(text(&output.stderr))["error"].clone()
    }

    pub(crate) fn status(&self, arguments: &[&str]) -> Value {
        let arguments = [&["--format", "json", "status"], arguments].concat();
        let output = self.command(&arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let status = one_line(text(&output.stdout));
        fits_schema("agent-graph.output.pi-status.v1", &status);
        status
    }

    /// How often an agent was given this prompt.
    pub(crate) fn count(&self, prompt: &str) -> usize {
        let prompts = std::fs::read_to_string(self.root().join("prompts")).unwrap_or_default();
        prompts.lines().filter(|line| *line == prompt).count()
    }

    /// The id of the process that hangs, once it does.
    pub(crate) fn hanging(&self, mark: &str) -> Pid {
        let path = self.root().join(mark);
        let since = Instant::now();
        while !path.exists() {
            assert!(since.elapsed() < PATIENCE, "nobody hangs");
            std::thread::sleep(Duration::from_millis(5));
        }
        let id = std::fs::read_to_string(path).unwrap();
        Pid::from_raw(id.trim().parse().unwrap()).unwrap()
    }
}

pub(crate) const ALONE: &str = r#""allowNonInteractive":true"#;

pub(crate) fn agent(id: &str, prompt: &str) -> String {
    format!(r#""{id}":{{"type":"agent","prompt":"{prompt}","readOnly":true}}"#)
}

pub(crate) fn edge(from: &str, to: &str) -> String {
    format!(r#"{{"from":"{from}","to":"{to}"}}"#)
}

pub(crate) fn types(lines: &[Value]) -> Vec<&str> {
    lines
        .iter()
        .map(|line| line["type"].as_str().unwrap())
        .collect()
}
