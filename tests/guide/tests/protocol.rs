//! The tables of parts in `docs/protocol.md`, held against the tree: comments cite numbers, rows name modules.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use agent_graph_guide::{read, workspace};

const PAGE: &str = "docs/protocol.md";
const RUNTIME: &str = "agent-graph-runtime/src";
const BUILD: &str = "agent-graph-build/src";

/// A row of a table: the cells between its bars.
fn cells(line: &str) -> Vec<&str> {
    let inner = line
        .strip_prefix('|')
        .and_then(|rest| rest.strip_suffix('|'));
    inner.map_or_else(Vec::new, |inner| inner.split('|').map(str::trim).collect())
}

/// The part of the page below a heading, up to the next of the same level.
fn section<'page>(page: &'page str, heading: &str) -> &'page str {
    let heading = format!("\n## {heading}");
    let (_, below) = page.split_once(&heading).expect("the heading is there");
    below.split_once("\n## ").map_or(below, |(part, _)| part)
}

/// The numbers in the first column of a section.
fn parts(section: &str) -> BTreeSet<String> {
    let rows = section.lines().map(cells);
    let numbers = rows.filter(|cells| cells.len() == 3 && starts_with_digit(cells[0]));
    numbers.map(|cells| cells[0].to_owned()).collect()
}

fn starts_with_digit(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit())
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The numbers that a text cites: of "spec 2.5, 2.7" and "spec 4.3 to 4.9" both.
fn cited(text: &str) -> Vec<String> {
    let flat = text.replace("\n//!", "").replace("\n///", "");
    let citations = flat.match_indices("spec ").filter(|(at, _)| {
        let before = flat[..*at].chars().next_back();
        !before.is_some_and(char::is_alphanumeric)
    });
    citations
        .flat_map(|(at, word)| numbers(&flat[at + word.len()..]))
        .collect()
}

fn numbers(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let number: String = word
            .chars()
            .take_while(|c| c.is_ascii_digit() || *c == '.')
            .collect();
        match number.trim_end_matches('.') {
            "" if matches!(word, "to" | "and") => continue,
            "" => break,
            number => found.push(number.to_owned()),
        }
        if !word.ends_with(',') && number.len() != word.len() {
            break;
        }
    }
    found
}

#[test]
fn every_part_that_a_comment_cites_is_a_row_of_the_page() {
    let page = read(PAGE);
    let agent_graph = parts(section(&page, "Agent Graph"));
    let pi_graph = parts(section(&page, "pi-graph"));
    let mut files = Vec::new();
    for folder in [RUNTIME, BUILD, "agent-graph-macros/src", "tests/src"] {
        sources(&workspace().join(folder), &mut files);
    }
    let mut citations = 0;
    for file in files {
        let path = file.strip_prefix(workspace()).unwrap().to_owned();
        let of_pi = path.components().any(|part| {
            Path::new(&part)
                .file_stem()
                .is_some_and(|stem| stem == "pi")
        });
        let rows = if of_pi { &pi_graph } else { &agent_graph };
        for number in cited(&fs::read_to_string(&file).unwrap()) {
            assert!(
                rows.contains(&number),
                "{} cites {number}, which {PAGE} does not explain",
                path.display()
            );
            citations += 1;
        }
    }
    assert!(citations > 150, "only {citations} citations were found");
}

#[test]
fn every_module_that_the_page_names_exists() {
    let page = read(PAGE);
    let mut named = 0;
    for cells in page.lines().map(cells).filter(|cells| !cells.is_empty()) {
        let places = cells.last().expect("a row has cells");
        let mut root = RUNTIME;
        for piece in places.split([',', ';']).map(str::trim) {
            let mut path = piece;
            for (prefix, folder) in [("build: ", BUILD), ("runtime: ", RUNTIME)] {
                if let Some(rest) = piece.strip_prefix(prefix) {
                    (root, path) = (folder, rest);
                }
            }
            let Some(path) = path.strip_prefix('`') else {
                continue;
            };
            let path = path.split('`').next().unwrap_or(path);
            let found = [root, ""].map(|root| workspace().join(root).join(path).exists());
            assert!(found.contains(&true), "{PAGE} names {root}/{path}");
            named += 1;
        }
    }
    assert!(named > 100, "only {named} modules were found");
}

#[test]
fn citations_are_found_in_every_form_that_comments_have() {
    assert_eq!(cited("Order of checks (spec 5.1)."), ["5.1"]);
    assert_eq!(cited("(spec 2.5, 2.7)"), ["2.5", "2.7"]);
    assert_eq!(cited("spec 4.3 to 4.9, and more"), ["4.3", "4.9"]);
    assert_eq!(cited("spec 9.4\n//! and 13.1."), ["9.4", "13.1"]);
    assert!(cited("a special 5 and aspec 6").is_empty());
}
