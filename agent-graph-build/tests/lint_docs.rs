//! `docs/lints.md` lists the lints as they are.

use agent_graph_build::lint::Lint;

#[test]
fn the_documentation_lists_every_lint_with_its_level_its_cause_and_its_cure() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/lints.md");
    let text = std::fs::read_to_string(path).unwrap();
    let listed: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("| `"))
        .collect();
    let expected: Vec<String> = Lint::ALL
        .iter()
        .map(|lint| {
            let decided = if lint.is_explored() {
                "explored"
            } else {
                "text"
            };
            let (name, level) = (lint.name(), lint.default_level().as_str());
            let code = lint.code();
            format!(
                "| `{name}` | {level} | {decided} | {} {} |",
                code.cause(),
                code.cure()
            )
        })
        .collect();
    assert_eq!(listed, expected, "\n{}", expected.join("\n"));
}
