//! A provider with everything that a route can have.

use std::path::{Path, PathBuf};

use agent_graph_runtime::{Evaluation, Installed, ReadReceipts, Route, RouteInput, State};

use crate::support::Scratch;

/// An absolute path that is none of the provider's.
pub(crate) const WORKSPACE: &str = "/desk/workspace";

const FILES: &[(&str, &str)] = &[
    (
        "provider.yaml",
        "schema: agent-graph.provider.v1\nid: desk\nversion: 1.0.0\ngraphs: [graphs/main.yaml]\ncatalogs: { codes: codes.yaml }\n",
    ),
    (
        "codes.yaml",
        "schema: agent-graph.code-catalog.v1\ncodes:\n\
         - { code: route.draft, kind: route-reason, summary: Draft it, document: ./resources/guide.md }\n\
         - { code: route.sort, kind: route-reason, summary: Sort it }\n\
         - { code: route.approve, kind: route-reason, summary: Approve it }\n\
         - { code: desk.lost, kind: diagnostic, severity: warning, summary: Something is lost }\n",
    ),
    (
        "graphs/main.yaml",
        "schema: agent-graph.graph.v1\nid: main\nentrypoints: { default: draft, sort: sort, approve: approve }\nnodes:\n\
         - id: draft\n  kind: action\n  reasonCode: route.draft\n  action: actions/draft.yaml\n  \
           resources: { required: [resources/guide.md, resources/brief.yaml], recommended: [resources/queue.yaml] }\n\
         - { id: sort, kind: action, reasonCode: route.sort, action: actions/sort.yaml }\n\
         - id: approve\n  kind: gate\n  reasonCode: route.approve\n  \
           gate: { prompt: Is it good?, delegatable: true, id: approval, authority: chief }\n  \
           inspectionAction: actions/look.yaml\n  resolutionAction: actions/approve.yaml\n  \
           resources: { required: [resources/guide.md] }\n  \
           delegated: { inspection: skip, resolutionAction: actions/delegate.yaml, resources: {} }\n\
         - { id: end, kind: terminal, terminalOutcome: completed }\n\
         edges:\n- { from: draft, to: end }\n- { from: sort, to: end }\n- { from: approve, to: end }\n",
    ),
    (
        "actions/draft.yaml",
        "schema: agent-graph.action.v1\nid: draft\nrunner: agent\neffect: write\nskill: skills/draft/SKILL.md\n\
         inputSchema: schemas/in.json\noutputSchema: schemas/out.json\n",
    ),
    (
        "actions/sort.yaml",
        "schema: agent-graph.action.v1\nid: sort\nrunner: script\neffect: write\nruntime: python\n\
         entry: scripts/so'rt.py\nargs: [--all, it's]\ncwd: provider\nfiles: [scripts/helper.py]\n",
    ),
    (
        "actions/look.yaml",
        "schema: agent-graph.action.v1\nid: look\nrunner: command\neffect: read\ncommand: git diff\n",
    ),
    (
        "actions/approve.yaml",
        "schema: agent-graph.action.v1\nid: approve\nrunner: host\neffect: external\nhandler: desk.approve/v1\n",
    ),
    (
        "actions/delegate.yaml",
        "schema: agent-graph.action.v1\nid: delegate\nrunner: agent\neffect: write\nskill: skills/draft/SKILL.md\n",
    ),
    (
        "actions/render.yaml",
        "schema: agent-graph.action.v1\nid: render\nrunner: host\neffect: read\nhandler: desk.render/v1\n\
         inputSchema: schemas/in.json\noutputSchema: schemas/out.json\n",
    ),
    (
        "actions/list.yaml",
        "schema: agent-graph.action.v1\nid: list\nrunner: command\neffect: read\ncommand: ls\n",
    ),
    (
        "resources/guide.md",
        "---\nid: guide\nkind: procedure\n---\nWrite well.\n",
    ),
    (
        "resources/brief.yaml",
        "schema: agent-graph.resource.host-action.v1\nid: brief\nkind: procedure\nmediaType: text/markdown\n\
         materializer: actions/render.yaml\ninput: { words: 400, about: tea }\n",
    ),
    (
        "resources/queue.yaml",
        "schema: agent-graph.resource.graph-action.v1\nid: queue\nkind: context-view\nmediaType: text/plain\n\
         materializer: actions/list.yaml\n",
    ),
    (
        "schemas/in.json",
        "{\"$id\":\"desk.in/v1\",\"type\":\"object\"}\n",
    ),
    ("schemas/out.json", "{\"$id\":\"desk.out/v1\"}\n"),
    ("scripts/so'rt.py", "print()\n"),
    ("scripts/helper.py", "pass\n"),
    (
        "skills/draft/SKILL.md",
        "---\nname: Drafting\n---\nDraft.\n",
    ),
    ("skills/draft/more/notes.txt", "Notes.\n"),
];

/// The provider, in a folder of its own.
pub(crate) struct Desk {
    pub(crate) scratch: Scratch,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let scratch = Scratch::new();
        for (path, text) in FILES {
            scratch.write(path, text);
        }
        Self { scratch }
    }

    /// The same with a text replaced in a file.
    pub(crate) fn replacing(self, path: &str, old: &str, new: &str) -> Self {
        let text = std::fs::read_to_string(self.path(path)).unwrap();
        assert!(text.contains(old), "{path} has no {old:?}");
        self.scratch.write(path, text.replace(old, new));
        self
    }

    pub(crate) fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        self.scratch.root().join(path)
    }

    #[track_caller]
    pub(crate) fn installed(&self) -> Installed {
        match Installed::load(self.path("provider.yaml")) {
            Ok(installed) => installed,
            Err(findings) => panic!("does not load:\n{findings}"),
        }
    }
}

/// Input with a workspace.
pub(crate) fn input() -> RouteInput {
    RouteInput::new().in_workspace(WORKSPACE).unwrap()
}

/// Input with a workspace and receipts.
pub(crate) fn with_receipts(receipts: &ReadReceipts) -> RouteInput {
    input().with_receipts(receipts.clone())
}

/// The evaluation at an entry, in the hands of a session with the authorities.
pub(crate) fn evaluation(installed: &Installed, entry: &str, authorities: &[&str]) -> Evaluation {
    let mut state = State::new();
    state.set_authorities(authorities.iter().copied());
    installed.evaluate("main", entry, &state).unwrap()
}

/// The best route at an entry.
#[track_caller]
pub(crate) fn route(installed: &Installed, entry: &str, authorities: &[&str]) -> Route {
    let evaluation = evaluation(installed, entry, authorities);
    let candidate = evaluation.primary().unwrap();
    installed.resolve(&candidate, &input()).unwrap()
}
