//! Baking: a provider with so many nodes to formatted Rust source, as build scripts do it, beside loading alone and
//! beside the floor, SHA-256 of the manifest's files and of the source: each byte read or written once.
//! `cargo bench -p agent-graph-build --bench bake`

use std::fmt::Write as _;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use agent_graph_build::Builder;
use agent_graph_measure::{Targets, fit, kept, line, shown, side_by_side};
use agent_graph_runtime::Digest;
use agent_graph_runtime::load::load;

fn main() -> ExitCode {
    let mut targets = Targets::default();
    line("baking", &["floor", "load", "load and bake", "a node"]);
    let points = [100, 300, 1_000, 3_000, 5_000].map(|nodes| {
        let folder = chain(nodes);
        let manifest = folder.join("provider.yaml");
        let builder = Builder::new(manifest.display().to_string()).module("chain");
        let generated = builder.generate();
        let source = generated
            .unwrap_or_else(|findings| panic!("{findings}"))
            .source;
        let graph = fs::read(folder.join("graphs/main.yaml")).expect("the graph was written");
        let [floor, load, bake] = side_by_side([
            &mut || hash(&[&graph, source.as_bytes()]),
            &mut kept(|| load(&manifest).is_ok()),
            &mut kept(|| builder.generate().is_ok()),
        ]);
        let each = shown(bake / nodes as f64);
        line(
            &format!("{nodes} nodes"),
            &[&shown(floor), &shown(load), &shown(bake), &each],
        );
        // What is left in a folder for temporary files harms nobody.
        let _ = fs::remove_dir_all(&folder);
        (nodes as f64, bake)
    });
    let fit = fit(&points);
    let met = targets.check("growth", fit.exponent, 1.1);
    println!(
        "{} a node, exponent {:.2} {met}",
        shown(fit.slope),
        fit.exponent
    );
    targets.exit()
}

fn hash(texts: &[&[u8]]) {
    for text in texts {
        black_box(Digest::of_bytes(black_box(text)));
    }
}

/// A provider with one graph, every node an action behind the one before it.
fn chain(nodes: usize) -> PathBuf {
    let name = format!("agent-graph-bench-bake-{nodes}-{}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    let (mut rows, mut edges) = (String::new(), String::new());
    for n in 0..nodes {
        let next = match n + 1 {
            next if next < nodes => format!("n{next}"),
            _ => "end".into(),
        };
        let _ = writeln!(
            rows,
            "  - {{ id: n{n}, kind: action, reasonCode: route.bench.n{n}, action: actions/work.yaml, \
             satisfiedBy: [{{ path: step.n{n}, equals: true }}] }}"
        );
        let _ = writeln!(edges, "  - {{ from: n{n}, to: {next} }}");
    }
    rows.push_str("  - { id: end, kind: terminal, terminalOutcome: completed }\n");
    write(
        &folder.join("graphs/main.yaml"),
        &format!(
            "schema: agent-graph.graph.v1\nid: main\nentrypoints: {{ all: n0 }}\nnodes:\n{rows}edges:\n{edges}"
        ),
    );
    write(
        &folder.join("actions/work.yaml"),
        "schema: agent-graph.action.v1\nid: work\nrunner: host\neffect: write\nhandler: bench.work\n",
    );
    write(
        &folder.join("provider.yaml"),
        "schema: agent-graph.provider.v1\nid: bench/bake\nversion: 1.0.0\ngraphs: [graphs/main.yaml]\n",
    );
    folder
}

fn write(path: &Path, text: &str) {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).expect("the folder for temporary files takes folders");
    }
    fs::write(path, text).expect("the folder takes files");
}
