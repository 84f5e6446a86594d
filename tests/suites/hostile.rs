//! Definitions and inputs that mean harm, or are broken at random: a clean answer within bounded time,
//! never a panic. The recorded invalid definitions are judged by the conformance suite, which counts
//! a panic as a failure too.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use agent_graph_runtime::{Facts, Provider, State};
use agent_graph_tests::seeded::Chance;
use agent_graph_tests::sources::{self, write_files};
use agent_graph_tests::{baked, random, written};

const MANIFEST: &str = "schema: agent-graph.provider.v1\nid: p\nversion: 1.0.0\ngraphs: [g.yaml]\n";
const BUDGET: Duration = Duration::from_secs(20);

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("hostile")
        .join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("the scratch folder can be emptied");
    }
    folder
}

/// The code with which a provider of a plain manifest and this graph file is refused.
fn refusal(name: &str, graph: &str) -> String {
    let folder = scratch(name);
    let files = [("provider.yaml", MANIFEST), ("g.yaml", graph)]
        .map(|(path, text)| (path.to_owned(), text.to_owned()));
    write_files(&folder, &files).expect("the scratch folder takes files");
    let start = Instant::now();
    let findings = Provider::load(folder.join("provider.yaml")).expect_err("it is not valid");
    assert!(
        start.elapsed() < BUDGET,
        "{name} took {:?}",
        start.elapsed()
    );
    findings.code().as_str().to_owned()
}

#[test]
fn alias_bombs_are_refused_in_bounded_time() {
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for level in 1..40 {
        let alias = format!("*a{}", level - 1);
        bomb += &format!("a{level}: &a{level} [{}]\n", vec![alias; 10].join(", "));
    }
    assert!(["input-limit", "parse-failed"].contains(&refusal("aliases", &bomb).as_str()));
}

#[test]
fn an_alias_within_its_own_anchor_is_refused() {
    let code = refusal("self-alias", "a: &a [*a]\n");
    assert!(
        ["input-limit", "parse-failed"].contains(&code.as_str()),
        "{code}"
    );
}

#[test]
fn deep_nesting_is_refused_in_every_style() {
    let deep = 200_000;
    let flow = "[".repeat(deep);
    let mapping = "{a: ".repeat(deep);
    let dashes = "- ".repeat(deep);
    for (name, text) in [("flow", flow), ("mapping", mapping), ("dashes", dashes)] {
        let code = refusal(name, &text);
        assert!(
            ["input-limit", "parse-failed"].contains(&code.as_str()),
            "{name}: {code}"
        );
    }
}

#[test]
fn a_file_beyond_the_ceiling_is_refused() {
    let comment = format!("#{}\n", "x".repeat(1023)).repeat(6 * 1024);
    assert_eq!(refusal("huge", &comment), "input-limit");
}

#[test]
fn deep_and_long_inputs_of_an_evaluation_are_refused_or_read_but_never_crash() {
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(200_000), "]".repeat(200_000));
    assert!(Facts::from_json(&deep).is_err());
    assert!(State::from_json(&format!("{{\"facts\":{deep}}}")).is_err());
    let wide: Vec<String> = (0..100_000).map(|n| format!("\"k{n}\":{n}")).collect();
    let start = Instant::now();
    let facts = Facts::from_json(&format!("{{{}}}", wide.join(",")));
    assert!(facts.is_ok());
    assert!(start.elapsed() < BUDGET, "{:?}", start.elapsed());
    for text in [
        "",
        "{",
        "[]",
        "null",
        "{\"facts\":1}",
        "{\"outcomes\":[]}",
        "{\"authorities\":{}}",
        "{\"facts\":{\"a\":1e400}}",
        "{\"facts\":{\"a\":\"\\ud800\"}}",
        "{\"outcomes\":{\"a\":\"done\"}}",
    ] {
        assert!(State::from_json(text).is_err(), "{text}");
    }
}

/// One random change: flipped, dropped, doubled or foreign bytes, or a cut.
fn damaged(chance: &mut Chance, bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..chance.between(1, 3) {
        if bytes.is_empty() {
            return bytes;
        }
        let at = chance.below(bytes.len());
        let end = (at + chance.between(1, 12)).min(bytes.len());
        match chance.below(6) {
            0 => bytes[at] ^= 1 << chance.below(8),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let again = bytes[at..end].to_vec();
                bytes.splice(at..at, again);
            }
            3 => bytes.truncate(at),
            4 => {
                let foreign: &[&[u8]] = &[
                    b"\xff",
                    b"\0",
                    b"\xef\xbb\xbf",
                    b"\r",
                    b"\t",
                    b"*a",
                    b"&a ",
                    b"!!int ",
                    b"? ",
                    b"- ",
                    b": ",
                    b"{",
                    b"]",
                    b"|\n",
                    b"'",
                    b"\"\\ud800\"",
                    b"\xe2\x80\xa8",
                    b"../",
                    b"---\n",
                    b"%YAML 1.1\n",
                    b".nan",
                    b"1e999",
                    b"<<: ",
                ];
                bytes.splice(at..at, chance.one_of(foreign).iter().copied());
            }
            _ => {
                let other = chance.below(bytes.len());
                bytes.swap(at, other);
            }
        }
    }
    bytes
}

#[test]
fn randomly_damaged_providers_load_or_are_refused_but_never_panic() {
    let folder = scratch("damaged");
    let mut chance = Chance::seeded(7);
    let (mut loaded, mut refused) = (0, 0);
    for seed in 0..400 {
        let files = written::files(&random::provider(seed % random::COUNT));
        write_files(&folder, &files).expect("the scratch folder takes files");
        let definitions: Vec<_> = files
            .iter()
            .filter(|(path, _)| !path.starts_with("scripts/"))
            .collect();
        let (path, text) = chance.one_of(&definitions);
        fs::write(folder.join(path), damaged(&mut chance, text.as_bytes()))
            .expect("it is writable");
        match Provider::load(folder.join(written::MANIFEST)) {
            Ok(provider) => {
                loaded += 1;
                let tables = provider.tables();
                for graph in tables.graphs {
                    // Whatever loads can be evaluated.
                    let evaluation =
                        provider.evaluate(tables.text(graph.id), "default", &State::new());
                    assert!(evaluation.is_ok(), "{seed}");
                }
            }
            Err(findings) => {
                refused += 1;
                assert!(!findings.list().is_empty(), "{seed}");
            }
        }
        fs::remove_dir_all(&folder).expect("the scratch folder can be emptied");
    }
    assert!(
        loaded > 20 && refused > 100,
        "{loaded} loaded, {refused} refused"
    );
}

#[test]
fn damaged_evaluation_inputs_are_read_or_refused_but_never_panic() {
    let provider = baked::provider("examples/release-gate").expect("it is baked");
    let input = br#"{"facts":{"a":[1,-0,1e21,{"b":"\u00e9\n"}],"10":null,"z":true},"outcomes":
        {"release/package":{"outcome":"completed","recordedAt":"2026-01-02T03:04:05Z"}},"authorities":["x"]}"#;
    let mut chance = Chance::seeded(11);
    for _ in 0..20_000 {
        let bytes = damaged(&mut chance, input);
        let Ok(text) = std::str::from_utf8(&bytes) else {
            continue;
        };
        if let Ok(state) = State::from_json(text) {
            assert!(
                provider.evaluate("release", "default", &state).is_ok(),
                "{text}"
            );
        }
    }
}

#[test]
fn all_crates_forbid_unsafe_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read =
        |path: &str| fs::read_to_string(root.join(path)).expect("it is a file of the workspace");
    assert!(read("Cargo.toml").contains("unsafe_code = \"forbid\""));
    for member in [
        "agent-graph-runtime",
        "agent-graph-build",
        "agent-graph-macros",
        "tests",
    ] {
        let manifest = read(&format!("{member}/Cargo.toml"));
        assert!(manifest.contains("[lints]\nworkspace = true"), "{member}");
    }
}

#[test]
fn every_recorded_provider_survives_being_cut_at_any_line() {
    let examples = sources::of_examples(&baked::examples()).expect("they can be listed");
    for source in examples {
        let bytes = fs::read(&source.manifest).expect("it is a file");
        let folder = scratch("cut");
        fs::create_dir_all(&folder).expect("the scratch folder can be made");
        for (end, _) in bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n') {
            let manifest = folder.join("provider.yaml");
            fs::write(&manifest, &bytes[..end]).expect("it is writable");
            // Its graphs are not there, so it cannot load however much is left.
            assert!(Provider::load(&manifest).is_err());
        }
    }
}
