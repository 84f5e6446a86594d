//! Graphs of pi-graph: `pi validate`, `pi inspect`, `pi graph`, and how they are found by name.

use crate::*;

/// The smallest graph of this name.
fn graph(name: &str, node: &str) -> String {
    format!(
        r#"{{ "schemaVersion": 2, "name": "{name}", "entry": "{node}", "limits": {{}},
  "nodes": {{ "{node}": {{ "type": "set", "assign": [{{ "path": "greeting", "value": "hi" }}] }} }} }}"#
    )
}

/// A home and a project, with a graph of one name in both and one of its own in each.
fn places() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("home/graphs/greet.json", graph("greet", "of-user"));
    scratch.write("home/graphs/mine.json", graph("mine", "mine"));
    scratch.write("home/graphs/notes.txt", "no graph");
    scratch.write(
        "project/.pi/graphs/greet.json",
        graph("greet", "of-project"),
    );
    scratch.write("project/.pi/graphs/theirs.json", graph("theirs", "theirs"));
    scratch.write("project/deep/down/file.txt", "");
    scratch
}

const HOME: [&str; 2] = ["--agent-dir", "../../../home"];

/// Runs `pi` deep in the project.
fn pi(scratch: &Scratch, arguments: &[&str], more: &[&str]) -> Value {
    let all = [&["pi"], arguments, &HOME[..], more].concat();
    result(&scratch.root().join("project/deep/down"), &all)
}

/// The answer of a validation that refuses something.
#[track_caller]
fn invalid(folder: &Path, arguments: &[&str]) -> Value {
    let output = play(folder, &[&["--format", "json"], arguments].concat());
    assert_eq!(text(&output.stderr), "", "{arguments:?}");
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    one_line(text(&output.stdout))
}

#[test]
fn a_project_that_is_trusted_stands_before_the_user_and_another_one_is_left_alone() {
    let scratch = places();
    let names = |found: &Value| {
        let graphs = found["graphs"].as_array().unwrap().iter();
        graphs
            .map(|graph| format!("{} {} {}", graph["scope"], graph["name"], graph["hidden"]))
            .collect::<Vec<_>>()
            .join(", ")
            .replace('"', "")
    };
    let untrusted = pi(&scratch, &["inspect"], &[]);
    assert_eq!(names(&untrusted), "user greet false, user mine false");
    let problem = &untrusted["problems"][0];
    assert_eq!(problem["level"], "warning");
    assert_eq!(problem["code"], "PROJECT_GRAPH_UNTRUSTED");
    let trusted = pi(&scratch, &["inspect"], &["--trust-project"]);
    assert_eq!(
        names(&trusted),
        "project greet false, project theirs false, user greet true, user mine false"
    );
    let of = |more: &[&str]| pi(&scratch, &["inspect", "greet"], more)["nodes"][0]["id"].clone();
    assert_eq!(of(&[]), "of-user");
    assert_eq!(of(&["--trust-project"]), "of-project");
    assert_eq!(of(&["--trust-project", "--scope", "user"]), "of-user");
    let only = pi(
        &scratch,
        &["inspect"],
        &["--trust-project", "--scope", "project"],
    );
    assert_eq!(names(&only), "project greet false, project theirs false");
}

#[test]
fn the_nearest_project_counts() {
    let scratch = places();
    scratch.write("project/deep/.pi/graphs/near.json", graph("near", "near"));
    let found = pi(
        &scratch,
        &["inspect"],
        &["--trust-project", "--scope", "project"],
    );
    assert_eq!(found["graphs"].as_array().unwrap().len(), 1);
    assert_eq!(found["graphs"][0]["name"], "near");
    scratch.write("project/deep/.other/graphs/far.json", graph("far", "far"));
    let found = pi(
        &scratch,
        &["inspect"],
        &[
            "--trust-project",
            "--config-dir",
            ".other",
            "--scope",
            "project",
        ],
    );
    assert_eq!(found["graphs"][0]["name"], "far");
}

#[test]
fn the_environment_names_the_agent_directory_where_no_option_does() {
    let scratch = places();
    let folder = scratch.root().join("project/deep/down");
    let ask = |name: &str, value: std::path::PathBuf| {
        let arguments = ["--format", "json", "pi", "inspect", "mine"];
        let mut command = program(&folder, &arguments);
        command.env_remove("PI_CODING_AGENT_DIR").env(name, value);
        command.output().unwrap()
    };
    let named = ask("PI_CODING_AGENT_DIR", scratch.root().join("home"));
    assert_eq!(one_line(text(&named.stdout))["name"], "mine");
    let home = scratch.root().join("somebody");
    scratch.write(
        "somebody/.pi/agent/graphs/mine.json",
        graph("mine", "at-home"),
    );
    let at_home = one_line(text(&ask("HOME", home).stdout));
    assert_eq!(at_home["nodes"][0]["id"], "at-home");
}

#[test]
fn a_definition_is_valid_or_every_mistake_is_told_as_the_protocol_has_it_and_at_its_place() {
    let scratch = places();
    let folder = scratch.root();
    let all = pi(&scratch, &["validate"], &["--trust-project"]);
    assert_eq!(all["state"], "valid");
    assert_eq!(all["graphs"].as_array().unwrap().len(), 4);
    let broken = graph("broken", "hello")
        .replace("\"entry\": \"hello\"", "\"entry\": \"nobody\"")
        .replace("\"value\": \"hi\"", "\"valu\": \"hi\"");
    scratch.write("broken.json", &broken);
    scratch.write(
        "broken.json",
        broken.replace("\"limits\": {}", "\"limit\": {}"),
    );
    let refused = invalid(&folder, &["pi", "validate", "broken.json"]);
    let diagnostics = refused["graphs"][0]["diagnostics"].as_array().unwrap();
    // The graph first, its nodes second: the order of the protocol.
    let order: Vec<_> = diagnostics
        .iter()
        .map(|it| (&it["code"], &it["path"]))
        .collect();
    assert_eq!(order[0], (&"UNKNOWN_FIELD".into(), &"limit".into()));
    assert_eq!(
        order[1],
        (&"UNKNOWN_FIELD".into(), &"nodes.hello.assign.0.valu".into())
    );
    let last = &diagnostics[1];
    assert_eq!(
        (&last["level"], &last["line"]),
        (&"error".into(), &2.into())
    );
    assert_eq!(last["pointer"], "/nodes/hello/assign/0/valu");
    let human = play(&folder, &["pi", "validate", "broken.json"]);
    assert_eq!(human.status.code(), Some(1));
    let said = text(&human.stdout);
    assert!(said.starts_with("Invalid: broken.json\n"), "{said}");
    assert!(
        said.contains("--> broken.json:2:") && said.contains("^^^^"),
        "{said}"
    );
    scratch.write("home/graphs/broken.json", &broken);
    let arguments = ["pi", "validate", "--agent-dir", "home", "--scope", "user"];
    let refused = invalid(&folder, &arguments);
    let graphs = refused["graphs"].as_array().unwrap();
    let states: Vec<_> = graphs
        .iter()
        .map(|graph| graph["state"].as_str().unwrap())
        .collect();
    assert_eq!(states, ["valid", "valid", "invalid"]);
    let path = graphs[2]["path"].as_str().unwrap();
    assert!(path.ends_with("home/graphs/broken.json"), "{path}");
    // Who wants to show or draw it is told the same.
    let refused = error(&folder, &["pi", "inspect", "broken.json"]);
    let detail = &refused["diagnostics"][0]["detail"];
    assert_eq!(detail["protocol"]["code"], "UNKNOWN_FIELD");
    assert_eq!(detail["protocol"]["path"], "limit");
}

#[test]
fn every_file_that_is_asked_for_is_reported_whichever_is_wrong() {
    let scratch = places();
    let folder = scratch.root();
    scratch.write("right.json", graph("right", "right"));
    scratch.write("wrong.json", "{\"__proto__\": 1}");
    let old = graph("old", "old").replace("\"schemaVersion\": 2", "\"schemaVersion\": 1");
    scratch.write("old.json", old);
    let asked = [
        "wrong.json",
        "right.json",
        "nowhere.json",
        "nobody",
        "old.json",
    ];
    let refused = invalid(
        &folder,
        &[&["pi", "validate"], &asked[..], &["--agent-dir", "home"]].concat(),
    );
    assert_eq!(refused["state"], "invalid");
    let graphs = refused["graphs"].as_array().unwrap();
    let told: Vec<_> = graphs
        .iter()
        .map(|graph| {
            (
                graph["state"].as_str().unwrap(),
                &graph["diagnostics"][0]["code"],
            )
        })
        .collect();
    assert_eq!(told[0], ("invalid", &"FORBIDDEN_KEY".into()));
    assert_eq!(told[1], ("valid", &"SINGLE_NODE_GRAPH".into()));
    assert_eq!(told[2], ("invalid", &"GRAPH_FILE".into()));
    assert_eq!(graphs[2]["diagnostics"][0]["finding"], "file-missing");
    assert_eq!(graphs[3]["name"], "nobody");
    assert_eq!(graphs[3]["diagnostics"][0]["finding"], "graph-missing");
    assert_eq!(told[4], ("invalid", &"SCHEMA_VERSION".into()));
    assert!(graphs[4]["migration"][0]["instruction"].is_string());
    let human = play(&folder, &["pi", "validate", "wrong.json", "right.json"]);
    assert!(
        text(&human.stdout).contains("Valid: right (right.json)"),
        "{}",
        text(&human.stdout)
    );
}

#[test]
fn what_a_definition_says_cannot_steer_a_terminal_or_turn_its_text() {
    let scratch = places();
    let folder = scratch.root();
    let bad = "a\u{202e}b\u{2067}c\u{9b}d";
    let described = graph("g", "n").replace(
        "\"limits\": {}",
        &format!("\"limits\": {{}}, \"description\": \"{bad}\", \"{bad}\": \"\\u001b[2J\""),
    );
    scratch.write("bad.json", &described);
    let named = graph(bad, bad);
    scratch.write("named.json", &named);
    for arguments in [
        &["pi", "validate", "bad.json", "named.json"][..],
        &["pi", "inspect", "bad.json"],
        &["pi", "inspect", "named.json"],
        &["pi", "inspect", bad],
        &["pi", "validate", "--agent-dir", bad],
    ] {
        let output = play(&folder, arguments);
        let said = format!("{}{}", text(&output.stdout), text(&output.stderr));
        let steers = |c: char| {
            matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
                || (c.is_control() && c != '\n')
        };
        assert!(!said.contains(steers), "{arguments:?}: {said:?}");
        assert!(!said.is_empty(), "{arguments:?}");
    }
}

#[test]
fn two_graphs_of_one_name_beside_each_other_are_a_problem() {
    let scratch = places();
    scratch.write("home/graphs/twin.json", graph("mine", "twin"));
    let found = pi(&scratch, &["inspect"], &["--scope", "user"]);
    assert_eq!(found["graphs"].as_array().unwrap().len(), 2);
    let problem = &found["problems"][0];
    assert_eq!(
        (&problem["code"], &problem["level"]),
        (&"GRAPH_FILE".into(), &"error".into())
    );
    let message = problem["message"].as_str().unwrap();
    assert!(message.contains("mine.json"), "{message}");
    let arguments = [&["pi", "validate", "--scope", "user"], &HOME[..]].concat();
    let refused = invalid(&scratch.root().join("project/deep/down"), &arguments);
    assert_eq!(refused["problems"][0]["code"], "GRAPH_FILE");
}

#[cfg(unix)]
#[test]
fn what_cannot_be_read_is_no_graph_and_does_not_stop_the_others() {
    let scratch = places();
    scratch.write("home/graphs/folder.json/inside", "");
    let large = format!("{{\"long\":\"{}\"}}", "x".repeat(50 << 20));
    scratch.write("home/graphs/large.json", large);
    let looping = scratch.root().join("home/graphs/loop.json");
    std::os::unix::fs::symlink(&looping, &looping).unwrap();
    let found = pi(&scratch, &["inspect"], &["--scope", "user"]);
    assert_eq!(found["graphs"].as_array().unwrap().len(), 2);
    assert_eq!(found["problems"].as_array().unwrap().len(), 3);
    for problem in found["problems"].as_array().unwrap() {
        assert_eq!(problem["code"], "GRAPH_FILE", "{problem}");
        assert_eq!(problem["diagnostics"][0]["code"], "GRAPH_FILE", "{problem}");
    }
    let arguments = [&["pi", "inspect", "--scope", "user"], &HOME[..]].concat();
    let human = play(&scratch.root().join("project/deep/down"), &arguments);
    assert_eq!(text(&human.stdout).matches("GRAPH_FILE: ").count(), 3);
    assert!(found.to_string().len() < 10_000);
    scratch.write("file/graphs", "no folder");
    let arguments = ["pi", "inspect", "--scope", "user", "--agent-dir", "file"];
    let found = result(&scratch.root(), &arguments);
    assert_eq!(found["problems"][0]["code"], "GRAPH_DIR_READ");
}

#[test]
fn a_name_that_nobody_has_is_refused_with_those_that_there_are() {
    let scratch = places();
    let folder = scratch.root().join("project/deep/down");
    let arguments = [&["pi", "graph", "theirs"], &HOME[..]].concat();
    let missing = error(&folder, &arguments);
    assert_eq!(missing["code"], "graph-missing");
    let message = missing["message"].as_str().unwrap();
    assert!(message.contains("`greet`, `mine`"), "{message}");
    assert!(message.contains("--trust-project"), "{message}");
    assert_eq!(
        error(&folder, &["pi", "inspect", "--scope", "all"])["code"],
        "option-invalid"
    );
}

#[test]
fn a_definition_with_every_feature_is_drawn_with_its_nodes_conditions_barrier_and_end() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let file = "every-feature.graph.json";
    let svg = play(&folder, &["pi", "graph", file]);
    assert_eq!(svg.status.code(), Some(0), "{}", text(&svg.stderr));
    assert!(text(&svg.stdout).starts_with("<svg "));
    let drawn = result(&folder, &["pi", "graph", file, "--as", "mermaid"]);
    let drawn = drawn["picture"].as_str().unwrap();
    for part in [
        "refine 🔧",
        "all",
        "end",
        "score gte 8",
        "otherwise",
        "on error",
        "start",
    ] {
        assert!(drawn.contains(part), "{part}: {drawn}");
    }
    let shown = result(&folder, &["pi", "inspect", file]);
    assert_eq!(shown["nodes"].as_array().unwrap().len(), 8);
    assert_eq!(
        shown["edges"][1]["from"],
        serde_json::json!(["review api", "review.docs"])
    );
}
