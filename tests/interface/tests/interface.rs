//! What the crates offer is what is written down. `AGENT_GRAPH_BLESS=1` writes it down anew.

use std::fs;
use std::path::Path;

use agent_graph_interface::interface;

fn is_as_written_down(package: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let first_file = folder.join("../..").join(package).join("src/lib.rs");
    let actual = interface(&first_file).unwrap_or_else(|error| panic!("{error}"));
    let path = folder.join("expected").join(format!("{package}.txt"));
    if std::env::var_os("AGENT_GRAPH_BLESS").is_some() {
        return fs::write(path, actual).expect("it is writable");
    }
    let expected = fs::read_to_string(path)
        .unwrap_or_default()
        .replace("\r\n", "\n");
    let differing = expected
        .lines()
        .zip(actual.lines())
        .position(|(a, b)| a != b);
    let line = differing.unwrap_or_else(|| expected.lines().count().min(actual.lines().count()));
    assert!(
        expected == actual,
        "{package} offers something else from line {} on: `{}` instead of `{}`. If that is meant, write it down with \
         AGENT_GRAPH_BLESS=1, and in CHANGELOG.md",
        line + 1,
        actual.lines().nth(line).unwrap_or_default(),
        expected.lines().nth(line).unwrap_or_default(),
    );
}

#[test]
fn the_runtime_offers_what_is_written_down() {
    is_as_written_down("agent-graph-runtime");
}

#[test]
fn the_build_helper_offers_what_is_written_down() {
    is_as_written_down("agent-graph-build");
}

#[test]
fn the_macros_are_those_that_are_written_down() {
    is_as_written_down("agent-graph-macros");
}

/// The interface of a crate with these files.
fn of(name: &str, files: &[(&str, &str)]) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("interface")
        .join(name);
    fs::create_dir_all(&folder).expect("the folder can be made");
    for (path, text) in files {
        fs::write(folder.join(path), text).expect("it is writable");
    }
    interface(&folder.join("lib.rs")).unwrap_or_else(|error| panic!("{error}"))
}

const TEA: &str = "/// Tea.\n#[derive(Clone)]\npub struct Tea { pub minutes: u8, leaves: u8 }\n\
    impl Tea { pub fn steep(&self) -> u8 { self.minutes } fn pour(&self) {} }\n";

#[test]
fn where_a_public_item_is_written_and_what_is_inside_makes_no_difference() {
    let here = of("here", &[("lib.rs", TEA)]);
    assert!(here.contains("pub fn steep(&self) -> u8 {}"), "{here}");
    assert!(!here.contains("pour") && !here.contains("leaves"), "{here}");
    let elsewhere = TEA
        .replace("self.minutes }", "self.minutes + self.leaves }")
        .replace("/// Tea.", "/// A drink.");
    let lib = "mod kitchen;\npub use kitchen::Tea;\n";
    assert_eq!(
        of("elsewhere", &[("lib.rs", lib), ("kitchen.rs", &elsewhere)]),
        here
    );
}

#[test]
fn whatever_users_can_name_makes_a_difference() {
    let before = of("before", &[("lib.rs", TEA)]);
    for (number, (from, to)) in [
        ("pub minutes: u8", "pub minutes: u16"),
        ("pub minutes: u8", "minutes: u8"),
        ("steep", "brew"),
        ("-> u8", "-> u16"),
        ("#[derive(Clone)]", ""),
        ("pub fn steep", "fn steep"),
        ("impl Tea", "impl Copy for Tea {}\nimpl Tea"),
        ("pub struct", "#[non_exhaustive] pub struct"),
        ("pub struct", "#[cfg(feature = \"std\")] pub struct"),
        (
            "pub struct",
            "pub mod kitchen { pub const CUPS: u8 = 1; }\npub struct",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let changed = of(
            &format!("after-{number}"),
            &[("lib.rs", &TEA.replacen(from, to, 1))],
        );
        assert_ne!(changed, before, "{from} -> {to}");
    }
}
