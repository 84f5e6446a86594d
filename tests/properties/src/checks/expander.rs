//! The expander: whatever stands in the macro and in the files, there are tokens that parse, or findings and, for the
//! compiler to go on with, tokens that parse; and the source of a module is read back as the tables it was made of.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use agent_graph_build::{Settings, bake, expand};
use agent_graph_runtime::Findings;
use proc_macro2::TokenStream;

use super::provider_loader::{changed, refused};
use crate::draw::Draw;
use crate::json::{Json, Members};
use crate::scratch::Scratch;
use crate::{archive, random, written};

// What the macro takes; its crate can only be used by the compiler.
#[allow(dead_code, unreachable_pub, reason = "the macro uses the rest")]
#[path = "../../../../agent-graph-macros/src/input.rs"]
mod input;

type Files = Vec<(String, Vec<u8>)>;

/// Bytes as an archive, or as what stands in the macro; and as decisions about a provider whose ids are hard to name
/// and how it is named.
///
/// # Panics
/// When something does not hold.
pub fn check(bytes: &[u8]) {
    let files = archive::files(bytes);
    if let Some((manifest, _)) = files.first() {
        let folder = Scratch::with(&files);
        module(&folder.path().join(manifest), &settings());
    } else if let Ok(text) = str::from_utf8(bytes) {
        macro_input(text);
    }
    let mut draw = Draw::new(bytes);
    let settings = drawn_settings(&mut draw);
    let files = if draw.below(4) == 0 {
        changed(&mut draw)
    } else {
        hard_to_name(&mut draw)
    };
    let folder = Scratch::with(&files);
    module(&folder.path().join(&files[0].0), &settings);
}

fn settings() -> Settings {
    Settings::new(syn::parse_quote!(release))
}

/// Tokens of the macro: whatever parses names a module that can be made of a provider that loads.
fn macro_input(text: &str) {
    // The compiler reads tokens first, so what is none never gets to the macro.
    let Ok(tokens) = text.parse::<TokenStream>() else {
        return;
    };
    match input::modules(tokens) {
        Ok(modules) => {
            assert!(!modules.is_empty());
            for own in modules {
                assert!(!Path::new(&own.path).is_absolute());
                let manifest = example().path().join(written::MANIFEST);
                // Attributes and visibility are handed on as they are: what is wrong with them the compiler says.
                if syn::parse2::<syn::File>(bake::bare(&manifest, &own.settings)).is_ok() {
                    module(&manifest, &own.settings);
                }
            }
        }
        Err(error) => parses(error.into_compile_error()),
    }
}

/// A provider that loads, kept for the process.
fn example() -> &'static Scratch {
    static EXAMPLE: OnceLock<Scratch> = OnceLock::new();
    EXAMPLE.get_or_init(|| {
        let files = written::files(&random::provider(3));
        Scratch::with(
            &files
                .into_iter()
                .map(|(path, text)| (path, text.into_bytes()))
                .collect::<Vec<_>>(),
        )
    })
}

fn module(manifest: &Path, settings: &Settings) {
    match expand(manifest, settings) {
        Ok(expansion) => {
            let tracked = expansion.tracked("workflow");
            let tokens = expansion
                .baked
                .to_tokens(&tracked)
                .unwrap_or_else(|error| panic!("{error}"));
            parses(tokens);
            let source = expansion
                .baked
                .to_source()
                .unwrap_or_else(|error| panic!("{error}"));
            let back = bake::parse_back::tables(&source)
                .unwrap_or_else(|error| panic!("{error}: {source}"));
            let loaded = agent_graph_runtime::load::load(manifest)
                .unwrap_or_else(|findings| panic!("{findings}"));
            assert!(back == loaded.tables, "{source}");
        }
        Err(findings) => {
            in_files(&findings, manifest);
            let baked =
                bake::skeleton(manifest, settings).unwrap_or_else(|findings| panic!("{findings}"));
            parses(
                baked
                    .to_tokens(&TokenStream::new())
                    .unwrap_or_else(|error| panic!("{error}")),
            );
        }
    }
    parses(bake::bare(manifest, settings));
}

fn in_files(findings: &Findings, manifest: &Path) {
    // A skill that is bound may lie anywhere.
    let folder = manifest.parent().unwrap_or(manifest);
    let known = |file: &str| fs::metadata(folder.join(file)).is_ok();
    if findings
        .list()
        .iter()
        .flat_map(|finding| finding.places())
        .all(|place| known(&place.file))
    {
        refused(findings, folder);
    }
}

fn parses(tokens: TokenStream) {
    let text = tokens.to_string();
    if let Err(error) = syn::parse2::<syn::File>(tokens) {
        panic!("{error}: {text}");
    }
}

const IDS: &[&str] = &[
    "a", "b", "a-b", "a.b", "a_b", "a/b", "a--b", "a.-b", "self", "super", "crate", "type", "fn",
    "gen", "async", "try", "1", "10", "1-a", "n1", "a1", "a-1", "ok", "err", "some", "none",
    "option", "result", "string", "vec", "graph", "node", "entry", "step", "tables", "provider",
    "all", "end", "handler", "main", "core", "std", "str", "u16", "default", "x.self",
];

fn id(draw: &mut Draw<'_>) -> String {
    match draw.below(6) {
        0 => format!(
            "{}{}{}",
            draw.one_of(IDS),
            draw.one_of(&[".", "-", "_", "/"]),
            draw.one_of(IDS)
        ),
        1 => draw.ascii(4).to_ascii_lowercase(),
        _ => draw.one_of(IDS).to_owned(),
    }
}

fn drawn_settings(draw: &mut Draw<'_>) -> Settings {
    let mut settings = settings();
    settings.non_exhaustive(draw.below(2) == 1);
    for _ in 0..draw.below(3) {
        let name = draw.one_of(&[
            "First", "first", "Second", "type", "Self", "a b", "_", "r#type", "Ok", "tables",
        ]);
        // One that Rust does not accept, or a second one, is refused here.
        let _ = settings.rename(&id(draw), name);
    }
    match draw.below(5) {
        1 => settings.embed("workflow"),
        2 => settings.strict(true),
        3 => settings.visibility(quote::quote!(pub(crate))),
        4 => settings.doc(quote::quote!(#[doc = "*/ {{ \" }}"])),
        _ => {}
    }
    settings
}

/// A small provider with ids that have no name of their own, or one that something else has.
fn hard_to_name(draw: &mut Draw<'_>) -> Files {
    let count = 1 + draw.below(3);
    let graphs: Vec<String> = (0..count).map(|at| format!("graphs/{at}.json")).collect();
    let manifest = Members::default()
        .text("schema", "agent-graph.provider.v1")
        .text("id", "p")
        .text("version", "1.0.0")
        .with("graphs", Json::texts(graphs.clone()));
    let action = Members::default()
        .text("schema", "agent-graph.action.v1")
        .text("id", &id(draw))
        .text("runner", "host")
        .text("effect", "write")
        .text("handler", &id(draw));
    let mut files = vec![
        (
            "provider.json".to_owned(),
            manifest.object().source().into_bytes(),
        ),
        (
            "action.json".to_owned(),
            action.object().source().into_bytes(),
        ),
    ];
    files.extend(
        graphs
            .into_iter()
            .map(|path| (path, graph(draw).source().into_bytes())),
    );
    files
}

fn graph(draw: &mut Draw<'_>) -> Json {
    let mut ids: Vec<String> = (0..1 + draw.below(5)).map(|_| id(draw)).collect();
    if draw.below(8) != 1 {
        ids.dedup();
    }
    let step = |id: &String| {
        let description = draw.one_of(&["", "Does it.", "*/ \" }", "# [a](b) `c", "line\nline"]);
        let common = Members::default()
            .text("id", id)
            .text("description", description);
        match draw.below(3) {
            0 => {
                let gate = Members::default()
                    .text("id", id)
                    .text("prompt", "?")
                    .text("authority", draw.one_of(IDS));
                common
                    .text("kind", "gate")
                    .text("reasonCode", &format!("route.{id}"))
                    .with("gate", gate.object())
                    .object()
            }
            _ => common
                .text("kind", "action")
                .text("reasonCode", &format!("route.{id}"))
                .text("action", "action.json")
                .object(),
        }
    };
    let mut nodes: Vec<Json> = ids.iter().map(step).collect();
    nodes.push(
        Members::default()
            .text("id", "the-end")
            .text("kind", "terminal")
            .text("terminalOutcome", "completed")
            .object(),
    );
    let edge = |from: &String| {
        Members::default()
            .text("from", from)
            .text("to", "the-end")
            .object()
    };
    let entries = (0..1 + draw.below(3))
        .map(|_| (id(draw), Json::text(ids[0].clone())))
        .collect();
    Members::default()
        .text("schema", "agent-graph.graph.v1")
        .text("id", &id(draw))
        .with("entrypoints", Json::Object(entries))
        .with("nodes", Json::List(nodes))
        .with("edges", Json::List(ids.iter().map(edge).collect()))
        .object()
}
