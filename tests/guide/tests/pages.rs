//! The pages as text: what they promise first, where their links lead, and that the files they show are files
//! that are compiled, loaded and tested. `AGENT_GRAPH_BLESS=1` writes the files of this package anew from the
//! pages.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use agent_graph_build::graph_test;
use agent_graph_build::lint::{self, LintLevels};
use agent_graph_guide::markdown::{Block, anchors, blocks, links, prose};
use agent_graph_guide::{PAGES, blesses, read, workspace};
use agent_graph_runtime::{Installed, pi};

const GUIDE: &str = "docs/guide/";

fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The pages with the blocks of each.
fn every_block(mut visit: impl FnMut(&str, &Block<'_>)) {
    for page in PAGES {
        let text = read(page);
        for block in blocks(&text) {
            visit(page, &block);
        }
    }
}

#[test]
fn every_page_of_the_guide_is_tested_and_in_its_list() {
    let files = fs::read_dir(workspace().join(GUIDE)).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let there: BTreeSet<String> = names.map(|name| format!("{GUIDE}{name}")).collect();
    let tested = PAGES.iter().filter(|page| page.starts_with(GUIDE));
    let tested: BTreeSet<String> = tested.map(|page| (*page).to_owned()).collect();
    assert_eq!(there, tested);
    let index = read("docs/guide/README.md");
    let listed: BTreeSet<String> = links(&index)
        .into_iter()
        .map(|link| format!("{GUIDE}{link}"))
        .collect();
    for page in tested.iter().filter(|page| *page != "docs/guide/README.md") {
        assert!(listed.contains(page), "{page} is not in the list");
    }
}

#[test]
fn every_page_of_the_guide_begins_with_what_its_reader_can_do_at_its_end() {
    for page in PAGES.iter().filter(|page| page.starts_with(GUIDE)) {
        let text = read(page);
        let first = text
            .lines()
            .find(|line| !line.is_empty() && !line.starts_with('#'));
        let first = first.unwrap_or("");
        assert!(
            first.starts_with("At the end of "),
            "{page} begins with: {first}"
        );
    }
}

#[test]
fn every_link_leads_to_a_file_and_a_heading_that_are_there() {
    for page in PAGES {
        let text = read(page);
        for link in links(&text) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let folder = Path::new(page).parent().unwrap();
            let target = match path {
                "" => workspace().join(page),
                _ => workspace().join(folder).join(path),
            };
            assert!(
                target.exists(),
                "{page} leads to {link}, which is not there"
            );
            if !anchor.is_empty() {
                let there = fs::read_to_string(&target).unwrap();
                assert!(
                    anchors(&there).iter().any(|there| there == anchor),
                    "{page} leads to {link}, which has no such heading"
                );
            }
        }
    }
}

#[test]
fn every_block_is_one_that_something_tries() {
    every_block(|page, block| {
        let at = format!("{page}:{}", block.line);
        let is_tried = match block.language() {
            // Documentation tests, or files that are compiled elsewhere.
            "rust" => !block.info.contains("ignore") || block.file().is_some(),
            "yaml" | "json" | "markdown" => block.file().is_some(),
            "toml" | "console" | "sh" => true,
            // Pictures, and what a program said.
            "text" | "mermaid" => page == "README.md" || page == "docs/architecture.md",
            _ => false,
        };
        assert!(is_tried, "{at}: nothing tries this block: {}", block.info);
    });
}

/// The file that a block of this page shows.
fn shown_file(page: &str, name: &str) -> PathBuf {
    match name {
        _ if name.starts_with("examples/") => workspace().join(name),
        // What the README shows is the smallest of the examples.
        _ if page == "README.md" => workspace().join("examples/macro-host").join(name),
        _ => package().join(name),
    }
}

#[test]
fn files_that_pages_show_are_the_files_that_are_tested() {
    every_block(|page, block| {
        let Some((name, text)) = block.file() else {
            return;
        };
        let at = format!("{page}:{}", block.line);
        let path = shown_file(page, name);
        let is_ours = path.starts_with(package());
        if is_ours && blesses() {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
        }
        let there = fs::read_to_string(&path).unwrap_or_default();
        let there = there.replace("\r\n", "\n");
        if is_ours {
            assert_eq!(there, text, "{at}: AGENT_GRAPH_BLESS=1 takes the page's");
        } else {
            // An excerpt.
            assert!(there.contains(text), "{at}: {name} has no such lines");
        }
    });
}

/// The providers of the guide: folders of this package with a manifest.
fn providers() -> Vec<PathBuf> {
    let folders = fs::read_dir(package()).unwrap();
    let manifests = folders.map(|folder| folder.unwrap().path().join("provider.yaml"));
    let mut found: Vec<PathBuf> = manifests.filter(|manifest| manifest.is_file()).collect();
    found.sort();
    found
}

#[test]
fn every_provider_of_the_guide_loads_and_passes_its_lints_and_tests() {
    let mut tested = 0;
    for manifest in providers() {
        // Shows what an error looks like.
        if manifest
            .parent()
            .is_some_and(|folder| folder.ends_with("broken"))
        {
            continue;
        }
        let provider = Installed::load(&manifest).unwrap_or_else(|findings| panic!("{findings}"));
        let loaded = agent_graph_runtime::load::load(&manifest).unwrap();
        let levels = LintLevels::default();
        let findings = lint::lint(&loaded, &levels).findings;
        assert!(findings.is_empty(), "{}: {findings:?}", manifest.display());
        let tests = provider.root().join("tests");
        if tests.exists() {
            for result in graph_test::run(&provider, &tests).unwrap() {
                assert!(result.passed, "{}: {:?}", result.name, result.failures);
                tested += 1;
            }
        }
    }
    assert!(tested > 0);
}

#[test]
fn every_pi_graph_of_the_guide_loads_without_a_finding() {
    let files = fs::read_dir(package().join("pi-graphs")).unwrap();
    for file in files {
        let path = file.unwrap().path();
        let loaded = pi::load(&path).unwrap_or_else(|findings| panic!("{findings:?}"));
        assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
    }
}

/// The names of all modules below a folder.
fn modules(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        found.insert(path.file_stem().unwrap().to_str().unwrap().to_owned());
        if path.is_dir() {
            modules(&path, found);
        }
    }
}

#[test]
fn every_module_in_the_table_of_the_architecture_exists() {
    let text = read("docs/architecture.md");
    let mut checked = 0;
    for name in ["runtime", "build", "macros"] {
        let sources = workspace().join(format!("agent-graph-{name}")).join("src");
        let mut there = BTreeSet::new();
        modules(&sources, &mut there);
        let start = format!("| {name} | ");
        for row in text.lines().filter_map(|line| line.strip_prefix(&start)) {
            let cell = row.split('|').next().unwrap_or("");
            for module in cell.split('`').skip(1).step_by(2) {
                assert!(there.contains(module), "{name} has no module {module}");
                checked += 1;
            }
        }
    }
    assert!(checked > 30);
}

/// The manifest of a package of ours.
fn manifest_of(name: &str) -> Option<String> {
    fs::read_to_string(workspace().join(name).join("Cargo.toml")).ok()
}

#[test]
fn dependencies_that_pages_show_name_packages_and_features_that_exist() {
    every_block(|page, block| {
        if block.language() != "toml" {
            return;
        }
        for line in block
            .text
            .lines()
            .filter(|line| line.contains("agent-graph-"))
        {
            let name = line.split([' ', '=', ']']).next().unwrap_or("");
            let at = format!("{page}:{}: {line}", block.line);
            let manifest = manifest_of(name).unwrap_or_else(|| panic!("{at}: no such package"));
            let features = line.split_once("features = [").map_or("", |(_, list)| list);
            let features = features.split(']').next().unwrap_or("");
            for feature in features
                .split(',')
                .map(|name| name.trim().trim_matches('"'))
            {
                let declared = format!("\n{feature} = [");
                assert!(
                    feature.is_empty() || manifest.contains(&declared),
                    "{at}: there is no feature `{feature}`"
                );
            }
        }
    });
}

#[test]
fn pages_say_nothing_of_installing_packages_that_others_own() {
    for page in PAGES {
        let text = read(page);
        for line in text.lines() {
            let installs = line.contains("cargo add") || line.contains("cargo install");
            assert!(!(installs && line.contains("agent-graph") && !line.contains("--path")));
        }
    }
}

#[test]
fn prose_stands_in_lines_that_fit_beside_a_difference() {
    for page in PAGES {
        let text = read(page);
        let long = prose(&text)
            .into_iter()
            .find(|line| line.chars().count() > 120 && !line.starts_with('|'));
        assert_eq!(long, None, "{page}");
    }
}
