//! How findings look: one of each code that loading can give, as plain text. `AGENT_GRAPH_BLESS=1` writes
//! the expected text anew. Read it as a stranger would: does it say what to do?
#![cfg(feature = "dynamic")]

#[allow(dead_code, reason = "other tests need the rest")]
mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use agent_graph_runtime::load::{LoadOptions, Registry, bind, load, load_with};
use agent_graph_runtime::{
    Code, Finding, Findings, Level, Place, Position, Rendered, SourceTexts, Span,
};
use serde_json::Value;

use support::{Tea, with_brief, with_resource};

const EXPECTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/renderings.txt");
const LINKS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/data/renderings-links.txt"
);
const WITHOUT: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/data/without-rendering.txt"
);

/// For each code, what is said.
type Renderings = BTreeMap<Code, String>;

#[test]
fn every_code_of_loading_is_shown_as_it_was_read_and_agreed() {
    let mut renderings = Renderings::new();
    made_here(&mut renderings);
    warned(&mut renderings);
    recorded(&mut renderings);
    as_agreed(&renderings, EXPECTED);
}

/// What only a file system with links and names that are no text can show.
#[cfg(unix)]
#[test]
fn links_and_names_that_are_no_text_are_shown_as_it_was_read_and_agreed() {
    use std::os::unix::ffi::OsStrExt as _;

    let skilled = || {
        Tea::new()
            .with(
                "actions/steep.yaml",
                "schema: agent-graph.action.v1\nid: steep\nrunner: agent\neffect: write\nskill: skills/brew/SKILL.md\n",
            )
            .with(
                "skills/brew/SKILL.md",
                "---\nname: brew\ndescription: Brews.\n---\n# Brew\n",
            )
    };
    let mut renderings = Renderings::new();
    let linked = skilled();
    support::link(
        Path::new("SKILL.md"),
        &linked.root().join("skills/brew/more.md"),
    );
    let linked = linked.loaded();
    one(&mut renderings, linked.findings, &linked.texts);
    let outside = Tea::new().without("actions/steep.yaml");
    fs::write(outside.scratch().outside("steep.yaml"), "").unwrap();
    support::link(
        &outside.scratch().outside("steep.yaml"),
        &outside.root().join("actions/steep.yaml"),
    );
    show(&mut renderings, &outside.findings());
    let nameless = skilled();
    let name = std::ffi::OsStr::from_bytes(b"n\xf8te.md");
    // Not every file system takes such a name; where it does not, nobody can have one.
    if fs::write(nameless.root().join("skills/brew").join(name), "").is_ok() {
        show(&mut renderings, &nameless.findings());
    } else {
        return;
    }
    as_agreed(&renderings, LINKS);
}

/// Codes that have no rendering yet, or cannot have one: each line of the list says why, and none of them has one.
#[test]
fn every_code_of_the_registry_has_a_rendering_or_a_reason_for_having_none() {
    let read = |path: &str| fs::read_to_string(path).unwrap().replace("\r\n", "\n");
    let shown = read(EXPECTED) + &read(LINKS);
    let shown: Vec<&str> = shown
        .lines()
        .filter_map(|line| line.strip_prefix("# "))
        .collect();
    let reasons = read(WITHOUT);
    let mut excused = Vec::new();
    for line in reasons.lines().filter(|line| !line.is_empty()) {
        let (reason, codes) = line.split_once(": ").unwrap();
        assert!(reason.contains(' '), "{reason:?} is no reason");
        excused.extend(codes.split(' '));
    }
    for code in Code::ALL {
        let is_shown = shown.contains(&code.as_str());
        let times = excused.iter().filter(|other| **other == code.as_str());
        assert_eq!(
            times.count(),
            usize::from(!is_shown),
            "{code} is shown: {is_shown}"
        );
    }
    for code in excused {
        assert!(
            Code::ALL.iter().any(|known| known.as_str() == code),
            "{code} is no code"
        );
    }
}

/// Holds the renderings against those in the file, or writes them there.
fn as_agreed(renderings: &Renderings, expected: &str) {
    let sections = renderings.iter();
    let sections = sections.map(|(code, text)| format!("# {code}\n\n{text}\n\n"));
    let found: String = sections.collect();
    if std::env::var_os("AGENT_GRAPH_BLESS").is_some() {
        fs::write(expected, &found).unwrap();
    }
    let expected = fs::read_to_string(expected).unwrap();
    // A checkout may have turned the line ends.
    assert_eq!(found, expected.replace("\r\n", "\n"));
}

fn show(renderings: &mut Renderings, findings: &Findings) {
    let code = findings.code();
    let of_code = |finding: &&Finding| finding.code == code;
    let Some(finding) = findings.list().iter().find(of_code) else {
        panic!("{findings}");
    };
    one(renderings, [finding.clone()], findings.texts());
}

/// Each finding of a code that has not been shown yet.
fn one(
    renderings: &mut Renderings,
    findings: impl IntoIterator<Item = Finding>,
    texts: &SourceTexts,
) {
    let texts = texts.with_files(named);
    for finding in findings {
        let code = finding.code;
        let rendered = Rendered::new(&[finding.with_files(named)], &texts).to_string();
        renderings.entry(code).or_insert(rendered);
    }
}

/// The file from its folder: skills are named by their whole path, which is another one on every machine.
fn named(file: &str) -> std::sync::Arc<str> {
    let folders = ["/files/", "/root/"];
    let below = folders.iter().find_map(|folder| file.split_once(folder));
    below.map_or(file, |(_, below)| below).into()
}

/// What does not keep a provider from being loaded.
fn warned(renderings: &mut Renderings) {
    let other = "schema: agent-graph.graph.v1\nid: brew/hot\nentrypoints: { cup: steep }\nnodes:\n  - { id: steep, kind: terminal, terminalOutcome: completed }\nedges: []\n";
    let ambiguous = Tea::new()
        .replacing(
            "provider.yaml",
            "graphs/brew.yaml",
            "graphs/brew.yaml, graphs/hot.yaml",
        )
        .with("graphs/hot.yaml", other)
        .replacing("graphs/brew.yaml", "id: served", "id: hot/steep")
        .replacing("graphs/brew.yaml", "to: served", "to: hot/steep");
    let ambiguous = ambiguous.loaded();
    one(renderings, ambiguous.findings, &ambiguous.texts);
}

/// Graphs that call each other until one entry leads to more frames than there may be.
fn too_many_frames() -> Tea {
    let names = (1..=6).map(|number| format!("g{number}.yaml"));
    let names: Vec<String> = names.collect();
    let mut tea = Tea::new().replacing("provider.yaml", "graphs/brew.yaml", &names.join(", "));
    for (number, name) in (1..).zip(&names) {
        let call = |call: usize| {
            format!(
                "  - {{ id: n{call}, kind: subgraph, graph: g{}, entry: e }}\n",
                number + 1
            )
        };
        let calls: String = (0..10).filter(|_| number < 6).map(call).collect();
        tea = tea.with(name, format!(
            "schema: agent-graph.graph.v1\nid: g{number}\nentrypoints: {{ e: end }}\nnodes:\n{calls}  - {{ id: end, kind: terminal, terminalOutcome: completed }}\nedges: []\n"
        ));
    }
    tea
}

/// A skill with this binding beside the provider.
fn bound(locator: &str, graph: &str, entry: &str) -> Result<(), Findings> {
    let skill = format!(
        "---\nname: Brewing\nmetadata:\n  agent-graph: {locator}\n  agent-graph.graph: {graph}\n  agent-graph.entry: {entry}\n---\nBrew.\n"
    );
    let tea = Tea::new().with("skills/brew/SKILL.md", skill);
    bind(tea.root().join("skills/brew/SKILL.md"), &Registry::new()).map(|_| ())
}

/// The recorded mistakes, as far as they need no links.
fn recorded(renderings: &mut Renderings) {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/conformance/invalid");
    let mut folders: Vec<PathBuf> = fs::read_dir(data)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    folders.sort();
    for folder in folders.iter().filter(|folder| folder.is_dir()) {
        let text = fs::read_to_string(folder.join("expect.json")).unwrap();
        let expected: Value = serde_json::from_str(&text).unwrap();
        let operation = &expected["op"];
        let has_setup = expected["setup"]
            .as_array()
            .is_some_and(|it| !it.is_empty());
        if operation["kind"] == "bind" && !has_setup {
            let skill = operation["skill"].as_str().unwrap();
            if let Err(findings) = bind(folder.join("files").join(skill), &Registry::new()) {
                show(renderings, &findings);
            }
        }
        if operation["kind"] != "load" || expected["referenceBug"] == true || has_setup {
            continue;
        }
        let manifest = operation["manifest"].as_str().unwrap();
        if let Err(findings) = load(&folder.join("files").join(manifest)) {
            show(renderings, &findings);
        }
    }
}

/// What nobody recorded, and what reads better made by hand.
fn made_here(renderings: &mut Renderings) {
    let meant = |old: &str, new: &str| Tea::new().replacing("graphs/brew.yaml", old, new);
    for tea in [
        meant("reasonCode", "reasoncode"),
        meant("actions/steep.yaml", "actions/steeep.yaml"),
        meant("entrypoints:", "entrypoints"),
        with_resource("../outside.md"),
        with_resource("codes.yaml"),
        meant("actions/steep.yaml", "/steep.yaml"),
        meant(
            "  - { from: steep, to: served }",
            &format!("  - {}1{}", "[".repeat(300), "]".repeat(300)),
        ),
        with_brief().replacing("schemas/brief.json", "{\"$id\":\"tea.brief/v1\"}", "[1]"),
        with_brief().replacing("schemas/brief.json", "{\"$id\":\"tea.brief/v1\"}", "{}"),
        with_brief().replacing(
            "actions/brief.yaml",
            "outputSchema: schemas/brief.json\n",
            "",
        ),
        Tea::new().replacing(
            "provider.yaml",
            "graphs/brew.yaml",
            "graphs/brew.yaml, ./graphs/brew.yaml",
        ),
    ] {
        if let Err(findings) = tea.load() {
            show(renderings, &findings);
        }
    }
    let twice = r#"{ "schema": "agent-graph.action.v1", "id": "steep", "id": "steep", "runner": "command", "effect": "write", "command": "kettle" }"#;
    let twice = meant("actions/steep.yaml", "actions/steep.json").with("actions/steep.json", twice);
    show(renderings, &too_many_frames().findings());
    const PATH: &str = "path:../../provider.yaml";
    for (locator, graph, entry) in [
        (PATH, "bru", "cup"),
        (PATH, "brew", "cups"),
        ("house", "brew", "cup"),
        ("path:/provider.yaml", "brew", "cup"),
        ("provider:tea/house", "brew", "cup"),
    ] {
        show(renderings, &bound(locator, graph, entry).unwrap_err());
    }
    let strict = LoadOptions::new().strict(true);
    show(
        renderings,
        &load_with(&twice.root().join("provider.yaml"), strict).unwrap_err(),
    );
}

/// One finding about these bytes of a text.
fn about(text: &[u8], start: usize, end: usize) -> (Finding, SourceTexts) {
    let shown = String::from_utf8_lossy(text.get(..start.min(text.len())).unwrap_or(text));
    let at = u32::try_from(shown.len()).unwrap();
    let offset = |at: usize| u32::try_from(at).unwrap();
    let place = Place {
        position: Position::in_text(&shown, at),
        span: Span::new(offset(start), offset(end)),
        ..Place::start_of("a.yaml".into())
    };
    let mut texts = SourceTexts::new();
    texts.add("a.yaml".into(), text);
    let finding = Finding::error(Code::SchemaInvalid, place, "this is wrong").with_hint("right it");
    (finding, texts)
}

fn shown(text: &[u8], start: usize, end: usize) -> String {
    let (finding, texts) = about(text, start, end);
    Rendered::new(&[finding], &texts).to_string()
}

/// The line of the text and the one below it.
fn line_and_carets(rendered: &str) -> (String, String) {
    let mut lines = rendered.lines().skip_while(|line| !line.starts_with("1 |"));
    let mut line = || lines.next().unwrap_or("")[2..].to_owned();
    (line(), line())
}

#[test]
fn carets_stand_below_what_is_meant_behind_tabs_and_wide_characters() {
    let tab = line_and_carets(&shown("a:\tbroken\n".as_bytes(), 3, 9));
    assert_eq!(tab, ("| a:    broken".into(), "|       ^^^^^^".into()));
    // Each of the two is as wide as two carets.
    let text = "世界: broken";
    let wide = line_and_carets(&shown(text.as_bytes(), 8, 14));
    assert_eq!(wide, ("| 世界: broken".into(), "|       ^^^^^^".into()));
    // One letter with an accent of its own.
    let text = "e\u{301}: broken";
    let combined = line_and_carets(&shown(text.as_bytes(), 5, 11));
    assert_eq!(combined.1, "|    ^^^^^^");
}

#[test]
fn what_would_steer_a_terminal_or_hide_text_is_shown_as_a_sign() {
    let text = "a: \u{1b}[31mred\u{9b}0m \u{202e}gnorw\u{200b}\u{7}\n";
    let (mut finding, texts) = about(text.as_bytes(), 0, 1);
    finding.message = "bad \u{1b}[2J\nname".to_owned();
    finding.hint = Some("say \u{9b}2J".to_owned());
    finding.related = vec![(finding.place.clone(), "here\u{1b}c\n".to_owned())];
    for colored in [false, true] {
        let shown = Rendered::new(std::slice::from_ref(&finding), &texts)
            .colored(colored)
            .to_string();
        let own = shown.matches("\u{1b}[").count();
        assert_eq!(shown.matches('\u{1b}').count(), own);
        assert_eq!(own > 0, colored);
        assert!(!shown.contains("\u{1b}[2J") && !shown.contains("\u{1b}[31mred"));
        assert!(!shown.contains(['\u{9b}', '\u{202e}', '\u{200b}', '\u{7}']));
    }
}

#[test]
fn of_a_long_line_the_part_around_is_shown() {
    let text = format!("{}wrong{}\n", "x ".repeat(50_000), " y".repeat(50_000));
    let shown = shown(text.as_bytes(), 100_000, 100_005);
    assert!(shown.contains("a.yaml:1:100001"), "{shown}");
    assert!(
        shown.contains("wrong") && shown.contains("^^^^^"),
        "{shown}"
    );
    assert!(shown.lines().all(|line| line.len() < 600), "{shown}");
}

#[test]
fn several_lines_are_marked_together_and_of_many_the_first() {
    let text = "a:\n  - b\n  - c\n\nd: e\n";
    let several = shown(text.as_bytes(), 0, 16);
    assert!(
        several.contains("1 | / a:\n") && several.contains("3 | |   - c\n"),
        "{several}"
    );
    assert!(!several.contains("d: e"), "{several}");
    let many = format!("a:\n{}", "  - b\n".repeat(100));
    let many = shown(many.as_bytes(), 0, many.len());
    assert!(
        many.contains("1 | a:\n  | ^^\n") && !many.contains("- b"),
        "{many}"
    );
}

#[test]
fn places_near_each_other_share_their_lines_and_other_files_have_their_own() {
    let (finding, mut texts) = about(b"nodes:\n  - a\n  - b\n  - a\n", 23, 24);
    let (first, _) = about(b"nodes:\n  - a\n", 11, 12);
    let elsewhere = Place {
        span: Span::new(3, 4),
        position: Position { line: 1, column: 4 },
        ..Place::start_of("other.yaml".into())
    };
    texts.add("other.yaml".into(), *b"id: a\n");
    let finding = finding
        .with_related(first.place, "first declared here")
        .with_related(elsewhere, "meant by this");
    assert_eq!(
        Rendered::new(&[finding], &texts).to_string(),
        "\
error[schema-invalid]: this is wrong
 --> a.yaml:4:5
  |
2 |   - a
  |     - first declared here
3 |   - b
4 |   - a
  |     ^
  |
 ::: other.yaml:1:4
  |
1 | id: a
  |    - meant by this
  |
  = help: right it"
    );
}

#[test]
fn what_has_no_text_is_shown_with_its_place_and_a_file_as_a_whole_without_lines() {
    let (finding, texts) = about(b"a: b\n", 3, 4);
    let bare = Rendered::new(std::slice::from_ref(&finding), &SourceTexts::new()).to_string();
    assert!(bare.contains("a.yaml:1:4") && !bare.contains('^'), "{bare}");
    let mut whole = finding.clone();
    whole.place = Place::start_of("a.yaml".into());
    let whole = Rendered::new(&[whole], &texts).to_string();
    assert!(
        whole.contains("a.yaml:1:1") && !whole.contains('^'),
        "{whole}"
    );
    let mut warning = finding;
    warning.level = Level::Warn;
    let warning = Rendered::new(&[warning], &texts).to_string();
    assert!(
        warning.starts_with("warning[schema-invalid]: "),
        "{warning}"
    );
}

#[test]
fn the_text_that_is_shown_is_the_one_that_was_read() {
    let tea = Tea::new().replacing("graphs/brew.yaml", "reasonCode", "reasoncode");
    let findings = tea.findings();
    let before = findings.rendered().to_string();
    fs::write(tea.root().join("graphs/brew.yaml"), "something else\n").unwrap();
    assert_eq!(findings.rendered().to_string(), before);
    assert!(
        before.contains("reasoncode") && before.contains("^^^^^^^^^^"),
        "{before}"
    );
}

#[test]
fn any_span_of_any_bytes_is_shown_without_a_panic() {
    const PIECES: [&[u8]; 14] = [
        b"a",
        b"\t",
        b"\n",
        b"\r\n",
        b"\r",
        "世".as_bytes(),
        "e\u{301}".as_bytes(),
        b"\xff",
        b"\xe4\xb8",
        "\u{feff}".as_bytes(),
        "\u{200d}".as_bytes(),
        b"\0",
        b"  ",
        "\u{1b}[1m".as_bytes(),
    ];
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut below = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % bound as u64).unwrap()
    };
    for _ in 0..3000 {
        let text: Vec<u8> = (0..below(24))
            .flat_map(|_| PIECES[below(14)])
            .copied()
            .collect();
        let (mut finding, texts) = about(&text, below(text.len() + 3), below(text.len() + 3));
        let (other, _) = about(&text, below(text.len() + 3), below(text.len() + 3));
        finding.related = vec![(other.place, "other".to_owned())];
        let shown = Rendered::new(&[finding], &texts).to_string();
        assert!(
            shown.starts_with("error[schema-invalid]: this is wrong\n"),
            "{text:?}"
        );
    }
}
