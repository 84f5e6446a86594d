//! Bundles that were changed after they were built: what is found, what is said, what is refused.
#![cfg(feature = "bundle")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use agent_graph_build::{Builder, bundle};
use agent_graph_runtime::load::{LoadOptions, Loaded, load, load_with};
use agent_graph_runtime::{Code, Finding, Findings, Level};

const FILES: [(&str, &str); 3] = [
    (
        "provider.yaml",
        "schema: agent-graph.provider.v1\nid: tea\nversion: 1.0.0\ngraphs: [graphs/brew.yaml]\n",
    ),
    (
        "graphs/brew.yaml",
        "schema: agent-graph.graph.v1\nid: brew\nentrypoints: { default: steep }\nnodes:\n\
         - { id: steep, kind: action, reasonCode: route.steep, action: actions/steep.yaml }\n\
         - { id: end, kind: terminal, terminalOutcome: completed }\nedges: [{ from: steep, to: end }]\n",
    ),
    (
        "actions/steep.yaml",
        "schema: agent-graph.action.v1\nid: steep\nrunner: agent\neffect: write\nskill: skills/tea/SKILL.md\n",
    ),
];
const SKILL: &str = "---\nname: tea\n---\nSteep.\r\nPour.\n";

/// A bundle in a folder of its own.
struct Packed(PathBuf);

impl Packed {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("verification")
            .join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder).unwrap();
        }
        let source = folder.join("source");
        for (path, text) in FILES.into_iter().chain([("skills/tea/SKILL.md", SKILL)]) {
            write(&source.join(path), text.as_bytes());
        }
        let packed = Self(folder.join("packed"));
        bundle::build(&load(&source.join("provider.yaml")).unwrap(), &packed.0).unwrap();
        packed
    }

    fn with(self, path: &str, text: &str) -> Self {
        write(&self.0.join(path), text.as_bytes());
        self
    }

    fn changing(self, path: &str, change: impl Fn(&str) -> String) -> Self {
        let text = fs::read_to_string(self.0.join(path)).unwrap();
        self.with(path, &change(&text))
    }

    fn manifest(&self) -> PathBuf {
        self.0.join("manifest.json")
    }

    fn load(&self) -> Result<Loaded, Findings> {
        load(&self.manifest())
    }

    fn strictly(&self) -> Result<Loaded, Findings> {
        load_with(&self.manifest(), LoadOptions::new().strict(true))
    }

    fn warnings(&self) -> Vec<String> {
        self.load().unwrap().findings.iter().map(shown).collect()
    }

    /// The only error.
    fn error(&self) -> Finding {
        let findings = self.load().unwrap_err();
        let errors = findings.list().iter();
        let errors: Vec<&Finding> = errors.filter(|it| it.level == Level::Error).collect();
        assert_eq!(errors.len(), 1, "{findings}");
        errors[0].clone()
    }
}

fn write(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

fn shown(finding: &Finding) -> String {
    format!("{} {}", finding.code, finding.place.file)
}

#[test]
fn a_bundle_as_it_was_built_loads_without_a_word() {
    let packed = Packed::new("untouched");
    assert_eq!(packed.warnings(), [""; 0]);
    assert!(packed.strictly().is_ok());
}

#[test]
fn changed_line_ends_are_told_from_changed_text() {
    let hint = |name: &str, path: &str, change: &dyn Fn(&str) -> String| {
        let finding = Packed::new(name).changing(path, change).error();
        assert_eq!(finding.code, Code::BundleFileDigestMismatch);
        assert!(!finding.to_string().contains("re-hash"));
        finding.hint
    };
    let graph = "graphs/brew.yaml";
    let to_crlf = hint("to-crlf", graph, &|text| text.replace('\n', "\r\n")).unwrap();
    assert!(to_crlf.contains("from LF to CRLF"), "{to_crlf}");
    assert!(to_crlf.contains("git"), "{to_crlf}");
    assert_eq!(hint("text", graph, &|text| format!("{text}\n")), None);
    // Line ends that were mixed before cannot be told from the text.
    let skill = "skills/tea/SKILL.md";
    assert_eq!(hint("mixed", skill, &|text| text.replace('\r', "")), None);
}

#[test]
fn line_ends_that_lost_their_carriage_returns_are_told_too() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verification/to-lf");
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    for (path, text) in FILES.into_iter().chain([("skills/tea/SKILL.md", SKILL)]) {
        let text = text.replace('\r', "").replace('\n', "\r\n");
        write(&folder.join("source").join(path), text.as_bytes());
    }
    let packed = Packed(folder.join("packed"));
    let loaded = load(&folder.join("source/provider.yaml")).unwrap();
    bundle::build(&loaded, &packed.0).unwrap();
    let finding = packed
        .changing("graphs/brew.yaml", |text| text.replace('\r', ""))
        .error();
    assert!(finding.hint.unwrap().contains("from CRLF to LF"));
}

#[test]
fn a_file_that_is_missing_is_named_with_the_one_it_may_have_become() {
    let packed = Packed::new("missing");
    let graphs = packed.0.join("graphs");
    fs::rename(graphs.join("brew.yaml"), graphs.join("Brew.yaml")).unwrap();
    let finding = packed.error();
    assert_eq!(finding.code, Code::FileMissing);
    assert_eq!(&*finding.place.file, "manifest.json");
    assert_eq!(
        finding.hint.as_deref(),
        Some("did you mean `graphs/Brew.yaml`?")
    );
}

#[test]
fn a_file_that_nobody_lists_is_a_warning_and_refused_in_strict_mode() {
    let packed = Packed::new("stray")
        .with("notes.txt", "")
        .with("graphs/old.yaml", "");
    let expected = ["file-unlisted graphs/old.yaml", "file-unlisted notes.txt"];
    assert_eq!(packed.warnings(), expected);
    let findings = packed.strictly().unwrap_err();
    assert_eq!(findings.code(), Code::FileUnlisted);
    assert_eq!(findings.list()[0].place.to_string(), "graphs/old.yaml:1:1");
    assert_eq!(
        findings.list().iter().map(shown).collect::<Vec<_>>(),
        expected
    );
    let folders = packed.load().unwrap().watched_directories;
    assert!(folders.contains(&packed.0), "{folders:?}");
}

#[test]
fn a_file_in_the_folder_of_a_skill_is_a_mistake_and_not_a_stray() {
    let finding = Packed::new("skill").with("skills/tea/more.md", "").error();
    assert_eq!(finding.code, Code::BundleFilesMismatch);
}

#[test]
fn of_many_strays_some_are_named_and_the_rest_counted() {
    let mut packed = Packed::new("many");
    for number in 100..150 {
        packed = packed.with(&format!("old/{number}"), "");
    }
    let loaded = packed.load().unwrap();
    assert_eq!(loaded.findings.len(), 21);
    let last = loaded
        .findings
        .iter()
        .find(|it| &*it.place.file == "manifest.json");
    assert!(last.unwrap().message.contains("30 more"));
}

#[test]
fn a_builder_takes_a_bundle_and_verifies_it() {
    let generate = |packed: &Packed| {
        Builder::new(packed.manifest().to_str().unwrap())
            .module("tea")
            .generate()
    };
    let packed = Packed::new("builder");
    let generated = generate(&packed).unwrap();
    assert!(generated.watched.contains(&packed.manifest()));
    let packed = packed.with("notes.txt", "");
    let generated = generate(&packed).unwrap();
    assert_eq!(
        generated.warnings.iter().map(shown).collect::<Vec<_>>(),
        ["file-unlisted notes.txt"]
    );
    let strict = Builder::new(packed.manifest().to_str().unwrap())
        .strict()
        .generate();
    assert_eq!(strict.unwrap_err().code(), Code::FileUnlisted);
    let packed = packed.changing("actions/steep.yaml", |text| text.replace("write", "read"));
    let findings = generate(&packed).unwrap_err();
    assert_eq!(findings.code(), Code::BundleFileDigestMismatch);
}

/// The finding is about a folder, so it has to be the same whatever order the folder is listed in.
#[test]
fn strays_are_sorted() {
    let mut packed = Packed::new("sorted");
    let names = ["z", "a", "m/b", "m/a", ".hidden"];
    for name in names {
        packed = packed.with(name, "");
    }
    let mut expected = BTreeMap::new();
    for name in names {
        expected.insert(name, format!("file-unlisted {name}"));
    }
    assert_eq!(
        packed.warnings(),
        expected.into_values().collect::<Vec<_>>()
    );
}
