//! What all commands have in common: streams, exit status, help, large and unreadable input.

use crate::*;

#[test]
fn errors_for_people_begin_with_the_code_and_show_the_lines_of_each_diagnostic() {
    let scratch = Scratch::new();
    scratch.write(
        "provider.yaml",
        "schema: agent-graph.provider.v1\nid: A\ngraph: []\n",
    );
    let output = play(&scratch.root(), &["validate"]);
    let errors = text(&output.stderr);
    assert!(errors.starts_with("ERROR schema-invalid "), "{errors}");
    assert!(errors.contains("\n --> provider.yaml:2:5\n"), "{errors}");
    assert!(errors.contains("\n2 | id: A\n"), "{errors}");
    assert!(!errors.contains('\x1b'), "{errors}");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stdout), "");
}

#[test]
fn what_a_provider_says_cannot_steer_a_terminal_or_turn_its_text() {
    let scratch = Scratch::with(&example("release-gate"));
    let folder = scratch.root();
    let edit = |file: &str, from: &str, to: &str| {
        let before = std::fs::read_to_string(folder.join(file)).unwrap();
        let after = before.replace(from, to);
        assert_ne!(before, after, "{file}");
        scratch.write(file, after);
    };
    let graph = "graphs/release.yaml";
    let bad = r#""a\u202e\e[2J\u2066b\u009b""#;
    edit(graph, "Build the package", bad);
    edit(graph, "From a source revision to a published package.", bad);
    let harmless = |arguments: &[&str]| {
        let output = play(&folder, arguments);
        let said = format!("{}{}", text(&output.stdout), text(&output.stderr));
        let steers = |c: char| {
            matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
                || (c.is_control() && c != '\n')
        };
        assert!(!said.contains(steers), "{arguments:?}: {said:?}");
        said
    };
    let mut shown = String::new();
    for arguments in [
        &["validate"][..],
        &["inspect", "provider"],
        &["evaluate", "release"],
        &["route", "release"],
        &["explain", "release"],
        &["lint"],
        &["test", "a\u{202e}b"],
        &["a\u{202e}b\u{1b}[2J"],
        &["--a\u{202e}b"],
    ] {
        shown.push_str(&harmless(arguments));
    }
    assert!(shown.contains('\u{fffd}'), "{shown}");
    edit(graph, "kind: action", "kind: \"\\u202eaction\"");
    assert!(harmless(&["validate"]).contains("ERROR "));
    // A comment can hold it as it is.
    edit(graph, "nodes:", "nodes: # \u{202e}\u{2067}");
    edit(graph, "entrypoints:", "entry: # \u{202e}");
    assert!(harmless(&["validate"]).contains("ERROR "));
}

#[test]
fn usage_errors_are_plain_text_without_an_envelope() {
    let folder = example("release-gate");
    for arguments in [
        &["--format", "json", "nothing"][..],
        &["--format", "json", "evaluate", "--nothing"],
        &["--format", "json", "resource", "locate"],
        &["--format", "json", "init"],
        &[],
    ] {
        let output = play(&folder, arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert_eq!(text(&output.stdout), "", "{arguments:?}");
        assert!(!text(&output.stderr).starts_with('{'), "{arguments:?}");
        assert!(text(&output.stderr).contains("Usage"), "{arguments:?}");
    }
}

#[test]
fn help_and_version_are_results() {
    let folder = example("release-gate");
    for arguments in [
        &["--help"][..],
        &["-h"],
        &["run", "--help"],
        &["-V"],
        &["--version"],
    ] {
        let output = play(&folder, arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert_eq!(text(&output.stderr), "");
        assert!(!output.stdout.is_empty());
    }
}

#[test]
fn options_stand_before_or_after_the_command() {
    let folder = workspace_tests();
    let manifest = "examples/release-gate/provider.yaml";
    let before = play(
        &folder,
        &["-m", manifest, "--format", "json", "evaluate", "release"],
    );
    let after = play(
        &folder,
        &[
            "evaluate",
            "release",
            "--format",
            "json",
            "--manifest",
            manifest,
        ],
    );
    assert_eq!(before.status.code(), Some(0));
    assert_eq!(before.stdout, after.stdout);
}

#[cfg(target_os = "linux")]
#[test]
fn a_result_that_cannot_be_printed_is_an_error() {
    let folder = example("release-gate");
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = program(&folder, &["--format", "json", "validate"])
        .stdout(full)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let envelope = one_line(text(&output.stderr));
    assert_eq!(envelope["error"]["code"], "file-write-failed");
}

#[cfg(unix)]
#[test]
fn what_cannot_be_read_is_an_error_with_its_path() {
    let scratch = Scratch::new();
    scratch.write("provider.yaml/inside", "");
    assert_eq!(
        error(&scratch.root(), &["validate"])["code"],
        "file-missing"
    );
    let scratch = Scratch::with(&example("release-gate"));
    scratch.write("facts.json/inside", "");
    let folder = scratch.root();
    let unreadable = error(&folder, &["evaluate", "release", "--facts", "@facts.json"]);
    assert_eq!(unreadable["code"], "file-read-failed");
    let looping = folder.join("loop.yaml");
    std::os::unix::fs::symlink(&looping, &looping).unwrap();
    assert_eq!(
        error(&folder, &["-m", "loop.yaml", "validate"])["code"],
        "file-missing"
    );
    let status = error(&folder, &["run", "status", "--state", "loop.yaml"]);
    assert_eq!(status["code"], "file-read-failed");
}

#[cfg(unix)]
#[test]
fn nobody_who_reads_errors_is_no_reason_to_crash() {
    let folder = example("release-gate");
    for format in ["json", "human"] {
        let mut child = program(&folder, &["--format", format, "evaluate", "nothing"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stderr.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(text(&output.stdout), "");
    }
}

#[test]
fn fifty_megabytes_are_read_or_refused_and_nothing_is_spilled() {
    let scratch = Scratch::with(&example("release-gate"));
    let folder = scratch.root();
    let long = "x".repeat(50 << 20);
    scratch.write("facts.json", format!("{{\"long\":\"{long}\"}}"));
    let facts = error(&folder, &["evaluate", "release", "--facts", "@facts.json"]);
    assert_eq!(facts["code"], "input-limit");
    scratch.write("provider.yaml", format!("# {long}\n"));
    let manifest = error(&folder, &["validate"]);
    assert_eq!(manifest["code"], "input-limit");
    assert!(manifest.to_string().len() < 10_000);
}

#[test]
fn shells_and_manuals_know_every_command() {
    let folder = example("release-gate");
    let commands = [
        "validate",
        "evaluate",
        "graph",
        "materialize",
        "completions",
    ];
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = play(&folder, &["completions", shell]);
        assert_eq!(output.status.code(), Some(0));
        for command in commands {
            assert!(text(&output.stdout).contains(command), "{shell}: {command}");
        }
    }
    let page = result(&folder, &["man"])["page"].clone();
    let page = page.as_str().unwrap();
    assert!(page.contains(".TH agent-graph 1"), "{page}");
    for command in ["VALIDATE", "RESOURCE MATERIALIZE", "PI GRAPH"] {
        assert!(
            page.contains(&format!(".SH AGENT\\-GRAPH {command}"))
                || page.contains(&format!(".SH AGENT-GRAPH {command}")),
            "{command}: {page}"
        );
    }
    assert_eq!(
        error(&folder, &["completions", "tcl"])["code"],
        "option-invalid"
    );
}

#[test]
fn the_readme_names_every_command() {
    let readme = std::fs::read_to_string(workspace_tests().join("../README.md")).unwrap();
    let commands: Vec<&str> = readme
        .lines()
        .filter(|line| line.starts_with("| `"))
        .filter_map(|line| line.split(" | ").next())
        .collect();
    let commands = commands.join(" ");
    for command in agent_graph_build::cli::command().get_subcommands() {
        let name = command.get_name();
        let named = commands
            .split(|it: char| !it.is_alphanumeric())
            .any(|it| it == name);
        assert!(named, "{name}");
    }
}
