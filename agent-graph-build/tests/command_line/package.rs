//! What is made of a provider: `build`, `generate`, `graph`.

use crate::*;

#[test]
fn a_bundle_is_built_and_used() {
    let scratch = Scratch::with(&example("release-gate"));
    let folder = scratch.root();
    let manifest = result(&folder, &["build"]);
    fits("agent-graph.bundle.v1", &manifest);
    let built = folder.join("dist/provider");
    let written = json(&built.join("manifest.json"));
    assert_eq!(written, manifest);
    let evaluation = result(&folder, &["evaluate", "release"]);
    let bundled = result(&built, &["-m", "manifest.json", "evaluate", "release"]);
    assert_eq!(bundled["revision"], evaluation["revision"]);
    assert_eq!(
        error(&folder, &["build", "."])["code"],
        "build-output-overlaps-source"
    );
    assert_eq!(
        error(&folder, &["build", "tests"])["code"],
        "build-output-occupied"
    );
}

#[test]
fn a_module_is_generated() {
    let folder = example("release-gate");
    let output = play(&folder, &["generate", "--module", "release"]);
    let source = text(&output.stdout);
    assert!(source.contains("pub mod release {"), "{source}");
    let generated = result(&folder, &["generate", "--module", "release"]);
    assert_eq!(generated["source"], source);
}

#[test]
fn a_graph_is_drawn_to_standard_output_and_into_a_file() {
    let scratch = Scratch::with(&example("release-gate"));
    let folder = scratch.root();
    let output = play(&folder, &["graph", "release"]);
    assert_eq!(output.status.code(), Some(0));
    let svg = text(&output.stdout);
    assert!(
        svg.starts_with("<svg ") && svg.ends_with("</svg>\n"),
        "{svg}"
    );
    let drawn = result(&folder, &["graph", "release"]);
    assert_eq!(drawn["graph"], "release");
    assert_eq!(drawn["as"], "svg");
    assert_eq!(drawn["picture"], svg);
    let written = result(&folder, &["graph", "release", "-o", "release.svg"]);
    let path = written["path"].as_str().unwrap();
    assert_eq!(path, folder.join("release.svg").to_str().unwrap());
    assert_eq!(std::fs::read_to_string(path).unwrap(), svg);
    let nowhere = error(&folder, &["graph", "release", "-o", "no/such/folder.svg"]);
    assert_eq!(nowhere["code"], "file-write-failed");
}

#[test]
fn a_graph_is_drawn_as_mermaid_and_with_a_state_says_how_a_run_stands() {
    let folder = example("release-gate");
    let draw = |more: &[&str]| {
        let mut all = vec!["graph", "release", "--as", "mermaid"];
        all.extend(more);
        result(&folder, &all)["picture"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let bare = draw(&[]);
    assert!(bare.starts_with("flowchart TD\n"), "{bare}");
    assert!(!bare.contains("classDef"), "{bare}");
    let facts = r#"{"package":{"digest":"sha256:aa","fresh":true}}"#;
    let stands = draw(&["--facts", facts]);
    assert!(stands.contains("  class n0 done\n"), "{stands}");
    assert!(stands.contains("  class n1 next\n"), "{stands}");
    let folder = example("nested-repeat");
    let all = result(&folder, &["graph", "season", "--calls"]);
    let all = all["picture"].as_str().unwrap();
    for graph in ["season", "plot", "sample"] {
        assert!(all.contains(&format!(">{graph}</text>")), "{graph}");
    }
}

#[test]
fn a_picture_of_nothing_is_refused() {
    let folder = example("release-gate");
    let code = |arguments: &[&str]| error(&folder, arguments)["code"].clone();
    assert_eq!(code(&["graph", "release", "--as", "png"]), "option-invalid");
    assert_eq!(code(&["graph", "nothing"]), "graph-missing");
    assert_eq!(code(&["graph"]), "graph-selection-missing");
}
