//! What changes between two versions, change by change with its class.

mod data;

use std::fs;

use agent_graph_build::bundle::Bundle;
use agent_graph_build::diff::{Change, Class, diff};
use agent_graph_runtime::load::load;

use data::{Scratch, folders, workspace_tests};

/// The changes when `old` becomes `new` in a file of the example.
#[track_caller]
fn changes(path: &str, old: &str, new: &str) -> Vec<Change> {
    let example = workspace_tests().join("examples/release-gate");
    let scratch = Scratch::with(&example);
    let text = fs::read_to_string(example.join(path)).unwrap();
    assert!(text.contains(old), "{path} has no {old:?}");
    scratch.write(path, text.replacen(old, new, 1));
    let before = load(&example.join("provider.yaml")).unwrap();
    let after = load(&scratch.root().join("provider.yaml")).unwrap_or_else(|it| panic!("{it}"));
    let difference = diff(&before, &after);
    let greatest = difference.changes.iter().map(|change| change.class).max();
    assert_eq!(difference.class, greatest.unwrap_or(Class::Identical));
    difference.changes
}

/// Asserts that exactly this changes.
#[track_caller]
fn changes_one(path: &str, old: &str, new: &str, class: Class, subject: &str) {
    let changes = changes(path, old, new);
    let found: Vec<(Class, &str)> = changes
        .iter()
        .map(|change| (change.class, change.subject.as_str()))
        .collect();
    assert_eq!(found, [(class, subject)]);
}

#[test]
fn each_change_has_its_class() {
    let graph = "graphs/release.yaml";
    changes_one(
        "provider.yaml",
        "1.2.0",
        "1.3.0",
        Class::Wording,
        "provider, version",
    );
    changes_one(
        "provider.yaml",
        "harbor/release",
        "harbor/r",
        Class::BreaksStoredRuns,
        "provider, id",
    );
    changes_one(
        "resources/package.md",
        "\n---\n",
        "\n---\nMore.\n",
        Class::Wording,
        "file resources/package.md",
    );
    changes_one(
        "scripts/package.sh",
        "\n",
        "\n# more\n",
        Class::RouteChanging,
        "file scripts/package.sh",
    );
    changes_one(
        graph,
        "entrypoints:\n",
        "entrypoints:\n  again: package\n",
        Class::Additive,
        "graph release, entry again",
    );
}

#[test]
fn comments_and_form_are_no_change() {
    assert_eq!(
        changes("graphs/release.yaml", "\nnodes:", "\n# The nodes.\nnodes:"),
        []
    );
}

#[test]
fn a_provider_is_the_same_as_itself_and_as_its_bundle() {
    for folder in folders(&workspace_tests().join("examples")) {
        let loaded = load(&folder.join("provider.yaml")).unwrap();
        assert_eq!(diff(&loaded, &loaded).changes, []);
        // The bundle differs by the form of its manifest.
        let bundle = Bundle::of(&loaded).unwrap();
        let scratch = Scratch::with(&folder);
        scratch.write("provider.yaml", bundle.provider_yaml());
        let other = load(&scratch.root().join("provider.yaml")).unwrap();
        assert_eq!(diff(&loaded, &other).class, Class::Identical);
    }
}

#[test]
fn a_node_that_goes_breaks_stored_runs_and_takes_its_attributes_along() {
    let example = workspace_tests().join("examples/release-gate");
    let scratch = Scratch::with(&example);
    let path = "graphs/release.yaml";
    let text = fs::read_to_string(example.join(path)).unwrap();
    let renamed = text
        .replace("id: mend\n", "id: repair\n")
        .replace("to: mend\n", "to: repair\n")
        .replace("from: mend\n", "from: repair\n")
        .replace("id: mend,", "id: repair,")
        .replace("to: mend,", "to: repair,")
        .replace("to: mend }", "to: repair }")
        .replace("from: mend,", "from: repair,");
    assert_ne!(text, renamed);
    scratch.write(path, renamed);
    let before = load(&example.join("provider.yaml")).unwrap();
    let after = load(&scratch.root().join("provider.yaml")).unwrap_or_else(|it| panic!("{it}"));
    let difference = diff(&before, &after);
    assert_eq!(difference.class, Class::BreaksStoredRuns);
    let first = &difference.changes[0];
    assert_eq!(first.subject, "graph release, node mend");
    assert_eq!(
        (first.before.as_deref(), first.after.as_deref()),
        (Some("action"), None)
    );
    assert!(
        difference
            .changes
            .iter()
            .all(|change| !change.subject.contains("reason"))
    );
}
