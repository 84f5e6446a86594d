//! Loading a provider of 150 files, beside its floor: the same files found by their real path, read, hashed with
//! SHA-256 and taken apart into YAML events, nothing else.
//! `cargo bench -p agent-graph-runtime --features dynamic --bench load`

mod support;

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;
use std::process::ExitCode;

use agent_graph_measure::{Targets, fit, kept, line, shown, side_by_side};
use agent_graph_runtime::{Digest, Installed, Provider, RouteInput, State};
use granit_parser::Parser;
use support::{Folder, read, read_hash};

/// What loading may cost, as a multiple of the floor.
const TIMES_THE_FLOOR: f64 = 2.0;

fn main() -> ExitCode {
    let mut targets = Targets::default();
    line("loading", &["floor", "load", "ratio", ""]);
    let points = [30, 60, 150, 300].map(|files| {
        let (folder, paths) = provider(files);
        let manifest = folder.manifest();
        let [floor, load] = side_by_side([
            &mut || read_hash_parse(folder.path(), &paths),
            &mut kept(|| Provider::load(&manifest).is_ok()),
        ]);
        let name = format!("{files} files");
        let met = targets.check(&name, load / floor, TIMES_THE_FLOOR);
        line(
            &name,
            &[
                &shown(floor),
                &shown(load),
                &format!("{:.2}", load / floor),
                met,
            ],
        );
        (files as f64, load)
    });
    let fit = fit(&points);
    let met = targets.check("growth", fit.exponent, 1.1);
    println!(
        "{} a file, at most {:.0} % off the line, exponent {:.2} {met}",
        shown(fit.slope),
        fit.off * 100.0,
        fit.exponent
    );
    println!();
    installed();
    targets.exit()
}

/// Checking the files of an installed provider, which also every resolved route does.
fn installed() {
    line("installed, 150 files", &["floor", "time", "ratio", ""]);
    let (folder, paths) = provider(150);
    let installed =
        Installed::load(folder.manifest()).unwrap_or_else(|findings| panic!("{findings}"));
    let evaluation = installed.evaluate("g0", "all", &State::new());
    let evaluation = evaluation.expect("there is a graph `g0`");
    let route = evaluation.primary().expect("the first node is open");
    let input = RouteInput::new()
        .in_workspace(folder.path())
        .expect("the folder is absolute");
    let [floor, verify, resolve] = side_by_side([
        &mut || read_hash(folder.path(), &paths),
        &mut kept(|| installed.verify().is_ok()),
        &mut || {
            drop(
                installed
                    .resolve(&route, &input)
                    .expect("the route is open"),
            )
        },
    ]);
    for (name, time) in [("verify", verify), ("resolve a route", resolve)] {
        line(
            name,
            &[
                &shown(floor),
                &shown(time),
                &format!("{:.2}", time / floor),
                "",
            ],
        );
    }
}

/// A provider of so many files: the manifest, graphs of five nodes, and for each graph four actions and a
/// document.
fn provider(files: usize) -> (Folder, Vec<String>) {
    let folder = Folder::new(&format!("load-{files}"));
    let mut paths = vec!["provider.yaml".to_owned()];
    let mut graphs = Vec::new();
    while paths.len() < files {
        let n = graphs.len();
        let (mut nodes, mut edges) = (String::new(), String::new());
        for step in 0..4.min(files.saturating_sub(paths.len() + 2)) {
            let action = format!("actions/a{n}-{step}.yaml");
            folder.write(&action, &self::action(n, step));
            let _ = write!(nodes, "{}", node(n, step, &action));
            let next = if step < 3 {
                format!("step{}", step + 1)
            } else {
                "end".into()
            };
            let _ = writeln!(
                edges,
                "  - {{ from: step{step}, to: {next}, outcomes: [completed, skipped] }}"
            );
            paths.push(action);
        }
        let document = format!("docs/d{n}.md");
        folder.write(&document, &self::document(n));
        paths.push(document);
        let graph = format!("graphs/g{n}.yaml");
        let last = edges.lines().count();
        if last < 4 {
            edges = edges.replace(&format!("to: step{last},"), "to: end,");
        }
        folder.write(
            &graph,
            &format!(
                "schema: agent-graph.graph.v1\nid: g{n}\ndescription: Graph {n} of the benchmark.\nentrypoints:\n  all: step0\nnodes:\n{nodes}  - id: end\n    kind: terminal\n    terminalOutcome: completed\nedges:\n{edges}"
            ),
        );
        paths.push(graph.clone());
        graphs.push(graph);
    }
    let list: String = graphs.iter().map(|path| format!("  - {path}\n")).collect();
    folder.write(
        "provider.yaml",
        &format!(
            "schema: agent-graph.provider.v1\nid: bench/load\nversion: 1.0.0\ngraphs:\n{list}"
        ),
    );
    (folder, paths)
}

fn node(graph: usize, step: usize, action: &str) -> String {
    format!(
        "  - id: step{step}\n    kind: action\n    description: Step {step} of graph {graph}, told in a sentence of usual length.\n    reasonCode: route.bench.g{graph}.step{step}\n    action: {action}\n    requiresFacts:\n      - path: ready.g{graph}\n        exists: false\n    satisfiedBy:\n      - path: done.g{graph}.step{step}\n        equals: true\n    resources:\n      required: [docs/d{graph}.md]\n"
    )
}

fn action(graph: usize, step: usize) -> String {
    format!(
        "schema: agent-graph.action.v1\nid: a{graph}-{step}\nrunner: command\neffect: write\ncommand: bench run --graph {graph} --step {step}\n"
    )
}

fn document(graph: usize) -> String {
    let text = "What there is to know about this, told in sentences of usual length.\n".repeat(20);
    format!("---\nid: d{graph}\nkind: procedure\n---\n\n{text}")
}

fn read_hash_parse(root: &Path, paths: &[String]) {
    for path in paths {
        let bytes = read(root, path);
        black_box(Digest::of_bytes(&bytes));
        let text = std::str::from_utf8(&bytes).expect("the files are text");
        let text = match path.ends_with(".md") {
            true => text.split("---\n").nth(1).unwrap_or(""),
            false => text,
        };
        for event in Parser::new_from_str(text) {
            black_box(event.expect("the files are YAML"));
        }
    }
}
