//! What a pipeline asks: `test`, `lint`, `diff`.

use crate::*;

#[test]
fn graph_tests_that_fail_set_the_exit_status() {
    let scratch = Scratch::with(&example("release-gate"));
    let folder = scratch.root();
    let passed = result(&folder, &["test"]);
    assert_eq!(passed["state"], "passed");
    assert_eq!(passed["failed"], 0);
    scratch.write(
        "tests/zz.yaml",
        "schema: agent-graph.test.v1\nname: wrong\ngraph: release\nentry: default\nexpect: { statusCode: blocked }\n",
    );
    let output = play(&folder, &["--format", "json", "test"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stderr), "");
    let failed = one_line(text(&output.stdout));
    assert_eq!(failed["state"], "failed");
    assert_eq!(failed["failed"], 1);
    let output = play(&folder, &["test"]);
    let human = text(&output.stdout);
    assert!(
        human.contains("statusCode: expected blocked, received actionable"),
        "{human}"
    );
    assert!(human.ends_with("10/11\n"), "{human}");
}

#[test]
fn lints_are_found_and_fail_when_they_are_denied() {
    let scratch = Scratch::with(&example("release-gate"));
    let folder = scratch.root();
    let clean = result(&folder, &["lint"]);
    assert_eq!(clean["state"], "passed");
    let codes = std::fs::read_to_string(folder.join("codes.yaml")).unwrap();
    let entry = "  - { code: route.unused, kind: route-reason, summary: nobody }\n";
    scratch.write("codes.yaml", format!("{codes}{entry}"));
    let warned = result(&folder, &["lint"]);
    assert_eq!(warned["findings"][0]["lint"], "unused-code");
    assert_eq!(
        warned["findings"][0]["path"],
        folder.join("codes.yaml").to_str().unwrap()
    );
    let output = play(
        &folder,
        &["--format", "json", "lint", "--deny", "unused-code"],
    );
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(one_line(text(&output.stdout))["denied"], 1);
    assert_eq!(result(&folder, &["lint", "--allow", "all"])["total"], 0);
    assert_eq!(
        error(&folder, &["lint", "--deny", "nothing"])["code"],
        "option-invalid"
    );
    let output = play(&folder, &["lint"]);
    assert!(text(&output.stdout).contains("unused-code"));
}

#[test]
fn a_difference_sets_the_exit_status_by_its_class() {
    let scratch = Scratch::with(&example("release-gate"));
    let folder = scratch.root();
    result(&folder, &["build", "old"]);
    let same = result(&folder, &["diff", "old/manifest.json"]);
    assert_eq!(same["class"], "identical");
    let manifest = std::fs::read_to_string(folder.join("provider.yaml")).unwrap();
    scratch.write("provider.yaml", manifest.replace("1.2.0", "1.3.0"));
    let wording = result(&folder, &["diff", "old/manifest.json", "provider.yaml"]);
    assert_eq!(wording["class"], "wording");
    assert_eq!(wording["old"]["version"], "1.2.0");
    assert_eq!(wording["changes"][0]["after"], "1.3.0");
    let strict = [
        "--format",
        "json",
        "diff",
        "old/manifest.json",
        "--fail-on",
        "wording",
    ];
    let output = play(&folder, &strict);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(one_line(text(&output.stdout)), wording);
    scratch.write(
        "provider.yaml",
        manifest.replace("harbor/release", "harbor/other"),
    );
    let output = play(&folder, &["diff", "old/manifest.json"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).starts_with("breaks-stored-runs: provider, id: "));
}
