//! Bundles: what a build makes, refuses and leaves alone. Recorded ones are judged by the suite `conformance`.
#![cfg(feature = "bundle")]

mod data;

use std::fs;
use std::path::Path;

use agent_graph_build::bundle::{self, Bundle};
use agent_graph_runtime::load::load;
use agent_graph_runtime::{Code, Findings};

use data::{Scratch, folders, tree, workspace_tests};

#[test]
fn a_bundle_of_a_bundle_is_the_same() {
    for folder in folders(&workspace_tests().join("examples")) {
        let scratch = Scratch::with(&folder);
        let build = |manifest: &str, output: &str| {
            let output = scratch.path().join(output);
            bundle::build(&load(&scratch.path().join(manifest)).unwrap(), &output).unwrap();
            tree(&output)
        };
        let first = build("root/provider.yaml", "first");
        assert_eq!(build("first/manifest.json", "second"), first);
        assert!(first.contains_key("manifest.json"));
    }
}

const MANIFEST: &str =
    "schema: agent-graph.provider.v1\nid: tea\nversion: 1.0.0\ngraphs: [brew.yaml]\n";
const GRAPH: &str = "\
schema: agent-graph.graph.v1
id: brew
entrypoints: { cup: steep }
nodes:
  - { id: steep, kind: action, reasonCode: route.steep, action: steep.yaml }
  - { id: served, kind: terminal, terminalOutcome: completed }
edges: [{ from: steep, to: served }]
";
const ACTION: &str = "\
schema: agent-graph.action.v1
id: steep
runner: command
effect: write
command: kettle
";

/// A small provider; `files` is what its action lists.
fn tea(files: &[&str]) -> Scratch {
    let scratch = Scratch::new();
    scratch.write("provider.yaml", MANIFEST);
    scratch.write("brew.yaml", GRAPH);
    let files = serde_json::to_string(files).unwrap();
    scratch.write("steep.yaml", format!("{ACTION}files: {files}\n"));
    scratch
}

fn build(scratch: &Scratch, manifest: &str, output: &Path) -> Result<Bundle, Findings> {
    bundle::build(&load(&scratch.root().join(manifest)).unwrap(), output)
}

#[track_caller]
fn refused(scratch: &Scratch, manifest: &str, output: &Path, code: Code) {
    let before = tree(scratch.path());
    let findings = build(scratch, manifest, output).unwrap_err();
    assert_eq!(findings.code(), code, "{findings}");
    assert_eq!(tree(scratch.path()), before, "something was changed");
}

#[test]
fn a_bundle_takes_the_place_of_an_older_one_and_nothing_stays_beside_it() {
    let scratch = tea(&[]);
    let output = scratch.outside().join("deep/bundle");
    build(&scratch, "provider.yaml", &output).unwrap();
    scratch.write("extra.txt", "more");
    scratch.write("steep.yaml", format!("{ACTION}files: [extra.txt]\n"));
    build(&scratch, "provider.yaml", &output).unwrap();
    assert!(output.join("extra.txt").exists());
    let beside = fs::read_dir(output.parent().unwrap()).unwrap().count();
    assert_eq!(beside, 1);
    scratch.write("steep.yaml", ACTION);
    build(&scratch, "provider.yaml", &output).unwrap();
    assert!(!output.join("extra.txt").exists());
}

#[test]
fn what_is_no_bundle_is_not_replaced() {
    let scratch = tea(&[]);
    let outside = scratch.outside();
    let occupied = |name: &str, make: &dyn Fn(&Path)| {
        let output = outside.join(name);
        make(&output);
        refused(
            &scratch,
            "provider.yaml",
            &output,
            Code::BuildOutputOccupied,
        );
    };
    occupied("folder", &|path| {
        fs::create_dir(path).unwrap();
        fs::write(path.join("notes.txt"), "mine").unwrap();
    });
    occupied("file", &|path| fs::write(path, "mine").unwrap());
    occupied("web", &|path| {
        fs::create_dir(path).unwrap();
        fs::write(path.join("manifest.json"), r#"{"schema": "app"}"#).unwrap();
    });
    #[cfg(unix)]
    occupied("link", &|path| {
        std::os::unix::fs::symlink("nowhere", path).unwrap()
    });
    let output = outside.join("bundle");
    build(&scratch, "provider.yaml", &output).unwrap();
    fs::create_dir(output.join("more")).unwrap();
    fs::write(output.join("more/notes.txt"), "mine").unwrap();
    refused(
        &scratch,
        "provider.yaml",
        &output,
        Code::BuildOutputOccupied,
    );
    let empty = outside.join("empty");
    fs::create_dir(&empty).unwrap();
    build(&scratch, "provider.yaml", &empty).unwrap();
}

#[test]
fn the_place_of_the_provider_is_not_replaced() {
    let scratch = tea(&["..x/file"]);
    refused_when_overlapping(&scratch, &scratch.root());
    refused_when_overlapping(&scratch, &scratch.root().join("..x/../."));
    refused_when_overlapping(&scratch, scratch.path());
    refused_when_overlapping(&scratch, &scratch.root().join("..x"));
    refused_when_overlapping(&scratch, &scratch.root().join("brew.yaml"));
    #[cfg(unix)]
    {
        let link = scratch.outside().join("link");
        std::os::unix::fs::symlink(scratch.root(), &link).unwrap();
        refused_when_overlapping(&scratch, &link.join("..x"));
    }
}

#[track_caller]
fn refused_when_overlapping(scratch: &Scratch, output: &Path) {
    scratch.write("..x/file", "");
    refused(
        scratch,
        "provider.yaml",
        output,
        Code::BuildOutputOverlapsSource,
    );
}

#[test]
fn the_places_of_the_manifests_are_reserved() {
    let reserved = Code::BuildPathReserved;
    let scratch = tea(&["manifest.json"]);
    scratch.write("manifest.json", "{}");
    refused(
        &scratch,
        "provider.yaml",
        &scratch.outside().join("a"),
        reserved,
    );
    let scratch = tea(&["provider.yaml"]);
    fs::rename(
        scratch.root().join("provider.yaml"),
        scratch.root().join("tea.yaml"),
    )
    .unwrap();
    scratch.write("provider.yaml", "another: file\n");
    refused(&scratch, "tea.yaml", &scratch.outside().join("a"), reserved);
    let scratch = tea(&["tea.yaml"]);
    scratch.write("tea.yaml", MANIFEST);
    refused(&scratch, "tea.yaml", &scratch.outside().join("a"), reserved);
    let scratch = tea(&["provider.yaml"]);
    let output = scratch.outside().join("a");
    build(&scratch, "provider.yaml", &output).unwrap();
    load(&output.join("manifest.json")).unwrap();
}

#[cfg(unix)]
#[test]
fn names_that_are_not_for_every_system_are_refused_or_named() {
    let scratch = tea(&["a|b"]);
    scratch.write("a|b", "");
    let output = scratch.outside().join("a");
    refused(
        &scratch,
        "provider.yaml",
        &output,
        Code::BuildPathUnportable,
    );
    let scratch = tea(&["notes.txt", "Notes.txt"]);
    scratch.write("notes.txt", "");
    scratch.write("Notes.txt", "");
    let bundle = Bundle::of(&load(&scratch.root().join("provider.yaml")).unwrap()).unwrap();
    let warnings: Vec<Code> = bundle
        .warnings()
        .iter()
        .map(|warning| warning.code)
        .collect();
    assert_eq!(warnings, [Code::BuildPathUnportable]);
}

#[test]
fn a_manifest_that_a_bundle_could_not_hold_is_refused() {
    let scratch = tea(&[]);
    let manifest = serde_json::json!({
        "schema": "agent-graph.provider.v1", "id": "tea/house", "version": "0.3.0",
        "name": "a\u{80}b", "graphs": ["brew.yaml"],
    });
    scratch.write("provider.json", manifest.to_string());
    let output = scratch.root().with_file_name("bundle");
    refused(
        &scratch,
        "provider.json",
        &output,
        Code::BuildTextUnprintable,
    );
    let manifest = manifest.to_string().replace('\u{80}', "\\u0085\\u007f");
    scratch.write("provider.json", manifest);
    build(&scratch, "provider.json", &output).unwrap();
    load(&output.join("manifest.json")).unwrap();
}

#[test]
fn a_file_that_changed_after_the_load_is_noticed() {
    let scratch = tea(&[]);
    let loaded = load(&scratch.root().join("provider.yaml")).unwrap();
    scratch.write("steep.yaml", "changed");
    let output = scratch.outside().join("a");
    let findings = bundle::build(&loaded, &output).unwrap_err();
    assert_eq!(findings.code(), Code::FileChanged);
    assert!(!output.exists());
}

#[test]
fn the_name_of_the_folder_in_a_description_of_the_manifest_is_a_leak() {
    let scratch = tea(&[]);
    let root = scratch.root();
    let description = format!(
        "description: \"made in \\u0022{}\\u0022 'x'\"\n",
        root.display()
    );
    scratch.write("provider.yaml", format!("{MANIFEST}{description}"));
    let output = scratch.outside().join("a");
    refused(
        &scratch,
        "provider.yaml",
        &output,
        Code::BuildAbsolutePathLeak,
    );
}
