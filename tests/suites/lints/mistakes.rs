//! Mistakes that show in the text alone, each found at its place; and what levels do.

use std::path::Path;

use agent_graph_build::lint::{Lint, LintLevel, LintLevels, lint};
use agent_graph_runtime::Level;
use agent_graph_runtime::load::{Loaded, load};
use agent_graph_tests::sources;

use crate::levels;

/// A provider with one of each mistake that shows in the text alone.
const MISTAKES: [(&str, &str); 10] = [
    (
        "provider.yaml",
        "\
schema: agent-graph.provider.v1
id: mistakes
version: 1.0.0
graphs: [graphs/a.yaml, graphs/ab.yaml]
catalogs: { codes: codes.yaml }
compatibility: { agentGraph: ^0.2.0 }
",
    ),
    (
        "codes.yaml",
        "\
schema: agent-graph.code-catalog.v1
codes:
  - { code: route.work, kind: route-reason, summary: Work. }
  - { code: route.unused, kind: route-reason, summary: Nobody gives this. }
  - { code: host.slow, kind: diagnostic, summary: The host gives this. }
",
    ),
    (
        "graphs/a.yaml",
        "\
schema: agent-graph.graph.v1
id: a
entrypoints: { default: b/c }
nodes:
  - id: b/c
    kind: action
    reasonCode: route.work
    action: actions/work.yaml
    satisfiedBy:
      - { path: count, equals: -0 }
      - { path: size, equals: 9007199254740993 }
      - { path: state.name, exists: true }
  - id: gate
    kind: gate
    reasonCode: route.work
    gate: { id: gate, prompt: Go on?, delegatable: true }
    requiresFacts: [{ path: count, equals: none }]
  - id: other
    kind: gate
    reasonCode: route.work
    gate: { id: other, prompt: Go on?, authority: lead }
    requiresFacts: [{ path: state, equals: on }]
  - id: joined
    kind: action
    reasonCode: route.work
    action: actions/work.yaml
  - { id: done, kind: terminal, terminalOutcome: completed }
edges:
  - { from: b/c, to: gate }
  - { from: gate, to: other }
  - { from: gate, to: joined }
  - { from: gate, to: joined, outcomes: [failed] }
  - { from: other, to: done }
",
    ),
    (
        "graphs/ab.yaml",
        "\
schema: agent-graph.graph.v1
id: a/b
entrypoints: { default: c }
nodes:
  - { id: c, kind: action, reasonCode: route.work, action: actions/talk.yaml }
  - { id: done, kind: terminal, terminalOutcome: completed }
edges: [{ from: c, to: done }]
",
    ),
    (
        "actions/work.yaml",
        "\
schema: agent-graph.action.v1
id: work
runner: command
effect: write
command: work
",
    ),
    (
        "actions/talk.yaml",
        "\
schema: agent-graph.action.v1
id: talk
runner: agent
effect: write
skill: skills/talk/SKILL.md
",
    ),
    (
        "skills/talk/SKILL.md",
        "---\nname: My Skill\n---\n\nTalk.\n",
    ),
    ("skills/talk/notes.txt", "Notes.\n"),
    ("skills/talk/more.txt", "More.\n"),
    ("unrelated.txt", "Nothing.\n"),
];

fn mistakes() -> Loaded {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mistakes");
    let files = MISTAKES.map(|(path, text)| (path.to_owned(), text.to_owned()));
    sources::write_files(&folder, &files).expect("the scratch folder takes files");
    load(&folder.join("provider.yaml")).unwrap_or_else(|findings| panic!("{findings}"))
}

#[test]
fn each_mistake_in_the_text_is_found_at_its_place() {
    let loaded = mistakes();
    let mut levels = levels(LintLevel::Warn);
    for lint in Lint::ALL
        .iter()
        .filter(|lint| lint.is_explored() && **lint != Lint::UnmeetableJoin)
    {
        levels
            .set(lint.name(), LintLevel::Allow)
            .expect("it is a lint");
    }
    let found: Vec<String> = lint(&loaded, &levels)
        .findings
        .iter()
        .filter(|own| !own.lint.is_explored() || own.lint == Lint::UnmeetableJoin)
        .map(|own| {
            let place = &own.finding.place;
            format!("{}#{} {}", place.file, place.pointer, own.lint.name())
        })
        .collect();
    assert_eq!(
        found,
        [
            "actions/talk.yaml#/skill unmatchable-receipt",
            "codes.yaml#/codes/1/code unused-code",
            "graphs/a.yaml#/nodes/0/satisfiedBy/0/equals inexact-number",
            "graphs/a.yaml#/nodes/0/satisfiedBy/1/equals inexact-number",
            "graphs/a.yaml#/nodes/1/id mixed-fact-types",
            "graphs/a.yaml#/nodes/1/id undelegatable-gate",
            "graphs/a.yaml#/nodes/2/id idle-authority",
            "graphs/a.yaml#/nodes/2/id mixed-fact-types",
            "graphs/a.yaml#/edges/3 unmeetable-join",
            "graphs/ab.yaml#/nodes/0/id state-key-collision",
            "provider.yaml#/compatibility/agentGraph compatibility-range",
        ]
    );
}

#[test]
fn numbers_are_told_as_they_are_written_and_as_they_are_read() {
    let found = lint(&mistakes(), &LintLevels::default()).findings;
    let found = found.iter().filter(|own| own.lint == Lint::InexactNumber);
    let found: Vec<&str> = found.map(|own| own.finding.message.as_str()).collect();
    assert_eq!(
        found,
        [
            "fact `count` is compared with `-0`, which is read as `0`: `0` has no sign here",
            "fact `size` is compared with `9007199254740993`, which is read as `9007199254740992`: numbers \
             of this size are not exact, so that others equal it",
        ]
    );
}

#[test]
fn levels_decide_what_is_shown_and_what_fails() {
    let loaded = mistakes();
    let by_default = lint(&loaded, &LintLevels::default()).findings;
    assert!(by_default.iter().all(|own| own.lint != Lint::IdleAuthority));
    let join = by_default
        .iter()
        .find(|own| own.lint == Lint::UnmeetableJoin);
    let join = join.expect("it is denied unless it is set");
    assert_eq!(
        (join.level, join.finding.level),
        (LintLevel::Deny, Level::Error)
    );
    let mut levels = LintLevels::default();
    levels
        .set("unmeetable-join", LintLevel::Warn)
        .expect("it is a lint");
    let warned = lint(&loaded, &levels).findings;
    let join = warned.iter().find(|own| own.lint == Lint::UnmeetableJoin);
    assert_eq!(join.map(|own| own.finding.level), Some(Level::Warn));
    assert!(
        lint(&loaded, &self::levels(LintLevel::Allow))
            .findings
            .is_empty()
    );
}

/// A repeat edge of a node to itself undoes what the facts prove, until another outcome is recorded. The
/// facts can hold all the same.
#[test]
fn a_proof_that_a_repeat_undoes_is_no_proof_that_cannot_hold() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("poll");
    let action = |id: &str, more: &str| {
        format!("  - {{ id: {id}, kind: action, reasonCode: route.{id}, action: do.yaml{more} }}\n")
    };
    let graph = format!(
        "schema: agent-graph.graph.v1\nid: g\nentrypoints: {{ all: submit }}\nnodes:\n{}{}{}  - {{ id: end, \
         kind: terminal, terminalOutcome: completed }}\nedges:\n  - {{ from: submit, to: poll }}\n  - {{ \
         from: poll, to: poll, kind: repeat, outcomes: [completed] }}\n  - {{ from: poll, to: use, outcomes: \
         [partial] }}\n  - {{ from: use, to: end }}\n",
        action("submit", ""),
        action("poll", ", satisfiedBy: [{ path: seen, equals: true }]"),
        action("use", ""),
    );
    let files = [
        (
            "provider.yaml",
            "schema: agent-graph.provider.v1\nid: poll/one\nversion: 1.0.0\ngraphs: [g.yaml]\n",
        ),
        ("g.yaml", &graph),
        (
            "do.yaml",
            "schema: agent-graph.action.v1\nid: do\nrunner: host\neffect: write\nhandler: do.it\n",
        ),
    ];
    let files = files.map(|(path, text)| (path.to_owned(), text.to_owned()));
    sources::write_files(&folder, &files).expect("the scratch folder takes files");
    let loaded =
        load(&folder.join("provider.yaml")).unwrap_or_else(|findings| panic!("{findings}"));
    let found = lint(&loaded, &levels(LintLevel::Warn)).findings;
    let unprovable = found.iter().find(|own| own.lint == Lint::UnprovableAction);
    assert!(unprovable.is_none(), "{found:?}");
}
