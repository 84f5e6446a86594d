//! Pictures of every provider of the suites: what is written can be read, what is drawn is XML, and the same
//! graph is the same bytes.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use agent_graph_build::picture::{Diagram, Label, Picture, graph_svg, mermaid, svg};
use agent_graph_runtime::protocol::EdgeKind;
use agent_graph_runtime::{Code, Facts, Outcome, Provider, State, pi};
use agent_graph_tests::{baked, sources::read_json};
use roxmltree::Document;

/// Every graph of every provider, with the name of its provider.
fn each_graph(mut see: impl FnMut(&str, &Provider, &str)) {
    let mut seen = 0;
    for (name, provider) in baked::providers() {
        let (Ok(provider), true) = (provider, is_looked_at(name)) else {
            continue;
        };
        for graph in provider.graphs() {
            see(name, provider, graph);
            seen += 1;
        }
    }
    assert!(seen > 50, "{seen} graphs");
}

/// All of the vectors and the examples, and some of the random ones: a layout takes its time.
fn is_looked_at(name: &str) -> bool {
    let random = name.strip_prefix("random/");
    random.is_none_or(|seed| seed.parse::<u64>().is_ok_and(|seed| seed % 8 == 0))
}

/// Asserts that no label meets another, and that all are inside.
fn assert_readable(name: &str, picture: &Picture) {
    let labels = picture.labels();
    for (index, one) in labels.iter().enumerate() {
        let inside = one.x >= 0.0
            && one.y >= 0.0
            && one.x + one.width <= picture.width()
            && one.y + one.height <= picture.height();
        assert!(inside, "{name}: {one:?} is not inside");
        for other in labels.iter().skip(index + 1) {
            assert!(!meet(one, other), "{name}: {one:?} meets {other:?}");
        }
    }
}

fn meet(one: &Label, other: &Label) -> bool {
    // What only touches does not meet.
    let apart = |a: f64, wide: f64, b: f64| a + wide <= b + 0.01;
    let beside = apart(one.x, one.width, other.x) || apart(other.x, other.width, one.x);
    let above = apart(one.y, one.height, other.y) || apart(other.y, other.height, one.y);
    !(beside || above)
}

#[test]
fn labels_of_a_graph_with_all_it_calls_are_apart_and_inside() {
    for (name, provider) in baked::providers() {
        let (Ok(provider), true) = (provider, name.starts_with("examples/")) else {
            continue;
        };
        for graph in provider.graphs() {
            let diagrams = Diagram::of_graph_with_calls(&provider.tables(), graph).unwrap();
            assert_readable(name, &Picture::of(&diagrams).unwrap());
            let entry = provider.entries(graph).next().unwrap();
            let diagrams =
                Diagram::of_run_with_calls(provider, graph, entry, &State::new()).unwrap();
            assert_readable(name, &Picture::of(&diagrams).unwrap());
        }
    }
}

#[test]
fn labels_of_every_graph_are_apart_and_inside_and_the_picture_is_xml_with_every_name() {
    each_graph(|name, provider, graph| {
        let diagram = Diagram::of_graph(&provider.tables(), graph).unwrap();
        let picture = Picture::of(&[diagram]).unwrap();
        assert_readable(&format!("{name}, {graph}"), &picture);
        let svg = picture.svg();
        let document = Document::parse(&svg).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut texts = String::new();
        for text in document.descendants().filter(|it| it.is_text()) {
            texts.push_str(text.text().unwrap());
        }
        let tables = provider.tables();
        let row = tables.row(tables.graphs, tables.graph(graph).unwrap());
        let nodes = tables.rows(tables.nodes, row.nodes).iter();
        let entries = tables.rows(tables.entries, row.entries).iter();
        let names = nodes.map(|row| row.id).chain(entries.map(|row| row.name));
        for name in names.map(|name| tables.text(name)) {
            // Long names go on on the next line, and end in dots.
            let begin: String = name.chars().take(20).collect();
            assert!(without_breaks(&texts).contains(&begin), "{graph}: {name}");
        }
        // Nothing in a page is meant by two pictures.
        assert!(document.descendants().all(|it| !it.has_attribute("id")));
    });
}

/// A state in which something is recorded for every node of the graph: then nodes say their values.
fn recorded(provider: &Provider, graph: &str) -> State {
    let tables = provider.tables();
    let row = tables.row(tables.graphs, tables.graph(graph).unwrap());
    let nodes = tables.rows(tables.nodes, row.nodes).iter();
    let mut state = State::new();
    for (number, node) in nodes.enumerate() {
        let outcome = Outcome::ALL[number % Outcome::ALL.len()];
        let key = format!("{graph}/{}", tables.text(node.id));
        state.set_outcome(key, outcome).unwrap();
    }
    state
}

#[test]
fn labels_of_every_graph_with_a_state_are_apart_and_inside() {
    each_graph(|name, provider, graph| {
        if name.starts_with("random/") {
            return;
        }
        for entry in provider.entries(graph) {
            for state in [State::new(), recorded(provider, graph)] {
                let diagram = Diagram::of_run(provider, graph, entry, &state).unwrap();
                let picture = Picture::of(&[diagram]).unwrap();
                assert_readable(&format!("{name}, {graph}, {entry}"), &picture);
            }
        }
    });
}

#[test]
fn edges_of_each_kind_are_told_apart() {
    let provider = example("examples/release-gate");
    let mut kinds = BTreeSet::new();
    let tables = provider.tables();
    let svg = graph_svg(&tables, "release").unwrap();
    for edge in tables.edges {
        kinds.insert(edge.kind.as_str());
        let word = match edge.kind {
            EdgeKind::GatedBy => "gated by",
            EdgeKind::Flow | EdgeKind::Repeat => continue,
            kind => kind.as_str(),
        };
        assert!(svg.contains(&format!(">{word}")), "{word}: {svg}");
    }
    assert!(kinds.len() > 1, "{kinds:?}");
}

fn without_breaks(text: &str) -> String {
    text.chars().filter(|it| !it.is_whitespace()).collect()
}

#[test]
fn labels_of_every_recorded_pi_graph_are_apart_and_inside() {
    let vectors =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("pi-conformance/compile.json");
    let vectors = read_json(&vectors).unwrap();
    let mut seen = 0;
    for vector in vectors["cases"].as_array().unwrap() {
        let text = vector["definition"].to_string();
        let Ok(loaded) = pi::parse("graph.json".into(), text.as_bytes()) else {
            continue;
        };
        seen += 1;
        let picture = Picture::of(&[Diagram::of_pi(&loaded.definition)]).unwrap();
        assert_readable(&vector["id"].to_string(), &picture);
        Document::parse(&picture.svg()).unwrap();
    }
    assert!(seen > 50, "{seen} graphs");
}

#[test]
fn the_same_graph_is_the_same_bytes() {
    each_graph(|name, provider, graph| {
        if !name.starts_with("examples/") {
            return;
        }
        let tables = provider.tables();
        let (first, second) = (graph_svg(&tables, graph), graph_svg(&tables, graph));
        assert_eq!(first.unwrap(), second.unwrap(), "{name}");
        let text = || mermaid(&[Diagram::of_graph(&tables, graph).unwrap()]);
        assert_eq!(text(), text(), "{name}");
    });
}

fn example(name: &str) -> Provider {
    let mut providers = baked::providers();
    let (_, found) = providers.find(|(it, _)| *it == name).unwrap();
    found.unwrap().clone()
}

/// The mermaid text of the release example in this state: node names with their marks, in order.
fn marks(facts: serde_json::Value, outcomes: &[(&str, Outcome)]) -> Vec<(String, &'static str)> {
    let mut state = State::new();
    state.set_facts(Facts::from_serialize(&facts).unwrap());
    for (key, outcome) in outcomes {
        state.set_outcome(*key, *outcome).unwrap();
    }
    let provider = example("examples/release-gate");
    let diagram = Diagram::of_run(&provider, "release", "default", &state).unwrap();
    let text = mermaid(&[diagram]);
    let class = |node: &str| {
        let found = ["done", "next", "waiting", "blocked", "ahead"].into_iter();
        let mut found = found.filter(|class| {
            let line = text.lines().find(|line| {
                line.ends_with(&format!(" {class}")) && line.trim_start().starts_with("class ")
            });
            line.is_some_and(|line| {
                let nodes = line.trim_start().trim_start_matches("class ");
                let nodes = nodes.split(' ').next().unwrap();
                nodes.split(',').any(|it| it == node)
            })
        });
        found.next().unwrap_or("none")
    };
    let tables = provider.tables();
    let nodes = tables.nodes.iter().enumerate();
    nodes
        .map(|(index, row)| (tables.text(row.id).to_owned(), class(&format!("n{index}"))))
        .collect()
}

#[test]
fn a_picture_of_a_run_says_what_is_done_next_waiting_and_blocked() {
    let of = |marks: &[(String, &'static str)], node: &str| {
        marks.iter().find(|(it, _)| it == node).unwrap().1
    };
    let start = marks(serde_json::json!({}), &[]);
    assert_eq!(of(&start, "package"), "next");
    assert_eq!(of(&start, "publish"), "ahead");
    let built = serde_json::json!({ "package": { "digest": "d", "fresh": true } });
    let scanned = marks(built.clone(), &[]);
    assert_eq!(of(&scanned, "package"), "done");
    assert_eq!(of(&scanned, "scan"), "next");
    let clean = serde_json::json!({
        "package": { "digest": "d", "fresh": true }, "scan": { "state": "clean" }
    });
    let waiting = marks(clean, &[]);
    assert_eq!(of(&waiting, "approval"), "waiting");
    let lost = marks(
        serde_json::json!({ "package": { "fresh": true } }),
        &[("release/package", Outcome::Blocked)],
    );
    assert_eq!(of(&lost, "package"), "blocked");
}

#[test]
fn a_graph_beyond_the_limit_is_refused_and_still_has_its_text() {
    let provider = large(400);
    let diagram = Diagram::of_graph(&provider.tables(), "large").unwrap();
    let error = svg(std::slice::from_ref(&diagram)).unwrap_err();
    assert_eq!(error.code(), Code::PictureTooLarge);
    assert!(mermaid(&[diagram]).contains("step399"));
}

#[test]
fn a_picture_just_below_the_limit_is_readable() {
    let provider = large(90);
    let diagram = Diagram::of_graph(&provider.tables(), "large").unwrap();
    assert_readable("large", &Picture::of(&[diagram]).unwrap());
}

/// A provider with this many steps, each of which leads to the next and to one further on.
fn large(steps: usize) -> Provider {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("large-{steps}"));
    std::fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write(
        "provider.yaml",
        "schema: agent-graph.provider.v1\nid: large\nversion: 1.0.0\ngraphs: [large.yaml]\n",
    );
    write(
        "work.yaml",
        "schema: agent-graph.action.v1\nid: work\nrunner: host\neffect: write\nhandler: work\n",
    );
    let mut graph = String::from(
        "schema: agent-graph.graph.v1\nid: large\nentrypoints: { default: step0 }\nnodes:\n",
    );
    for step in 0..steps {
        writeln!(graph, "  - {{ id: step{step}, kind: action, join: any, reasonCode: route.step{step}, action: work.yaml }}").unwrap();
    }
    graph += "  - { id: done, kind: terminal, terminalOutcome: completed }\nedges:\n";
    for step in 0..steps {
        let next = if step + 1 == steps {
            "done".to_owned()
        } else {
            format!("step{}", step + 1)
        };
        writeln!(graph, "  - {{ from: step{step}, to: {next} }}").unwrap();
        if step + 7 < steps {
            writeln!(
                graph,
                "  - {{ from: step{step}, to: step{}, outcomes: [failed] }}",
                step + 7
            )
            .unwrap();
        }
    }
    write("large.yaml", &graph);
    Provider::load(folder.join("provider.yaml")).unwrap()
}
