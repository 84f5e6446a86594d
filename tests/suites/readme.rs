//! What the README claims in numbers, counted.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

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
        "unicode-collation",
        "dynamic",
        "runs",
        "materialize",
        "pi",
        "user-schemas",
    ] {
        assert_eq!(
            claimed(&readme, &format!("`{feature}`")),
            crates(&[feature]) - std,
            "{feature}"
        );
    }
    let total = format!("has {} crates", crates(&["std", "unicode-collation"]));
    assert!(readme.contains(&total), "the README should say: {total}");
}
