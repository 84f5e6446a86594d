//! What the README claims: its numbers, counted, and its provider, evaluated.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use agent_graph_runtime::{Facts, Provider, State, Status};

fn workspace() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests
        .parent()
        .expect("the package lies in the workspace")
        .to_path_buf()
}

/// The crates that a build of the runtime with these features has, the runtime itself included.
fn crates(features: &[&str]) -> usize {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args([
            "tree",
            "--offline",
            "--locked",
            "--edges",
            "normal",
            "--prefix",
            "none",
        ])
        // The same count on every machine.
        .args(["--target", "x86_64-unknown-linux-gnu"])
        .args(["--package", "agent-graph-runtime", "--no-default-features"])
        .args(["--format", "{p}", "--features", &features.join(",")])
        .current_dir(workspace())
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout).expect("cargo writes text");
    let names: BTreeSet<&str> = text
        .lines()
        .filter_map(|line| line.split(" (").next())
        .collect();
    names.len()
}

/// The last cell of the README's row about a feature.
fn claimed(readme: &str, feature: &str) -> usize {
    let start = format!("| {feature} |");
    let row = readme
        .lines()
        .find(|line| line.starts_with(&start))
        .expect("the README has the row");
    let cell = row.trim_end_matches('|').rsplit('|').next().unwrap_or("");
    cell.trim().parse().expect("the last cell is a number")
}

#[test]
fn the_readme_counts_the_crates_of_the_runtime_and_of_each_feature() {
    let readme = std::fs::read_to_string(workspace().join("README.md")).expect("there is a README");
    let core = crates(&[]);
    assert_eq!(
        claimed(&readme, "(core)"),
        core - 1,
        "beside the runtime itself"
    );
    let std = crates(&["std"]);
    assert_eq!(claimed(&readme, "`std`"), std - core);
    for feature in [
        "routes",
        "explain",
        "driver",
        "unicode-collation",
        "dynamic",
        "runs",
        "materialize",
        "pi",
        "pi-process",
        "user-schemas",
    ] {
        assert_eq!(
            claimed(&readme, &format!("`{feature}`")),
            crates(&[feature]) - std,
            "{feature}"
        );
    }
    let total = format!("has {} crates", crates(&["default"]));
    assert!(readme.contains(&total), "the README should say: {total}");
}

/// The files of the README: code blocks that begin with the comment `# path`.
fn files(readme: &str) -> impl Iterator<Item = (&str, &str)> {
    readme.split("```yaml\n# ").skip(1).map(|block| {
        let end = block.find("```").expect("the block ends");
        block
            .get(..end)
            .and_then(|block| block.split_once('\n'))
            .expect("the block has a name")
    })
}

#[test]
fn the_provider_of_the_readme_works_as_written() {
    let readme = std::fs::read_to_string(workspace().join("README.md")).expect("there is a README");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme");
    for (path, text) in files(&readme) {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("folders are made");
        std::fs::write(path, text).expect("files are written");
    }
    let provider = Provider::load(folder.join("workflow/provider.yaml")).expect("it is valid");
    let mut state = State::new();
    let evaluation = provider.evaluate("bread", "default", &state);
    assert_eq!(evaluation.expect("a graph").status(), Status::Actionable);
    state.set_facts(Facts::from_json(r#"{"dough":{"ready":true}}"#).expect("facts"));
    let evaluation = provider.evaluate("bread", "default", &state);
    assert_eq!(evaluation.expect("a graph").status(), Status::Complete);
}
