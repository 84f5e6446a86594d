//! Pi-graphs as source: nothing is lost by printing, and findings say what the protocol says.

use std::path::Path;

use agent_graph_build::bake::pi::{module, parse_back};
use agent_graph_build::{Builder, Settings};
use agent_graph_runtime::{Code, pi};
use quote::format_ident;

fn file(name: &str) -> String {
    format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn source(graph: &pi::Graph) -> String {
    let settings = Settings::new(format_ident!("graph"));
    let baked = module(&graph.tables(), &settings).unwrap_or_else(|findings| panic!("{findings}"));
    baked.to_source().unwrap()
}

fn graph(text: &str) -> pi::Graph {
    match pi::parse("x.json".into(), text.as_bytes()) {
        Ok(loaded) => loaded.graph(),
        Err(findings) => panic!("{findings}"),
    }
}

#[test]
fn tables_are_the_same_after_printing_and_reading_back() {
    let loaded = pi::load(Path::new(&file("every-feature.graph.json"))).unwrap();
    let graph = loaded.graph();
    let read = parse_back::tables(&source(&graph)).unwrap();
    assert_eq!(read.as_tables(), graph.tables());
}

#[test]
fn a_graph_with_text_of_every_kind_survives() {
    let graph = graph(
        r#"{"schemaVersion":2,"name":" \"quoted\"\\ \n\u2028 😀 ","entry":"a\u0000\r\nb","limits":{"maxSteps":1e300},
        "nodes":{"a\u0000\r\nb":{"type":"set","assign":[{"path":"x","value":{"\u202e":[1e21,-0,5e-324]}},{"path":"y","template":"{{ }}{{a..b}} { "}]},
        "7":{"type":"human","prompt":" 'x' "}}}"#,
    );
    let read = parse_back::tables(&source(&graph)).unwrap();
    assert_eq!(read.as_tables(), graph.tables());
}

#[test]
fn ids_that_cannot_be_told_apart_are_a_finding_that_says_what_to_do() {
    let text = r#"{"schemaVersion":2,"name":"x","entry":"A","limits":{},"nodes":{
        "A":{"type":"human","prompt":"?"},"a":{"type":"human","prompt":"?"}}}"#;
    let findings = module(
        &graph(text).tables(),
        &Settings::new(format_ident!("graph")),
    )
    .unwrap_err();
    assert_eq!(findings.code(), Code::NameClash);
    let mut settings = Settings::new(format_ident!("graph"));
    settings.rename("a", "Small").unwrap();
    assert!(module(&graph(text).tables(), &settings).is_ok());
    settings.rename("b", "Other").unwrap();
    let findings = module(&graph(text).tables(), &settings).unwrap_err();
    assert_eq!(findings.code(), Code::RenameUnknown);
}

#[test]
fn ids_with_separators_of_their_own_stay_apart() {
    let node = r#"{"type":"human","prompt":"?"}"#;
    let ids = ["a b", "a-b", "a.b", "é", "1"];
    let nodes: Vec<String> = ids.iter().map(|id| format!("\"{id}\":{node}")).collect();
    let text = format!(
        r#"{{"schemaVersion":2,"name":"x","entry":"a b","limits":{{}},"nodes":{{{}}}}}"#,
        nodes.join(",")
    );
    let source = source(&graph(&text));
    for name in ["ASpaceB", "ADashB", "ADotB", "Ue9", "N1"] {
        assert!(source.contains(&format!("    {name},\n")), "{name}");
    }
}

#[test]
fn a_build_script_generates_the_module_and_watches_the_file() {
    let path = file("every-feature.graph.json");
    let generated = Builder::pi_graph(&path).module("every").generate().unwrap();
    assert!(generated.source.contains("pub mod every"));
    assert_eq!(generated.watched, [Path::new(&path)]);
    assert_eq!(generated.warnings, []);
}

#[test]
fn a_pinned_graph_hash_holds_and_another_one_is_an_error_that_says_what_to_pin() {
    let path = file("every-feature.graph.json");
    let hash = pi::load(Path::new(&path))
        .unwrap()
        .graph()
        .hash()
        .to_string();
    let pinned = |digest: &str| Builder::pi_graph(&path).digest(digest).generate();
    assert!(pinned(&hash).is_ok());
    let other = format!("sha256:{}", "0".repeat(64));
    let findings = pinned(&other).unwrap_err();
    assert_eq!(findings.code(), Code::DigestPinMismatch);
    let shown = findings.list().first().unwrap();
    assert_eq!(shown.place.to_string(), "every-feature.graph.json:1:1");
    assert_eq!(
        shown.hint.as_deref(),
        Some(&*format!("if the change is meant, pin \"{hash}\""))
    );
}

#[test]
fn of_a_wrong_graph_the_nodes_are_left_by_kind() {
    let folder = std::env::temp_dir().join(format!("agent-graph-pi-left-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("wrong.json");
    std::fs::write(
        &path,
        r#"{"nodes":{"ask me":{"type":"human","promt":"?"},"keep":{"type":"set"}}}"#,
    )
    .unwrap();
    let settings = Settings::new(format_ident!("graph"));
    let skeleton = agent_graph_build::bake::pi::skeleton(&path, &settings).unwrap();
    let source = skeleton.to_source().unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    for kept in [
        "Self::AskMe => Kind::Human(Human::AskMe)",
        "Self::Keep => Kind::Set(Set::Keep)",
    ] {
        assert!(source.contains(kept), "{kept}: {source}");
    }
}

#[test]
fn a_clash_of_names_is_shown_at_the_second_id_and_says_where_the_first_one_is() {
    let folder = std::env::temp_dir().join(format!("agent-graph-pi-clash-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("clash.json");
    let node = r#"{"type":"human","prompt":"?"}"#;
    let text = format!(
        "{{\"schemaVersion\":2,\"name\":\"x\",\"entry\":\"A\",\"limits\":{{}},\"nodes\":{{\n \"A\":{node},\n \"b\":{node},\n \"a\":{node}}}}}"
    );
    std::fs::write(&path, text).unwrap();
    let findings = Builder::pi_graph(path.to_str().unwrap())
        .generate()
        .unwrap_err();
    std::fs::remove_dir_all(&folder).unwrap();
    let shown = findings.list().first().unwrap();
    assert_eq!(shown.code, Code::NameClash);
    assert_eq!(shown.place.to_string(), "clash.json:4:2");
    assert_eq!(shown.place.pointer, "/nodes/a");
    let (first, label) = shown.related.first().unwrap();
    assert_eq!(
        (first.to_string().as_str(), label.as_str()),
        ("clash.json:2:2", "first declared here")
    );
    let rendered = findings.rendered().to_string();
    assert!(
        rendered.contains("first declared here") && rendered.contains("^^^"),
        "{rendered}"
    );
}

#[test]
fn a_wrong_definition_is_reported_with_the_code_of_the_protocol_at_its_place() {
    let folder = std::env::temp_dir().join(format!("agent-graph-pi-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("wrong.json");
    std::fs::write(&path, "{\"schemaVersion\":2,\n \"name\":\"x\",\"entry\":\"b\",\"nodes\":{\"a\":{\"type\":\"human\",\"prompt\":\"?\"}}}").unwrap();
    let findings = Builder::pi_graph(path.to_str().unwrap())
        .generate()
        .unwrap_err();
    std::fs::remove_dir_all(&folder).unwrap();
    let shown: Vec<String> = findings.list().iter().map(ToString::to_string).collect();
    assert_eq!(findings.code(), Code::PiGraphInvalid);
    assert!(
        shown.contains(
            &"wrong.json:2:21: pi-graph-invalid: UNKNOWN_TARGET: `b` is no node".to_owned()
        ),
        "{shown:#?}"
    );
}
