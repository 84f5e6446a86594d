//! Graph tests: those of the examples, and what cannot be run. Recorded suites are judged by the suite
//! `conformance`.

mod data;

use std::fs;

use agent_graph_build::graph_test::{self, discover};
use agent_graph_runtime::{Code, Installed};

use data::{Scratch, folders, workspace_tests};

#[test]
fn the_tests_of_the_examples_pass() {
    for folder in folders(&workspace_tests().join("examples")) {
        let provider = Installed::load(folder.join("provider.yaml")).unwrap();
        let results = graph_test::run(&provider, folder.join("tests")).unwrap();
        assert!(!results.is_empty());
        for result in results {
            assert!(result.passed, "{result:#?}");
        }
    }
}

#[test]
fn cases_are_found_in_the_order_of_their_names_and_links_are_skipped() {
    let scratch = Scratch::new();
    for path in [
        "t/b/z.yml",
        "t/B/a.json",
        "t/a-1.yaml",
        "t/a.YAML",
        "t/c.txt",
        "t/_d/e.Json",
    ] {
        scratch.write(path, "");
    }
    #[cfg(unix)]
    {
        let tests = scratch.root().join("t");
        std::os::unix::fs::symlink(tests.join("a.YAML"), tests.join("link.yaml")).unwrap();
        std::os::unix::fs::symlink(&tests, tests.join("loop")).unwrap();
    }
    let tests = scratch.root().join("t");
    let found = discover(&tests).unwrap();
    let found: Vec<&str> = found
        .iter()
        .map(|path| path.strip_prefix(&tests).unwrap().to_str().unwrap())
        .collect();
    assert_eq!(
        found,
        ["_d/e.Json", "a-1.yaml", "a.YAML", "b/z.yml", "B/a.json"]
    );
    assert_eq!(discover(tests.join("c.txt")).unwrap().len(), 1);
}

#[test]
fn a_place_without_cases_is_an_error() {
    let scratch = Scratch::new();
    let code = |path: &str| discover(scratch.root().join(path)).unwrap_err().code();
    assert_eq!(code("nothing"), Code::TestPathMissing);
    assert_eq!(code("."), Code::TestCasesEmpty);
}

#[test]
#[should_panic(expected = "statusCode: expected complete, received actionable")]
fn a_case_that_fails_says_what_differs() {
    let example = workspace_tests().join("examples/release-gate");
    let mut files = discover(example.join("tests")).unwrap();
    let text = fs::read_to_string(files.remove(0)).unwrap();
    let status = text
        .lines()
        .find(|line| line.contains("statusCode"))
        .unwrap();
    let indent = status.find("statusCode").unwrap();
    let changed = text.replace(
        status,
        &format!("{}statusCode: complete", &status[..indent]),
    );
    let scratch = Scratch::new();
    let case = scratch.write("case.yaml", changed);
    graph_test::assert_case(example.join("provider.yaml"), case);
}

#[test]
#[should_panic(expected = "b.yaml is new")]
fn a_case_that_was_added_later_is_noticed() {
    let scratch = Scratch::new();
    scratch.write("a.yaml", "");
    scratch.write("b.yaml", "");
    graph_test::assert_complete(scratch.root(), &["a.yaml"]);
}
