//! What is printed for tables made by hand. `AGENT_GRAPH_BLESS=1` writes the expected file anew.

mod support;

use agent_graph_build::{Settings, bake};
use agent_graph_runtime::protocol::NodeKind;
use agent_graph_runtime::tables::{FileRow, OwnedTables};
use agent_graph_runtime::{Code, Findings};
use quote::{format_ident, quote};

fn settings() -> Settings {
    Settings::new(format_ident!("shop"))
}

fn source(tables: &OwnedTables) -> String {
    bake::module(&tables.as_tables(), &settings())
        .unwrap()
        .to_source()
        .unwrap()
}

/// Compares with a file below `tests/expected`, or writes it when asked to.
fn assert_golden(name: &str, actual: &str) {
    let path = format!("{}/tests/expected/{name}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("AGENT_GRAPH_BLESS").is_some() {
        std::fs::write(&path, actual).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    let differing = expected
        .lines()
        .zip(actual.lines())
        .position(|(expected, actual)| expected != actual)
        .unwrap_or_else(|| expected.lines().count().min(actual.lines().count()));
    assert!(
        expected == actual,
        "{path} differs from line {}: have `{}`, want `{}`; set AGENT_GRAPH_BLESS=1 to accept",
        differing + 1,
        actual.lines().nth(differing).unwrap_or(""),
        expected.lines().nth(differing).unwrap_or(""),
    );
}

#[test]
fn the_printed_module_is_the_expected_one() {
    assert_golden("shop.rs", &source(&support::sample()));
}

#[test]
fn printed_tables_read_back_as_they_were() {
    let tables = support::sample();
    assert_eq!(bake::parse_back::tables(&source(&tables)), Ok(tables));
}

#[test]
fn no_tables_at_all_read_back_too() {
    let tables = OwnedTables::default();
    assert_eq!(bake::parse_back::tables(&source(&tables)), Ok(tables));
}

#[test]
fn tokens_and_source_are_the_same_module() {
    let tables = support::sample();
    let baked = bake::module(&tables.as_tables(), &settings()).unwrap();
    let tokens = baked.to_tokens(&quote!()).unwrap();
    let from_tokens: syn::File = syn::parse2(tokens).unwrap();
    let from_source = syn::parse_file(&baked.to_source().unwrap()).unwrap();
    assert!(prettyplease::unparse(&from_tokens) == prettyplease::unparse(&from_source));
}

fn findings(tables: &OwnedTables, settings: &Settings) -> Findings {
    bake::module(&tables.as_tables(), settings)
        .map(|_| ())
        .unwrap_err()
}

#[test]
fn every_clash_is_a_finding_at_the_file_of_its_graph() {
    let mut maker = support::Maker::default();
    maker.graph("count", 4, 0);
    for (rank, id) in ["1", "n1", "2", "n2"].into_iter().enumerate() {
        maker.node(id, NodeKind::Terminal, u32::MAX, rank as u32);
    }
    let path = maker.text("graphs/count.yaml");
    maker.tables.files.push(FileRow {
        path,
        digest: [0; 32],
    });
    let findings = findings(&maker.tables, &settings());
    assert_eq!(findings.code(), Code::NameClash);
    let messages: Vec<String> = findings.list().iter().map(ToString::to_string).collect();
    assert_eq!(messages.len(), 2);
    assert!(messages[0].starts_with(
        "graphs/count.yaml:1:1: name-clash: `1` and `n1` among the nodes of graph `count`"
    ));
    assert!(messages[1].contains("`2` and `n2`"));
}

#[test]
fn a_rename_of_nothing_is_a_finding() {
    let mut settings = settings();
    settings.rename("audit", "Check").unwrap();
    settings.rename("audit", "check").unwrap();
    // `scan.review` is a node, but no graph.
    settings.rename("scan.review", "review").unwrap();
    settings.rename("absent", "Absent").unwrap();
    let findings = findings(&support::sample(), &settings);
    assert_eq!(findings.code(), Code::RenameUnknown);
    let messages: Vec<&str> = findings.list().iter().map(|f| f.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "`absent`, which is renamed to `Absent`, is no entry, node, handler, authority or reason code of the provider",
            "`scan.review`, which is renamed to `review`, is no graph of the provider"
        ]
    );
}

#[test]
fn more_nodes_than_can_be_told_apart_are_refused() {
    let mut maker = support::Maker::default();
    maker.graph("large", 65_536, 0);
    for rank in 0..65_536 {
        maker.node(&format!("n{rank}"), NodeKind::Terminal, u32::MAX, rank);
    }
    let refused = findings(&maker.tables, &settings());
    assert_eq!(refused.code(), Code::InputLimit);
    maker.tables.nodes.pop();
    assert!(bake::module(&maker.tables.as_tables(), &settings()).is_ok());
}

#[test]
fn a_graph_is_drawn_in_its_documentation_and_nowhere_else() {
    let tables = support::sample();
    let module = bake::module(&tables.as_tables(), &settings()).unwrap();
    let source = module.to_source().unwrap();
    let drawn: Vec<&str> = source
        .lines()
        .filter(|line| line.contains("<svg"))
        .collect();
    assert_eq!(drawn.len(), tables.graphs.len());
    let only_in_docs = source.matches("#[cfg_attr(\n            doc,\n").count();
    assert_eq!(only_in_docs, tables.graphs.len());
    for line in drawn {
        assert!(line.trim_start().starts_with("doc = "), "{line}");
        // Markdown would take what follows a blank line for text.
        let (_, picture) = line.split_once("<div>").unwrap();
        assert!(!picture.contains("\\n\\n") && !picture.contains("\\n \\n"));
    }
}

#[test]
fn the_skeleton_keeps_the_name_and_ignores_what_it_cannot_know() {
    let mut settings = settings();
    settings.rename("absent", "Absent").unwrap();
    let source = bake::skeleton("none/provider.yaml".as_ref(), &settings)
        .unwrap()
        .to_source()
        .unwrap();
    assert_eq!(
        bake::parse_back::tables(&source),
        Ok(OwnedTables::default())
    );
    assert!(source.contains("pub mod shop {") && source.contains("pub mod graphs {}"));
}
