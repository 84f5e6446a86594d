//! The commands of the pages. `console` blocks are run, with the providers of this package in a folder of
//! their own, and what they print is compared: `AGENT_GRAPH_BLESS=1` writes it into the pages. Of `sh` blocks
//! names and options are held against what exists.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use agent_graph_guide::markdown::blocks;
use agent_graph_guide::shell::{exchanges, words};
use agent_graph_guide::{PAGES, blesses, read, workspace};

/// Where a reader is who types what a page says.
const HOME: &str = "/home/you/guide";

/// A copy of the providers of this package.
fn scratch(page: &str) -> PathBuf {
    let name = page.replace(['/', '.'], "-");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("pages")
        .join(name);
    let _ = fs::remove_dir_all(&folder);
    let sources = ["src", "tests"];
    copy(Path::new(env!("CARGO_MANIFEST_DIR")), &folder, &sources);
    folder.canonicalize().unwrap()
}

fn copy(from: &Path, to: &Path, except: &[&str]) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name();
        if except.iter().any(|skipped| name == *skipped) {
            continue;
        }
        let target = to.join(&name);
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &target, &[]),
            false => drop(fs::copy(entry.path(), target).unwrap()),
        }
    }
}

/// What a command prints, results before errors.
fn printed(command: &str, folder: &Path) -> String {
    let words = words(command).unwrap_or_else(|| panic!("a quote is open: {command}"));
    let (program, arguments) = words.split_first().expect("a command");
    assert_eq!(
        program, "agent-graph",
        "only this program is run: {command}"
    );
    let mut program = Command::new(env!("CARGO_BIN_EXE_guide-agent-graph"));
    let output = program
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8(text).unwrap();
    without_chance(&text.replace(folder.to_str().unwrap(), HOME))
}

/// What no two runs have in common: times and ids that were drawn, each replaced by one that stays.
const DRAWN: [&str; 2] = [
    "2026-01-01T00:00:00.000Z",
    "7f1c0d52-3b1e-4c8a-9a55-0d6f2b8e4c11",
];

/// Whether a text has the form of this one: digits where it has digits, the same signs elsewhere.
fn has_form(text: &str, form: &str) -> bool {
    let mut pairs = text.bytes().zip(form.bytes());
    text.len() == form.len()
        && pairs.all(|(byte, of_form)| match of_form.is_ascii_hexdigit() {
            true => byte.is_ascii_hexdigit(),
            false => byte == of_form,
        })
}

fn without_chance(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let drawn = DRAWN.iter().find(|form| {
            let begin = rest.get(..form.len());
            begin.is_some_and(|begin| has_form(begin, form))
        });
        match drawn {
            Some(form) => {
                kept += form;
                rest = rest.get(form.len()..).unwrap_or("");
            }
            None => {
                kept.push(first);
                rest = rest.get(first.len_utf8()..).unwrap_or("");
            }
        }
    }
    kept
}

#[test]
fn commands_print_what_the_pages_say() {
    let mut ran = 0;
    for page in PAGES {
        let text = read(page);
        let consoles = blocks(&text)
            .into_iter()
            .filter(|block| block.language() == "console");
        let folder = scratch(page);
        let mut blessed = String::new();
        let mut copied = 0;
        let mut wrong = Vec::new();
        for block in consoles {
            let mut shown = String::new();
            for exchange in exchanges(block.text) {
                let printed = printed(exchange.command, &folder);
                shown += &format!("$ {}\n{printed}", exchange.command);
                ran += 1;
            }
            if shown != block.text {
                wrong.push(format!("{page}:{}, which prints:\n{shown}", block.line));
            }
            blessed += text.get(copied..block.start).unwrap_or("");
            blessed += &shown;
            copied = block.start + block.text.len();
        }
        blessed += text.get(copied..).unwrap_or("");
        if blesses() && !wrong.is_empty() {
            fs::write(workspace().join(page), blessed).unwrap();
        } else {
            assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        }
    }
    assert!(ran > 10);
}

/// The manifests of the packages of the workspace, by name.
fn packages() -> Vec<(String, PathBuf, String)> {
    let manifest = fs::read_to_string(workspace().join("Cargo.toml")).unwrap();
    let members = manifest.split_once("members = [").unwrap().1;
    let members = members.split_once(']').unwrap().0;
    let folders = members.split(',').map(|name| name.trim().trim_matches('"'));
    let package = |folder: &str| {
        let folder = workspace().join(folder);
        let text = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let name = text.split_once("name = \"").unwrap().1;
        let name = name.split('"').next().unwrap().to_owned();
        (name, folder, text)
    };
    folders
        .filter(|folder| !folder.is_empty())
        .map(package)
        .collect()
}

/// Whether options of cargo that name something name something that there is.
fn check_cargo(words: &[String], at: &str) {
    let commands = [
        "bench", "build", "check", "clippy", "doc", "fmt", "package", "run", "test", "tree",
    ];
    // A toolchain may stand in front.
    let mut named = words.iter().skip(1).filter(|word| !word.starts_with('+'));
    let command = named.next().map_or("", String::as_str);
    assert!(commands.contains(&command), "{at}");
    let packages = packages();
    let value = |option: &str| {
        let index = words.iter().position(|word| word == option)?;
        words.get(index + 1).map(String::as_str)
    };
    let Some(name) = value("-p") else { return };
    let found = packages.iter().find(|(package, _, _)| package == name);
    let (_, folder, manifest) = found.unwrap_or_else(|| panic!("{at}: there is no package {name}"));
    for feature in value("--features")
        .unwrap_or("")
        .split(',')
        .filter(|name| !name.is_empty())
    {
        assert!(
            manifest.contains(&format!("\n{feature} = [")),
            "{at}: no feature {feature}"
        );
    }
    for (option, place) in [("--test", "tests"), ("--bench", "benches")] {
        for (index, _) in words.iter().enumerate().filter(|(_, word)| *word == option) {
            let target = words.get(index + 1).map_or("", String::as_str);
            let is_there = folder.join(place).join(format!("{target}.rs")).exists()
                || manifest.contains(&format!("name = \"{target}\""));
            assert!(is_there, "{at}: no {option} {target}");
        }
    }
}

#[test]
fn commands_that_pages_only_mention_have_names_and_options_that_exist() {
    let others: BTreeSet<&str> = BTreeSet::from(["cd", "git", "."]);
    for page in PAGES {
        let text = read(page);
        for block in blocks(&text)
            .iter()
            .filter(|block| block.language() == "sh")
        {
            for line in block.text.lines().filter(|line| !line.trim().is_empty()) {
                let at = format!("{page}:{}: {line}", block.line);
                let words = words(line).unwrap_or_else(|| panic!("{at}: a quote is open"));
                // Variables in front.
                let is_variable = |word: &&String| word.contains('=') && !word.starts_with('-');
                let skipped = words.iter().take_while(is_variable).count();
                let words = words.get(skipped..).unwrap_or(&[]);
                match words.first().map(String::as_str) {
                    None => {}
                    Some("cargo") => check_cargo(words, &at),
                    Some("agent-graph") => check_own(words, &at),
                    Some(script) if script.contains('/') => {
                        assert!(workspace().join(script).is_file(), "{at}");
                    }
                    Some(other) => assert!(others.contains(other), "{at}: who is {other}?"),
                }
            }
        }
    }
}

fn check_own(words: &[String], at: &str) {
    let parsed = agent_graph_build::cli::command().try_get_matches_from(words);
    if let Err(error) = parsed {
        assert!(!error.use_stderr(), "{at}: {error}");
    }
}
