//! What is printed for tables made by hand. `AGENT_GRAPH_BLESS=1` writes the expected file anew.

mod support;

use agent_graph_build::{Settings, bake};
use quote::{format_ident, quote};

fn settings() -> Settings {
    Settings::new(format_ident!("shop"))
}

fn source(tables: &agent_graph_runtime::tables::OwnedTables) -> String {
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
    let tables = agent_graph_runtime::tables::OwnedTables::default();
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
