//! Providers of a given shape and size, written to a folder of their own and loaded: what the benchmarks
//! evaluate.

#![allow(
    dead_code,
    unreachable_pub,
    reason = "each benchmark uses a part of this"
)]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use agent_graph_runtime::load::load;
use agent_graph_runtime::tables::{OwnedTables, Tables};
use agent_graph_runtime::{Digest, Facts, Outcome, Provider, State};

/// A folder that goes away with its value.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("agent-graph-bench-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("the folder for temporary files takes folders");
        Self(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn manifest(&self) -> PathBuf {
        self.0.join("provider.yaml")
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.0.join(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).expect("the folder takes folders");
        }
        fs::write(path, text).expect("the folder takes files");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left in a folder for temporary files harms nobody.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What has to be done to files that are held against their digests: found by their real path, read and hashed.
pub fn read_hash(root: &Path, paths: &[String]) {
    for path in paths {
        std::hint::black_box(Digest::of_bytes(&read(root, path)));
    }
}

/// The bytes of a file, found by its real path.
pub fn read(root: &Path, path: &str) -> Vec<u8> {
    let real = fs::canonicalize(root.join(path)).expect("the file is there");
    fs::read(real).expect("the file can be read")
}

/// The floor of an evaluation.
pub fn hash(texts: &[Vec<u8>]) {
    for text in texts {
        std::hint::black_box(Digest::of_bytes(std::hint::black_box(text)));
    }
}

/// The texts that an evaluation of graph `main` hashes, as the protocol has them: that of the revision and one
/// for each candidate.
pub fn hashed(provider: &Provider, state: &State) -> Vec<Vec<u8>> {
    let evaluation = provider
        .evaluate("main", "all", state)
        .expect("there is a graph `main`");
    let digest = provider
        .graph_digest("main")
        .expect("there is a graph `main`");
    let mut outcomes: Vec<String> = state
        .outcomes()
        .map(|(key, outcome)| format!("\"{key}\":\"{outcome}\""))
        .collect();
    outcomes.sort();
    let revision = format!(
        "{{\"authorities\":[],\"entry\":\"all\",\"facts\":{},\"graphId\":\"main\",\"outcomes\":{{{}}},\"provider\":\"{digest}\"}}",
        state.facts().canonical(),
        outcomes.join(","),
    );
    let lent = evaluation.revision();
    assert_eq!(
        Digest::of_bytes(revision.as_bytes()),
        lent,
        "the floor hashes something else"
    );
    let mut texts = vec![revision.into_bytes()];
    for candidate in evaluation.candidates() {
        let calls: Vec<String> = candidate
            .call_path()
            .map(|call| format!("\"{call}\""))
            .collect();
        let text = format!(
            "{{\"callPath\":[{}],\"graph\":\"{}\",\"node\":\"{}\",\"revision\":\"{lent}\"}}",
            calls.join(","),
            candidate.graph(),
            candidate.node(),
        );
        texts.push(text.into_bytes());
    }
    texts
}

/// A provider of one graph `main` with the entry `all`, or of several that call each other.
pub struct Workflow {
    pub name: String,
    /// Nodes in reach of the entry, those of called graphs once for each call.
    pub nodes: usize,
    pub state: State,
    pub folder: Folder,
}

impl Workflow {
    /// The provider as a host that loads it has it.
    pub fn loaded(&self) -> Provider {
        Provider::load(self.folder.manifest()).unwrap_or_else(|findings| panic!("{findings}"))
    }

    /// The provider as a host that compiled it in has it: the same rows, never freed.
    pub fn compiled_in(&self) -> Provider {
        let loaded = load(&self.folder.manifest()).unwrap_or_else(|findings| panic!("{findings}"));
        let tables: &'static OwnedTables = Box::leak(Box::new(loaded.tables));
        let tables: &'static Tables<'static> = Box::leak(Box::new(tables.as_tables()));
        Provider::__from_static(tables)
    }
}

const ACTION: &str =
    "schema: agent-graph.action.v1\nid: work\nrunner: host\neffect: write\nhandler: bench.work\n";

fn manifest(folder: &Folder, graphs: &[&str]) {
    let list = graphs.iter().map(|id| format!("graphs/{id}.yaml"));
    let list = list.collect::<Vec<_>>().join(", ");
    let text = format!(
        "schema: agent-graph.provider.v1\nid: bench/workflow\nversion: 1.0.0\ngraphs: [{list}]\n"
    );
    folder.write("provider.yaml", &text);
    folder.write("actions/work.yaml", ACTION);
}

fn graph(id: &str, first: &str, nodes: &str, edges: &str) -> String {
    format!(
        "schema: agent-graph.graph.v1\nid: {id}\nentrypoints: {{ all: {first} }}\nnodes:\n{nodes}edges:\n{edges}"
    )
}

fn action(id: &str, more: &str) -> String {
    format!(
        "  - {{ id: {id}, kind: action, reasonCode: route.bench.{id}, action: actions/work.yaml{more} }}\n"
    )
}

fn end() -> String {
    "  - { id: end, kind: terminal, terminalOutcome: completed }\n".into()
}

/// Facts of about so many bytes, with `step.nN` true below `done`.
pub fn facts(bytes: usize, done: usize) -> String {
    let mut text = String::from("{\"step\":{");
    for n in 0..done {
        let comma = if n > 0 { "," } else { "" };
        let _ = write!(text, "{comma}\"n{n}\":true");
    }
    text.push_str("},\"observed\":[");
    let mut n = 0;
    while text.len() + 90 < bytes {
        let comma = if n > 0 { "," } else { "" };
        let _ = write!(
            text,
            "{comma}{{\"file\":\"src/module_{n}.rs\",\"lines\":{},\"share\":0.{n},\"clean\":true}}",
            n * 37
        );
        n += 1;
    }
    text.push_str("]}");
    text
}

fn state(facts: &str, outcomes: impl IntoIterator<Item = String>) -> State {
    let mut state = State::new();
    state.set_facts(Facts::from_json(facts).expect("facts are JSON"));
    for key in outcomes {
        state
            .set_outcome(key, Outcome::Completed)
            .expect("it is a state key");
    }
    state
}

/// A chain whose first half is done: every second node by a fact, the others by a recorded outcome.
pub fn chain(nodes: usize, facts_bytes: usize) -> Workflow {
    let name = format!("chain of {nodes}, {facts_bytes} B of facts");
    let folder = Folder::new(&format!("chain-{nodes}-{facts_bytes}"));
    let (mut rows, mut edges) = (String::new(), String::new());
    for n in 0..nodes {
        let more = match n % 2 {
            0 => format!(", satisfiedBy: [{{ path: step.n{n}, equals: true }}]"),
            _ => String::new(),
        };
        rows.push_str(&action(&format!("n{n}"), &more));
        let next = if n + 1 < nodes {
            format!("n{}", n + 1)
        } else {
            "end".into()
        };
        let _ = writeln!(edges, "  - {{ from: n{n}, to: {next} }}");
    }
    rows.push_str(&end());
    manifest(&folder, &["main"]);
    folder.write("graphs/main.yaml", &graph("main", "n0", &rows, &edges));
    let done = nodes / 2;
    let facts = facts(facts_bytes, done);
    let recorded = (0..done)
        .filter(|n| n % 2 == 1)
        .map(|n| format!("main/n{n}"));
    Workflow {
        name,
        nodes: nodes + 1,
        state: state(&facts, recorded),
        folder,
    }
}

/// One node, then many beside each other that are all open, then a join over all.
pub fn fan(width: usize) -> Workflow {
    let folder = Folder::new(&format!("fan-{width}"));
    let mut rows = action("first", "");
    let mut edges = String::new();
    for n in 0..width {
        rows.push_str(&action(&format!("n{n}"), ""));
        let _ = writeln!(edges, "  - {{ from: first, to: n{n} }}");
        let _ = writeln!(edges, "  - {{ from: n{n}, to: last }}");
    }
    rows.push_str(&action("last", ", join: all"));
    rows.push_str(&end());
    edges.push_str("  - { from: last, to: end }\n");
    manifest(&folder, &["main"]);
    folder.write("graphs/main.yaml", &graph("main", "first", &rows, &edges));
    Workflow {
        name: format!("fan of {width}"),
        nodes: width + 3,
        state: state("{}", ["main/first".into()]),
        folder,
    }
}

/// Graphs that call the next one twice, level by level, with one action each, which is done but for the innermost:
/// those are all open.
pub fn nested(levels: usize) -> Workflow {
    let folder = Folder::new(&format!("nested-{levels}"));
    let ids: Vec<String> = (0..levels)
        .map(|level| {
            if level == 0 {
                "main".into()
            } else {
                format!("level{level}")
            }
        })
        .collect();
    manifest(&folder, &ids.iter().map(String::as_str).collect::<Vec<_>>());
    let (mut nodes, mut done) = (0, Vec::new());
    let mut frames = vec![String::from("main")];
    for (level, id) in ids.iter().enumerate() {
        let calls: usize = 1 << level;
        let mut rows = action("work", "");
        let mut edges = String::new();
        if let Some(next) = ids.get(level + 1) {
            for side in ["left", "right"] {
                let _ = writeln!(
                    rows,
                    "  - {{ id: {side}, kind: subgraph, graph: {next}, entry: all }}"
                );
                let _ = writeln!(edges, "  - {{ from: work, to: {side} }}");
                let _ = writeln!(edges, "  - {{ from: {side}, to: end }}");
            }
            nodes += 4 * calls;
            done.extend(frames.iter().map(|frame| format!("{frame}/work")));
            let called =
                |frame: &String| ["left", "right"].map(|side| format!("{frame}/{side}>{next}"));
            frames = frames.iter().flat_map(called).collect();
        } else {
            edges.push_str("  - { from: work, to: end }\n");
            nodes += 2 * calls;
        }
        rows.push_str(&end());
        folder.write(
            &format!("graphs/{id}.yaml"),
            &graph(id, "work", &rows, &edges),
        );
    }
    Workflow {
        name: format!("nested, {levels} levels of two calls"),
        nodes,
        state: state("{}", done),
        folder,
    }
}

/// A desk: so many actions beside each other, all open, that share so many documents, and the paths of all files.
pub fn desk(width: usize, documents: usize) -> (Workflow, Vec<String>) {
    let folder = Folder::new(&format!("desk-{width}-{documents}"));
    let mut paths: Vec<String> = (0..documents).map(|n| format!("docs/d{n}.md")).collect();
    for (n, path) in paths.iter().enumerate() {
        let text =
            "What there is to know about this, told in sentences of usual length.\n".repeat(20);
        folder.write(
            path,
            &format!("---\nid: d{n}\nkind: procedure\n---\n\n{text}"),
        );
    }
    let resources = format!(", resources: {{ required: [{}] }}", paths.join(", "));
    let mut rows = action("first", "");
    let mut edges = String::new();
    for n in 0..width {
        rows.push_str(&action(&format!("n{n}"), &resources));
        let _ = writeln!(edges, "  - {{ from: first, to: n{n} }}");
        let _ = writeln!(edges, "  - {{ from: n{n}, to: end }}");
    }
    rows.push_str(&end());
    manifest(&folder, &["main"]);
    folder.write("graphs/main.yaml", &graph("main", "first", &rows, &edges));
    paths.extend(["provider.yaml", "graphs/main.yaml", "actions/work.yaml"].map(String::from));
    let workflow = Workflow {
        name: format!("{width} nodes, {documents} documents"),
        nodes: width + 2,
        state: state("{}", ["main/first".into()]),
        folder,
    };
    (workflow, paths)
}
