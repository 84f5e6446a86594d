//! pi-graph definitions: any bytes are a graph, which is printed as Rust and read back as the same tables, or
//! findings that lie in the text.

use agent_graph_build::Settings;
use agent_graph_build::bake;
use agent_graph_runtime::pi::{self, Loaded, PiFindings};

use crate::bounds;
use crate::draw::Draw;
use crate::json::{Json, Members};

/// Bytes as a definition, and as decisions about one.
///
/// # Panics
/// When something does not hold.
pub fn check(bytes: &[u8]) {
    definition(bytes);
    definition(drawn(&mut Draw::new(bytes)).source().as_bytes());
}

fn definition(text: &[u8]) {
    let parsed = pi::parse("graph.json".into(), text);
    assert_eq!(
        parsed,
        pi::parse("graph.json".into(), text),
        "the same text, another answer"
    );
    match parsed {
        Ok(loaded) => works(&loaded, text),
        Err(findings) => {
            bounds::findings(&findings.to_findings(), |_| Some(text));
            if let PiFindings::Invalid {
                diagnostics,
                migration,
            } = &findings
            {
                assert!(!diagnostics.is_empty());
                migration
                    .iter()
                    .for_each(|edit| bounds::place(&edit.place, text));
            }
        }
    }
}

fn works(loaded: &Loaded, text: &[u8]) {
    for diagnostic in &loaded.diagnostics {
        bounds::finding(&diagnostic.to_finding(), |_| Some(text));
    }
    loaded
        .warnings
        .iter()
        .for_each(|warning| bounds::finding(warning, |_| Some(text)));
    let graph = loaded.graph();
    let settings = Settings::new(syn::parse_quote!(graph));
    match bake::pi::module(&graph.tables(), &settings) {
        Ok(baked) => {
            let source = baked.to_source().unwrap_or_else(|error| panic!("{error}"));
            let back =
                bake::pi::parse_back::tables(&source).unwrap_or_else(|error| panic!("{error}"));
            assert!(back.as_tables() == graph.tables(), "{source}");
        }
        // Two ids that would have one name.
        Err(findings) => assert!(!findings.list().is_empty()),
    }
}

const NODES: [&str; 8] = ["a", "b", "c", "10", "9", "self", "a b", "é"];

fn target(draw: &mut Draw<'_>) -> Json {
    Json::text(draw.one_of(&[
        "a", "b", "c", "10", "9", "__end__", "__end__", "__end__", "x",
    ]))
}

fn path(draw: &mut Draw<'_>) -> Json {
    match draw.below(10) {
        0 => Json::Text(draw.text(6)),
        _ => Json::text(draw.one_of(&[
            "a",
            "a.b",
            "a.b.c",
            "x",
            " x . y ",
            "input.task",
            "outputs.a",
            "messages",
        ])),
    }
}

fn paths(draw: &mut Draw<'_>) -> Json {
    Json::List((0..draw.below(3)).map(|_| path(draw)).collect())
}

fn condition(draw: &mut Draw<'_>, levels: usize) -> Json {
    let kind = if levels == 0 { 0 } else { draw.below(6) };
    let parts = |draw: &mut Draw<'_>| {
        Json::List(
            (0..draw.below(3))
                .map(|_| condition(draw, levels - 1))
                .collect(),
        )
    };
    match kind {
        1 => Members::default().with("all", parts(draw)).object(),
        2 => Members::default().with("any", parts(draw)).object(),
        3 => Members::default()
            .with("not", condition(draw, levels - 1))
            .object(),
        _ => {
            let operators = [
                "exists", "truthy", "eq", "ne", "includes", "matches", "gt", "gte", "lt", "between",
            ];
            let value = (draw.below(2) == 0).then(|| draw.value(1));
            Members::default()
                .with("path", path(draw))
                .text("op", draw.one_of(&operators))
                .maybe("value", value)
                .object()
        }
    }
}

fn node(draw: &mut Draw<'_>) -> Json {
    let common = Members::default()
        .maybe("reads", (draw.below(3) == 1).then(|| paths(draw)))
        .maybe("output", (draw.below(3) == 1).then(|| path(draw)))
        .maybe(
            "idempotent",
            (draw.below(4) == 1).then_some(Json::Bool(true)),
        )
        .maybe("onError", (draw.below(5) == 1).then(|| on_error(draw)));
    match draw.below(4) {
        0 => {
            let assign = (0..1 + draw.below(2)).map(|_| {
                let value = draw.value(2);
                Members::default()
                    .with("path", path(draw))
                    .with("value", value)
                    .object()
            });
            let assign = Json::List(assign.collect());
            common.text("type", "set").with("assign", assign).object()
        }
        1 => common
            .text("type", "human")
            .text("prompt", "Well, {{ a.b }}?")
            .object(),
        _ => {
            let prompt = draw.one_of(&[
                "Do {{ input.task }}.",
                "Do it.",
                "{{a..b}}",
                "{{ x }} {{x.y}}",
                "{{}}",
            ]);
            common.text("type", "agent").text("prompt", prompt).object()
        }
    }
}

fn on_error(draw: &mut Draw<'_>) -> Json {
    let strategy = draw.one_of(&["fail", "continue", "route", "retry"]);
    let to = (draw.below(2) == 0).then(|| target(draw));
    Members::default()
        .text("strategy", strategy)
        .maybe("to", to)
        .object()
}

/// A definition that is valid as often as not.
fn drawn(draw: &mut Draw<'_>) -> Json {
    let count = 1 + draw.below(NODES.len());
    let nodes = (0..count)
        .map(|at| (NODES[at].to_owned(), node(draw)))
        .collect();
    let edge = |draw: &mut Draw<'_>| {
        Members::default()
            .with("from", target(draw))
            .with("to", target(draw))
            .object()
    };
    let edges = Json::List((0..draw.below(6)).map(|_| edge(draw)).collect());
    let route = |draw: &mut Draw<'_>| {
        let case = Members::default()
            .with("when", condition(draw, 2))
            .with("to", target(draw))
            .object();
        Members::default()
            .with("from", target(draw))
            .with("cases", Json::List(vec![case]))
            .with("default", target(draw))
            .object()
    };
    let routes = Json::List((0..draw.below(3)).map(|_| route(draw)).collect());
    let mut definition = Members::default()
        .with("schemaVersion", Json::Number(2.0))
        .text("name", "drawn")
        .with(
            "entry",
            if draw.below(3) == 0 {
                Json::List(vec![target(draw)])
            } else {
                Json::text("a")
            },
        )
        .with("nodes", Json::Object(nodes))
        .with("edges", edges)
        .with("routes", routes)
        .with("limits", Json::Object(Vec::new()));
    if draw.below(6) == 1 {
        definition = definition.with(&draw.name(), draw.value(2));
    }
    definition.object()
}
