//! The table of ceilings is the constants. `AGENT_GRAPH_BLESS=1` writes it anew.

use std::fs;

use agent_graph_build::picture;
use agent_graph_guide::{blesses, read, workspace};
use agent_graph_runtime::load::{FRAMES_LIMIT, limits};
use agent_graph_runtime::{json, pi};

const PAGE: &str = "docs/reliability.md";

/// Constant, value, what it bounds.
fn ceilings() -> Vec<(&'static str, u64, &'static str)> {
    let wide = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    vec![
        (
            "json::DEPTH_LIMIT",
            json::DEPTH_LIMIT.into(),
            "levels of arrays and objects in any JSON or YAML",
        ),
        (
            "load::limits::DOCUMENT_BYTES",
            wide(limits::DOCUMENT_BYTES),
            "bytes of a definition file",
        ),
        (
            "load::limits::DOCUMENT_NODES",
            wide(limits::DOCUMENT_NODES),
            "values and names of a definition file, aliases expanded",
        ),
        (
            "load::limits::ALIAS_COUNT",
            limits::ALIAS_COUNT,
            "occurrences of one anchored YAML value",
        ),
        (
            "load::limits::KEY_CHARACTERS",
            wide(limits::KEY_CHARACTERS),
            "characters of a YAML key",
        ),
        (
            "load::limits::DUPLICATE_KEY_WARNINGS",
            wide(limits::DUPLICATE_KEY_WARNINGS),
            "repeated names that a document warns about",
        ),
        (
            "load::limits::RUN_BYTES",
            wide(limits::RUN_BYTES),
            "bytes of a run in JSON",
        ),
        (
            "load::limits::RUN_NODES",
            wide(limits::RUN_NODES),
            "values and names of a run in JSON",
        ),
        (
            "load::limits::PROVIDER_FILES",
            wide(limits::PROVIDER_FILES),
            "files of a provider",
        ),
        (
            "load::limits::PROVIDER_BYTES",
            limits::PROVIDER_BYTES,
            "bytes of all files of a provider",
        ),
        (
            "load::limits::DIRECTORY_DEPTH",
            wide(limits::DIRECTORY_DEPTH),
            "levels of directories below a skill",
        ),
        (
            "load::limits::PROVIDER_GRAPH_NODES",
            wide(limits::PROVIDER_GRAPH_NODES),
            "nodes of all graphs of a provider",
        ),
        (
            "load::limits::CLOSURE_ENTRIES",
            wide(limits::CLOSURE_ENTRIES),
            "files and nodes that graphs reach, graph by graph",
        ),
        (
            "load::FRAMES_LIMIT",
            FRAMES_LIMIT,
            "frames that an entry leads to",
        ),
        (
            "pi::PATTERN_UNITS",
            wide(pi::PATTERN_UNITS),
            "UTF-16 units of a pattern",
        ),
        (
            "pi::HARD_TEXT_UNITS",
            wide(pi::HARD_TEXT_UNITS),
            "UTF-16 units of a text searched with look-around or references",
        ),
        (
            "pi::RENDERED_BYTES",
            wide(pi::RENDERED_BYTES),
            "bytes of a rendered template",
        ),
        (
            "pi::agent::PROMPT_BYTES",
            pi::agent::PROMPT_BYTES,
            "bytes of a prompt that sets no limit of its own",
        ),
        (
            "pi::agent::LINE_BYTES",
            wide(pi::agent::LINE_BYTES),
            "bytes of a line of an event stream",
        ),
        (
            "picture::NODE_LIMIT",
            wide(picture::NODE_LIMIT),
            "nodes of a drawn graph",
        ),
        (
            "picture::EDGE_LIMIT",
            wide(picture::EDGE_LIMIT),
            "edges of a drawn graph",
        ),
    ]
}

#[test]
fn the_page_lists_every_ceiling_with_its_value() {
    let mut table = "\n| constant | value | bounds |\n| --- | --- | --- |\n".to_owned();
    for (constant, value, bounds) in ceilings() {
        table += &format!("| `{constant}` | {value} | {bounds} |\n");
    }
    table.push('\n');
    let page = read(PAGE);
    let (before, rest) = page
        .split_once("<!-- ceilings -->\n")
        .expect("the place is marked");
    let (there, after) = rest
        .split_once("<!-- end of ceilings -->")
        .expect("its end is marked");
    if blesses() {
        let text = format!("{before}<!-- ceilings -->\n{table}<!-- end of ceilings -->{after}");
        return fs::write(workspace().join(PAGE), text).expect("it is writable");
    }
    assert_eq!(
        there, table,
        "{PAGE} is out of date: AGENT_GRAPH_BLESS=1 writes it"
    );
}

#[test]
fn no_public_ceiling_of_the_loader_is_left_out() {
    let source = read("agent-graph-runtime/src/load/limits.rs");
    let names = source
        .lines()
        .filter_map(|line| line.strip_prefix("pub const ")?.split(':').next());
    for name in names.filter(|name| *name != "DOCUMENT_DEPTH") {
        let path = format!("load::limits::{name}");
        assert!(
            ceilings().iter().any(|(constant, ..)| *constant == path),
            "{path}"
        );
    }
}
