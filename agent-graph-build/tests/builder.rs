//! From files on disk to a generated file on disk.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use agent_graph_build::lint::LintLevel;
use agent_graph_build::{Builder, bake};
use agent_graph_runtime::{Code, Finding, load};

const GRAPH: &str = "\
schema: agent-graph.graph.v1
id: release
entrypoints: { default: build }
nodes:
  - { id: build, kind: action, reasonCode: route.build, action: actions/build.yaml, requiresFacts: [{ path: a.0, equals: -0.5 }] }
  - { id: done, kind: terminal, terminalOutcome: completed }
edges:
  - { from: build, to: done, outcomes: [completed, partial] }
";

/// Writes a provider with an agent action, whose skill has a directory, and returns its manifest.
fn provider(name: &str) -> Result<PathBuf, Box<dyn Error>> {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if root.exists() {
        fs::remove_dir_all(&root)?;
    }
    for (path, text) in [
        (
            "provider.yaml",
            "schema: agent-graph.provider.v1\nid: shop\nversion: 1.0.0\ngraphs: [graphs/release.yaml]\n",
        ),
        ("graphs/release.yaml", GRAPH),
        (
            "actions/build.yaml",
            "schema: agent-graph.action.v1\nid: build\nrunner: agent\neffect: write\nskill: skills/build/SKILL.md\n",
        ),
        (
            "skills/build/SKILL.md",
            "---\nname: build\ndescription: Builds.\n---\n# Build\n",
        ),
    ] {
        let path = root.join(path);
        fs::create_dir_all(path.parent().ok_or("no folder")?)?;
        fs::write(path, text)?;
    }
    Ok(root.join("provider.yaml"))
}

fn builder(manifest: &Path) -> Result<Builder, Box<dyn Error>> {
    Ok(Builder::new(manifest.to_str().ok_or("no text")?).module("release"))
}

#[test]
fn what_is_generated_holds_the_tables_that_are_loaded() -> Result<(), Box<dyn Error>> {
    let manifest = provider("tables")?;
    let generated = builder(&manifest)?.generate()?;
    assert_eq!(
        bake::parse_back::tables(&generated.source)?,
        load::load(&manifest)?.tables
    );
    Ok(())
}

#[test]
fn the_output_does_not_depend_on_where_the_provider_is() -> Result<(), Box<dyn Error>> {
    let here = builder(&provider("here")?)?.generate()?;
    let there = builder(&provider("there/further/down")?)?.generate()?;
    assert_eq!(here.source, there.source);
    assert!(!here.source.contains(env!("CARGO_TARGET_TMPDIR")));
    Ok(())
}

#[test]
fn every_file_is_watched_and_the_directory_of_the_skill() -> Result<(), Box<dyn Error>> {
    let manifest = provider("watched")?;
    let root = manifest.parent().ok_or("no folder")?.canonicalize()?;
    let generated = builder(&manifest)?.generate()?;
    let files: Vec<_> = [
        "actions/build.yaml",
        "graphs/release.yaml",
        "provider.yaml",
        "skills/build/SKILL.md",
    ]
    .into_iter()
    .map(|file| root.join(file))
    .collect();
    let watched: Result<Vec<_>, _> = generated.watched.iter().map(|f| f.canonicalize()).collect();
    assert_eq!(watched?, files);
    let directories: Result<Vec<_>, _> = generated
        .watched_directories
        .iter()
        .map(|directory| directory.canonicalize())
        .collect();
    assert!(directories?.contains(&root.join("skills/build")));
    Ok(())
}

#[test]
fn every_setting_ends_up_in_the_source() -> Result<(), Box<dyn Error>> {
    let source = builder(&provider("settings")?)?
        .module("flow")
        .visibility("pub(crate)")
        .doc("What happens.\n\nIn detail.")
        .crate_path("crate::facade")
        .rename("build", "Make")
        .generate()?
        .source;
    for line in [
        "/// What happens.\n///\n/// In detail.\n",
        "\npub(crate) mod flow {\n",
        "    pub const PROVIDER: crate::facade::Provider",
        "                Make,\n",
    ] {
        assert!(source.contains(line), "no `{line}` in {source}");
    }
    assert!(!source.contains("::agent_graph_runtime"));
    Ok(())
}

#[test]
fn embedded_files_are_named_from_the_package_and_by_no_directory_of_the_machine()
-> Result<(), Box<dyn Error>> {
    // A path relative to the package, however it gets there.
    let manifest = "../agent-graph-macros/tests/fixtures/bundle/provider.yaml";
    let generated = Builder::new(manifest)
        .module("release")
        .embed()
        .generate()?;
    let compact: String = generated.source.split_whitespace().collect();
    for file in ["actions/build.yaml", "graphs/release.yaml", "provider.yaml"] {
        let included = format!(
            r#"include_bytes!(::core::concat!(::core::env!("CARGO_MANIFEST_DIR"),"/../agent-graph-macros/tests/fixtures/bundle/{file}"))"#
        );
        assert!(compact.contains(&included), "{}", generated.source);
    }
    assert!(!generated.source.contains(env!("CARGO_MANIFEST_DIR")));
    // An absolute one elsewhere cannot be written so.
    let elsewhere = builder(&provider("embedded")?)?.embed();
    let refused = elsewhere.generate().err().ok_or("it is generated")?;
    assert_eq!(refused.code(), Code::SettingInvalid);
    Ok(())
}

#[test]
fn the_same_module_is_generated_with_and_without_files() -> Result<(), Box<dyn Error>> {
    let manifest = "../agent-graph-macros/tests/fixtures/bundle/provider.yaml";
    let builder = Builder::new(manifest).module("release");
    let (without, with) = (builder.clone().generate()?, builder.embed().generate()?);
    assert!(!without.source.contains("EMBEDDED"));
    assert_eq!(
        bake::parse_back::tables(&with.source)?,
        bake::parse_back::tables(&without.source)?
    );
    Ok(())
}

#[test]
fn lints_that_are_denied_fail_the_build_and_others_warn() -> Result<(), Box<dyn Error>> {
    let manifest = "../agent-graph-macros/tests/fixtures/unsound/provider.yaml";
    let builder = || Builder::new(manifest).module("release");
    let codes = |findings: &[Finding]| -> Vec<Code> {
        findings.iter().map(|finding| finding.code).collect()
    };
    // What is certain to break denies by default.
    let denied = builder().generate().err().ok_or("it is generated")?;
    assert_eq!(denied.code(), Code::UnmeetableJoin);
    assert_eq!(
        codes(denied.list()),
        [Code::UnusedCode, Code::StuckState, Code::UnmeetableJoin]
    );
    let warned = builder()
        .lints(LintLevel::Warn, ["unmeetable-join"])
        .generate()?;
    assert_eq!(
        codes(&warned.warnings),
        [Code::UnusedCode, Code::StuckState, Code::UnmeetableJoin]
    );
    let silent = builder().lints(LintLevel::Allow, ["all"]).generate()?;
    assert_eq!(silent.warnings, []);
    // They change what is said and nothing else.
    assert_eq!(silent.source, warned.source);
    let strict = builder()
        .lints(LintLevel::Allow, ["all"])
        .lints(LintLevel::Deny, ["unhandled-outcome"]);
    let strict = strict.generate().err().ok_or("it is generated")?;
    assert_eq!(strict.code(), Code::UnhandledOutcome);
    Ok(())
}

#[test]
fn an_unchanged_file_is_not_touched() -> Result<(), Box<dyn Error>> {
    let manifest = provider("unchanged")?;
    let generated = builder(&manifest)?.generate()?;
    let output = manifest.with_file_name("out");
    fs::create_dir(&output)?;
    generated.write_to(&output)?;
    let file = output.join("release.rs");
    assert_eq!(fs::read_to_string(&file)?, generated.source);
    let mut permissions = fs::metadata(&file)?.permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&file, permissions)?;
    let before = fs::metadata(&file)?.modified()?;
    generated.write_to(&output)?;
    assert_eq!(fs::metadata(&file)?.modified()?, before);
    // The file is the only one: no draft stays behind.
    assert_eq!(fs::read_dir(&output)?.count(), 1);
    Ok(())
}

#[test]
fn all_mistakes_are_found_at_once() -> Result<(), Box<dyn Error>> {
    let manifest = provider("mistakes")?;
    let graph = manifest.with_file_name("graphs").join("release.yaml");
    fs::write(
        graph,
        GRAPH
            .replace("kind: action", "kind: acton")
            .replace("terminalOutcome: completed", "terminalOutcome: done"),
    )?;
    let findings = builder(&manifest)?.generate().map(|_| ()).unwrap_err();
    assert_eq!(findings.code(), Code::SchemaInvalid);
    let lines: Vec<u32> = findings
        .list()
        .iter()
        .map(|finding| finding.place.position.line)
        .collect();
    assert_eq!(lines, [5, 6]);
    Ok(())
}

#[test]
fn a_skill_bound_elsewhere_fails_the_build_and_a_bound_one_is_watched() -> Result<(), Box<dyn Error>>
{
    let manifest = provider("skills")?;
    let skill = manifest.with_file_name("SKILL.md");
    let text = skill.to_str().ok_or("no text")?;
    let bound = |graph: &str| {
        let header = format!(
            "---\nmetadata:\n  agent-graph: path:provider.yaml\n  agent-graph.graph: {graph}\n  agent-graph.entry: default\n---\n"
        );
        fs::write(&skill, header)
    };
    bound("release")?;
    let generated = builder(&manifest)?.skill(text).generate()?;
    assert!(generated.watched.contains(&skill));
    assert_eq!(generated.source, builder(&manifest)?.generate()?.source);
    bound("releases")?;
    let findings = builder(&manifest)?
        .skill(text)
        .generate()
        .err()
        .ok_or("it is generated")?;
    assert_eq!(findings.code(), Code::SkillGraphMissing);
    Ok(())
}
