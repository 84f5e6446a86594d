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
    assert_eq!(problem["severity"], "warning");
    assert!(
        problem["message"]
            .as_str()
            .unwrap()
            .starts_with("PROJECT_GRAPH_UNTRUSTED: ")
    );
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
fn a_definition_is_valid_or_every_mistake_is_shown_at_its_place() {
    let scratch = places();
    let folder = scratch.root();
    let all = pi(&scratch, &["validate"], &["--trust-project"]);
    assert_eq!(all["state"], "valid");
    assert_eq!(all["graphs"].as_array().unwrap().len(), 4);
    let broken = graph("broken", "hello")
        .replace("\"entry\": \"hello\"", "\"entry\": \"nobody\"")
        .replace("\"value\": \"hi\"", "\"valu\": \"hi\"");
    scratch.write("broken.json", &broken);
    let refused = error(&folder, &["pi", "validate", "broken.json"]);
    assert_eq!(refused["code"], "pi-graph-invalid");
    let diagnostic = &refused["diagnostics"][0];
    assert!(
        diagnostic["message"]
            .as_str()
            .unwrap()
            .starts_with("UNKNOWN_FIELD: ")
    );
    assert_eq!(diagnostic["detail"]["line"], 2);
    let human = play(&folder, &["pi", "validate", "broken.json"]);
    let errors = text(&human.stderr);
    assert!(errors.starts_with("ERROR pi-graph-invalid "), "{errors}");
    assert!(errors.contains("--> broken.json:2:"), "{errors}");
    scratch.write("home/graphs/broken.json", &broken);
    let found = [
        &["pi", "validate", "--agent-dir", "home"][..],
        &["--scope", "user"],
    ]
    .concat();
    let refused = error(&folder, &found);
    let path = refused["diagnostics"][0]["path"].as_str().unwrap();
    assert!(path.ends_with("home/graphs/broken.json"), "{path}");
}

#[test]
fn two_graphs_of_one_name_beside_each_other_are_a_problem() {
    let scratch = places();
    scratch.write("home/graphs/twin.json", graph("mine", "twin"));
    let found = pi(&scratch, &["inspect"], &["--scope", "user"]);
    assert_eq!(found["graphs"].as_array().unwrap().len(), 2);
    let message = found["problems"][0]["message"].as_str().unwrap();
    assert!(
        message.starts_with("GRAPH_FILE: ") && message.contains("mine.json"),
        "{message}"
    );
    assert_eq!(found["problems"][0]["severity"], "error");
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
    assert!(found.to_string().len() < 10_000);
    scratch.write("file/graphs", "no folder");
    let arguments = ["pi", "inspect", "--scope", "user", "--agent-dir", "file"];
    let found = result(&scratch.root(), &arguments);
    let message = found["problems"][0]["message"].as_str().unwrap();
    assert!(message.starts_with("GRAPH_DIR_READ: "), "{message}");
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
