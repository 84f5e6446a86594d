//! Small providers in a folder of their own.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use agent_graph_runtime::load::{Loaded, load};
use agent_graph_runtime::{Finding, Findings, Level};

/// A folder that goes away with its test.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("agent-graph-loading-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(path.join("root")).unwrap();
        Self(path)
    }

    /// The folder of the provider.
    pub(crate) fn root(&self) -> PathBuf {
        self.0.join("root")
    }

    /// A path beside that folder.
    pub(crate) fn outside(&self, path: &str) -> PathBuf {
        self.0.join(path)
    }

    /// Writes a file of the provider.
    pub(crate) fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(crate) const MANIFEST: &str = "\
schema: agent-graph.provider.v1
id: tea/house
version: 0.3.0
graphs: [graphs/brew.yaml]
";

pub(crate) const GRAPH: &str = "\
schema: agent-graph.graph.v1
id: brew
entrypoints: { cup: steep }
nodes:
  - { id: steep, kind: action, reasonCode: route.brew.steep, action: actions/steep.yaml }
  - { id: served, kind: terminal, terminalOutcome: completed }
edges:
  - { from: steep, to: served }
";

pub(crate) const ACTION: &str = "\
schema: agent-graph.action.v1
id: steep
runner: command
effect: write
command: kettle steep --minutes 4
";

/// The provider of the specification's running example, to be changed file by file.
pub(crate) struct Tea {
    scratch: Scratch,
    manifest: String,
}

impl Tea {
    pub(crate) fn new() -> Self {
        let scratch = Scratch::new();
        scratch.write("provider.yaml", MANIFEST);
        scratch.write("graphs/brew.yaml", GRAPH);
        scratch.write("actions/steep.yaml", ACTION);
        Self {
            scratch,
            manifest: "provider.yaml".to_owned(),
        }
    }

    /// The same with another file.
    pub(crate) fn with(self, path: &str, bytes: impl AsRef<[u8]>) -> Self {
        self.scratch.write(path, bytes);
        self
    }

    /// The same with a text replaced in a file.
    pub(crate) fn replacing(self, path: &str, old: &str, new: &str) -> Self {
        let text = fs::read_to_string(self.root().join(path)).unwrap();
        assert!(text.contains(old), "{path} has no {old:?}");
        self.scratch.write(path, text.replace(old, new));
        self
    }

    /// The same without a file.
    pub(crate) fn without(self, path: &str) -> Self {
        fs::remove_file(self.root().join(path)).unwrap();
        self
    }

    /// The same, loaded through another manifest.
    pub(crate) fn through(mut self, manifest: &str) -> Self {
        self.manifest = manifest.to_owned();
        self
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.scratch.root()
    }

    pub(crate) fn scratch(&self) -> &Scratch {
        &self.scratch
    }

    pub(crate) fn load(&self) -> Result<Loaded, Findings> {
        load(&self.root().join(&self.manifest))
    }

    /// The provider, which has to load.
    #[track_caller]
    pub(crate) fn loaded(&self) -> Loaded {
        match self.load() {
            Ok(loaded) => loaded,
            Err(findings) => panic!("does not load:\n{findings}"),
        }
    }

    /// What is wrong with it.
    #[track_caller]
    pub(crate) fn findings(&self) -> Findings {
        match self.load() {
            Ok(_) => panic!("it loads"),
            Err(findings) => findings,
        }
    }

    /// Asserts that exactly this is wrong: a code and the place `file:line:column`.
    #[track_caller]
    pub(crate) fn fails(&self, code: &str, place: &str) -> Finding {
        let findings = self.findings();
        assert_eq!(
            shown(&findings),
            [format!("{code} {place}")],
            "\n{findings}"
        );
        assert_eq!(findings.code().as_str(), code);
        let mut list = findings.list().iter();
        let error = list.find(|finding| finding.level == Level::Error);
        error.unwrap().clone()
    }
}

/// Each error as `code file:line:column`.
pub(crate) fn shown(findings: &Findings) -> Vec<String> {
    let list = findings.list().iter();
    let errors = list.filter(|finding| finding.level == Level::Error);
    errors
        .map(|finding| format!("{} {}", finding.code, finding.place))
        .collect()
}

#[cfg(unix)]
pub(crate) fn link(target: &Path, link: &Path) {
    fs::create_dir_all(link.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(target, link).unwrap();
}

/// A graph whose step requires a resource at line 9.
pub(crate) fn with_resource(path: &str) -> Tea {
    Tea::new().replacing(
        "graphs/brew.yaml",
        ", action: actions/steep.yaml }",
        &format!(", action: actions/steep.yaml, resources: {{ required: [{path}] }} }}"),
    )
}

/// Nodes `a` and `b` are actions, `end` is the terminal; the edges begin at line 9.
pub(crate) fn with_edges(edges: &str) -> Tea {
    let graph = format!(
        "schema: agent-graph.graph.v1
id: brew
entrypoints: {{ cup: a }}
nodes:
  - {{ id: a, kind: action, reasonCode: route.a, action: actions/steep.yaml }}
  - {{ id: b, kind: action, reasonCode: route.b, action: actions/steep.yaml }}
  - {{ id: end, kind: terminal, terminalOutcome: completed }}
edges:
{edges}"
    );
    Tea::new().with("graphs/brew.yaml", graph)
}

pub(crate) const BRIEF: &str = "\
schema: agent-graph.resource.host-action.v1
id: brief
kind: procedure
mediaType: text/plain
materializer: actions/brief.yaml
input: { cups: 2 }
";

pub(crate) const BRIEF_ACTION: &str = "\
schema: agent-graph.action.v1
id: brief
runner: host
effect: read
handler: tea.brief/v1
inputSchema: schemas/request.json
outputSchema: schemas/brief.json
";

/// A host-action resource with its action and schemas.
pub(crate) fn with_brief() -> Tea {
    with_resource("brief.yaml")
        .with("brief.yaml", BRIEF)
        .with("actions/brief.yaml", BRIEF_ACTION)
        .with(
            "schemas/request.json",
            r#"{"$id":"tea.request/v1","type":"object"}"#,
        )
        .with("schemas/brief.json", r#"{"$id":"tea.brief/v1"}"#)
}

/// A graph with this many lines under `nodes` and `edges`.
pub(crate) fn large_graph(nodes: &str, edges: &str) -> String {
    format!(
        "schema: agent-graph.graph.v1\nid: brew\nentrypoints: {{ e: end }}\nnodes:\n  - {{ id: end, kind: terminal, terminalOutcome: completed }}\n{nodes}edges:\n{edges}"
    )
}
